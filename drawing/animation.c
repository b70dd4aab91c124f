/* Set-up of an animation: its speed, and a scene with room for both motions. */
#include "drawing/animation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double animation_speed(const seam_motion *shown, double speed) {
  const double span = shown->t[shown->n - 1] - shown->t[0];
  if (!isnan(speed) || (span >= 2 && span <= 20))
    return isnan(speed) ? 1 : speed;
  const double slowest = span / 20;
  const double power = pow(10, ceil(log10(slowest)));
  return slowest <= power / 5 ? power / 5 : slowest <= power / 2 ? power / 2 : power;
}

seam_status animation_scene(const seam_model_file *file, bool with_cuts, const seam_motion *shown,
                            const seam_motion *ghost, scene *made, seam_error *error) {
  const size_t n = 3 * mbs_n_bodies(seam_model_mechanism(file));
  const size_t n_shown = shown->n * n;
  const size_t n_ghost = ghost != NULL ? ghost->n * n : 0;
  double *q = malloc((n_shown + n_ghost + 1) * sizeof *q);
  if (q == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "memory is exhausted");
  memcpy(q, shown->q, n_shown * sizeof *q);
  if (n_ghost > 0)
    memcpy(q + n_shown, ghost->q, n_ghost * sizeof *q);
  const scene_poses poses = {q, shown->n + (ghost != NULL ? ghost->n : 0)};
  const seam_status status = scene_create(file, with_cuts, poses, made, error);
  free(q);
  return status;
}
