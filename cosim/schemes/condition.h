/* The conditions that determine the new values of the coupling variables of a cut. They hold at the end of the macro
 * step and, with collocation, at inner nodes. ([Li] 3.1c, 3.19c, 3.26c, 3.36 to 3.61, 4.2 to 4.18, 4.70, 4.87;
 * docs/conventions.md.) */
#ifndef COSIM_CONDITION_H
#define COSIM_CONDITION_H

#include "cosim/schemes/cut.h"
#include "cosim/schemes/snapshot.h"

/* Approximation w(τ) of one component of a coupling variable over a macro step. */
typedef struct cosim_approximation {
  double end, rate, integral;                                 /* value and rate at the end, integral over the step */
  double new_value[COSIM_MAX_NEW];                            /* the first one is `end` */
  double second_rate;                                         /* collocation: second derivative at the end */
  double inner[COSIM_MAX_INNER], inner_rate[COSIM_MAX_INNER]; /* collocation: values and rates at the inner nodes */
} cosim_approximation;

/* of[variable][component]: approximations of all variables of a cut, or small changes of them. */
typedef struct cosim_approximations {
  cosim_approximation of[COSIM_MAX_VARIABLES][COSIM_MAX_FORCES];
} cosim_approximations;

/* Derivatives at the end of a step, then, with collocation, at the inner nodes. A force element has Wx = ∂W/∂x and
 * Wv = ∂W/∂v of its wrench W(x, v). A joint has J = ∂g/∂x of its residuals g, and the rate J', in their place. */
typedef struct cosim_law_gradients {
  cosim_gradient Wx[COSIM_MAX_STAGES], Wv[COSIM_MAX_STAGES];
  cosim_motion end[2]; /* collocation: motions at which the derivatives at the end were evaluated */
  /* At each new node, orthonormal rows that span the wrenches that a joint cannot transmit. */
  double untransmittable[COSIM_MAX_NEW][COSIM_MAX_FORCES][COSIM_MAX_FORCES];
} cosim_law_gradients;

/* Returns the number of components of a variable of this kind at the cut, and lists them. */
int cosim_components(const cosim_element *element, cosim_kind kind, const int **component);

/* Returns the number of conditions, equal to the number of new values. */
int cosim_n_conditions(const cosim_cut *cut);

/* Evaluates the residuals (n_conditions) after a step with the approximations w. Reads wrenches at the end only on
 * sides with prescribed accelerations. level: the method "weighted" sets g (0), g' (1) or g'' (2) to zero. */
void cosim_conditions(const cosim_cut *cut, const cosim_step_interval *step, const cosim_approximations *w, int level,
                      double *residual);

void cosim_evaluate_law_gradients(const cosim_cut *cut, const cosim_step_interval *step, const cosim_approximations *w,
                                  cosim_law_gradients *gradients);
/* Returns true if each side's motion enters each condition by one linear term, with the factors Wx, Wv or J, J'. This
 * holds for collocation in ff at two kinds of cuts: joints that transmit all components, and force elements with an
 * affine law. At a force element, the force or its rate is a further term. */
bool cosim_conditions_add_motions(const cosim_cut *cut);
/* Evaluates the change of the residuals for small changes of outputs (`seed`) and of coupling variables (`w_seed`). */
void cosim_condition_derivatives(const cosim_cut *cut, const cosim_step_interval *step,
                                 const cosim_law_gradients *gradients, const cosim_step_outputs *seed,
                                 const cosim_approximations *w_seed, int level, double *derivatives);

#endif
