/* A part given by functions for its rates and outputs, with a method of fixed micro steps of its own. Inputs are
 * sampled where the method evaluates the rates: by Euler's methods they are held over a micro step. Outputs are given
 * under the inputs of the last evaluation. */
#ifndef COSIM_ODE_PART_H
#define COSIM_ODE_PART_H

#include "cosim/part.h"

typedef enum cosim_ode_method {
  cosim_forward_euler,
  cosim_symplectic_euler, /* of x = (q, v): v += h a, then q += h v; only the rates of v are asked for */
  cosim_midpoint,
  cosim_runge_kutta,
} cosim_ode_method;

typedef struct cosim_ode_def {
  const char *name; /* not copied */
  int n_states, n_inputs, n_outputs;
  cosim_ode_method method;
  int micro_steps;     /* in each macro step */
  const void *context; /* not copied */
  /* dx (n_states) at t, x and inputs u. */
  void (*rates)(const void *context, double t, const double *x, const double *u, double *dx);
  void (*outputs)(const void *context, double t, const double *x, const double *u, double *y);
  const double *start;  /* (n_states) copied */
  const bool *restarts; /* (n_states) set to zero at the beginning of every macro step, as integrals are; NULL: none;
                           not copied */
} cosim_ode_def;

/* SEAM_NO_MEMORY. The state of the part is (x, u of the last evaluation, t). */
seam_status cosim_ode_part_create(const cosim_ode_def *def, cosim_part **part, seam_error *error);

#endif
