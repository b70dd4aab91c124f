/* Arithmetic of signals. */
#ifndef COSIM_SIGNAL_H
#define COSIM_SIGNAL_H

#include <seam/cosim.h>

/* The same signal over more pieces, a multiple of those it has. */
cosim_signal cosim_signal_refine(const cosim_signal *signal, int n_pieces);

/* *sum += factor * signal. The result has as many pieces as both need; those of one divide those of the other. */
void cosim_signal_add(cosim_signal *sum, double factor, const cosim_signal *signal);

/* Value and derivative with respect to τ, at τ = 1 from the left; integral over τ from 0 to 1. */
double cosim_signal_end(const cosim_signal *signal);
double cosim_signal_end_slope(const cosim_signal *signal);
double cosim_signal_integral(const cosim_signal *signal);

/* The polynomial through value 1 at node[which] and 0 at the other nodes, n <= cosim_most_degree + 1 of them, on one
 * piece that covers the macro step. */
cosim_signal cosim_lagrange(int n, const double *node, int which);

#endif
