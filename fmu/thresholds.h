/* Chosen numbers of exported FMUs, as in mbs/thresholds.h. */
#ifndef FMU_THRESHOLDS_H
#define FMU_THRESHOLDS_H

#include <float.h>

/* ---- Steps and inputs ---- */

static const double fmu_same_time = 1e-9, /* of t or H: largest round-off in a step's beginning */
    fmu_event_at_begin = 1e-9,            /* of H: events this close to a step's begin belong to the step before */
    fmu_same_input = 4 * DBL_EPSILON,     /* of a value: inputs that change less do not change outputs */
    fmu_width = 1e-5,                     /* of an input, or its unit: step of central differences */
    fmu_check_slope = 1e-3;               /* of an input, or its unit: change in a step of a check */

#endif
