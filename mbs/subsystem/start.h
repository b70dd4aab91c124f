/* Initial states: of a model that is being built, and of a mechanism that starts at the state of another one. */
#ifndef MBS_START_H
#define MBS_START_H

#include <seam/measures.h>

/* Makes q, v and z of a state the initial values of the model, which new states receive. with_samples: also the values
 * of sampled variables; otherwise assembly will sample these variables. is_asked: the user prescribed these poses, so
 * assembly reports displacements from them. */
void mbs_model_start_at(mbs_model *model, const mbs_state *state, bool with_samples, bool is_asked);

/* Returns true if at least one of n prescribed values is a coordinate, not a rate. */
bool mbs_prescribes_coordinates(const mbs_model *model, const mbs_prescribed *prescribed, size_t n);

/* Copies the time from *from to *to. Copies poses and velocities of bodies, and values of variables, by their names.
 * Copies states of force elements if both models have the same number of them. Samples variables that are sampled only
 * in to_model, and evaluates *to. SEAM_NO_MEMORY and errors of mbs_evaluate(). */
seam_status mbs_copy_start(const mbs_model *from_model, const mbs_state *from, const mbs_model *to_model, mbs_state *to,
                           seam_error *error);

#endif
