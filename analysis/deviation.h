/* Deviation of one run from another: the error of a run against a reference. */
#ifndef ANALYSIS_DEVIATION_H
#define ANALYSIS_DEVIATION_H

#include <seam/verdict.h>

#include "analysis/track.h"

/* Times where a reference jumps or bends, and its values on both sides. */
typedef struct track_jumps {
  size_t n_values, n, capacity;
  double *times;
  double *left, *right; /* (n x n_values) */
} track_jumps;

/* Adds a jump. SEAM_NO_MEMORY. Jumps after the first 10 000 are dropped: near these a run that jumps late counts as
 * wrong. */
seam_status track_jumps_add(track_jumps *self, double t, const double *left, const double *right, seam_error *error);
void track_jumps_free(track_jumps *self);

/* Largest deviation of a run from a reference, over the quantity's travel. */
typedef struct deviation {
  size_t quantity; /* number in the list; SEAM_NONE: nothing to compare */
  double time;     /* s */
  double value;    /* in the quantity's unit */
  double of_travel;
} deviation;

/* Rule for comparing two runs. */
typedef struct deviation_rule {
  double late;  /* s, time by which a run may jump late */
  double until; /* s, later rows do not count */
  double atol;  /* absolute tolerance of signals that do not move; 0: found from their sizes */
} deviation_rule;

/* Both tracks have the same times; the reference may have fewer rows. Jumps (NULL: none) are those of the reference.
 * Writes each row's largest deviation, as a share of travel, to `shares` (rows of the reference; NULL: none), and the
 * largest deviation of forces, which count nowhere else, to `forces` (NULL: none). SEAM_NO_MEMORY. */
seam_status deviation_find(const judged_list *list, const track *run, const track *reference, const track_jumps *jumps,
                           const deviation_rule *rule, double *shares, deviation *found, deviation *forces,
                           seam_error *error);

/* Fills the fields of *made that a deviation has (<seam/verdict.h>), and `why` if nothing was compared; other fields
 * stay. */
void deviation_publish(const judged_list *list, const deviation *found, seam_truth by, seam_deviation *made);

/* Returns the time in which differences grow tenfold, s, if the largest share so far grows exponentially by four
 * decades or more over n rows, as in chaotic motions; else NaN. */
double deviation_tenfold(const track *rows, const double *shares, size_t n);

/* Returns the first time with a share above the limit; infinite: none. */
double deviation_begins(const track *reference, const double *shares, double limit);

#endif
