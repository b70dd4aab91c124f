#include "tests/support/unit_fmu.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/memory_stream.h"
#include "fmi/library.h"
#include "fmi/xml.h"

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

/* Writes a variable of a type by its name in FMI 2 and in FMI 3. `values`: attributes that FMI 2 has in the element of
 * the type. */
static void add(FILE *to, const unit_options *options, const char *type_2, const char *type_3, const char *name,
                int reference, const char *attributes, const char *values) {
  const bool is_two = options->version == FMI_2;
  fprintf(to, "<%s", is_two ? "ScalarVariable" : type_3);
  fmi_xml_attribute(to, "name", name);
  fprintf(to, " valueReference=\"%d\" %s", reference, attributes);
  if (is_two)
    fprintf(to, "><%s %s/></ScalarVariable>\n", type_2, values);
  else
    fprintf(to, " %s/>\n", values);
}

static void add_real(FILE *to, const unit_options *options, const char *name, int reference, const char *attributes,
                     const char *unit) {
  char values[64] = "";
  if (unit != NULL)
    snprintf(values, sizeof values, "unit=\"%s\"", unit);
  add(to, options, "Real", "Float64", name, reference, attributes, values);
}

static void add_signals(FILE *to, const unit_options *options) {
  static const char output[] = "causality=\"output\" variability=\"continuous\"";
  const bool is_in_cm = options->is_in_cm;
  add_real(to, options, "time", UNIT_TIME, "causality=\"independent\" variability=\"continuous\"", NULL);
  add(to, options, "Real", "Float64", "f", UNIT_F,
      options->follows_inputs && options->version == FMI_3
          ? "causality=\"input\" variability=\"continuous\" intermediateUpdate=\"true\""
          : "causality=\"input\" variability=\"continuous\"",
      is_in_cm                 ? "unit=\"kN\" start=\"0\""
      : options->is_in_newtons ? "unit=\"N\" start=\"0\""
                               : "start=\"0\"");
  add_real(to, options, options->name_of_x != NULL ? options->name_of_x : "x", UNIT_X, output, is_in_cm ? "cm" : NULL);
  add_real(to, options, "v", UNIT_V, output, is_in_cm ? "cm/s" : NULL);
  add_real(to, options, "a", UNIT_A, output,
           !is_in_cm                    ? NULL
           : options->unit_of_a != NULL ? options->unit_of_a
                                        : "cm/s2");
  add_real(to, options, "s", UNIT_S, output, NULL);
  add_real(to, options, "y", UNIT_Y, output, is_in_cm ? "kN" : NULL);
  add_real(to, options, "sampled", UNIT_SAMPLED, "causality=\"output\" variability=\"discrete\"", NULL);
}

static void add_parameters(FILE *to, const unit_options *options) {
  static const char fixed[] = "causality=\"parameter\" variability=\"fixed\"";
  static const struct {
    const char *name;
    int reference;
    const char *values;
  } reals[] = {{"mass", UNIT_M, "min=\"0\" start=\"1\""},
               {"k", UNIT_K, "start=\"100\""},
               {"c", UNIT_C, "start=\"0\""},
               {"x0", UNIT_X0, "start=\"0\""},
               {"v0", UNIT_V0, "start=\"0\""},
               {"fail_at", UNIT_FAIL_AT, "start=\"INF\""},
               {"nan_at", UNIT_NAN_AT, "start=\"INF\""},
               {"early_at", UNIT_EARLY_AT, "start=\"INF\""},
               {"stuck_at", UNIT_STUCK_AT, "start=\"INF\""},
               {"end_at", UNIT_END_AT, "start=\"INF\""},
               {"longest", UNIT_LONGEST, "start=\"INF\""},
               {"claim", UNIT_CLAIM, "start=\"0\""},
               {"wall", UNIT_WALL, "start=\"INF\""},
               {"period", UNIT_PERIOD, "start=\"0\""}};
  for (size_t i = 0; i < sizeof reals / sizeof *reals; i++)
    add(to, options, "Real", "Float64", reals[i].name, reals[i].reference, fixed, reals[i].values);
  if (options->version == FMI_2)
    add(to, options, "String", NULL, "label", UNIT_LABEL, fixed, "start=\"\"");
  else
    fprintf(to, "<String name=\"label\" valueReference=\"%d\" %s><Start value=\"\"/></String>\n", UNIT_LABEL, fixed);
  add(to, options, "Boolean", "Boolean", "mirrored", UNIT_MIRRORED, fixed, "start=\"false\"");
  add(to, options, "Integer", "Int32", "divisions", UNIT_DIVISIONS, fixed, "start=\"20\"");
}

static void add_interface(FILE *to, const unit_options *options) {
  const struct {
    const char *two, *three;
    bool is_true;
  } capabilities[] = {
      {"canGetAndSetFMUstate", "canGetAndSetFMUState", options->keeps_state},
      {"canSerializeFMUstate", "canSerializeFMUState", options->serialises},
      {"canHandleVariableCommunicationStepSize", "canHandleVariableCommunicationStepSize", options->variable_step},
      {"canInterpolateInputs", NULL, options->follows_inputs},
      {NULL, "providesIntermediateUpdate", options->follows_inputs},
      {NULL, "mightReturnEarlyFromDoStep", options->has_events || options->returns_early},
      {NULL, "hasEventMode", options->has_events}};
  fputs("<CoSimulation modelIdentifier=\"unit\"", to);
  for (size_t i = 0; i < sizeof capabilities / sizeof *capabilities; i++) {
    const char *name = options->version == FMI_2 ? capabilities[i].two : capabilities[i].three;
    if (name != NULL && capabilities[i].is_true)
      fprintf(to, " %s=\"true\"", name);
  }
  fputs("/>\n", to);
}

static char *describe(const unit_options *options, size_t *size) {
  static const char *const units[] = {"<Unit name=\"N\"><BaseUnit kg=\"1\" m=\"1\" s=\"-2\"/></Unit>",
                                      "<Unit name=\"kN\"><BaseUnit kg=\"1\" m=\"1\" s=\"-2\" factor=\"1e3\"/></Unit>",
                                      "<Unit name=\"cm\"><BaseUnit m=\"1\" factor=\"1e-2\"/></Unit>",
                                      "<Unit name=\"cm/s\"><BaseUnit m=\"1\" s=\"-1\" factor=\"1e-2\"/></Unit>",
                                      "<Unit name=\"cm/s2\"><BaseUnit m=\"1\" s=\"-2\" factor=\"1e-2\"/></Unit>",
                                      "<Unit name=\"-5 mm/s\"><BaseUnit m=\"1\" s=\"-1\" factor=\"-5e-3\"/></Unit>"};
  const int n_units = options->is_in_cm ? 6 : options->is_in_newtons;
  char *text = NULL;
  FILE *to = memory_stream_open(&text, size);
  fprintf(to, "<fmiModelDescription fmiVersion=\"%d.0\" modelName=\"unit\" %s=\"%s\">\n", (int)options->version,
          options->version == FMI_2 ? "guid" : "instantiationToken",
          options->token != NULL ? options->token : UNIT_TOKEN);
  add_interface(to, options);
  fputs("<UnitDefinitions>\n", to);
  for (int i = 0; i < n_units; i++)
    fprintf(to, "%s\n", units[i]);
  fputs("</UnitDefinitions>\n<DefaultExperiment", to);
  if (!isnan(options->step))
    fmi_xml_number_attribute(to, "stepSize", options->step);
  fputs("/>\n<ModelVariables>\n", to);
  add_signals(to, options);
  add_parameters(to, options);
  fputs("</ModelVariables>\n<ModelStructure/>\n</fmiModelDescription>\n", to);
  cr_assert(memory_stream_close(to, &text));
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
