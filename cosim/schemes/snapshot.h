/* Motions and wrenches of a cut at macro points, and motions between them. */
#ifndef COSIM_MASTER_SNAPSHOT_H
#define COSIM_MASTER_SNAPSHOT_H

#include "cosim/parts/cubic.h"
#include "cosim/schemes/element.h"
#include "cosim/schemes/scheme.h"

/* At a macro point, or a small change of it. */
typedef struct cosim_snapshot {
  cosim_motion motion[2];
  double wrench[2][COSIM_MAX_FORCES]; /* on each side, both signed as on side 1 */
} cosim_snapshot;

/* After a step, or small changes of it: at its end and, with collocation, at the inner nodes, descending. */
typedef struct cosim_step_outputs {
  cosim_snapshot end, inner[COSIM_MAX_INNER];
} cosim_step_outputs;

/* From t to t + H. */
typedef struct cosim_step_interval {
  double t, H;
  const cosim_snapshot *begin, *end;
  const cosim_snapshot *inner; /* NULL: there are no inner nodes */
  const struct cosim_law_gradients
      *of_kinked; /* collocation: W' at the end has these slopes; NULL: those of the law there */
} cosim_step_interval;

/* x and v of a marker there; a and p are zero. */
cosim_motion cosim_motion_between(const cosim_motion *begin, const cosim_motion *end, double H, double s);

#endif
