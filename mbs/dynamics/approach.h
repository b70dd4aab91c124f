/* Approach to a singular configuration: the constraint that will depend on others, and the time to go.
 *
 * With d the sine of the angle between a constraint and those before it, T = -d / d' is the time in which d vanishes. A
 * small d alone says little: the last joint of a straight chain of N rods has d = (N + 2)^(-1/2). */
#ifndef MBS_APPROACH_H
#define MBS_APPROACH_H

#include "mbs/model/workspace.h"

typedef struct mbs_approach {
  int row;      /* the constraint */
  double d;     /* of it */
  double to_go; /* T */
} mbs_approach;

/* True where no constraint is close to others by displacements alone, metres over the size against radians. Between
 * forces on a light body, over its inverse mass, lies next to nothing anywhere, as between those on a pendulum of a
 * point mass. The workspace is left at the state, factorised with masses. */
bool mbs_is_apart(mbs_workspace *ws, const mbs_state *state);

/* Finds, of the constraints with d < `window` whose d vanishes in the next twenty steps of length h (which may be
 * infinite), or passes a power of √½ in the next one, that with the least T along v. Call it after mbs_stage_factor()
 * at or near the state, with masses and without a dependent constraint. Backwards in time with h < 0. False: there is
 * none. The workspace is left at another pose. */
bool mbs_find_approach(mbs_workspace *ws, const mbs_state *state, double window, double h, mbs_approach *found);

/* Returns true if d of a constraint vanishes after T, as far as the motion with v and a (NULL: 0) can be continued. */
bool mbs_is_approach(mbs_workspace *ws, const mbs_state *state, const double *a, const mbs_approach *approach);

/* d and T of a constraint at a state with v and a. */
mbs_approach mbs_approach_of(mbs_workspace *ws, int row, const mbs_state *state);

/* d of a constraint at the pose q (3n) with any v (3n). */
double mbs_distance(mbs_workspace *ws, int row, double t, const double *q, const double *v);

#endif
