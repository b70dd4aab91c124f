#include "tests/support/unit_fmu.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "fmi/library.h"

unit_options default_unit_options(fmi_version version) {
  return (unit_options){.version = version,
                        .keeps_state = true,
                        .serialises = true,
                        .variable_step = true,
                        .follows_inputs = true,
                        .step = NAN};
}

static char *read_binary(const unit_options *options, size_t *size) {
  const char *of_2 = options->is_bare ? UNIT_2_BARE : options->forgets ? UNIT_2_FORGETS : UNIT_2;
  const char *path = options->version == FMI_2 ? of_2 : UNIT_3;
  struct stat about;
  cr_assert_eq(stat(path, &about), 0, "%s", path);
  char *bytes = malloc((size_t)about.st_size);
  FILE *file = fopen(path, "rb");
  *size = fread(bytes, 1, (size_t)about.st_size, file);
  fclose(file);
  return bytes;
}

static const double zero[] = {0}, one[] = {1}, hundred[] = {100}, never[] = {INFINITY}, twenty[] = {20};

static void add(fmi_description *to, const char *name, uint32_t reference, fmi_causality causality,
                const double *start) {
  fmi_variable *variable = &to->variables[to->n_variables++];
  *variable = fmi_default_variable();
  variable->name = name;
  variable->reference = reference;
  variable->causality = causality;
  variable->variability = causality == FMI_PARAMETER ? FMI_FIXED : FMI_CONTINUOUS;
  variable->start = start;
  variable->n_start = start != NULL;
}

static void add_variables(fmi_description *to, const unit_options *options) {
  add(to, "time", UNIT_TIME, FMI_INDEPENDENT, NULL);
  add(to, "f", UNIT_F, FMI_INPUT, zero);
  to->variables[to->n_variables - 1].intermediate_update = options->follows_inputs;
  to->variables[to->n_variables - 1].unit = options->is_in_newtons ? "N" : NULL;
  fmi_variable *of_motion = &to->variables[to->n_variables];
  add(to, options->name_of_x != NULL ? options->name_of_x : "x", UNIT_X, FMI_OUTPUT, NULL);
  add(to, "v", UNIT_V, FMI_OUTPUT, NULL);
  add(to, "a", UNIT_A, FMI_OUTPUT, NULL);
  add(to, "s", UNIT_S, FMI_OUTPUT, NULL);
  add(to, "y", UNIT_Y, FMI_OUTPUT, NULL);
  if (options->is_in_cm) {
    static const char *const units[] = {"kN", "cm", "cm/s", "cm/s2", NULL, "kN"}; /* of f, x, v, a, s, y */
    for (int i = 0; i < 6; i++)
      of_motion[i - 1].unit = i == 3 && options->unit_of_a != NULL ? options->unit_of_a : units[i];
  }
  add(to, "sampled", UNIT_SAMPLED, FMI_OUTPUT, NULL);
  to->variables[to->n_variables - 1].variability = FMI_DISCRETE;
  add(to, "mass", UNIT_M, FMI_PARAMETER, one);
  to->variables[to->n_variables - 1].min = 0;
  add(to, "k", UNIT_K, FMI_PARAMETER, hundred);
  add(to, "c", UNIT_C, FMI_PARAMETER, zero);
  add(to, "x0", UNIT_X0, FMI_PARAMETER, zero);
  add(to, "v0", UNIT_V0, FMI_PARAMETER, zero);
  add(to, "fail_at", UNIT_FAIL_AT, FMI_PARAMETER, never);
  add(to, "nan_at", UNIT_NAN_AT, FMI_PARAMETER, never);
  add(to, "early_at", UNIT_EARLY_AT, FMI_PARAMETER, never);
  add(to, "stuck_at", UNIT_STUCK_AT, FMI_PARAMETER, never);
  add(to, "end_at", UNIT_END_AT, FMI_PARAMETER, never);
  add(to, "longest", UNIT_LONGEST, FMI_PARAMETER, never);
  add(to, "claim", UNIT_CLAIM, FMI_PARAMETER, zero);
  add(to, "wall", UNIT_WALL, FMI_PARAMETER, never);
  add(to, "period", UNIT_PERIOD, FMI_PARAMETER, zero);
  add(to, "label", UNIT_LABEL, FMI_PARAMETER, NULL);
  to->variables[to->n_variables - 1].type = FMI_STRING;
  to->variables[to->n_variables - 1].start_text = "";
  add(to, "mirrored", UNIT_MIRRORED, FMI_PARAMETER, zero);
  to->variables[to->n_variables - 1].type = FMI_BOOLEAN;
  add(to, "divisions", UNIT_DIVISIONS, FMI_PARAMETER, twenty);
  to->variables[to->n_variables - 1].type = FMI_INT32;
}

static char *describe(const unit_options *options, size_t *size) {
  fmi_variable variables[32];
  fmi_description made = fmi_default_description(options->version);
  char *text = NULL;
  made.model_name = "unit";
  made.token = options->token != NULL ? options->token : UNIT_TOKEN;
  made.variables = variables;
  made.experiment.step = options->step;
  made.capabilities.identifier = "unit";
  made.capabilities.can_get_and_set_state = options->keeps_state;
  made.capabilities.can_serialize_state = options->serialises;
  made.capabilities.variable_step = options->variable_step;
  made.capabilities.event_mode = options->has_events;
  made.capabilities.might_return_early = options->has_events || options->returns_early;
  made.capabilities.interpolates_inputs = options->follows_inputs;
  made.capabilities.intermediate_update = options->follows_inputs;
  fmi_unit units[] = {{.name = "N", .kg = 1, .m = 1, .s = -2, .factor = 1},
                      {.name = "kN", .kg = 1, .m = 1, .s = -2, .factor = 1e3},
                      {.name = "cm", .m = 1, .factor = 1e-2},
                      {.name = "cm/s", .m = 1, .s = -1, .factor = 1e-2},
                      {.name = "cm/s2", .m = 1, .s = -2, .factor = 1e-2},
                      {.name = "-5 mm/s", .m = 1, .s = -1, .factor = -5e-3}};
  made.units = units;
  made.n_units = options->is_in_cm ? 6 : options->is_in_newtons;
  add_variables(&made, options);
  cr_assert_eq(fmi_description_write(&made, &text, size, NULL), SEAM_OK);
  return text;
}

void write_unit(const char *path, const unit_options *options) {
  char name[128];
  fmi_entry entries[2];
  size_t n = 0, size = 0;
  char *text = describe(options, &size);
  if (!options->without_description)
    entries[n++] = (fmi_entry){"modelDescription.xml", text, size};
  char *binary = read_binary(options, &size);
  snprintf(name, sizeof name, "binaries/%s/unit.so", fmi_platform(options->version));
  if (!options->without_binary)
    entries[n++] = (fmi_entry){name, binary, size};
  cr_assert_eq(fmi_archive_write(path, entries, n, NULL), SEAM_OK);
  free(text);
  free(binary);
}
