/* The explicit exchange of a mechanism and of one's own subsystems: partition -> named signals -> links, power bonds
 * and corrections -> exchange.
 *
 * An exchanged coupling M at which the evaluator o is told how a marker of subsystem f moves becomes
 *
 *   f.M.x, .y, .phi        -> o.M.x, ...      holds of the motion's order       x̃
 *   f.M.vx, .vy, .omega    -> o.M.vx, ...                                       ṽ
 *   o.M.fx, .fy, .torque   -> f.M.fx, ...     holds of the force's order        λ, on the marker in f
 *
 * in those components that matter to the element, and the power bond M of ports f: λ in, v out, and o: ṽ in, -λ out:
 * its residual power over a round is λ(T) · v(T + H) - ṽ(T) · λ(T + H), (8) and (9) of [Rodriguez].
 *
 * Where some cut is coupled by a master, all subsystems with bodies are one member of the exchange. */
#ifndef COSIM_MECHANISM_WIRING_H
#define COSIM_MECHANISM_WIRING_H

#include "cosim/exchange/exchange.h"
#include "cosim/master/master.h"
#include "cosim/mechanism/partition.h"

/* An output of one's own subsystem. */
typedef struct cosim_user_signal {
  const char *name; /* "subsystem.name" */
  int member, output;
} cosim_user_signal;

/* A point of the past. */
typedef struct cosim_wiring_past {
  double t;
  double *outputs; /* of all members */
} cosim_wiring_past;

typedef struct cosim_wiring {
  const cosim_partition *partition;
  cosim_exchange *exchange;
  cosim_part *master_part;    /* the member of all subsystems with bodies; NULL: each is one of its own */
  int *member_of;             /* (n_subsystems) */
  cosim_user_signal *signals; /* (n_signals) */
  size_t n_signals;
  int *bond; /* (n_cuts) of an exchanged coupling */
  bool has_started;
  double **start; /* (n_subsystems) state before the first start; NULL: mechanical, or cannot go back */
  size_t rounds;
  cosim_wiring_past past[COSIM_MAX_HOLD];
  int *force_input; /* (2 n_cuts) of the member: first input of the wrench on a side that is away */
  char **texts;     /* (n_texts) that names point at */
  size_t n_texts, max_texts;
  const char ***names; /* (2 (n_subsystems + 1)) of the inputs and outputs of each, "" where there is none; of the
                          master part */
} cosim_wiring;

/* Takes the parts out of the partition, whatever the result; `parts` (n_subsystems) gets them, to look at.
 * SEAM_BAD_INPUT, SEAM_NO_MEMORY. */
seam_status cosim_wiring_create(cosim_partition *partition, const cosim_definition *options,
                                const cosim_master_options *master, cosim_part **parts, cosim_wiring **created,
                                seam_error *error);
void cosim_wiring_destroy(cosim_wiring *self);

/* Begins at t, with macro steps about H, with the states of the mechanical parts; outputs of one's own subsystems are
 * those under the inputs that the links give, or under zeros where a subsystem cannot go back. A second time
 * SEAM_BAD_STATE where one cannot. */
seam_status cosim_wiring_start(cosim_wiring *self, double t, double H, seam_error *error);

/* Of the power bond of an exchanged coupling. */
cosim_bond_energy cosim_wiring_energy(const cosim_wiring *self, size_t cut);

/* The newest wrench on the side of an exchanged coupling that is away: on its marker, as its links say. */
void cosim_wiring_force(const cosim_wiring *self, const cosim_element_cut *cut, int side, double f[3]);

#endif
