/* Prints events, statistics and verdict of a run. */
#ifndef APP_RESULTS_RUN_LINES_H
#define APP_RESULTS_RUN_LINES_H

#include <seam/runs.h>

#include "app/options.h"

/* Prints a line to stderr for each event, and for each contact that had impacts. */
void event_lines_print(const seam_run_facts *facts);

/* The key `over_run` of the measures in a model file requests statistics over the run. */

/* statistics_is_requested() returns true if the file requests this statistic of the quantity. statistics_write_name()
 * writes the name of the statistic, as "tip.x.max". */
bool statistics_is_requested(const seam_model_file *file, mbs_quantity quantity, seam_statistic which);
void statistics_write_name(const seam_model_file *file, mbs_quantity quantity, seam_statistic which, char *name,
                           size_t size);

/* Prints a line for each requested statistic. */
void statistics_print(const seam_run_facts *facts);

/* Prints a note about the requested statistic with the largest uncertainty, if this exceeds a hundredth of the size of
 * its quantity. */
void statistics_note(const seam_run_facts *facts);

/* Prints the verdict to stdout, in lines of 80 columns. For a rough or wrong run adds advice: options to try, or 'seam
 * compare' with the same model and overrides. On a terminal the verdict is coloured unless NO_COLOR is set. */
void verdict_lines_print(const seam_run_facts *facts, const app_options *parsed);

#endif
