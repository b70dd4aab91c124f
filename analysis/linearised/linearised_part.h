/* A subsystem of a mechanism as a linear state-space part, about a state of the whole. */
#ifndef ANALYSIS_LINEARISED_LINEARISED_PART_H
#define ANALYSIS_LINEARISED_LINEARISED_PART_H

#include "analysis/linearised/sampled_linear.h"
#include "cosim/parts/part.h"
#include "mbs/model/model.h"

typedef struct analysis_linearised_part {
  cosim_part *part; /* linear; inputs and outputs are numbered as those of the multibody part; its ownership passes to
                       the master or the exchange, which leaves NULL here */
  int f;            /* degrees of freedom */
  int n_w;          /* own states; its state is z, z', w */
  int *w_of;        /* (n_w) their numbers in the whole */
  analysis_sampled_state *samples; /* (n_samples) those among them that are sampled */
  int n_samples;
  int n_bodies;
  const int *body_of; /* (n_bodies + 1) bodies of the whole, numbered from 1; the multibody part's */
  int n_ports;
  double *X; /* (3 n_ports x f) row by row: motion δx = X z of the marker of each port */
  double *N; /* (3 n_bodies of the part x f), column by column: δq = N z */
} analysis_linearised_part;

/* `multibody` comes from cosim_multibody_part_create(); it is brought to the state *whole, of which a and lambda are
 * used. `wrenches` (n_ports x 3): wrench on each port's marker in that state, (fx, fy, torque). Whatever the result,
 * free with analysis_linearised_part_destroy(). SEAM_NO_MEMORY, SEAM_SINGULAR. */
seam_status analysis_linearised_part_create(cosim_part *multibody, const mbs_state *whole, const double (*wrenches)[3],
                                            analysis_linearised_part *made, seam_error *error);
void analysis_linearised_part_destroy(analysis_linearised_part *self);

#endif
