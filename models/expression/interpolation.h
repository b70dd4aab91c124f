/* Slopes m of a piecewise cubic through points (x, y), one at each point. */
#ifndef MODELS_EXPRESSION_INTERPOLATION_H
#define MODELS_EXPRESSION_INTERPOLATION_H

#include <stdbool.h>
#include <stddef.h>

#include <seam/status.h>

/* Columns: code, name in the model file, least number of points, of periodic ones. */
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

/* Points in the order of x, which grows, or stays once where straight lines jump; periodic ones begin and end with the
 * same y. */
typedef struct samples {
  size_t n;
  const double *x, *y; /* (n) */
  bool is_periodic;
} samples;

/* m (n) of a smooth interpolation: pchip keeps rises and falls of the points, akima has little overshoot, both with
 * continuous first derivatives; a spline has continuous second ones. SEAM_NO_MEMORY;
 * SEAM_NOT_FINITE where distances of points differ too much for it. */
seam_status interpolation_slopes(interpolation kind, const samples *points, double *m);

#endif
