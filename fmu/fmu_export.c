#include <seam/fmu.h>

#include <ctype.h>
#include <dlfcn.h>
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/argument.h"
#include "base/checksum.h"
#include "base/file.h"
#include "base/then.h"
#include "fmi/archive.h"
#include "fmi/library.h"
#include "fmu/resources.h"
#include "fmu/unit.h"
#include "models/model_file.h"

#define LAYERED_STANDARD "org.seam-multibody.derivatives"
enum { COOKIE = 0x0f3d, TOKEN_SIZE = 40, LONGEST_NAME = 200 };

seam_fmu_options seam_default_fmu_options(void) { return (seam_fmu_options){.cookie = COOKIE, .version = FMI_2}; }

typedef struct draft {
  const seam_fmu_options *options;
  const char *text; /* text of the model file */
  size_t length;
  fmu_resources resources;
  seam_model_file *file; /* owned by the draft until `unit` is created, which then owns it */
  fmu_unit *unit;
  char identifier[LONGEST_NAME], token[TOKEN_SIZE];
  char *description;
  size_t description_size;
  char *engine;
  size_t engine_size;
} draft;

/* Sets the overrides of the FMU: the n given ones, then one for each table or curve that may name a data file. The FMU
 * then needs no other file. */
static seam_status set_overrides(draft *d, const char *const *overrides, size_t n, seam_error *error) {
  static const char *const names[] = {"tables", "curves"};
  const yaml_node *const sections[] = {yaml_get(d->file->root, names[0]), yaml_get(d->file->root, names[1])};
  const source from = {.name = "model", .text = d->text, .length = d->length};
  fmu_resources *to = &d->resources;
  size_t most = n;
  for (int i = 0; i < 2; i++)
    most += sections[i] != NULL ? sections[i]->n_children : 0;
  to->overrides = arena_allocate(&to->memory, (most + 1) * sizeof *to->overrides);
  TRY(fmu_check_memory(to->overrides != NULL, error));
  for (size_t i = 0; i < n; i++)
    to->overrides[to->n_overrides++] = overrides[i];
  yaml_node *root = NULL; /* the model file without overrides */
  TRY(yaml_parse(&from, &to->memory, &root, error));
  for (int i = 0; i < 2; i++) {
    const size_t length = strlen(names[i]);
    bool is_overridden = false; /* an override changes this section and may name a data file */
    for (size_t k = 0; k < n; k++)
      is_overridden =
          is_overridden || (strncmp(overrides[k], names[i], length) == 0 && strchr(".=", overrides[k][length]) != NULL);
    const bool is_map = sections[i] != NULL && sections[i]->kind == YAML_MAP;
    for (const yaml_node *entry = is_map ? sections[i]->first : NULL; entry != NULL; entry = entry->next) {
      if (!is_overridden && yaml_get(yaml_get(yaml_get(root, names[i]), entry->key->text), "file") == NULL)
        continue;
      char *value = yaml_json(entry);
      char *text = value != NULL ? arena_print(&to->memory, "%s.%s=%s", names[i], entry->key->text, value) : NULL;
      to->overrides[to->n_overrides++] = text;
      free(value);
      TRY(fmu_check_memory(text != NULL, error));
    }
  }
  return SEAM_OK;
}

/* Makes a C identifier from the names of the model and of the subsystem, if any. Makes the token of the FMU, a GUID,
 * from checksums of the identifier and all data in the resources. */
static void identify(draft *d) {
  const char *subsystem = d->options->subsystem;
  const char *name = seam_model_name(d->file);
  snprintf(d->identifier, sizeof d->identifier, "%s%s%s%s", isdigit((unsigned char)name[0]) ? "_" : "", name,
           subsystem != NULL ? "_" : "", subsystem != NULL ? subsystem : "");
  for (char *at = d->identifier; *at != '\0'; at++)
    if ((unsigned char)*at >= 0x80 || !isalnum((unsigned char)*at))
      *at = '_';
  uint64_t sum[2] = {0, 1};
  for (int i = 0; i < 2; i++) {
    sum[i] = checksum_add(sum[i], d->text, d->length);
    sum[i] = checksum_add(sum[i], d->identifier, strlen(d->identifier) + 1);
    for (size_t k = 0; k < d->resources.n_overrides; k++)
      sum[i] = checksum_add(sum[i], d->resources.overrides[k], strlen(d->resources.overrides[k]) + 1);
  }
  snprintf(d->token, sizeof d->token, "{%08x-%04x-%04x-%04x-%04x%08x}", (unsigned)(sum[0] >> 32),
           (unsigned)(sum[0] >> 16 & 0xffff), (unsigned)(sum[0] & 0xffff), (unsigned)(sum[1] >> 48),
           (unsigned)(sum[1] >> 32 & 0xffff), (unsigned)(sum[1] & 0xffffffff));
  d->resources.token = d->token;
}

/* Reads the engine, the binary of all exported FMUs: the file of the options, or that in the folder of this library. */
static seam_status read_engine(draft *d, seam_error *error) {
  static const char engine[] = SEAM_ENGINE;
  static const char here;
  Dl_info about = {0};
  const char *slash = dladdr(&here, &about) != 0 && about.dli_fname != NULL ? strrchr(about.dli_fname, '/') : NULL;
  const int length = slash != NULL && engine[0] != '/' ? (int)(slash - about.dli_fname) + 1 : 0;
  const char *path = d->options->engine;
  if (path == NULL)
    path = arena_print(&d->resources.memory, "%.*s%s", length, length > 0 ? about.dli_fname : "", engine);
  TRY(fmu_check_memory(path != NULL, error));
  d->engine = file_read(path, SIZE_MAX - 1, &d->engine_size);
  if (d->engine != NULL)
    return SEAM_OK;
  return errno == ENOMEM ? fmu_no_memory(error)
                         : seam_fail(error, SEAM_NO_FILE,
                                     "the engine of FMUs '%.400s' cannot be read: %s; it is built with Seam unless "
                                     "SEAM_WITH_FMI is off, and installed beside the library",
                                     path, file_cause(errno));
}

/* ---- Units of measure ---- */

/* Lists the known units that variables of the FMU use. Returns their number. */
static size_t list_units(const fmu_unit *unit, fmi_unit units[FMI_N_KNOWN_UNITS]) {
  size_t n = 0;
  for (size_t i = 0; i < FMI_N_KNOWN_UNITS; i++)
    for (size_t v = 0; v < unit->n_variables; v++)
      if (unit->variables[v].unit != NULL && strcmp(unit->variables[v].unit, fmi_known_units[i].name) == 0) {
        units[n++] = fmi_known_units[i];
        break;
      }
  return n;
}

static const struct {
  fmi_causality causality;
  fmi_variability variability;
  fmi_initial initial;
} of_role[] = {
    [FMU_TIME] = {FMI_INDEPENDENT, FMI_CONTINUOUS, FMI_BY_CAUSALITY},
    [FMU_PARAMETER] = {FMI_PARAMETER, FMI_FIXED, FMI_EXACT},
    [FMU_INPUT] = {FMI_INPUT, FMI_CONTINUOUS, FMI_BY_CAUSALITY},
    [FMU_OUTPUT] = {FMI_OUTPUT, FMI_CONTINUOUS, FMI_CALCULATED},
    [FMU_DEGREE] = {FMI_PARAMETER, FMI_TUNABLE, FMI_EXACT},
    [FMU_DERIVATIVES] = {FMI_LOCAL, FMI_DISCRETE, FMI_CALCULATED},
    [FMU_SHAPES] = {FMI_PARAMETER, FMI_TUNABLE, FMI_EXACT},
    [FMU_INPUT_DEGREE] = {FMI_PARAMETER, FMI_TUNABLE, FMI_EXACT},
    [FMU_WANTED] = {FMI_PARAMETER, FMI_TUNABLE, FMI_EXACT},
};

static fmi_variable describe_variable(const fmu_unit *unit, size_t reference) {
  const fmu_variable *variable = &unit->variables[reference];
  fmi_variable of = fmi_default_variable();
  of.name = variable->name;
  of.description = variable->meaning != NULL && variable->meaning[0] != '\0' ? variable->meaning : NULL;
  if (fmi_known_unit(variable->unit).factor != 0) /* others have no definition */
    of.unit = variable->unit;
  of.reference = (uint32_t)reference;
  of.type = FMI_FLOAT64;
  of.causality = of_role[variable->role].causality;
  of.variability = variable->is_held ? FMI_DISCRETE : of_role[variable->role].variability;
  of.initial = of_role[variable->role].initial;
  of.intermediate_update = variable->role == FMU_INPUT;
  of.start = variable->start;
  if (variable->role == FMU_INPUT && unit->model != NULL)
    of.start = &cosim_multibody_view_of(unit->part).inputs[variable->number];
  of.n_start = of.start != NULL ? variable->n : 0;
  return of;
}

/* Sets the inputs on which each output depends directly, if the part reports feedthrough: importers such as Seam order
 * their calls by it. depends_on: memory for all these indices. */
static void add_dependence(const fmu_unit *unit, fmi_description *to, size_t *depends_on) {
  const cosim_part *part = unit->part;
  for (size_t o = 0; o < unit->n_variables && part->feedthrough != NULL; o++) {
    const fmu_variable *output = &unit->variables[o];
    if (output->role != FMU_OUTPUT)
      continue;
    to->variables[o].depends_on = depends_on;
    to->variables[o].n_depends_on = 0;
    for (size_t i = 0; i < unit->n_variables; i++)
      if (unit->variables[i].role == FMU_INPUT &&
          part->feedthrough[output->number * part->n_inputs + unit->variables[i].number]) {
        *depends_on++ = i;
        to->variables[o].n_depends_on++;
      }
  }
}

/* ---- The description ---- */

static void describe_interface(fmi_description *of, const draft *d) {
  const seam_simulation *simulation = seam_model_simulation(d->unit->file);
  const cosim_builder *builder = seam_model_cosim(d->unit->file);
  const bool has_inputs = d->unit->part->n_inputs > 0;
  of->capabilities = (fmi_capabilities){.identifier = d->identifier,
                                        .can_get_and_set_state = true,
                                        .can_serialize_state = true,
                                        .directional_derivatives = true,
                                        .variable_step = true,
                                        .interpolates_inputs = has_inputs,
                                        .no_memory_functions = true,
                                        .intermediate_update = has_inputs,
                                        .might_return_early = d->unit->events != NULL,
                                        .event_mode = d->unit->events != NULL || fmu_unit_samples(d->unit),
                                        .fixed_internal_step = NAN};
  of->experiment = (fmi_experiment){.stop = simulation->end,
                                    .tolerance = simulation->integrator.rtol,
                                    .step = builder != NULL ? cosim_builder_definition(builder)->options.macro_step
                                                            : simulation->output_step};
}

static seam_status write_description(draft *d, seam_error *error) {
  static const char *categories[] = {"logEvents", "logStatusDiscard", "logStatusError"};
  const fmu_unit *unit = d->unit;
  const unsigned needed_glibc = fmi_needed_glibc(d->engine, d->engine_size);
  fmi_description of = fmi_default_description((fmi_version)d->options->version);
  fmi_unit units[FMI_N_KNOWN_UNITS];
  char needs[64];
  snprintf(needs, sizeof needs, "for Linux with glibc 2.%u or newer", needed_glibc);
  of.variables = calloc(unit->n_variables, sizeof *of.variables);
  size_t *depends_on = calloc((size_t)unit->part->n_inputs * (size_t)unit->part->n_outputs + 1, sizeof *depends_on);
  if (of.variables == NULL || depends_on == NULL) {
    free(of.variables);
    free(depends_on);
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for the model description");
  }
  of.model_name = d->identifier;
  of.description = needed_glibc > 0 ? needs : NULL;
  of.token = d->token;
  of.tool = "Seam";
  of.units = units;
  of.n_units = list_units(unit, units);
  of.log_categories = categories;
  of.n_log_categories = sizeof categories / sizeof *categories;
  describe_interface(&of, d);
  fmi_dimension derivatives[] = {{fmu_unit_count(unit, FMU_INPUT), SEAM_NONE},
                                 {FMU_MAX_POWER + 1, SEAM_NONE},
                                 {fmu_unit_count(unit, FMU_OUTPUT), SEAM_NONE}};
  fmi_dimension shapes[] = {{COSIM_FMU_POWERS, SEAM_NONE}, {COSIM_FMU_POWERS, SEAM_NONE}};
  const struct {
    fmi_dimension *dimensions;
    size_t n;
  } arrays[] = {[FMU_DERIVATIVES] = {derivatives, 3}, [FMU_SHAPES] = {shapes, 2}, [FMU_WANTED] = {&derivatives[2], 1}};
  for (size_t i = 0; i < unit->n_variables; i++) {
    const fmu_role role = unit->variables[i].role;
    if (of.version == FMI_2 && role >= FMU_DEGREE)
      continue;
    fmi_variable *to = &of.variables[of.n_variables++];
    *to = describe_variable(unit, i);
    to->dimensions = arrays[role].dimensions;
    to->n_dimensions = arrays[role].n;
  }
  add_dependence(unit, &of, depends_on);
  const seam_status status = fmi_description_write(&of, &d->description, &d->description_size, error);
  free(of.variables);
  free(depends_on);
  return status;
}

static seam_status write_archive(const draft *d, const char *path, seam_error *error) {
  char binary[LONGEST_NAME + 40];
  char *settings = fmu_resources_write(&d->resources);
  TRY(fmu_check_memory(settings != NULL, error));
  snprintf(binary, sizeof binary, "binaries/%s/%s.so", fmi_platform((fmi_version)d->options->version), d->identifier);
  static const char manifest[] =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiLayeredStandardManifest "
      "xmlns:fmi-ls=\"http://fmi-standard.org/fmi-ls-manifest\" fmi-ls:fmi-ls-name=\"" LAYERED_STANDARD
      "\" fmi-ls:fmi-ls-version=\"1.2.0\" fmi-ls:fmi-ls-description=\"Derivatives of the outputs of a step by "
      "polynomials of its inputs\"/>\n";
  const bool has_derivatives = d->options->version == FMI_3 && fmu_unit_count(d->unit, FMU_DERIVATIVES) > 0;
  const fmi_entry entries[] = {
      {"modelDescription.xml", d->description, d->description_size},
      {binary, d->engine, d->engine_size},
      {"resources/" FMU_MODEL_FILE, d->text, d->length},
      {"resources/" FMU_SETTINGS_FILE, settings, strlen(settings)},
      {"extra/" LAYERED_STANDARD "/fmi-ls-manifest.xml", manifest, sizeof manifest - 1},
  };
  const size_t n = sizeof entries / sizeof *entries;
  const seam_status status = fmi_archive_write(path, entries, has_derivatives ? n : n - 1, error);
  free(settings);
  return status;
}

seam_status seam_fmu_export(const char *name, const char *text, size_t length, const char *const *overrides,
                            size_t n_overrides, const seam_fmu_options *options, const char *path, seam_error *error) {
  ARGUMENTS(error, name, text, options, path);
  if (options->cookie != COOKIE)
    return seam_fail(error, SEAM_BAD_INPUT, "the options of an FMU were not made by seam_default_fmu_options()");
  if (options->version != FMI_2 && options->version != FMI_3)
    return seam_fail(error, SEAM_BAD_INPUT, "there is no version %d of FMI to export: take 2 or 3", options->version);
  draft d = {.options = options, .text = text, .length = length, .resources = {.subsystem = options->subsystem}};
  seam_status status = seam_model_file_parse(name, text, length, overrides, n_overrides, &d.file, error);
  if (status == SEAM_OK && seam_model_start_from(d.file) != NULL)
    status = seam_fail(
        error, SEAM_BAD_INPUT,
        "%.200s: error: an FMU has no earlier results to start from: give coordinates and rates under 'start'", name);
  THEN(status, fmu_refuse_units(d.file, error));
  THEN(status, set_overrides(&d, overrides, n_overrides, error));
  if (status == SEAM_OK) {
    identify(&d);
    seam_model_file *file = d.file;
    d.file = NULL;
    status = fmu_unit_create(file, options->subsystem, &d.unit, error);
  }
  THEN(status, fmu_unit_start(d.unit, 0, error));
  THEN(status, read_engine(&d, error));
  THEN(status, write_description(&d, error));
  THEN(status, write_archive(&d, path, error));
  arena_release(&d.resources.memory);
  seam_model_file_destroy(d.file);
  fmu_unit_destroy(d.unit);
  free(d.description);
  free(d.engine);
  return status;
}
