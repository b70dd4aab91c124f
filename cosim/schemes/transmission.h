/* Wrenches that a cut joint cannot transmit: those orthogonal to the columns of its wrench map S(x). P = I - S (SᵀS)⁻¹
 * Sᵀ projects onto them. */
#ifndef COSIM_TRANSMISSION_H
#define COSIM_TRANSMISSION_H

#include "cosim/schemes/snapshot.h"

/* Returns true if the element is a joint whose wrench has more components than the joint has scalar constraints. */
bool cosim_has_untransmittable(const cosim_element *element);

/* Finds n_forces - n_rows orthonormal rows that span the wrenches which the joint cannot transmit at the motion m. */
void cosim_untransmittable(const cosim_element *element, const cosim_motion m[2],
                           double rows[COSIM_MAX_FORCES][COSIM_MAX_FORCES]);

/* Finds P' W (4), the rate of P W at constant W (4). P depends on the places of the markers, m; rate[].v are their
 * velocities, with which P changes. */
void cosim_untransmittable_rate(const cosim_element *element, const cosim_motion m[2], const cosim_motion rate[2],
                                const double *W, double *change);

#endif
