/* Elements along one coordinate s of two markers, with a force or torque f along s. */
#ifndef MBS_ALONG_H
#define MBS_ALONG_H

#include "mbs/model/force.h"

/* Fields `find_coordinates` and `curvature` for s = |d| (distance, rope) and s = φ2 - φ1 (angle). */
void mbs_along_distance(const mbs_force *force, const mbs_pair *pair, mbs_relative_coordinate *s);
void mbs_along_distance_curvature(const mbs_force *force, const mbs_pair *pair, mbs_curvature *curvature);
/* The distance s = |d| for elements that only pull: its derivatives are zero where the markers coincide. */
void mbs_along_rope(const mbs_force *force, const mbs_pair *pair, mbs_relative_coordinate *s);
void mbs_along_rope_curvature(const mbs_force *force, const mbs_pair *pair, mbs_curvature *curvature);
void mbs_along_angle(const mbs_force *force, const mbs_pair *pair, mbs_relative_coordinate *s);
void mbs_along_angle_curvature(const mbs_force *force, const mbs_pair *pair, mbs_curvature *curvature);

/* Finds Q = f Jᵀ; returns ds/dt. */
double mbs_along_load(const mbs_force *force, const mbs_pair *pair, double f, double Q[6]);
/* Field `derivatives` (∂Q/∂q, ∂Q/∂v) for a force f = z[0], which does not depend on the motion. */
void mbs_along_derivatives(const mbs_force *force, const mbs_pair *pair, double t, const double *z, double Kq[6][6],
                           double Kv[6][6]);

/* Field `derivatives` for a load Q that does not depend on the motion of its bodies: zeros. */
void mbs_no_derivatives(const mbs_force *force, const mbs_pair *pair, double t, const double *z, double Kq[6][6],
                        double Kv[6][6]);

#endif
