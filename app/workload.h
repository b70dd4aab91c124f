/* Predicted cost of runs, for the time left, in macro steps of a scheme with one corrector. */
#ifndef APP_WORKLOAD_H
#define APP_WORKLOAD_H

#include <stddef.h>

/* Returns the work of a co-simulation: its macro steps, plus `whole_steps` of a monolithic run's integrator, as longer
 * macro steps cost more. */
double workload_of_scheme(const char *scheme, double macro_steps, double whole_steps);

/* Returns the work of a reference with so many macro points. */
double workload_of_reference(double macro_steps, double whole_steps);

#endif
