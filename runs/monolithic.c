/* Loop of a monolithic run: advances from row to row, and to the events between rows. */
#include "runs/run.h"

#include <math.h>

#include "base/then.h"
#include "runs/thresholds.h"

static seam_status add_row(seam_run *run, seam_error *error) {
  const seam_status status = run_add_state(run, run->def.state, error);
  if (status == SEAM_OK) {
    run_record_state(run, run->def.state);
    run_check_add_row(run, run->def.state, true);
  }
  return status;
}

/* Advances to time t, or to the event that ends the run. All events up to there get rows in the events table. */
static seam_status advance_to(seam_run *run, double t, seam_error *error) {
  mbs_events *events = run->events.of_model;
  mbs_state *state = run->def.state;
  mbs_event event = {.number = SEAM_NONE};
  if (events == NULL)
    return mbs_integrator_advance(run->integrator, t, state, error);
  seam_status status = SEAM_OK;
  do {
    const double end = run_has_ended(run) ? run->events.end.time : t;
    status = mbs_integrator_advance_to_event(run->integrator, events, end, state, &event, error);
    if (status == SEAM_OK && event.number != SEAM_NONE)
      status = run_add_event(run, state, &event, error);
  } while (status == SEAM_OK && event.number != SEAM_NONE);
  return status;
}

/* Adds states between two rows to the record for the verdict, because all rows may meet a periodic motion at the same
 * phase. The states lie at irrational fractions of the time between rows. */
static seam_status record_between(seam_run *run, seam_error *error) {
  const size_t n = RUNS_LEAST_STATES / seam_run_last_row(run);
  const double from = run->at.row > 0 ? run_row_time(run, run->at.row - 1) : run->at.begin;
  const double length = run_row_time(run, run->at.row) - from;
  mbs_state *state = run->def.state;
  size_t stride = 1; /* doubles as long as the integrator takes no new step */
  seam_status status = SEAM_OK;
  for (size_t i = 0; i < n && status == SEAM_OK && !run_has_ended(run); i += stride) {
    const size_t n_steps = mbs_integrator_statistics(run->integrator).steps;
    const double t = from + length * ((double)i + runs_state_offset) / (double)n;
    if (t <= state->t)
      continue;
    status = advance_to(run, t, error);
    if (status != SEAM_OK || run_has_ended(run))
      break;
    stride = mbs_integrator_statistics(run->integrator).steps > n_steps ? 1 : 2 * stride;
    run_record_state(run, state);
    run_check_add_row(run, state, true);
  }
  return status;
}

seam_status run_monolithic(seam_run *run, seam_error *error) {
  mbs_state *state = run->def.state;
  const seam_interrupt *interrupt = &run->sink->interrupt;
  seam_status status = SEAM_OK;
  mbs_integrator_set_impact_listener(run->integrator, run_add_impact, run);
  mbs_integrator_set_reader(run->integrator, run->def.workspace);
  if (!run->is_restored) {
    status = mbs_integrator_start(run->integrator, state, error);
    THEN(status, mbs_begin_friction(run->def.workspace, state, error));
    if (status == SEAM_OK && run->events.of_model != NULL)
      status = mbs_events_start(run->events.of_model, state, error);
    THEN(status, add_row(run, error));
  }
  if (status != SEAM_OK)
    return status;
  const double distance = fmin(run->output_step, runs_sample_distance * (run->end - state->t));
  seam_over_run_sample_steps(run->over_run, run->integrator, run->def.workspace, distance);
  mbs_integrator_set_stop(run->integrator, run->end);
  mbs_integrator_set_interrupt(run->integrator, interrupt->is_requested, interrupt->context);
  const size_t last = seam_run_last_row(run);
  while (run->at.row <= last && status == SEAM_OK && !run_has_ended(run)) {
    status = run_check_interrupt(run, run->at.time, error); /* the integrator's steps may span many rows */
    THEN(status, record_between(run, error));
    THEN(status, advance_to(run, run_row_time(run, run->at.row), error));
    if (status == SEAM_OK && state->t > run->at.time)
      status = add_row(run, error);
    if (status == SEAM_OK && !run_has_ended(run))
      status = run_between_steps(run, state->t, error);
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
