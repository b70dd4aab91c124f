/* Figures for the verdict on a run and for comparisons (<seam/verdict.h>). */
#ifndef ANALYSIS_RUN_VERDICT_H
#define ANALYSIS_RUN_VERDICT_H

#include <seam/verdict.h>

#include "analysis/track.h"

/* Returns the balance total + dissipated - driven, J: constant except for errors. */
double analysis_energy_balance(const mbs_energy *energy);

/* Returns the moved energy (run_verdict.c), J, in the frame of the mean motion of the centre of mass; `rows` must have
 * energies. */
double analysis_moved_energy(const seam_run_record *record, const mbs_model *model, const track *rows);

/* Returns the verdict's word for this error. */
seam_word analysis_word_of(const seam_deviation *of, const seam_verdict_bounds *bounds);

#endif
