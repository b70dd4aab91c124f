/* Normalised root mean square errors of sampled results against a reference. */
#ifndef ANALYSIS_ERRORS_H
#define ANALYSIS_ERRORS_H

#include <stddef.h>

#include <seam/mbs.h>

/* Running sums for the errors of a quantity x against its reference r; initialise with {0}. */
typedef struct analysis_column {
  double weight;        /* Σ w */
  double mean, squares; /* Σ w r / Σ w and Σ w (r - mean)² of the reference */
  double error_squares; /* Σ w (r - x)² */
  double size;          /* largest |r| */
  double largest;       /* largest |r - x| */
} analysis_column;

/* Adds a point that stands for `weight` points. */
void analysis_column_add(analysis_column *self, double weight, double reference, double value);

/* Returns √(Σ w (r - x)² / Σ w (r - mean)²). Returns NaN if the reference is constant: its standard deviation is below
 * 1e-12, or below rtol max|r| + atol of `tolerances` (NULL: no tolerances). */
double analysis_nrmse(const analysis_column *self, const mbs_integrator_options *tolerances);

/* Returns the square root of the sum of squares of analysis_nrmse() over n columns. Omits columns with a constant
 * reference; NaN if the references of all columns are constant. */
double analysis_combined(const analysis_column *columns, size_t n, const mbs_integrator_options *tolerances);

#endif
