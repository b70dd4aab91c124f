/* Chosen numbers of exported FMUs, as in mbs/thresholds.h. */
#ifndef FMU_THRESHOLDS_H
#define FMU_THRESHOLDS_H

#include <float.h>

static const double fmu_same_time = 1e-9, /* of the larger of t and H: allowed round-off in the beginning of a step */
    fmu_event_at_begin = 1e-9, /* of H: an event this close to the beginning of a step belongs to the previous step */
    fmu_same_input = 4 * DBL_EPSILON, /* of an input: after a smaller change, outputs are not evaluated again */
    fmu_width = 1e-5,                 /* of max(|input|, 1): half the distance of the points of a central difference */
    fmu_check_slope = 1e-3;           /* of max(|input|, 1): change of the input in a step of fmu_check.c */

#endif
