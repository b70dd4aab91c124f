/* A linear part some of whose states are sampled at the ends of steps. */
#ifndef ANALYSIS_LINEARISED_SAMPLED_LINEAR_H
#define ANALYSIS_LINEARISED_SAMPLED_LINEAR_H

#include "cosim/parts/part.h"

/* A state that is constant between samples. At times k T, T the period, it is set to a linear combination of states and
 * inputs. */
typedef struct analysis_sampled_state {
  int state;     /* index among the states of the linear part */
  double period; /* s */
} analysis_sampled_state;

/* Makes a part that adds samples to a linear part, and takes ownership of the linear part whatever the status. The
 * sampled states must have zero rates in the linear part. `rows` (n x (n_state + n_inputs), row by row, copied) has the
 * linear combinations. A step computes its outputs, then takes the samples at its end; get_outputs() gives the outputs
 * that follow from these samples. Fails with SEAM_NO_MEMORY. */
seam_status analysis_sampled_linear_create(cosim_part *linear, const analysis_sampled_state *samples, int n,
                                           const double *rows, cosim_part **part, seam_error *error);
/* Call these right after a step. The first undoes the samples at the end of the step; the second takes them again with
 * the present inputs. They do nothing for a part that analysis_sampled_linear_create() did not make. */
void analysis_sampled_linear_undo_samples(cosim_part *base);
void analysis_sampled_linear_sample(cosim_part *base);

#endif
