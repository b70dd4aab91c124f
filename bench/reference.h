/* A monolithic run to which others are compared at any time: states at equal distances by erk of order 8 with rtol =
 * atol = 1e-13, and between them polynomials of degree 5 through positions, velocities and accelerations. */
#ifndef BENCH_REFERENCE_H
#define BENCH_REFERENCE_H

#include "bench/bench.h"

typedef struct bench_reference {
  size_t n, n_knots; /* coordinates, states */
  double h;          /* s, between two states */
  double *knots;     /* (n_knots x 3 x n): q, v, a */
  double interpolation_error;
} bench_reference;

/* Creates a reference for the run's model and duration, from its start; changes its options and its end. Free with
 * bench_reference_destroy(). */
bench_reference bench_reference_create(bench_run *run, size_t n_knots);
void bench_reference_destroy(bench_reference *self);

/* Largest distance of a coordinate, m or rad; infinite for one that is not a number. */
double bench_reference_error(const bench_reference *self, const mbs_state *state);

#endif
