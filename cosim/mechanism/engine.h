/* The engine couples the parts of a partition over macro steps. The exchange transmits signals and exchanged couplings
 * (wiring.c). The subsystems that a master couples are one member of the exchange, often the only one. */
#ifndef COSIM_MECHANISM_ENGINE_H
#define COSIM_MECHANISM_ENGINE_H

#include "cosim/coupling/exchange.h"
#include "cosim/coupling/master.h"
#include "cosim/coupling/step_control.h"
#include "cosim/mechanism/signal_names.h"

typedef struct cosim_engine {
  cosim_partition *partition;
  const cosim_definition *definition;
  cosim_exchange *exchange;
  cosim_part *master_part; /* part that contains all subsystems under a master; NULL: no master */
  cosim_master *master;    /* owned by the master part; NULL: no master */
  int *member_of;          /* (n_subsystems) member of each subsystem */
  size_t *subsystem_of;    /* (n_members) first subsystem of each member */
  int n_members;
  int **number; /* (2 n_subsystems) number[2 s][i], number[2 s + 1][i]: index of input i, output i of subsystem s among
                   the signals of its member; -1: the member does not have the signal */
  double **start; /* (n_subsystems) state of a user part before the first start; NULL: the part cannot restore states */
  bool has_started;
  size_t n_steps;                       /* steps taken since the creation */
  double past_time[COSIM_MAX_HOLD];     /* s, times of the points before the start */
  double *past_outputs[COSIM_MAX_HOLD]; /* outputs of all members of the exchange at each of these points */
} cosim_engine;

/* Takes ownership of the list `parts` (n_subsystems) and its parts, also on failure. They are those of the partition,
 * or others with the same signals. Partition and definition must outlive the engine. SEAM_BAD_INPUT, SEAM_NO_MEMORY. */
seam_status cosim_engine_create(cosim_partition *partition, const cosim_definition *definition,
                                const cosim_master_options *master, cosim_part **parts, cosim_engine **created,
                                seam_error *error);
void cosim_engine_destroy(cosim_engine *self);
/* Before the first start: stores the states of user parts, and allocates memory for the past. SEAM_NO_MEMORY. */
seam_status cosim_engine_store_starts(cosim_engine *self, seam_error *error);

/* Returns the number of past macro points that a start needs, counting the start itself. */
int cosim_engine_n_past(const cosim_engine *self);
/* Stores the outputs of the parts at a past macro point, at which the mechanism has the state `state`. number: 1 for
 * the last point before the start, 2 for the one before it, and so on. */
void cosim_engine_store_past(cosim_engine *self, int number, const mbs_state *state);
/* Begins at an evaluated state of the mechanism. past (n_past x n_cuts): snapshots of the cuts, those of the present
 * point first. A repeated start resets user parts. SEAM_BAD_STATE: one of them, which is named, cannot be reset. */
seam_status cosim_engine_begin(cosim_engine *self, const mbs_state *state, const cosim_snapshot *past, int n_past,
                               seam_error *error);

/* Takes a macro step. cosim_engine_follow() takes a collocation step without solving its conditions: coupling variables
 * are linear between the snapshots (n_cuts each) at its beginning and end. */
seam_status cosim_engine_advance(cosim_engine *self, double H, seam_error *error);
seam_status cosim_engine_follow(cosim_engine *self, double H, const cosim_snapshot *begin, const cosim_snapshot *end,
                                seam_error *error);
/* Stores the snapshot of a cut at the present macro point, at which the mechanism has the state `state`. */
void cosim_engine_sample(const cosim_engine *self, cosim_element_cut *cut, const mbs_state *state);
/* Returns an output at the present macro point, one of those in results (cosim_result_signal). */
double cosim_engine_output(const cosim_engine *self, size_t subsystem, int output);

/* Sets rule->order from the orders of the couplings. SEAM_BAD_INPUT: steps with these couplings cannot be
 * controlled. */
seam_status cosim_engine_check_control(const cosim_engine *self, cosim_step_control *rule, seam_error *error);
/* Finds the indicator of the last step, by energy or prediction. Returns false if it is not available yet. */
bool cosim_engine_indicate(const cosim_engine *self, const cosim_step_control *rule, double H, double *indicator);

/* Returns the size of the state from which a run continues; 0: some part cannot restore one. cosim_exchange_save()
 * saves this state, cosim_engine_restore() restores it. */
size_t cosim_engine_n_state(const cosim_engine *self);
seam_status cosim_engine_restore(cosim_engine *self, const double *state, seam_error *error);

/* Finds the motions of both markers of a cut in an evaluated state of the mechanism. */
void cosim_marker_motions(const cosim_partition *partition, const cosim_element_cut *cut, const mbs_state *state,
                          cosim_motion m[2]);

/* ---- Signals of mechanical parts after a kink or a sample, in wiring.c ---- */

/* Returns true if a member is the master part, or consists of elements of the model. */
bool cosim_engine_is_mechanical(const cosim_engine *self, int member);

/* Call it after a kink or an event. Reads the outputs of mechanical parts and of parts with events, sets the inputs of
 * mechanical parts from them, and restarts the master without a past. */
void cosim_engine_update(const cosim_engine *self);
/* For mechanical parts that are about to repeat their samples, at the start or after a kink. Reads their outputs. Sets
 * their inputs to the values that links gave just before the samples at the present macro point. Restarts the master
 * without a past. */
void cosim_engine_set_inputs_before_samples(const cosim_engine *self);
/* Sets the inputs of mechanical parts to the values at the beginning of the next step. */
void cosim_engine_set_inputs(const cosim_engine *self);

/* Finds the newest wrench on the marker at a remote side of an exchanged coupling, as the coupling's links give it. */
void cosim_engine_force(const cosim_engine *self, const cosim_element_cut *cut, int side, double f[3]);

#endif
