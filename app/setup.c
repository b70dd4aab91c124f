#include "app/setup.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <seam/equations.h>

#include "app/failure.h"
#include "app/results/output.h"
#include "app/thresholds.h"
#include "base/memory_stream.h"
#include "base/nearest.h"
#include "base/then.h"
#include "runs/thresholds.h"

const char *setup_nearest_name(const char *name) {
  nearest search = nearest_to(name);
  for (size_t i = 0; i < seam_catalogue_size(); i++)
    nearest_try(&search, seam_catalogue_name(i));
  return search.name;
}

/* Suggests a similar file in the same folder or, if there is none, a similar model of the catalogue. */
seam_status setup_fail_unknown(const char *name, const char *what, seam_error *error) {
  const char *slash = strrchr(name, '/');
  const int length = slash != NULL ? (int)(slash - name) + 1 : 0;
  char folder[FILENAME_MAX];
  char file[FILENAME_MAX + 256];
  const char *hint = setup_nearest_name(name);
  snprintf(folder, sizeof folder, "%.*s", length > 0 ? length : 1, length > 0 ? name : ".");
  DIR *listed = opendir(folder);
  nearest search = nearest_to(name + length);
  for (const struct dirent *entry = listed != NULL ? readdir(listed) : NULL; entry != NULL; entry = readdir(listed)) {
    const size_t distance = search.distance;
    nearest_try(&search, entry->d_name);
    if (search.distance < distance) {
      snprintf(file, sizeof file, "%.*s%s", length, name, entry->d_name);
      hint = file;
    }
  }
  if (listed != NULL)
    closedir(listed);
  if (hint != NULL)
    return seam_fail(error, SEAM_NO_FILE, "seam: '%s' is neither %s nor a model of the catalogue; did you mean '%s'?",
                     name, what, hint);
  return seam_fail(error, SEAM_NO_FILE,
                   "seam: '%s' is neither %s nor a model of the catalogue; 'seam models' lists the catalogue", name,
                   what);
}

/* "-" is the standard input, which is read once. */
static bool is_input(const char *name) { return strcmp(name, "-") == 0; }

static seam_status read_input(const char **text, seam_error *error) {
  static char *contents;
  if (contents == NULL) {
    size_t size = 0;
    FILE *stream = memory_stream_open(&contents, &size);
    for (int c = stream != NULL ? getchar() : EOF; c != EOF; c = getchar())
      putc(c, stream);
    TRY(check_memory(memory_stream_close(stream, &contents), error));
    if (ferror(stdin))
      return seam_fail(error, SEAM_NO_FILE, "seam: the standard input cannot be read");
  }
  *text = contents;
  return SEAM_OK;
}

bool setup_exists(const char *name) {
  struct stat found;
  return is_input(name) || seam_catalogue_text(name) != NULL || stat(name, &found) == 0;
}

static void use_file(app_setup *setup) {
  setup->model = seam_model_mechanism(setup->file);
  setup->from = seam_model_start_from(setup->file);
}

/* Finds a model. *text: its text on the standard input or in the catalogue; NULL: it is a file. */
static seam_status find_model(const char *name, const char **text, seam_error *error) {
  struct stat found;
  if (is_input(name))
    return read_input(text, error);
  *text = seam_catalogue_text(name);
  if (stat(name, &found) == 0 && !(*text != NULL && S_ISDIR(found.st_mode)))
    *text = NULL;
  else if (*text == NULL)
    return setup_fail_unknown(name, "a file", error);
  return SEAM_OK;
}

seam_status setup_read(const app_options *parsed, app_setup *setup, seam_error *error) {
  *setup = (app_setup){0};
  const char *name = parsed->operands[0];
  const char *const *overrides = (const char *const *)parsed->overrides;
  const char *text = NULL;
  TRY(find_model(name, &text, error));
  if (text != NULL)
    return setup_parse(is_input(name) ? "input" : name, text, strlen(text), overrides, parsed->n_overrides, setup,
                       error);
  TRY(seam_model_file_read(name, overrides, parsed->n_overrides, &setup->file, error));
  use_file(setup);
  return SEAM_OK;
}

void setup_apply_from(app_setup *setup, const app_options *parsed) {
  const char *given = options_value(parsed, "--from");
  if (given == NULL)
    return;
  if (seam_model_has_start(setup->file) && !options_flag(parsed, "--quiet"))
    fputs("note: --from takes the place of 'start' in the file\n", stderr);
  setup->from = given;
}

seam_status setup_read_text(const char *name, char **text, seam_error *error) {
  const char *found = NULL;
  TRY(find_model(name, &found, error));
  if (found == NULL)
    return seam_is_system(name) ? seam_system_model(name, text, error) : output_read(name, text, error);
  *text = strdup(found);
  return check_memory(*text != NULL, error);
}

seam_status setup_parse(const char *name, const char *text, size_t length, const char *const *overrides,
                        size_t n_overrides, app_setup *setup, seam_error *error) {
  TRY(seam_model_file_parse(name, text, length, overrides, n_overrides, &setup->file, error));
  use_file(setup);
  return SEAM_OK;
}

static seam_status use_monolithic(app_setup *setup, const char *fix, seam_error *error) {
  seam_error cause = {0};
  const seam_status status = seam_model_whole(setup->file, &setup->model, &cause);
  return status == SEAM_OK ? SEAM_OK : seam_fail(error, status, "seam: %s: %s", cause.message, fix);
}

seam_status setup_use_monolithic(app_setup *setup, bool needs_bodies, seam_error *error) {
  if (needs_bodies)
    TRY(setup_check_bodies(setup, error));
  return use_monolithic(setup, "use 'seam run --cosim'", error);
}

/* Fails if the reference lacks a body or gives it another start. A note names bodies that only the reference has. */
static seam_status compare_starts(const app_setup *setup, const app_setup *monolithic, bool quiet, seam_error *error) {
  const char *reference = seam_model_reference(setup->file);
  const mbs_scales scales = mbs_scales_of(monolithic->model);
  size_t n_missing = 0;
  for (size_t i = 0; i < 6 * mbs_n_bodies(setup->model); i++) {
    const size_t body = i / 6;
    const char *name = mbs_body_of(setup->model, body).name;
    const size_t at = mbs_find_body(monolithic->model, name);
    if (at == SEAM_NONE)
      return seam_fail(error, SEAM_BAD_INPUT,
                       "seam: the reference '%.200s' has no body '%s': give bodies the same names in both files",
                       reference, name);
    const size_t k = i % 6;
    const double here = k < 3 ? setup->state->q[3 * body + k] : setup->state->v[3 * body + k - 3];
    const double there = k < 3 ? monolithic->state->q[3 * at + k] : monolithic->state->v[3 * at + k - 3];
    const double size = (k % 3 == 2 ? 1 : scales.length) / (k < 3 ? 1 : scales.time);
    if (!(fabs(here - there) <= app_start_tolerance * fmax(size, fabs(there))))
      return seam_fail(
          error, SEAM_BAD_INPUT,
          "seam: %s.%s begins at %.9g, but in the reference '%.200s' at %.9g: give both files the same start", name,
          seam_start_coordinate((int)k), here, reference, there);
  }
  for (size_t i = 0; i < mbs_n_bodies(monolithic->model) && !quiet; i++) {
    const char *name = mbs_body_of(monolithic->model, i).name;
    if (mbs_find_body(setup->model, name) == SEAM_NONE)
      fprintf(stderr, "%s%s",
              n_missing++ == 0 ? "note: no errors are computed for bodies that only the reference has: " : ", ", name);
  }
  if (n_missing > 0)
    fputc('\n', stderr);
  return SEAM_OK;
}

/* `reference:` names another file with the monolithic model, as when FMUs replace bodies. Neither --from nor overrides
 * of the mechanism would change it; their effect would count as an error, so they fail. */
seam_status setup_create_monolithic(const app_options *parsed, const app_setup *cut, app_setup *setup,
                                    seam_error *error) {
  const char *reference = seam_model_reference(cut->file);
  if (reference == NULL) {
    *setup = (app_setup){
        .file = cut->file, .model = cut->model, .from = cut->from, .restarts = cut->restarts, .shares_file = true};
    TRY(use_monolithic(
        setup, "use 'seam run --cosim', or name a file with the undivided mechanism, cosim: {reference: FILE}", error));
    return setup_assemble(setup, error);
  }
  *setup = (app_setup){.restarts = cut->restarts};
  for (size_t i = 0; i < parsed->n_overrides; i++) {
    const char *key = parsed->overrides[i];
    if (strncmp(key, "cosim.", 6) != 0 && strncmp(key, "simulate.", 9) != 0)
      return seam_fail(
          error, SEAM_BAD_INPUT,
          "seam: --set %.100s changes this file, but not its reference '%.200s': write the value into both files", key,
          reference);
  }
  if (cut->from != NULL)
    return seam_fail(error, SEAM_BAD_INPUT,
                     "seam: --from cannot change the start of the reference '%.200s': leave out --from", reference);
  TRY(seam_model_file_read(reference, NULL, 0, &setup->file, error));
  use_file(setup);
  TRY(setup_use_monolithic(setup, false, error));
  TRY(setup_assemble(setup, error));
  return compare_starts(cut, setup, options_flag(parsed, "--quiet"), error);
}

seam_status setup_read_start(const app_setup *setup, mbs_state *state, app_start_rows *rows, seam_error *error) {
  app_start_rows unused = {0};
  if (setup->from == NULL)
    return SEAM_OK;
  const seam_status status = start_from_read(setup->from, setup->model, seam_model_json(setup->file), state,
                                             rows != NULL ? rows : &unused, error);
  if (setup->restarts)
    state->t = 0;
  return status;
}

/* Results of a co-simulation may lack states of equations; states of FMUs are in no results. Sampled equations that
 * only the monolithic model has need values of their last sample, which results lack: they fail. */
seam_status setup_begin_equations(const app_setup *setup, bool quiet, seam_error *error) {
  const mbs_model *monolithic = NULL;
  app_start_rows rows;
  mbs_state *state = NULL;
  if (setup->from == NULL || !setup_has_signals(setup))
    return SEAM_OK;
  if (seam_model_whole(setup->file, &monolithic, NULL) != SEAM_OK) {
    if (!quiet)
      fputs("note: the results have no states of FMUs and of other subsystems that need co-simulation: these begin "
            "with their start values\n",
            stderr);
    return SEAM_OK;
  }
  for (size_t i = 0; i < mbs_n_variables(monolithic); i++) {
    const mbs_variable_info variable = mbs_variable_of(monolithic, i);
    if (variable.sample > 0 && mbs_find_variable(setup->model, variable.name) == SEAM_NONE)
      return seam_fail(error, SEAM_BAD_INPUT,
                       "seam: '%s' is sampled, and a co-simulation cannot begin between its samples: use 'seam run' "
                       "without --cosim, or begin at the start",
                       variable.name);
  }
  seam_status status = mbs_state_create(monolithic, &state, error);
  THEN(status, start_from_read(setup->from, monolithic, seam_model_json(setup->file), state, &rows, error));
  THEN(status, seam_model_begin_equations(setup->file, state, error));
  mbs_state_destroy(state);
  return status;
}

seam_status setup_open(app_setup *setup, seam_error *error) {
  setup->redundant = calloc(mbs_n_constraints(setup->model) + 1, sizeof *setup->redundant);
  TRY(check_memory(setup->redundant != NULL, error));
  TRY(mbs_workspace_create(setup->model, &setup->workspace, error));
  TRY(mbs_state_create(setup->model, &setup->state, error));
  return setup_read_start(setup, setup->state, &setup->start_rows, error);
}

seam_status setup_assemble(app_setup *setup, seam_error *error) {
  mbs_state *before = NULL;
  seam_status status = setup_open(setup, error);
  THEN(status, mbs_state_create(setup->model, &before, error));
  if (status == SEAM_OK)
    mbs_state_copy(before, setup->state);
  for (size_t b = 0; status == SEAM_OK && setup->from == NULL && b < mbs_n_bodies(setup->model); b++)
    mbs_placed_pose(setup->model, b, before->q + 3 * b);
  THEN(status, mbs_assemble(setup->workspace, setup->state, &setup->report, setup->redundant, error));
  if (status == SEAM_NOT_ASSEMBLED)
    seam_model_place(setup->file, error);
  if (status == SEAM_OK)
    setup->changes = seam_start_changes_between(setup->file, before, setup->state);
  mbs_state_destroy(before);
  return status;
}

seam_status setup_cut(const app_setup *setup, const cosim_builder *builder, cosim_simulation **created,
                      seam_error *error) {
  const seam_status status = cosim_create(builder, created, error);
  if (status != SEAM_OK)
    seam_model_place(setup->file, error);
  return status;
}

const cosim_builder *setup_cosim(const app_setup *setup, seam_error *error) {
  const cosim_builder *builder = seam_model_cosim(setup->file);
  if (builder == NULL)
    seam_fail(error, SEAM_BAD_INPUT,
              "seam: the model has no section 'cosim'; add 'cosim: {subsystems: ..., macro_step: ..., scheme: ff-k1}'");
  return builder;
}

bool setup_has_signals(const app_setup *setup) { return cosim_has_signals(seam_model_cosim(setup->file)); }

seam_status setup_check_bodies(const app_setup *setup, seam_error *error) {
  if (mbs_n_bodies(setup->model) > 0)
    return SEAM_OK;
  return seam_fail(error, SEAM_BAD_INPUT,
                   "seam: this command needs bodies, but the model has only equations or FMUs: use 'seam run', with "
                   "--cosim if the model has FMUs");
}

seam_status setup_check_end(const app_setup *setup, seam_error *error) {
  if (!isnan(seam_model_simulation(setup->file)->end))
    return SEAM_OK;
  return seam_fail(error, SEAM_BAD_INPUT,
                   "model '%s' gives no end time; add 'simulate: {end: TIME}' to its file, or give --end TIME",
                   seam_model_name(setup->file));
}

seam_status setup_check_rows(const app_setup *setup, seam_error *error) {
  const seam_simulation *simulation = seam_model_simulation(setup->file);
  TRY(setup_check_end(setup, error));
  const bool is_unknown = setup->from != NULL && setup->state == NULL; /* the run checks its rows later */
  const double length = simulation->end - (setup->state != NULL ? setup->state->t : 0);
  if (is_unknown || length / simulation->output_step <= runs_max_rows)
    return SEAM_OK;
  return seam_fail(
      error, SEAM_BAD_INPUT,
      "seam: the run has more than %g rows; give a larger --output-step or --set simulate.output_step=TIME",
      runs_max_rows);
}

static void print_changes(const app_setup *setup, const char *who, const char *hint) {
  const seam_start_changes *changes = &setup->changes;
  for (size_t k = 0; k < changes->n; k++) {
    const seam_start_change *change = &changes->list[k];
    if (k == 0)
      fprintf(stderr, "note: %s, most of all ", who);
    else
      fputs(", ", stderr);
    print_name(mbs_body_of(setup->model, change->body).name);
    fprintf(stderr, ".%s from %.6g to %.6g %s", seam_start_coordinate(change->coordinate), change->before,
            change->after, seam_start_coordinate_unit(change->coordinate));
  }
  if (changes->n > 0)
    fprintf(stderr, "; %s\n", hint);
}

void setup_print_start_notes(const app_setup *setup) {
  const app_start_rows *rows = &setup->start_rows;
  if (setup->from == NULL) {
    print_changes(setup, "assembly changed what the file says", "'start' in the file prescribes coordinates and rates");
    return;
  }
  if (rows->changes[0] != '\0')
    fprintf(stderr, "note: the results are of another model: %s\n", rows->changes);
  if (rows->after > rows->before)
    fprintf(
        stderr,
        "note: the state at t = %.9g s is interpolated between the rows at %.9g s and %.9g s, which is not checked; "
        "take the time of a row\n",
        rows->t, rows->before, rows->after);
  if (setup->restarts && rows->t != 0)
    fprintf(stderr,
            "note: the run begins at t = 0, also in laws of t, with the state that the results have at t = %.9g s\n",
            rows->t);
  print_changes(setup, "assembly changed the state that the results have",
                "the results have other joints or lengths, or the time is between two rows");
}

static bool is_fed(const cosim_definition *of, const char *subsystem, const char *input) {
  const size_t length = strlen(subsystem);
  for (size_t i = 0; i < of->n_part_couplings; i++)
    for (int side = 0; side < 2; side++)
      if (strcmp(of->part_couplings[i].side[side].subsystem, subsystem) == 0)
        return true; /* the couplings set the inputs of the subsystem */
  for (size_t i = 0; i < of->n_signals; i++) {
    const char *to = of->signals[i].to;
    if (strncmp(to, subsystem, length) == 0 && to[length] == '.' && strcmp(to + length + 1, input) == 0)
      return true;
  }
  return false;
}

void setup_print_open_inputs(const seam_model_file *file, bool with_fmus, const char *heading, FILE *to) {
  const cosim_definition *of = cosim_builder_definition(seam_model_cosim(file));
  size_t n_open = 0;
  for (size_t s = 0; s < of->n_subsystems; s++) {
    const char *name = of->subsystems[s].name;
    const seam_equations equations = seam_model_equations(file, s);
    for (size_t i = 0; i < equations.n_inputs && (with_fmus || !equations.are_hidden); i++)
      if (!is_fed(of, name, equations.inputs[i]))
        fprintf(to, "%s%s.%s", n_open++ == 0 ? heading : ", ", name, equations.inputs[i]);
  }
  if (n_open > 0)
    fputc('\n', to);
}

void setup_free(app_setup *setup) {
  free(setup->redundant);
  mbs_state_destroy(setup->state);
  mbs_workspace_destroy(setup->workspace);
  if (!setup->shares_file)
    seam_model_file_destroy(setup->file);
}
