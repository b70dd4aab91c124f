/* Chosen numbers of FMUs, as in mbs/thresholds.h. */
#ifndef FMI_THRESHOLDS_H
#define FMI_THRESHOLDS_H

#include <float.h>

/* ---- Steps ---- */

static const double fmi_beyond_step = 1e-9, /* of a step: by that an FMU may come beyond its end */
    fmi_still_events = 1e-9;                /* of the run: events that come no further stand still */

/* ---- Counts ---- */

enum {
  FMI_MAX_UPDATES = 1000,      /* updates of discrete states at one time */
  FMI_MAX_STILL_EVENTS = 1000, /* events one after the other without progress */
  FMI_PATIENCE = 2,            /* s, with a process in which an FMU has crashed */
  FMI_LARGEST_TRIED = 1 << 16, /* bytes, of memory that is taken to see whether it can be */
};

#endif
