/* The undivided (monolithic) mechanism, integrated at the times of a run: the reference for the run. */
#ifndef ANALYSIS_UNDIVIDED_H
#define ANALYSIS_UNDIVIDED_H

#include <seam/analysis.h>

#include "analysis/deviation.h"
#include "analysis/results/over_run.h"

/* Definition of an undivided run, and the run to compare. All pointers must outlive the result. */
typedef struct undivided_def {
  const judged_list *list; /* quantities of the run */
  const track *rows;       /* rows of the run; only their times are used */
  const mbs_model *model;
  const mbs_state *start;                /* start of `model`, evaluated */
  const mbs_integrator_options *options; /* options of the file, or of the monolithic run to check */
  bool is_monolithic;                    /* the run to check is a monolithic run by `options` */
  size_t evaluations;                    /* of the equations of motion by the monolithic run */
  deviation_rule rule;                   /* for comparisons, also of two undivided runs */
  double limit;                 /* share of travel: undivided runs that differ by more do not confirm each other */
  bool has_energies;            /* rows need energies */
  size_t max_work;              /* largest number of evaluations times coordinates in one run; 0: no limit */
  const mbs_quantity *measured; /* (n_measured) quantities of `list`'s model to have statistics over the run */
  size_t n_measured;
  double distance;                 /* s, largest distance between samples for statistics */
  const seam_interrupt *interrupt; /* NULL: none */
} undivided_def;

typedef struct undivided {
  judged_list *list; /* quantities of the undivided model */
  track *rows;       /* values of the quantities, then energies */
  track_jumps jumps;
  seam_over_run *over_run; /* statistics of `measured`; NULL: none are wanted, or a quantity is missing in the model */
  bool is_second;          /* a second run: forces and statistics are not read */
  bool is_loose;           /* tolerances suffice only to confirm a given error */
  bool is_confirmed;
  double agreement; /* share of travel by which a second run differs, up to `until`; NaN: no second run */
  double until;     /* s, end of validity: the end of the run, or earlier for the reason in `why` */
  mbs_integrator_options integrator; /* options of the run */
  mbs_statistics statistics;
  char why[320]; /* reason why `until` is before the end; else "" */
} undivided;

/* Integrates by the options' method or, to check a monolithic run, by another one, at 100 times tighter tolerances.
 * If this fails, tries other families. SEAM_WRONG: none reaches half of the run within the allowed work, explained in
 * *error; SEAM_INTERRUPTED, SEAM_NO_MEMORY. Call undivided_free() whatever the status. */
seam_status undivided_make(const undivided_def *def, undivided *made, seam_error *error);

/* Confirms the run by a second run of another method or order, with other tolerances and another largest step. If the
 * two differ by more than the limit, both are repeated with tighter tolerances. If they still differ, made->until
 * becomes the time before which they agree. If this time is later than with the first tolerances, the motion is
 * sensitive (chaos). `error_share`: error of the judged run against this reference, as a share of travel. A second run
 * just accurate enough for this error is tried first; 0: the second run must be as accurate as possible. Returns
 * SEAM_OK also if the run is not confirmed; SEAM_INTERRUPTED, SEAM_NO_MEMORY. */
seam_status undivided_confirm(const undivided_def *def, double error_share, undivided *made, seam_error *error);

/* Writes that differences of two runs grow tenfold in the time `tenfold`, s; NaN: writes nothing. */
void undivided_say_growth(double tenfold, char *text, size_t size);

void undivided_free(undivided *self);

#endif
