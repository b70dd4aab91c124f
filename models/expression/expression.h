/* Arithmetic expressions, compiled once and evaluated often, with exact first and second derivatives.
 *
 *     sum      = product {("+" | "-") product}
 *     product  = signed {("*" | "/") signed}
 *     signed   = {"+" | "-"} power
 *     power    = operand ["^" signed]
 *     operand  = number | name | "(" sum ")" | function "(" sum {"," sum} ")"
 *              | "if" "(" sum ("<" | "<=" | ">" | ">=") sum "," sum "," sum ")"
 *
 * A condition is sum [("<" | "<=" | ">" | ">=") sum]. */
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
  const char *const *variables; /* (n_variables) names of x[0], x[1], ... */
  size_t n_variables;           /* number of variables, at most 2 if derivatives are needed */
  bool (*constant)(const void *context, const char *name, size_t length,
                   double *value);                     /* false: unknown; may be NULL */
  void (*offer)(const void *context, nearest *search); /* adds the names of constants to a search; may be NULL */
  /* Returns a function that is not built in; it must outlive the expression. NULL: unknown. This member and the next
   * one may be NULL. */
  const struct function *(*function)(const void *context, const char *name, size_t length);
  void (*offer_functions)(const void *context, nearest *search);
  const void *context;
  /* Finds the index in x of a quantity, perhaps a new one, whose name may have dots ("spring.force"). Returns false if
   * it is unknown; *error then has the reason, or is empty. NULL: names have no dots. */
  bool (*quantity)(void *quantities, const char *name, size_t length, size_t *index, expression_error *error);
  void (*offer_quantities)(void *quantities, nearest *search);
  void *quantities;
  /* Set to true if the text is a comparison; its value is then the difference of both sides, positive if the comparison
   * holds. NULL: comparisons are refused. */
  bool *is_comparison;
  int *at_zero;     /* set for a comparison: 1 if it holds at equality, else -1; NULL if is_comparison is NULL */
  bool is_negated;  /* true: the compiled expression has the opposite sign */
  bool are_of_time; /* x[0] is the time and the only variable: abs has a one-sided rate at its kink, not 0 */
} expression_names;

/* Compiles a text; the caller destroys *out. Constant parts are evaluated here and must be finite. SEAM_BAD_INPUT fills
 * *error; SEAM_NO_MEMORY. */
seam_status expression_compile(const char *text, const expression_names *names, expression **out,
                               expression_error *error);
void expression_destroy(expression *e);

/* Evaluates a text without variables. Errors are those of expression_compile(). */
seam_status expression_number(const char *text, const expression_names *names, double *value, expression_error *error);

/* Returns the value at x; it may be infinite or NaN. expression_jet() also gives the derivatives by x[0] and x[1];
 * those that are not finite become 0, with a note once for each expression (base/note.h). */
double expression_value(const expression *e, const double *x);
/* Returns the derivative at x along dx; partial derivatives that are not finite count as 0, without a note. */
double expression_change(const expression *e, const double *x, const double *dx);
void expression_jet(const expression *e, const double x[2], seam_jet *out);

/* A switch is an `if`, or a function with kinks, jumps or pieces (expression_kinks.c); its state is the branch, sign or
 * piece in use. Returns the next time after t at which a switch changes its state. Only switches whose arguments depend
 * on the time x[0] alone count. expression_kinks.c says which changes can be missed. */
seam_kink expression_next_kink(const expression *e, double t);

/* Returns true if the value may jump when a variable changes; with `has_time`, x[0] is the time, and jumps in time do
 * not count. An `if` counts as a jump. */
bool expression_jumps(const expression *e, bool has_time);

/* Fills `corners` (expression_n_corners()): for each switch its argument at x, the argument's rate along dx, and the
 * bounds between which the switch keeps its state. With `has_time`, arguments that depend on the time x[0] alone get
 * infinite bounds. */
size_t expression_n_corners(const expression *e);
void expression_corners(const expression *e, bool has_time, const double *x, const double *dx, seam_corner *corners);

/* Returns true if the expression depends on x[number]. */
bool expression_depends(const expression *e, size_t number);

/* Returns true if the expression has an `if`, abs, sign, floor, min, max, a table with kinks or a function of the
 * caller with kinks, of any variable. */
bool expression_has_kinks(const expression *e);

/* Returns the period in x[0] at constant other variables; 0: period.c finds none. */
double expression_period(const expression *e);

/* Returns the largest phase advance from x to y, rad: 2π times the change of a periodic function's argument over its
 * period. expression_turns() returns true if there is a periodic function. */
double expression_phase_advance(const expression *e, const double *x, const double *y);
bool expression_turns(const expression *e);

/* Returns a hash of the compiled code, including values of parameters; equal for equal expressions, never 0. */
unsigned long long expression_identity(const expression *e);

/* Returns a law of at most two variables; it owns the expression. */
seam_law expression_law(expression *e);

/* Moves the expression into an arena, and frees the old one. Returns NULL without memory. */
const expression *expression_keep(expression *e, arena *memory);

/* Returns true for a name of a built-in function or constant. */
bool expression_is_reserved(const char *name);

#endif
