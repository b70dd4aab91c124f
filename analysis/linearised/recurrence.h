/* The recurrence x(T + H) = Φ x(T) of a linearised mechanism, with parts coupled as in runs. */
#ifndef ANALYSIS_LINEARISED_RECURRENCE_H
#define ANALYSIS_LINEARISED_RECURRENCE_H

#include "analysis/linearised/common_period.h"
#include "analysis/linearised/linearised_user.h"
#include "cosim/mechanism/wiring.h"

typedef struct analysis_recurrence {
  analysis_linearised_user *users; /* (n_subsystems) linearised user equations */
  size_t n_users;                  /* n_subsystems */
  size_t *n_states;                /* (n_subsystems) numbers of states of mechanical parts */
  cosim_part **mechanical;         /* (n_subsystems) borrowed; NULL: user part */
  cosim_wiring *wiring;
  cosim_exchange *exchange; /* owned by the wiring */
  cosim_master *master;     /* master of the wiring's master part; NULL: none */
  analysis_samples samples; /* all samples; borrows the periods */
  size_t n;                 /* length of x: values from the exchange's saved state, then the master's */
  size_t *at;               /* (n_at) index in the exchange's saved state of each value of x */
  size_t n_at, n_image;
  double *at_rest, *image; /* (n_image) the exchange's saved state after macro steps at rest; scratch */
  double *unit;            /* (n) scratch */
  double *full;            /* (n x n) last Phi, before values of x were dropped; NULL: not kept */
  int *reaching;           /* (n_reaching) indices of nonzero columns of `full` */
  int n_reaching;
} analysis_recurrence;

/* Couples linear `parts` (n_subsystems; NULL: user equations, which are linearised here about `state` of `whole`) and
 * takes ownership of them. `inside`: samples within these parts; its periods are borrowed. Call
 * analysis_recurrence_free() whatever the result. SEAM_BAD_INPUT, SEAM_NO_MEMORY. */
seam_status analysis_recurrence_create(cosim_partition *partition, const cosim_definition *definition,
                                       const cosim_master_options *master, cosim_part **parts, const mbs_model *whole,
                                       const mbs_state *state, const analysis_samples *inside,
                                       analysis_recurrence *made, seam_error *error);
void analysis_recurrence_free(analysis_recurrence *self);

/* Computes Phi (n x n, column by column) over *rounds macro steps H: 1, or those of a common period. Values of x that
 * affect no value, or that no value affects, are dropped: Phi is then (*order x *order). */
seam_status analysis_recurrence_step(analysis_recurrence *self, double H, double *Phi, int *order, int *rounds,
                                     seam_error *error);

/* Keeps each complete Phi from now on, for analysis_recurrence_follow(). Sets *follows to false, and keeps nothing, if
 * there are samples or corrections. The same holds if the states of a user part are not known in the whole model. Call
 * right after creation. SEAM_NO_MEMORY. */
seam_status analysis_recurrence_keep(analysis_recurrence *self, bool *follows, seam_error *error);
/* Reads x (n) from exchange and master. analysis_recurrence_follow() maps x to y (n) over a macro step by the last
 * complete Phi. */
void analysis_recurrence_get(analysis_recurrence *self, double *x);
void analysis_recurrence_follow(const analysis_recurrence *self, const double *x, double *y);
/* Returns the index in x of the first state of a mechanical part. */
size_t analysis_recurrence_place(const analysis_recurrence *self, size_t subsystem);

#endif
