/* A run makes no progress if it would need too many steps. The last K steps (K >= 10000) have covered the time Δ. T is
 * the larger of |t| and the time from the start to the stop time; without a stop time, to the present time t. The run
 * fails if it would need
 *
 *   K T / Δ > 1e9 steps, or 1e8 if K/3 attempts or more were rejected, or if rates may jump.
 *
 * The cause is a force that jumps back and forth. Steps then fail again and again, or are so short that the jump has an
 * effect below the tolerance. */
#include "solvers/stepper.h"
#include "solvers/thresholds.h"

void seam_progress_begin(seam_progress *self, double t, const seam_statistics *so_far) {
  self->begin = self->t = t;
  self->steps = so_far->steps;
  self->rejected = so_far->rejected;
}

seam_status seam_progress_check(seam_progress *self, double t, double stop, const seam_statistics *so_far,
                                seam_error *error) {
  const size_t steps = so_far->steps - self->steps;
  self->is_stalled = false;
  if (steps < SEAM_STEPS_BETWEEN_CHECKS)
    return SEAM_OK;
  const double gained = t - self->t;
  const double span = fmax(fabs(t), isfinite(stop) ? stop - self->begin : t - self->begin);
  const bool is_doubtful = self->may_jump || 3 * (so_far->rejected - self->rejected) >= steps;
  const bool goes_on = gained * (is_doubtful ? seam_most_doubtful_steps : seam_most_steps) >= (double)steps * span;
  self->t = t;
  self->steps = so_far->steps;
  self->rejected = so_far->rejected;
  self->is_stalled = !goes_on;
  if (goes_on)
    return SEAM_OK;
  return seam_fail(error, SEAM_STEP_FAILED,
                   "t = %.9g s: no progress: the last %zu steps advance the time by only %.3g s in all; look for a "
                   "force that jumps, or loosen rtol and atol",
                   t, steps, gained);
}
