/* Events of a run as it left them: the first columns of events.csv. */
#ifndef APP_RESULTS_RUN_EVENTS_H
#define APP_RESULTS_RUN_EVENTS_H

#include "app/results/run_results.h"

enum { MAX_RUN_EVENTS = 200 }; /* that are read: more are no marks but a surface */

typedef struct run_event {
  const char *name;
  double time; /* s */
} run_event;

typedef struct run_events {
  run_event *list; /* (n) as they happened */
  size_t n;
  size_t n_left_out;
  char *text;
} run_events;

/* None where there is no events.csv beside the tables. Whatever the result, free with run_events_free().
 * SEAM_NO_MEMORY, SEAM_BAD_INPUT: the file is none. */
seam_status run_events_read(const run_results *of, run_events *made, seam_error *error);
void run_events_free(run_events *self);

#endif
