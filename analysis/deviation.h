/* Deviation of one run from another: the error of a run beside a reference. */
#ifndef ANALYSIS_DEVIATION_H
#define ANALYSIS_DEVIATION_H

#include <seam/verdict.h>

#include "analysis/track.h"

/* Times at which a reference jumps or bends, and its values on both sides. */
typedef struct track_jumps {
  size_t n_values, n, capacity;
  double *times;
  double *left, *right; /* (n x n_values) */
} track_jumps;

/* SEAM_NO_MEMORY. Of more than 10 000 jumps the later ones are left out: there a run that is late is wrong. */
seam_status track_jumps_add(track_jumps *self, double t, const double *left, const double *right, seam_error *error);
void track_jumps_free(track_jumps *self);

/* Deviations of a quantity that does not move are measured by these. */
typedef struct deviation_scales {
  mbs_scales of_model;
  double atol; /* of signals */
} deviation_scales;

/* The largest deviation of a run from a reference, over the travel of the quantity. */
typedef struct deviation {
  size_t quantity; /* of the list; SEAM_NONE: there was nothing to compare */
  double time;     /* s */
  double value;    /* in the quantity's unit */
  double of_travel;
} deviation;

/* Rule by which two runs are compared. */
typedef struct deviation_rule {
  double late;  /* s, by which jumps may be late */
  double until; /* s: rows behind do not count */
  deviation_scales scales;
} deviation_rule;

/* Rows of both tracks are at the same times; the reference may have fewer. Jumps (NULL: none) are the reference's.
 * `shares` (rows of the reference; NULL: not wanted) receives the largest share of each row; `forces` (NULL: not
 * wanted) the largest deviation of those, which count nowhere else. SEAM_NO_MEMORY. */
seam_status deviation_find(const judged_list *list, const track *run, const track *reference, const track_jumps *jumps,
                           const deviation_rule *rule, double *shares, deviation *found, deviation *forces,
                           seam_error *error);

/* Fills the fields of *made that a deviation has (<seam/verdict.h>); the others stay. */
void deviation_publish(const judged_list *list, const deviation *found, seam_truth by, seam_deviation *made);

/* The time in which differences grow tenfold, s, where the largest of the shares of n rows up to each of them grows
 * exponentially by four decades or more, as in a chaotic motion; NaN: it does not. */
double deviation_tenfold(const track *rows, const double *shares, size_t n);

/* The least time from which on rows have a share above the limit; infinite: none has. */
double deviation_begins(const track *reference, const double *shares, double limit);

#endif
