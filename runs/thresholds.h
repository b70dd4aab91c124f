/* Chosen numbers of runs; for the form see mbs/thresholds.h. */
#ifndef RUNS_THRESHOLDS_H
#define RUNS_THRESHOLDS_H

#include <float.h>

/* ---- Rows ---- */

static const double runs_end_slack = 1e-12, /* of the end time: with step control, a time this close to it is the end */
    runs_slack_of_step = 1e-9,              /* of a macro or output step: round-off of a time that is a sum of steps */
    runs_max_rows = 1e9,                    /* times the output step: a run that is longer is refused */
    runs_sample_distance = 1.0 / 400,       /* of the run: samples for statistics are at most this far apart */
    runs_state_offset = 0.618034; /* of the distance of judged states: the first is this long after a row; irrational */

/* ---- Checks and notes ---- */

static const double runs_late_share = 1e-4, /* of a monolithic run: in two runs jumps may differ by this in time */
    runs_golden_share = 0.618034, /* of a macro step: a check divides it at this point, by the golden section */
    runs_sudden = 0.1,            /* of a signal's range: if it changes more between two rows, it may have jumped */
    runs_tighter_divided = 10, /* times tighter: tolerances inside subsystems, at each division of macro steps in two */
    runs_near_kink = 0.25,     /* of the shortest part of a macro step: a kink this near to a part's end becomes it */
    runs_noticeable_limits = 0.05, /* of all macro steps: if a correction is limited in more of them, a note says so */
    runs_negligible = 0.1,         /* of the bound `accurate`: if two runs differ by more, a third run is made */
    runs_least_rate = 1.4,   /* times the difference of the second and third run of a check: if the first and second
                                differ by less, the runs, with shorter and shorter macro steps, diverge */
    runs_least_judged = 0.5, /* of the run: if a check covers less of it, it counts as not made */
    runs_noticeable = 1e-6,  /* of a scale (length, speed; angles: 1 rad): if a start changes less, no note says so */
    runs_slow_motion = 1000, /* times atol: if a motion is slower, errors may be as large, and a note says so */
    runs_at_rest = 1e-3,     /* of the scale of speed: if a mechanism is slower, it is at rest and gets no such note */
    runs_printed_bound = 1.001, /* times a value: bound printed for it, which is above the value even after rounding */
    runs_beyond_rod = 1e-6,     /* of the length of a rod: if a joint is farther beyond its end, a note says so */
    runs_beyond_gyration = 3,   /* times its radius of gyration: if a body has no `at`, and its nearest joint or force
                                   element is farther from its centre of mass, a note says so */
    runs_contact_depth = 0.1; /* of the mechanism's size: if points in contact overlap more at first, a note says so */

/* ---- Counts ---- */

enum {
  RUNS_MAX_WORK = 10000000, /* work (evaluations x coordinates) that any check may take by default; if a monolithic run
                               itself takes more, its check still may not */
  RUNS_MAX_WORK_RATIO = 10, /* times the work of any other run: its check may take this, if it exceeds RUNS_MAX_WORK */
  RUNS_MAX_CHECK_ROWS = 2000, /* rows that are stored for a check, at most */
  RUNS_LEAST_STATES = 200,    /* states that the verdict on a run judges, at least */
};

#endif
