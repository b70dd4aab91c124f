/* Chosen numbers of the base, for sample times and threads; for the form see mbs/thresholds.h. */
#ifndef BASE_THRESHOLDS_H
#define BASE_THRESHOLDS_H

/* ---- Samples at the times k T: T is the period, k an integer ---- */

static const double seam_rounding_of_sample = 1e-14, /* of |t|: a time t this close before k T counts as k T */
    seam_slack_of_sample = 1e-9; /* of T: the same; the larger of both distances counts, but at most T/4 */

/* ---- Threads ---- */

static const double seam_gain_of_threads =
                        0.9, /* of a call's time without threads: threads are used if they reduce it below this */
    seam_shortest_shared_work = 20e-6; /* absolute, s: a shorter call uses no threads: it ends before they wake */

/* ---- Counts ---- */

enum {
  SEAM_TIMED_CALLS = 20, /* calls timed without threads, then as many with threads; then the faster way is used */
  SEAM_POLLS = 10000,    /* times that a waiting thread polls, every nanosecond, before it begins to yield its core */
  SEAM_YIELDS = 100,     /* further polls, with a yield of half a microsecond before each; then the thread sleeps */
};

#endif
