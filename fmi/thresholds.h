/* Chosen numbers of FMUs, as in mbs/thresholds.h. */
#ifndef FMI_THRESHOLDS_H
#define FMI_THRESHOLDS_H

static const double fmi_step_end_error = 1e-9, /* of a step: an FMU that ends farther outside its step has failed */
    fmi_stalled_events = 1e-9; /* of the run's length, if known, else of max(|t|, longest step): an event of an FMU and
                                  those that follow within this time are a series */

enum {
  FMI_MAX_UPDATES = 1000, /* updates of an FMU's discrete states at one time; if the FMU asks for more, it has failed */
  FMI_MAX_STALLED_EVENTS = 1000, /* events in a series; if there are more, the FMU has failed: time stands still */
  FMI_LONGEST_TEST = 2, /* s; after a crash of an FMU, Seam tests memory and output; a longer test ends the process */
  FMI_LARGEST_TEST_BLOCK = 1 << 16, /* bytes; the test after a crash allocates 1, 2, 4, ... bytes, up to this size */
};

#endif
