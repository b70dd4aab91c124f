/* A sweep: model, varied values, measured figures. Its sources are the command line, the text of the model and the
 * files that it names. The header of a journal contains the first two, and a checksum of the files. */
#ifndef APP_SWEEP_PLAN_H
#define APP_SWEEP_PLAN_H

#include <seam/results.h>
#include <seam/sweep.h>

#include "app/setup.h"
#include "base/arena.h"

/* A measured figure: a statistic of a quantity over the run, or its last value. */
typedef struct sweep_figure {
  const char *name; /* "crank.omega.max" */
  size_t quantity;  /* index in sweep_plan.quantities */
  int statistic;    /* a seam_statistic, or SWEEP_LAST */
  size_t column;    /* of its value in a row; its uncertainty follows, unless it is a last value */
} sweep_figure;
enum { SWEEP_LAST = SEAM_N_STATISTICS };
enum { SWEEP_RUN, SWEEP_VARIED }; /* columns of a row: number of the run (from 1), first varied value */

typedef struct sweep_plan {
  arena memory;
  const char *name; /* name of the model as given */
  const char *text; /* text of the model */
  size_t length;
  seam_design_options sampling;
  seam_design *design;
  app_options run; /* options of 'seam run', without varied values */
  app_setup base;  /* the model without varied values */
  const char **quantities;
  size_t n_quantities;
  sweep_figure *figures;
  size_t n_figures;
  size_t status; /* column of the exit status; the energy imbalance (J) follows it and is the last column */
  size_t n_columns;
  const char *header; /* (header_size) identifies the sweep: version, files, command line, text of the model */
  size_t header_size;
} sweep_plan;

extern const char *const sweep_sampling_names[]; /* by seam_sampling */

/* Makes a plan. Call sweep_plan_free() even after a failure. SEAM_BAD_INPUT, SEAM_NO_FILE, SEAM_NO_MEMORY. */
seam_status sweep_plan_make(const app_options *parsed, sweep_plan *result, seam_error *error);
/* Makes a plan from the header of a journal; table: options of the command. Free it as above. SEAM_BAD_STATE: another
 * version made the header; errors of sweep_plan_make(). */
seam_status sweep_plan_make_from_header(const app_option *table, const char *header, size_t size, sweep_plan *result,
                                        seam_error *error);
void sweep_plan_free(sweep_plan *self);

seam_status sweep_plan_columns(const sweep_plan *self, seam_table **created, seam_error *error);

/* Reads the model of a run (index from 0): overrides of all runs, then its varied values. Errors of setup_parse(). */
seam_status sweep_plan_read_model(const sweep_plan *self, size_t run, app_setup *setup, seam_error *error);

/* Writes "run 7 of 10 (a=1, b=2)". */
void sweep_plan_name_run(const sweep_plan *self, size_t run, char *text, size_t size);

#endif
