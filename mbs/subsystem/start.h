/* The initial state of a model that is being built. */
#ifndef MBS_START_H
#define MBS_START_H

#include <seam/measures.h>

/* Makes q, v and z of a state the initial values of the model, which new states receive. with_samples: also the values
 * of sampled variables; otherwise assembly will sample these variables. is_asked: the user prescribed these poses, so
 * assembly reports displacements from them. */
void mbs_model_start_at(mbs_model *model, const mbs_state *state, bool with_samples, bool is_asked);

/* Returns true if at least one of n prescribed values is a coordinate, not a rate. */
bool mbs_prescribes_coordinates(const mbs_model *model, const mbs_prescribed *prescribed, size_t n);

#endif
