/* Deviation of one run from another: the error of a run against a reference. */
#ifndef ANALYSIS_DEVIATION_H
#define ANALYSIS_DEVIATION_H

#include <seam/verdict.h>

#include "analysis/track.h"

/* Times where a reference jumps or has a kink, and its values just before (left) and just after (right). */
typedef struct track_jumps {
  size_t n_values, n, capacity;
  double *times;
  double *left, *right; /* (n x n_values) */
} track_jumps;

/* Adds a jump and copies its values (n_values each). Jumps after the first 10 000 are dropped; near a dropped jump, a
 * run that jumps slightly later has a large deviation. SEAM_NO_MEMORY. */
seam_status track_jumps_add(track_jumps *self, double t, const double *left, const double *right, seam_error *error);
void track_jumps_free(track_jumps *self);

/* Largest deviation of a run from a reference, relative to the travel of the quantity (deviation.c). */
typedef struct deviation {
  size_t quantity; /* index in the list; SEAM_NONE: nothing to compare */
  double time;     /* s */
  double value;    /* in the quantity's unit */
  double of_travel;
} deviation;

/* Rule for comparing two runs. */
typedef struct deviation_rule {
  double late;  /* s, largest time between a jump of the run and that of the reference */
  double until; /* s, later rows do not count */
  double atol;  /* absolute tolerance; 1000 times this is a lower limit of the travel of signals; 0: none */
} deviation_rule;

/* Compares the rows of a run and of a reference that both have, up to rule->until; rows of equal number have equal
 * times. `jumps` (NULL: none) are those of the reference. Writes to *found the largest deviation of all quantities
 * except forces, and to *forces (NULL: not wanted) that of forces. Writes the largest deviation of each compared row,
 * without forces, to `shares`: a share of travel for each row of the reference (NULL: not wanted). SEAM_NO_MEMORY. */
seam_status deviation_find(const judged_list *list, const track *run, const track *reference, const track_jumps *jumps,
                           const deviation_rule *rule, double *shares, deviation *found, deviation *forces,
                           seam_error *error);

/* Copies a deviation to *made (<seam/verdict.h>), as one from the reference `by`. If nothing was compared, the
 * reference is SEAM_TRUTH_NONE, and made->why explains it. Other fields of *made stay. */
void deviation_publish(const judged_list *list, const deviation *found, seam_truth by, seam_deviation *made);

/* Returns the time, s, in which the difference of two runs grows tenfold, if it grows exponentially by four decades or
 * more, as in chaotic motions; else NaN. `shares` has the differences in the first n rows, as shares of travel. */
double deviation_tenfold(const track *rows, const double *shares, size_t n);

/* Returns the time, s, of the first row whose share exceeds the limit; infinite: there is none. */
double deviation_begins(const track *reference, const double *shares, double limit);

#endif
