/* Inside of a co-simulation of a mechanism: it runs in simulation.c, its image is made in simulation_image.c. */
#ifndef COSIM_SIMULATION_H
#define COSIM_SIMULATION_H

#include "cosim/energy_monitor.h"
#include "cosim/master.h"
#include "cosim/partition.h"
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
  cosim_part **parts; /* (n_subsystems) the master's */
  cosim_master *master;
  mbs_workspace *ws;       /* of the whole */
  mbs_state *before, *now; /* at the last two macro points; `now` is scratch within a step */
  cosim_sight *sights;     /* (n_cuts) */
  cosim_account *accounts; /* (n_cuts) */
  double start_work[2];    /* dissipated and driven before the start */
  double projected;        /* J, that projection added in the present step */
  bool is_broken;          /* a step failed */
  cosim_statistics others; /* of the runs before, of which this is the continuation */
};

#endif
