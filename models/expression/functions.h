/* Functions and operators of expressions, with first and second partial derivatives. */
#ifndef MODELS_EXPRESSION_FUNCTIONS_H
#define MODELS_EXPRESSION_FUNCTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <seam/law.h>

#include "base/nearest.h"

/* Partial derivatives of f(u, v); 0 with respect to v for functions of u alone. */
typedef struct partials {
  double u, v;
  double uu, uv, vv;
} partials;

typedef struct range {
  double low, high;
} range;

typedef struct function {
  const char *name;                     /* name of the function, or sign of the operator */
  int arity;                            /* number of arguments, 1 or 2 */
  double (*of_one)(double u);           /* value, for arity 1 */
  double (*of_two)(double u, double v); /* value, for arity 2 */
  /* These fill partials that are 0 on entry, for arity 1 or 2. If both are NULL, all derivatives are 0. */
  void (*slopes_of_one)(double u, partials *);
  void (*slopes_of_two)(double u, double v, partials *);
  /* Writes to *values a range that contains the values for all arguments in the ranges u and v. If it returns false, or
   * is NULL, f is monotonic in each argument there, and its extremes are at the ends of u and v. */
  bool (*enclose)(range u, range v, range *values);
  /* These return the state, a number that changes where f jumps or has a kink. For exp, sinh, cosh, tanh and c^v, it
   * changes where the exponential or its reciprocal becomes negligible. It is monotonic in each argument. Both NULL: no
   * states. */
  double (*state_of_one)(double u);
  double (*state_of_two)(double u, double v);
  bool has_kinks;             /* kinks or jumps */
  double period;              /* of a function of one argument; 0: none */
  const struct lookup *table; /* a table of one argument, used in place of the functions above */
  const seam_law *caller;     /* a function of the calling program, used in place of values and slopes above */
  uint64_t identity;          /* hash of the data of a table, or what a caller gives */
} function;

double function_value(const function *f, double u, double v);
/* Returns the value of a function of the calling program. */
double caller_value(const seam_law *law, double u, double v);
/* Sets *d, which must be zero on entry, to the partial derivatives at (u, v). */
void function_slopes(const function *f, double u, double v, partials *d);
/* Returns the number of the smooth piece of f that (u, v) is on, called its state; 0 if f has one piece. Each interval
 * between two points of a table is a piece. */
double function_state(const function *f, double u, double v);
bool function_has_states(const function *f);
bool function_jumps(const function *f);
bool function_has_decay(const function *f);
/* Returns the interval around u in which the state of f stays the same. For a function of two arguments, u is the first
 * minus the second; for function_exponential, it is the exponent to base e. If the state changes at u, returns the
 * interval above u; if 0 is its only change and u = 0, returns (-∞, ∞). */
range function_piece(const function *f, double u);
/* Returns the largest change of u in one integration step that still resolves an exponential; infinite: no limit. */
double function_largest_change(const function *f, double u);

/* Returns a range that contains all values of f for arguments in u and v (v is unused for one argument), rounded
 * outwards; (-∞, ∞): no finite bound is known. For single points as arguments, returns the value without rounding. */
range range_apply(const function *f, range u, range v);

/* Returns true if function_state() of f is the same for each first argument in u with each second one in v. */
bool range_is_one_state(const function *f, range u, range v);

/* Returns the function with this name, or NULL. */
const function *function_find(const char *name, size_t length);

/* Returns the operator + - * / ^ < <= > >=, or NULL. Comparisons give 1 or 0. */
const function *operator_find(const char *name, size_t length);

/* The operator ^ with a positive number as base: c^v = e^(v log c). */
extern const function function_exponential;

extern const function function_negate;

/* Returns the function for an expression of the time alone: abs becomes max(u, -u), whose derivative at the kink is
 * one-sided. */
const function *function_of_time(const function *f);

/* Writes the value of pi, e or deg; false: there is no such constant. */
bool constant_find(const char *name, size_t length, double *value);

/* These add the names of all functions, or of all constants, to a search for the nearest name. */
void functions_add_names(nearest *search);
void constants_add_names(nearest *search);

/* Computes f(u, v) with derivatives by the chain rule; subscripts of f are partial derivatives, i and j are variables:
 *     f_i = f_u u_i + f_v v_i
 *     f_ij = f_uu u_i u_j + f_uv (u_i v_j + u_j v_i) + f_vv v_i v_j + f_u u_ij + f_v v_ij
 * `v` is NULL for a function of one argument. Partial derivatives that are not finite count as 0; returns true if the
 * result needed one. `out` may be `u`. */
bool function_jet(const function *f, const seam_jet *u, const seam_jet *v, seam_jet *out);

#endif
