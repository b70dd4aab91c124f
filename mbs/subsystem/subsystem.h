/* A subsystem: some bodies of the undivided mechanism with the elements between them, and ports. A port replaces what
 * the subsystem lacks: a body outside of the subsystem at the other side of a cut element, or a quantity of the
 * undivided mechanism.
 *
 * Each port has a frame, after those of the bodies. mbs_port_inputs writes the inputs of the subsystem into it. The
 * inputs depend on the kind of the port:
 *
 * - MBS_PORT_FORCE: (x, y, φ) of the frame is the wrench (fx, fy, τ) on the marker of the cut element;
 * - MBS_PORT_SIGNAL: (x, y, φ) is also a wrench (fx, fy, τ) on the marker, but from outside of the mechanism. No
 *   element is cut, and the work of the wrench counts as work of drives;
 * - MBS_PORT_MOTION: the frame has the pose and velocity of the marker on the other side, with φ the angle of its body.
 *   The cut force element acts between this frame and a body of the subsystem. If the subsystem has none of the two
 *   bodies, the element acts between this frame and the ground, or between the frames of two ports;
 * - MBS_PORT_ACCELERATION: (x, y, φ) is the acceleration of the marker on the subsystem's side; only the components
 *   that the cut joint constrains are used;
 * - MBS_PORT_QUANTITY: x is a quantity of the undivided mechanism that laws in the subsystem read, but that the
 *   subsystem lacks.
 *
 * A subsystem without bodies evaluates force elements between bodies of other subsystems. */
#ifndef MBS_SUBSYSTEM_H
#define MBS_SUBSYSTEM_H

#include "mbs/model/model.h"

typedef enum mbs_port_kind {
  MBS_PORT_FORCE,        /* 3 inputs */
  MBS_PORT_SIGNAL,       /* 3 inputs */
  MBS_PORT_MOTION,       /* 6 inputs */
  MBS_PORT_ACCELERATION, /* 1 input for each constraint of the cut joint */
  MBS_PORT_QUANTITY      /* 1 input */
} mbs_port_kind;

typedef struct mbs_port_def {
  bool is_joint;  /* true: the cut element is a joint; false: it is a force element */
  size_t element; /* number in the undivided mechanism of the cut element; MBS_PORT_SIGNAL: of the marker's element */
  int side; /* side of the cut element, 0 or 1, that is on the subsystem's body; MBS_PORT_MOTION receives the motion of
               the other side */
  mbs_port_kind kind;
  mbs_quantity quantity; /* input of MBS_PORT_QUANTITY: a quantity of the undivided mechanism */
} mbs_port_def;

typedef struct mbs_port {
  int body;          /* body of the subsystem at the cut element; 0: the subsystem has no body there */
  mbs_vector marker; /* marker of the cut element, in the body's frame */
  int force;         /* force element of the subsystem through which the input acts; -1: there is no such element */
  int side;          /* side of the force element `force` on which `body` is; the port's frame is on the other side */
  int joint;         /* joint of the subsystem that prescribes the acceleration; -1: there is no such joint */
  bool is_quantity;
  mbs_quantity quantity; /* numbered as in the undivided mechanism */
} mbs_port;

typedef struct mbs_subsystem {
  mbs_model *model;
  /* Numbers, in the undivided mechanism, of the bodies and elements that the subsystem has. */
  int *body_of;  /* (n_bodies + 1) bodies; 0 is the ground in both */
  int *joint_of; /* (n_own) joints; in the model the joints of drives and ports come after these */
  int n_own;
  int *force_of; /* (n_own_forces) force elements; in the model the force elements of ports come after these */
  int n_own_forces;
  int *measure_of;  /* (n_measures) measures */
  int *variable_of; /* (n_variables) variables */
  int n_variables;
  int *state_of;   /* (n_states) states */
  mbs_port *ports; /* (model->n_ports) */
} mbs_subsystem;

/* Creates the subsystem with the bodies for which is_included[b] is true (b from 0, without the ground). It has the
 * joints and force elements between these bodies, and between them and the ground. It has the measures and variables
 * that read only these and the ports, except variables marked in `is_left_out` (NULL: none is). Names, laws and
 * functions are borrowed: the undivided mechanism must outlive the subsystem. SEAM_BAD_INPUT: a port is impossible; a
 * law reads a quantity that the subsystem lacks; or its joints determine an acceleration that a port prescribes.
 * SEAM_NO_MEMORY. */
seam_status mbs_subsystem_create(const mbs_model *undivided, const bool *is_included, const bool *is_left_out,
                                 const mbs_port_def *ports, int n_ports, mbs_subsystem **subsystem, seam_error *error);
/* Creates a subsystem with all bodies and elements of the undivided mechanism and `drives` (n_drives) as additional
 * joints. Names and laws of the mechanism and of the drives are borrowed. */
seam_status mbs_driven_create(const mbs_model *undivided, const mbs_joint *drives, int n_drives,
                              mbs_subsystem **subsystem, seam_error *error);
void mbs_subsystem_destroy(mbs_subsystem *sub);

/* Finds *own, the quantity of the subsystem that equals `quantity` of the undivided mechanism: the same quantity of an
 * element, or the input of an MBS_PORT_QUANTITY. Returns false if the subsystem has neither. */
bool mbs_subsystem_quantity(const mbs_subsystem *sub, const mbs_model *undivided, mbs_quantity quantity,
                            mbs_quantity *own);

#endif
