/* Ranges of indices, for all repeated parts of a file. */
#ifndef MODELS_SECTIONS_REPEAT_RANGES_H
#define MODELS_SECTIONS_REPEAT_RANGES_H

#include "models/reader.h"

typedef struct repeat_ranges {
  size_t n;
  const char **names;        /* names of the indices, then of the outer ones */
  double (*limits)[2];       /* (n) first and last value, whole numbers */
  double count;              /* number of combinations; may be huge; 0 if a range is empty */
  const index_values *outer; /* indices of the surrounding repeat, or NULL */
} repeat_ranges;

/* Reads {i: [first, last], ...}. */
seam_status repeat_read_ranges(reader *r, yaml_node *map, repeat_ranges *ranges);

/* Returns the indices of combination `number`, 0 <= number < count; NULL: no memory. */
index_values *repeat_indices(reader *r, const repeat_ranges *ranges, size_t number);

/* Copies a tree for given indices: an integer replaces each {expression} in names and texts; numbers and laws may use
 * the indices. A map with its own ranges keeps its texts, to be filled in later by its own and the outer indices. */
seam_status repeat_copy(reader *r, const yaml_node *from, const index_values *indices, yaml_node **copy);

/* Replaces each {expression} of parameters in names and texts of a tree outside repeats, in place. */
seam_status repeat_fill_in(reader *r, yaml_node *node);

#endif
