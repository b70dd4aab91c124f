/* Prints events and verdict of a run. */
#ifndef APP_RESULTS_RUN_LINES_H
#define APP_RESULTS_RUN_LINES_H

#include <seam/runs.h>

#include "app/options.h"

/* Prints a line to stderr for each event, and for each contact that had impacts. */
void event_lines_print(const seam_run_facts *facts);

/* Prints the verdict to stdout, in lines of 80 columns. For a rough or wrong run adds advice: options to try, or 'seam
 * compare' with the same model and overrides. On a terminal the verdict is coloured unless NO_COLOR is set. */
void verdict_lines_print(const seam_run_facts *facts, const app_options *parsed);

#endif
