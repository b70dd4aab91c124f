#include "app/commands/cosim_rows.h"

static const double slack = 1e-9; /* of a macro step */

static bool has_jumped(const cosim_simulation *simulation) {
  const mbs_state *left = cosim_state_before_jump(simulation);
  return left != NULL && left != cosim_state(simulation);
}

seam_status cosim_rows_start(cosim_rows *self, run_files *files, const cosim_simulation *simulation, mbs_state *scratch,
                             double macro_step, seam_error *error) {
  *self = (cosim_rows){.files = files,
                       .simulation = simulation,
                       .state = scratch,
                       .near = slack * macro_step,
                       .is_watched = files->from != NULL,
                       .begins_anew = has_jumped(simulation)};
  return seam_peaks_create(files->tables[RUN_COUPLINGS].file->columns, simulation,
                           files->from != NULL ? files->from->peaks.data : NULL, &self->peaks, error);
}

static void probe_before(cosim_rows *self, double t) {
  seam_over_run_probe_cosim(self->files->statistics.over_run, self->simulation, self->files->setup->workspace, t,
                            self->state);
}

/* For statistics. Between close macro points accelerations and reactions are linear: there is nothing to sample but
 * where a smooth part may be as short as the step. */
static void sample_before(cosim_rows *self, double t) {
  const run_files *files = self->files;
  seam_over_run *over_run = files->statistics.over_run;
  const bool samples = cosim_takes_long_steps(self->simulation) || self->begins_anew || has_jumped(self->simulation);
  double at = samples ? seam_over_run_next(over_run, t) : t;
  while (at < t) {
    probe_before(self, at);
    cosim_state_between(self->simulation, at, self->state);
    seam_over_run_add(over_run, files->setup->workspace, self->state);
    at = seam_over_run_next(over_run, t);
  }
  probe_before(self, t);
}

/* Statistics end left of what jumps at the macro point, and begin right of it. */
static void sample_jump(cosim_rows *self, double t) {
  const run_files *files = self->files;
  const mbs_state *left = cosim_state_before_jump(self->simulation);
  if (left == NULL)
    return;
  sample_before(self, t);
  seam_over_run_jump(files->statistics.over_run, files->setup->workspace, left, cosim_state(self->simulation));
}

/* The macro point at t, where states are not interpolated, unless it has a row. */
static void sample_macro_point(cosim_rows *self, double t) {
  const run_files *files = self->files;
  if (t <= files->summary.time + self->near)
    return;
  sample_before(self, t);
  sample_jump(self, t);
  seam_over_run_add(files->statistics.over_run, files->setup->workspace, cosim_state(self->simulation));
}

/* Rows of the trajectory up to the macro point at t. */
static seam_status write_states(cosim_rows *self, double t, seam_error *error) {
  run_files *files = self->files;
  const size_t last = run_last_row(files);
  seam_status status = SEAM_OK;
  while (files->row <= last && run_row_time(files, files->row) <= t + self->near && status == SEAM_OK) {
    const double at = run_row_time(files, files->row);
    sample_before(self, at);
    if (at >= t - self->near) {
      sample_jump(self, t);
      mbs_state_copy(self->state, cosim_state(self->simulation));
    } else
      cosim_state_between(self->simulation, at, self->state);
    self->state->t = at;
    status = run_write_row(files, self->state, error);
  }
  return status;
}

/* Of the last macro step. */
static seam_status write_events(cosim_rows *self, seam_error *error) {
  run_files *files = self->files;
  const mbs_state *now = cosim_state(self->simulation);
  mbs_event event = {.number = SEAM_NONE};
  if (files->events.watched == NULL)
    return SEAM_OK;
  if (!self->is_watched) {
    self->is_watched = true;
    return mbs_events_start(files->events.watched, now, error);
  }
  seam_status status = cosim_next_event(self->simulation, files->events.watched, &event, error);
  while (status == SEAM_OK && event.number != SEAM_NONE) {
    if (event.time < now->t)
      cosim_state_between(self->simulation, event.time, self->state);
    else
      mbs_state_copy(self->state, now);
    status = run_write_event(files, self->state, &event, error);
    if (status == SEAM_OK)
      status = cosim_next_event(self->simulation, files->events.watched, &event, error);
  }
  return status;
}

seam_status cosim_rows_write(cosim_rows *self, double t, seam_error *error) {
  const run_table *tables = self->files->tables;
  app_table_file *couplings = tables[RUN_COUPLINGS].file;
  app_table_file *signals = tables[RUN_SIGNALS].file;
  seam_couplings_row(couplings->columns, t, couplings->row);
  seam_peaks_add(self->peaks, couplings->row);
  seam_status status = table_file_write(couplings, error);
  if (status == SEAM_OK && signals != NULL) {
    seam_signals_row(signals->columns, t, signals->row);
    status = table_file_write(signals, error);
  }
  if (status == SEAM_OK)
    status = write_events(self, error);
  if (tables[RUN_TRAJECTORY].file == NULL)
    self->files->summary.time = t;
  else if (status == SEAM_OK) {
    run_judge_state(self->files, cosim_state(self->simulation)); /* between macro points states are interpolated */
    seam_over_run_note_step(self->files->statistics.over_run, t);
    if (cosim_has_switched_inside(self->simulation))
      seam_over_run_doubt(self->files->statistics.over_run);
    status = write_states(self, t, error);
    sample_macro_point(self, t);
  }
  self->begins_anew = has_jumped(self->simulation);
  return status;
}

seam_status cosim_rows_write_last(cosim_rows *self, double t, seam_error *error) {
  if (self->files->tables[RUN_TRAJECTORY].file == NULL || t <= self->files->summary.time + self->near)
    return SEAM_OK;
  cosim_state_between(self->simulation, t, self->state);
  return run_write_row(self->files, self->state, error);
}

void cosim_rows_end(cosim_rows *self) {
  seam_peaks_destroy(self->peaks);
  self->peaks = NULL;
}
