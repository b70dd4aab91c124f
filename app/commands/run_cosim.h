/* The co-simulation of the model file, with the options of the command line. */
#ifndef APP_COMMANDS_RUN_COSIM_H
#define APP_COMMANDS_RUN_COSIM_H

#include "app/setup.h"

typedef struct run_cosim {
  cosim_builder *builder;
  cosim_simulation *simulation; /* NULL: it was not created */
} run_cosim;

/* Creates the builder and the simulation from the model and the options --scheme and --threads. The caller calls
 * run_cosim_free() even after a failure. SEAM_BAD_INPUT, SEAM_NO_MEMORY, errors of cosim_create(). */
seam_status run_cosim_create(const app_options *options, const app_setup *setup, run_cosim *result, seam_error *error);
void run_cosim_free(run_cosim *result);

#endif
