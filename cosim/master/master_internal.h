/* Inside of the master. */
#ifndef COSIM_MASTER_MASTER_INTERNAL_H
#define COSIM_MASTER_MASTER_INTERNAL_H

#include "cosim/master/coupling.h"
#include "cosim/master/interface.h"
#include "cosim/master/master.h"
#include "cosim/parts/ensemble.h"

/* A new value that drives a part: the change of an input, and where it stands. */
typedef struct cosim_unknown_ref {
  int coupling, variable, slot, new_value;
} cosim_unknown_ref;

/* A side of a coupling at which a part is touched. */
typedef struct cosim_incidence {
  int coupling, side;
} cosim_incidence;

struct cosim_master {
  cosim_master_options options;
  cosim_parts *parts;
  cosim_cut *cuts;
  cosim_coupling *couplings; /* (n_couplings) one for each cut */
  int n_couplings;
  cosim_slot *slots;
  int n_slots;
  int n_unknowns;
  cosim_unknown_ref **refs;     /* of each part: those of its seeds */
  cosim_incidence **incidences; /* of each part, ... */
  int *n_incidences;
  cosim_interface *interface;
  bool iterates; /* some coupling is implicit */
  bool projects;
  int n_levels; /* roots that are weighted; 1 without weights */
  double weight[3];
  double *residual, *correction; /* (n_unknowns) */
  double *work;                  /* (n_unknowns) */

  double t;
  int n_past;                          /* values known */
  double past_step[COSIM_MAX_HISTORY]; /* between them, newest first; 0: as long as the present one */
  double H;                            /* that the rules are made for; 0: none yet */
  cosim_past past;                     /* ... and the past */
  bool stale;                          /* the interface matrix must be found anew */
  cosim_master_statistics count;
};

/* Takes what the parts' outputs say into the couplings' points. */
void cosim_master_collect_outputs(cosim_master *master);
/* The points become the beginning of the next step. */
void cosim_master_begin_next_step(cosim_master *master);
/* Rules, and the seeds of the parts, for a step with this past. */
void cosim_master_set_rules(cosim_master *master, const cosim_past *past);

/* Residuals of all conditions; the interface matrix, from the parts' answers. */
void cosim_fill_residual(cosim_master *master, double H, int level);
seam_status cosim_fill_interface(cosim_master *master, double H, int level, seam_error *error);
/* Its entries, put in order. */
void cosim_put_interface(cosim_master *master, double H, int level);

#endif
