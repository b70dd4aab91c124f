/* A linearised mechanism with signals, coupled by the exchange that runs co-simulations. */
#ifndef ANALYSIS_LINEARISED_LINEARISED_EXCHANGE_H
#define ANALYSIS_LINEARISED_LINEARISED_EXCHANGE_H

#include "analysis/linearised/common_period.h"
#include "analysis/linearised/linearised_user.h"
#include "cosim/mechanism/wiring.h"

typedef struct analysis_linearised_exchange {
  analysis_linearised_user *users; /* (n_subsystems) of those that are user equations */
  size_t n_users;                  /* n_subsystems */
  cosim_wiring *wiring;
  cosim_exchange *exchange; /* the wiring's */
  cosim_master *master;     /* of its master part; NULL: there is none */
  int master_member;        /* -1 */
  analysis_samples samples; /* of all; borrowed periods */
  size_t n;                 /* of the state that is pushed */
  size_t n_image;           /* of the exchange's */
  double *rest, *image;     /* (n_image) after macro steps from rest; scratch */
  double *unit;             /* (n) scratch */
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

#endif
