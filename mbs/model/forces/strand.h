/* Strands of belts and cables. A strand is a straight segment along a common tangent of two discs, which wind it up or
 * unwind it as they rotate (equations and l(d): elastic_belt.c). */
#ifndef MBS_FORCES_STRAND_H
#define MBS_FORCES_STRAND_H

#include "mbs/model/kinematics.h"

/* Returns l(d) at a distance d for two radii, which have opposite signs if the strand crosses the line of centres. */
double mbs_strand_span(const double radius[2], double distance);

/* Finds n stretches: l(d) + mesh for the strand on the right of the line of centres and, if n = 2, l(d) - mesh for the
 * strand on the left. mesh: length, m, by which rotation of the discs stretches the right strand
 * (mbs_relative_mesh()). */
void mbs_strand_coordinates(const mbs_pair *pair, const double radius[2], const mbs_relative_coordinate *mesh, int n,
                            mbs_relative_coordinate *stretch);
/* Finds the curvatures of the n stretches for the mesh of mbs_curvature_mesh(). */
void mbs_strand_curvatures(const mbs_pair *pair, const double radius[2], int n, mbs_curvature *curvature);

#endif
