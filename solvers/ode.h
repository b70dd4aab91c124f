/* Ordinary differential equations y' = f(t, y), as explicit integrators and BDF see them. */
#ifndef SOLVERS_ODE_H
#define SOLVERS_ODE_H

#include <stdbool.h>
#include <stddef.h>

#include <seam/status.h>

#include "base/worker_group.h"

typedef struct seam_ode {
  size_t n;              /* length of y */
  size_t n_controlled;   /* its first entries, whose error is controlled; the rest are quadratures */
  size_t still, n_still; /* first and number of entries, among them, whose rates are zero */
  size_t n_positions;    /* its first entries are positions, as many after them their rates; 0: not of this form */
  seam_status (*rhs)(void *context, double t, const double *y, double *dy, seam_error *error);
  /* Rates of controlled entries alone, for estimates of the error; NULL: rhs is called instead. */
  seam_status (*controlled)(void *context, double t, const double *y, double *dy, seam_error *error);
  seam_status (*project)(void *context, double t, double *y, seam_error *error); /* NULL: none */
  /* The same right after an evaluation near (t, y), which may serve it; NULL: there is no such short cut.
   * *of_rounding: what it removes is rounding, most of which earlier projections left. */
  seam_status (*project_near)(void *context, double t, double *y, bool *of_rounding, seam_error *error);
  /* The same for states inside of a step; NULL: they stay as they are interpolated. */
  seam_status (*project_inside)(void *context, double t, double *y, seam_error *error);
  /* Puts the positions of `end`, h after (t, y), onto their constraints by forces along the directions that these have
   * at (t, y), whose impulse goes to the rates of `end` as well; NULL: none. */
  seam_status (*shake)(void *context, double t, double h, const double *y, double *end, seam_error *error);
  /* Asked where an adaptive step of up to h begins, after the last evaluation there: SEAM_BECAME_SINGULAR ends the
   * integration at (t, y), with what it writes to *error. NULL: not asked. */
  seam_status (*begin_step)(void *context, double t, double h, const double *y, seam_error *error);
  void *context;
  const worker_group *workers; /* whose threads share sums of vectors; NULL: one thread */
} seam_ode;

/* Solves (I - gamma ∂f/∂y) x = b for the first n_controlled entries, in whatever form suits the equations. */
typedef struct seam_newton {
  seam_status (*setup)(void *context, double t, const double *y, double gamma, seam_error *error);
  void (*solve)(void *context, double *b); /* b (n_controlled) becomes x of the last setup */
  void *context;
} seam_newton;

#endif
