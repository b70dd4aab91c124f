/* Laws of quantities and variables for tests. A failure here fails the test. */
#ifndef TESTS_SUPPORT_LAWS_H
#define TESTS_SUPPORT_LAWS_H

#include <seam/equations.h>

#include "tests/support/mechanisms.h"

enum { MAX_INPUTS = 4 };

/* Coefficients of functions, kept by the caller. */
typedef struct coefficients {
  double c[MAX_INPUTS];
  size_t n;
} coefficients;

/* Σ c x. */
mbs_function linear_of(coefficients *l);
/* c0 |x0| tanh(x1 / c1): Coulomb friction, regularised, from a normal force and a velocity. */
mbs_function friction_of(coefficients *l);
/* sin(x0) x1 + Σ c x. */
mbs_function curved(coefficients *l);

void add_law(mbs_builder *builder, const char *force, int component, const char *const *inputs, size_t n,
             mbs_function function);
void add_variable(mbs_builder *builder, const char *name, double start, double sample);
void set_rate(mbs_builder *builder, const char *name, const char *const *inputs, size_t n, mbs_function function);
/* An element whose law comes later. */
void add_open(mbs_builder *builder, const char *name, mbs_force_kind kind, const char *first, const char *second,
              const double P[2]);

#endif
