/* Inside of a co-simulation of a mechanism: it runs in simulation.c, under explicit exchange in simulation_exchange.c;
 * its image is made in simulation_image.c. */
#ifndef COSIM_SIMULATION_H
#define COSIM_SIMULATION_H

#include "cosim/energy_monitor.h"
#include "cosim/master.h"
#include "cosim/partition.h"
#include "cosim/wiring.h"
#include "mbs/workspace.h"

/* What a coupling sees and transmits at a macro point. */
typedef struct cosim_sight {
  cosim_motion motion[2];
  double wrench[2][cosim_most_forces]; /* that each side feels, both signed as on side 1 */
} cosim_sight;

struct cosim_simulation {
  const mbs_model *model;
  cosim_options options; /* texts are borrowed */
  cosim_partition partition;
  cosim_part **parts;      /* (n_subsystems) the master's or the exchange's */
  cosim_master *master;    /* NULL: there is none, all is exchanged */
  cosim_wiring *wiring;    /* NULL: no explicit exchange, the master is all; else it owns the master */
  mbs_workspace *ws;       /* of the whole */
  mbs_state *before, *now; /* at the last two macro points; `now` is scratch within a step */
  cosim_sight *sights;     /* (n_cuts) */
  cosim_account *accounts; /* (n_cuts) */
  double start_work[2];    /* dissipated and driven before the start */
  double projected;        /* J, that projection added in the present step */
  bool is_broken;          /* a step failed */
  cosim_statistics others; /* of the runs before, of which this is the continuation */
};

/* ---- By explicit exchange, in simulation_exchange.c ---- */

seam_status cosim_exchanged_create(cosim_simulation *self, const cosim_master_options *master, seam_error *error);
/* Points of the past that can be known, the start included. */
int cosim_exchanged_past(const cosim_simulation *self);
/* Keeps what the parts say at self->before, that many points before the start. */
void cosim_exchanged_record(cosim_simulation *self, int number);
/* Begins at self->now with records (n_past x n_cuts) of the whole there and before. */
seam_status cosim_exchanged_begin(cosim_simulation *self, const cosim_record *records, int n_past, seam_error *error);
/* A round: the parts only. */
seam_status cosim_exchanged_advance(cosim_simulation *self, double H, seam_error *error);
/* What the sides of an exchanged cut see and feel in the present state of the whole. */
void cosim_exchanged_look(cosim_simulation *self, size_t number);
/* Length of the next round, once for each: by the step control of the options; without one, or for the first, theirs.
 */
double cosim_exchanged_next_step(cosim_simulation *self);

/* Motion of the marker on a side of a cut, in an evaluated state of the whole. */
cosim_motion cosim_marker_motion(const cosim_simulation *self, const cosim_joint_cut *cut, int side,
                                 const mbs_state *state);

#endif
