/* A part given by functions for its rates and outputs: x' = f(t, x, u), y = g(t, x, u). Steps are either controlled by
 * their error, within each piece of the inputs, or fixed micro steps, whose inputs are sampled where the method
 * evaluates the rates. Outputs are those under the inputs at the end of the macro step; with Euler's methods, which
 * hold inputs over a micro step, those under the inputs of the last micro step, as [Rodriguez] has them.
 *
 * For derivatives, the change s of the states along each seed w of the inputs is integrated with the states, s' = f_x s
 * + f_u w; with fixed steps this is the derivative of the method itself. */
#ifndef COSIM_PARTS_ODE_PART_H
#define COSIM_PARTS_ODE_PART_H

#include <seam/law.h>

#include "cosim/parts/part.h"

typedef enum cosim_ode_method {
  cosim_forward_euler,
  cosim_symplectic_euler, /* of x = (q, v): v += h a, then q += h v; only the rates of v are evaluated */
  cosim_midpoint,
  cosim_runge_kutta,
  cosim_error_controlled, /* explicit Runge-Kutta of the given order */
} cosim_ode_method;

typedef struct cosim_ode_def {
  const char *name;          /* not copied */
  const char *const *states; /* (n_states) names for messages, not copied; NULL: none */
  int n_states, n_inputs, n_outputs;
  int n_integrals; /* the last states: over the present macro step, from zero; no rate depends on them */
  cosim_ode_method method;
  int micro_steps;     /* in each macro step; 0: the fewest that are not longer than micro_step */
  double micro_step;   /* s */
  int order;           /* error_controlled: 4, 5 or 8, and the error of a step stays below rtol |x| + atol */
  double rtol, atol;   /* integrals are not controlled */
  const void *context; /* not copied */
  /* dx (n_states) at t, x and inputs u. */
  void (*rates)(const void *context, double t, const double *x, const double *u, double *dx);
  void (*outputs)(const void *context, double t, const double *x, const double *u, double *y);
  /* Their derivatives along (dx, du); NULL: the part gives no derivatives. */
  void (*rates_along)(const void *context, double t, const double *x, const double *u, const double *dx,
                      const double *du, double *change);
  void (*outputs_along)(const void *context, double t, const double *x, const double *u, const double *dx,
                        const double *du, double *change);
  /* The first time after t at which the rates have a kink or jump, whatever x and u: a step ends there. NULL: none. */
  seam_kink (*next_kink)(const void *context, double t);
  const double *start; /* (n_states) copied */
} cosim_ode_def;

/* SEAM_NO_MEMORY. The state of the part is (x, u that outputs were given under, t), and with error control the size of
 * the next step and the last error. */
seam_status cosim_ode_part_create(const cosim_ode_def *def, cosim_part **part, seam_error *error);
/* What it was made of; NULL: another kind of part. */
const cosim_ode_def *cosim_ode_part_def(const cosim_part *part);

#endif
