/* The loops of runs, and the rows that they pass to the sink. A monolithic run advances from row to row, and to the
 * events between rows. A co-simulated run advances by macro steps of equal lengths, or as the file's step control
 * chooses them. Its caller may also advance the simulation (seam_run_see()). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/interrupt.h"
#include "base/note.h"
#include "base/then.h"
#include "cosim/steps/simulation.h"
#include "mbs/model/unilateral.h"
#include "runs/run.h"
#include "runs/thresholds.h"

/* ---- Rows ---- */

/* The tolerance runs_slack_of_step prevents an additional row due to rounding of the quotient. */
size_t seam_run_last_row(const seam_run *run) {
  return (size_t)ceil((run->end - run->at.begin) / run->output_step - runs_slack_of_step);
}

static double row_time(const seam_run *run, size_t row) {
  return row < seam_run_last_row(run) ? run->at.begin + (double)row * run->output_step : run->end;
}

/* Returns the status of a callback of the sink, and records a failure. */
static seam_status take_status(seam_run *run, seam_status status) {
  run->has_failed_sink = run->has_failed_sink || status != SEAM_OK;
  return status;
}

/* Passes the present row of a table to the sink. */
static seam_status pass_row(seam_run *run, seam_run_table table, const seam_run_label *label, seam_error *error) {
  const seam_run_sink *sink = run->sink;
  return sink->take == NULL ? SEAM_OK
                            : take_status(run, sink->take(sink->context, table, run->tables[table].row, label, error));
}

/* Calls the sink's between_steps(), if it has one, at time t (s). */
static seam_status between_steps(seam_run *run, double t, seam_error *error) {
  const seam_run_sink *sink = run->sink;
  return sink->between_steps == NULL ? SEAM_OK : take_status(run, sink->between_steps(sink->context, t, error));
}

static seam_status add_quantities(seam_run *run, seam_run_table table, const mbs_state *state,
                                  const seam_run_label *label, seam_error *error) {
  run_table *of = &run->tables[table];
  TRY(seam_trajectory_row(of->columns, run->def.workspace, state, of->row, error));
  return pass_row(run, table, label, error);
}

/* Stores the impacts up to this state. Counts contacts with undetermined forces, with a note on the first of them. */
static void update_contacts(run_events *self, const mbs_model *model, const mbs_state *state) {
  const mbs_force *first = NULL;
  size_t n = 0; /* number of contacts whose forces the motion does not determine */
  for (int k = model->n_hard - 1; k >= 0; k--)
    if (state->undetermined[k] != 0) {
      first = &model->forces[model->hard[k]];
      n++;
    }
  if (n > 0 && self->n_undetermined == 0)
    seam_note("t = %.9g s: the motion does not determine the forces of %s '%s'%s: those of least norm are given",
              state->t, mbs_hard_noun(first), first->name, n > 1 ? " and others" : "");
  self->n_undetermined = n > self->n_undetermined ? n : self->n_undetermined;
  for (size_t i = 0; i < self->n_contacts; i++)
    self->impacts[i] = mbs_impact_record_of(model, state, self->contacts[i]);
}

/* Adds a state to the trajectory, which must exist, and to the statistics. */
static seam_status add_state(seam_run *run, const mbs_state *state, seam_error *error) {
  TRY(add_quantities(run, SEAM_TRAJECTORY_TABLE, state, NULL, error));
  seam_over_run_add(run->over_run, run->def.workspace, state);
  update_contacts(&run->events, run->def.model, state);
  run->at.time = state->t;
  run->at.rows++;
  run->at.row++;
  return SEAM_OK;
}

/* Adds a row to the events table from the state at the event. An event that stops runs ends this run, unless the caller
 * advances the simulation (def.seen). */
static seam_status add_event(seam_run *run, const mbs_state *state, const mbs_event *event, seam_error *error) {
  const mbs_event_info info = mbs_event_of(run->def.model, event->number);
  const seam_run_label label = {info.name, mbs_sense_text(event->sense), NAN, NAN, NAN};
  if (info.stops && run->def.seen == NULL && !run_has_ended(run))
    run->events.end = *event;
  return add_quantities(run, SEAM_EVENTS_TABLE, state, &label, error);
}

/* Listener of the integrator; the context is a seam_run. Adds a row to the events table from the state after an impact;
 * at most SEAM_MAX_LISTED_IMPACTS for each contact. */
static seam_status add_impact(void *context, const mbs_impact_event *impact, const mbs_state *state,
                              seam_error *error) {
  seam_run *run = context;
  const seam_run_label label = {mbs_force_of(run->def.model, impact->force).name, "impact", impact->normal,
                                impact->tangential, impact->loss};
  mbs_state *after_impact = run->events.after_impact;
  if (impact->count > SEAM_MAX_LISTED_IMPACTS || after_impact == NULL)
    return SEAM_OK;
  mbs_state_copy(after_impact, state);
  TRY(mbs_evaluate(run->def.workspace, after_impact, error));
  return add_quantities(run, SEAM_EVENTS_TABLE, after_impact, &label, error);
}

/* Adds a state to the record for the verdict. The state must be computed, not interpolated. */
static void record_state(seam_run *run, const mbs_state *state) {
  run->at.record.created = seam_interface_energy_of(run->simulation).created;
  run->at.record.of_parts = 0;
  run->at.record.hides_energy = cosim_n_part_couplings(run->simulation) > 0;
  for (size_t k = 0; k < cosim_n_part_couplings(run->simulation); k++)
    run->at.record.of_parts += cosim_part_coupling_energy(run->simulation, k).residual_energy;
  seam_run_record_add(&run->at.record, run->def.model, run->def.workspace, state, run->residuals);
}

/* Fails with SEAM_INTERRUPTED if the sink's interrupt demands the end of the run at time t (s). */
static seam_status check_interrupt(const seam_run *run, double t, seam_error *error) {
  return interrupt_is_requested(&run->sink->interrupt, t)
             ? seam_fail(error, SEAM_INTERRUPTED, "interrupted at t = %.9g s; what was computed is kept", t)
             : SEAM_OK;
}

/* ---- Monolithic runs ---- */

static seam_status add_row(seam_run *run, seam_error *error) {
  TRY(add_state(run, run->def.state, error));
  record_state(run, run->def.state);
  run_check_add_row(run, run->def.state, true);
  return SEAM_OK;
}

/* Advances to time t, or to the event that ends the run. All events up to there get rows. */
static seam_status advance_to(seam_run *run, double t, seam_error *error) {
  mbs_events *events = run->events.of_model;
  mbs_state *state = run->def.state;
  mbs_event event = {.number = SEAM_NONE};
  if (events == NULL)
    return mbs_integrator_advance(run->integrator, t, state, error);
  do {
    const double end = run_has_ended(run) ? run->events.end.time : t;
    TRY(mbs_integrator_advance_to_event(run->integrator, events, end, state, &event, error));
    if (event.number != SEAM_NONE)
      TRY(add_event(run, state, &event, error));
  } while (event.number != SEAM_NONE);
  return SEAM_OK;
}

/* Adds states between two rows to the record for the verdict, at irrational fractions of the time between them: all
 * rows may meet a periodic motion at the same phase. */
static seam_status record_between(seam_run *run, seam_error *error) {
  const size_t n = RUNS_LEAST_STATES / seam_run_last_row(run);
  const double from = run->at.row > 0 ? row_time(run, run->at.row - 1) : run->at.begin;
  const double length = row_time(run, run->at.row) - from;
  mbs_state *state = run->def.state;
  size_t stride = 1; /* doubles as long as the integrator takes no new step */
  for (size_t i = 0; i < n && !run_has_ended(run); i += stride) {
    const size_t n_steps = mbs_integrator_statistics(run->integrator).steps;
    const double t = from + length * ((double)i + runs_state_offset) / (double)n;
    if (t <= state->t)
      continue;
    TRY(advance_to(run, t, error));
    if (run_has_ended(run))
      break;
    stride = mbs_integrator_statistics(run->integrator).steps > n_steps ? 1 : 2 * stride;
    record_state(run, state);
    run_check_add_row(run, state, true);
  }
  return SEAM_OK;
}

seam_status run_monolithic(seam_run *run, seam_error *error) {
  mbs_state *state = run->def.state;
  const seam_interrupt *interrupt = &run->sink->interrupt;
  mbs_integrator_set_impact_listener(run->integrator, add_impact, run);
  mbs_integrator_set_reader(run->integrator, run->def.workspace);
  if (!run->is_restored) {
    TRY(mbs_integrator_start(run->integrator, state, error));
    TRY(mbs_begin_friction(run->def.workspace, state, error));
    if (run->events.of_model != NULL)
      TRY(mbs_events_start(run->events.of_model, state, error));
    TRY(add_row(run, error));
  }
  const double distance = fmin(run->output_step, runs_sample_distance * (run->end - run->at.begin));
  seam_over_run_sample_steps(run->over_run, run->integrator, run->def.workspace, distance);
  mbs_integrator_set_stop(run->integrator, run->end);
  mbs_integrator_set_interrupt(run->integrator, interrupt->is_requested, interrupt->context);
  const size_t last = seam_run_last_row(run);
  seam_status status = SEAM_OK;
  while (run->at.row <= last && status == SEAM_OK && !run_has_ended(run)) {
    status = check_interrupt(run, run->at.time, error); /* the integrator's steps may span many rows */
    THEN(status, record_between(run, error));
    THEN(status, advance_to(run, row_time(run, run->at.row), error));
    if (status == SEAM_OK && state->t > run->at.time)
      status = add_row(run, error);
    if (status == SEAM_OK && !run_has_ended(run))
      status = between_steps(run, state->t, error);
  }
  const seam_status ended = seam_over_run_end(run->over_run, state->t, status == SEAM_OK ? error : NULL);
  status = status == SEAM_OK ? ended : status;
  run->statistics = mbs_integrator_statistics(run->integrator);
  if (status == SEAM_OK)
    run_check_add_row(run, state, true);
  /* If the run ended early, the last valid state gets a row. */
  if (status != SEAM_OK && !run->has_failed_sink && state->t > run->at.time)
    (void)add_row(run, NULL);
  return status;
}

/* ---- Co-simulated runs: peaks of residuals and residual powers ---- */

void peaks_destroy(seam_peaks *self) {
  if (self == NULL)
    return;
  free(self->peaks);
  free(self->peak_of);
  free(self);
}

/* Creates peaks with the value zero. */
static seam_status create_peaks(const seam_table *columns, const cosim_simulation *simulation, seam_peaks **created,
                                seam_error *error) {
  static const char *const prefixes[SEAM_N_RESIDUAL_LEVELS] = {"g_", "gd_", "gdd_"};
  const size_t n_couplings = cosim_n_couplings(simulation);
  const size_t n_powers = n_couplings + cosim_n_part_couplings(simulation) + cosim_n_bonds(simulation) + 1;
  const size_t n = SEAM_N_RESIDUAL_LEVELS * n_couplings + n_powers;
  const size_t n_columns = seam_table_n_columns(columns);
  seam_peaks *self = calloc(1, sizeof *self);
  if (self != NULL)
    *self = (seam_peaks){.n = n,
                         .peaks = calloc(n, sizeof *self->peaks),
                         .n_columns = n_columns,
                         .peak_of = calloc(n_columns, sizeof *self->peak_of)};
  if (self == NULL || self->peaks == NULL || self->peak_of == NULL) {
    peaks_destroy(self);
    return seam_fail(error, SEAM_NO_MEMORY, "memory is exhausted");
  }
  self->residual = (run_peak(*)[SEAM_N_RESIDUAL_LEVELS])self->peaks;
  self->power = self->peaks + SEAM_N_RESIDUAL_LEVELS * n_couplings;
  /* Columns are listed for all couplings, then all couplings of user equations, then all bonds. Each of these has one
   * column residual_power, after its residuals. At this column `number` increases by 1. */
  size_t number = 0;
  for (size_t i = 0; i < n_columns; i++) {
    const char *quantity = seam_table_column(columns, i)->quantity;
    self->peak_of[i] = SEAM_NONE;
    for (size_t level = 0; level < SEAM_N_RESIDUAL_LEVELS; level++)
      if (strncmp(quantity, prefixes[level], strlen(prefixes[level])) == 0)
        self->peak_of[i] = SEAM_N_RESIDUAL_LEVELS * number + level;
    if (strcmp(quantity, "residual_power") == 0)
      self->peak_of[i] = SEAM_N_RESIDUAL_LEVELS * n_couplings + number++;
  }
  *created = self;
  return SEAM_OK;
}

static void raise_peak(run_peak *peak, double value, double time) {
  if (!isnan(peak->value) && !(fabs(value) <= peak->value)) /* NaN counts as the largest */
    *peak = (run_peak){fabs(value), time};
}

/* ---- Co-simulated runs: rows at macro points ---- */

static bool has_jumped(const cosim_simulation *simulation) {
  const mbs_state *left = cosim_state_before_jump(simulation);
  return left != NULL && left != cosim_state(simulation);
}

static void begin_rows(seam_run *run) {
  run->macro_rows.has_started_events = run->is_restored;
  run->macro_rows.restarts = has_jumped(run->simulation);
}

/* Adds samples for statistics up to t. Without collocation, accelerations and reactions are linear over a macro step,
 * and samples at its ends suffice. But a step that begins or ends with a jump may be all of the motion between two
 * jumps, for which two samples are too few. */
static void sample_before(seam_run *run, double t) {
  seam_over_run *over_run = run->over_run;
  const bool samples =
      cosim_takes_long_steps(run->simulation) || run->macro_rows.restarts || has_jumped(run->simulation);
  double at = samples ? seam_over_run_next(over_run, t) : t;
  while (at < t) {
    seam_over_run_probe_cosim(over_run, run->simulation, run->def.workspace, at, run->def.state);
    cosim_state_between(run->simulation, at, run->def.state);
    seam_over_run_add(over_run, run->def.workspace, run->def.state);
    at = seam_over_run_next(over_run, t);
  }
  seam_over_run_probe_cosim(over_run, run->simulation, run->def.workspace, t, run->def.state);
}

/* If the state jumps at the macro point t, adds samples just before and after the jump. */
static void sample_jump(seam_run *run, double t) {
  const mbs_state *left = cosim_state_before_jump(run->simulation);
  if (left == NULL)
    return;
  sample_before(run, t);
  seam_over_run_jump(run->over_run, run->def.workspace, left, cosim_state(run->simulation));
}

/* Adds all rows of the trajectory up to the macro point t. */
static seam_status add_states(seam_run *run, double t, seam_error *error) {
  const size_t last = seam_run_last_row(run);
  while (run->at.row <= last && row_time(run, run->at.row) <= t + run->macro_rows.time_slack) {
    const double at = row_time(run, run->at.row);
    sample_before(run, at);
    if (at >= t - run->macro_rows.time_slack) {
      sample_jump(run, t);
      mbs_state_copy(run->def.state, cosim_state(run->simulation));
      run->def.state->t = at;
    } else {
      cosim_state_between(run->simulation, at, run->def.state);
      run->at.has_rows_between = true;
      run_check_add_row(run, run->def.state, false);
    }
    TRY(add_state(run, run->def.state, error));
  }
  return SEAM_OK;
}

static seam_status add_events(seam_run *run, seam_error *error) {
  const mbs_state *now = cosim_state(run->simulation);
  mbs_event event = {.number = SEAM_NONE};
  if (run->events.of_model == NULL)
    return SEAM_OK;
  if (!run->macro_rows.has_started_events) {
    run->macro_rows.has_started_events = true;
    return mbs_events_start(run->events.of_model, now, error);
  }
  TRY(cosim_next_event(run->simulation, run->events.of_model, &event, error));
  while (event.number != SEAM_NONE) {
    if (event.time < now->t)
      cosim_state_between(run->simulation, event.time, run->def.state);
    else
      mbs_state_copy(run->def.state, now);
    TRY(add_event(run, run->def.state, &event, error));
    TRY(cosim_next_event(run->simulation, run->events.of_model, &event, error));
  }
  return SEAM_OK;
}

seam_status run_add_macro_point(seam_run *run, double t, seam_error *error) {
  const run_table *couplings = &run->tables[SEAM_COUPLINGS_TABLE];
  const run_table *signals = &run->tables[SEAM_SIGNALS_TABLE];
  const seam_peaks *peaks = run->macro_rows.peaks;
  seam_couplings_row(couplings->columns, t, couplings->row);
  for (size_t i = 0; i < peaks->n_columns; i++)
    if (peaks->peak_of[i] != SEAM_NONE)
      raise_peak(&peaks->peaks[peaks->peak_of[i]], couplings->row[i], t);
  raise_peak(&peaks->peaks[peaks->n - 1], seam_interface_energy_of(run->simulation).residual_power, t);
  seam_status status = pass_row(run, SEAM_COUPLINGS_TABLE, NULL, error);
  if (status == SEAM_OK && signals->columns != NULL) {
    seam_signals_row(signals->columns, t, signals->row);
    status = pass_row(run, SEAM_SIGNALS_TABLE, NULL, error);
  }
  THEN(status, add_events(run, error));
  if (run->tables[SEAM_TRAJECTORY_TABLE].columns == NULL)
    run->at.time = t;
  else if (status == SEAM_OK) {
    record_state(run, cosim_state(run->simulation)); /* only states at macro points, as others are interpolated */
    seam_over_run_note_step(run->over_run, t);
    if (cosim_has_switched_inside(run->simulation))
      seam_over_run_doubt(run->over_run);
    status = add_states(run, t, error);
    if (t > run->at.time + run->macro_rows.time_slack) { /* the macro point has no row yet */
      sample_before(run, t);
      sample_jump(run, t);
      seam_over_run_add(run->over_run, run->def.workspace, cosim_state(run->simulation));
    }
  }
  run_check_add_row(run, cosim_state(run->simulation), true);
  run->macro_rows.restarts = has_jumped(run->simulation);
  return status;
}

seam_status run_add_last_macro_point(seam_run *run, double t, seam_error *error) {
  if (run->tables[SEAM_TRAJECTORY_TABLE].columns == NULL || t <= run->at.time + run->macro_rows.time_slack)
    return SEAM_OK;
  cosim_state_between(run->simulation, t, run->def.state);
  return add_state(run, run->def.state, error);
}

/* ---- Co-simulated runs: macro steps ---- */

static bool is_controlled(const seam_run *run) {
  return cosim_builder_definition(run->def.builder)->step_control != NULL;
}

/* Returns the present macro point, s. With fixed steps it is a multiple of the step, as sums accumulate rounding. */
static double present_point(const seam_run *run) {
  const run_macro_steps *steps = &run->macro_steps;
  const double t = cosim_state(run->simulation)->t;
  if (steps->ends_at_event || cosim_ended_by(run->simulation) != NULL)
    return t;
  if (is_controlled(run))
    return t >= (1 - runs_end_slack) * run->end ? run->end : t;
  return steps->is_inside_step ? t : cosim_step_plan_time(&steps->plan, run->at.macro_steps);
}

/* Returns true if an event of the model or of a subsystem has ended the run. */
static bool has_ended(const seam_run *run) { return run_has_ended(run) || cosim_ended_by(run->simulation) != NULL; }

seam_status run_cosimulated_prepare(seam_run *run, seam_error *error) {
  run_macro_steps *steps = &run->macro_steps;
  const double H = cosim_builder_definition(run->def.builder)->options.macro_step;
  run->macro_rows.time_slack = runs_slack_of_step * (run->def.macro_step > 0 ? run->def.macro_step : H);
  TRY(create_peaks(run->tables[SEAM_COUPLINGS_TABLE].columns, run->simulation, &run->macro_rows.peaks, error));
  if (run->def.simulation == NULL) {
    begin_rows(run);
    return SEAM_OK;
  }
  TRY(cosim_step_plan_make(H, run->end, &steps->plan, error));
  if (!seam_has_stops(run->def.model))
    return SEAM_OK;
  steps->image = malloc(cosim_image_size(run->simulation) + 1);
  steps->events_image = malloc(mbs_events_image_size(run->events.of_model));
  return seam_check_memory(steps->image != NULL && steps->events_image != NULL, error);
}

void run_cosimulated_restore(seam_run *run) { run->macro_steps.t = present_point(run); }

/* If an event stopped the run in the macro step, repeats the step up to the first such event. run_add_macro_point()
 * later finds the events again and adds them. */
static seam_status end_at_stop(seam_run *run, seam_error *error) {
  run_macro_steps *steps = &run->macro_steps;
  mbs_events *events = run->events.of_model;
  mbs_event event = {.number = SEAM_NONE};
  if (steps->events_image == NULL)
    return SEAM_OK;
  do
    TRY(cosim_next_event(run->simulation, events, &event, error));
  while (event.number != SEAM_NONE && !mbs_event_of(run->def.model, event.number).stops);
  if (event.number == SEAM_NONE)
    return mbs_events_restore(events, steps->events_image, mbs_events_image_size(events), error);
  TRY(cosim_end_at_event(run->def.simulation, steps->image, events, steps->events_image, &event, &steps->ends_at_event,
                         error));
  if (!steps->ends_at_event && run->sink->note != NULL) {
    char text[512];
    snprintf(text, sizeof text,
             "event '%s' at t = %.9g s stops the run only at the next macro point, %.9g s, because this macro step "
             "cannot be repeated",
             mbs_event_of(run->def.model, event.number).name, event.time, cosim_state(run->simulation)->t);
    run->sink->note(run->sink->context, text);
  }
  return SEAM_OK;
}

static seam_status check_growth(seam_run *run, seam_error *error) {
  run_macro_steps *steps = &run->macro_steps;
  const seam_status status =
      seam_growth_check(&run->at.growth, run->def.model, run->check.start, run->simulation, steps->t, run->end, error);
  if (status == SEAM_BECAME_UNSTABLE)
    run_check_unstable(run, steps->t, error);
  return status;
}

/* Takes the next macro step, as step control or the plan demands. Ends early at a kink or sample inside the step; the
 * next call completes it. */
static seam_status step(seam_run *run, seam_error *error) {
  run_macro_steps *steps = &run->macro_steps;
  TRY(check_interrupt(run, steps->t, error));
  if (steps->image != NULL) {
    cosim_save(run->simulation, steps->image);
    mbs_events_save(run->events.of_model, steps->events_image);
  }
  if (is_controlled(run))
    TRY(cosim_advance_controlled(run->def.simulation, run->end, error));
  else {
    const double H = cosim_step_plan_length(&steps->plan, run->at.macro_steps);
    const double t = cosim_state(run->simulation)->t;
    const double remaining = steps->is_inside_step ? steps->end_of_step - t : H;
    steps->is_inside_step = false;
    TRY(cosim_advance_smooth(run->def.simulation, H, remaining, error));
    steps->end_of_step = t + remaining;
    steps->is_inside_step = !cosim_has_reached(run->simulation, H, steps->end_of_step);
  }
  run->at.macro_steps += !steps->is_inside_step;
  TRY(end_at_stop(run, error));
  steps->t = present_point(run);
  run_check_add_point(run, steps->t);
  return check_growth(run, error);
}

seam_status run_cosimulated(seam_run *run, seam_error *error) {
  const run_macro_steps *steps = &run->macro_steps;
  seam_status status = SEAM_OK;
  begin_rows(run);
  if (!run->is_restored) {
    status = seam_run_begin(run, error);
    run_check_add_point(run, steps->t);
    THEN(status, check_growth(run, error));
    THEN(status, run_add_macro_point(run, steps->t, error));
  }
  while (status == SEAM_OK && !has_ended(run) &&
         (is_controlled(run) ? steps->t < run->end : run->at.macro_steps < steps->plan.count)) {
    const double before = steps->t;
    status = step(run, error);
    if (status != SEAM_OK)
      (void)run_add_last_macro_point(run, before, NULL);
    THEN(status, run_add_macro_point(run, steps->t, error));
    if (status == SEAM_OK && has_ended(run))
      status = run_add_last_macro_point(run, steps->t, error);
    else if (status == SEAM_OK && !steps->is_inside_step)
      status = between_steps(run, steps->t, error);
  }
  if (status == SEAM_OK)
    run_check_add_row(run, cosim_state(run->simulation), true);
  run->statistics = cosim_statistics_of(run->simulation).integrators;
  return status;
}
