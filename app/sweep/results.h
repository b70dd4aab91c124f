/* Files of a sweep: sweep.csv and sweep.npy, messages.txt, summary.json. Plan and rows determine every byte of them. It
 * does not matter which threads and processes made the runs, nor in which folders. */
#ifndef APP_SWEEP_RESULTS_H
#define APP_SWEEP_RESULTS_H

#include "app/results/row_format.h"
#include "app/sweep/rows.h"

/* Numbers of failed and wrong runs, and the exit status of the sweep. */
typedef struct sweep_verdict {
  size_t n_failed, first_failed; /* first_...: index of the run, from 0 on */
  size_t n_wrong, first_wrong;
  int exit_status;
} sweep_verdict;
sweep_verdict sweep_judge(const sweep_plan *plan, const sweep_rows *rows);

/* Writes all files. SEAM_BAD_INPUT: --names underscore makes two columns the same; SEAM_NO_FILE, SEAM_NO_MEMORY. */
seam_status sweep_write_results(const sweep_plan *plan, const sweep_rows *rows, const char *directory,
                                const bool has_format[N_ROW_FORMATS], bool has_identifiers, seam_error *error);

/* Prints on stderr how many runs failed and how many are wrong, and of each the first one with its message. */
void sweep_print_verdict(const sweep_plan *plan, const sweep_rows *rows, const char *directory);

#endif
