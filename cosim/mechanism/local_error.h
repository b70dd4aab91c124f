/* Estimate of the local error of a macro step, from its predictor and its corrector. */
#ifndef COSIM_MECHANISM_LOCAL_ERROR_H
#define COSIM_MECHANISM_LOCAL_ERROR_H

#include "mbs/model.h"

/* √(Σ m v²) over all coordinates of all bodies: the root of twice the kinetic energy. Of accelerations alike. */
double cosim_speed(const mbs_model *model, const double *v);

/* Of the velocities v (3 n_bodies) that the corrector of order k found, where the predictor predicted others. */
double cosim_local_error(const mbs_model *model, int order, const double *v, const double *predicted);

#endif
