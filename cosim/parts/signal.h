/* Arithmetic of signals. */
#ifndef COSIM_PARTS_SIGNAL_H
#define COSIM_PARTS_SIGNAL_H

#include <seam/cosim.h>

enum { COSIM_MAX_NODES = 36 }; /* of a step of the master: those of all collocation couplings together */

/* τ where a piece begins; for piece n_pieces the end, 1. */
static inline double cosim_signal_begin(const cosim_signal *signal, int piece) {
  if (piece == 0 || piece == signal->n_pieces || !(signal->border[piece - 1] > 0))
    return (double)piece / signal->n_pieces;
  return signal->border[piece - 1];
}
/* Its length. */
static inline double cosim_signal_length(const cosim_signal *signal, int piece) {
  if (signal->n_pieces == 1 || !(signal->border[0] > 0))
    return 1.0 / signal->n_pieces;
  return cosim_signal_begin(signal, piece + 1) - cosim_signal_begin(signal, piece);
}

/* Number of the piece in which τ lies. */
int cosim_signal_piece_at(const cosim_signal *signal, double tau);
/* Its polynomial (COSIM_MAX_DEGREE + 1 coefficients) in powers of the distance from τ = `from`. */
void cosim_signal_from(const cosim_signal *signal, int piece, double from, double *c);

/* The part of a signal from τ = `from` to `to`, over a step of that length. */
cosim_signal cosim_signal_between(const cosim_signal *signal, double from, double to);

/* Its rate over a step of length H. */
cosim_signal cosim_signal_rate(const cosim_signal *signal, double H);

/* *sum += factor * signal. Both have the same pieces, or one of them has one. */
void cosim_signal_add(cosim_signal *sum, double factor, const cosim_signal *signal);

/* Ends of pieces of several signals, ascending: tau (n, n = 1 and tau[0] = 1 to begin with, room for COSIM_MAX_PIECES -
 * 1 more with each signal) receives those of one more signal; returns n. */
int cosim_add_ends(double *tau, int n, const cosim_signal *signal);

/* The same with the nodes of a step, room for COSIM_MAX_NODES. */
int cosim_add_nodes(double *tau, int n, const cosim_step *step);

/* Value and derivative with respect to τ, at τ = 1 from the left; integral over τ from 0 to 1. */
double cosim_signal_end(const cosim_signal *signal);
double cosim_signal_end_slope(const cosim_signal *signal);
double cosim_signal_integral(const cosim_signal *signal);
/* Its n repeated integrals there, ∫ u dτ, ∬ u dτ dτ and so on. */
void cosim_signal_integrals(const cosim_signal *signal, int n, double *integrals);

/* The polynomial through value 1 at node[which] and 0 at the other nodes, n <= COSIM_MAX_DEGREE + 1 of them, on one
 * piece that covers the macro step. */
cosim_signal cosim_lagrange(int n, const double *node, int which);

#endif
