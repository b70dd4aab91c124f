/* Names of signals in connections, bonds and corrections, and their numbers:
 *
 *   SUBSYSTEM.NAME          input or output of user equations
 *   SUBSYSTEM.MARKER.KIND   signal of a mechanical subsystem; KIND: x, y, phi, vx, vy, omega, fx, fy, torque
 *   ELEMENT.QUANTITY        output: a quantity of the model that depends on one subsystem
 *
 * MARKER names a body (its centre of mass), a force element on one body, or an exchanged coupling M. If the subsystem
 * has both sides of the coupling, its markers are "M.1" and "M.2". */
#ifndef COSIM_MECHANISM_SIGNAL_NAMES_H
#define COSIM_MECHANISM_SIGNAL_NAMES_H

#include "cosim/mechanism/partition.h"

/* Numbers of the kinds x, vx and fx, in the order of KIND above, and number of kinds. */
enum { COSIM_OF_MOTION = 0, COSIM_OF_VELOCITY = 3, COSIM_OF_WRENCH = 6, COSIM_N_SIGNAL_KINDS = 9 };

/* Returns the unit of a kind by its name; NULL: there is no such kind. */
const char *cosim_signal_unit(const char *kind);

/* A marker of a subsystem with signals: a port or a probe of its part. */
typedef struct cosim_signal_marker {
  const char *label; /* name of the body, force element or coupling */
  int side;          /* 1 or 2 if names of signals contain the side; else 0 */
  bool is_probe;
  int number; /* index of the port or probe */
} cosim_signal_marker;

/* Markers of all subsystems are numbered together, from 0. cosim_signal_marker_of() returns false if the marker belongs
 * to another subsystem. */
size_t cosim_n_signal_markers(const cosim_partition *partition);
bool cosim_signal_marker_of(const cosim_partition *partition, size_t subsystem, size_t number,
                            cosim_signal_marker *marker);
/* Return the index of the part's input or output of one kind, at a marker or at a port; -1: there is none. */
int cosim_signal_at(const cosim_part *part, const cosim_signal_marker *marker, bool is_output, int kind);
int cosim_port_signal(const cosim_part *part, int port, bool is_output, int kind);

/* An input or an output of the part of a subsystem. */
typedef struct cosim_signal_ref {
  size_t subsystem;
  int number;
} cosim_signal_ref;

/* Finds a signal by name. SEAM_BAD_INPUT: there is none; the message begins with `subject` and lists those that exist.
 */
seam_status cosim_find_signal(const cosim_partition *partition, const char *subject, const char *name, bool is_output,
                              cosim_signal_ref *found, seam_error *error);

#endif
