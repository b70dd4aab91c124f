/* Chosen numbers of FMUs, as in mbs/thresholds.h. */
#ifndef FMI_THRESHOLDS_H
#define FMI_THRESHOLDS_H

#include <float.h>

/* ---- Steps ---- */

static const double fmi_beyond_step = 1e-9; /* of a step: by that an FMU may come beyond its end */

/* ---- Counts ---- */

enum {
  FMI_MAX_UPDATES = 1000, /* updates of discrete states at one time */
};

#endif
