/* A subsystem of a mechanism as a linear state-space part, linearised about a state of the whole model. */
#ifndef ANALYSIS_LINEARISED_LINEARISED_PART_H
#define ANALYSIS_LINEARISED_LINEARISED_PART_H

#include "analysis/linearised/sampled_linear.h"
#include "cosim/parts/part.h"
#include "mbs/model/model.h"

typedef struct analysis_linearised_part {
  /* linear; inputs and outputs as in the multibody part; NULL after the master or the exchange takes ownership */
  cosim_part *part;
  int f;                           /* degrees of freedom */
  int n_w;                         /* number of own states w; the state of the linear part is z, z', w */
  int *w_of;                       /* (n_w) numbers of w in the whole model */
  analysis_sampled_state *samples; /* (n_samples) which of w are sampled */
  int n_samples;
  int n_bodies;
  const int *body_of; /* (n_bodies + 1) bodies' numbers in the whole model, from [1]; owned by the multibody part */
  int n_ports;
  double *X; /* (3 n_ports x f) row by row: motion δx = X z of each port's marker */
  double *N; /* (3 n_bodies x f), column by column: δq = N z */
} analysis_linearised_part;

/* Linearises `multibody`, from cosim_multibody_part_create(), after setting it to *whole, which has a and lambda.
 * `wrenches` (n_ports x 3): wrench on each port's marker in that state, (fx, fy, torque). Call
 * analysis_linearised_part_destroy() whatever the result. SEAM_NO_MEMORY, SEAM_SINGULAR. */
seam_status analysis_linearised_part_create(cosim_part *multibody, const mbs_state *whole, const double (*wrenches)[3],
                                            analysis_linearised_part *made, seam_error *error);
void analysis_linearised_part_destroy(analysis_linearised_part *self);

#endif
