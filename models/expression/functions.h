/* The functions and operators of expressions, with first and second partial derivatives. */
#ifndef MODELS_EXPRESSION_FUNCTIONS_H
#define MODELS_EXPRESSION_FUNCTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include <seam/law.h>

#include "base/nearest.h"

/* Partial derivatives of f(u, v); those by v are 0 for a function of u alone. */
typedef struct partials {
  double u, v;
  double uu, uv, vv;
} partials;

/* The real numbers from low to high. */
typedef struct range {
  double low, high;
} range;

typedef struct function {
  const char *name;                               /* or the operator's sign */
  int arity;                                      /* 1 or 2 */
  double (*of_one)(double u);                     /* arity 1 */
  double (*of_two)(double u, double v);           /* arity 2 */
  void (*slopes)(double u, double v, partials *); /* on zeroed partials; NULL: all are 0 */
  /* Encloses all values over u and v; NULL: the function is monotone in each argument. See ranges.h. */
  bool (*enclose)(range u, range v, range *values);
  /* Number that changes where the function jumps, has a kink or fades, monotone in each argument; NULL: none. */
  double (*state)(double u, double v);
  const struct lookup *table; /* a function of one argument through points, which stands for the columns above; */
  const seam_law *given;      /* one that the caller of the reader gives, likewise */
} function;

double function_value(const function *f, double u, double v);
/* Fills zeroed partials. */
void function_slopes(const function *f, double u, double v, partials *d);
/* 0 for a function without states. A function with states has kinks, except smooth tables, whose pieces are states too,
 * and exponentials, which fade. */
double function_state(const function *f, double u, double v);
bool function_has_states(const function *f);
bool function_has_kinks(const function *f);
bool function_jumps(const function *f);
bool function_fades(const function *f);
/* Returns the range that holds the argument u of a function with states, or u - v of one of two arguments: between
 * neighbouring changes of its state; on such a change both sides of it. */
range function_piece(const function *f, double u);
/* Largest change of u in a step that resolves an exponential there; infinite: any. */
double function_steepness(const function *f, double u);

/* The function of a name, or NULL. */
const function *function_find(const char *name, size_t length);

/* The operator of a sign: + - * / ^ < <= > >= (comparisons give 1 or 0), or NULL. */
const function *operator_find(const char *name, size_t length);

/* The unary minus. */
extern const function function_negate;

/* The function of a name in an expression of time alone, where abs is max(u, -u) with a one-sided rate at its kink. */
const function *function_of_time(const function *f);

/* pi, e, deg. False when there is no constant of this name. */
bool constant_find(const char *name, size_t length, double *value);

/* Offers the names of all functions; of all constants. */
void functions_offer(nearest *search);
void constants_offer(nearest *search);

/* f(u, v) with derivatives by the chain rule: with indices for the variables,
 *     f_i = f_u u_i + f_v v_i
 *     f_ij = f_uu u_i u_j + f_uv (u_i v_j + u_j v_i) + f_vv v_i v_j + f_u u_ij + f_v v_ij
 * `v` is NULL for a function of one argument. Partial derivatives that are not finite count as 0; the result says
 * whether there was one that mattered. `out` may be `u`. */
bool function_jet(const function *f, const seam_jet *u, const seam_jet *v, seam_jet *out);

#endif
