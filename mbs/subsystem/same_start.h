/* A start of one mechanism, taken from another one with the same bodies. */
#ifndef MBS_SAME_START_H
#define MBS_SAME_START_H

#include <seam/mbs.h>

/* Copies time, bodies, states and variables of *from to *to, for those of the same name in `to_model`; states of force
 * elements only if both models have the same elements. Evaluates *to. SEAM_NO_MEMORY, errors of mbs_evaluate(). */
seam_status mbs_copy_start(const mbs_model *from_model, const mbs_state *from, const mbs_model *to_model, mbs_state *to,
                           seam_error *error);

#endif
