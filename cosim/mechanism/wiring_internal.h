/* Inside of the making of a wiring: members in wiring.c, the master's in wiring_master_part.c, links and bonds in
 * wiring_links.c, corrections in wiring_corrections.c. */
#ifndef COSIM_MECHANISM_WIRING_INTERNAL_H
#define COSIM_MECHANISM_WIRING_INTERNAL_H

#include "cosim/mechanism/wiring.h"

/* What the exchange is made from. */
typedef struct cosim_wiring_plan {
  cosim_wiring *self;
  const cosim_definition *definition;
  cosim_part **parts; /* (n_subsystems) not taken yet; else NULL */
  cosim_member_def *members;
  cosim_link *links;
  int n_links;
  cosim_bond *bonds;
  int n_bonds;
  cosim_bond_port *ports;
  int n_ports;
  cosim_correction **corrections;
  int n_corrections;
} cosim_wiring_plan;

/* A member's input or output. */
typedef struct cosim_terminal {
  int member, number;
} cosim_terminal;

cosim_terminal cosim_wiring_terminal(const cosim_wiring *self, bool is_output, cosim_signal_ref signal);
/* Of a signal that the definition names; `place` comes before the message. */
seam_status cosim_wiring_find(const cosim_wiring *self, const char *place, const char *name, bool is_output,
                              cosim_terminal *found, seam_error *error);

/* Whether the master's part contains the subsystem. */
bool cosim_wiring_is_mastered(const cosim_wiring *self, size_t subsystem);
/* Makes the part of all these subsystems, and numbers the signals that it shows. */
seam_status cosim_wiring_create_master_part(cosim_wiring_plan *p, const cosim_master_options *options,
                                            seam_error *error);

/* Links and bonds of the definition; of the exchanged couplings. */
seam_status cosim_wiring_link_signals(cosim_wiring_plan *p, seam_error *error);
void cosim_wiring_link_couplings(cosim_wiring_plan *p);
seam_status cosim_wiring_correct(cosim_wiring_plan *p, seam_error *error);

#endif
