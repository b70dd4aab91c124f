/* Turns of the arguments of periodic functions, along a motion. */
#ifndef MBS_TURNING_H
#define MBS_TURNING_H

#include "mbs/model/workspace.h"

typedef struct mbs_turning mbs_turning;

/* Takes the periodic functions of a model: of its events, of the measures that they read, and of laws of force
 * elements. SEAM_NO_MEMORY. */
seam_status mbs_turning_create(const mbs_model *model, mbs_turning **created, seam_error *error);
void mbs_turning_destroy(mbs_turning *self);
/* Returns true if the model has periodic functions. */
bool mbs_may_turn(const mbs_turning *self);
/* Begins at a state. */
void mbs_turning_begin(mbs_turning *self, mbs_workspace *ws, const mbs_state *state);
/* Returns the largest turn from that state to another, rad. */
double mbs_turning_to(mbs_turning *self, mbs_workspace *ws, const mbs_state *state);
/* Begins at the state at t if it is the beginning or end of the last turn, and so kept; returns true if so. */
bool mbs_turning_go_on(mbs_turning *self, double t);
void mbs_turning_forget(mbs_turning *self);

#endif
