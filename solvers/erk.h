/* Explicit Runge-Kutta methods for y' = f(t, y), optionally with projection onto an invariant after each step. */
#ifndef SOLVERS_ERK_H
#define SOLVERS_ERK_H

#include "solvers/ode.h"
#include "solvers/onestep.h"

enum { SEAM_MAX_STAGES = 17, SEAM_MAX_TERMS = 8 };

/* k_i = f(t + c_i h, y + h Σ_j a_ij k_j), y₁ = y + h Σ b_i k_i; the error is about h Σ e_i k_i. */
typedef struct seam_tableau {
  const char *name;
  int n_stages;
  int n_sum;         /* number of stages in the sum y₁; later stages serve the estimate only */
  int control_order; /* the error estimate is O(h ^ control_order); 0: there is no estimate */
  int n_slopes; /* number of slopes k_i for the interpolant; k_i with i = n_sum is f(t + h, y₁). 0: no interpolant */
  int n_terms;  /* number of terms F_j of the interpolant (erk.c); the first 3 need only y and slopes at both ends */
  double A[SEAM_MAX_STAGES][SEAM_MAX_STAGES], c[SEAM_MAX_STAGES], b[SEAM_MAX_STAGES], e[SEAM_MAX_STAGES];
  double e3[SEAM_MAX_STAGES]; /* coefficients of the second estimate; zeros: there is no second estimate */
  double D[SEAM_MAX_TERMS - 3][SEAM_MAX_STAGES]; /* D[j - 3][i]: coefficient of h k_i in F_j, j >= 3 */
} seam_tableau;

/* Returns the static tableau of a name: "euler", "rk2", "rk4" (no estimate), "erk4", "erk5", "erk8"; or NULL. */
const seam_tableau *seam_tableau_of(const char *name);

/* name: "erk4", "erk5", "erk8" (adaptive or fixed), "euler", "rk2", "rk4" (fixed steps only). Copies *ode. */
seam_status seam_erk_create(const seam_ode *ode, const char *name, const seam_tolerances *tolerances,
                            seam_integrator **integrator, seam_error *error);

/* Takes one step without projection: y (ode->n) at t becomes y at t + h; h may be negative. An error does not change y.
 * The table must have fewer than SEAM_ERK_SCRATCH stages. scratch: SEAM_ERK_SCRATCH times ode->n numbers. */
enum { SEAM_ERK_SCRATCH = 5 };
seam_status seam_erk_step(const seam_tableau *table, const seam_ode *ode, double t, double h, double *y,
                          double *scratch, seam_error *error);

#endif
