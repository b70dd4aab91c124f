/* Co-simulated runs beside monolithic ones: their progress on a terminal, their rows in a file. */
#ifndef APP_RESULTS_COMPARISONS_H
#define APP_RESULTS_COMPARISONS_H

#include <stdio.h>

#include <seam/analysis.h>

#include "app/progress.h"
#include "app/results/csv_text.h"
#include "app/results/output.h"
#include "app/schemes.h"

/* Shows the progress of runs, and interrupts them after a signal. */
typedef struct app_monitor {
  app_progress progress;
  double end;               /* end of a run, s */
  size_t n_runs;            /* runs of the present phase, one after the other over the same time */
  size_t n_finished;        /* finished runs of the phase */
  double time;              /* time of the present run, s */
  size_t steps;             /* steps of the present phase */
  seam_interrupt interrupt; /* interrupts the runs */
} app_monitor;

/* Starts the monitor of a command whose runs all have this end; `monitor` must not move meanwhile. */
void monitor_start(app_monitor *monitor, bool quiet, double end);
/* Begins a phase of n_runs runs, as progress_phase(). */
void monitor_phase(app_monitor *monitor, const char *label, size_t n_runs, double work, double later_work);

/* Checks a reference, as seam_reference_check(); a wrong one is no failure: *refusal has the message. SEAM_INTERRUPTED,
 * SEAM_NO_MEMORY. */
seam_status comparisons_check(seam_reference *reference, const seam_interrupt *interrupt, seam_agreement *agreement,
                              seam_error *refusal, seam_error *error);

/* Writes the next field of a CSV file (a name: csv_put_text()); empty for NaN. */
void comparisons_write_number(FILE *file, double number);

/* Head of compare.csv and converge.csv; writes a run's row out at once. SEAM_NO_FILE. */
extern const char comparisons_head[];
seam_status comparisons_write(const output_file *to, const char *scheme, double macro_step, const seam_comparison *run,
                              seam_error *error);

/* The first three print to stdout what the columns mean, their head, and a run's line: errors, residuals of joints,
 * energy, CPU time, verdict. The last prints to stderr the cause that limits a run's order, if there is one. */
void comparisons_print_meaning(bool with_joints);
void comparisons_print_head(bool with_joints);
void comparisons_print(const seam_comparison *run, bool with_joints);
void comparisons_note(const char *scheme, const seam_comparison *run);

#endif
