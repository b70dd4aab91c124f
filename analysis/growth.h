/* Growth of the undivided run, compared with that of a co-simulated one that became unstable. */
#ifndef ANALYSIS_GROWTH_H
#define ANALYSIS_GROWTH_H

#include <seam/verdict.h>

/* *error says that a co-simulated run is unstable. Replaces it by an error that blames the model if `state`, of the
 * undivided run at the same time, has grown as well. The run is from `start` to the time `end` (s). */
void analysis_blame_model(const seam_growth *growth, const mbs_model *model, const mbs_state *start,
                          const mbs_state *state, double end, seam_error *error);

#endif
