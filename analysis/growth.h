/* Growth of the undivided run, compared with that of a co-simulated one that became unstable. */
#ifndef ANALYSIS_GROWTH_H
#define ANALYSIS_GROWTH_H

#include <seam/verdict.h>

/* Call this after *error reports that a co-simulated run, from `start` to the time `end` (s), is unstable. `state` is
 * that of the undivided run at the same time. If it has grown as well, *error is replaced by an error that blames the
 * model. */
void analysis_blame_model(const seam_growth *growth, const mbs_model *model, const mbs_state *start,
                          const mbs_state *state, double end, seam_error *error);

#endif
