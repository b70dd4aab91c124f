/* Index ranges, for whatever a file may repeat. */
#ifndef MODELS_SECTIONS_REPEAT_RANGES_H
#define MODELS_SECTIONS_REPEAT_RANGES_H

#include "models/reader.h"

typedef struct repeat_ranges {
  size_t n;
  const char **names;        /* of the indices, then of the outer ones */
  double (*limits)[2];       /* (n) first and last value, whole numbers */
  double count;              /* of combinations: it may be huge; 0 when a range is empty */
  const index_values *outer; /* those of the repeat around it, or NULL */
} repeat_ranges;

/* Reads {i: [first, last], ...}. */
seam_status repeat_read_ranges(reader *r, yaml_node *map, repeat_ranges *ranges);

/* The indices of combination `number`, 0 <= number < count; NULL when memory is exhausted. */
index_values *repeat_indices(reader *r, const repeat_ranges *ranges, size_t number);

/* A copy of a tree for the given indices: each {expression} in its names and texts is replaced by its whole value, and
 * the indices are names in its numbers and laws. The texts of a map with ranges of its own stay as they are: they are
 * filled in for its indices and those around it together. */
seam_status repeat_copy(reader *r, const yaml_node *from, const index_values *indices, yaml_node **copy);

/* Replaces each {expression} of parameters in the names and texts of a tree that is not repeated, in place. */
seam_status repeat_fill_in(reader *r, yaml_node *node);

#endif
