/* Reads a variation of one value of a model file, written KEY=VALUES. */
#ifndef ANALYSIS_SWEEP_VARIATION_H
#define ANALYSIS_SWEEP_VARIATION_H

#include <stdbool.h>
#include <stddef.h>

#include <seam/status.h>

#include "base/arena.h"

typedef struct varied varied;

typedef struct variation_type {
  double (*at_value)(const varied *of, size_t value); /* value of a range or list by its index; NULL: distribution */
  double (*at_share)(const varied *of, double share); /* quantile, 0 < share < 1; NULL: this is no distribution */
} variation_type;

struct varied {
  const char *key, *given;
  const variation_type *type;
  double a, b;         /* ends of a range or a uniform distribution, or mean and standard deviation of a normal one */
  size_t n_values;     /* number of values of a range or a list; else 0 */
  const double *value; /* (n_values) values of a list */
  const char **text;   /* (n_values) texts of a list whose entries are not all numbers; else NULL */
};

/* Reads the variation. Its strings and arrays are in `memory`. Fails with SEAM_BAD_INPUT or SEAM_NO_MEMORY. */
seam_status variation_read(const char *text, arena *memory, varied *read, seam_error *error);

#endif
