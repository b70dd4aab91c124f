/* The starting guess of a collocation step: polynomials of the last two steps, continued. */
#ifndef COSIM_MASTER_GUESS_H
#define COSIM_MASTER_GUESS_H

#include <stdbool.h>

#include "cosim/schemes/scheme.h"

enum { COSIM_MAX_GUESSED = COSIM_MAX_STAGES + 3, COSIM_MAX_KNOWN = 2 * (COSIM_MAX_STAGES + 1) };

/* Guesses of all components of a force, for steps of some lengths. */
typedef struct cosim_guess {
  const cosim_rule *rule;
  int n, n_known;                                      /* coefficients; what is known of both steps */
  double known[COSIM_MAX_KNOWN][COSIM_MAX_GUESSED];    /* of each coefficient's polynomial */
  double factor[COSIM_MAX_GUESSED][COSIM_MAX_GUESSED]; /* lower triangle: Cholesky's of knownᵀ known */
  double at[COSIM_MAX_NEW][COSIM_MAX_GUESSED];         /* the new values */
} cosim_guess;

/* For a step of length H after those of lengths `last` and `before`. false: these are too different to say much, or one
 * stage gives too little. */
bool cosim_guess_begin(cosim_guess *self, const cosim_rule *rule, bool is_joint, double H, double last, double before);
/* New values from the polynomials over the last step and the one before it, by their own τ. */
void cosim_guess_values(const cosim_guess *self, const double *last, const double *before, double *values);

#endif
