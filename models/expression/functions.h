/* Functions and operators of expressions, with first and second partial derivatives. */
#ifndef MODELS_EXPRESSION_FUNCTIONS_H
#define MODELS_EXPRESSION_FUNCTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include <seam/law.h>

#include "base/nearest.h"

/* Partial derivatives of f(u, v); those by v are 0 for functions of u alone. */
typedef struct partials {
  double u, v;
  double uu, uv, vv;
} partials;

/* Real numbers from low to high. */
typedef struct range {
  double low, high;
} range;

typedef struct function {
  const char *name;                               /* or the operator's sign */
  int arity;                                      /* 1 or 2 */
  double (*of_one)(double u);                     /* arity 1 */
  double (*of_two)(double u, double v);           /* arity 2 */
  void (*slopes)(double u, double v, partials *); /* fills zeroed partials; NULL: all are 0 */
  /* Fills a range that contains the values for all arguments in the ranges u and v. False or NULL: the extremes are at
   * the ends of u and v. See ranges.h. */
  bool (*enclose)(range u, range v, range *values);
  /* Returns a number that changes where f jumps, has a kink or fades (its exponential becomes negligible); it is
   * monotone in each argument. NULL: no such points. */
  double (*state)(double u, double v);
  const struct lookup *table; /* a table, a function of one argument; replaces the functions above */
  const seam_law *given;      /* function of the caller of the reader; replaces of_one, of_two and slopes */
} function;

double function_value(const function *f, double u, double v);
/* Returns the value of a law of one or two arguments, given by the caller of the reader. */
double given_value(const seam_law *law, double u, double v);
/* Sets *d, which must be zeroed, to the partial derivatives at (u, v). */
void function_slopes(const function *f, double u, double v, partials *d);
/* Returns the state; 0 for a function without states. A state changes at kinks and jumps, but also between pieces of
 * smooth tables and where exponentials fade, which are no kinks. */
double function_state(const function *f, double u, double v);
bool function_has_states(const function *f);
bool function_has_kinks(const function *f);
bool function_jumps(const function *f);
bool function_fades(const function *f);
/* Returns the interval around u in which the state of f stays the same; for a function of two arguments, u is their
 * difference. At a change of state, returns the interval above, or the union of the intervals on both sides. */
range function_piece(const function *f, double u);
/* Returns the largest change of u in one step that still resolves an exponential; infinite: no limit. */
double function_steepness(const function *f, double u);

/* Returns the function with this name, or NULL. */
const function *function_find(const char *name, size_t length);

/* Returns the operator + - * / ^ < <= > >= (comparisons give 1 or 0), or NULL. */
const function *operator_find(const char *name, size_t length);

/* Unary minus. */
extern const function function_negate;

/* Returns the function for an expression of time alone: abs becomes max(u, -u), with a one-sided rate at its kink. */
const function *function_of_time(const function *f);

/* Gives pi, e or deg; false: no such constant. */
bool constant_find(const char *name, size_t length, double *value);

/* Offer the names of all functions, or of all constants. */
void functions_offer(nearest *search);
void constants_offer(nearest *search);

/* f(u, v) with derivatives by the chain rule; indices stand for variables:
 *     f_i = f_u u_i + f_v v_i
 *     f_ij = f_uu u_i u_j + f_uv (u_i v_j + u_j v_i) + f_vv v_i v_j + f_u u_ij + f_v v_ij
 * `v` is NULL for a function of one argument. Partial derivatives that are not finite count as 0; returns true if one
 * of them was needed. `out` may be `u`. */
bool function_jet(const function *f, const seam_jet *u, const seam_jet *v, seam_jet *out);

#endif
