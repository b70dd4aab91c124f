/* Motions and wrenches of a cut at macro points, and motions between them. */
#ifndef COSIM_MASTER_SNAPSHOT_H
#define COSIM_MASTER_SNAPSHOT_H

#include "cosim/master/element.h"
#include "cosim/master/scheme.h"

/* At a macro point, or a small change of it. */
typedef struct cosim_snapshot {
  cosim_motion motion[2];
  double wrench[2][COSIM_MAX_FORCES]; /* on each side, both signed as on side 1 */
} cosim_snapshot;

/* After a step, or small changes of it: at its end and, with collocation, at the inner nodes, descending. */
typedef struct cosim_outcome {
  cosim_snapshot end, inner[COSIM_MAX_INNER];
} cosim_outcome;

/* From t to t + H. */
typedef struct cosim_step_interval {
  double t, H;
  const cosim_snapshot *begin, *end;
  const cosim_snapshot *inner; /* NULL: there are no inner nodes */
  const struct cosim_law_gradients
      *of_kinked; /* collocation: W' at the end has these slopes; NULL: those of the law there */
} cosim_step_interval;

/* A coordinate and its rate. */
typedef struct cosim_cubic {
  double x, v;
} cosim_cubic;

/* At s = τ / H between two points, by Hermite's cubic through their coordinates and rates, Δ the difference of x:
 *
 *   x = x0 + H v0 s + (3 Δ - H (2 v0 + v1)) s² + (H (v0 + v1) - 2 Δ) s³ */
static inline cosim_cubic cosim_cubic_at(cosim_cubic begin, cosim_cubic end, double H, double s) {
  const double difference = end.x - begin.x;
  const double square = 3 * difference - H * (2 * begin.v + end.v);
  const double cube = H * (begin.v + end.v) - 2 * difference;
  return (cosim_cubic){begin.x + s * (H * begin.v + s * (square + s * cube)),
                       begin.v + s * (2 * square + 3 * s * cube) / H};
}

/* x and v of a marker there; a and p are zero. */
cosim_motion cosim_motion_between(const cosim_motion *begin, const cosim_motion *end, double H, double s);

#endif
