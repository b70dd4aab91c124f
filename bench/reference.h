/* A monolithic run as reference at any time: equidistant states by erk of order 8 with rtol = atol = 1e-13, between
 * them polynomials of degree 5 through positions, velocities and accelerations. */
#ifndef BENCH_REFERENCE_H
#define BENCH_REFERENCE_H

#include "bench/bench.h"

typedef struct bench_reference {
  size_t n, n_knots; /* numbers of coordinates and states */
  double h;          /* s, between two states */
  double *knots;     /* (n_knots x 3 x n): q, v, a */
  double interpolation_error;
} bench_reference;

/* Creates a reference for the run's model and duration, from the run's start; changes the run's options and end. Free
 * with bench_reference_destroy(). */
bench_reference bench_reference_create(bench_run *run, size_t n_knots);
void bench_reference_destroy(bench_reference *self);

/* Returns the largest deviation of a coordinate, m or rad; infinite if one is not finite. */
double bench_reference_error(const bench_reference *self, const mbs_state *state);

#endif
