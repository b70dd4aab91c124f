/* The recurrence x(T + H) = Φ x(T) of a linearised mechanism whose subsystems are coupled as in co-simulations. Φ maps
 * the state over one macro step H; the code names it Phi. */
#ifndef ANALYSIS_LINEARISED_RECURRENCE_H
#define ANALYSIS_LINEARISED_RECURRENCE_H

#include "cosim/mechanism/engine.h"

/* ---- Periods of samples ---- */

typedef struct analysis_common_period {
  double period;  /* s, smallest common multiple of the periods; 0: no samples */
  double divisor; /* s, largest common divisor of the periods */
} analysis_common_period;

/* Periods of all samples, including those taken inside subsystems. */
typedef struct analysis_samples {
  analysis_common_period common;
  const double *inside; /* (n_inside) s, periods of samples inside subsystems; outputs are updated after such samples */
  int n_inside;
} analysis_samples;

/* Includes another period, s. `name`: the sampled subsystem, for messages. Fails with SEAM_BAD_INPUT if the common
 * period exceeds 1000 common divisors. */
seam_status analysis_common_period_add(analysis_common_period *self, double period, const char *name,
                                       seam_error *error);

/* Fails with SEAM_BAD_INPUT unless the macro step H, s, divides all periods; the message proposes the nearest that
 * does. */
seam_status analysis_common_period_check(const analysis_common_period *self, double H, seam_error *error);

/* Returns the macro step, s, nearest to H that divides all periods; H if there are no samples. */
double analysis_common_period_fit(const analysis_common_period *self, double H);

/* Returns the number of macro steps of length H in the common period; 1 if there are no samples. */
int analysis_common_period_steps(const analysis_common_period *self, double H);

/* ---- The recurrence ---- */

/* A subsystem of user equations, linearised about a state of the undivided model. */
typedef struct analysis_linearised_user {
  cosim_part *part; /* states and signals are deviations, zero at first; NULL after the exchange takes ownership */
  double period;    /* s, sampling period; 0: continuous equations */
  int n_states;
  int *w_of; /* (n_states) indices of the states in the undivided model; NULL: unknown, or some states are integrals */
} analysis_linearised_user;

typedef struct analysis_recurrence {
  analysis_linearised_user *users; /* (n_subsystems) linearised user equations; unused for multibody subsystems */
  size_t n_users;                  /* number of subsystems */
  cosim_part **mechanical;         /* (n_subsystems) linear multibody subsystems, borrowed; NULL for user equations */
  cosim_engine *engine;
  cosim_exchange *exchange; /* owned by the engine */
  cosim_master *master;     /* master that couples subsystems at cuts; NULL: there is none */
  analysis_samples samples; /* periods of all samples; the array `inside` is borrowed */
  size_t n;                 /* length of x: n_indices values from the exchange's saved state, then the master's state */
  size_t *index;            /* (n_indices) index of each of these values in the exchange's saved state */
  size_t n_indices, n_image;
  double *at_rest, *image; /* (n_image) exchange's saved state after macro steps at rest; scratch */
  double *unit;            /* (n) scratch */
  double *full; /* (n x n) last Phi with all values of x, for analysis_recurrence_apply(); NULL: not stored */
  int *nonzero; /* (n_nonzero) indices of nonzero columns of `full` */
  int n_nonzero;
} analysis_recurrence;

/* Couples the linear `parts` (n_subsystems) and takes ownership of them. parts[i] NULL: subsystem i is user equations,
 * which are linearised here about `state` of the undivided model. `inside`: periods of samples inside subsystems, in a
 * borrowed array. Call analysis_recurrence_free() whatever the status. Fails with SEAM_BAD_INPUT or SEAM_NO_MEMORY. */
seam_status analysis_recurrence_create(cosim_partition *partition, const cosim_definition *definition,
                                       const cosim_master_options *master, cosim_part **parts,
                                       const mbs_model *undivided_model, const mbs_state *state,
                                       const analysis_samples *inside, analysis_recurrence *made, seam_error *error);
void analysis_recurrence_free(analysis_recurrence *self);

/* Computes Phi over *n_steps macro steps H (s). *n_steps becomes 1 or, with samples, the number of macro steps in their
 * common period. Leaves out values of x that affect no value, or that no value affects; a value may affect itself. The
 * result is (*order x *order), column by column; Phi needs room for (n x n). */
seam_status analysis_recurrence_step(analysis_recurrence *self, double H, double *Phi, int *order, int *n_steps,
                                     seam_error *error);

/* Makes each later analysis_recurrence_step() store Phi for analysis_recurrence_apply(). Does nothing if there are
 * samples or corrections, or if the undivided model lacks states of user equations. Call it right after creation. Fails
 * with SEAM_NO_MEMORY. */
seam_status analysis_recurrence_store_phi(analysis_recurrence *self, seam_error *error);
/* analysis_recurrence_get() reads x (n) from the exchange and the master. analysis_recurrence_apply() maps x to y (n)
 * over a macro step, by the Phi that was stored last. */
void analysis_recurrence_get(analysis_recurrence *self, double *x);
void analysis_recurrence_apply(const analysis_recurrence *self, const double *x, double *y);
/* Returns the index in x of the first state of a multibody subsystem. */
size_t analysis_recurrence_index(const analysis_recurrence *self, size_t subsystem);

#endif
