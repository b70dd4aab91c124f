/* A multibody subsystem as a linear state-space part, linearised about a state of the undivided model. */
#ifndef ANALYSIS_LINEARISED_LINEARISED_PART_H
#define ANALYSIS_LINEARISED_LINEARISED_PART_H

#include "cosim/parts/part.h"
#include "mbs/model/model.h"

/* A state that is constant between samples. Each sample sets it to a linear combination of states and inputs. */
typedef struct analysis_sampled_state {
  int state;     /* index among the states of the linear part */
  double period; /* s */
} analysis_sampled_state;

typedef struct analysis_linearised_part {
  /* Linear part with the inputs and outputs of the multibody part. NULL: the master or the exchange owns it now. */
  cosim_part *part;
  int f;                  /* degrees of freedom */
  int n_w;                /* number of states w of elements and variables; the linear part's state is z, z', w */
  int *w_of;              /* (n_w) indices of w among the states of the undivided model */
  int first, first_state; /* index of the first z among the z of all subsystems; the same for states z, z', w */
  analysis_sampled_state *samples; /* (n_samples) the sampled ones among w */
  int n_samples;
  int n_bodies;
  const int *body_of; /* (n_bodies + 1) bodies in the undivided model; [0] is the ground; owned by the multibody part */
  int n_ports;
  double *X; /* (3 n_ports x f) row by row: δx = X z is the motion of the ports' markers */
  double *N; /* (3 n_bodies x f), column by column: δq = N z */
} analysis_linearised_part;

/* Sets `multibody`, from cosim_multibody_part_create(), to *undivided_state, a state with accelerations and
 * multipliers, and linearises it there. wrenches[n_ports][3]: (fx, fy, torque) on each port's marker in that state.
 * Call analysis_linearised_part_destroy() whatever the status. Fails with SEAM_NO_MEMORY or SEAM_SINGULAR. */
seam_status analysis_linearised_part_create(cosim_part *multibody, const mbs_state *undivided_state,
                                            const double (*wrenches)[3], analysis_linearised_part *made,
                                            seam_error *error);
void analysis_linearised_part_destroy(analysis_linearised_part *self);

/* Call these right after a step of a part. The first undoes the samples at the end of the step; the second takes them
 * again with the present inputs. They do nothing for a part without samples. */
void analysis_undo_samples(cosim_part *base);
void analysis_repeat_samples(cosim_part *base);

#endif
