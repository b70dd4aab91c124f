/* Differential-algebraic equations B y' = f(t, y) with a constant diagonal B, as implicit integrators see them. */
#ifndef SOLVERS_DAE_H
#define SOLVERS_DAE_H

#include <seam/status.h>

typedef struct seam_dae {
  int n;              /* unknowns */
  const double *mass; /* (n) diagonal of B; 0: an algebraic equation */
  const int *index;   /* (n) of the unknown: 0 or 1, or 2 for multipliers */
  int n_quadratures;  /* integrals of f that nothing else depends on: w' = P(t, y) */
  /* Pattern of ∂f/∂y, diagonal included, in compressed columns: start (n + 1), row (sorted). */
  const int *start, *row;
  /* f (n) and, when quadrature is not NULL, P (n_quadratures). */
  seam_status (*f)(void *context, double t, const double *y, double *f, double *quadrature, seam_error *error);
  /* value (start[n]) of ∂f/∂y, exact. */
  seam_status (*jacobian)(void *context, double t, const double *y, double *value, seam_error *error);
  /* As that of seam_ode, with a context of its own. */
  seam_status (*begin_step)(void *watcher, double t, const double *y, seam_error *error);
  void *watcher;
  const double *reference; /* (n) a typical y, at t_reference; it decides the order of pivots */
  double t_reference;
  void *context;
} seam_dae;

/* place (n) of each diagonal entry among the values of the pattern. */
static inline void seam_dae_find_diagonal(const seam_dae *dae, int *place) {
  for (int i = 0; i < dae->n; i++)
    for (int k = dae->start[i]; k < dae->start[i + 1]; k++)
      if (dae->row[k] == i)
        place[i] = k;
}

#endif
