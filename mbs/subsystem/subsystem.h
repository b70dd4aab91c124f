/* A part of a mechanism: some of its bodies with the elements between them, and ports where the rest was cut off.
 *
 * Each port has a frame after those of the bodies, which mbs_port_inputs fills with what the part receives:
 *
 * - by force: (x, y, φ) is the wrench (fx, fy, τ) on the marker;
 * - by signal: the same, from outside of the mechanism: the element there stays, and the work of the wrench is driven
 * in;
 * - by motion: the frame stands and moves as the other side's marker, φ being the angle of its body; the cut force
 *   element acts between it and the part, or, where the part holds none of its bodies, between it and the ground or the
 *   frame of a second port;
 * - by acceleration: (x, y, φ) is the acceleration of the part's own marker, in coordinates of the cut joint's rows;
 * - by quantity: x is a quantity of the whole that the part lacks, and what names it in the whole reads the port.
 *
 * A part may have no bodies: it evaluates force elements between others'. */
#ifndef MBS_SUBSYSTEM_H
#define MBS_SUBSYSTEM_H

#include "mbs/model/model.h"

/* Kind of a port: what it receives, and how many inputs that is. */
typedef enum mbs_port_kind {
  MBS_PORT_FORCE,        /* 3: wrench on the marker */
  MBS_PORT_SIGNAL,       /* 3: wrench on the marker from outside of the mechanism; the element itself stays */
  MBS_PORT_MOTION,       /* 6: x̃ and ṽ of the other side's marker; the cut force element acts within the part */
  MBS_PORT_ACCELERATION, /* n_rows of the cut joint: ã, acceleration of the marker in the coordinates of the rows */
  MBS_PORT_QUANTITY      /* 1: a quantity of the whole; no element is cut */
} mbs_port_kind;

typedef struct mbs_port_def {
  bool is_joint;  /* the cut element: a joint or a force element ... */
  size_t element; /* ... with this number in the whole */
  int side;       /* 0: the part holds its first body; 1: its second; by motion: the port receives that of the other */
  mbs_port_kind kind;
  mbs_quantity quantity; /* of the whole, that the port receives */
} mbs_port_def;

typedef struct mbs_port {
  int body;          /* of the part; 0: the part holds none there */
  mbs_vector marker; /* in its frame */
  int force;         /* of the part, through which force or motion acts; -1: none */
  int side;          /* of that force on which the body is: the port's frame is on the other */
  int joint;         /* of the part, which prescribes acceleration; -1: none */
  bool is_quantity;
  mbs_quantity quantity; /* of the whole */
} mbs_port;

typedef struct mbs_subsystem {
  mbs_model *model;
  int *body_of;  /* (n_bodies + 1) body of the whole; 0 is the ground in both */
  int *joint_of; /* joint of the whole, for the n_own first joints; then come those of ports */
  int n_own;
  int *force_of; /* force element of the whole, for the n_own_forces first ones; then come those of ports */
  int n_own_forces;
  int *measure_of;  /* (n_measures) measure of the whole */
  int *variable_of; /* (n_variables) variable of the whole */
  int n_variables;
  int *state_of;   /* (n_states) state of the whole */
  mbs_port *ports; /* (model->n_ports) */
} mbs_subsystem;

/* Bodies with keep[b], b from 0 on without ground. Joints and force elements between them, or between them and the
 * ground, belong to the part, and so do measures and variables of these and of ports alone, but for the variables that
 * `leave` marks (NULL: none); names, laws and functions are borrowed from the whole, which lives longer. SEAM_BAD_INPUT
 * for a port that cannot be, or accelerations that the joints of the part determine. */
seam_status mbs_subsystem_create(const mbs_model *whole, const bool *keep, const bool *leave, const mbs_port_def *ports,
                                 int n_ports, mbs_subsystem **subsystem, seam_error *error);
/* All of it, with joints (n_drives) behind its own; their names and laws are borrowed too. */
seam_status mbs_driven_create(const mbs_model *whole, const mbs_joint *drives, int n_drives, mbs_subsystem **subsystem,
                              seam_error *error);
void mbs_subsystem_destroy(mbs_subsystem *part);

/* The part's number of a quantity of the whole; false: the part does not have it. */
bool mbs_subsystem_quantity(const mbs_subsystem *part, const mbs_model *whole, mbs_quantity quantity,
                            mbs_quantity *own);
/* A step of the creation, after all other elements: measures, laws and variables. SEAM_BAD_INPUT: a law reads what the
 * part does not have; SEAM_NO_MEMORY. */
seam_status mbs_subsystem_take_laws(mbs_subsystem *part, const mbs_model *whole, const bool *leave, seam_error *error);
/* Measures of that step. */
seam_status mbs_subsystem_take_measures(mbs_subsystem *part, const mbs_model *whole, seam_error *error);

#endif
