/* Chosen numbers of exported FMUs, as in mbs/thresholds.h. H: length of the step that the importer asks for. */
#ifndef FMU_THRESHOLDS_H
#define FMU_THRESHOLDS_H

#include <float.h>

static const double fmu_same_time = 1e-9, /* of max(|time|, H): a step may begin this far from the end of the last one,
                                             and end this far after the stop time */
    fmu_event_at_begin = 1e-9, /* of H: an event this soon after the beginning of a step belongs to the previous step.
                                  An event that stops the run replaces an event this soon before it */
    fmu_same_input = 4 * DBL_EPSILON, /* of an input: if a new value differs by less, outputs are not evaluated again */
    fmu_check_slope = 1e-3; /* of max(|input|, 1): fmu_check.c changes each real input by this in its first and second
                               step, by twice as much in the third */

#endif
