/* Functions for force elements that act with a force or torque f along one coordinate s of two markers. */
#ifndef MBS_ALONG_H
#define MBS_ALONG_H

#include <string.h>

#include "mbs/model/force.h"

/* Fields `find_coordinates` and `curvature` for the distance s = |d| of the markers. */
void mbs_along_distance(const mbs_force *force, const mbs_pair *pair, mbs_relative_coordinate *s);
void mbs_along_distance_curvature(const mbs_force *force, const mbs_pair *pair, mbs_curvature *curvature);
void mbs_along_angle(const mbs_force *force, const mbs_pair *pair, mbs_relative_coordinate *s);
void mbs_along_angle_curvature(const mbs_force *force, const mbs_pair *pair, mbs_curvature *curvature);

/* Finds Q = f Jᵀ; returns the rate of s. */
double mbs_along_load(const mbs_force *force, const mbs_pair *pair, double f, double Q[6]);
/* Field `derivatives` (∂Q/∂q, ∂Q/∂v) for a force f = z[0], which does not depend on the motion. */
void mbs_along_derivatives(const mbs_force *force, const mbs_pair *pair, double t, const double *z, double Kq[6][6],
                           double Kv[6][6]);

/* Field `derivatives` for a load Q that does not depend on poses and velocities: fills Kq and Kv with zeros. */
static inline void mbs_no_derivatives(const mbs_force *force, const mbs_pair *pair, double t, const double *z,
                                      double Kq[6][6], double Kv[6][6]) {
  (void)force, (void)pair, (void)t, (void)z;
  memset(Kq, 0, 36 * sizeof(double));
  memset(Kv, 0, 36 * sizeof(double));
}

#endif
