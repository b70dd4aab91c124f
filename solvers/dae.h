/* Differential-algebraic equations B y' = f(t, y) with a constant diagonal B, as implicit integrators see them. */
#ifndef SOLVERS_DAE_H
#define SOLVERS_DAE_H

#include <math.h>

#include <seam/status.h>

#include "solvers/lu.h"

/* Blocks of unknowns and equations whose pivots may be eliminated in a sequence that is known beforehand. */
typedef struct seam_dae_block_pattern {
  int n_blocks;
  const int *of;       /* (n) of an unknown, and of its equation */
  const int *gives;    /* (n) the unknown v that an equation q' = v + ... gives, which has an equation v' = ...; -1 */
  const int *sequence; /* (n_blocks) */
} seam_dae_block_pattern;

typedef struct seam_dae {
  int n;              /* unknowns */
  const double *mass; /* (n) diagonal of B; 0: an algebraic equation */
  const int *index;   /* (n) of the unknown: 0 or 1, or 2 for multipliers */
  /* (n) time derivatives that an unknown has of a position, 0 to 2; a multiplier has those of what it gives, and its
   * constraint stands in its place. They scale Newton matrices; NULL: nothing is scaled. */
  const int *rates;
  /* (n) rounding of positions leaves (c/h)² times this of an unknown, c/h being the method's coefficient of B; NULL: 0
   */
  const double *rounding;
  int n_held;        /* unknowns that never change, which the mean of errors leaves out */
  int n_quadratures; /* integrals of f that nothing else depends on: w' = P(t, y) */
  /* Pattern of ∂f/∂y, diagonal included, in compressed columns: start (n + 1), row (sorted). */
  const int *start, *row;
  const seam_dae_block_pattern *blocks; /* NULL: pivots must be looked for */
  /* f (n) and, when quadrature is not NULL, P (n_quadratures). */
  seam_status (*f)(void *context, double t, const double *y, double *f, double *quadrature, seam_error *error);
  /* value (start[n]) of ∂f/∂y, exact. */
  seam_status (*jacobian)(void *context, double t, const double *y, double *value, seam_error *error);
  /* As that of seam_ode, with a context of its own. */
  seam_status (*begin_step)(void *watcher, double t, double h, const double *y, seam_error *error);
  /* Functions for states inside a step; NULL: these are found otherwise. One gives exact rates of all unknowns except
   * multipliers, and of quadratures behind all unknowns; the other puts a state onto the constraints. They take the
   * context of begin_step(). */
  seam_status (*rates_at)(void *watcher, double t, const double *y, double *dy, seam_error *error);
  seam_status (*land)(void *watcher, double t, double *y, seam_error *error);
  int n_positions; /* the first unknowns are positions, as many after them their rates */
  void *watcher;
  const double *reference; /* (n) a typical y, at t_reference; it decides the order of pivots */
  double t_reference;
  void *context;
} seam_dae;

/* Factors that bring c B/h - ∂f/∂y near a regular limit h → 0, so that the pivots of one step suit others: an unknown
 * of r derivatives is of the order h^-r, its equation of h^(-r-1), an algebraic one of h^(r-2). h is rounded to a power
 * of two. (Petzold, Lötstedt: Numerical solution of nonlinear differential equations with algebraic constraints II,
 * SIAM Journal on Scientific and Statistical Computing 7, 1986.) */
static inline void seam_dae_scale(const seam_dae *dae, double h, const seam_lu_scale *scale) {
  int exponent = 0;
  frexp(h, &exponent);
  const double power[4] = {1, ldexp(1, exponent), ldexp(1, 2 * exponent), ldexp(1, 3 * exponent)};
  for (int i = 0; i < dae->n && dae->rates != NULL; i++) {
    const int r = dae->rates[i];
    scale->column[i] = 1 / power[r];
    scale->row[i] = power[dae->mass[i] > 0 ? r + 1 : 2 - r];
  }
}

/* place (n) of each diagonal entry among the values of the pattern. */
static inline void seam_dae_find_diagonal(const seam_dae *dae, int *place) {
  for (int i = 0; i < dae->n; i++)
    for (int k = dae->start[i]; k < dae->start[i + 1]; k++)
      if (dae->row[k] == i)
        place[i] = k;
}

#endif
