/* A subsystem as a linear part: a multibody subsystem or user equations, linearised about a state of the undivided
 * model. */
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
  cosim_part *part;       /* linear part with the inputs and outputs of the subsystem's part; owned by the caller */
  int f;                  /* degrees of freedom; 0 for user equations */
  int n_w;                /* number of states w of elements and variables; the linear part's state is z, z', w */
  int *w_of;              /* (n_w) indices of w among the states of the undivided model; NULL: unknown */
  double period;          /* s, sampling period of user equations; 0: continuous equations, or a multibody subsystem */
  int first, first_state; /* index of the first z among the z of all subsystems; the same for states z, z', w */
  /* the members below belong to multibody subsystems: */
  analysis_sampled_state *samples; /* (n_samples) the sampled ones among w */
  int n_samples;
  int n_bodies;
  const int *body_of; /* (n_bodies + 1) bodies in the undivided model; [0] is the ground; owned by the multibody part */
  int n_ports;
  double *X; /* (3 n_ports x f) row by row: δx = X z is the motion of the ports' markers */
  double *N; /* (3 n_bodies x f), column by column: δq = N z */
} analysis_linearised_part;

/* The next two functions fill *made, which is zero on entry. Call analysis_linearised_part_free() whatever the
 * status. */

/* Sets `multibody`, from cosim_multibody_part_create(), to *undivided_state, a state with accelerations and
 * multipliers, and linearises it there. wrenches[n_ports][3]: (fx, fy, torque) on each port's marker in that state.
 * Fails with SEAM_NO_MEMORY or SEAM_SINGULAR. */
seam_status analysis_linearise_multibody(cosim_part *multibody, const mbs_state *undivided_state,
                                         const double (*wrenches)[3], analysis_linearised_part *made,
                                         seam_error *error);
/* Linearises a subsystem of user equations about `state` of the undivided model (NULL: there is none). `part`: the
 * subsystem's part. States and signals of the linear part are deviations, zero at first. Fails with SEAM_BAD_INPUT if
 * the equations have no derivatives, or if the model lacks a state or input; also with SEAM_NO_MEMORY. */
seam_status analysis_linearise_equations(const cosim_subsystem_def *def, const cosim_part *part,
                                         const mbs_model *undivided_model, const mbs_state *state,
                                         analysis_linearised_part *made, seam_error *error);
void analysis_linearised_part_free(analysis_linearised_part *self);

/* Call these right after a step of a part. The first undoes the samples at the end of the step; the second takes them
 * again with the present inputs. They do nothing for a part without samples. */
void analysis_undo_samples(cosim_part *base);
void analysis_repeat_samples(cosim_part *base);

#endif
