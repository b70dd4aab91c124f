/* The equations of motion as one dense matrix: the reference for the sparse forms of the engine. */
#ifndef TESTS_SUPPORT_DENSE_H
#define TESTS_SUPPORT_DENSE_H

#include "mbs/model/model.h"
#include "tests/support/mechanisms.h"

enum { MAX_BODIES = 10, MAX_ROWS = 40, MAX_UNKNOWNS = 3 * MAX_BODIES + MAX_ROWS };

/* (a, λ) of [M Gᵀ; G 0] [a; λ] = [Q; γ] at m->state; of all λ the one of least norm. */
void solve_dense(mechanism *m, double *solution);

/* Largest of 1 and |x| (n). */
double largest_of(const double *x, int n);

#endif
