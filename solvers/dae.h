/* Differential-algebraic equations B y' = f(t, y), with a constant diagonal B and index up to 2; their integrators. */
#ifndef SOLVERS_DAE_H
#define SOLVERS_DAE_H

#include "solvers/stepper.h"

/* Division of unknowns and equations into blocks that may be eliminated in a fixed sequence. */
typedef struct seam_dae_block_pattern {
  int n_blocks;
  const int *of;          /* (n) block that contains unknown i and equation i */
  const int *velocity_of; /* (n) for an unknown q with q' = v + ... and v' = ...: index of v; -1 for other unknowns */
  const int *sequence;    /* (n_blocks) order of elimination */
} seam_dae_block_pattern;

typedef struct seam_dae {
  int n;              /* number of unknowns */
  const double *mass; /* (n) diagonal of B; 0: an algebraic equation */
  const int *index; /* (n) differentiation index of each unknown: 0, 1, or 2 (multipliers); only integrators read it */
  /* (n) order of unknown i as a time derivative: 0 for positions and states, 1 for velocities, 2 for accelerations; of
   * a multiplier that of the rate in whose equation it appears. Scales Newton matrices; NULL: no scaling. */
  const int *rates;
  /* (n) rounding of positions causes the error (c/h)² rounding[i] of unknown i, c/h as in the Newton matrix; NULL: 0 */
  const double *rounding;
  int n_constant;    /* number of unknowns that never change; they do not count in the mean of errors */
  int n_quadratures; /* number of quadratures w, w' = P(t, y); f does not depend on w */
  /* Pattern of ∂f/∂y, diagonal included, in compressed columns: start (n + 1), row (sorted). */
  const int *start, *row;
  const seam_dae_block_pattern *blocks; /* NULL: pivots must be searched */
  /* Writes f (n) and, when quadrature is not NULL, P (n_quadratures). */
  seam_status (*f)(void *context, double t, const double *y, double *f, double *quadrature, seam_error *error);
  /* Writes ∂f/∂y, exact, to value (start[n]). */
  seam_status (*jacobian)(void *context, double t, const double *y, double *value, seam_error *error);
  /* Works like begin_step() of seam_ode, with the context `owner`. */
  seam_status (*begin_step)(void *owner, double t, double h, const double *y, seam_error *error);
  /* Functions for states inside a step, called with the context `owner`. rates_at() writes the exact rates of all
   * unknowns except multipliers, then those of quadratures; NULL: the polynomial of inside.h is not used.
   * project_inside() projects a state onto the constraints; NULL: it stays as it is. */
  seam_status (*rates_at)(void *owner, double t, const double *y, double *dy, seam_error *error);
  seam_status (*project_inside)(void *owner, double t, double *y, seam_error *error);
  int n_positions; /* number of positions, the first unknowns; their rates follow */
  void *owner;
  const double *reference; /* (n) a typical y, at t_reference; its Jacobian decides the order of pivots */
  double t_reference;
  void *context;
} seam_dae;

/* Both integrators copy *dae; its arrays must outlive them. y ends with the quadratures. They fail with SEAM_NO_MEMORY,
 * or with SEAM_SINGULAR if the Newton matrix of the reference state is singular. */

/* Three-stage Radau IIA, order 5. */
seam_status seam_radau_create(const seam_dae *dae, const seam_tolerances *tolerances, seam_integrator **integrator,
                              seam_error *error);
/* IDAS, the variable-order BDF integrator of SUNDIALS. y at a start must satisfy the constraints. A restart of the
 * pendulum of tests/solvers takes 14 more steps at rtol 1e-6, 38 more at 1e-12, and adds an error of one to two
 * tolerances. Image: see multistep.h. Fails also with SEAM_BAD_INPUT: fixed step. */
seam_status seam_ida_create(const seam_dae *dae, const seam_tolerances *tolerances, seam_integrator **integrator,
                            seam_error *error);

#endif
