/* Carries out a sweep, with other processes or alone. */
#ifndef APP_SWEEP_SWEEP_H
#define APP_SWEEP_SWEEP_H

#include <stdint.h>

#include "app/options.h"

/* The processes that share the runs of one sweep and its folder. */
typedef struct sweep_workers {
  size_t number, size; /* number of this process, from 0 on; number of processes */
  /* Returns the least of the numbers that the processes pass, once all have called it; NULL: this process is alone. */
  uint64_t (*least)(uint64_t number);
} sweep_workers;

/* Returns the exit status of 'seam sweep' in this process; of several processes one reports the failure. */
int sweep_with(const app_options *parsed, const sweep_workers *workers, seam_error *error);

#endif
