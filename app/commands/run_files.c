#include "app/commands/run_files.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/clock.h"
#include "app/failure.h"
#include "app/results/output.h"
#include "app/schemes.h"

/* ---- Rows ---- */

/* The slack keeps rounding in the quotient from making two rows of the last one. */
size_t run_last_row(const run_files *self) {
  return (size_t)ceil((self->end - self->summary.begin) / self->output_step - 1e-9);
}

double run_row_time(const run_files *self, size_t row) {
  return row < run_last_row(self) ? self->summary.begin + (double)row * self->output_step : self->end;
}

seam_status run_write_row(run_files *self, const mbs_state *state, seam_error *error) {
  mbs_workspace *workspace = self->setup->workspace;
  const seam_status status = trajectory_write(self->tables[RUN_TRAJECTORY].file, workspace, state, error);
  if (status != SEAM_OK)
    return status;
  seam_over_run_add(self->statistics.over_run, workspace, state);
  event_list_note(&self->events, state);
  self->summary.time = state->t;
  self->summary.rows++;
  self->row++;
  return SEAM_OK;
}

seam_status run_write_event(run_files *self, const mbs_state *state, const mbs_event *event, seam_error *error) {
  app_table_file *file = self->tables[RUN_EVENTS].file;
  file->label = event_list_label(&self->events, event);
  const bool stops = !self->passes_stops && mbs_event_stops(self->setup->model, event->number);
  if (stops && !event_list_has_ended(&self->events))
    self->events.end = *event;
  return trajectory_write(file, self->setup->workspace, state, error);
}

seam_status run_write_impact(run_files *self, const mbs_state *state, const mbs_impact_event *impact,
                             seam_error *error) {
  app_table_file *file = self->tables[RUN_EVENTS].file;
  mbs_workspace *workspace = self->setup->workspace;
  mbs_state *struck = self->events.struck;
  if (impact->count > MAX_LISTED_IMPACTS || file == NULL)
    return SEAM_OK;
  mbs_state_copy(struck, state);
  const seam_status status = mbs_evaluate(workspace, struck, error);
  file->label = event_list_impact_label(&self->events, impact);
  return status == SEAM_OK ? trajectory_write(file, workspace, struck, error) : status;
}

void run_hand_over_rows(run_files *self) {
  const double interval = 1e-3; /* s */
  const double now = clock_wall();
  if (now < self->handed_over + interval)
    return;
  self->handed_over = now;
  for (int i = 0; i < N_RUN_TABLES; i++)
    table_file_hand_over(self->tables[i].file, NULL);
}

void run_judge_state(run_files *self, const mbs_state *state) {
  app_summary *summary = &self->summary;
  seam_run_record_add(&summary->record, self->setup->model, self->setup->workspace, state, summary->residuals);
}

/* ---- Checkpoints ---- */

/* So many that a count holds them; more than one in a step are one. */
static size_t due_checkpoints(const run_files *self, double t) {
  return (size_t)(t / fmax(self->checkpoint_every, 1e-15 * self->end) + 1e-9);
}

bool run_checkpoint_is_due(run_files *self, double t) {
  const size_t due = due_checkpoints(self, t);
  const bool another = due > self->n_checkpoints;
  self->n_checkpoints = due;
  return another;
}

static seam_status write_checkpoint(const run_files *self, app_checkpoint *checkpoint, seam_error *error) {
  const char *model = seam_model_json(self->setup->file);
  if (model == NULL)
    return out_of_memory(error);
  for (int i = 0; i < N_RUN_TABLES; i++) {
    const seam_status status = table_file_store(self->tables[i].file, &checkpoint->position.tables[i], error);
    if (status != SEAM_OK)
      return status;
  }
  checkpoint->n_arguments = self->options->n_arguments;
  checkpoint->arguments = self->options->arguments;
  checkpoint->model = (app_block){model, strlen(model) + 1};
  checkpoint->position.row = self->row;
  checkpoint->position.summary = self->summary;
  return checkpoint_write(self->checkpoint_path, checkpoint, error);
}

seam_status run_write_checkpoint(const run_files *self, app_checkpoint *checkpoint, seam_error *error) {
  const size_t n_over_run = seam_over_run_image_size(self->statistics.over_run);
  const size_t n_events = mbs_events_image_size(self->events.watched);
  char *image = malloc(n_over_run + n_events + 1);
  if (image == NULL)
    return out_of_memory(error);
  seam_over_run_save(self->statistics.over_run, image);
  mbs_events_save(self->events.watched, image + n_over_run);
  checkpoint->over_run = (app_block){image, n_over_run};
  checkpoint->events = (app_block){image + n_over_run, n_events};
  const seam_status status = write_checkpoint(self, checkpoint, error);
  free(image);
  return status;
}

static bool is_possible(const seam_largest_residual *seen, const mbs_model *model) {
  return !(seen->value > 0) || seen->constraint < mbs_n_constraints(model);
}

/* What the checkpoint says of the run so far. */
static seam_status take_position(run_files *self, seam_error *error) {
  const app_position *position = &self->from->position;
  const app_summary *summary = &position->summary;
  const mbs_model *model = self->setup->model;
  self->summary.begin = fmin(fmax(summary->begin, 0), self->end);
  if (position->row > run_last_row(self) + 1 || !(summary->time >= 0 && summary->time <= self->end) ||
      !is_possible(&summary->record.position, model) || !is_possible(&summary->record.velocity, model))
    return seam_fail(error, SEAM_BAD_STATE, "the checkpoint is not of this run: run the model again");
  double *scratch = self->summary.residuals;
  self->summary = position->summary;
  self->summary.residuals = scratch;
  self->row = position->row;
  self->n_checkpoints = due_checkpoints(self, position->summary.time);
  return SEAM_OK;
}

static seam_status read_checkpoint(run_files *self, seam_error *error) {
  const char *text = options_value(self->options, "--checkpoint");
  self->checkpoint_every = INFINITY;
  if (text == NULL)
    return SEAM_OK;
  char *end = NULL;
  self->checkpoint_every = strtod(text, &end);
  if (end == text || *end != '\0' || !(self->checkpoint_every > 0 && isfinite(self->checkpoint_every)))
    return seam_fail(error, SEAM_BAD_INPUT, "seam: --checkpoint must be a positive time in s, but is '%s'", text);
  return SEAM_OK;
}

/* Names between commas. */
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

static seam_status read_names(run_files *self, seam_error *error) {
  const char *text = options_value(self->options, "--names");
  self->has_identifiers = text != NULL && strcmp(text, "underscore") == 0;
  if (text == NULL || self->has_identifiers || strcmp(text, "dot") == 0)
    return SEAM_OK;
  return seam_fail(error, SEAM_BAD_INPUT, "seam: --names must be dot or underscore, but is '%s'", text);
}

seam_status run_files_read_options(run_files *self, seam_error *error) {
  seam_status status = read_checkpoint(self, error);
  if (status == SEAM_OK)
    status = read_format(self, error);
  return status == SEAM_OK ? read_names(self, error) : status;
}

seam_status run_files_read_times(run_files *self, seam_error *error) {
  const double max_rows = 1e9;
  const seam_simulation *simulation = seam_model_simulation(self->setup->file);
  self->end = simulation->end;
  self->output_step = simulation->output_step;
  if (isnan(simulation->end))
    return seam_fail(error, SEAM_BAD_INPUT,
                     "seam: the model gives no end time; add 'simulate: {end: ...}' or --end TIME");
  if (simulation->end / simulation->output_step > max_rows)
    return seam_fail(error, SEAM_BAD_INPUT, "seam: the run has more than %g rows; give a larger --output-step",
                     max_rows);
  return SEAM_OK;
}

/* ---- The directory ---- */

static seam_status check_continued(const char *path, const app_extent *kept, const char *directory, seam_error *error) {
  if (access(path, F_OK) == 0)
    return row_file_check(path, kept, error);
  return seam_fail(
      error, SEAM_BAD_INPUT,
      "%s is missing beside the checkpoint; put the one of the interrupted run into %s, or run the model again",
      strrchr(path, '/') + 1, directory);
}

/* Events have names, which npy has no place for. */
static bool has_file(const run_files *self, int table, int format) {
  return table == RUN_EVENTS ? format == ROW_CSV : self->has_format[format];
}

/* Rows up to a checkpoint are in the tables beside it. */
static seam_status check_tables(const run_files *self, seam_error *error) {
  const app_extents *kept = self->from->position.tables;
  seam_status status = SEAM_OK;
  for (int i = 0; i < N_RUN_TABLES * N_ROW_FORMATS && status == SEAM_OK; i++) {
    const int table = i / N_ROW_FORMATS;
    const int format = i % N_ROW_FORMATS;
    if (self->tables[table].columns != NULL && has_file(self, table, format))
      status = check_continued(self->tables[table].paths[format], &kept[table].of[format], self->directory, error);
  }
  return status;
}

static bool choose_paths(run_table *table, const char *directory, const char *name) {
  for (int i = 0; i < N_ROW_FORMATS; i++) {
    char file[32];
    snprintf(file, sizeof file, "%s.%s", name, row_formats[i].name);
    table->paths[i] = output_path(directory, file);
    if (table->paths[i] == NULL)
      return false;
  }
  return true;
}

static seam_status choose_all_paths(run_files *self, seam_error *error) {
  bool has_memory = self->directory != NULL;
  for (int i = 0; i < N_RUN_TABLES && has_memory; i++)
    has_memory = choose_paths(&self->tables[i], self->directory, seam_run_table_name((seam_run_table)i));
  if (!has_memory)
    return out_of_memory(error);
  self->summary_path = output_path(self->directory, "summary.json");
  self->checkpoint_path = output_path(self->directory, "checkpoint.seam");
  return self->summary_path != NULL && self->checkpoint_path != NULL ? SEAM_OK : out_of_memory(error);
}

static seam_status choose_columns(const run_files *self, seam_table **columns, seam_error *error) {
  const char *list = options_value(self->options, "--columns");
  if (list == NULL)
    return seam_trajectory_table_create(self->setup->model, columns, error);
  return schemes_refer("--columns", seam_trajectory_table_choose(self->setup->model, list, columns, error), error);
}

static seam_status make_columns(run_files *self, const cosim_simulation *simulation, seam_error *error) {
  const mbs_model *model = self->setup->model;
  run_table *tables = self->tables;
  seam_status status = SEAM_OK;
  if (mbs_n_bodies(model) > 0)
    status = choose_columns(self, &tables[RUN_TRAJECTORY].columns, error);
  if (status == SEAM_OK && event_list_has_rows(&self->events))
    status = choose_columns(self, &tables[RUN_EVENTS].columns, error);
  if (status == SEAM_OK && simulation != NULL)
    status = seam_couplings_table_create(model, simulation, &tables[RUN_COUPLINGS].columns, error);
  if (status == SEAM_OK && simulation != NULL && cosim_n_signals(simulation) > 0)
    status = seam_signals_table_create(simulation, &tables[RUN_SIGNALS].columns, error);
  for (int i = 0; i < N_RUN_TABLES && self->has_identifiers && status == SEAM_OK; i++)
    if (tables[i].columns != NULL)
      status = schemes_refer("--names underscore", seam_table_use_identifiers(tables[i].columns, error), error);
  return status;
}

static seam_status start_statistics(run_files *self, seam_error *error) {
  const app_block image = self->from != NULL ? self->from->over_run : (app_block){0};
  return statistics_start(&self->statistics, self->setup->file, image.data, image.size, error);
}

/* A run from earlier results begins at their time. */
static seam_status begin(run_files *self, seam_error *error) {
  const double t = self->setup->state->t;
  self->summary.begin = self->summary.time = t;
  self->summary.changes = self->setup->changes;
  self->summary.assumes_step = seam_model_assumes_macro_step(self->setup->file);
  self->n_checkpoints = due_checkpoints(self, t);
  if (t < self->end)
    return SEAM_OK;
  return seam_fail(error, SEAM_BAD_INPUT,
                   "seam: the run would begin at t = %.9g s and end at %.9g s; give a later --end", t, self->end);
}

static seam_status start_events(run_files *self, bool is_whole, seam_error *error) {
  const app_block image = self->from != NULL ? self->from->events : (app_block){0};
  return event_list_create(&self->events, self->setup->model, is_whole, image.size > 0 ? image.data : NULL, image.size,
                           error);
}

seam_status run_files_prepare(run_files *self, char *directory, const cosim_simulation *simulation, seam_error *error) {
  self->directory = directory;
  seam_status status = choose_all_paths(self, error);
  if (status == SEAM_OK)
    status = start_events(self, simulation == NULL, error);
  if (status == SEAM_OK)
    status = make_columns(self, simulation, error);
  if (status == SEAM_OK)
    status = summary_start(&self->summary, self->setup->model, error);
  if (status == SEAM_OK)
    status = start_statistics(self, error);
  if (status == SEAM_OK)
    status = self->from != NULL ? take_position(self, error) : begin(self, error);
  if (status == SEAM_OK)
    status = output_make_directory(self->directory, error);
  if (status == SEAM_OK && self->from != NULL)
    status = check_tables(self, error);
  return status;
}

/* ---- Opening and closing ---- */

/* Tables that are open stay. */
static void remove_older(const run_files *self) {
  output_remove(self->summary_path);
  output_remove_torn(self->checkpoint_path);
  if (self->from != NULL)
    return;
  unlink(self->checkpoint_path);
  for (int i = 0; i < N_RUN_TABLES * N_ROW_FORMATS; i++) {
    const run_table *table = &self->tables[i / N_ROW_FORMATS];
    if (table->file == NULL || !has_file(self, i / N_ROW_FORMATS, i % N_ROW_FORMATS))
      unlink(table->paths[i % N_ROW_FORMATS]);
  }
}

static seam_status open_table(run_files *self, int i, seam_error *error) {
  run_table *table = &self->tables[i];
  app_table_paths wanted = {{NULL}};
  for (int k = 0; k < N_ROW_FORMATS; k++)
    wanted.of[k] = has_file(self, i, k) ? table->paths[k] : NULL;
  seam_table *columns = table->columns;
  table->columns = NULL;
  return table_file_open(&wanted, columns, i == RUN_EVENTS ? &self->events.labels : NULL,
                         self->from != NULL ? &self->from->position.tables[i] : NULL, &table->file, error);
}

static seam_status open_tables(run_files *self, seam_error *error) {
  seam_status status = SEAM_OK;
  for (int i = 0; i < N_RUN_TABLES && status == SEAM_OK; i++)
    if (self->tables[i].columns != NULL)
      status = open_table(self, i, error);
  return status;
}

seam_status run_files_open(run_files *self, seam_error *error) {
  const seam_status status = open_tables(self, error);
  if (status == SEAM_OK)
    remove_older(self);
  return status;
}

seam_status run_files_open_none(run_files *self, const cosim_simulation *simulation, const mbs_quantity *quantities,
                                size_t n, seam_error *error) {
  self->checkpoint_every = INFINITY;
  seam_status status = start_events(self, simulation == NULL, error);
  if (status == SEAM_OK)
    status = make_columns(self, simulation, error);
  if (status == SEAM_OK)
    status = summary_start(&self->summary, self->setup->model, error);
  if (status == SEAM_OK)
    status = statistics_start_of(&self->statistics, self->setup->file, quantities, n, error);
  if (status == SEAM_OK)
    status = begin(self, error);
  return status == SEAM_OK ? open_tables(self, error) : status;
}

/* Rows that did not find room on the disk are none. */
seam_status run_files_close(run_files *self, seam_error *error) {
  seam_status status = SEAM_OK;
  for (int i = 0; i < N_RUN_TABLES; i++) {
    const seam_status closed = table_file_close(self->tables[i].file, status == SEAM_OK ? error : NULL);
    status = status == SEAM_OK ? closed : status;
  }
  if (self->tables[RUN_TRAJECTORY].file != NULL)
    self->summary.rows = (size_t)self->tables[RUN_TRAJECTORY].file->rows;
  return status;
}

/* ---- The verdict ---- */

void run_files_judge(run_files *self, const cosim_simulation *simulation, const mbs_integrator_options *options,
                     app_ending *ending) {
  app_summary *summary = &self->summary;
  ending->is_judged = summary->rows > 0 || simulation != NULL;
  if (simulation != NULL && ending->error.status == SEAM_OK)
    seam_run_record_couplings(&summary->record, simulation);
  if (ending->is_judged)
    seam_run_judge(&summary->record, self->setup->model, options, &summary->statistics, &ending->verdict,
                   ending->error.status == SEAM_OK ? &ending->error : NULL);
}

static seam_run_facts facts_of(const run_files *self, const app_cosim_run *cosim, const app_ending *ending) {
  const app_summary *summary = &self->summary;
  const app_setup *setup = self->setup;
  seam_run_facts facts = {.file = setup->file,
                          .model = setup->model,
                          .assembly = &setup->report,
                          .changes = &summary->changes,
                          .arguments = (const char *const *)self->options->arguments,
                          .n_arguments = (size_t)self->options->n_arguments,
                          .overrides = (const char *const *)self->options->overrides,
                          .n_overrides = self->options->n_overrides,
                          .status = ending->error.status,
                          .message = ending->error.message,
                          .exit_status = ending->exit_status,
                          .verdict = ending->is_judged ? &ending->verdict : NULL,
                          .time = summary->time,
                          .rows = summary->rows,
                          .wall = summary->wall,
                          .cpu = summary->cpu,
                          .record = &summary->record,
                          .statistics = &summary->statistics,
                          .watched = self->events.watched,
                          .ended = event_list_has_ended(&self->events) ? &self->events.end : NULL,
                          .impacts = self->events.impacts,
                          .over_run = self->statistics.over_run,
                          .quantities = self->statistics.quantities,
                          .n_quantities = self->statistics.n,
                          .assumes_macro_step = summary->assumes_step};
  if (cosim != NULL) {
    facts.simulation = cosim->simulation;
    facts.builder = cosim->builder;
    facts.peaks = cosim->peaks;
  }
  for (int i = 0; i < N_RUN_TABLES; i++)
    facts.tables[i] = self->tables[i].file != NULL ? self->tables[i].file->columns : NULL;
  return facts;
}

seam_status run_files_summarise(const run_files *self, const app_cosim_run *cosim, const app_ending *ending,
                                seam_error *error) {
  const seam_run_facts facts = facts_of(self, cosim, ending);
  return summary_write(&facts, self->summary_path, error);
}

void run_files_free(run_files *self) {
  for (int i = 0; i < N_RUN_TABLES; i++) {
    table_file_free(self->tables[i].file);
    seam_table_destroy(self->tables[i].columns);
    for (int k = 0; k < N_ROW_FORMATS; k++)
      free(self->tables[i].paths[k]);
  }
  summary_free(&self->summary);
  statistics_free(&self->statistics);
  event_list_free(&self->events);
  free(self->directory);
  free(self->summary_path);
  free(self->checkpoint_path);
}
