/* Starts one mechanism at the state of another mechanism with the same bodies. */
#ifndef MBS_SAME_START_H
#define MBS_SAME_START_H

#include <seam/mbs.h>

/* Copies the time from *from to *to. Copies poses and velocities of bodies, and values of variables, that have the same
 * name in both models. Copies states of force elements if both models have the same number of them. Samples variables
 * that are sampled only in to_model, and evaluates *to. SEAM_NO_MEMORY and errors of mbs_evaluate(). */
seam_status mbs_copy_start(const mbs_model *from_model, const mbs_state *from, const mbs_model *to_model, mbs_state *to,
                           seam_error *error);

#endif
