/* Functions of quantities (<seam/measures.h>) for the builder of the mechanism: expressions of the file, and sums. */
#ifndef MODELS_QUANTITIES_SECTION_H
#define MODELS_QUANTITIES_SECTION_H

#include "models/expression/lexer.h"
#include "models/reader.h"

/* A short name of a quantity in an expression, such as "s" for "spring.stretch". */
typedef struct short_name {
  const char *name, *quantity;
} short_name;

typedef struct short_names {
  const short_name *of; /* (n) */
  size_t n;
} short_names;

typedef struct quantity_function {
  const char *const *inputs; /* (n_inputs) names of quantities */
  size_t n_inputs;
  mbs_function function; /* owned by the caller; `value` NULL: the function equals its only input */
  bool is_comparison;    /* the function is the difference of a comparison's sides, positive if it is true */
  int at_zero;           /* 1: the comparison is true at equality; -1: it is not */
} quantity_function;

extern const short_name time_name; /* "t", the time */

/* Reads an expression of quantities, parameters and short names, which hide parameters. With is_condition, the text may
 * be a comparison. */
seam_status quantities_read(reader *r, yaml_node *value, const short_names *aliases, bool is_condition,
                            quantity_function *made);

/* Reads a condition: an expression, a comparison, or the name of a quantity, which may have hyphens. */
seam_status quantities_read_condition(reader *r, yaml_node *value, const short_names *aliases, quantity_function *made);

/* Makes the function Σ gains[i] · names[i] + offset of n quantities. The result owns `names` and `gains`. */
seam_status quantities_sum(reader *r, const char *const *names, const double *gains, size_t n, double offset,
                           quantity_function *made);

/* Returns true if an expression uses a quantity, such as a measure or t, other than the variables of its key. */
bool quantities_are_named(const reader *r, const yaml_node *value, const char *const *variables, size_t n_variables);

/* Returns true if a name can be that of a quantity, which may not exist yet: it contains '.', or is that of a measure
 * or of an input in `fmu:`. */
bool quantities_is_possible_name(const reader *r, const token *name);

/* Returns true if the text, which may have hyphens, is the name of a quantity. */
bool quantities_is_name(const reader *r, const char *text, mbs_quantity *found);

/* Frees a function that was not passed to a builder. */
void quantities_discard(const mbs_function *function);

/* ---- Deferred functions ------------------------------------------------------------------------------------------ */

/* Functions that are read after all elements whose names they may use. First come inputs and outputs of equations and
 * the file's measures, each after those that it names; then rates of variables; then laws of force elements. */
struct deferred {
  deferred *next;
  const char *name;         /* measure, variable or force element that gets the function */
  const char *noun;         /* word for `node` in messages */
  const yaml_node *node;    /* entry of the file that has the function */
  yaml_node *value;         /* the expression; for a sum, the node for messages */
  bool is_sum;              /* the function is Σ gains[i] · names[i] + offset, not an expression */
  const char *const *names; /* (n) names of quantities */
  const double *gains;      /* (n) */
  double offset;
  size_t n;
  short_names aliases;          /* short names that the expression may use */
  const char *unit;             /* unit of a measure; NULL: not given */
  const mbs_measure_def *point; /* a measure of a point in place of a function; NULL: none */
  int component;                /* index of the law's component in the force element */
};

/* Appends a copy of *one to the list of its kind. Fails with SEAM_NO_MEMORY. */
seam_status deferred_add(reader *r, deferral kind, const deferred *one);

/* Reads all deferred functions, and the section `measures:` (measures.c). */
seam_status deferred_read(reader *r);

#endif
