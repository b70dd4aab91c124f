/* Estimate of the local error of a macro step from predictor and corrector. */
#ifndef COSIM_STEPS_LOCAL_ERROR_H
#define COSIM_STEPS_LOCAL_ERROR_H

#include "mbs/model/model.h"

/* Returns √(Σ m v²) over all coordinates, the root of twice the kinetic energy. Also for accelerations. */
double cosim_speed(const mbs_model *model, const double *v);

/* Returns this norm of the difference of two vectors (3 n_bodies). */
double cosim_distance(const mbs_model *model, const double *v, const double *other);

/* Returns the error of the velocities v (3 n_bodies) of a corrector of order 0 to 3, from those of the predictor. */
double cosim_local_error(const mbs_model *model, int order, const double *v, const double *predicted);

#endif
