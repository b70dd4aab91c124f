/* Inside of a co-simulation of a mechanism: it runs in simulation.c, under explicit exchange in simulation_exchange.c,
 * chooses its steps in simulation_control.c; its image is made in simulation_image.c. */
#ifndef COSIM_MECHANISM_SIMULATION_H
#define COSIM_MECHANISM_SIMULATION_H

#include "cosim/exchange/step_control.h"
#include "cosim/master/master.h"
#include "cosim/mechanism/energy_ledger.h"
#include "cosim/mechanism/partition.h"
#include "cosim/mechanism/wiring.h"
#include "mbs/workspace.h"

/* What a coupling sees and transmits at a macro point. */
typedef struct cosim_sight {
  cosim_motion motion[2];
  double wrench[2][COSIM_MAX_FORCES]; /* that each side feels, both signed as on side 1 */
} cosim_sight;

/* State of the control of macro steps. */
typedef struct cosim_control {
  cosim_step_control rule; /* the options', with the order of the schemes */
  double next;             /* s, length of the next macro step */
  double speed;            /* the largest so far, in the norm of the masses */
} cosim_control;

struct cosim_simulation {
  const mbs_model *model;
  cosim_definition options; /* what it points at is borrowed */
  cosim_partition partition;
  cosim_part **parts;           /* (n_subsystems) the master's or the exchange's */
  cosim_master *master;         /* NULL: there is none, all is exchanged */
  cosim_wiring *wiring;         /* NULL: no explicit exchange, the master is all; else it owns the master */
  mbs_workspace *ws;            /* of the whole */
  mbs_state *before, *now;      /* at the last two macro points; `now` is scratch within a step */
  cosim_sight *sights;          /* (n_cuts) */
  cosim_energy_ledger *ledgers; /* (n_cuts) */
  double start_work[2];         /* dissipated and driven before the start */
  double projected;             /* J, that projection added in the present step, for each coupling that projects */
  bool is_broken;               /* a step failed */
  bool has_advanced;            /* since the start */
  cosim_control control;
  mbs_state *predicted;    /* bodies at the end of the predictor's pass; NULL: not wanted */
  double *undo;            /* image of the master at the beginning of the present step */
  cosim_statistics others; /* of the runs before, of which this is the continuation */
};

/* Pieces of a macro step: whether one can be taken; the master takes it; the whole follows, or goes back to where it
 * stood; the co-simulation is broken. */
seam_status cosim_simulation_check(const cosim_simulation *self, seam_error *error);
seam_status cosim_simulation_try(cosim_simulation *self, double H, seam_error *cause);
void cosim_simulation_accept(cosim_simulation *self, double H);
void cosim_simulation_forget(cosim_simulation *self);
seam_status cosim_simulation_give_up(cosim_simulation *self, seam_status status, const seam_error *cause,
                                     seam_error *error);

/* Control of macro steps: memory for it, SEAM_BAD_INPUT where it is impossible; its start; what the master calls. */
seam_status cosim_control_create(cosim_simulation *self, seam_error *error);
void cosim_control_destroy(cosim_simulation *self);
void cosim_control_begin(cosim_simulation *self);
void cosim_control_predicted(void *context);

/* ---- By explicit exchange, in simulation_exchange.c ---- */

seam_status cosim_exchange_engine_create(cosim_simulation *self, const cosim_master_options *master, seam_error *error);
/* Points of the past that can be known, the start included. */
int cosim_exchange_engine_past(const cosim_simulation *self);
/* Keeps what the parts say at self->before, that many points before the start. */
void cosim_exchange_engine_record(cosim_simulation *self, int number);
/* Begins at self->now with records (n_past x n_cuts) of the whole there and before. */
seam_status cosim_exchange_engine_begin(cosim_simulation *self, const cosim_record *records, int n_past,
                                        seam_error *error);
/* A round: the parts only. */
seam_status cosim_exchange_engine_advance(cosim_simulation *self, double H, seam_error *error);
/* What the sides of an exchanged cut see and feel in the present state of the whole. */
void cosim_exchange_engine_sample(cosim_simulation *self, size_t number);
/* Checks that its steps can be controlled, and takes the order of the holds. */
seam_status cosim_exchange_engine_control(cosim_simulation *self, seam_error *error);

/* Motion of the marker on a side of a cut, in an evaluated state of the whole. */
cosim_motion cosim_marker_motion(const cosim_simulation *self, const cosim_element_cut *cut, int side,
                                 const mbs_state *state);

#endif
