/* Kinks: times at which a law of time or one of its derivatives jumps, and times of samples. Integrators end a step at
 * each kink and restart. */
#ifndef MBS_KINKS_H
#define MBS_KINKS_H

#include <float.h>

#include "mbs/model/workspace.h"
#include "mbs/thresholds.h"

/* Returns the distance, s, below which two times near t count as equal: a small multiple of the round-off of t. */
static inline double mbs_same_time(double t) { return mbs_roundings_of_time * fabs(t); }

/* Returns the first kink of watched functions (mbs/output/readout.h) after t. */
seam_kink mbs_next_watched_kink(const mbs_model *model, double t);

/* Begins a new interval in which laws of time are smooth. It begins at t, the beginning of a step. Returns the end of
 * the interval, which is the first kink after t. */
seam_kink mbs_begin_smooth(mbs_workspace *ws, double t);

/* Makes all times before t the interval in which laws of time are smooth. At t itself laws then have their values just
 * before t. */
void mbs_set_laws_before(mbs_workspace *ws, double t);

/* Returns the first kink of one law after t. */
seam_kink mbs_next_kink_of(const seam_law *law, double t);

/* Fails with SEAM_CONSTRAINT_LOST if the position that a joint prescribes jumps at the kink. */
seam_status mbs_check_kink(const mbs_model *model, const mbs_joint *joint, const seam_kink *kink, seam_error *error);

/* Returns SEAM_STEP_FAILED, because too many kinks follow each other within almost no time. The message names the joint
 * or force element whose law has the kink *kink. */
seam_status mbs_refuse_kink(const mbs_model *model, const seam_kink *kink, seam_error *error);

/* Changes a state just before a kink to the state just after it, where the next smooth interval begins. *next: kink
 * that ends this interval. If the rate of a prescribed motion jumps, constraint impulses make the velocities jump. The
 * work of these impulses is added to the work of prescribed motions, state->work[1]. Then the function updates modes of
 * contacts, samples, and modes of friction. Returns the errors of mbs_check_kink(), mbs_project() and the update of
 * modes. */
seam_status mbs_pass_kink(mbs_workspace *ws, const seam_kink *kink, mbs_state *state, seam_kink *next,
                          seam_error *error);

#endif
