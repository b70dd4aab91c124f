/* The whole mechanism, by one integrator. */
#include <stdlib.h>

#include "app/commands/run.h"
#include "app/interrupt.h"

/* Asked after every step of the integrator. */
static bool watch(void *context, double time) {
  app_run *run = context;
  progress_update(&run->progress, time, mbs_integrator_statistics(run->integrator).steps);
  return interrupt_asked();
}

/* The integrator goes on from the image as a resumed run will: some methods start anew from one. */
static seam_status write_checkpoint(app_run *run, seam_error *error) {
  const size_t size = mbs_integrator_image_size(run->integrator);
  void *image = malloc(size);
  if (image) {
    mbs_integrator_save(run->integrator, image);
    const seam_status status = mbs_integrator_restore(run->integrator, image, size, error);
    if (status != SEAM_OK) {
      free(image);
      return status;
    }
    mbs_integrator_set_stop(run->integrator, run->simulation->end);
  }
  return run_write_checkpoint(run, image, size, error);
}

static seam_status begin(app_run *run, seam_error *error) {
  if (run->from)
    return mbs_integrator_restore(run->integrator, run->from->image.data, run->from->image.size, error);
  const seam_status status = mbs_integrator_start(run->integrator, run->setup.state, error);
  return status == SEAM_OK ? run_write_row(run, run->setup.state, error) : status;
}

static seam_status advance(app_run *run, seam_error *error) {
  mbs_state *state = run->setup.state;
  if (interrupt_asked()) /* a step may be longer than many rows */
    return run_interrupted(state->t, error);
  seam_status status = mbs_integrator_advance(run->integrator, run_row_time(run, run->row), state, error);
  if (status == SEAM_OK)
    status = run_write_row(run, state, error);
  if (status == SEAM_OK && run_checkpoint_is_due(run, state->t))
    status = write_checkpoint(run, error);
  return status;
}

seam_status run_monolithic_prepare(app_run *run, seam_error *error) {
  return mbs_integrator_create(run->setup.model, &run->simulation->integrator, &run->integrator, error);
}

seam_status run_monolithic(app_run *run, seam_error *error) {
  seam_status status = begin(run, error);
  if (status != SEAM_OK)
    return status;
  mbs_integrator_set_stop(run->integrator, run->simulation->end);
  mbs_integrator_set_interrupt(run->integrator, watch, run);
  run->progress = progress_start(run->quiet, run->simulation->end);
  const size_t last = run_last_row(run);
  while (run->row <= last && status == SEAM_OK)
    status = advance(run, error);
  progress_clear(&run->progress);
  run->summary.statistics = mbs_integrator_statistics(run->integrator);
  /* A run that ended early: its last good state is worth a row. */
  if (status != SEAM_OK && status != SEAM_NO_FILE && run->setup.state->t > run->summary.time)
    run_write_row(run, run->setup.state, NULL);
  return status;
}
