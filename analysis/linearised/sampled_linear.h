/* A linear part some of whose states are sampled at the ends of macro steps. */
#ifndef ANALYSIS_LINEARISED_SAMPLED_LINEAR_H
#define ANALYSIS_LINEARISED_SAMPLED_LINEAR_H

#include "cosim/parts/part.h"

/* A state that is held, and at k T becomes a combination of states and inputs there. */
typedef struct analysis_sampled_state {
  int state;     /* of the part */
  double period; /* s */
} analysis_sampled_state;

/* Takes a linear part, whatever the result, whose sampled states have no rates. `rows` (n x (n_state + n_inputs), row
 * by row, copied) are these combinations. Outputs of a step that ends at a sample are those before it, get_outputs()
 * gives those behind it. SEAM_NO_MEMORY. */
seam_status analysis_sampled_linear_create(cosim_part *linear, const analysis_sampled_state *samples, int n,
                                           const double *rows, cosim_part **part, seam_error *error);
/* Right behind a step of such a part, none of another: the states before its samples; the samples, under the inputs
 * that it has now. */
void analysis_sampled_linear_take_back(cosim_part *base);
void analysis_sampled_linear_sample(cosim_part *base);

#endif
