/* Deviation of a run from a reference run. */
#ifndef ANALYSIS_DEVIATION_H
#define ANALYSIS_DEVIATION_H

#include <seam/verdict.h>

#include "analysis/track.h"

/* Jumps and kinks of a reference. */
typedef struct track_jumps {
  size_t n_values, n, capacity;
  double *records; /* of each jump: its time (s), the values just before it and just after it (n_values each) */
} track_jumps;

/* Adds a jump and copies its values (n_values on each side). Beyond 10 000 jumps, ignores it and returns SEAM_OK; a run
 * that jumps slightly later than the reference then has a large deviation. Fails with SEAM_NO_MEMORY. */
seam_status track_jumps_add(track_jumps *self, double t, const double *left, const double *right, seam_error *error);
void track_jumps_free(track_jumps *self);

/* The largest deviation of a run from a reference. The travel of a quantity is a measure of its range
 * (deviation.c). */
typedef struct deviation {
  size_t quantity;  /* index in the list; SEAM_NONE: no quantity was compared */
  double time;      /* s, time of this deviation */
  double value;     /* in the quantity's unit */
  double of_travel; /* deviation / travel */
  bool of_least;    /* the travel was so small that its lower limit replaced it in of_travel */
} deviation;

/* Rule for comparing two runs. */
typedef struct deviation_rule {
  double late;  /* s, largest time between a jump of the run and the same jump of the reference */
  double until; /* s, later rows are not compared */
  double atol;  /* absolute tolerance of signals: a travel below 1000 times this counts as so much; 0: no such limit */
  double rtol;  /* relative tolerance of the run; decides which quantities count as constant (deviation.c) */
} deviation_rule;

/* Compares the rows of a run with those of a reference up to rule->until. Row i has the same time in both; extra rows
 * of either are ignored. `jumps`: jumps of the reference, or NULL. Results:
 *   *found       the largest deviation of all quantities but forces
 *   *forces      the largest deviation of forces; may be NULL
 *   relative[i]  the largest deviation / travel in row i of all quantities but forces; has an entry for each row of the
 *                reference, of which only those of compared rows are written; may be NULL
 * Fails with SEAM_NO_MEMORY. */
seam_status deviation_find(const compared_list *list, const track *run, const track *reference,
                           const track_jumps *jumps, const deviation_rule *rule, double *relative, deviation *found,
                           deviation *forces, seam_error *error);

/* Copies a deviation to *made; `by` is the kind of reference. If no quantity was compared, made->by is SEAM_TRUTH_NONE
 * and made->why has the reason. Leaves the other fields of *made unchanged. */
void deviation_to_public(const compared_list *list, const deviation *found, seam_truth by, seam_deviation *made);

/* Returns the time, s, in which the difference of two runs grows tenfold; NaN if the growth is not exponential, or is
 * less than four decades. Exponential growth suggests chaos. `relative` (n): difference in each row, divided by
 * travel. */
double deviation_tenfold_time(const track *rows, const double *relative, size_t n);

#endif
