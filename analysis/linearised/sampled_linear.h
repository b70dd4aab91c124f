/* A linear part with some states sampled at the ends of macro steps. */
#ifndef ANALYSIS_LINEARISED_SAMPLED_LINEAR_H
#define ANALYSIS_LINEARISED_SAMPLED_LINEAR_H

#include "cosim/parts/part.h"

/* A state that is constant between samples, and set at k T to a combination of states and inputs. */
typedef struct analysis_sampled_state {
  int state;     /* index among the part's states */
  double period; /* s */
} analysis_sampled_state;

/* Makes a part that adds samples to a linear part. Takes ownership of the linear part, whatever the result; its sampled
 * states must have no rates. `rows` (n x (n_state + n_inputs), row by row, copied): the combinations. A step that ends
 * at a sample returns outputs before the sample; get_outputs() gives those after it. SEAM_NO_MEMORY. */
seam_status analysis_sampled_linear_create(cosim_part *linear, const analysis_sampled_state *samples, int n,
                                           const double *rows, cosim_part **part, seam_error *error);
/* Call both right after a step; they leave parts of other kinds alone. The first restores the states before the
 * samples, the second takes the samples with the present inputs. */
void analysis_sampled_linear_undo_samples(cosim_part *base);
void analysis_sampled_linear_sample(cosim_part *base);

#endif
