/* The verdict on a run, on the screen. */
#ifndef APP_RESULTS_VERDICT_LINES_H
#define APP_RESULTS_VERDICT_LINES_H

#include <seam/cosim.h>
#include <seam/verdict.h>

/* Prints the verdict on standard output, in lines of 80 columns, and advice for a rough or wrong run; `model` is the
 * file as the command line names it. On a terminal the verdict's word has a colour, unless NO_COLOR is set. The
 * simulation is NULL for a monolithic run. */
void verdict_lines_print(const seam_run_verdict *verdict, const cosim_simulation *simulation,
                         const cosim_builder *builder, const char *model);

#endif
