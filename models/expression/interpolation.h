/* Interpolation through points (x, y) by piecewise cubics: finds the slopes m at the points. */
#ifndef MODELS_EXPRESSION_INTERPOLATION_H
#define MODELS_EXPRESSION_INTERPOLATION_H

#include <stdbool.h>
#include <stddef.h>

#include <seam/status.h>

/* Arguments of X: enumerator, name in the model file, smallest number of points, smallest number of periodic points. */
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

/* Points with increasing x. Two neighbours may have the same x, where a piecewise linear or constant function jumps.
 * Periodic points begin and end with the same y. */
typedef struct samples {
  size_t n;
  const double *x, *y; /* (n) */
  bool is_periodic;
} samples;

/* Finds the slopes m (n) of a smooth interpolation. pchip rises and falls only where the points do; akima has little
 * overshoot; both have continuous first derivatives. A spline has continuous second derivatives. Fails with
 * SEAM_NO_MEMORY, or with SEAM_NOT_FINITE if distances of points differ too much. */
seam_status interpolation_slopes(interpolation kind, const samples *points, double *m);

#endif
