/* Makes a sweep, in one process or several. */
#ifndef APP_SWEEP_SWEEP_H
#define APP_SWEEP_SWEEP_H

#include <stdint.h>

#include "app/options.h"

/* Processes that share a sweep and its folder. */
typedef struct sweep_workers {
  size_t number, size; /* number of this process, from 0; number of processes */
  /* Waits for all processes, and returns the smallest number that any of them passed. NULL: there is one process. */
  uint64_t (*minimum)(uint64_t number);
} sweep_workers;

/* Does the work of this process; returns the exit status. Of several failed processes only one prints a message. */
int sweep_run(const app_options *parsed, const sweep_workers *workers, seam_error *error);

#endif
