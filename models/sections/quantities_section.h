/* Functions of quantities (<seam/measures.h>) for the builder of a mechanism: expressions of the file, and sums. */
#ifndef MODELS_QUANTITIES_SECTION_H
#define MODELS_QUANTITIES_SECTION_H

#include "models/reader.h"

/* A name that an expression has for a quantity: "s" of "spring.stretch". */
typedef struct own_name {
  const char *name, *quantity;
} own_name;

typedef struct own_names {
  const own_name *of; /* (n) */
  size_t n;
} own_names;

typedef struct quantity_function {
  const char **inputs; /* (n_inputs) names of the quantities, in the memory of the reader */
  size_t n_inputs;
  mbs_function function; /* owned by the caller; without a value: its only input */
  bool is_comparison;    /* the difference of its two sides, positive where it holds */
  int at_zero;           /* of a comparison: 1: it holds where the sides are equal, -1: it does not */
} quantity_function;

extern const own_name own_time; /* "t" */

/* An expression of quantities, of names of its own, which hide parameters, and of parameters. */
seam_status quantities_read(reader *r, yaml_node *value, const own_names *own, quantity_function *made);

/* The same, of which a comparison may be the whole; nothing but the name of a quantity, hyphens included, is that. */
seam_status quantities_read_condition(reader *r, yaml_node *value, const own_names *own, quantity_function *made);

/* Σ gain[i] · names[i] of n quantities + offset. */
seam_status quantities_sum(reader *r, const char *const *names, const double *gains, size_t n, double offset,
                           quantity_function *made);

/* Returns true if an expression names a quantity beside the `n_variables` that its key gives it; also by the name of a
 * measure, and by `t` where that is none of the variables. */
bool quantities_are_named(const reader *r, const yaml_node *value, const char *const *variables, size_t n_variables);

/* Returns true if a name in an expression is that of a quantity, which need not be there yet: it has a point, or is
 * that of a measure or of an input of an FMU. */
bool quantities_is_one(const reader *r, const char *name, size_t length);

/* Returns true if the text is the name of a quantity, hyphens included. */
bool quantities_is_name(const reader *r, const char *text, mbs_quantity *found);

/* Frees a function that no builder took. */
void quantities_discard(const mbs_function *function);

#endif
