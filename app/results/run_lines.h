/* Prints events, statistics and verdict of a run. */
#ifndef APP_RESULTS_RUN_LINES_H
#define APP_RESULTS_RUN_LINES_H

#include <seam/runs.h>

#include "app/options.h"

/* Prints to stderr a line for each event, and for each contact that had impacts. */
void event_lines_print(const seam_run_facts *facts);

/* ---- Statistics over the run, requested by the key `over_run` of measures ---- */

/* Return true if the file requests the statistic, and write its name, as "tip.x.max". */
bool statistics_is_requested(const seam_model_file *file, mbs_quantity quantity, seam_statistic which);
void statistics_write_name(const seam_model_file *file, mbs_quantity quantity, seam_statistic which, char *name,
                           size_t size);

/* Prints a line for each requested statistic. */
void statistics_print(const seam_run_facts *facts);

/* Prints a note about the requested statistic with the largest uncertainty, above a hundredth of its quantity. */
void statistics_note(const seam_run_facts *facts);

/* Prints the verdict to stdout, in lines of 80 columns; on a terminal in colour unless NO_COLOR is set. Adds advice for
 * a rough or wrong run: options, or 'seam compare' of the same model. */
void verdict_lines_print(const seam_run_facts *facts, const app_options *parsed);

#endif
