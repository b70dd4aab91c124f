/* Ordinary differential equations y' = f(t, y), and integrators for them. */
#ifndef SOLVERS_ODE_H
#define SOLVERS_ODE_H

#include "base/pool.h"
#include "solvers/stepper.h"

typedef struct seam_ode {
  size_t n;                          /* length of y */
  size_t n_controlled;               /* number of leading entries with error control; quadratures follow */
  size_t first_constant, n_constant; /* first index and number of the controlled entries whose rates are always zero */
  size_t n_positions; /* number of positions: the first entries, followed by their rates; 0: y is in another order */
  seam_status (*rhs)(void *context, double t, const double *y, double *dy, seam_error *error);
  /* Writes rates of controlled entries only, for error estimates; NULL: rhs() is used. */
  seam_status (*controlled)(void *context, double t, const double *y, double *dy, seam_error *error);
  /* Projects y onto the constraints; NULL: there are none. */
  seam_status (*project)(void *context, double t, double *y, seam_error *error);
  /* Works like project(), but is called right after an evaluation near (t, y), whose results may be reused; NULL:
   * project() is used. Sets *of_rounding if the correction only removes round-off, mostly of earlier corrections. */
  seam_status (*project_near)(void *context, double t, double *y, bool *of_rounding, seam_error *error);
  /* Works like project(), for states inside a step; NULL: interpolated states are not projected. */
  seam_status (*project_inside)(void *context, double t, double *y, seam_error *error);
  /* Projects the positions of `end`, the state at t + h, onto their constraints by forces in the constraint directions
   * at (t, y). Their impulses also change the velocities of `end`. NULL: positions are not projected. */
  seam_status (*shake)(void *context, double t, double h, const double *y, double *end, seam_error *error);
  /* Called before each step, with its beginning (t, y); NULL: not called. One-step methods have just evaluated the
   * equations there. h: largest length of an adaptive step. SEAM_BECAME_SINGULAR ends the integration at t. */
  seam_status (*begin_step)(void *context, double t, double h, const double *y, seam_error *error);
  void *context;
  const worker_group *workers; /* threads that share the work of vector sums; NULL: one thread */
} seam_ode;

/* Solver of (I - gamma ∂f/∂y) x = b for the first n_controlled entries. */
typedef struct seam_newton {
  seam_status (*setup)(void *context, double t, const double *y, double gamma, seam_error *error);
  void (*solve)(void *context, double *b); /* replaces b (n_controlled) by x; uses the last setup */
  void *context;
} seam_newton;

/* ---- Integrators, besides those of erk.h; they copy *ode and *newton. SEAM_NO_MEMORY. ---- */

/* Formulas of CVODES: backward differentiation, order 1 to 5, for stiff equations; Adams-Moulton, order 1 to 12, for
 * nonstiff equations without invariants. */
typedef enum seam_formulas { SEAM_BDF, SEAM_ADAMS } seam_formulas;

/* Adaptive steps and orders; states are projected onto the invariants after each step and inside steps. The error of a
 * step is the root mean square of error / allowed error over the controlled entries. Image: see multistep.h. On a
 * double pendulum a restore cost 30 evaluations at rtol 1e-6, 60 at 1e-12, and added an error of at most 4 tolerances.
 * SEAM_BAD_INPUT: there are no fixed steps. */
seam_status seam_cvode_create(const seam_ode *ode, seam_formulas formulas, const seam_newton *newton,
                              const seam_tolerances *tolerances, seam_integrator **integrator, seam_error *error);

/* Symplectic Euler method for q' = v, v' = a(t, q, v), of order 1, with fixed steps. Entries of y after q and v are
 * integrated by their rates at the beginning of a step. SEAM_BAD_INPUT: no positions, or no fixed step. */
seam_status seam_symplectic_create(const seam_ode *ode, const seam_tolerances *tolerances, seam_integrator **integrator,
                                   seam_error *error);

#endif
