/* Predicts singular configurations ahead of a motion: the constraint that will depend on others, and the time until
 * then.
 *
 * Let d be the sine of the angle between the row of a constraint in the Jacobian G and the span of the rows that are
 * eliminated before it. If its rate d' stays constant, d vanishes in the time T = -d / d'. A small d alone does not
 * indicate a singular configuration: the last joint of a straight chain of N rods has d = (N + 2)^(-1/2). */
#ifndef MBS_APPROACH_H
#define MBS_APPROACH_H

#include "mbs/model/workspace.h"

typedef struct mbs_approach {
  int row;          /* number of the scalar constraint */
  double d;         /* d of this constraint: see the head of this file */
  double time_left; /* T, s */
} mbs_approach;

/* Returns true if d of all constraints is larger than 0.2. In this function the angle between rows is measured in the
 * norm of displacements: metres divided by the mechanism's size, and radians. In the norm of the masses, the
 * constraints of a light body, such as a point mass, would seem nearly dependent in every pose. Leaves the factors of S
 * = G M⁻¹ Gᵀ at this state in the workspace. */
bool mbs_is_far_from_singular(mbs_workspace *ws, const mbs_state *state);

/* Finds a constraint with d <= `window` that may soon depend on others if the bodies continue with v. Its d decreases.
 * In addition, d vanishes within twenty steps of length h, or d² falls below the next lower power of 2 in one step. h
 * may be infinite; h < 0: backwards in time. Of several such constraints, finds the one with the least |T|. Returns
 * false if there is no such constraint, or if the bodies are at rest. Call it after mbs_stage_factor() with inverse
 * masses, at or near the state, has found no dependent constraint. Afterwards the workspace has the kinematics,
 * constraints and factors of another pose. */
bool mbs_find_approach(mbs_workspace *ws, const mbs_state *state, double window, double h, mbs_approach *found);

/* Confirms the result of mbs_find_approach(). Returns true if d of the constraint is below 30 % of approach->d at the
 * pose that the bodies reach after the time T. The pose is extrapolated from q and v of the state with a constant
 * acceleration a (3n; NULL: 0). */
bool mbs_is_approach(mbs_workspace *ws, const mbs_state *state, const double *a, const mbs_approach *approach);

/* Returns d and T of constraint `row` at a state; T is found with v and a of the state. */
mbs_approach mbs_approach_of(mbs_workspace *ws, int row, const mbs_state *state);

/* Returns d of constraint `row` at time t and pose q (3n). v (3n) only fills the frames and has no effect on d. */
double mbs_distance(mbs_workspace *ws, int row, double t, const double *q, const double *v);

#endif
