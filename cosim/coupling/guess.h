/* Predictor of a collocation step: a polynomial is fitted to the last two steps and continued over the present one. */
#ifndef COSIM_GUESS_H
#define COSIM_GUESS_H

#include <stdbool.h>

#include "cosim/schemes/scheme.h"

enum { COSIM_MAX_GUESSED = COSIM_MAX_STAGES + 3, COSIM_MAX_KNOWN = 2 * (COSIM_MAX_STAGES + 1) };

/* Matrices of the fit, common to all components of a force. */
typedef struct cosim_guess {
  const cosim_rule *rule;
  int n, n_known; /* number of coefficients; number of known values and slopes in both steps */
  double known[COSIM_MAX_KNOWN][COSIM_MAX_GUESSED];    /* (n_known x n) values and slopes of the basis at known nodes */
  double factor[COSIM_MAX_GUESSED][COSIM_MAX_GUESSED]; /* lower triangle: Cholesky factor of knownᵀ known */
  double at[COSIM_MAX_NEW][COSIM_MAX_GUESSED]; /* (n_new x n) values of the basis polynomials at the new nodes */
} cosim_guess;

/* Prepares the fit for a step of length H. `last`, `before`: lengths of the last step and of the step before it.
 * Returns false if one of them is 4 or more times the other, if the rule has one stage, or if the fit is singular. */
bool cosim_guess_begin(cosim_guess *self, const cosim_rule *rule, bool is_joint, double H, double last, double before);
/* Finds the new values (n_new) of one component. `last`, `before`: polynomials over the last step and over the step
 * before it. Each has coefficients of powers of the τ of its own step. */
void cosim_guess_values(const cosim_guess *self, const double *last, const double *before, double *values);

#endif
