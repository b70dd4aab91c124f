/* Functions of one variable through points: piecewise cubics
 *
 *     f = y_k + d (m_k + d (b_k + d a_k)),  d = u - x_k,  x_k <= u < x_k+1
 *
 * with values that are held where m, b and a are 0, and a jump where x_k = x_k+1. */
#ifndef MODELS_EXPRESSION_LOOKUP_H
#define MODELS_EXPRESSION_LOOKUP_H

#include "models/expression/functions.h"
#include "models/expression/interpolation.h"

/* Values of a function beyond its points. Columns: code, name in the model file. */
#define EXTRAPOLATION_TABLE(X)                                                                                         \
  X(EXTRAPOLATION_NONE, "none")         /* no number; a note says so */                                                \
  X(EXTRAPOLATION_HOLD, "hold")         /* that of the end */                                                          \
  X(EXTRAPOLATION_LINEAR, "linear")     /* the tangent of the end */                                                   \
  X(EXTRAPOLATION_PERIODIC, "periodic") /* that of the points, again and again */

typedef enum extrapolation {
#define EXTRAPOLATION_CODE(code, name) code,
  EXTRAPOLATION_TABLE(EXTRAPOLATION_CODE)
#undef EXTRAPOLATION_CODE
      N_EXTRAPOLATIONS
} extrapolation;

typedef struct lookup lookup;

/* The texts and numbers of a definition are copied. */
typedef struct lookup_def {
  const char *name;
  interpolation kind;
  extrapolation beyond;
  samples points; /* at least as many as its kind needs */
} lookup_def;

/* Free with lookup_destroy(). SEAM_NO_MEMORY; SEAM_NOT_FINITE where values or distances of points differ too much. */
seam_status lookup_create(const lookup_def *def, lookup **created);
void lookup_destroy(lookup *self);

/* Returns it as a function for expressions, which must not outlive it. */
const function *lookup_function(const lookup *self);

/* Value, slopes and state in the place of the columns of a function. The state is the number of the piece: knots end a
 * step. */
double lookup_value(const lookup *self, double u);
void lookup_slopes(const lookup *self, double u, partials *d);
double lookup_state(const lookup *self, double u);
/* The piece that holds u; infinite where there is none beyond. */
range lookup_piece(const lookup *self, double u);
range lookup_enclose(const lookup *self, range u);

/* Says once that there is no value at u. */
void lookup_note_refusal(const lookup *self, double u);
bool lookup_has_refused(const lookup *self);

const char *lookup_name(const lookup *self);
/* First and last point. */
range lookup_points(const lookup *self);

/* Returns true if it bends or jumps somewhere. */
bool lookup_has_kinks(const lookup *self);

/* 0 for one that is not periodic. */
double lookup_period(const lookup *self);

/* A hash of its points and kind. */
unsigned long long lookup_identity(const lookup *self);

#endif
