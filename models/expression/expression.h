/* Arithmetic expressions, compiled once and evaluated often, with exact first and second derivatives.
 *
 *     sum      = product {("+" | "-") product}
 *     product  = signed {("*" | "/") signed}
 *     signed   = {"+" | "-"} power
 *     power    = operand ["^" signed]
 *     operand  = number | name | "(" sum ")" | function "(" sum {"," sum} ")"
 *              | "if" "(" sum ("<" | "<=" | ">" | ">=") sum "," sum "," sum ")"
 *
 * A text is a sum or, where comparisons are allowed, sum ("<" | "<=" | ">" | ">=") sum. */
#ifndef MODELS_EXPRESSION_EXPRESSION_H
#define MODELS_EXPRESSION_EXPRESSION_H

#include <stdbool.h>
#include <stddef.h>

#include <seam/law.h>
#include <seam/measures.h>
#include <seam/status.h>

#include "base/arena.h"
#include "base/nearest.h"
#include "base/table.h"

typedef struct expression expression;

typedef struct expression_error {
  size_t column; /* bytes from the start of the text */
  char cause[160];
  char fix[160]; /* advice; may be empty */
} expression_error;

/* Values of the indices of a repeat for a generated node; see models/sections/repeat_ranges.h. */
typedef struct index_values {
  size_t n;
  const char *const *names; /* (n) */
  const double *values;     /* (n) integers */
} index_values;

/* Parameters, and functions that are not built in, which all expressions of a file may use. */
typedef struct expression_scope {
  table parameters; /* names, with their indices in the two lists */
  const char **parameter_names;
  double *parameter_values;
  table functions; /* names, with their indices in the list of functions, which outlive the expressions */
  const struct function **function_list;
  size_t function_capacity; /* of the list */
} expression_scope;

/* Names that an expression may use. Pointers may be NULL. */
typedef struct expression_names {
  const char *const *variables; /* (n_variables) names of the variables x[0], x[1], ... */
  size_t n_variables;           /* at most 2 if derivatives are needed */
  const index_values *indices;  /* hide parameters */
  const expression_scope *scope;
  /* Finds or adds a quantity, whose name may have dots ("spring.force"), and writes its index in x. If the name is
   * unknown, returns false, and *error has the reason or is empty. If this member is NULL, names have no dots. */
  bool (*quantity)(void *quantities, const char *name, size_t length, size_t *index, expression_error *error);
  void (*add_quantities)(void *quantities, nearest *search); /* adds names to a search for the nearest name */
  void *quantities;
  /* Set to true if the text is a comparison. The value is then the difference of both sides, positive if the comparison
   * is true. NULL: comparisons are errors. */
  bool *is_comparison;
  int *at_zero;     /* set for a comparison: 1 if it is true at equality, else -1 */
  bool is_negated;  /* true: the compiled expression has the opposite sign of the text */
  bool are_of_time; /* x[0] is the time and the only variable: abs has a one-sided derivative at its kink, not 0 */
} expression_names;

/* Compiles a text to *out, which the caller destroys. Constant subexpressions are evaluated here and must be finite.
 * Fails with SEAM_BAD_INPUT, which fills *error, or with SEAM_NO_MEMORY. */
seam_status expression_compile(const char *text, const expression_names *names, expression **out,
                               expression_error *error);
void expression_destroy(expression *e);

/* Evaluates a text without variables. Fails like expression_compile(). */
seam_status expression_number(const char *text, const expression_names *names, double *value, expression_error *error);

/* Returns the value at x, which may be infinite or NaN. */
double expression_value(const expression *e, const double *x);
/* Computes the value at x, and its derivatives with respect to x[0] and x[1]. Derivatives that are not finite become 0;
 * the first one in an expression causes a note. */
void expression_jet(const expression *e, const double x[2], seam_jet *out);
/* Returns the derivative at x in the direction dx. Partial derivatives that are not finite count as 0, without a
 * note. */
double expression_change(const expression *e, const double *x, const double *dx);

/* A switch is an `if`, or a function with kinks, jumps or pieces. Its state is the branch, sign or piece in use.
 *
 * expression_next_kink() returns the next time after t at which a switch changes its state. It considers only switches
 * whose arguments depend on the time x[0] alone. expression_kinks.c describes the changes that it can miss. */
seam_kink expression_next_kink(const expression *e, double t);

/* Fills `corners`, one for each switch; expression_n_corners() is their number. A corner has the switch's argument at
 * x, its rate in the direction dx, and the bounds between which the switch's state is constant. With `has_time`,
 * arguments that depend on the time x[0] alone get infinite bounds. */
size_t expression_n_corners(const expression *e);
void expression_corners(const expression *e, bool has_time, const double *x, const double *dx, seam_corner *corners);

/* Returns true if the value may jump when a variable changes. An `if` counts as a jump. With `has_time`, x[0] is the
 * time, and jumps that depend on the time alone are ignored. */
bool expression_jumps(const expression *e, bool has_time);

/* Returns true if the expression has one of these: `if`, abs, sign, floor, min, max, a table with kinks, or a function
 * of the caller with kinks; even if its argument is constant. */
bool expression_has_kinks(const expression *e);

/* Returns true if the expression depends on x[number]. */
bool expression_depends(const expression *e, size_t number);

/* Returns the period in x[0] while the other variables are constant; 0: none is found. */
double expression_period(const expression *e);

/* Returns a hash of the compiled code, including the values of parameters; never 0. */
unsigned long long expression_identity(const expression *e);

/* Returns the expression, of at most two variables, as a law, which owns it. */
seam_law expression_law(expression *e);

/* Returns the expression as a function of quantities, which owns it. With `has_time`, x[0] is the time. */
mbs_function expression_function(expression *e, bool has_time);

/* Destroys a law that no object owns yet. */
void law_discard(const seam_law *law);

/* Moves the expression into an arena; NULL: memory is exhausted. Destroys the original even then. */
const expression *expression_move(expression *e, arena *memory);

/* Returns true for a name of a built-in function or constant. */
bool expression_is_reserved(const char *name);

#endif
