/* Wrenches that a cut joint cannot transmit: those orthogonal to the columns of its wrench map S(x). P = I - S (SᵀS)⁻¹
 * Sᵀ projects onto them. */
#ifndef COSIM_TRANSMISSION_H
#define COSIM_TRANSMISSION_H

#include "cosim/schemes/snapshot.h"

/* Returns true if a joint has such wrenches: the wrench has more components than the joint has rows. */
bool cosim_has_untransmittable(const cosim_element *element);

/* Finds n_forces - n_rows orthonormal rows that span these wrenches, in components of W. */
void cosim_untransmittable(const cosim_element *element, const cosim_motion m[2],
                           double rows[COSIM_MAX_FORCES][COSIM_MAX_FORCES]);

/* Finds P' W (4) with constant W (4), while the markers move from m with the velocities `rate`. */
void cosim_untransmittable_rate(const cosim_element *element, const cosim_motion m[2], const cosim_motion rate[2],
                                const double *W, double *change);

#endif
