/* Couples the parts of a partition over macro steps: a table of functions with two rows, the master (engine_master.c)
 * and the exchange (engine_exchange.c), which contains a master for the cuts that are not exchanged. */
#ifndef COSIM_MECHANISM_ENGINE_H
#define COSIM_MECHANISM_ENGINE_H

#include "cosim/exchange/exchange.h"
#include "cosim/master/master.h"
#include "cosim/mechanism/energy_ledger.h"
#include "cosim/mechanism/partition.h"

typedef struct cosim_engine cosim_engine;

typedef struct cosim_engine_ops {
  void (*destroy)(cosim_engine *self);

  /* Macro points of the past that it can use, the start included. */
  int (*n_past)(const cosim_engine *self);
  /* Stores the outputs of the parts at point `number` >= 1 of the past, at this state; NULL: not needed. */
  void (*store_past)(cosim_engine *self, int number, const mbs_state *state);
  /* Begins at an evaluated state of the whole, with snapshots (n_past x n_cuts) of the cuts, the present point
   * first. */
  seam_status (*begin)(cosim_engine *self, const mbs_state *state, const cosim_snapshot *past, int n_past,
                       seam_error *error);

  /* One macro step of the parts. */
  seam_status (*advance)(cosim_engine *self, double H, seam_error *error);
  double (*time)(const cosim_engine *self);
  size_t (*n_steps)(const cosim_engine *self); /* taken since the creation */
  /* Where the next macro step ends at the latest, since a part is sampled there; NULL: no part is sampled. */
  double (*next_sample)(const cosim_engine *self);
  /* Mechanical parts take the inputs that hold from the start on; NULL: couplings give all of them. */
  void (*take_inputs)(cosim_engine *self);
  /* Mechanical parts, whose samples at the present macro point have not happened, take what signals give before them;
   * NULL: couplings give all inputs. */
  void (*take_before)(cosim_engine *self);
  /* Whether a part was sampled at the present macro point; NULL: none is. */
  bool (*was_sampled)(const cosim_engine *self);
  /* Mechanical parts, whose states are beyond a kink now, or whose inputs jump, give their outputs anew and take the
   * inputs from there on. */
  void (*renew)(cosim_engine *self);
  /* Takes the snapshot of a cut at the present macro point, at this state of the whole. */
  void (*sample)(const cosim_engine *self, cosim_element_cut *cut, const mbs_state *state);

  /* Sets the order of the rule from the coupling variables. SEAM_BAD_INPUT: such steps cannot be controlled. */
  seam_status (*check_control)(const cosim_engine *self, cosim_step_control *rule, seam_error *error);
  /* Indicator of the last step, by energy or prediction. false: none is available yet. */
  bool (*indicate)(const cosim_engine *self, const cosim_step_control *rule, double H, double *indicator);

  /* Energy of the power bond of an exchanged cut, of a bond of the definition; NULL: there are none. */
  cosim_bond_energy (*energy_of_cut)(const cosim_engine *self, const cosim_element_cut *cut);
  cosim_bond_energy (*energy_of_bond)(const cosim_engine *self, size_t bond);
  /* The exchange, for what it shows of itself; NULL: the engine has none. */
  const cosim_exchange *(*exchange)(const cosim_engine *self);
  /* An output of a part, which is shown, at the present macro point. */
  double (*output)(const cosim_engine *self, size_t subsystem, int output);
  /* After the start: gives a user part a point of its past, before all known ones; NULL: not used. */
  void (*remember)(cosim_engine *self, size_t subsystem, double t, const double *outputs);
  double (*first_known)(const cosim_engine *self, size_t subsystem); /* time of the earliest known one; or NULL, too */

  /* Everything that determines the continuation, as numbers; n_state is 0 where some part cannot restore a state. */
  size_t (*n_state)(const cosim_engine *self);
  void (*save)(const cosim_engine *self, double *state);
  seam_status (*restore)(cosim_engine *self, const double *state, seam_error *error);
} cosim_engine_ops;

struct cosim_engine {
  const cosim_engine_ops *ops;
  cosim_partition *partition;
  const cosim_definition *definition;
  cosim_master *master; /* NULL: the engine has no master */
  double **start;       /* (n_subsystems) state of a user part before the first start; NULL: it cannot be restored */
  bool has_started;
};

/* Take the parts of the partition, whatever the result; the partition and the options outlive the engine.
 * SEAM_BAD_INPUT, SEAM_NO_MEMORY. */
seam_status cosim_engine_create_master(cosim_partition *partition, const cosim_definition *definition,
                                       const cosim_master_options *master, cosim_engine **created, seam_error *error);
seam_status cosim_engine_create_exchange(cosim_partition *partition, const cosim_definition *definition,
                                         const cosim_master_options *master, cosim_engine **created, seam_error *error);

/* ---- Common to both rows ---- */

/* Saves the present states of user parts, for later starts; false: no memory. */
bool cosim_engine_save_starts(cosim_engine *self);
void cosim_engine_free_starts(cosim_engine *self);
/* From the second start on, user parts are restored to these states. SEAM_BAD_STATE naming a part that cannot be. */
seam_status cosim_engine_restart_user_parts(cosim_engine *self, seam_error *error);
/* Sets mechanical parts to the state of the whole. */
void cosim_engine_start_parts(const cosim_engine *self, const mbs_state *state);
/* The master begins with the snapshots of the cuts that it couples. SEAM_NO_MEMORY. */
seam_status cosim_engine_begin_master(cosim_engine *self, double t, const cosim_snapshot *past, int n_past,
                                      seam_error *error);
/* Takes the snapshot of a cut under the master. */
void cosim_engine_sample_master(const cosim_engine *self, cosim_element_cut *cut, const mbs_state *state);
seam_status cosim_engine_check_master_control(const cosim_engine *self, cosim_step_control *rule, seam_error *error);
bool cosim_engine_indicate_master(const cosim_engine *self, const cosim_step_control *rule, double H,
                                  double *indicator);

/* Motion of the marker on a side of a cut, in an evaluated state of the whole. */
cosim_motion cosim_marker_motion(const cosim_partition *partition, const cosim_element_cut *cut, int side,
                                 const mbs_state *state);

#endif
