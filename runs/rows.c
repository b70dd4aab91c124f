/* Rows of a run, passed to its sink. */
#include <math.h>
#include <stdio.h>

#include "base/interrupt.h"
#include "runs/run.h"
#include "runs/thresholds.h"

/* The tolerance runs_slack_of_step prevents an additional row due to rounding of the quotient. */
size_t seam_run_last_row(const seam_run *run) {
  return (size_t)ceil((run->end - run->begin) / run->output_step - runs_slack_of_step);
}

double run_row_time(const seam_run *run, size_t row) {
  return row < seam_run_last_row(run) ? run->begin + (double)row * run->output_step : run->end;
}

seam_status run_pass_row(seam_run *run, seam_run_table table, const seam_run_label *label, seam_error *error) {
  const seam_run_sink *sink = run->sink;
  if (sink->take == NULL)
    return SEAM_OK;
  const seam_status status = sink->take(sink->context, table, run->tables[table].row, label, error);
  run->has_failed_sink = run->has_failed_sink || status != SEAM_OK;
  return status;
}

seam_status run_between_steps(seam_run *run, double t, seam_error *error) {
  const seam_run_sink *sink = run->sink;
  if (sink->between_steps == NULL)
    return SEAM_OK;
  const seam_status status = sink->between_steps(sink->context, t, error);
  run->has_failed_sink = run->has_failed_sink || status != SEAM_OK;
  return status;
}

static seam_status add_quantities(seam_run *run, seam_run_table table, const mbs_state *state,
                                  const seam_run_label *label, seam_error *error) {
  run_table *of = &run->tables[table];
  const seam_status status = seam_trajectory_row(of->columns, run->def.workspace, state, of->row, error);
  return status == SEAM_OK ? run_pass_row(run, table, label, error) : status;
}

seam_status run_add_state(seam_run *run, const mbs_state *state, seam_error *error) {
  const seam_status status = add_quantities(run, SEAM_TRAJECTORY_TABLE, state, NULL, error);
  if (status != SEAM_OK)
    return status;
  seam_over_run_add(run->over_run, run->def.workspace, state);
  event_monitor_update(&run->events, state);
  run->time = state->t;
  run->rows++;
  run->row++;
  return SEAM_OK;
}

seam_status run_add_event(seam_run *run, const mbs_state *state, const mbs_event *event, seam_error *error) {
  const mbs_model *model = run->def.model;
  const seam_run_label label = {mbs_event_of(model, event->number).name, mbs_sense_text(event->sense), NAN, NAN, NAN};
  const bool stops = run->def.seen == NULL && mbs_event_of(model, event->number).stops;
  if (stops && !event_monitor_has_ended(&run->events))
    run->events.end = *event;
  return add_quantities(run, SEAM_EVENTS_TABLE, state, &label, error);
}

seam_status run_add_impact(seam_run *run, const mbs_state *state, const mbs_impact_event *impact, seam_error *error) {
  const seam_run_label label = {mbs_force_of(run->def.model, impact->force).name, "impact", impact->normal,
                                impact->tangential, impact->loss};
  mbs_state *after_impact = run->events.after_impact;
  if (impact->count > SEAM_MAX_LISTED_IMPACTS || after_impact == NULL)
    return SEAM_OK;
  mbs_state_copy(after_impact, state);
  const seam_status status = mbs_evaluate(run->def.workspace, after_impact, error);
  return status == SEAM_OK ? add_quantities(run, SEAM_EVENTS_TABLE, after_impact, &label, error) : status;
}

void run_record_state(seam_run *run, const mbs_state *state) {
  run->record.created = seam_interface_energy_of(run->simulation).created;
  run->record.of_parts = 0;
  run->record.hides_energy = cosim_n_part_couplings(run->simulation) > 0;
  for (size_t k = 0; k < cosim_n_part_couplings(run->simulation); k++)
    run->record.of_parts += cosim_part_coupling_energy(run->simulation, k).residual_energy;
  seam_run_record_add(&run->record, run->def.model, run->def.workspace, state, run->residuals);
}

/* ---- Interruptions ---- */

bool run_must_end(const seam_run *run, double t) { return interrupt_is_requested(&run->sink->interrupt, t); }

seam_status run_interrupted(double t, seam_error *error) {
  return seam_fail(error, SEAM_INTERRUPTED, "interrupted at t = %.9g s; what was computed is kept", t);
}
