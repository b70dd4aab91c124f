/* Rows of a run, passed to its sink. */
#include <math.h>
#include <stdio.h>

#include "base/interrupt.h"
#include "base/note.h"
#include "mbs/model/unilateral.h"
#include "runs/run.h"
#include "runs/thresholds.h"

/* The tolerance runs_slack_of_step prevents an additional row due to rounding of the quotient. */
size_t seam_run_last_row(const seam_run *run) {
  return (size_t)ceil((run->end - run->at.begin) / run->output_step - runs_slack_of_step);
}

double run_row_time(const seam_run *run, size_t row) {
  return row < seam_run_last_row(run) ? run->at.begin + (double)row * run->output_step : run->end;
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

/* Stores the impacts up to this state. Counts contacts with undetermined forces, and writes a note when the first of
 * these occur. */
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

seam_status run_add_state(seam_run *run, const mbs_state *state, seam_error *error) {
  const seam_status status = add_quantities(run, SEAM_TRAJECTORY_TABLE, state, NULL, error);
  if (status != SEAM_OK)
    return status;
  seam_over_run_add(run->over_run, run->def.workspace, state);
  update_contacts(&run->events, run->def.model, state);
  run->at.time = state->t;
  run->at.rows++;
  run->at.row++;
  return SEAM_OK;
}

seam_status run_add_event(seam_run *run, const mbs_state *state, const mbs_event *event, seam_error *error) {
  const mbs_event_info info = mbs_event_of(run->def.model, event->number);
  const seam_run_label label = {info.name, mbs_sense_text(event->sense), NAN, NAN, NAN};
  if (info.stops && run->def.seen == NULL && !run_has_ended(run))
    run->events.end = *event;
  return add_quantities(run, SEAM_EVENTS_TABLE, state, &label, error);
}

seam_status run_add_impact(void *context, const mbs_impact_event *impact, const mbs_state *state, seam_error *error) {
  seam_run *run = context;
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
  run->at.record.created = seam_interface_energy_of(run->simulation).created;
  run->at.record.of_parts = 0;
  run->at.record.hides_energy = cosim_n_part_couplings(run->simulation) > 0;
  for (size_t k = 0; k < cosim_n_part_couplings(run->simulation); k++)
    run->at.record.of_parts += cosim_part_coupling_energy(run->simulation, k).residual_energy;
  seam_run_record_add(&run->at.record, run->def.model, run->def.workspace, state, run->residuals);
}

seam_status run_check_interrupt(const seam_run *run, double t, seam_error *error) {
  return interrupt_is_requested(&run->sink->interrupt, t)
             ? seam_fail(error, SEAM_INTERRUPTED, "interrupted at t = %.9g s; what was computed is kept", t)
             : SEAM_OK;
}
