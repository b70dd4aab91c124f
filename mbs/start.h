/* The start of a model that is being made. */
#ifndef MBS_START_H
#define MBS_START_H

#include <seam/measures.h>

/* States are created with q, v and z of this one from now on; without its samples they are still to be sampled. */
void mbs_model_start_at(mbs_model *model, const mbs_state *state, bool with_samples);

#endif
