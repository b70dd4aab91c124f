/* The events of a run: labels of rows of events.csv, lines on the terminal. */
#ifndef APP_RESULTS_EVENT_LINES_H
#define APP_RESULTS_EVENT_LINES_H

#include <seam/runs.h>

#include "app/results/table_file.h"

typedef struct event_label {
  bool lists_impacts; /* rows have columns of impacts */
  row_label form;
  char *text; /* text of the last row */
} event_label;

/* Free with event_label_free(), whatever the result. SEAM_NO_MEMORY. */
seam_status event_label_create(event_label *self, const mbs_model *model, bool lists_impacts, seam_error *error);
void event_label_free(event_label *self);

/* Writes "NAME,rising," or "NAME,impact," with impulses and energy; valid until the next call. */
const char *event_label_write(event_label *self, const seam_run_label *label);

/* Prints a line for each event, and for each contact that had impacts. */
void event_lines_print(const seam_run_facts *facts);

#endif
