/* How far what conditions are periodic functions of turns along a motion. */
#ifndef MBS_TURNING_H
#define MBS_TURNING_H

#include "mbs/model/workspace.h"

typedef struct mbs_turning mbs_turning;

/* Of the events of a model, the measures that they read, and laws of force elements. SEAM_NO_MEMORY. */
seam_status mbs_turning_create(const mbs_model *model, mbs_turning **created, seam_error *error);
void mbs_turning_destroy(mbs_turning *self);
/* Whether something may turn. */
bool mbs_may_turn(const mbs_turning *self);
/* Takes a state. */
void mbs_turning_begin(mbs_turning *self, mbs_workspace *ws, const mbs_state *state);
/* From there to another one, rad, the largest. */
double mbs_turning_to(mbs_turning *self, mbs_workspace *ws, const mbs_state *state);
/* Whether a state at t is known, where the next one goes on from. */
bool mbs_turning_go_on(mbs_turning *self, double t);
void mbs_turning_forget(mbs_turning *self);

#endif
