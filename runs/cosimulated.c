/* The loop of a co-simulated run. Macro steps have equal lengths, or the file's step control chooses them. */
#include <stdio.h>
#include <stdlib.h>

#include "base/then.h"
#include "runs/run.h"
#include "runs/thresholds.h"

static bool is_controlled(const seam_run *run) {
  return cosim_builder_definition(run->def.builder)->step_control != NULL;
}

/* Returns the time of the present macro point, s. With fixed steps it is a multiple of the step, because a sum would
 * accumulate rounding. */
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

seam_status macro_steps_prepare(seam_run *run, seam_error *error) {
  run_macro_steps *steps = &run->macro_steps;
  const seam_status status = cosim_step_plan_make(cosim_builder_definition(run->def.builder)->options.macro_step,
                                                  run->end, &steps->plan, error);
  if (status != SEAM_OK || !seam_has_stops(run->def.model))
    return status;
  steps->image = malloc(cosim_image_size(run->simulation) + 1);
  steps->events_image = malloc(mbs_events_image_size(run->events.of_model));
  return steps->image != NULL && steps->events_image != NULL ? SEAM_OK
                                                             : seam_fail(error, SEAM_NO_MEMORY, "memory is exhausted");
}

void macro_steps_restore(seam_run *run) { run->macro_steps.t = present_point(run); }

/* Repeats the macro step if an event that stops the run occurred in it. The repeated step ends at the first such event.
 * macro_rows_add() later finds the events again and adds them. */
static seam_status end_at_stop(seam_run *run, seam_error *error) {
  run_macro_steps *steps = &run->macro_steps;
  mbs_events *events = run->events.of_model;
  mbs_event event = {.number = SEAM_NONE};
  seam_status status;
  if (steps->events_image == NULL)
    return SEAM_OK;
  do
    status = cosim_next_event(run->simulation, events, &event, error);
  while (status == SEAM_OK && event.number != SEAM_NONE && !mbs_event_of(run->def.model, event.number).stops);
  if (status != SEAM_OK)
    return status;
  if (event.number == SEAM_NONE)
    return mbs_events_restore(events, steps->events_image, mbs_events_image_size(events), error);
  status = cosim_end_at_event(run->def.simulation, steps->image, events, steps->events_image, &event,
                              &steps->ends_at_event, error);
  if (status == SEAM_OK && !steps->ends_at_event && run->sink->note != NULL) {
    char text[512];
    snprintf(text, sizeof text,
             "event '%s' at t = %.9g s stops the run only at the next macro point, %.9g s, because this macro step "
             "cannot be repeated",
             mbs_event_of(run->def.model, event.number).name, event.time, cosim_state(run->simulation)->t);
    run->sink->note(run->sink->context, text);
  }
  return status;
}

static seam_status check_growth(seam_run *run, seam_error *error) {
  run_macro_steps *steps = &run->macro_steps;
  const seam_status status =
      seam_growth_check(&run->at.growth, run->def.model, run->check.start, run->simulation, steps->t, run->end, error);
  if (status == SEAM_BECAME_UNSTABLE)
    run_check_unstable(run, steps->t, error);
  return status;
}

/* Takes the next macro step, as step control or the plan demands. If there is a kink or sample inside the step, ends
 * there; the next call completes the step. */
static seam_status step(seam_run *run, seam_error *error) {
  run_macro_steps *steps = &run->macro_steps;
  seam_status status = run_check_interrupt(run, steps->t, error);
  if (status != SEAM_OK)
    return status;
  if (steps->image != NULL) {
    cosim_save(run->simulation, steps->image);
    mbs_events_save(run->events.of_model, steps->events_image);
  }
  if (is_controlled(run))
    status = cosim_advance_controlled(run->def.simulation, run->end, error);
  else {
    const double H = cosim_step_plan_length(&steps->plan, run->at.macro_steps);
    const double t = cosim_state(run->simulation)->t;
    const double remaining = steps->is_inside_step ? steps->end_of_step - t : H;
    status = cosim_advance_smooth(run->def.simulation, H, remaining, error);
    steps->end_of_step = t + remaining;
    steps->is_inside_step = status == SEAM_OK && !cosim_has_reached(run->simulation, H, steps->end_of_step);
  }
  run->at.macro_steps += status == SEAM_OK && !steps->is_inside_step;
  THEN(status, end_at_stop(run, error));
  if (status != SEAM_OK)
    return status;
  steps->t = present_point(run);
  run_check_add_point(run, steps->t);
  return check_growth(run, error);
}

seam_status macro_steps_carry_out(seam_run *run, seam_error *error) {
  const run_macro_steps *steps = &run->macro_steps;
  seam_status status = SEAM_OK;
  macro_rows_begin(run);
  if (!run->is_restored) {
    status = seam_run_begin(run, error);
    run_check_add_point(run, steps->t);
    THEN(status, check_growth(run, error));
    THEN(status, macro_rows_add(run, steps->t, error));
  }
  while (status == SEAM_OK && !has_ended(run) &&
         (is_controlled(run) ? steps->t < run->end : run->at.macro_steps < steps->plan.count)) {
    const double before = steps->t;
    status = step(run, error);
    if (status != SEAM_OK)
      (void)macro_rows_add_last(run, before, NULL);
    THEN(status, macro_rows_add(run, steps->t, error));
    if (status == SEAM_OK && has_ended(run))
      status = macro_rows_add_last(run, steps->t, error);
    else if (status == SEAM_OK && !steps->is_inside_step)
      status = run_between_steps(run, steps->t, error);
  }
  if (status == SEAM_OK)
    run_check_add_row(run, cosim_state(run->simulation), true);
  run->statistics = cosim_statistics_of(run->simulation).integrators;
  return status;
}
