/* A linearised mechanism with signals, coupled by the exchange that runs co-simulations. */
#ifndef ANALYSIS_LINEARISED_LINEARISED_EXCHANGE_H
#define ANALYSIS_LINEARISED_LINEARISED_EXCHANGE_H

#include "analysis/linearised/common_period.h"
#include "analysis/linearised/linearised_user.h"
#include "cosim/mechanism/wiring.h"

typedef struct analysis_linearised_exchange {
  analysis_linearised_user *users; /* (n_subsystems) of those that are user equations */
  size_t n_users;                  /* n_subsystems */
  size_t *n_states;                /* (n_subsystems) of mechanical parts */
  cosim_part **mechanical;         /* (n_subsystems) borrowed; NULL: a user part */
  cosim_wiring *wiring;
  cosim_exchange *exchange; /* the wiring's */
  cosim_master *master;     /* of its master part; NULL: there is none */
  int master_member;        /* -1 */
  analysis_samples samples; /* of all; borrowed periods */
  size_t n;                 /* of the state that is pushed */
  size_t n_image;           /* of the exchange's */
  double *rest, *image;     /* (n_image) after macro steps from rest; scratch */
  double *unit;             /* (n) scratch */
  double *full;             /* (n x n) Phi of the last macro step with all numbers; NULL: not kept */
  int *reaching;            /* (n_reaching) columns of it that are not zero */
  int n_reaching;
  double *outputs; /* of all members, one behind the other */
} analysis_linearised_exchange;

/* Takes the linear parts of `parts` (n_subsystems; NULL of user equations, which are linearised here about `state` of
 * `whole`); `inside` is what is sampled within these parts, with its periods borrowed. Free with
 * analysis_linearised_exchange_free() whatever the result. SEAM_BAD_INPUT, SEAM_NO_MEMORY. */
seam_status analysis_linearised_exchange_create(cosim_partition *partition, const cosim_definition *definition,
                                                const cosim_master_options *master, cosim_part **parts,
                                                const mbs_model *whole, const mbs_state *state,
                                                const analysis_samples *inside, analysis_linearised_exchange *made,
                                                seam_error *error);
void analysis_linearised_exchange_free(analysis_linearised_exchange *self);

/* Phi (n x n, column by column) over `*rounds` macro steps of that length: 1, or those of a period. Numbers that
 * nothing later depends on, or that nothing reaches, are left out: *order of them are kept, in the first (order x
 * order). */
seam_status analysis_linearised_exchange_step(analysis_linearised_exchange *self, double H, double *Phi, int *order,
                                              int *rounds, seam_error *error);

/* What a motion is that the exchange shall follow, at time t. */
typedef struct analysis_exchange_motion {
  void *context;
  /* Puts a part there, with `state` as scratch; outputs of one under these inputs (n_inputs). */
  void (*state)(void *context, size_t subsystem, double t, double *state);
  void (*outputs)(void *context, size_t subsystem, const cosim_signal *inputs, double *outputs);
  /* The master at t = 0, with its past. */
  void (*begin_master)(void *context, cosim_master *master);
} analysis_exchange_motion;

/* Whether states of all parts can be given: nothing is sampled or corrected, and Phi can be kept. Right after the
 * creation. */
bool analysis_linearised_exchange_keep(analysis_linearised_exchange *self);
/* x (n) on the motion at t = 0, with its past at -H, -2 H, ...; and the macro step after x, into y (n), with the Phi
 * that analysis_linearised_exchange_step() found last. */
void analysis_linearised_exchange_begin(analysis_linearised_exchange *self, const analysis_exchange_motion *motion,
                                        double H, double *x);
void analysis_linearised_exchange_follow(const analysis_linearised_exchange *self, const double *x, double *y);
/* Where a mechanical part's state begins in x. */
size_t analysis_linearised_exchange_place(const analysis_linearised_exchange *self, size_t subsystem);

#endif
