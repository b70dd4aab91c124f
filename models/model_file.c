/* Reads a model file: its text becomes nodes, then read_sections() reads the sections in order. */
#include "models/model_file.h"
#include "base/argument.h"

#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/note.h"
#include "base/utf8.h"
#include "models/expression/lookup.h"
#include "models/reader.h"
#include "models/sections/fmu_subsystem.h"
#include "models/sections/quantities_section.h"
#include "models/sections/user_equations.h"

/* ---- Sections ---------------------------------------------------------------------------------------------------- */

enum { SEAM, NAME, OLDEST_VERSION = 1, FORMAT_VERSION = 2 };

static const form form_version = {.kind = FORM_COUNT, .least = OLDEST_VERSION, .most = FORMAT_VERSION};
static const form form_parameters = {.kind = FORM_NAMED, .of = &form_number};

static const map_key root_keys[] = {
    [SEAM] = {"seam", true, &form_version, "", "version of the format, 2; 1: as before Seam 0.3"},
    [NAME] = {"name", false, &form_text, "",
              "name of the model and of its folder of results; default: the file's name without its ending"},
    {"gravity", false, &form_2_numbers, "m/s2", "acceleration of gravity [gx, gy]; default: [0, 0]"},
    {"parameters", false, &form_parameters, "", "numbers with names, in any order"},
    {"points", false, &form_points, "m", "places [x, y] with names, in the initial configuration"},
    {"bodies", false, &form_bodies, "", "rigid bodies; required unless there are equations or FMUs"},
    {"joints", false, &form_joints, "", "constraints between bodies"},
    {"forces", false, &form_forces, "", "force elements"},
    {"measures", false, &form_measures, "", "quantities of your own, which become columns"},
    {"simulate", false, &form_simulate, "", "end, output and integrator of a run; required for a run"},
    {"cosim", false, &form_cosim, "",
     "how to cut the mechanism and couple the subsystems; required for a co-simulation"},
    {"repeat", false, &form_repeat, "", "blocks that generate entries"},
    {"tables", false, &form_tables, "", "functions through points, which numbers and laws call by name"},
    {"start", false, &form_start, "",
     "initial coordinates and rates, an equilibrium, or earlier results; default: as the bodies are placed"},
    {"equations", false, &form_equations, "", "controllers, motors and hydraulics with equations of their own"},
    {"stop", false, &form_stop, "", "conditions that end a run"},
    {"events", false, &form_events, "", "conditions whose times are recorded"},
    {"curves", false, &form_curves, "m", "curves for joints and contacts: cams, roads, slots"},
    {"fmu", false, &form_fmu, "", "inputs, outputs and parameters of an FMU of the model"},
};
const form form_file = {FORM_KEYS(root_keys)};

static const char *find_control(const char *text) {
  while (*text != '\0' && *text != '\n' && *text != '\t' && !text_is_control(text))
    text++;
  return *text != '\0' ? text : NULL;
}

/* Reads the name of the model. The default is the file's name without folders, leading dots and ending, or "model" if
 * it cannot be the name of a folder. */
static seam_status read_name(reader *r, const yaml_node *value) {
  const char *text = NULL;
  TRY(reader_text(r, value, &text));
  if (text != NULL && find_control(text) != NULL)
    return reader_fail(r, value, "results are written into a folder of this name",
                       "'name' must not contain line breaks, tabs or other control characters");
  if (text != NULL && (strchr(text, '/') != NULL || text[0] == '.' || text[0] == '\0'))
    return reader_fail(r, value, "results are written into a folder of this name",
                       "'name' must not be empty, begin with a dot or contain a slash");
  r->result->name = text;
  if (text != NULL)
    return SEAM_OK;
  const char *slash = strrchr(r->file->name, '/');
  const char *stem = slash != NULL ? slash + 1 : r->file->name;
  stem += strspn(stem, ".");
  if (*stem == '\0' || find_control(stem) != NULL)
    stem = "model";
  const char *dot = strrchr(stem, '.');
  r->result->name = arena_text(r->memory, stem, dot != NULL ? (size_t)(dot - stem) : strlen(stem));
  return reader_check_memory(r, r->result->name != NULL);
}

/* Reads the sections from bodies to events into a new builder. `add` (NULL: none) adds the equations and signals of the
 * monolithic model. */
static seam_status read_mechanism(reader *r, seam_status (*add)(reader *r)) {
  double gravity[2] = {0, 0};
  yaml_node *value = yaml_get(r->root, "gravity");
  const size_t n_entries = yaml_count(yaml_get(r->root, "bodies")) + yaml_count(yaml_get(r->root, "joints")) +
                           yaml_count(yaml_get(r->root, "forces"));
  table_release(&r->entry_names);
  r->n_entries = 0;
  r->entries = reader_allocate(r, n_entries, sizeof *r->entries);
  TRY(reader_check_memory(r, r->entries != NULL && mbs_builder_create(&r->builder, NULL) == SEAM_OK));
  reader_set_subject(r, "the file", NULL);
  mbs_set_duration(r->builder, r->result->simulation.end);
  TRY(reader_vector(r, value, ANY_NUMBER, 2, gravity));
  if (value != NULL)
    mbs_set_gravity(r->builder, gravity);
  TRY(bodies_read(r));
  TRY(curves_read(r));
  TRY(joints_read(r));
  TRY(forces_read(r));
  TRY(fmu_add_inputs(r));
  TRY(equations_read(r));
  if (add != NULL)
    TRY(add(r));
  TRY(deferred_read(r));
  return events_read(r);
}

/* Builds the mechanism. Messages refer to the element that the builder's error names. */
static seam_status build(reader *r, mbs_model **model) {
  mbs_builder *builder = r->builder;
  r->builder = NULL;
  const seam_status status = mbs_build(builder, model, &r->cause);
  const yaml_node *element = reader_element(r, r->cause.subject);
  if (status == SEAM_OK || element != NULL)
    return reader_check_call(r, element, status);
  return seam_fail(r->error, status, "%.200s: error: %.700s", r->file->name, r->cause.message);
}

/* Builds the monolithic model. Stores the reason and returns SEAM_OK if undivided_refusal() gives one, or if reading
 * fails with SEAM_BAD_INPUT and the mechanism has no bodies. Other errors make the file invalid. A model that is
 * refused is built all the same, as far as that is possible, for the sizes of its states. */
static seam_status read_undivided(reader *r) {
  char why[200];
  seam_model_file *result = r->result;
  seam_error cause = {0};
  seam_error *const error = r->error;
  if (!cosim_has_signals(result->cosim))
    return SEAM_OK;
  undivided_refusal(r, why, sizeof why);
  const bool is_refused = why[0] != '\0';
  mbs_model **const made = is_refused ? &result->sized : &result->undivided;
  r->error = &cause;
  seam_status status = SEAM_BAD_INPUT;
  if (cosim_builder_definition(result->cosim)->n_part_couplings == 0) /* these have inputs that signals do not give */
    status = read_mechanism(r, undivided_add_equations);
  THEN(status, build(r, made));
  if (!is_refused)
    THEN(status, start_read(r, *made));
  THEN(status, undivided_copy_sizes(r, *made));
  r->error = error;
  if (status == SEAM_NO_MEMORY || (!is_refused && (status != SEAM_BAD_INPUT || mbs_n_bodies(result->mechanism) > 0)))
    return status == SEAM_OK ? SEAM_OK : seam_fail(error, status, "%s", cause.message);
  const char *reason = is_refused ? why : cause.message;
  result->why_not_undivided = arena_text(&result->memory, reason, strcspn(reason, "\n"));
  return reader_check_memory(r, result->why_not_undivided != NULL);
}

static seam_status read_sections(reader *r, const char *const *overrides, size_t n_overrides) {
  yaml_node *values[FORM_COUNT_OF(root_keys)];
  const yaml_node top = {.from = r->file};
  double version = 0;
  if (r->root == NULL)
    return reader_fail(r, &top, "begin with 'seam: 2'", "the file is empty");
  reader_set_subject(r, "the file", NULL);
  if (r->root->kind == YAML_MAP && yaml_get(r->root, "seam") == NULL)
    return reader_fail(r, &top, "begin with 'seam: 2', the version of the format", "the file needs 'seam'");
  if (r->root->kind == YAML_MAP)
    TRY(overrides_apply(r, &form_file, overrides, n_overrides, false));
  TRY(reader_map(r, r->root, root_keys, form_file.n, values));
  TRY(reader_number(r, values[SEAM], ANY_NUMBER, &version));
  r->version = version == FORMAT_VERSION ? FORMAT_VERSION : OLDEST_VERSION;
  if (version != OLDEST_VERSION && version != FORMAT_VERSION)
    return reader_fail(r, values[SEAM], "write 'seam: 2', or get a newer Seam",
                       "this version of Seam reads files of version %d and %d, not %.6g", OLDEST_VERSION,
                       FORMAT_VERSION, version);
  TRY(read_name(r, values[NAME]));
  TRY(parameters_read(r));
  TRY(tables_read(r));
  TRY(repeat_expand(r));
  TRY(overrides_apply(r, &form_file, overrides, n_overrides, true));
  TRY(simulate_read(r));
  TRY(points_read(r));
  TRY(read_mechanism(r, NULL));
  TRY(build(r, &r->result->mechanism));
  TRY(gears_check(r));
  TRY(cosim_read(r));
  if (!r->is_shown)
    TRY(read_undivided(r));
  TRY(r->result->undivided != NULL && start_is_static(r) ? undivided_copy_start(r)
                                                         : start_read(r, r->result->mechanism));
  if (start_is_static(r) && r->result->why_not_undivided != NULL)
    seam_note("'start: static' leaves out the equations and FMUs of 'cosim' and finds the equilibrium of the mechanism "
              "alone, because %s",
              r->result->why_not_undivided);
  return !r->is_shown ? fmu_read(r) : SEAM_OK;
}

/* ---- Files ------------------------------------------------------------------------------------------------------- */

/* Writes a note if the macro step is a default, which results do not show. */
static void note_step(const reader *r, const char *const *overrides, size_t n_overrides) {
  static const char key[] = "cosim.macro_step=";
  seam_model_file *made = r->result;
  made->assumes_step = made->cosim != NULL && r->file->length >= sizeof SYSTEM_ASSUMES_STEP &&
                       strncmp(r->file->text, SYSTEM_ASSUMES_STEP, sizeof SYSTEM_ASSUMES_STEP - 1) == 0;
  for (size_t i = 0; i < n_overrides; i++)
    if (strncmp(overrides[i], key, sizeof key - 1) == 0)
      made->assumes_step = false;
  if (made->assumes_step)
    seam_note("%s: neither the system nor an FMU (stepSize) gives a macro step, so that %.9g s is assumed (a "
              "thousandth of the end time, or 1 ms without an end time) and not checked; set --macro-step or --set "
              "cosim.macro_step=VALUE, and compare with a run at half this step",
              r->file->name, cosim_builder_definition(made->cosim)->options.macro_step);
}

/* Reads in the "C" locale, so that numbers have a decimal point whatever the locale of the caller. */
static seam_status parse(reader *r, const source *from, const char *const *overrides, size_t n_overrides,
                         const seam_function *functions, size_t n_functions, seam_model_file **file) {
  seam_model_file *made = r->result = calloc(1, sizeof *made);
  TRY(reader_check_memory(r, made != NULL));
  made->simulation = (seam_simulation){.end = NAN,
                                       .output_step = NAN,
                                       .integrator = mbs_default_integrator_options(),
                                       .bounds = SEAM_DEFAULT_VERDICT_BOUNDS};
  made->origin = (source){.name = arena_text(&made->memory, from->name, strlen(from->name)),
                          .text = arena_text(&made->memory, from->text, from->length),
                          .length = from->length,
                          .is_made = seam_is_system(from->name)};
  r->memory = &made->memory;
  r->file = &made->origin;
  seam_status status = caller_functions_add(r, functions, n_functions);
  const locale_t plain = status == SEAM_OK ? newlocale(LC_ALL_MASK, "C", (locale_t)0) : (locale_t)0;
  made->json = calloc(1, sizeof *made->json);
  THEN(status, reader_check_memory(r, made->origin.name != NULL && made->origin.text != NULL && made->json != NULL &&
                                          plain != (locale_t)0));
  if (plain != (locale_t)0) {
    const locale_t callers = uselocale(plain);
    THEN(status, yaml_parse(r->file, r->memory, &r->root, r->error));
    THEN(status, read_sections(r, overrides, n_overrides));
    uselocale(callers);
    freelocale(plain);
  }
  made->root = r->root;
  if (status == SEAM_OK)
    note_step(r, overrides, n_overrides);
  mbs_builder_destroy(r->builder);
  table_release(&r->scope.parameters);
  table_release(&r->scope.functions);
  free(r->scope.function_list);
  table_release(&r->point_names);
  table_release(&r->entry_names);
  if (status != SEAM_OK)
    seam_model_file_destroy(made);
  else
    *file = made;
  return status;
}

seam_status seam_model_file_parse_with(const char *name, const char *text, size_t length, const char *const *overrides,
                                       size_t n_overrides, const seam_function *functions, size_t n_functions,
                                       seam_model_file **file, seam_error *error) {
  ARGUMENTS(error, name, text, file);
  TRY(argument_check_list("seam_model_file_parse", "overrides", overrides, n_overrides, error));
  for (size_t i = 0; i < n_overrides; i++)
    if (overrides[i] == NULL)
      return seam_fail(error, SEAM_BAD_INPUT,
                       "seam_model_file_parse(): entry %zu of 'overrides' is NULL: give key=value", i);
  TRY(argument_check_list(__func__, "functions", functions, n_functions, error));
  reader r = {.error = error};
  const source from = {.name = name, .text = text, .length = length};
  return parse(&r, &from, overrides, n_overrides, functions, n_functions, file);
}

seam_status seam_model_file_parse(const char *name, const char *text, size_t length, const char *const *overrides,
                                  size_t n_overrides, seam_model_file **file, seam_error *error) {
  ARGUMENTS(error, name, text, file);
  return seam_model_file_parse_with(name, text, length, overrides, n_overrides, NULL, 0, file, error);
}

seam_status seam_model_file_show(const char *name, const char *text, size_t length, seam_model_file **file,
                                 seam_error *error) {
  ARGUMENTS(error, name, text, file);
  reader r = {.error = error, .is_shown = true};
  const source from = {.name = name, .text = text, .length = length};
  return parse(&r, &from, NULL, 0, NULL, 0, file);
}

void seam_model_only_describe(seam_model_file *file) {
  if (file != NULL)
    fmu_subsystems_only_describe(file->fmus);
}

/* Reads at most YAML_LARGEST + 1 bytes; yaml_parse() later rejects a text above YAML_LARGEST. */
static seam_status read_text(const char *path, FILE *stream, char **text, size_t *length, seam_error *error) {
  struct stat about;
  if (fstat(fileno(stream), &about) == 0 && S_ISDIR(about.st_mode))
    return seam_fail(error, SEAM_NO_FILE, "%.200s: error: this is a directory, not a file\nname the model file in it",
                     path);
  *text = malloc(YAML_LARGEST + 1);
  TRY(seam_check_memory(*text != NULL, error));
  *length = fread(*text, 1, YAML_LARGEST + 1, stream);
  if (*length >= 4 && memcmp(*text, "PK\3\4", 4) == 0)
    return seam_fail(
        error, SEAM_BAD_INPUT,
        "%.200s: error: this is a zip archive (an FMU?), not a model file\nname the FMU as a subsystem of a "
        "model file, cosim: {subsystems: {NAME: {fmu: FILE}}}; a system of FMUs ends with .ssp",
        path);
  if (!ferror(stream))
    return SEAM_OK;
  return seam_fail(error, SEAM_NO_FILE, "%.200s: error: cannot read the file: %s", path, strerror(errno));
}

seam_status seam_model_file_read(const char *path, const char *const *overrides, size_t n_overrides,
                                 seam_model_file **file, seam_error *error) {
  ARGUMENTS(error, path, file);
  char *text = NULL;
  size_t length = 0;
  seam_status status = SEAM_OK;
  if (seam_is_system(path)) {
    status = seam_system_model(path, &text, error);
    length = status == SEAM_OK ? strlen(text) : 0;
  } else {
    FILE *stream = fopen(path, "rb");
    if (stream == NULL)
      return seam_fail(error, SEAM_NO_FILE, "%.200s: error: cannot open the file: %s", path, strerror(errno));
    status = read_text(path, stream, &text, &length, error);
    fclose(stream);
  }
  THEN(status, seam_model_file_parse(path, text, length, overrides, n_overrides, file, error));
  free(text);
  return status;
}

void seam_set_note_handler(seam_note_handler handler, void *context) { seam_note_to(handler, context); }

bool seam_model_assumes_macro_step(const seam_model_file *file) { return file != NULL && file->assumes_step; }

void seam_model_file_destroy(seam_model_file *file) {
  if (file == NULL)
    return;
  cosim_builder_destroy(file->cosim);
  fmu_subsystems_close(file->fmus);
  mbs_model_destroy(file->mechanism);
  mbs_model_destroy(file->undivided);
  mbs_model_destroy(file->sized);
  for (size_t i = 0; i < file->n_tables; i++)
    lookup_destroy(file->tables[i]);
  caller_functions_free(file);
  if (file->json != NULL)
    free(atomic_load(file->json));
  free(file->json);
  arena_release(&file->memory);
  free(file);
}

void model_file_name_table(const seam_model_file *file, seam_status status, seam_error *error) {
  for (size_t i = 0; status == SEAM_NOT_FINITE && error != NULL && i < file->n_tables; i++) {
    const range points = lookup_points(file->tables[i]);
    const size_t n = strlen(error->message);
    if (!lookup_was_undefined(file->tables[i]))
      continue;
    snprintf(error->message + n, sizeof error->message - n,
             "; table '%s' ends at %g and %g: add points, or set 'extrapolation' to hold, linear or periodic",
             lookup_function(file->tables[i])->name, points.low, points.high);
    return;
  }
}

/* ---- Queries ----------------------------------------------------------------------------------------------------- */

/* Finds a name in the text of the file; NULL: it is not there, or only on the command line. The last section that
 * contains the name counts. */
static const yaml_node *find_name(const seam_model_file *file, const char *name) {
  const yaml_node *cosim = yaml_get(file->root, "cosim");
  const yaml_node *const sections[] = {file->root,
                                       cosim,
                                       yaml_get(file->root, "bodies"),
                                       yaml_get(file->root, "joints"),
                                       yaml_get(file->root, "forces"),
                                       yaml_get(cosim, "bonds"),
                                       yaml_get(cosim, "subsystems"),
                                       yaml_get(cosim, "couplings")};
  const yaml_node *found = NULL;
  for (const yaml_node *one = yaml_first(yaml_get(cosim, "signals"), YAML_LIST); one != NULL; one = one->next)
    for (int end = 0; end < 2; end++) {
      const yaml_node *value = yaml_get(one, end == 0 ? "from" : "to");
      if (value != NULL && value->text != NULL && value->from == &file->origin && strcmp(value->text, name) == 0)
        found = value;
    }
  for (size_t i = 0; i < sizeof sections / sizeof *sections; i++) {
    const yaml_node *value = yaml_get(sections[i], name);
    if (value != NULL && value->key->from == &file->origin)
      found = value->key;
  }
  return found;
}

void seam_model_place(const seam_model_file *file, seam_error *error) {
  const yaml_node *name = find_name(file, error->subject);
  const seam_error cause = *error;
  if (cause.status != SEAM_BAD_INPUT && cause.status != SEAM_NOT_ASSEMBLED)
    return;
  if (name == NULL && cause.status == SEAM_BAD_INPUT)
    name = find_name(file, "cosim");
  if (name == NULL)
    return;
  source_fail(&file->origin, name->offset, error, NULL, "%s", cause.message);
  error->status = cause.status;
}

const char *seam_model_name(const seam_model_file *file) { return file == NULL ? NULL : file->name; }

const mbs_model *seam_model_mechanism(const seam_model_file *file) { return file == NULL ? NULL : file->mechanism; }

seam_status seam_model_whole(const seam_model_file *file, const mbs_model **whole, seam_error *error) {
  ARGUMENTS(error, file, whole);
  if (file->why_not_undivided != NULL)
    return seam_fail(error, SEAM_BAD_INPUT, "the model cannot run without co-simulation, because %s",
                     file->why_not_undivided);
  *whole = file->undivided != NULL ? file->undivided : file->mechanism;
  return SEAM_OK;
}

const seam_simulation *seam_model_simulation(const seam_model_file *file) {
  return file == NULL ? NULL : &file->simulation;
}

bool seam_model_has_start(const seam_model_file *file) { return file != NULL && file->has_start; }

const char *seam_model_start_from(const seam_model_file *file) { return file == NULL ? NULL : file->start_from; }

const char *seam_model_data_file(const seam_model_file *file, size_t number) {
  const data_file *at = file != NULL ? file->data_files : NULL;
  for (; at != NULL && number > 0; number--)
    at = at->next;
  return at != NULL ? at->path : NULL;
}

const char *seam_model_reference(const seam_model_file *file) { return file == NULL ? NULL : file->reference; }

unsigned seam_model_over_run(const seam_model_file *file, size_t measure) {
  return file != NULL && measure < mbs_n_elements(file->mechanism, MBS_MEASURES) ? file->over_run[measure] : 0;
}

const cosim_builder *seam_model_cosim(const seam_model_file *file) { return file == NULL ? NULL : file->cosim; }

const char *seam_model_left_to_collocation(const seam_model_file *file) {
  const yaml_node *cosim = file == NULL || file->cosim == NULL ? NULL : yaml_get(file->root, "cosim");
  if (cosim == NULL)
    return NULL;
  if (yaml_get(cosim, "macro_step") == NULL)
    return "macro_step";
  const yaml_node *control = yaml_get(cosim, "step_control");
  return control != NULL && yaml_get(control, "tolerance") == NULL ? "step_control.tolerance" : NULL;
}

seam_equations seam_model_equations(const seam_model_file *file, size_t subsystem) {
  const cosim_definition *of = cosim_builder_definition(seam_model_cosim(file));
  const cosim_user_part *user = subsystem < of->n_subsystems ? of->subsystems[subsystem].user : NULL;
  return user != NULL ? user_equations_names(user) : (seam_equations){0};
}

/* If two threads make the text at the same time, one of the two is freed. */
const char *seam_model_json(const seam_model_file *file) {
  char *made = NULL;
  if (file == NULL)
    return NULL;
  char *kept = atomic_load(file->json);
  if (kept == NULL)
    made = yaml_json(file->root);
  if (made == NULL || atomic_compare_exchange_strong(file->json, &kept, made))
    return made != NULL ? made : kept;
  free(made);
  return kept;
}
