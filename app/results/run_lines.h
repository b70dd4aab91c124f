/* Prints events, statistics and verdict of a run. */
#ifndef APP_RESULTS_RUN_LINES_H
#define APP_RESULTS_RUN_LINES_H

#include <seam/runs.h>

#include "app/options.h"

/* Prints to stderr a line for each event, and for each contact that had impacts. */
void event_lines_print(const seam_run_facts *facts);

/* ---- Statistics over the run, requested by the key `over_run` of measures ---- */

/* Returns true if the file requests this statistic of the quantity. */
bool statistics_is_requested(const seam_model_file *file, mbs_quantity quantity, seam_statistic which);
/* Writes the name of a statistic, as "tip.x.max". */
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
