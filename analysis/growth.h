/* Growth of the undivided (monolithic) run, compared with that of a co-simulated run that became unstable. */
#ifndef ANALYSIS_GROWTH_H
#define ANALYSIS_GROWTH_H

#include <seam/verdict.h>

/* Call this after *error reports that a co-simulated run, from `start` to the time `end` (s), is unstable. `state` is
 * that of the undivided run at the same time. If it exceeds a tenth of the limits of growth.c, the model itself grows,
 * and an error that says so replaces *error. */
void analysis_blame_model(const seam_growth *growth, const mbs_model *model, const mbs_state *start,
                          const mbs_state *state, double end, seam_error *error);

#endif
