/* Approach to a singular configuration: the constraint that will depend on others, and the time until then.
 *
 * With d the sine of the angle between a constraint and those before it, T = -d / d' is the time in which d vanishes. A
 * small d alone is no sign: the last joint of a straight chain of N rods has d = (N + 2)^(-1/2). */
#ifndef MBS_APPROACH_H
#define MBS_APPROACH_H

#include "mbs/model/workspace.h"

typedef struct mbs_approach {
  int row;      /* scalar constraint */
  double d;     /* its sine */
  double to_go; /* T, s */
} mbs_approach;

/* Returns true if all constraints are far from dependent, measured by displacements (metres over the size, radians).
 * Masses as weights would make forces on a light body, such as a point mass, seem nearly dependent everywhere. Leaves
 * the factors of this state with masses in the workspace. */
bool mbs_is_apart(mbs_workspace *ws, const mbs_state *state);

/* Finds the constraint of least |T| along v among those with d < `window` whose d vanishes within twenty steps of
 * length h (may be infinite), or passes a power of √½ in the next step; h < 0: backwards in time. Call it after
 * mbs_stage_factor() at or near the state, with masses and no dependent constraint; the workspace is left at another
 * pose. False: none. */
bool mbs_find_approach(mbs_workspace *ws, const mbs_state *state, double window, double h, mbs_approach *found);

/* Returns true if d of a constraint nearly vanishes at the pose reached after T with the state's v and constant a
 * (NULL: 0). */
bool mbs_is_approach(mbs_workspace *ws, const mbs_state *state, const double *a, const mbs_approach *approach);

/* Returns d and T of a constraint at a state with v and a. */
mbs_approach mbs_approach_of(mbs_workspace *ws, int row, const mbs_state *state);

/* Returns d of a constraint at the pose q (3n); v (3n) has no effect. */
double mbs_distance(mbs_workspace *ws, int row, double t, const double *q, const double *v);

#endif
