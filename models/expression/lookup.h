/* Functions of one variable u through points (x_k, y_k), called tables: piecewise cubics with slopes m_k
 *
 *     f = y_k + d (m_k + d (b_k + d a_k)),  d = u - x_k,  x_k <= u < x_k+1
 *
 * Piecewise constant functions have m = b = a = 0; f jumps where x_k = x_k+1. */
#ifndef MODELS_EXPRESSION_LOOKUP_H
#define MODELS_EXPRESSION_LOOKUP_H

#include <seam/status.h>

#include "models/expression/functions.h"

/* Interpolations between the points. pchip rises and falls only where the points do. akima has little overshoot. Both
 * have continuous first derivatives; a spline also has continuous second derivatives. hold keeps the value of the point
 * before. Least numbers of points: 2, if periodic 3 for pchip and akima, 4 for a spline. */
typedef enum interpolation {
  INTERPOLATION_LINEAR,
  INTERPOLATION_PCHIP,
  INTERPOLATION_AKIMA,
  INTERPOLATION_SPLINE,
  INTERPOLATION_HOLD,
  N_INTERPOLATIONS
} interpolation;

/* Points with increasing x. Two neighbours may have the same x, where a piecewise linear or constant function jumps.
 * Periodic points begin and end with the same y. */
typedef struct samples {
  size_t n;
  const double *x, *y; /* (n) */
  bool is_periodic;
} samples;

/* Values outside the points. */
typedef enum extrapolation {
  EXTRAPOLATION_NONE,     /* NaN, with a note */
  EXTRAPOLATION_HOLD,     /* the value at the nearest end */
  EXTRAPOLATION_LINEAR,   /* the tangent at the nearest end */
  EXTRAPOLATION_PERIODIC, /* the values between the points, repeated periodically */
  N_EXTRAPOLATIONS
} extrapolation;

typedef struct lookup lookup;

/* Definition, whose texts and numbers lookup_create() copies. */
typedef struct lookup_def {
  const char *name;
  interpolation kind;
  extrapolation beyond;
  samples points; /* at least the smallest number for `kind` */
} lookup_def;

/* Fails with SEAM_NO_MEMORY, or with SEAM_NOT_FINITE if values or distances of points differ too much. */
seam_status lookup_create(const lookup_def *def, lookup **created);
void lookup_destroy(lookup *self);

/* Returns the lookup, which owns the result, as a function for expressions. */
const function *lookup_function(const lookup *self);

/* The state is the index of the piece between points, so integration steps end at the points. */
double lookup_value(const lookup *self, double u);
void lookup_slopes(const lookup *self, double u, partials *d);
double lookup_state(const lookup *self, double u);
/* Returns the interval between two points that contains u; infinite on a side where no other piece follows. */
range lookup_piece(const lookup *self, double u);
range lookup_enclose(const lookup *self, range u);

/* Writes a note, once for each lookup, that there is no value at u. */
void lookup_note_undefined(const lookup *self, double u);
bool lookup_was_undefined(const lookup *self);

/* Returns the first and the last x. */
range lookup_points(const lookup *self);

#endif
