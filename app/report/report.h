/* One HTML file of runs: animation, plots, verdicts. */
#ifndef APP_REPORT_REPORT_H
#define APP_REPORT_REPORT_H

#include <seam/status.h>

#include "app/options.h"

typedef struct report report;

/* Creates an empty report for a command with these options, which must outlive it. SEAM_NO_MEMORY. */
seam_status report_create(const app_options *options, report **created, seam_error *error);
void report_free(report *self);

/* Adds the run and the tables of compare, converge and stability that are in a folder or its direct subfolders.
 * SEAM_NO_FILE, SEAM_NO_MEMORY; SEAM_BAD_INPUT: a run did not end, or its files are not of one run. */
seam_status report_add_folder(report *self, const char *folder, seam_error *error);

/* Returns the exit status of the worst run: 1 if one failed, else 3 if one is wrong, else 0. */
int report_exit_status(const report *self);

/* Adds the text of a model file or, if there is no such file, of a model of the catalogue. */
seam_status report_add_model(report *self, const char *path, seam_error *error);

/* Writes the page completely or not at all. SEAM_NO_FILE, SEAM_NO_MEMORY, SEAM_BAD_INPUT. */
seam_status report_write(report *self, const char *path, seam_error *error);

/* Writes folder/report.html if --report is given: a report of the results that the command wrote into the folder. */
seam_status report_if_asked(const app_options *options, const char *folder, seam_error *error);

#endif
