/* Motions and wrenches of a cut at macro points, and motions between them. */
#ifndef COSIM_SNAPSHOT_H
#define COSIM_SNAPSHOT_H

#include "cosim/parts/cubic.h"
#include "cosim/schemes/element.h"
#include "cosim/schemes/scheme.h"

/* State of a cut at a macro point, or a small change of it. */
typedef struct cosim_snapshot {
  cosim_motion motion[2];
  double wrench[2][COSIM_MAX_FORCES]; /* wrench on each side, both signed as on side 1 */
} cosim_snapshot;

/* States of a cut after a step, or small changes: at the end and, with collocation, at the inner nodes, descending. */
typedef struct cosim_step_outputs {
  cosim_snapshot end, inner[COSIM_MAX_INNER];
} cosim_step_outputs;

/* Step from t to t + H. */
typedef struct cosim_step_interval {
  double t, H;
  const cosim_snapshot *begin, *end;
  const cosim_snapshot *inner;                 /* NULL: there are no inner nodes */
  const struct cosim_law_gradients *of_kinked; /* frozen Wx and Wv that give W' at the end; NULL: the law gives W' */
} cosim_step_interval;

/* Returns x and v of a marker at τ = s, by the cubic through x and v at both ends of a step; a and p are zero. */
static inline cosim_motion cosim_motion_between(const cosim_motion *begin, const cosim_motion *end, double H,
                                                double s) {
  cosim_motion m = {.x = {0}};
  for (int i = 0; i < COSIM_MAX_DIMS; i++) {
    const cosim_cubic at =
        cosim_cubic_at((cosim_cubic){begin->x[i], begin->v[i]}, (cosim_cubic){end->x[i], end->v[i]}, H, s);
    m.x[i] = at.x;
    m.v[i] = at.v;
  }
  return m;
}

#endif
