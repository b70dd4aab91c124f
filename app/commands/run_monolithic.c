#include "app/commands/run_monolithic.h"

#include <stdlib.h>

#include "app/failure.h"
#include "app/interrupt.h"
#include "app/progress.h"

typedef struct monolithic {
  mbs_integrator *integrator;
  run_files *files;
  mbs_state *state; /* of the last row */
  double begun;     /* s, where a resumed run continues */
  app_progress progress;
} monolithic;

/* Called after every step of the integrator. */
static bool show_and_ask(void *context, double time) {
  monolithic *run = context;
  run_hand_over_rows(run->files);
  progress_run(&run->progress, (time - run->begun) / (run->files->end - run->begun), time,
               mbs_integrator_statistics(run->integrator).steps);
  return interrupt_asked();
}

/* The integrator continues from the image as a resumed run will: some methods restart from one. */
static seam_status write_checkpoint(monolithic *run, seam_error *error) {
  const size_t size = mbs_integrator_image_size(run->integrator);
  void *image = malloc(size);
  if (image == NULL)
    return out_of_memory(error);
  mbs_integrator_save(run->integrator, image);
  seam_status status = mbs_integrator_restore(run->integrator, image, size, error);
  if (status == SEAM_OK) {
    app_checkpoint checkpoint = {.image = {image, size}};
    mbs_integrator_set_stop(run->integrator, run->files->end);
    status = run_write_checkpoint(run->files, &checkpoint, error);
  }
  free(image);
  return status;
}

static seam_status write_row(run_files *files, const mbs_state *state, seam_error *error) {
  const seam_status status = run_write_row(files, state, error);
  if (status == SEAM_OK)
    run_judge_state(files, state);
  return status;
}

static seam_status begin(monolithic *run, seam_error *error) {
  if (run->files->from != NULL)
    return SEAM_OK; /* as it was restored */
  seam_status status = mbs_integrator_start(run->integrator, run->state, error);
  if (status == SEAM_OK)
    status = mbs_begin_friction(run->files->setup->workspace, run->state, error);
  if (status == SEAM_OK && run->files->events.watched != NULL)
    status = mbs_events_start(run->files->events.watched, run->state, error);
  return status == SEAM_OK ? write_row(run->files, run->state, error) : status;
}

/* To a time, or to the event that ends the run. Others at its time count too. */
static seam_status advance_to(monolithic *run, double t, seam_error *error) {
  event_list *events = &run->files->events;
  mbs_event event = {.number = SEAM_NONE};
  if (events->watched == NULL)
    return mbs_integrator_advance(run->integrator, t, run->state, error);
  seam_status status = SEAM_OK;
  do {
    const double end = event_list_has_ended(events) ? events->end.time : t;
    status = mbs_integrator_advance_to_event(run->integrator, events->watched, end, run->state, &event, error);
    if (status == SEAM_OK && event.number != SEAM_NONE)
      status = run_write_event(run->files, run->state, &event, error);
  } while (status == SEAM_OK && event.number != SEAM_NONE);
  return status;
}

static seam_status hear_impact(void *context, const mbs_impact_event *impact, const mbs_state *state,
                               seam_error *error) {
  const monolithic *run = context;
  return run_write_impact(run->files, state, impact, error);
}

static bool has_ended(const monolithic *run) { return event_list_has_ended(&run->files->events); }

static seam_status advance(monolithic *run, seam_error *error) {
  run_files *files = run->files;
  if (interrupt_asked()) /* a step may be longer than many rows */
    return run_interrupted(run->state->t, error);
  seam_status status = advance_to(run, run_row_time(files, files->row), error);
  if (status == SEAM_OK && run->state->t > files->summary.time)
    status = write_row(files, run->state, error);
  if (status == SEAM_OK && !has_ended(run) && run_checkpoint_is_due(files, run->state->t))
    status = write_checkpoint(run, error);
  return status;
}

seam_status run_monolithic_create(const app_setup *setup, const app_checkpoint *from, mbs_integrator **created,
                                  seam_error *error) {
  const mbs_integrator_options *options = &seam_model_simulation(setup->file)->integrator;
  const seam_status status = mbs_integrator_create(setup->model, options, created, error);
  return status == SEAM_OK && from != NULL ? mbs_integrator_restore(*created, from->image.data, from->image.size, error)
                                           : status;
}

seam_status run_monolithic(mbs_integrator *integrator, run_files *files, mbs_state *state, bool quiet,
                           seam_error *error) {
  monolithic run = {integrator, files, state, files->summary.time, progress_start(quiet)};
  progress_phase(&run.progress, NULL, 1, 0);
  mbs_integrator_set_impact_listener(integrator, hear_impact, &run);
  mbs_integrator_set_reader(integrator, files->setup->workspace);
  seam_status status = begin(&run, error);
  if (status != SEAM_OK)
    return status;
  seam_over_run_follow(files->statistics.over_run, integrator, files->setup->workspace, files->output_step);
  mbs_integrator_set_stop(integrator, files->end);
  mbs_integrator_set_interrupt(integrator, show_and_ask, &run);
  const size_t last = run_last_row(files);
  while (files->row <= last && status == SEAM_OK && !has_ended(&run))
    status = advance(&run, error);
  const seam_status ended = seam_over_run_end(files->statistics.over_run, state->t, status == SEAM_OK ? error : NULL);
  status = status == SEAM_OK ? ended : status;
  progress_clear(&run.progress);
  files->summary.statistics = mbs_integrator_statistics(integrator);
  /* A run that ended early: its last good state is worth a row. */
  if (status != SEAM_OK && status != SEAM_NO_FILE && state->t > files->summary.time)
    write_row(files, state, NULL);
  return status;
}
