/* The conditions that determine the new values of the coupling variables of one cut, all taken at the end of the macro
 * step. ([Li] 3.1c, 3.19c, 3.26c, 3.36 to 3.61, 4.2 to 4.18, 4.70, 4.87; docs/conventions.md.) */
#ifndef COSIM_MASTER_CONDITION_H
#define COSIM_MASTER_CONDITION_H

#include "cosim/master/cut.h"

/* What is known of the approximation of one component of a coupling variable. */
typedef struct cosim_approximation {
  double end, slope, integral;     /* value and rate at the end; integral over the macro step */
  double new_value[COSIM_MAX_NEW]; /* at its new nodes */
} cosim_approximation;

/* The end of a macro step as a cut sees it; or a small change of it. */
typedef struct cosim_point {
  cosim_motion motion[2];
  double multiplier[2][COSIM_MAX_DIMS];                         /* forces that prescribed accelerations take */
  cosim_approximation w[COSIM_MAX_VARIABLES][COSIM_MAX_FORCES]; /* of each variable, by component */
} cosim_point;

/* Derivatives of the cut element there. */
typedef struct cosim_law_gradients {
  cosim_gradient Wx, Wv;
  /* Rows: directions of W that multipliers cannot make, at each of its new nodes. */
  double untransmittable[COSIM_MAX_NEW][COSIM_MAX_FORCES][COSIM_MAX_FORCES];
} cosim_law_gradients;

typedef struct cosim_moment {
  double t, H;               /* the end of the step; its length */
  const cosim_motion *begin; /* (2) motions at the beginning */
} cosim_moment;

/* Components of a variable of this kind at the cut, and which. */
int cosim_components(const cosim_element *element, cosim_kind kind, const int **component);

/* Number of conditions, which is that of new values. */
int cosim_n_conditions(const cosim_cut *cut);

/* Weighted multipliers have three roots, of the levels 0 (g), 1 (g') and 2 (g''); else the level does not matter. */
void cosim_conditions(const cosim_cut *cut, const cosim_moment *moment, const cosim_point *point, int level,
                      double *residual);

void cosim_take_law_gradients(const cosim_cut *cut, const cosim_moment *moment, const cosim_point *point,
                              cosim_law_gradients *gradients);
/* Changes of the conditions when the point changes. */
void cosim_condition_derivatives(const cosim_cut *cut, const cosim_moment *moment, const cosim_point *point,
                                 const cosim_law_gradients *gradients, const cosim_point *change, int level,
                                 double *residual);

#endif
