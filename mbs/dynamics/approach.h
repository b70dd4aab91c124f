/* Predicts singular configurations: the constraint that will depend on others, and the time until then.
 *
 * Let d be the sine of the angle between the row of a constraint in the Jacobian G and the rows that are eliminated
 * before it. With a constant rate d', d vanishes in the time T = -d / d'. A small d alone does not indicate a singular
 * configuration: the last joint of a straight chain of N rods has d = (N + 2)^(-1/2). */
#ifndef MBS_APPROACH_H
#define MBS_APPROACH_H

#include "mbs/model/workspace.h"

typedef struct mbs_approach {
  int row;          /* number of the scalar constraint */
  double d;         /* d of this constraint: see the head of this file */
  double time_left; /* T, s */
} mbs_approach;

/* Returns true if d of all constraints is larger than 0.2. Here angles between rows are measured in the norm of
 * displacements: metres divided by the mechanism's size, and radians. In the norm of the masses, the constraints of a
 * light body would seem nearly dependent in every pose. Leaves the factors of S = G M⁻¹ Gᵀ in the workspace. */
bool mbs_is_far_from_singular(mbs_workspace *ws, const mbs_state *state);

/* Finds a constraint with d <= `window` that may soon depend on others if v stays constant. Its d must decrease so fast
 * that d vanishes within twenty steps of length h, or that ilogb(d²) decreases in one step. h may be infinite; h < 0:
 * backwards in time. Of several such constraints, finds the one with the least |T|. Returns false if there is none, or
 * if the bodies are at rest. Call it after mbs_stage_factor() with inverse masses has found no dependent constraint at
 * this or a nearby pose. Overwrites the frames, G and the factors in the workspace. */
bool mbs_find_approach(mbs_workspace *ws, const mbs_state *state, double window, double h, mbs_approach *found);

/* Confirms the result of mbs_find_approach(): returns true if d of the constraint falls below 30 % of approach->d in
 * the time T. The pose then is extrapolated from q and v of the state with a constant acceleration a (3n; NULL: 0). */
bool mbs_is_approach(mbs_workspace *ws, const mbs_state *state, const double *a, const mbs_approach *approach);

/* Returns d and T of constraint `row` at a state. The rate d', and so T, follows from v and a of the state. */
mbs_approach mbs_approach_of(mbs_workspace *ws, int row, const mbs_state *state);

/* Returns d of constraint `row` at time t and pose q (3n). v (3n) only fills the frames and has no effect on d. */
double mbs_distance(mbs_workspace *ws, int row, double t, const double *q, const double *v);

#endif
