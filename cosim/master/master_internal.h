/* Inside of the master. */
#ifndef COSIM_MASTER_MASTER_INTERNAL_H
#define COSIM_MASTER_MASTER_INTERNAL_H

#include "cosim/master/coupling.h"
#include "cosim/master/interface.h"
#include "cosim/master/master.h"
#include "cosim/parts/ensemble.h"

/* A new value that drives a part. */
typedef struct cosim_unknown_ref {
  const cosim_coupling *coupling;
  const cosim_slot *slot;
  int new_value;
  int unknown;  /* its number among all */
  bool is_rate; /* it drives by its rate */
} cosim_unknown_ref;

/* A side of a coupling that belongs to a part. */
typedef struct cosim_incidence {
  int coupling, side;
} cosim_incidence;

struct cosim_master {
  cosim_master_options options;
  cosim_parts *parts;
  cosim_cut *cuts;
  cosim_coupling *couplings; /* (n_couplings) one for each cut */
  int n_couplings;
  cosim_slot *slots; /* (n_slots) of all couplings, one after the other */
  int n_slots;
  int n_unknowns;
  cosim_unknown_ref **refs;     /* (parts) of its seeds */
  cosim_incidence **incidences; /* (parts) (n_incidences) */
  int *n_incidences;
  cosim_interface *interface;
  bool iterates; /* some coupling is implicit */
  bool collocates;
  bool projects;
  int n_levels; /* roots that are weighted; 1 without weights */
  double weight[3];
  double *residual, *correction; /* (n_unknowns) */
  double *work;                  /* (n_unknowns) */

  double t;
  int n_past;                          /* values known */
  double past_step[COSIM_MAX_HISTORY]; /* between them, newest first; 0: as long as the present one */
  double H;                            /* for which the rules were made; 0: none yet */
  bool continues;                      /* there was a step since the beginning */
  cosim_past past;                     /* past for which the rules were made */
  bool stale;                          /* the interface matrix must be evaluated again */
  cosim_master_statistics count;
};

/* Takes the outputs of the parts into the couplings. */
void cosim_master_collect_outputs(cosim_master *master);
/* The end of the last step becomes the beginning of the next one. */
void cosim_master_begin_next_step(cosim_master *master);
/* Rules, and the seeds of the parts, for a step of length H with this past. */
void cosim_master_set_rules(cosim_master *master, const cosim_past *past, double H);

/* Residuals of all conditions; the interface matrix, from the parts' derivatives. */
void cosim_fill_residual(cosim_master *master, double H, int level);
seam_status cosim_fill_interface(cosim_master *master, double H, int level, seam_error *error);
/* Puts its entries in order. */
void cosim_put_interface(cosim_master *master, double H, int level);

#endif
