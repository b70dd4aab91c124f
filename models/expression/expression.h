/* Arithmetic expressions, compiled once and evaluated often, with exact first and second derivatives.
 *
 *     sum      = product {("+" | "-") product}
 *     product  = signed {("*" | "/") signed}
 *     signed   = {"+" | "-"} power
 *     power    = operand ["^" signed]
 *     operand  = number | name | "(" sum ")" | function "(" sum {"," sum} ")"
 *              | "if" "(" sum ("<" | "<=" | ">" | ">=") sum "," sum "," sum ")"
 *
 * Where a condition is wanted, it is sum [("<" | "<=" | ">" | ">=") sum]. */
#ifndef MODELS_EXPRESSION_EXPRESSION_H
#define MODELS_EXPRESSION_EXPRESSION_H

#include <stdbool.h>
#include <stddef.h>

#include <seam/law.h>
#include <seam/status.h>

#include "base/arena.h"
#include "base/nearest.h"

typedef struct expression expression;

/* Error in a text. */
typedef struct expression_error {
  size_t column; /* bytes from the start of the text */
  char cause[160];
  char fix[160]; /* may be empty */
} expression_error;

/* Meanings of the names in an expression. */
typedef struct expression_names {
  const char *const *variables; /* (n_variables) the names of x[0], x[1], ... */
  size_t n_variables;           /* at most 2 where derivatives are wanted */
  bool (*constant)(const void *context, const char *name, size_t length,
                   double *value);                     /* false: unknown; may be NULL */
  void (*offer)(const void *context, nearest *search); /* offers the names that `constant` knows; may be NULL */
  /* A function of one argument that is not of the language, which outlives the expression; NULL: unknown. May be NULL,
   * as may what offers their names. */
  const struct function *(*function)(const void *context, const char *name, size_t length);
  void (*offer_functions)(const void *context, nearest *search);
  const void *context;
  /* A quantity by its name, in which points may be ("spring.force"): the number of its x, perhaps a new one. False:
   * unknown; *error says why where that is known. NULL: names have no points. */
  bool (*quantity)(void *quantities, const char *name, size_t length, size_t *index, expression_error *error);
  void (*offer_quantities)(void *quantities, nearest *search);
  void *quantities;
  /* True if the whole is a comparison; its value is then the difference of its sides, positive where it holds. NULL: it
   * may not be one. */
  bool *is_comparison;
  int *at_zero; /* of a comparison: 1: it holds where both sides are equal, -1: it does not; NULL with is_comparison */
  bool is_negated;  /* the expression is that of the text with the opposite sign */
  bool are_of_time; /* x[0] is the time, alone: where abs has a kink, its rate is that on one side and not 0 */
} expression_names;

/* Compiles a text; the caller frees *out. SEAM_BAD_INPUT (then *error is filled) or SEAM_NO_MEMORY. Constant parts are
 * evaluated here and must be finite. */
seam_status expression_compile(const char *text, const expression_names *names, expression **out,
                               expression_error *error);
void expression_destroy(expression *e);

/* The value of a text without variables. Errors as above. */
seam_status expression_number(const char *text, const expression_names *names, double *value, expression_error *error);

/* Value at x; value and derivatives at (x[0], x[1]). Derivatives that are not finite are taken as 0; the first time
 * this happens to an expression there is a note, see base/note.h. Values may be not finite. */
double expression_value(const expression *e, const double *x);
/* Derivative at x along dx, where one that is not finite counts as 0 without a note. */
double expression_change(const expression *e, const double *x, const double *dx);
void expression_jet(const expression *e, const double x[2], seam_jet *out);

/* The first time after t where x[0], the time, passes a switch: where an `if`, abs, sign, floor, min or max whose
 * arguments depend on x[0] alone changes its branch. See kinks.c for what can be missed. */
seam_kink expression_next_kink(const expression *e, double t);

/* Returns true if the value may jump where variables pass a place, other than the time x[0] where `has_time`; an `if`
 * counts as a jump. */
bool expression_jumps(const expression *e, bool has_time);

/* Arguments of its switches, as seam_law has them, but for those of the time x[0] alone where `has_time`. */
size_t expression_n_corners(const expression *e);
void expression_corners(const expression *e, bool has_time, const double *x, const double *dx, seam_corner *corners);

/* Returns true if the expression depends on the variable x[number]. */
bool expression_depends(const expression *e, size_t number);

/* Returns true if it has an `if`, abs, sign, floor, min or max, or a table that bends, whatever that depends on. */
bool expression_has_kinks(const expression *e);

/* The period in x[0] while the other variables stay, as far as period.c finds one; 0: none, or unknown. */
double expression_period(const expression *e);

/* Largest difference between x and y of the arguments of periodic functions, rad; true if there are such functions. */
double expression_turning(const expression *e, const double *x, const double *y);
bool expression_turns(const expression *e);

/* A hash of the compiled code, in which numbers stand for parameters: equal of equal expressions. Not 0. */
unsigned long long expression_identity(const expression *e);

/* The expression, of at most two variables, as a law, which owns it from now on. */
seam_law expression_law(expression *e);

/* Moves the expression into an arena; NULL when memory is exhausted. It is gone from where it was. */
const expression *expression_keep(expression *e, arena *memory);

/* Returns true if a name belongs to a function or a constant of the language. */
bool expression_is_reserved(const char *name);

#endif
