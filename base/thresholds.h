/* Chosen numbers of the base, for sample times and threads; for the form see mbs/thresholds.h. */
#ifndef BASE_THRESHOLDS_H
#define BASE_THRESHOLDS_H

#include <float.h>

/* ---- Samples ---- */

static const double seam_rounding_of_sample = 1e-14, /* of t: times this close to a sample time count as that time */
    seam_slack_of_sample = 1e-9; /* of the period: times this close to a sample time also count as that time */

/* ---- Threads ---- */

static const double seam_gain_of_threads = 0.9, /* of the time without threads: threads are used if they take less */
    seam_shortest_shared_work = 20e-6;          /* absolute, s: shorter work would end before threads wake */

/* ---- Counts ---- */

enum {
  SEAM_TIMED_CALLS = 20, /* number of calls that are timed without threads, and as many with threads */
  SEAM_POLLS = 10000,    /* polls of a waiting thread, a nanosecond each, before it yields its core */
  SEAM_YIELDS = 100,     /* further polls, each with a yield of half a microsecond, before it sleeps */
};

#endif
