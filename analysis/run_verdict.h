/* Parts of the verdict on a run (<seam/verdict.h>); comparisons use them too. */
#ifndef ANALYSIS_RUN_VERDICT_H
#define ANALYSIS_RUN_VERDICT_H

#include <seam/verdict.h>

#include "analysis/track.h"

/* Returns kinetic + potential + dissipated energy - work of drives, J. It is constant except for numerical errors. */
double analysis_energy_balance(const mbs_energy *energy);

/* Returns the exchanged energy, J, in the frame of the mean motion of the centre of mass (formula in run_verdict.c).
 * Each row of `rows` must have energies. */
double analysis_exchanged_energy(const seam_run_record *record, const mbs_model *model, const track *rows);

/* Returns the verdict's word for this deviation, by the given bounds. */
seam_word analysis_word_of(const seam_deviation *of, const seam_verdict_bounds *bounds);

/* Call this after *error reports that a co-simulated run is unstable. `state` is that of the undivided (monolithic) run
 * at the time of the instability. If one of its values exceeds a tenth of its limit in growth.c, replaces *error by the
 * message that the model itself is unstable. `end`: end of the run, s. */
void analysis_diagnose_model(const seam_growth *growth, const mbs_model *model, const mbs_state *start,
                             const mbs_state *state, double end, seam_error *error);

#endif
