/* The start of a model that is being made. */
#ifndef MBS_START_H
#define MBS_START_H

#include <seam/measures.h>

/* States are created with q, v and z of this one from now on; without its samples they are still to be sampled.
 * `is_asked`: its poses are what was asked for, from which assembly's moves are counted then. */
void mbs_model_start_at(mbs_model *model, const mbs_state *state, bool with_samples, bool is_asked);

/* Tells if one of them (n) is a coordinate, not a rate. */
bool mbs_prescribes_coordinates(const mbs_model *model, const mbs_prescribed *prescribed, size_t n);

#endif
