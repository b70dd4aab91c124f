/* Elements along one coordinate s of their pair: the coordinate, and a force or torque f along it. */
#ifndef MBS_ALONG_H
#define MBS_ALONG_H

#include "mbs/model/force.h"

/* Columns `measure` and `curvature`: s = |d|, and s = φ2 - φ1. */
void mbs_along_distance(const mbs_force *force, const mbs_pair *pair, mbs_measure *s);
void mbs_along_distance_curvature(const mbs_force *force, const mbs_pair *pair, mbs_curvature *curvature);
/* The same of what pulls alone: where its ends meet it has no direction and needs none. */
void mbs_along_rope(const mbs_force *force, const mbs_pair *pair, mbs_measure *s);
void mbs_along_rope_curvature(const mbs_force *force, const mbs_pair *pair, mbs_curvature *curvature);
void mbs_along_angle(const mbs_force *force, const mbs_pair *pair, mbs_measure *s);
void mbs_along_angle_curvature(const mbs_force *force, const mbs_pair *pair, mbs_curvature *curvature);

/* Q = f Jᵀ along the column `measure`. Returns ds/dt. */
double mbs_along_load(const mbs_force *force, const mbs_pair *pair, double f, double Q[6]);
/* Column `derivatives` where f = z[0] does not depend on the motion. */
void mbs_along_derivatives(const mbs_force *force, const mbs_pair *pair, double t, const double *z, double Kq[6][6],
                           double Kv[6][6]);

#endif
