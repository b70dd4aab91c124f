/* Estimate of the local error of a macro step, from its predictor and its corrector. */
#ifndef COSIM_MECHANISM_LOCAL_ERROR_H
#define COSIM_MECHANISM_LOCAL_ERROR_H

#include "mbs/model/model.h"

/* √(Σ m v²) over all coordinates of all bodies: the root of twice the kinetic energy. Also for accelerations. */
double cosim_speed(const mbs_model *model, const double *v);

/* The same norm of the difference of two. */
double cosim_distance(const mbs_model *model, const double *v, const double *other);

/* Error of the velocities v (3 n_bodies) of a corrector of order k, from those of the predictor. */
double cosim_local_error(const mbs_model *model, int order, const double *v, const double *predicted);

#endif
