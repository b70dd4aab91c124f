/* Motions and wrenches of a cut at macro points, and motions between them. */
#ifndef COSIM_SNAPSHOT_H
#define COSIM_SNAPSHOT_H

#include "cosim/schemes/element.h"
#include "cosim/schemes/scheme.h"

/* State of a cut at a macro point, or a small change of it. */
typedef struct cosim_snapshot {
  cosim_motion motion[2];
  double wrench[2][COSIM_MAX_FORCES]; /* wrench on each side, both signed as on side 1 */
} cosim_snapshot;

/* States of a cut after a step, or small changes: at the end and, with collocation, at the inner nodes, descending.
 * It consists of doubles alone: the corrector goes through it as through an array. */
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
cosim_motion cosim_motion_between(const cosim_motion *begin, const cosim_motion *end, double H, double s);

enum { COSIM_MAX_PATH = COSIM_MAX_INNER + 2 };

/* Motions of both markers at points of a step of length H, s; τ ascends from 0 to 1. */
typedef struct cosim_path {
  double H, tau[COSIM_MAX_PATH];
  const cosim_motion *motion[COSIM_MAX_PATH];
  int n;
} cosim_path;

/* Sets x and v of both markers at τ; a and p are zero. */
void cosim_path_at(const cosim_path *path, double tau, cosim_motion m[2]);

/* Fills the times τ and weights (s) for an integral over the step by Gauss's rule. The rule has three times between two
 * neighbouring points of the path. Returns the number of times, 3 (n - 1). */
enum { COSIM_MAX_PATH_NODES = 3 * (COSIM_MAX_PATH - 1) };
int cosim_path_nodes(const cosim_path *path, double tau[COSIM_MAX_PATH_NODES], double weight[COSIM_MAX_PATH_NODES]);

#endif
