/* The scales of a problem (<seam/mbs.h>): found by definitions and by the start, kept with the model. */
#ifndef MBS_SCALES_H
#define MBS_SCALES_H

#include "mbs/workspace.h"

/* Length and mass, by the definitions, unless the model is a part, which has those of the whole already. */
void mbs_scales_begin(mbs_model *model);

/* What follows from the start: time, speed, force, energy and the nominal sizes of states. Frames are those of the
 * state in the workspace, and laws that are functions of quantities have been evaluated there. */
void mbs_scales_finish(mbs_model *model, mbs_workspace *ws, const mbs_state *state);

/* Those of the whole, for a part; state_of (n_states): its states, by number in the whole. */
void mbs_scales_take_states(mbs_model *part, const mbs_model *whole, const int *state_of);

#endif
