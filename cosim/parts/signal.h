/* Polynomials over a step: signals (piecewise polynomials in τ, <seam/parts.h>) and the cubic of a motion. */
#ifndef COSIM_PARTS_SIGNAL_H
#define COSIM_PARTS_SIGNAL_H

#include <seam/cosim.h>

enum { COSIM_MAX_NODES = 36 }; /* largest number of nodes of all collocation couplings in a step */

/* Returns τ at the beginning of a piece; for piece = n_pieces the end, 1. */
static inline double cosim_signal_begin(const cosim_signal *signal, int piece) {
  if (piece == 0 || piece == signal->n_pieces || !(signal->border[piece - 1] > 0))
    return (double)piece / signal->n_pieces;
  return signal->border[piece - 1];
}
static inline double cosim_signal_length(const cosim_signal *signal, int piece) {
  if (signal->n_pieces == 1 || !(signal->border[0] > 0))
    return 1.0 / signal->n_pieces;
  return cosim_signal_begin(signal, piece + 1) - cosim_signal_begin(signal, piece);
}

int cosim_signal_piece_at(const cosim_signal *signal, double tau);
/* Fills the coefficients (COSIM_MAX_DEGREE + 1) of a piece in powers of τ - from. */
void cosim_signal_from(const cosim_signal *signal, int piece, double from, double *c);

/* Returns the section of a signal from τ = `from` to `to`, as a signal over a step of that length. */
cosim_signal cosim_signal_between(const cosim_signal *signal, double from, double to);
/* Returns the time derivative of a signal over a step of length H. */
cosim_signal cosim_signal_rate(const cosim_signal *signal, double H);
/* Adds factor * signal to *sum. Both signals have the same pieces, or one has a single piece. */
void cosim_signal_add(cosim_signal *sum, double factor, const cosim_signal *signal);

/* Inserts the ends of a signal's pieces into the ascending list tau (n) and returns the new n. The initial list is the
 * end of the step: n = 1, tau[0] = 1. Each signal adds up to COSIM_MAX_PIECES - 1 entries. */
int cosim_add_ends(double *tau, int n, const cosim_signal *signal);
/* Lists the ends of pieces of the first n_inputs inputs and n_seeds seeds of a step; returns their number. */
int cosim_list_ends(double *tau, const cosim_step *step, int n_inputs, int n_seeds);
/* Inserts the nodes of a step, at most COSIM_MAX_NODES, into the ascending list tau (n), and returns the new n. */
int cosim_add_nodes(double *tau, int n, const cosim_step *step);

/* Return the value and the derivative by τ at the end, τ = 1, and the integral over τ from 0 to 1. */
double cosim_signal_end(const cosim_signal *signal);
double cosim_signal_end_slope(const cosim_signal *signal);
double cosim_signal_integral(const cosim_signal *signal);
/* Fills n repeated integrals from 0 to 1: ∫ u dτ, ∬ u dτ dτ and so on. */
void cosim_signal_integrals(const cosim_signal *signal, int n, double *integrals);

/* Returns Lagrange's polynomial: 1 at node[which], 0 at the other nodes; n <= COSIM_MAX_DEGREE + 1. */
cosim_signal cosim_lagrange(int n, const double *node, int which);

/* A coordinate and its rate. */
typedef struct cosim_cubic {
  double x, v;
} cosim_cubic;

/* Returns x and v at t0 + s H by Hermite's cubic through `begin` (x0, v0) at t0 and `end` (x1, v1) at t0 + H; Δ = x1 -
 * x0:
 *
 *   x = x0 + H v0 s + (3 Δ - H (2 v0 + v1)) s² + (H (v0 + v1) - 2 Δ) s³ */
static inline cosim_cubic cosim_cubic_at(cosim_cubic begin, cosim_cubic end, double H, double s) {
  const double difference = end.x - begin.x;
  const double square = 3 * difference - H * (2 * begin.v + end.v);
  const double cube = H * (begin.v + end.v) - 2 * difference;
  return (cosim_cubic){begin.x + s * (H * begin.v + s * (square + s * cube)),
                       begin.v + s * (2 * square + 3 * s * cube) / H};
}

#endif
