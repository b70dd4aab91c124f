/* The loop of a co-simulated run. Macro steps are of equal length, or as the file's step control chooses. */
#include <stdio.h>
#include <stdlib.h>

#include "runs/run.h"

static const double rounding = 1e-12; /* of the end, which controlled steps meet but for this */

/* ---- Macro points ---- */

static bool is_controlled(const seam_run *run) { return cosim_builder_step_control(run->def.builder) != NULL; }

/* Sums of macro steps would not stand at their multiples. */
static double present_point(const seam_run *run) {
  const run_macro_steps *steps = &run->macro_steps;
  const double t = cosim_state(run->simulation)->t;
  if (steps->ends_at_event)
    return t;
  if (is_controlled(run))
    return t >= (1 - rounding) * run->end ? run->end : t;
  return steps->is_within ? t : cosim_step_plan_time(&steps->plan, steps->count);
}

static bool is_done(const seam_run *run) {
  const run_macro_steps *steps = &run->macro_steps;
  if (event_watch_has_ended(&run->events))
    return true;
  return is_controlled(run) ? steps->t >= run->end : steps->count >= steps->plan.count;
}

/* As much of a macro step of the plan as ends at a kink. */
static seam_status take_planned(seam_run *run, seam_error *error) {
  run_macro_steps *steps = &run->macro_steps;
  const double H = cosim_step_plan_length(&steps->plan, steps->count);
  const double t = cosim_state(run->simulation)->t;
  const double rest = steps->is_within ? steps->end_of_step - t : H;
  const seam_status status = cosim_advance_smooth(run->def.simulation, H, rest, error);
  steps->end_of_step = t + rest;
  steps->is_within = status == SEAM_OK && !cosim_has_reached(run->simulation, H, steps->end_of_step);
  return status;
}

static seam_status take_step(seam_run *run, seam_error *error) {
  run_macro_steps *steps = &run->macro_steps;
  const seam_status status =
      is_controlled(run) ? cosim_advance_controlled(run->def.simulation, run->end, error) : take_planned(run, error);
  steps->count += status == SEAM_OK && !steps->is_within;
  return status;
}

/* ---- Bounds ---- */

/* A monolithic run that fails or is stopped on its way gives the bounds up to there. */
static seam_status run_bounds(seam_run *run, mbs_state *state, mbs_events *events, seam_error *error) {
  const mbs_model *model = run->def.model;
  const seam_interrupt *interrupt = &run->sink->interrupt;
  seam_bounds *bounds = &run->macro_steps.bounds.monolithic;
  mbs_event event = {.number = SEAM_NONE};
  seam_status status = mbs_integrator_start(run->integrator, state, NULL);
  if (status == SEAM_OK)
    status = mbs_events_start(events, state, NULL);
  mbs_integrator_set_interrupt(run->integrator, interrupt->is_requested, interrupt->context);
  mbs_integrator_set_stop(run->integrator, run->end);
  seam_bounds_add(bounds, model, state);
  const size_t last = seam_run_last_row(run);
  for (size_t row = 1; row <= last && status == SEAM_OK && event.number == SEAM_NONE; row++) {
    status = seam_advance_to_stop(model, run->integrator, events, run_row_time(run, row), state, &event, NULL);
    seam_bounds_add(bounds, model, state);
  }
  return status == SEAM_INTERRUPTED ? run_interrupted(state->t, error) : SEAM_OK;
}

static seam_status find_bounds(seam_run *run, seam_error *error) {
  mbs_state *state = NULL;
  mbs_events *events = NULL;
  seam_status status = mbs_state_create(run->def.model, &state, error);
  if (status == SEAM_OK)
    status = mbs_events_create(run->def.model, &events, error);
  if (status == SEAM_OK) {
    mbs_state_copy(state, run->def.state);
    run->is_bounding = true;
    status = run_bounds(run, state, events, error);
    run->is_bounding = false;
  }
  mbs_events_destroy(events);
  mbs_state_destroy(state);
  return status;
}

/* ---- Preparation ---- */

seam_status macro_steps_prepare(seam_run *run, seam_error *error) {
  run_macro_steps *steps = &run->macro_steps;
  const mbs_integrator_options *options = &seam_model_simulation(run->def.file)->integrator;
  steps->bounds.is_alone = cosim_has_signals(run->def.builder);
  seam_status status =
      cosim_step_plan_make(cosim_options_of(run->def.builder).macro_step, run->end, &steps->plan, error);
  if (status == SEAM_OK && !steps->bounds.is_alone)
    status = mbs_integrator_create(run->def.model, options, &run->integrator, error);
  if (status != SEAM_OK || !seam_has_stops(run->def.model))
    return status;
  steps->image = malloc(cosim_image_size(run->simulation) + 1);
  steps->events_image = malloc(mbs_events_image_size(run->events.watched));
  return steps->image != NULL && steps->events_image != NULL ? SEAM_OK
                                                             : seam_fail(error, SEAM_NO_MEMORY, "memory is exhausted");
}

void macro_steps_restore(seam_run *run) { run->macro_steps.t = present_point(run); }

void macro_steps_release(seam_run *run) {
  free(run->macro_steps.image);
  free(run->macro_steps.events_image);
}

/* ---- Stops ---- */

static void save_images(const seam_run *run) {
  if (run->macro_steps.image == NULL)
    return;
  cosim_save(run->simulation, run->macro_steps.image);
  mbs_events_save(run->events.watched, run->macro_steps.events_image);
}

static void note_late_stop(const seam_run *run, const mbs_event *event) {
  char text[512];
  if (run->sink->note == NULL)
    return;
  snprintf(text, sizeof text,
           "'%s' at t = %.9g s stops the run at the macro point behind it, %.9g s: the macro step cannot be repeated "
           "with another end",
           mbs_event_name(run->def.model, event->number), event->time, cosim_state(run->simulation)->t);
  run->sink->note(run->sink->context, text);
}

/* Ends the macro step at the first event of it that stops the run. Events are taken with their rows. */
static seam_status end_at_stop(seam_run *run, seam_error *error) {
  run_macro_steps *steps = &run->macro_steps;
  mbs_events *watched = run->events.watched;
  mbs_event event = {.number = SEAM_NONE};
  seam_status status = SEAM_OK;
  if (steps->events_image == NULL)
    return SEAM_OK;
  do
    status = cosim_next_event(run->simulation, watched, &event, error);
  while (status == SEAM_OK && event.number != SEAM_NONE && !mbs_event_stops(run->def.model, event.number));
  if (status != SEAM_OK)
    return status;
  if (event.number == SEAM_NONE)
    return mbs_events_restore(watched, steps->events_image, mbs_events_image_size(watched), error);
  status = cosim_end_at_event(run->def.simulation, steps->image, watched, steps->events_image, &event,
                              &steps->ends_at_event, error);
  if (status == SEAM_OK && !steps->ends_at_event)
    note_late_stop(run, &event);
  return status;
}

/* ---- The run ---- */

static seam_status check_bounds(seam_run *run, seam_error *error) {
  run_macro_steps *steps = &run->macro_steps;
  return seam_run_bounds_check(&steps->bounds, run->def.model, run->simulation, steps->t, run->end, error);
}

static seam_status begin(seam_run *run, seam_error *error) {
  seam_status status = run->macro_steps.bounds.is_alone ? SEAM_OK : find_bounds(run, error);
  if (status == SEAM_OK)
    status = cosim_start(run->def.simulation, run->def.state, error);
  if (status == SEAM_OK)
    status = check_bounds(run, error);
  return status == SEAM_OK ? macro_rows_take(run, run->macro_steps.t, error) : status;
}

static seam_status step(seam_run *run, seam_error *error) {
  run_macro_steps *steps = &run->macro_steps;
  if (run_is_asked_to_end(run, steps->t))
    return run_interrupted(steps->t, error);
  save_images(run);
  seam_status status = take_step(run, error);
  if (status == SEAM_OK)
    status = end_at_stop(run, error);
  if (status != SEAM_OK)
    return status;
  steps->t = present_point(run);
  return check_bounds(run, error);
}

static seam_status advance(seam_run *run, seam_error *error) {
  run_macro_steps *steps = &run->macro_steps;
  const double before = steps->t;
  seam_status status = step(run, error);
  if (status != SEAM_OK) {
    (void)macro_rows_take_last(run, before, NULL);
    return status;
  }
  status = macro_rows_take(run, steps->t, error);
  if (status == SEAM_OK && event_watch_has_ended(&run->events))
    return macro_rows_take_last(run, steps->t, error);
  return status == SEAM_OK && !steps->is_within ? run_rest(run, steps->t, error) : status;
}

seam_status macro_steps_carry_out(seam_run *run, seam_error *error) {
  macro_rows_begin(run);
  seam_status status = run->is_restored ? SEAM_OK : begin(run, error);
  while (status == SEAM_OK && !is_done(run))
    status = advance(run, error);
  run->statistics = cosim_statistics_of(run->simulation).integrators;
  return status;
}
