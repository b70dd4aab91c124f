/* Events and verdict of a run, on the screen. */
#ifndef APP_RESULTS_RUN_LINES_H
#define APP_RESULTS_RUN_LINES_H

#include <seam/runs.h>

#include "app/options.h"

/* Prints a line on standard error for each event, and for each contact that had impacts. */
void event_lines_print(const seam_run_facts *facts);

/* Prints the verdict on standard output, in lines of 80 columns, and advice for a rough or wrong run, a command with
 * the model and the overrides of this one. On a terminal the verdict's word has a colour, unless NO_COLOR is set. */
void verdict_lines_print(const seam_run_facts *facts, const app_options *parsed);

#endif
