/* Errors of sampled results against a reference. */
#ifndef ANALYSIS_ERRORS_H
#define ANALYSIS_ERRORS_H

#include <stddef.h>

#include <seam/mbs.h>

/* Sums for the errors of one quantity x against its reference r, point by point; start from {0}. */
typedef struct analysis_column {
  size_t n;
  double mean, squares; /* mean of the reference, Σ (r - mean)² */
  double error_squares; /* Σ (r - x)² */
  double size;          /* largest |r| */
  double largest;       /* largest |r - x| */
} analysis_column;

void analysis_column_add(analysis_column *self, double reference, double value);

/* Returns √(Σ (r - x)² / Σ (r - mean)²); NaN if the reference does not move: its standard deviation is below 1e-12, or
 * below the resolution rtol max|r| + atol of the `tolerances` (NULL: exact). */
double analysis_nrmse(const analysis_column *self, const mbs_integrator_options *tolerances);

/* Returns the root of the sum of the squared analysis_nrmse() of n columns, without those whose reference does not
 * move; NaN if none moves. */
double analysis_combined(const analysis_column *columns, size_t n, const mbs_integrator_options *tolerances);

#endif
