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
#include "base/memory_stream.h"
#include "base/then.h"
#include "fmi/archive.h"
#include "fmi/library.h"
#include "fmi/xml.h"
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

/* ---- modelDescription.xml: elements in the order of the schemas ---- */

typedef struct writer {
  FILE *file;
  const fmu_unit *unit;
  bool is_two; /* FMI 2 */
} writer;

/* Writes an attribute; NULL: none. */
static void write_text(const writer *to, const char *name, const char *text) {
  if (text != NULL)
    fmi_xml_attribute(to->file, name, text);
}

static void write_number(const writer *to, const char *name, double number) {
  if (!isnan(number))
    fmi_xml_number_attribute(to->file, name, number);
}

static void write_interface(const writer *to, const char *identifier) {
  const fmu_unit *unit = to->unit;
  const bool has_inputs = unit->part->n_inputs > 0, has_events = unit->events != NULL;
  const struct {
    const char *two, *three; /* NULL: not in this version */
    bool is_true;
  } capabilities[] = {
      {"canNotUseMemoryManagementFunctions", NULL, true},
      {"canGetAndSetFMUstate", "canGetAndSetFMUState", true},
      {"canSerializeFMUstate", "canSerializeFMUState", true},
      {"providesDirectionalDerivative", "providesDirectionalDerivatives", true},
      {"canHandleVariableCommunicationStepSize", "canHandleVariableCommunicationStepSize", true},
      {"canInterpolateInputs", NULL, has_inputs},
      {NULL, "providesIntermediateUpdate", has_inputs},
      {NULL, "mightReturnEarlyFromDoStep", has_events},
      {NULL, "hasEventMode", has_events || fmu_unit_samples(unit)},
  };
  fputs("  <CoSimulation", to->file);
  write_text(to, "modelIdentifier", identifier);
  for (size_t i = 0; i < sizeof capabilities / sizeof *capabilities; i++) {
    const char *name = to->is_two ? capabilities[i].two : capabilities[i].three;
    if (name != NULL && capabilities[i].is_true)
      write_text(to, name, "true");
  }
  fputs("/>\n", to->file);
}

/* Writes the known units that variables of the FMU use. The list is not empty: time has a unit. */
static void write_units(const writer *to) {
  fputs("  <UnitDefinitions>\n", to->file);
  for (const fmi_unit *known = fmi_known_units; known < fmi_known_units + FMI_N_KNOWN_UNITS; known++) {
    size_t v = 0;
    while (v < to->unit->n_variables &&
           (to->unit->variables[v].unit == NULL || strcmp(to->unit->variables[v].unit, known->name) != 0))
      v++;
    if (v == to->unit->n_variables)
      continue;
    fprintf(to->file, "    <Unit name=\"%s\"><BaseUnit", known->name);
    for (size_t i = 0; i < sizeof fmi_base_unit_rows / sizeof *fmi_base_unit_rows; i++) {
      const fmi_row *row = &fmi_base_unit_rows[i];
      const void *field = (const char *)known + row->offset;
      if (row->kind == FMI_ROW_NUMBER)
        write_number(to, row->name2, *(const double *)field);
      else if (*(const int *)field != 0)
        fprintf(to->file, " %s=\"%d\"", row->name2, *(const int *)field);
    }
    fputs("/></Unit>\n", to->file);
  }
  fputs("  </UnitDefinitions>\n", to->file);
}

static void write_experiment(const writer *to) {
  const seam_simulation *simulation = seam_model_simulation(to->unit->file);
  const cosim_builder *builder = seam_model_cosim(to->unit->file);
  fputs("  <DefaultExperiment startTime=\"0\"", to->file);
  write_number(to, "stopTime", simulation->end);
  write_number(to, "tolerance", simulation->integrator.rtol);
  write_number(to, "stepSize",
               builder != NULL ? cosim_builder_definition(builder)->options.macro_step : simulation->output_step);
  fputs("/>\n", to->file);
}

static void write_dimensions(const writer *to, fmu_role role) {
  const size_t n_inputs = fmu_unit_count(to->unit, FMU_INPUT), n_outputs = fmu_unit_count(to->unit, FMU_OUTPUT);
  const size_t sizes[][3] = {[FMU_DERIVATIVES] = {n_inputs, COSIM_FMU_POWERS, n_outputs},
                             [FMU_SHAPES] = {COSIM_FMU_POWERS, COSIM_FMU_POWERS},
                             [FMU_WANTED] = {n_outputs}};
  fputc('>', to->file);
  for (int i = 0; i < 3 && sizes[role][i] > 0; i++)
    fprintf(to->file, "<Dimension start=\"%zu\"/>", sizes[role][i]);
  fputs("</Float64>\n", to->file);
}

static const struct {
  const char *causality, *variability, *initial; /* NULL: the default */
} of_role[] = {
    [FMU_TIME] = {"independent", "continuous", NULL}, [FMU_PARAMETER] = {"parameter", "fixed", "exact"},
    [FMU_INPUT] = {"input", "continuous", NULL},      [FMU_OUTPUT] = {"output", "continuous", "calculated"},
    [FMU_DEGREE] = {"parameter", "tunable", "exact"}, [FMU_DERIVATIVES] = {NULL, "discrete", "calculated"},
    [FMU_SHAPES] = {"parameter", "tunable", "exact"}, [FMU_INPUT_DEGREE] = {"parameter", "tunable", "exact"},
    [FMU_WANTED] = {"parameter", "tunable", "exact"},
};

static void write_variable(const writer *to, size_t reference) {
  const fmu_variable *variable = &to->unit->variables[reference];
  const fmu_role role = variable->role;
  const bool is_described = variable->meaning != NULL && variable->meaning[0] != '\0';
  const double *start = variable->start;
  if (role == FMU_INPUT && to->unit->model != NULL)
    start = &cosim_multibody_view_of(to->unit->part).inputs[variable->number];
  fputs(to->is_two ? "    <ScalarVariable" : "    <Float64", to->file);
  write_text(to, "name", variable->name);
  fprintf(to->file, " valueReference=\"%zu\"", reference);
  write_text(to, "description", is_described ? variable->meaning : NULL);
  write_text(to, "causality", of_role[role].causality);
  write_text(to, "variability", variable->is_held ? "discrete" : of_role[role].variability);
  write_text(to, "initial", of_role[role].initial);
  if (to->is_two)
    fputs("><Real", to->file);
  else if (role == FMU_INPUT)
    write_text(to, "intermediateUpdate", "true");
  write_text(to, "unit", fmi_known_unit(variable->unit).factor != 0 ? variable->unit : NULL);
  for (size_t i = 0; i < variable->n && start != NULL; i++) {
    fputs(i == 0 ? " start=\"" : " ", to->file);
    fmi_xml_number(to->file, start[i]);
  }
  fputs(start != NULL ? "\"" : "", to->file);
  if (role == FMU_DERIVATIVES || role == FMU_SHAPES || role == FMU_WANTED)
    write_dimensions(to, role);
  else
    fputs(to->is_two ? "/></ScalarVariable>\n" : "/>\n", to->file);
}

/* Lists the outputs. Outputs and initial unknowns are the same variables, but only the list of outputs has
 * dependencies: the inputs on which an output depends directly, if the part reports feedthrough. Importers such as Seam
 * order their calls by it. FMI 2 has indices from 1, FMI 3 value references. */
static void write_outputs(const writer *to, const char *list, const char *element, bool with_dependencies) {
  const fmu_unit *unit = to->unit;
  const cosim_part *part = unit->part;
  const size_t first = to->is_two;
  const bool has_list = to->is_two && fmu_unit_count(unit, FMU_OUTPUT) > 0;
  if (has_list)
    fprintf(to->file, "    <%s>\n", list);
  for (size_t o = 0; o < unit->n_variables; o++) {
    if (unit->variables[o].role != FMU_OUTPUT)
      continue;
    fprintf(to->file, "    %s<%s %s=\"%zu\"", to->is_two ? "  " : "", to->is_two ? "Unknown" : element,
            to->is_two ? "index" : "valueReference", o + first);
    if (with_dependencies && part->feedthrough != NULL) {
      const char *space = "";
      fputs(" dependencies=\"", to->file);
      for (size_t i = 0; i < unit->n_variables; i++)
        if (unit->variables[i].role == FMU_INPUT &&
            part->feedthrough[unit->variables[o].number * part->n_inputs + unit->variables[i].number]) {
          fprintf(to->file, "%s%zu", space, i + first);
          space = " ";
        }
      fputc('"', to->file);
    }
    fputs("/>\n", to->file);
  }
  if (has_list)
    fprintf(to->file, "    </%s>\n", list);
}

static seam_status write_description(draft *d, seam_error *error) {
  const fmu_unit *unit = d->unit;
  const unsigned needed_glibc = fmi_needed_glibc(d->engine, d->engine_size);
  const bool is_two = d->options->version == FMI_2;
  const writer to = {memory_stream_open(&d->description, &d->description_size), unit, is_two};
  TRY(fmu_check_memory(to.file != NULL, error));
  fprintf(to.file, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiModelDescription fmiVersion=\"%s\"",
          is_two ? FMI2_VERSION : FMI3_VERSION);
  write_text(&to, "modelName", d->identifier);
  write_text(&to, is_two ? "guid" : "instantiationToken", d->token);
  if (needed_glibc > 0)
    fprintf(to.file, " description=\"for Linux with glibc 2.%u or newer\"", needed_glibc);
  fputs(" generationTool=\"Seam\">\n", to.file);
  write_interface(&to, d->identifier);
  write_units(&to);
  fputs("  <LogCategories>\n    <Category name=\"logEvents\"/>\n    <Category name=\"logStatusDiscard\"/>\n"
        "    <Category name=\"logStatusError\"/>\n  </LogCategories>\n",
        to.file);
  write_experiment(&to);
  fputs("  <ModelVariables>\n", to.file);
  for (size_t i = 0; i < unit->n_variables; i++)
    if (!is_two || unit->variables[i].role < FMU_DEGREE)
      write_variable(&to, i);
  fputs("  </ModelVariables>\n  <ModelStructure>\n", to.file);
  write_outputs(&to, "Outputs", "Output", true);
  write_outputs(&to, "InitialUnknowns", "InitialUnknown", false);
  fputs("  </ModelStructure>\n</fmiModelDescription>\n", to.file);
  return fmu_check_memory(memory_stream_close(to.file, &d->description), error);
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
