/* Assembly of a sparse matrix entry by entry.
 *
 * One and the same traversal of a model puts its entries, always in the same order: the first time to learn the
 * pattern, later to add values at the places found for them, without search. */
#ifndef SOLVERS_PATTERN_H
#define SOLVERS_PATTERN_H

#include <stdbool.h>
#include <stddef.h>

typedef struct seam_pattern {
  int n;            /* order of the matrix */
  int *start, *row; /* compressed columns once learned: (n + 1), (start[n]), rows sorted */
  bool learning;
  size_t count, capacity;    /* entries put so far */
  int *put_row, *put_column; /* (capacity) while learning */
  int *slot;                 /* (count) afterwards: place of each entry put */
  double *value;             /* receives values */
  bool failed;               /* memory is exhausted */
} seam_pattern;

/* Ready to learn. */
seam_pattern seam_pattern_create(int n);
void seam_pattern_destroy(seam_pattern *pattern);

/* One entry of the traversal. Entries put at one place are added up. */
void seam_pattern_put(seam_pattern *pattern, int row, int column, double value);
/* Ends learning. False when memory is exhausted. */
bool seam_pattern_learn(seam_pattern *pattern);
/* Begins a traversal that adds values: sets `value` (start[n]) to zero and goes to the first entry. */
void seam_pattern_begin(seam_pattern *pattern, double *value);

#endif
