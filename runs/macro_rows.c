/* Rows of a co-simulated run. The simulation is advanced by the run, or by its caller. */
#include "base/then.h"
#include "cosim/steps/simulation.h"
#include "runs/run.h"
#include "runs/thresholds.h"

static bool has_jumped(const cosim_simulation *simulation) {
  const mbs_state *left = cosim_state_before_jump(simulation);
  return left != NULL && left != cosim_state(simulation);
}

seam_status macro_rows_prepare(seam_run *run, seam_error *error) {
  const double macro_step =
      run->def.macro_step > 0 ? run->def.macro_step : cosim_builder_definition(run->def.builder)->options.macro_step;
  run->macro_rows.time_slack = runs_slack_of_step * macro_step;
  return peaks_create(run->tables[SEAM_COUPLINGS_TABLE].columns, run->simulation, &run->macro_rows.peaks, error);
}

void macro_rows_begin(seam_run *run) {
  run->macro_rows.has_started_events = run->is_restored;
  run->macro_rows.restarts = has_jumped(run->simulation);
}

/* Adds samples for statistics up to t. With collocation macro steps may get samples inside. Without it accelerations
 * and reactions are linear over a step, and samples at its ends suffice. A step that begins or ends with a jump is an
 * exception: it may be an entire smooth piece, for which two samples are too few. */
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
  seam_status status = SEAM_OK;
  while (run->at.row <= last && run_row_time(run, run->at.row) <= t + run->macro_rows.time_slack && status == SEAM_OK) {
    const double at = run_row_time(run, run->at.row);
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
    status = run_add_state(run, run->def.state, error);
  }
  return status;
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
  seam_status status = cosim_next_event(run->simulation, run->events.of_model, &event, error);
  while (status == SEAM_OK && event.number != SEAM_NONE) {
    if (event.time < now->t)
      cosim_state_between(run->simulation, event.time, run->def.state);
    else
      mbs_state_copy(run->def.state, now);
    status = run_add_event(run, run->def.state, &event, error);
    THEN(status, cosim_next_event(run->simulation, run->events.of_model, &event, error));
  }
  return status;
}

seam_status macro_rows_add(seam_run *run, double t, seam_error *error) {
  const run_table *couplings = &run->tables[SEAM_COUPLINGS_TABLE];
  const run_table *signals = &run->tables[SEAM_SIGNALS_TABLE];
  seam_couplings_row(couplings->columns, t, couplings->row);
  peaks_add(run->macro_rows.peaks, couplings->row);
  seam_status status = run_pass_row(run, SEAM_COUPLINGS_TABLE, NULL, error);
  if (status == SEAM_OK && signals->columns != NULL) {
    seam_signals_row(signals->columns, t, signals->row);
    status = run_pass_row(run, SEAM_SIGNALS_TABLE, NULL, error);
  }
  THEN(status, add_events(run, error));
  if (run->tables[SEAM_TRAJECTORY_TABLE].columns == NULL)
    run->at.time = t;
  else if (status == SEAM_OK) {
    run_record_state(run, cosim_state(run->simulation)); /* only states at macro points, as others are interpolated */
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

seam_status macro_rows_add_last(seam_run *run, double t, seam_error *error) {
  if (run->tables[SEAM_TRAJECTORY_TABLE].columns == NULL || t <= run->at.time + run->macro_rows.time_slack)
    return SEAM_OK;
  cosim_state_between(run->simulation, t, run->def.state);
  return run_add_state(run, run->def.state, error);
}
