/* Events of a run, read from events.csv in the folder of its results. */
#ifndef APP_RESULTS_RUN_EVENTS_H
#define APP_RESULTS_RUN_EVENTS_H

#include "app/results/run_results.h"

enum { MAX_RUN_EVENTS = 200 }; /* largest number of events that are read; marks of more events would cover a picture */

typedef struct run_event {
  const char *name;
  double time; /* s */
} run_event;

typedef struct run_events {
  run_event *list; /* (n) events in the order of the file */
  size_t n;
  size_t n_left_out;
  char *text;
} run_events;

/* Reads the events of a run; there are none if the results are a single table, or a folder without events.csv. Call
 * run_events_free() even after a failure. SEAM_NO_FILE, SEAM_NO_MEMORY; SEAM_BAD_INPUT: the file is not a table of
 * events. */
seam_status run_events_read(const run_results *of, run_events *result, seam_error *error);
void run_events_free(run_events *self);

#endif
