/* Strands between two discs: straight along a common tangent, wound up and off (belt.c has the equations). */
#ifndef MBS_FORCES_STRAND_H
#define MBS_FORCES_STRAND_H

#include "mbs/model/kinematics.h"

/* l(d) for the difference of the radii, of opposite signs where the strand crosses the line of centres. */
double mbs_strand_span(const double radius[2], double distance);

/* l(d) + run of the strand on the right of the line of centres and l(d) - run of that on the left, the first n of
 * them: the run is what the discs take up of the first one. */
void mbs_strand_measures(const mbs_pair *pair, const double radius[2], const mbs_measure *run, int n,
                         mbs_measure *stretch);
/* Curvatures of these where the run has the curvature of mbs_curvature_mesh(). */
void mbs_strand_curvatures(const mbs_pair *pair, const double radius[2], int n, mbs_curvature *curvature);

#endif
