/* Integrates the undivided (monolithic) mechanism and reads it at the times of a run, as a reference for that run. */
#ifndef ANALYSIS_UNDIVIDED_H
#define ANALYSIS_UNDIVIDED_H

#include <seam/analysis.h>

#include "analysis/deviation.h"
#include "analysis/results/over_run.h"

/* Definition of an undivided run, with the run to compare. All pointers must outlive the result. */
typedef struct undivided_def {
  const compared_list *list; /* quantities of the run */
  const track *rows;         /* rows of the run; only their times are used */
  const mbs_model *model;
  const mbs_state *start;                /* initial state of `model`, with accelerations and reactions */
  const mbs_integrator_options *options; /* options of the file, or of the monolithic run to check */
  bool is_monolithic;                    /* the run to check is a monolithic run by `options` */
  size_t evaluations;                    /* number of evaluations of the equations of motion in the monolithic run */
  deviation_rule rule; /* rule for comparing the run with its reference, and two reference runs with each other */
  double limit;        /* two undivided runs that differ by more, as a share of travel, do not confirm each other */
  bool has_energies;   /* each row needs energies */
  size_t max_work;     /* limit on (evaluations x coordinates) of one run; 0: no limit */
  const mbs_quantity *measured; /* (n_measured) quantities of `list`'s model that need statistics over the run */
  size_t n_measured;
  double distance;    /* s, largest distance between samples for statistics */
  bool ends_by_event; /* an event ended the run: if quantities jump there, its last row is after the jump */
  const seam_interrupt *interrupt; /* NULL: none */
} undivided_def;

typedef struct undivided {
  compared_list *list; /* quantities of the undivided model */
  track *rows;         /* values of the quantities, then energies */
  track_jumps jumps;
  seam_over_run *over_run; /* statistics of `measured`; NULL: not wanted, or a quantity is missing in the model */
  bool is_second;          /* this is a second run, which reads no forces or statistics */
  bool is_loosened;        /* the tolerances suffice only to confirm a certain error */
  bool is_confirmed;
  double agreement; /* largest difference from a second run before `until`, as a share of travel; NaN: not compared */
  double until;     /* s, end of validity: the end of the run, or earlier for the reason in `why` */
  mbs_integrator_options integrator; /* options used for this run */
  mbs_statistics statistics;
  char why[320]; /* reason if `until` is before the end of the run; else "" */
} undivided;

/* Integrates with 100 times tighter tolerances, by the options' family of integrators, or by another to check a
 * monolithic run. If it fails, tries other families. Fails with SEAM_WRONG if none reaches half of the run within
 * max_work; also with SEAM_INTERRUPTED or SEAM_NO_MEMORY. Call undivided_free() whatever the status. */
seam_status undivided_make(const undivided_def *def, undivided *made, seam_error *error);

/* Confirms the run by a second run with another integrator, other tolerances and another largest step. If the two
 * differ by more than def->limit, repeats both with tighter tolerances. If they differ again, sets made->until to the
 * last time before they differ, and made->why to the reason. If tighter tolerances delay this time by more than 2 % of
 * the run, the motion is sensitive (chaos).
 *
 * error_share is the error of the compared run against this reference, as a share of travel. A second run just accurate
 * enough for it is tried first; error_share 0: only the most accurate one. Returns SEAM_OK even if the run is not
 * confirmed. Fails with SEAM_INTERRUPTED or SEAM_NO_MEMORY. */
seam_status undivided_confirm(const undivided_def *def, double error_share, undivided *made, seam_error *error);

/* Writes to `text` that differences of two runs grow tenfold within `tenfold_time` seconds. NaN: writes nothing. */
void undivided_describe_growth(double tenfold_time, char *text, size_t size);

void undivided_free(undivided *self);

#endif
