/* Chosen numbers of the FMUs that are exported, as in mbs/thresholds.h. */
#ifndef FMU_THRESHOLDS_H
#define FMU_THRESHOLDS_H

#include <float.h>

/* ---- Steps and inputs ---- */

static const double fmu_same_time = 1e-9, /* of t, of H: a step begins where the last one ended */
    fmu_event_at_begin = 1e-9,            /* of H: an event there is that of the step before */
    fmu_same_input = 4 * DBL_EPSILON,     /* of a value: an input has it already, and outputs stay */
    fmu_width = 1e-5,                     /* of an input, or its unit: of central differences */
    fmu_check_slope = 1e-3;               /* of an input, or its unit: it changes by that in a step of a check */

#endif
