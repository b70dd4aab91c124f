/* Slopes m at the points (x, y) of a piecewise cubic. */
#ifndef MODELS_EXPRESSION_INTERPOLATION_H
#define MODELS_EXPRESSION_INTERPOLATION_H

#include <stdbool.h>
#include <stddef.h>

#include <seam/status.h>

/* Arguments of X: code, name in the model file, least number of points, least number of periodic points. */
#define INTERPOLATION_TABLE(X)                                                                                         \
  X(INTERPOLATION_LINEAR, "linear", 2, 2)                                                                              \
  X(INTERPOLATION_PCHIP, "pchip", 2, 3)                                                                                \
  X(INTERPOLATION_AKIMA, "akima", 2, 3)                                                                                \
  X(INTERPOLATION_SPLINE, "spline", 2, 4)                                                                              \
  X(INTERPOLATION_HOLD, "hold", 2, 2)

typedef enum interpolation {
#define INTERPOLATION_CODE(code, name, least, least_periodic) code,
  INTERPOLATION_TABLE(INTERPOLATION_CODE)
#undef INTERPOLATION_CODE
      N_INTERPOLATIONS
} interpolation;

/* Points with increasing x; two may share an x where straight lines jump. Periodic points begin and end with the same
 * y. */
typedef struct samples {
  size_t n;
  const double *x, *y; /* (n) */
  bool is_periodic;
} samples;

/* Finds m (n) of a smooth interpolation: pchip rises and falls only where the points do; akima has little overshoot;
 * both have continuous first derivatives; a spline has continuous second derivatives. SEAM_NO_MEMORY; SEAM_NOT_FINITE
 * if distances of points differ too much. */
seam_status interpolation_slopes(interpolation kind, const samples *points, double *m);

#endif
