/* Functions of quantities (<seam/measures.h>) for the mechanism's builder: expressions of the file, and sums. */
#ifndef MODELS_QUANTITIES_SECTION_H
#define MODELS_QUANTITIES_SECTION_H

#include "models/reader.h"

/* A short name for a quantity in an expression: "s" for "spring.stretch". */
typedef struct short_name {
  const char *name, *quantity;
} short_name;

typedef struct short_names {
  const short_name *of; /* (n) */
  size_t n;
} short_names;

typedef struct quantity_function {
  const char **inputs; /* (n_inputs) names of quantities, in the reader's memory */
  size_t n_inputs;
  mbs_function function; /* owned by the caller; without `value`: equal to the only input */
  bool is_comparison;    /* the function is the difference of a comparison's sides, positive if it holds */
  int at_zero;           /* 1: the comparison holds at equality, -1: does not */
} quantity_function;

extern const short_name time_name; /* "t" */

/* Reads an expression of quantities, parameters and short names, which hide parameters; or a comparison if
 * `is_condition`. */
seam_status quantities_read(reader *r, yaml_node *value, const short_names *own, bool is_condition,
                            quantity_function *made);

/* Reads an expression, a comparison, or a quantity's name with hyphens. */
seam_status quantities_read_condition(reader *r, yaml_node *value, const short_names *own, quantity_function *made);

/* Makes Σ gain[i] · names[i] + offset of n quantities. */
seam_status quantities_sum(reader *r, const char *const *names, const double *gains, size_t n, double offset,
                           quantity_function *made);

/* Returns true if an expression names a quantity other than the `n_variables` of its key. Names of measures count, and
 * `t` unless it is one of the variables. */
bool quantities_are_named(const reader *r, const yaml_node *value, const char *const *variables, size_t n_variables);

/* Returns true if a name in an expression is a quantity's, which may not exist yet: it contains '.', or is the name of
 * a measure or of an input under `fmu`. */
bool quantities_is_one(const reader *r, const char *name, size_t length);

/* Returns true if the text is a quantity's name, hyphens included. */
bool quantities_is_name(const reader *r, const char *text, mbs_quantity *found);

/* Frees a function not taken by a builder. */
void quantities_discard(const mbs_function *function);

#endif
