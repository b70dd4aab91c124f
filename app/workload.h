/* Predicted cost of runs, for the time that is left: in macro steps of a scheme with one corrector. */
#ifndef APP_WORKLOAD_H
#define APP_WORKLOAD_H

#include <stddef.h>

/* Returns the work of a co-simulation of so many macro steps. A macro step that is longer than the integrators' own, of
 * which the whole takes `whole_steps`, costs more. */
double workload_of_scheme(const char *scheme, double macro_steps, double whole_steps);

/* Returns the work of a reference at so many macro points. */
double workload_of_reference(double macro_steps, double whole_steps);

#endif
