/* A report: one HTML file with animation, plots and verdicts of runs. */
#ifndef APP_REPORT_REPORT_H
#define APP_REPORT_REPORT_H

#include <seam/status.h>

#include "app/options.h"

typedef struct report report;

/* Creates an empty report. The options of the command must outlive it. SEAM_NO_MEMORY. */
seam_status report_create(const app_options *options, report **created, seam_error *error);
void report_free(report *self);

/* Adds the runs and the tables of studies in a folder and its direct subfolders. SEAM_NO_FILE, SEAM_NO_MEMORY;
 * SEAM_BAD_INPUT: a run did not end, or files are of different runs. */
seam_status report_add_folder(report *self, const char *folder, seam_error *error);

/* Returns the worst exit status of the runs: 1 (failed) before 3 (wrong) before 0. */
int report_exit_status(const report *self);

/* Adds the text of a model, named as for setup_read_text(). */
seam_status report_add_model(report *self, const char *path, seam_error *error);

/* Writes the page. After a failure an existing file is unchanged. SEAM_NO_FILE, SEAM_NO_MEMORY, SEAM_BAD_INPUT. */
seam_status report_write(report *self, const char *path, seam_error *error);

/* If --report is given, writes folder/report.html about the results in the folder. */
seam_status report_if_requested(const app_options *options, const char *folder, seam_error *error);

#endif
