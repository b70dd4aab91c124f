/* A zero of a function of one variable between two places where its signs differ. */
#ifndef SOLVERS_ROOT_H
#define SOLVERS_ROOT_H

#include <seam/status.h>

typedef struct seam_root_function {
  seam_status (*value)(void *context, double x, double *f, seam_error *error);
  void *context;
} seam_root_function;

/* f(a) is not zero, f(b) zero or of the other sign. */
typedef struct seam_bracket {
  double a, b, fa, fb;
} seam_bracket;

/* Narrows the bracket until b - a <= resolution, or no number is left between. What the function returns ends it. */
seam_status seam_find_root(const seam_root_function *function, double resolution, seam_bracket *bracket,
                           seam_error *error);

#endif
