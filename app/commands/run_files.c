#include "app/commands/run_files.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/failure.h"
#include "app/interrupt.h"
#include "app/results/output.h"
#include "app/schemes.h"
#include "app/thresholds.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/json.h"
#include "base/then.h"

seam_status run_files_create_cosim(run_files *self, seam_error *error) {
  const cosim_builder *file_builder = setup_cosim(self->setup, error);
  const char *scheme = options_value(self->options, "--scheme");
  const char *key = seam_model_left_to_collocation(self->setup->file);
  if (file_builder == NULL)
    return SEAM_BAD_INPUT;
  cosim_options changed = cosim_builder_definition(file_builder)->options;
  TRY(setup_begin_equations(self->setup, options_flag(self->options, "--quiet"), error));
  TRY(cosim_builder_copy(file_builder, &self->builder, error));
  TRY(options_threads(self->options, &changed.n_threads, error));
  TRY(cosim_set_options(self->builder, &changed, error));
  if (scheme != NULL) {
    seam_status status = cosim_use_scheme(self->builder, scheme, error);
    if (status == SEAM_OK && key != NULL && !cosim_builder_collocates(self->builder))
      status =
          seam_fail(error, SEAM_BAD_INPUT,
                    "scheme '%s' needs '%s', which the file does not give: add --set cosim.%s=VALUE", scheme, key, key);
    TRY(schemes_prefix_option("--scheme", status, error));
  }
  return setup_cut(self->setup, self->builder, &self->simulation, error);
}

/* Allocates the text of the label before a row of events.csv, with room for the longest name. */
static seam_status create_event_text(run_files *self, seam_error *error) {
  const mbs_model *model = self->setup->model;
  size_t longest = 0;
  for (size_t i = 0; i < mbs_n_events(model); i++) {
    const size_t length = strlen(mbs_event_of(model, i).name);
    longest = length > longest ? length : longest;
  }
  for (size_t i = 0; i < mbs_n_forces(model); i++) {
    const size_t length = mbs_force_of(model, i).has_impacts ? strlen(mbs_force_of(model, i).name) : 0;
    longest = length > longest ? length : longest;
  }
  self->event_label.head =
      seam_run_lists_impacts(self->run) ? "event,direction,impulse,friction_impulse,energy_lost," : "event,direction,";
  self->event_label.max_length = longest + strlen(",falling,,,,") + 3 * strlen("-1.2345678901234567e-300");
  self->event_text = calloc(self->event_label.max_length + 1, 1);
  return check_memory(self->event_text != NULL, error);
}

static seam_status write_row(void *context, seam_run_table table, const double *row, const seam_run_label *label,
                             seam_error *error) {
  run_files *self = context;
  app_table_file *file = self->tables[table];
  const size_t size = self->event_label.max_length + 1;
  file->label = label != NULL ? self->event_text : NULL;
  if (label != NULL && isnan(label->impulse))
    snprintf(self->event_text, size, "%s,%s,%s", label->event, label->direction,
             seam_run_lists_impacts(self->run) ? ",,," : "");
  else if (label != NULL)
    snprintf(self->event_text, size, "%s,%s,%.17g,%.17g,%.17g,", label->event, label->direction, label->impulse,
             label->friction_impulse, label->energy_lost);
  return table_file_write_row(file, row, error);
}

/* Counts the checkpoints due from t = 0 to t. The interval has a lower bound, so that the number fits into a size_t. */
static size_t due_checkpoints(const run_files *self, double t) {
  return (size_t)(t / fmax(self->checkpoint_every, app_min_checkpoint_interval * self->end) + app_checkpoint_tolerance);
}

static seam_status write_due_checkpoint(void *context, double t, seam_error *error) {
  run_files *self = context;
  const size_t due = due_checkpoints(self, t);
  const bool is_due = due > self->n_checkpoints;
  self->n_checkpoints = due;
  if (!is_due)
    return SEAM_OK;
  const char *model = seam_model_json(self->setup->file);
  const size_t size = seam_run_image_size(self->run);
  void *image = malloc(size);
  if (image == NULL || model == NULL) {
    free(image);
    return out_of_memory(error);
  }
  app_checkpoint checkpoint = {.run = {image, size},
                               .model = {model, strlen(model) + 1},
                               .n_arguments = self->options->n_arguments,
                               .arguments = self->options->arguments};
  seam_status status = seam_run_save(self->run, image, error);
  for (int i = 0; i < SEAM_N_RUN_TABLES && status == SEAM_OK; i++)
    status = table_file_store(self->tables[i], checkpoint.extents[i], error);
  THEN(status, checkpoint_write(self->checkpoint_path, &checkpoint, error));
  free(image);
  return status;
}

static seam_status read_format(run_files *self, seam_error *error) {
  const char *text = options_value(self->options, "--format");
  const char *at = text != NULL ? text : row_formats[0].name;
  for (;; at++) {
    const size_t length = strcspn(at, ",");
    int i = 0;
    while (i < N_ROW_FORMATS &&
           (strlen(row_formats[i].name) != length || strncmp(at, row_formats[i].name, length) != 0))
      i++;
    if (i == N_ROW_FORMATS)
      return seam_fail(error, SEAM_BAD_INPUT, "seam: --format must be csv, npy or csv,npy, but is '%s'", text);
    self->has_format[i] = true;
    at += length;
    if (*at == '\0')
      return SEAM_OK;
  }
}

seam_status run_files_read_options(run_files *self, seam_error *error) {
  const char *every = options_value(self->options, "--checkpoint");
  size_t names = 0; /* 0: dot, 1: underscore */
  self->checkpoint_every = INFINITY;
  if (every != NULL) {
    char *end = NULL;
    self->checkpoint_every = strtod(every, &end);
    if (end == every || *end != '\0' || !(self->checkpoint_every > 0 && isfinite(self->checkpoint_every)))
      return seam_fail(error, SEAM_BAD_INPUT, "seam: --checkpoint must be a positive, finite time in s, but is '%s'",
                       every);
  }
  TRY(read_format(self, error));
  TRY(options_word(self->options, "--names", &names, error));
  self->has_identifiers = names == 1;
  return SEAM_OK;
}

seam_status run_files_read_times(run_files *self, seam_error *error) {
  const seam_simulation *simulation = seam_model_simulation(self->setup->file);
  self->end = simulation->end;
  self->output_step = simulation->output_step;
  return setup_check_rows(self->setup, error);
}

/* Returns true if the run has the table and writes it in the format. Events are text, which npy cannot contain. */
static bool is_written(const run_files *self, int table, int format) {
  return seam_run_columns(self->run, (seam_run_table)table) != NULL &&
         (table == SEAM_EVENTS_TABLE ? format == ROW_CSV : self->has_format[format]);
}

/* Checks that the tables beside the checkpoint begin with the rows that were written before the checkpoint. */
static seam_status check_tables(const run_files *self, seam_error *error) {
  for (int i = 0; i < SEAM_N_RUN_TABLES; i++)
    for (int k = 0; k < N_ROW_FORMATS; k++) {
      const char *path = self->paths[i][k];
      if (!is_written(self, i, k))
        continue;
      if (access(path, F_OK) != 0)
        return seam_fail(
            error, SEAM_BAD_INPUT,
            "%s is missing beside the checkpoint; put this file of the interrupted run into %s, or run the model again",
            strrchr(path, '/') + 1, self->directory);
      TRY(row_file_check(path, &self->from->extents[i][k], error));
    }
  return SEAM_OK;
}

static seam_status create_run(run_files *self, const seam_run_def *engine, seam_error *error) {
  const app_setup *setup = self->setup;
  const char *list = options_value(self->options, "--columns");
  seam_run_def def = *engine;
  def.file = setup->file;
  def.model = setup->model;
  def.workspace = setup->workspace;
  def.state = engine->state != NULL ? engine->state : setup->state;
  def.assembly = &setup->report;
  def.changes = setup->changes;
  def.end = self->end;
  def.output_step = self->output_step;
  TRY(seam_run_create(&def, &self->run, error));
  if (list != NULL)
    TRY(schemes_prefix_option("--columns", seam_run_choose_columns(self->run, list, error), error));
  if (self->has_identifiers)
    TRY(schemes_prefix_option("--names underscore", seam_run_use_identifiers(self->run, error), error));
  TRY(create_event_text(self, error));
  if (self->from != NULL)
    TRY(seam_run_restore(self->run, self->from->run.data, self->from->run.size, error));
  self->n_checkpoints = due_checkpoints(self, seam_run_facts_of(self->run).time);
  return SEAM_OK;
}

/* Notes an output step that is longer than the run, and results so large that they may fill the disk. */
static void note_rows_and_size(const run_files *self, const cosim_builder *builder) {
  const double bytes_per_number = 19; /* bytes for a number, typical of csv */
  const seam_table *trajectory = seam_run_columns(self->run, SEAM_TRAJECTORY_TABLE);
  const seam_table *couplings = seam_run_columns(self->run, SEAM_COUPLINGS_TABLE);
  const double length = self->end - (self->setup->state != NULL ? self->setup->state->t : 0);
  const double rows = trajectory != NULL ? length / self->output_step + 1 : 0;
  const double points = couplings != NULL ? length / cosim_builder_definition(builder)->options.macro_step + 1 : 0;
  const double bytes = bytes_per_number * ((rows > 0 ? rows * (double)seam_table_n_columns(trajectory) : 0) +
                                           (points > 0 ? points * (double)seam_table_n_columns(couplings) : 0));
  if (self->quiet)
    return;
  if (self->output_step > length)
    fprintf(stderr,
            "note: the output step of %g s is longer than the run of %g s: results have only the first and the last "
            "row; give a smaller --output-step\n",
            self->output_step, length);
  if (rows + points > app_many_rows || bytes > app_many_bytes)
    fprintf(
        stderr,
        "note: the run will write %.3g rows, about %.2g GB; a larger --output-step or fewer --columns make it less\n",
        rows + points, bytes / 1e9);
}

seam_status run_files_prepare(run_files *self, const seam_run_def *def, seam_error *error) {
  TRY(check_memory(self->directory != NULL, error));
  self->summary_path = output_path(self->directory, "summary.json");
  self->checkpoint_path = output_path(self->directory, "checkpoint.seam");
  bool enough = self->summary_path != NULL && self->checkpoint_path != NULL;
  for (int i = 0; i < SEAM_N_RUN_TABLES; i++)
    for (int k = 0; k < N_ROW_FORMATS; k++) {
      char name[32];
      snprintf(name, sizeof name, "%s.%s", seam_run_table_name((seam_run_table)i), row_formats[k].name);
      self->paths[i][k] = output_path(self->directory, name);
      enough = enough && self->paths[i][k] != NULL;
    }
  TRY(check_memory(enough, error));
  if (self->simulation != NULL && isfinite(self->checkpoint_every))
    TRY(schemes_prefix_option("--checkpoint", cosim_check_images(self->simulation, error), error));
  TRY(create_run(self, def, error));
  note_rows_and_size(self, def->builder);
  seam_error refused = {0};
  if (seam_run_begin(self->run, &refused) == SEAM_BAD_INPUT)
    return seam_fail(error, SEAM_BAD_INPUT, "%s", refused.message);
  TRY(output_make_directory(self->directory, error));
  if (self->from != NULL)
    TRY(check_tables(self, error));
  self->sink = (seam_run_sink){.context = self, .take = write_row, .between_steps = write_due_checkpoint};
  return SEAM_OK;
}

/* ---- Opening and closing ---- */

/* Prints a note if the default folder has results of another model file or another --from, which this run replaces. */
static void note_replaced(const run_files *self) {
  char *text = NULL;
  arena memory = {0};
  const json_node *summary = NULL;
  json_failure failure;
  if (self->quiet || options_value(self->options, "-o") != NULL ||
      output_read(self->summary_path, &text, &(seam_error){0}) != SEAM_OK)
    return;
  (void)json_parse(text, &memory, &summary, &failure);
  const json_node *arguments = json_get(summary, "arguments");
  const json_node *first = arguments != NULL ? arguments->first : NULL;
  const char *model_path = self->options->operands[0];
  const char *from = options_value(self->options, "--from");
  const char *old_from = NULL; /* NULL: the earlier run had no --from */
  bool is_other = first != NULL;
  for (const json_node *at = first; at != NULL; at = at->next) {
    is_other =
        is_other && at->text != NULL && strcmp(at->text, model_path) != 0 && !output_is_same(at->text, model_path);
    if (old_from == NULL && at->text != NULL && strcmp(at->text, "--from") == 0 && at->next != NULL)
      old_from = at->next->text;
  }
  const bool starts_elsewhere =
      arguments != NULL && strcmp(old_from != NULL ? old_from : "", from != NULL ? from : "") != 0;
  if (is_other || starts_elsewhere) {
    fprintf(stderr, "note: %s had results of another %s ('seam", self->directory,
            is_other ? "file of this name" : "start");
    for (const json_node *at = first; at != NULL; at = at->next) {
      fputs(" ", stderr);
      print_name(at->text != NULL ? at->text : "");
    }
    fputs("'): they are replaced; -o DIR keeps both\n", stderr);
  }
  arena_release(&memory);
  free(text);
}

seam_status run_files_open(run_files *self, seam_error *error) {
  for (int i = 0; i < SEAM_N_RUN_TABLES; i++) {
    const seam_table *columns = seam_run_columns(self->run, (seam_run_table)i);
    const char *wanted[N_ROW_FORMATS];
    for (int k = 0; k < N_ROW_FORMATS; k++)
      wanted[k] = is_written(self, i, k) ? self->paths[i][k] : NULL;
    if (columns != NULL)
      TRY(table_file_open(wanted, columns, i == SEAM_EVENTS_TABLE ? &self->event_label : NULL,
                          self->from != NULL ? self->from->extents[i] : NULL, &self->tables[i], error));
  }
  note_replaced(self);
  output_unlink(self->summary_path); /* removes files of an earlier run, except the tables just opened */
  if (self->from != NULL)
    return SEAM_OK;
  output_unlink(self->checkpoint_path);
  for (int i = 0; i < SEAM_N_RUN_TABLES; i++)
    for (int k = 0; k < N_ROW_FORMATS; k++)
      if (!is_written(self, i, k))
        output_unlink(self->paths[i][k]);
  return SEAM_OK;
}

seam_status run_files_create_unsaved(run_files *self, const seam_run_def *def, seam_error *error) {
  self->checkpoint_every = INFINITY;
  self->quiet = true;
  return create_run(self, def, error);
}

/* Closing writes the last rows: it fails if the disk is full. */
seam_status run_files_close(run_files *self, seam_error *error) {
  seam_status status = SEAM_OK;
  for (int i = 0; i < SEAM_N_RUN_TABLES; i++) {
    const seam_status closed = table_file_close(self->tables[i], status == SEAM_OK ? error : NULL);
    status = status == SEAM_OK ? closed : status;
  }
  return status;
}

/* ---- The run ---- */

/* Also passes rows to the operating system, at intervals of wall time. If that fails, the next written row reports it.
 * Returns true if the user has interrupted the command. */
static bool show_progress(void *context, double t) {
  run_files *self = context;
  const seam_run_progress run = seam_run_progress_of(self->run);
  const double begun = run.is_checking ? run.begin : self->begun;
  const double now = run.is_checking ? 0 : clock_wall();
  if (!run.is_checking && now >= self->flushed + app_flush_interval) {
    self->flushed = now;
    for (int i = 0; i < SEAM_N_RUN_TABLES; i++)
      table_file_flush(self->tables[i], NULL);
  }
  progress_run(&self->progress, (t - begun) / (run.end - begun), t, run.steps);
  return interrupt_poll();
}

seam_status run_files_carry_out(run_files *self, seam_error *error) {
  self->sink.context = self;
  self->sink.interrupt = (seam_interrupt){show_progress, self};
  self->sink.note = self->quiet ? NULL : print_note;
  self->begun = seam_run_facts_of(self->run).time;
  self->progress = progress_start(self->quiet);
  progress_phase(&self->progress, NULL, 1, 0);
  const double wall = clock_wall();
  const double cpu = clock_cpu();
  const seam_status status = seam_run_carry_out(self->run, &self->sink, error);
  self->wall = clock_wall() - wall;
  self->cpu = clock_cpu() - cpu;
  progress_clear(&self->progress);
  const seam_status closed = run_files_close(self, status == SEAM_OK ? error : NULL);
  return status == SEAM_OK ? closed : status;
}

seam_status run_files_check(run_files *self, seam_error *error) {
  progress_phase(&self->progress, "check", NAN, NAN);
  const seam_status status = seam_run_find_error(self->run, &self->sink.interrupt, error);
  progress_clear(&self->progress);
  return status;
}

seam_run_facts run_files_facts(const run_files *self) {
  const app_table_file *trajectory = self->tables[SEAM_TRAJECTORY_TABLE];
  seam_run_facts facts = seam_run_facts_of(self->run);
  facts.arguments = (const char *const *)self->options->arguments;
  facts.n_arguments = (size_t)self->options->n_arguments;
  facts.overrides = (const char *const *)self->options->overrides;
  facts.n_overrides = self->options->n_overrides;
  facts.exit_status = self->exit_status;
  facts.rows = trajectory != NULL ? (size_t)trajectory->rows : facts.rows;
  facts.wall = self->wall;
  facts.cpu = self->cpu;
  return facts;
}

seam_status run_files_summarise(const run_files *self, seam_error *error) {
  const seam_run_facts facts = run_files_facts(self);
  char *text = NULL;
  seam_status status = seam_run_summary(&facts, &text, error);
  THEN(status, output_text(self->summary_path, text, error));
  seam_text_free(text);
  return status;
}

void run_files_free(run_files *self) {
  for (int i = 0; i < SEAM_N_RUN_TABLES; i++) {
    table_file_free(self->tables[i]);
    for (int k = 0; k < N_ROW_FORMATS; k++)
      free(self->paths[i][k]);
  }
  free(self->event_text);
  seam_run_destroy(self->run);
  cosim_destroy(self->simulation);
  cosim_builder_destroy(self->builder);
  free(self->directory);
  free(self->summary_path);
  free(self->checkpoint_path);
  *self = (run_files){0};
}
