/* Chosen numbers of the base, as in mbs/thresholds.h; they decide about times of samples and about threads. */
#ifndef BASE_THRESHOLDS_H
#define BASE_THRESHOLDS_H

#include <float.h>

/* ---- Samples ---- */

static const double seam_rounding_of_sample = 1e-14, /* of t: a sample is at its time but for that, */
    seam_slack_of_sample = 1e-9;                     /* of the period: or for that */

/* ---- Threads ---- */

static const double seam_gain_of_threads = 0.9, /* of the time without: threads stay where they take less */
    seam_worth_waking = 20e-6;                  /* absolute, s of the clock: shorter work is done before threads wake */

/* ---- Counts ---- */

enum {
  SEAM_TIMED_TURNS = 20, /* pieces of work that are timed with threads, and without */
  SEAM_GLANCES = 10000,  /* looks for work, of a nanosecond each, before */
  SEAM_LOOKS = 100,      /* looks of half a microsecond each, before a thread sleeps */
};

#endif
