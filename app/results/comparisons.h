/* Co-simulated runs beside monolithic ones: carried out under the eyes of the user, and kept in a file. */
#ifndef APP_RESULTS_COMPARISONS_H
#define APP_RESULTS_COMPARISONS_H

#include <stdio.h>

#include <seam/analysis.h>

#include "app/progress.h"
#include "app/schemes.h"

/* Looks at a run: shows how far it is, and ends it when the user asks for that. */
typedef struct app_watcher {
  app_progress progress;
  size_t steps;
  seam_interrupt interrupt; /* of the runs */
} app_watcher;

/* For one run; `watcher` stays where it is. */
void watcher_start(app_watcher *watcher, bool quiet, double end);

/* A scheme's name as a field of a CSV file: in quotes when it holds a comma. */
void comparisons_write_name(FILE *file, const char *scheme);

/* compare.csv and converge.csv: the head, and a row for a run. Rows reach the disk at once. SEAM_NO_FILE. */
seam_status comparisons_open(const char *path, FILE **file, seam_error *error);
seam_status comparisons_write(FILE *file, const char *path, const char *scheme, double macro_step,
                              const seam_comparison *run, seam_error *error);

/* The same runs on stdout, a line each: the columns from `position` on. */
void comparisons_print_head(bool with_joints);
void comparisons_print(const seam_comparison *run, bool with_joints);

#endif
