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

/* Numbers of the kinds x, vx and fx, in the order of KIND above. */
enum { COSIM_OF_MOTION = 0, COSIM_OF_VELOCITY = 3, COSIM_OF_WRENCH = 6 };

/* Returns the unit of a kind by its name; NULL: there is no such kind. */
const char *cosim_signal_unit(const char *kind);

/* Returns the index of the part's input or output of one kind at a port; -1: there is none. */
int cosim_port_signal(const cosim_part *part, int port, bool is_output, int kind);

/* Sets number[0][i] of input i, number[1][i] of output i of a mechanical subsystem to 0 if the signal has a name, or
 * carries a linked quantity. */
void cosim_mark_signals(const cosim_partition *partition, size_t subsystem, int *const number[2]);

/* Finds a signal by name, as an input or output of a subsystem's part. SEAM_BAD_INPUT: there is none; the message
 * begins with `subject` and lists those that exist. */
seam_status cosim_find_signal(const cosim_partition *partition, const char *subject, const char *name, bool is_output,
                              size_t *subsystem, int *number, seam_error *error);

#endif
