/* Image of a run, the bytes that save its progress: struct image_head, then blocks of results and of the engine (the
 * integrator or the co-simulation). Each block begins at a multiple of 8 bytes. */
#include <math.h>
#include <string.h>

#include "base/argument.h"
#include "base/then.h"
#include "runs/run.h"

enum { START, UNDIVIDED_START, PEAKS, OVER_RUN, EVENTS, CHECK, ENGINE, N_BLOCKS };
enum { ALIGNMENT = 8 };

typedef struct image_head {
  size_t size[N_BLOCKS];
  run_progress progress;
} image_head;

static size_t padded(size_t size) { return (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT; }

/* Returns the state of the block START or UNDIVIDED_START; NULL: the run has none. */
static mbs_state *start_of(const seam_run *run, int block) {
  return block == START ? run->check.start : run->check.undivided_start;
}

static void find_sizes(const seam_run *run, size_t size[N_BLOCKS]) {
  for (int i = START; i <= UNDIVIDED_START; i++)
    size[i] = start_of(run, i) != NULL ? start_of(run, i)->n_values * sizeof(double) : 0;
  size[PEAKS] = run->simulation != NULL ? run->macro_rows.peaks->n * sizeof(run_peak) : 0;
  size[OVER_RUN] = seam_over_run_image_size(run->over_run);
  size[EVENTS] = mbs_events_image_size(run->events.of_model);
  size[CHECK] = track_image_size(run->check.rows);
  size[ENGINE] =
      run->simulation != NULL ? cosim_image_size(run->simulation) : mbs_integrator_image_size(run->integrator);
}

/* Returns the offset of a block in the image or, for N_BLOCKS, the size of the image. */
static size_t offset_of(const size_t size[N_BLOCKS], int block) {
  size_t offset = padded(sizeof(image_head));
  for (int i = 0; i < block; i++)
    offset += padded(size[i]);
  return offset;
}

size_t seam_run_image_size(const seam_run *run) {
  size_t size[N_BLOCKS];
  find_sizes(run, size);
  return offset_of(size, N_BLOCKS);
}

seam_status seam_run_save(seam_run *run, void *image, seam_error *error) {
  ARGUMENTS(error, run, image);
  image_head *head = image;
  memset(image, 0, seam_run_image_size(run)); /* also sets padding bytes to zero */
  find_sizes(run, head->size);
  head->progress = run->at;
  char *bytes = image;
  for (int i = START; i <= UNDIVIDED_START; i++)
    if (head->size[i] > 0)
      memcpy(bytes + offset_of(head->size, i), start_of(run, i)->q, head->size[i]);
  if (head->size[PEAKS] > 0)
    memcpy(bytes + offset_of(head->size, PEAKS), run->macro_rows.peaks->peaks, head->size[PEAKS]);
  seam_over_run_save(run->over_run, bytes + offset_of(head->size, OVER_RUN));
  if (head->size[EVENTS] > 0)
    mbs_events_save(run->events.of_model, bytes + offset_of(head->size, EVENTS));
  track_save(run->check.rows, bytes + offset_of(head->size, CHECK));
  char *engine = bytes + offset_of(head->size, ENGINE);
  if (run->simulation != NULL) {
    cosim_save(run->simulation, engine);
    return SEAM_OK;
  }
  /* Some methods restart from an image with order 1. Therefore the running integrator restarts from its image too. So a
   * run that continues after saving equals a run that is resumed. */
  mbs_integrator_save(run->integrator, engine);
  TRY(mbs_integrator_restore(run->integrator, engine, head->size[ENGINE], error));
  mbs_integrator_set_stop(run->integrator, run->end);
  return SEAM_OK;
}

static bool is_possible(const seam_run *run, const run_progress *at) {
  const mbs_model *model = run->def.model;
  const bool is_planned = run->simulation != NULL && cosim_builder_definition(run->def.builder)->step_control == NULL;
  const seam_largest_residual *seen[] = {&at->record.position, &at->record.velocity};
  bool is = at->row <= seam_run_last_row(run) + 1 && at->time >= 0 && at->time <= run->end &&
            at->changes.n <= SEAM_MAX_START_CHANGES && !(is_planned && at->macro_steps > run->macro_steps.plan.count);
  for (int i = 0; i < 2; i++)
    is = is && (!(seen[i]->value > 0) || seen[i]->constraint < mbs_n_constraints(model));
  for (size_t i = 0; is && i < at->changes.n; i++)
    is =
        at->changes.list[i].body < mbs_n_bodies(model) && seam_start_coordinate(at->changes.list[i].coordinate) != NULL;
  return is;
}

seam_status seam_run_restore(seam_run *run, const void *image, size_t size, seam_error *error) {
  ARGUMENTS(error, run, image);
  const image_head *head = image;
  size_t sizes[N_BLOCKS];
  find_sizes(run, sizes);
  bool fits = size >= padded(sizeof *head);
  if (fits) {
    sizes[ENGINE] = head->size[ENGINE]; /* the engine checks its own size when it is restored */
    fits = sizes[ENGINE] <= size && memcmp(sizes, head->size, sizeof sizes) == 0 && offset_of(sizes, N_BLOCKS) == size;
  }
  if (!fits)
    return seam_fail(error, SEAM_BAD_STATE, "the checkpoint does not belong to this model: run the model again");
  run_progress progress = head->progress;
  progress.begin = fmin(fmax(progress.begin, 0), run->end);
  run->at.begin = progress.begin; /* is_possible() counts rows from here */
  if (!is_possible(run, &progress))
    return seam_fail(error, SEAM_BAD_STATE, "the checkpoint is not of this run: run the model again");
  run->at = progress;
  run->check.lacks_points = true;
  const char *bytes = image;
  for (int i = START; i <= UNDIVIDED_START; i++)
    if (sizes[i] > 0)
      memcpy(start_of(run, i)->q, bytes + offset_of(sizes, i), sizes[i]);
  run->check.start->t = progress.begin;
  if (sizes[PEAKS] > 0)
    memcpy(run->macro_rows.peaks->peaks, bytes + offset_of(sizes, PEAKS), sizes[PEAKS]);
  seam_status status = seam_over_run_restore(run->over_run, bytes + offset_of(sizes, OVER_RUN), sizes[OVER_RUN], error);
  if (status == SEAM_OK && sizes[EVENTS] > 0)
    status = mbs_events_restore(run->events.of_model, bytes + offset_of(sizes, EVENTS), sizes[EVENTS], error);
  THEN(status, track_restore(run->check.rows, bytes + offset_of(sizes, CHECK), error));
  const char *engine = bytes + offset_of(sizes, ENGINE);
  THEN(status, run->simulation != NULL ? cosim_restore(run->def.simulation, engine, sizes[ENGINE], error)
                                       : mbs_integrator_restore(run->integrator, engine, sizes[ENGINE], error));
  run->is_restored = status == SEAM_OK;
  if (run->is_restored && run->simulation != NULL)
    run_cosimulated_restore(run);
  return status;
}
