/* The recurrence x(T + H) = Φ x(T) of a linearised mechanism, whose parts are coupled as those of runs are. */
#ifndef ANALYSIS_LINEARISED_RECURRENCE_H
#define ANALYSIS_LINEARISED_RECURRENCE_H

#include "analysis/linearised/common_period.h"
#include "analysis/linearised/linearised_user.h"
#include "cosim/mechanism/wiring.h"

typedef struct analysis_recurrence {
  analysis_linearised_user *users; /* (n_subsystems) of those that are user equations */
  size_t n_users;                  /* n_subsystems */
  size_t *n_states;                /* (n_subsystems) of mechanical parts */
  cosim_part **mechanical;         /* (n_subsystems) borrowed; NULL: a user part */
  cosim_wiring *wiring;
  cosim_exchange *exchange; /* the wiring's */
  cosim_master *master;     /* of its master part; NULL: there is none */
  analysis_samples samples; /* of all; borrowed periods */
  size_t n;                 /* of x: numbers of the exchange's image, then the recurrence of the master */
  size_t *at;               /* (n_at) places of those numbers in the image */
  size_t n_at, n_image;
  double *rest, *image; /* (n_image) after macro steps from rest; scratch */
  double *unit;         /* (n) scratch */
  double *full;         /* (n x n) Phi of the last macro step with all numbers; NULL: not kept */
  int *reaching;        /* (n_reaching) columns of it that are not zero */
  int n_reaching;
} analysis_recurrence;

/* Takes the linear parts of `parts` (n_subsystems; NULL of user equations, which are linearised here about `state` of
 * `whole`); `inside` has the samples within these parts; its periods are borrowed. Free with analysis_recurrence_free()
 * whatever the result. SEAM_BAD_INPUT, SEAM_NO_MEMORY. */
seam_status analysis_recurrence_create(cosim_partition *partition, const cosim_definition *definition,
                                       const cosim_master_options *master, cosim_part **parts, const mbs_model *whole,
                                       const mbs_state *state, const analysis_samples *inside,
                                       analysis_recurrence *made, seam_error *error);
void analysis_recurrence_free(analysis_recurrence *self);

/* Phi (n x n, column by column) over `*rounds` macro steps of that length: 1, or those of a period. Numbers that
 * nothing later depends on, or that nothing reaches, are left out: *order of them are kept, in the first (order x
 * order). */
seam_status analysis_recurrence_step(analysis_recurrence *self, double H, double *Phi, int *order, int *rounds,
                                     seam_error *error);

/* Keeps Phi from now on; false: not all parts can be given states, for something is sampled or corrected, or there is
 * no memory. Call it right after the creation. */
bool analysis_recurrence_keep(analysis_recurrence *self);
/* x (n) where the exchange and the master are; and the macro step after x, into y (n), with the Phi that
 * analysis_recurrence_step() found last. */
void analysis_recurrence_get(analysis_recurrence *self, double *x);
void analysis_recurrence_follow(const analysis_recurrence *self, const double *x, double *y);
/* The place in x at which a mechanical part's state begins. */
size_t analysis_recurrence_place(const analysis_recurrence *self, size_t subsystem);

#endif
