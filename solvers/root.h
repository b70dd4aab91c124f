/* A zero of a function of one variable, bracketed by a change of sign. */
#ifndef SOLVERS_ROOT_H
#define SOLVERS_ROOT_H

#include <seam/status.h>

typedef struct seam_root_function {
  seam_status (*value)(void *context, double x, double *f, seam_error *error);
  void *context;
} seam_root_function;

/* a < b; f(a) is not zero; f(b) is zero or of the other sign. */
typedef struct seam_bracket {
  double a, b, fa, fb;
} seam_bracket;

/* Narrows the bracket until b - a <= resolution, or no double lies between a and b. The sign of f still changes between
 * its ends. An error of f ends the search; its status is returned. */
seam_status seam_find_root(const seam_root_function *function, double resolution, seam_bracket *bracket,
                           seam_error *error);

#endif
