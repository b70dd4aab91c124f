/* One HTML file of runs: animation, plots, verdicts. */
#ifndef APP_REPORT_REPORT_H
#define APP_REPORT_REPORT_H

#include <seam/status.h>

#include "app/options.h"

typedef struct report report;

/* `options`, of the command that writes the report, must outlive it. Free with report_free(). SEAM_NO_MEMORY. */
seam_status report_create(const app_options *options, report **created, seam_error *error);
void report_free(report *self);

/* Adds the run in a folder, its tables of compare, converge and stability, and those of the folders in it.
 * SEAM_NO_FILE, SEAM_NO_MEMORY; SEAM_BAD_INPUT: the run did not end, or its files are not of one run. */
seam_status report_add_folder(report *self, const char *folder, seam_error *error);

/* Returns the exit status of the worst run: 1, failed, before 3, wrong; 0 if all are done or there are none. */
int report_exit_status(const report *self);

/* Adds the model file as its author wrote it, or else a model of the catalogue. */
seam_status report_add_model(report *self, const char *path, seam_error *error);

/* Writes the page at once or not at all. SEAM_NO_FILE, SEAM_NO_MEMORY, SEAM_BAD_INPUT. */
seam_status report_write(report *self, const char *path, seam_error *error);

/* With --report: writes folder/report.html of the command's results in the folder. */
seam_status report_if_asked(const app_options *options, const char *folder, seam_error *error);

#endif
