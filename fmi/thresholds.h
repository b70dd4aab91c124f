/* Chosen numbers of FMUs, as in mbs/thresholds.h. */
#ifndef FMI_THRESHOLDS_H
#define FMI_THRESHOLDS_H

static const double fmi_step_end_error = 1e-9, /* of a step: an FMU that misses the step's end by more has failed */
    fmi_stalled_events = 1e-9; /* of the length of the run: successive events within this time are no progress */

enum {
  FMI_MAX_UPDATES = 1000,           /* most updates of discrete states at one time */
  FMI_MAX_STALLED_EVENTS = 1000,    /* most successive events without progress of time */
  FMI_LONGEST_TEST = 2,             /* s, longest test of the process after an FMU crashed */
  FMI_LARGEST_TEST_BLOCK = 1 << 16, /* bytes, largest allocation tried in the test of a process */
};

#endif
