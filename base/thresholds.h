/* Chosen numbers of the base, for sample times, threads and differences; for the form see mbs/thresholds.h. */
#ifndef BASE_THRESHOLDS_H
#define BASE_THRESHOLDS_H

#include <float.h>

/* ---- Samples at the times k T: T is the period, k an integer ---- */

static const double seam_rounding_of_sample = 1e-14, /* of |t|: a time t this close before k T counts as k T */
    seam_slack_of_sample = 1e-9; /* of T: the same; the larger of both distances counts, but at most T/4 */

/* ---- Threads ---- */

static const double seam_gain_of_threads =
                        0.9, /* of a call's time without threads: threads are used if they reduce it below this */
    seam_shortest_shared_work = 20e-6; /* absolute, s: a shorter call uses no threads: it ends before they wake */

/* ---- Central differences ---- */

static const double seam_widest_difference = 1e-4, /* of max(1, |x|): first distance from x; each later one is an eighth
                                                      of the one before */
    seam_settled_difference = 1e-2, /* of the larger of two successive quotients: if they differ by less, the function
                                       is smooth over their distances */
    seam_kinked = 0.04, /* of the second difference before: a larger one is of a corner, at which it falls to 1/8;
                           elsewhere it falls to 1/64 */
    seam_spoilt_difference = 4, /* times the least change between quotients: rounding makes larger ones */
    seam_rounding_of_difference = 4 * DBL_EPSILON; /* of the sum of |values|: rounding of their difference */

/* ---- Counts ---- */

enum {
  SEAM_TIMED_CALLS = 20, /* calls timed without threads, then as many with threads; then the faster way is used */
  SEAM_POLLS = 10000,    /* times that a waiting thread polls, every nanosecond, before it begins to yield its core */
  SEAM_YIELDS = 100,     /* further polls, with a yield of half a microsecond before each; then the thread sleeps */
  SEAM_DIFFERENCES = 16, /* distances of central differences: down to 3e-18 of max(1, |x|) */
};

#endif
