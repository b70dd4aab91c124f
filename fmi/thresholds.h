/* Chosen numbers of FMUs, as in mbs/thresholds.h. */
#ifndef FMI_THRESHOLDS_H
#define FMI_THRESHOLDS_H

static const double fmi_step_end_error = 1e-9, /* of an FMU's step: if its end is off by more, the FMU has failed */
    fmi_stalled_events = 1e-9; /* of the run's length: events of an FMU within this time belong to one series */

enum {
  FMI_MAX_UPDATES = 1000, /* updates of an FMU's discrete states at one time; if they still change, it has failed */
  FMI_MAX_STALLED_EVENTS = 1000, /* events of such a series; after more, the FMU has failed, as time stands still */
  FMI_LONGEST_TEST = 2, /* s; after an FMU has crashed, Seam tests its process, and ends it if the test takes longer */
  FMI_LARGEST_TEST_BLOCK = 1 << 16, /* bytes; the test after a crash allocates 1, 2, 4, ... bytes, up to this size */
};

#endif
