/* The wrench W(x, v) of a cut force element: its rate, integral and changes for given motions of the markers. */
#ifndef COSIM_CUT_LAW_H
#define COSIM_CUT_LAW_H

#include "cosim/schemes/snapshot.h"

/* Adds the product of G (n x 6, row by row) and (u1, u2), of three coordinates each, to y (n). G is, for instance, Wx =
 * ∂W/∂x or Wv = ∂W/∂v. */
void cosim_add_product(int n, const double *G, const double *u1, const double *u2, double *y);

/* Finds the change of W (4) along a change of the motions. */
void cosim_law_change(const double *Wx, const double *Wv, const cosim_motion change[2], double *W);

/* cosim_rate_by_gradients() and cosim_law_rate() find the rate W' = Wx v + Wv a of the motion m. The first takes given
 * Wx and Wv, the second those of the law at m. cosim_law_rate_change() finds the change of W' when m changes by
 * `change`. */
void cosim_rate_by_gradients(const double *Wx, const double *Wv, const cosim_motion m[2], double *rate);
void cosim_law_rate(const cosim_element *element, const cosim_motion m[2], double *rate);
void cosim_law_rate_change(const cosim_element *element, const double *Wx, const double *Wv, const cosim_motion m[2],
                           const cosim_motion change[2], double *rate);

/* Returns true if Wx or Wv jumps between the motions a and b, so that W' = Wx v + Wv a jumps. Only the motion at which
 * Wx and Wv are evaluated varies from a to b; v and a in W' are those of motion b. */
bool cosim_law_rate_jumps(const cosim_element *element, const cosim_motion a[2], const cosim_motion b[2]);

/* Finds the integral of W over a step from the integrals of the motions; the law must be affine. */
void cosim_law_integral(const cosim_element *element, const cosim_step_interval *step, double *integral);

#endif
