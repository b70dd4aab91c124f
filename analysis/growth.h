/* Growth of the undivided run beside a co-simulated one that became unstable. */
#ifndef ANALYSIS_GROWTH_H
#define ANALYSIS_GROWTH_H

#include <seam/verdict.h>

/* Blames the model in *error, which says that a co-simulated run from `start` to `end` (s) is unstable, if the state of
 * the undivided run at that time has grown as well. */
void analysis_blame_model(const seam_growth *growth, const mbs_model *model, const mbs_state *start,
                          const mbs_state *state, double end, seam_error *error);

#endif
