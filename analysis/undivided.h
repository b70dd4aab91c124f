/* A mechanism as a whole, integrated at the times of a run: the truth that the run is compared with. */
#ifndef ANALYSIS_UNDIVIDED_H
#define ANALYSIS_UNDIVIDED_H

#include <seam/analysis.h>

#include "analysis/deviation.h"

/* Definition of an undivided run, and the run that is compared with it. All of it must outlive the result. */
typedef struct undivided_def {
  const judged_list *list; /* of the run */
  const track *rows;       /* of the run: their times */
  const mbs_model *model;
  const mbs_state *start;                /* of this model, evaluated */
  const mbs_integrator_options *options; /* that the file gives, or of a monolithic run that is checked */
  bool is_monolithic;                    /* the run that is checked was integrated by these options */
  deviation_rule rule;                   /* of the comparison; of two undivided runs too */
  double limit;                          /* share of travel at which two runs have parted */
  bool has_energies;                     /* are wanted */
  size_t max_work;                       /* evaluations times coordinates that one run may take; 0: any */
  const seam_interrupt *interrupt;       /* NULL: none */
} undivided_def;

typedef struct undivided {
  judged_list *list; /* of its model */
  track *rows;       /* with energies behind the quantities, if they are wanted */
  track_jumps jumps;
  bool is_second; /* forces are not read */
  bool is_loose;  /* looser than the options say: exact enough beside an error */
  bool is_confirmed;
  double agreement; /* share of travel by which a second run differs, up to `until`; NaN: there is none */
  double until;     /* s: up to there it is believed; the end of the run, unless `why` says more */
  mbs_integrator_options integrator; /* of the run */
  mbs_statistics statistics;
  char why[320]; /* its limit; else "" */
} undivided;

/* Integrates; a monolithic run that is checked by another family at 10 times tighter tolerances, else by that of the
 * options at 100 times tighter ones; where that fails, by another family. SEAM_WRONG: none of them reaches half of the
 * run within the work, which *error explains; SEAM_INTERRUPTED, SEAM_NO_MEMORY. Whatever the status, undivided_free().
 */
seam_status undivided_make(const undivided_def *def, undivided *made, seam_error *error);

/* Confirms it by a second run of another family, with other tolerances and another largest step. Where both part by
 * more than the limit, both are made again at tighter tolerances: runs that part later then are sensitive (chaos).
 * `error_share` of travel is the error that the reference found of a run: a second run that is exact enough beside it
 * is tried first; 0: the reference has to be as exact as it can be. SEAM_OK whether it is confirmed or not;
 * SEAM_INTERRUPTED, SEAM_NO_MEMORY. */
seam_status undivided_confirm(const undivided_def *def, double error_share, undivided *made, seam_error *error);

/* In words, that differences of two runs grow so; nothing for NaN. */
void undivided_say_growth(double tenfold, char *text, size_t size);

void undivided_free(undivided *self);

#endif
