/* Files of a sweep: sweep.csv, sweep.npy, messages.txt, summary.json. Their bytes depend on plan and rows alone, not on
 * the threads, processes and folders of the runs. */
#ifndef APP_SWEEP_RESULTS_H
#define APP_SWEEP_RESULTS_H

#include "app/results/table_file.h"
#include "app/sweep/rows.h"

/* SEAM_BAD_INPUT: --names underscore gives two columns the same name; SEAM_NO_FILE, SEAM_NO_MEMORY. */
seam_status sweep_write_results(const sweep_plan *plan, const sweep_rows *rows, const char *directory,
                                const bool has_format[N_ROW_FORMATS], bool has_identifiers, seam_error *error);

/* Prints how many runs failed or are wrong, with the message of the first. Returns the exit status of the sweep. */
int sweep_print_verdict(const sweep_plan *plan, const sweep_rows *rows, const char *directory);

#endif
