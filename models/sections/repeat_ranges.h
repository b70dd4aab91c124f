/* Ranges of indices, and copies of nodes for their values. */
#ifndef MODELS_SECTIONS_REPEAT_RANGES_H
#define MODELS_SECTIONS_REPEAT_RANGES_H

#include "models/reader.h"

typedef struct repeat_ranges {
  size_t n;
  const char **names;        /* names of the indices, then those of `outer` */
  double (*limits)[2];       /* (n) first and last value of each index, integers */
  double count;              /* number of combinations, which may be very large; 0: a range is empty */
  const index_values *outer; /* indices of the repeat around this one; NULL: none */
} repeat_ranges;

/* Reads {i: [first, last], ...}. */
seam_status repeat_read_ranges(reader *r, yaml_node *map, repeat_ranges *ranges);

/* Returns the values of the indices for combination number 0 <= number < count. NULL: memory is exhausted. */
index_values *repeat_indices(reader *r, const repeat_ranges *ranges, size_t number);

/* Copies a tree of nodes, whose numbers and laws may then use the indices. With `fills`, an integer replaces each
 * {expression} in names and texts. A map with a key `for` has ranges of its own, so its texts are filled later. */
seam_status repeat_copy(reader *r, const yaml_node *from, const index_values *indices, bool fills, yaml_node **copy);

/* Replaces each {expression} by its integer value in names and texts of a tree outside of repeats. */
seam_status repeat_fill_in(reader *r, yaml_node *node);

#endif
