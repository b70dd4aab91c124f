/* Inside of the making of a wiring: members in wiring.c, links and bonds in wiring_links.c, corrections in
 * wiring_corrections.c, names in wiring_names.c. */
#ifndef COSIM_MECHANISM_WIRING_INTERNAL_H
#define COSIM_MECHANISM_WIRING_INTERNAL_H

#include "cosim/mechanism/wiring.h"

enum { cosim_coupling_links = 18, cosim_coupling_ports = 12 }; /* most of one exchanged coupling */

/* Kinds of signals of a marker: its motion x to omega, of which the last three are rates, then fx, fy, torque. */
enum { cosim_of_motion = 0, cosim_of_velocity = 3, cosim_of_wrench = 6, cosim_of_marker = 9 };

/* What the exchange is made from. */
typedef struct cosim_wiring_plan {
  cosim_wiring *self;
  const cosim_definition *options;
  cosim_part **parts; /* (n_subsystems) those that nobody has taken yet */
  cosim_member_def *members;
  int n_members;
  cosim_connection_def *links;
  int n_links;
  cosim_bond_def *bonds;
  int n_bonds;
  cosim_port_def *ports;
  int n_ports;
  cosim_correction **corrections;
  int n_corrections;
  bool enough; /* memory */
} cosim_wiring_plan;

/* Members with couplings under a master become one. */
seam_status cosim_wiring_create_master_part(cosim_wiring_plan *p, const cosim_master_options *options,
                                            cosim_part *const *parts, seam_error *error);
/* Links and bonds of the options; of the exchanged couplings. */
void cosim_wiring_link_signals(cosim_wiring_plan *p);
void cosim_wiring_link_couplings(cosim_wiring_plan *p);
seam_status cosim_wiring_correct(cosim_wiring_plan *p, seam_error *error);

/* ---- Names ---- */

extern const char cosim_wiring_master_part_name[];

/* Names of all parts' signals; false: no memory. */
bool cosim_wiring_name_all(cosim_wiring *self, cosim_part *const *parts);
/* What the exchange calls a signal of an exchanged coupling on that side in a subsystem. */
const char *cosim_wiring_coupling_signal(cosim_wiring *self, const cosim_element_cut *cut, int side, size_t subsystem,
                                         int kind);
/* What the exchange calls a signal that the options call "subsystem.signal"; NULL for NULL. */
const char *cosim_wiring_signal(cosim_wiring *self, const char *name, bool *enough);
size_t cosim_wiring_subsystem(const cosim_wiring *self, const char *name, size_t length);
/* A subsystem with bodies of which a master couples some. */
bool cosim_wiring_is_mastered(const cosim_wiring *self, size_t subsystem);

#endif
