/* Errors of sampled results against a reference. */
#ifndef ANALYSIS_ERRORS_H
#define ANALYSIS_ERRORS_H

#include <stddef.h>

#include <seam/mbs.h>

/* One column so far; start from {0}. */
typedef struct analysis_column {
  size_t n;
  double mean, squares; /* of the reference: mean, Σ (r - mean)² */
  double error_squares; /* Σ (r - x)² */
  double size;          /* the largest |r| */
  double largest;       /* |r - x| */
} analysis_column;

void analysis_column_add(analysis_column *self, double reference, double value);

/* √(Σ (r - x)² / Σ (r - mean)²); NaN where the reference does not move: its standard deviation is below 1e-12, or
 * below what the `tolerances` (NULL: exact) resolve, rtol |r| + atol. */
double analysis_nrmse(const analysis_column *self, const mbs_integrator_options *tolerances);

/* Root of the sum of the squares of the errors of columns (n). Those that do not move are left out; NaN when none
 * does. */
double analysis_combined(const analysis_column *columns, size_t n, const mbs_integrator_options *tolerances);

#endif
