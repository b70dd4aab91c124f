/* Kinks: times at which a law of time or one of its derivatives jumps, and times of samples. Integrators end a step at
 * each kink and restart. */
#ifndef MBS_KINKS_H
#define MBS_KINKS_H

#include <float.h>

#include "mbs/model/workspace.h"
#include "mbs/thresholds.h"

/* Returns the distance, s, below which two times near t count as equal: a small multiple of the round-off of t. */
static inline double mbs_same_time(double t) { return mbs_roundings_of_time * fabs(t); }

/* Begins at t an interval in which laws of time are smooth. Returns its end, the first kink after t. */
seam_kink mbs_begin_smooth(mbs_workspace *ws, double t);

/* Laws of time are evaluated before t only from now on: at t they have their values just before t. */
void mbs_set_laws_before(mbs_workspace *ws, double t);

/* Returns the first kink of one law after t. */
seam_kink mbs_next_kink_of(const seam_law *law, double t);

/* Fails with SEAM_CONSTRAINT_LOST if the position that a joint prescribes jumps at the kink. */
seam_status mbs_check_kink(const mbs_model *model, const mbs_joint *joint, const seam_kink *kink, seam_error *error);

#endif
