/* Finds out if the model itself is unstable, after a co-simulated run of it became unstable. */
#ifndef ANALYSIS_GROWTH_H
#define ANALYSIS_GROWTH_H

#include <seam/verdict.h>

/* Call this after *error reports that a co-simulated run is unstable. `state` is that of the undivided (monolithic) run
 * at the time of the instability. If one of its values exceeds a tenth of its limit in growth.c, replaces *error by the
 * message that the model itself is unstable. `end`: end of the run, s. */
void analysis_diagnose_model(const seam_growth *growth, const mbs_model *model, const mbs_state *start,
                             const mbs_state *state, double end, seam_error *error);

#endif
