/* Declarations for the creation of a wiring: members and the master part in wiring.c, links and bonds in
 * wiring_links.c, corrections in wiring_corrections.c. */
#ifndef COSIM_MECHANISM_WIRING_INTERNAL_H
#define COSIM_MECHANISM_WIRING_INTERNAL_H

#include "cosim/mechanism/wiring.h"

/* Data from which the exchange is created; only the creation needs them. */
typedef struct cosim_wiring_plan {
  cosim_wiring *self;
  const cosim_definition *definition;
  cosim_part **parts; /* (n_subsystems) parts; NULL where the master or the exchange has taken the part */
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

cosim_terminal cosim_wiring_terminal(const cosim_wiring *self, bool is_output, cosim_signal_ref signal);
/* Finds the terminal of a signal that the definition names; messages begin with `subject`. */
seam_status cosim_wiring_find(const cosim_wiring *self, const char *subject, const char *name, bool is_output,
                              cosim_terminal *found, seam_error *error);

/* cosim_wiring_link_signals() adds the links and bonds of the definition. cosim_wiring_link_quantities() adds the links
 * of the partition's linked quantities. cosim_wiring_link_couplings() adds the links and bonds of exchanged couplings.
 * cosim_wiring_correct() adds the corrections. SEAM_BAD_INPUT, SEAM_NO_MEMORY. */
seam_status cosim_wiring_link_signals(cosim_wiring_plan *p, seam_error *error);
void cosim_wiring_link_quantities(cosim_wiring_plan *p);
void cosim_wiring_link_couplings(cosim_wiring_plan *p);
seam_status cosim_wiring_correct(cosim_wiring_plan *p, seam_error *error);

#endif
