/* The exchange of a mechanism and of user equations: partition -> links, power bonds and corrections -> exchange.
 *
 * Let subsystem e evaluate the element of an exchanged coupling M, whose remote marker is in subsystem f. M becomes the
 * links
 *
 *   f.M.x, .y, .phi        -> e.M.x, ...      holds of the motion's order       x̃
 *   f.M.vx, .vy, .omega    -> e.M.vx, ...                                       ṽ
 *   e.M.fx, .fy, .torque   -> f.M.fx, ...     holds of the force's order        λ, on the marker in f
 *
 * for the coordinates that the element uses, with the symbols on the right. M also becomes a power bond. The bond's
 * ports at f have input λ and output v; its ports at e have input ṽ and output -λ. Its residual power over a round from
 * T to T + H is λ(T) · v(T + H) - ṽ(T) · λ(T + H), (8) and (9) of [Rodriguez].
 *
 * If a master couples some cuts, all subsystems with bodies form one member of the exchange, the master part. If a
 * master couples user parts, all subsystems form it. Its signals are those of the subsystems' markers
 * (cosim/mechanism/signal_names.h). */
#ifndef COSIM_MECHANISM_WIRING_H
#define COSIM_MECHANISM_WIRING_H

#include "cosim/coupling/exchange.h"
#include "cosim/coupling/master.h"
#include "cosim/mechanism/signal_names.h"

typedef struct cosim_wiring {
  cosim_partition *partition;
  cosim_exchange *exchange;
  cosim_part *master_part; /* part that contains all subsystems under a master; NULL: no master */
  cosim_master *master;    /* owned by the master part; NULL: no master */
  int *member_of;          /* (n_subsystems) member of each subsystem */
  size_t *subsystem_of;    /* (n_members) first subsystem of each member */
  int n_members;
  int **number; /* (2 n_subsystems) number[2 s][i], number[2 s + 1][i]: index of input i, output i of subsystem s among
                   the signals of its member; -1: the member does not have the signal */
} cosim_wiring;

/* Takes ownership of the list `parts` (n_subsystems) and its parts, also on failure. They are those
 * of the partition, or others with the same signals. SEAM_BAD_INPUT, SEAM_NO_MEMORY. */
seam_status cosim_wiring_create(cosim_partition *partition, const cosim_definition *definition,
                                const cosim_master_options *master, cosim_part **parts, cosim_wiring **created,
                                seam_error *error);
void cosim_wiring_destroy(cosim_wiring *self);

/* Returns true if a member is the master part, or consists of elements of the model. */
bool cosim_wiring_is_mechanical(const cosim_wiring *self, int member);

/* Call it after a kink or an event. Reads the outputs of mechanical parts and of parts with events, sets the inputs of
 * mechanical parts from them, and restarts the master without a past. */
void cosim_wiring_update(const cosim_wiring *self);
/* For mechanical parts that are about to repeat their samples, at the start or after a kink. Reads their outputs. Sets
 * their inputs to the values that links gave just before the samples at the present macro point. Restarts the master
 * without a past. */
void cosim_wiring_set_inputs_before_samples(const cosim_wiring *self);
/* Sets the inputs of mechanical parts to the values at the beginning of the next step. */
void cosim_wiring_set_inputs(const cosim_wiring *self);

/* Returns the status of the master's last restore. */
seam_status cosim_wiring_restored(const cosim_wiring *self, seam_error *error);

/* Finds the newest wrench on the marker at a remote side of an exchanged coupling, as the coupling's links give it. */
void cosim_wiring_force(const cosim_wiring *self, const cosim_element_cut *cut, int side, double f[3]);

#endif
