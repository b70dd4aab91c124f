/* Bodies without inertia. */
#ifndef MBS_POINT_MASSES_H
#define MBS_POINT_MASSES_H

#include "mbs/model/model.h"

/* Counts the point masses and gives them an inertia without effect; needs scales.length. */
void mbs_point_masses_finish(mbs_model *model);

/* SEAM_BAD_INPUT: a joint or force element would turn a point mass. */
seam_status mbs_point_masses_check(const mbs_model *model, seam_error *error);

#endif
