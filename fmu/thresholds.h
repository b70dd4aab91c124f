/* Chosen numbers of exported FMUs, as in mbs/thresholds.h. H: length of the step that the importer asks for. */
#ifndef FMU_THRESHOLDS_H
#define FMU_THRESHOLDS_H

#include <float.h>

static const double fmu_same_time = 1e-9, /* of max(|t|, H): round-off allowed where a step begins and at the stop */
    fmu_event_at_begin = 1e-9, /* of H: an event this soon after the beginning of a step belongs to the previous step */
    fmu_same_input = 4 * DBL_EPSILON, /* of an input: if a new value differs by less, outputs are not evaluated again */
    fmu_width = 1e-5,                 /* of max(|input|, 1): central differences change an input by this, up and down */
    fmu_check_slope = 1e-3; /* of max(|input|, 1): fmu_check.c changes each input by this in its first trial step */

#endif
