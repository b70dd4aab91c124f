/* Co-simulated runs beside monolithic ones: their progress on a terminal, their rows in a file. */
#ifndef APP_RESULTS_COMPARISONS_H
#define APP_RESULTS_COMPARISONS_H

#include <stdio.h>

#include <seam/analysis.h>

#include "app/progress.h"
#include "app/results/csv_text.h"
#include "app/results/output.h"
#include "app/schemes.h"

/* Shows the progress of runs, and interrupts them when the user asks for that. */
typedef struct app_monitor {
  app_progress progress;
  double end;               /* of a run, s */
  size_t n_runs;            /* of the present phase, one after the other over the same time */
  size_t n_finished;        /* of these */
  double time;              /* of the run that goes on, s */
  size_t steps;             /* of the present phase */
  seam_interrupt interrupt; /* of the runs */
} app_monitor;

/* Starts the monitor of a command whose runs all have this end; `monitor` must not move meanwhile. */
void monitor_start(app_monitor *monitor, bool quiet, double end);
/* progress_phase() with that many runs. */
void monitor_phase(app_monitor *monitor, const char *label, size_t n_runs, double work, double rest);

/* seam_reference_check(); a reference that is suspect is no failure: *refusal says why. SEAM_INTERRUPTED,
 * SEAM_NO_MEMORY. */
seam_status comparisons_check(seam_reference *reference, const seam_interrupt *interrupt, seam_agreement *agreement,
                              seam_error *refusal, seam_error *error);

/* The next field of a CSV file, of which names are written by csv_put_text(): empty for NaN. */
void comparisons_write_number(FILE *file, double number);

/* compare.csv and converge.csv: the head, and a row for each run, written out at once. SEAM_NO_FILE. */
extern const char comparisons_head[];
seam_status comparisons_write(const output_file *to, const char *scheme, double macro_step, const seam_comparison *run,
                              seam_error *error);

/* On stderr, what limits the order of a run; nothing where nothing does. */
void comparisons_note(const char *scheme, const seam_comparison *run);
/* Says above the head of the lines their columns' units, and which quantities they are shares of. */
void comparisons_print_meaning(bool with_joints);
/* The same runs on stdout, a line each: the columns from `position` on. */
void comparisons_print_head(bool with_joints);
void comparisons_print(const seam_comparison *run, bool with_joints);

#endif
