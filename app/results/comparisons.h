/* Comparisons of co-simulated with monolithic runs: progress on the terminal, lines on stdout, rows of a file. */
#ifndef APP_RESULTS_COMPARISONS_H
#define APP_RESULTS_COMPARISONS_H

#include <stdio.h>

#include <seam/analysis.h>

#include "app/progress.h"
#include "app/results/csv_text.h"
#include "app/results/output.h"
#include "app/schemes.h"

/* Shows the progress of runs, and ends them after a signal. */
typedef struct app_monitor {
  app_progress progress;
  double end;               /* s, end of each run */
  size_t n_runs;            /* runs of the present phase, one after the other, with the same end */
  size_t n_finished;        /* finished runs of the phase */
  double time;              /* s, reached by the present run */
  size_t steps;             /* steps in the present phase */
  seam_interrupt interrupt; /* passed to the runs */
} app_monitor;

/* `end`: s, end of all runs of the command. *monitor must not be moved: its member `interrupt` points to it. */
void monitor_start(app_monitor *monitor, bool quiet, double end);
/* Begins a phase of n_runs runs; for the other arguments see progress_phase(). */
void monitor_phase(app_monitor *monitor, const char *label, size_t n_runs, double work, double later_work);

/* Writes a comma and a number to a CSV file; NaN becomes an empty field. */
void comparisons_write_number(FILE *file, double number);

/* Head of compare.csv and converge.csv, and their rows. comparisons_write() flushes the file. SEAM_NO_FILE. */
extern const char comparisons_head[];
seam_status comparisons_write(const output_file *to, const char *scheme, double macro_step, const seam_comparison *run,
                              seam_error *error);

/* Print to stdout the meaning of the columns, their heads, and the line of a run: errors, residuals of joints, energy,
 * CPU time, verdict. comparisons_note() prints to stderr what limits the order of the errors, if anything does. */
void comparisons_print_meaning(bool with_joints);
void comparisons_print_head(bool with_joints);
void comparisons_print(const seam_comparison *run, bool with_joints);
void comparisons_note(const char *scheme, const seam_comparison *run);

#endif
