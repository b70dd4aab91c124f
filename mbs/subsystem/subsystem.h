/* A part of a mechanism: some of its bodies with the elements between them, and ports at the cuts.
 *
 * Each port has a frame after those of the bodies; mbs_port_inputs fills it with the inputs of the part:
 *
 * - by force: (x, y, φ) is the wrench (fx, fy, τ) on the marker;
 * - by signal: the same, but the wrench comes from outside of the mechanism: the element stays, and the work of the
 *   wrench is driven in;
 * - by motion: the frame has the pose and velocity of the other side's marker, with φ the angle of its body; the cut
 *   force element acts between the frame and the part or, if the part has none of its bodies, between the frame and the
 *   ground or the frame of a second port;
 * - by acceleration: (x, y, φ) is the acceleration of the part's own marker, in coordinates of the cut joint's rows;
 * - by quantity: x is a quantity of the whole that the part lacks; its readers in the part read the port.
 *
 * A part without bodies evaluates force elements between bodies of other parts. */
#ifndef MBS_SUBSYSTEM_H
#define MBS_SUBSYSTEM_H

#include "mbs/model/model.h"

/* Kind of a port: its inputs and their number. */
typedef enum mbs_port_kind {
  MBS_PORT_FORCE,        /* 3: wrench on the marker */
  MBS_PORT_SIGNAL,       /* 3: wrench on the marker from outside of the mechanism; the element itself stays */
  MBS_PORT_MOTION,       /* 6: x̃ and ṽ of the other side's marker; the cut force element acts in the part */
  MBS_PORT_ACCELERATION, /* n_rows of the cut joint: ã, acceleration of the marker in the coordinates of the rows */
  MBS_PORT_QUANTITY      /* 1: a quantity of the whole; no element is cut */
} mbs_port_kind;

typedef struct mbs_port_def {
  bool is_joint;  /* the cut element is a joint, else a force element, ... */
  size_t element; /* ... by its number in the whole */
  int side;       /* 0: the part has its first body; 1: its second; by motion: the input is of the other side */
  mbs_port_kind kind;
  mbs_quantity quantity; /* of the whole; the input */
} mbs_port_def;

typedef struct mbs_port {
  int body;          /* of the part; 0: no body of the part */
  mbs_vector marker; /* in the body's frame */
  int force;         /* force element of the part on which force or motion acts; -1: none */
  int side;          /* side of that force element on which `body` is; the port's frame is on the other side */
  int joint;         /* joint of the part that prescribes acceleration; -1: none */
  bool is_quantity;
  mbs_quantity quantity; /* of the whole */
} mbs_port;

typedef struct mbs_subsystem {
  mbs_model *model;
  int *body_of;  /* (n_bodies + 1) body of the whole; 0 is the ground in both */
  int *joint_of; /* joint of the whole, for the first n_own joints; those of ports follow */
  int n_own;
  int *force_of; /* force element of the whole, for the first n_own_forces; those of ports follow */
  int n_own_forces;
  int *measure_of;  /* (n_measures) measure of the whole */
  int *variable_of; /* (n_variables) variable of the whole */
  int n_variables;
  int *state_of;   /* (n_states) state of the whole */
  mbs_port *ports; /* (model->n_ports) */
} mbs_subsystem;

/* Creates the part of the bodies with keep[b], b from 0, without ground. It has the joints and force elements between
 * these bodies, or these and the ground, and the measures and variables that read only these elements and ports, except
 * the variables marked in `leave` (NULL: none). Names, laws and functions are borrowed: the whole must outlive the
 * part. SEAM_BAD_INPUT for an impossible port, or accelerations that the joints of the part determine. */
seam_status mbs_subsystem_create(const mbs_model *whole, const bool *keep, const bool *leave, const mbs_port_def *ports,
                                 int n_ports, mbs_subsystem **subsystem, seam_error *error);
/* Creates a part of all bodies, with joints (n_drives) after its own; their names and laws are borrowed too. */
seam_status mbs_driven_create(const mbs_model *whole, const mbs_joint *drives, int n_drives, mbs_subsystem **subsystem,
                              seam_error *error);
void mbs_subsystem_destroy(mbs_subsystem *sub);

/* Finds the part's number of a quantity of the whole. Returns false if the part lacks the quantity. */
bool mbs_subsystem_quantity(const mbs_subsystem *sub, const mbs_model *whole, mbs_quantity quantity, mbs_quantity *own);
/* Adds measures, laws and variables, after all other elements. SEAM_BAD_INPUT: a law reads a missing quantity;
 * SEAM_NO_MEMORY. */
seam_status mbs_subsystem_take_laws(mbs_subsystem *sub, const mbs_model *whole, const bool *leave, seam_error *error);

#endif
