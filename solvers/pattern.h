/* Assembly of a sparse matrix entry by entry.
 *
 * A traversal of the model adds all entries, always in the same order. The first traversal records the pattern; later
 * ones add values without searching for their positions. */
#ifndef SOLVERS_PATTERN_H
#define SOLVERS_PATTERN_H

#include <stdbool.h>
#include <stddef.h>

typedef struct seam_pattern {
  int n;                               /* order of the matrix */
  int *start, *row;                    /* compressed columns after the recording: (n + 1), (start[n]), rows sorted */
  size_t count, capacity;              /* number of entries added so far, and room for them */
  struct seam_pattern_entry *recorded; /* (capacity) entries while recording */
  int *slot;                           /* (count) index of each entry in `value`; NULL: while recording */
  double *value;                       /* (start[n]) values of this traversal */
  bool failed;                         /* out of memory */
} seam_pattern;

/* Creates a pattern that records entries. */
seam_pattern seam_pattern_create(int n);
void seam_pattern_destroy(seam_pattern *pattern);

/* Adds one entry. Entries in the same row and column are added up. */
void seam_pattern_add(seam_pattern *pattern, int row, int column, double value);
/* Ends the recording of the pattern. Returns false if memory is exhausted. */
bool seam_pattern_finish(seam_pattern *pattern);
/* Begins a traversal that adds values: sets `value` (start[n]) to zero. */
void seam_pattern_begin(seam_pattern *pattern, double *value);

#endif
