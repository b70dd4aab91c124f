/* Inside of the constant model. Bodies are numbered from 1 here: 0 is the ground, a frame that does not move. After the
 * bodies come the frames of ports, which only parts of mechanisms have: see subsystem.h. */
#ifndef MBS_MODEL_H
#define MBS_MODEL_H

#include <stdint.h>

#include <seam/mbs.h>

#include "mbs/model/elimination.h"
#include "mbs/model/event.h"
#include "mbs/model/force.h"
#include "mbs/model/joint.h"
#include "mbs/model/laws.h"
#include "mbs/model/measure.h"
#include "mbs/model/modes.h"
#include "mbs/model/names.h"

struct mbs_model {
  int n_bodies; /* n, without ground */
  int n_joints;
  int n_forces;
  int n_frictions; /* of joints: the last ones of the force elements, which no name finds */
  int n_rows;      /* m, scalar constraints */
  int n_ports;
  int n_states; /* z: of force elements, then variables, then the time of their last sample where some are sampled,
                   then modes */
  int n_work;   /* energies that are integrated: dissipated, driven in, then what the load of each port has done */
  double gravity[2];
  const char **body_name; /* (n + 1) texts held by `names` */
  double *mass;           /* (3 (n + 1)) m, m, J of each body; ground 0 */
  int n_nonholonomic;     /* rows that hold velocities */
  double *inverse_mass;   /* (3 (n + 1)); ground 0: it does not move; of rotations of point masses 0 */
  int n_points;           /* bodies without inertia, see point_masses.h */
  double *unit_weight;    /* (3 (n + 1)); 1, ground and rotations of point masses 0 */
  double *gravity_load;   /* (3 (n + 1)) generalised forces of gravity */
  double *move_weight;    /* (3 (n + 1)); 1, 1, 1/size², ground 0: metres against radians in assembly */
  uint64_t fingerprint;   /* see fingerprint.h; 0 of a part of a mechanism */
  double size;            /* m, largest distance of a joint's marker from its body's centre of mass; without joints: */
  mbs_scales scales;      /* of the problem; a part has those of the whole */
  bool floats;            /* nothing but loads connects it with the ground */
  double duration;        /* s, of a run, as far as is known; 0: unknown */
  double *nominal;        /* (n_states) sizes of z */
  double *initial;        /* (6n + n_states) q, v and z as defined */
  double *placed;         /* (3n) q from which assembly's moves are counted; NULL in parts of mechanisms */
  bool *is_rough;         /* (n + 1) bodies that assembly moves first; NULL in parts of mechanisms */
  mbs_frame *port_frames; /* (n_ports) until inputs drive them */
  mbs_joint *joints;      /* (n_joints) */
  mbs_force *forces;      /* (n_forces) */
  mbs_curve **curves;     /* (n_curves); NULL in parts of mechanisms, whose elements point to those of the whole */
  int n_curves;
  mbs_named_measure *measures;
  int n_measures;
  int n_measured; /* values of all of them */
  int max_inputs; /* of an expression or response */
  mbs_laws laws;
  mbs_named_event *events;
  int n_events;
  int *stateful; /* (n_stateful) force elements with states, in ascending order */
  int n_stateful;
  mbs_switching_table switching;
  int *hard; /* (n_hard) force elements that are hard contacts, in ascending order */
  int n_hard;
  int n_parts;                   /* elements that continue the rows of hard cables */
  int *joint_of_row;             /* (m) */
  mbs_joint_rows *joint_rows;    /* (n_joints) */
  mbs_joint_place *joint_places; /* (n_joints) */
  int *load_ends;                /* (2 n_forces at most) body by body, in the order of the force elements: the first
                                    number of its load among all; none where the model is not large */
  int *first_load;               /* (n + 1) of each body, in load_ends */
  mbs_joint_end *joint_ends;     /* (2 n_joints at most) body by body, joints in ascending order; none of the ground */
  int *first_end;                /* (n + 1) of each body, in joint_ends */
  int n_prescribed;              /* scalar constraints of prescribed joints: the last ones, from m - n_prescribed on */
  int n_holds;                   /* rows by which friction sticks */
  int n_redundant;               /* constraints that follow from others wherever the mechanism moves */
  int *redundant;     /* (n_redundant) in ascending order; set aside: their multipliers are zero in every solve */
  bool *is_redundant; /* (m) the same, constraint by constraint */
  int *cleared;       /* (n_cleared) values of the elimination in their rows and columns, but the diagonal */
  int n_cleared;
  mbs_names *names; /* NULL in parts of mechanisms */
  mbs_elimination elimination;
};

/* Returns true if the work of an evaluation is worth sharing among threads. */
static inline bool mbs_is_large(const mbs_model *model) { return model->n_bodies >= MBS_LARGE; }

static inline bool mbs_is_point(const mbs_model *model, int body) {
  return body > 0 && model->inverse_mass[3 * body + 2] == 0;
}

/* Coordinates of all bodies that may move: point masses do not turn. */
static inline int mbs_n_movable(const mbs_model *model) { return 3 * model->n_bodies - model->n_points; }

/* Numbers that follow from the equations of motion and are controlled by tolerances: q, v, z. */
static inline size_t mbs_n_controlled(const mbs_model *model) {
  return 6 * (size_t)model->n_bodies + (size_t)model->n_states;
}

/* Returns true if a row is the one by which friction sticks. */
static inline bool mbs_is_hold(const mbs_model *model, int row) {
  const mbs_joint *joint = &model->joints[model->joint_of_row[row]];
  return joint->type->holds && row == joint->row + joint->type->n_rows - 1;
}

/* Returns true if the block of a state is laid out as those of the model are; false for NULL. */
bool mbs_state_fits(const mbs_model *model, const mbs_state *state);

/* Returns the kinetic energy of velocities v (3n), J. */
double mbs_kinetic_energy(const mbs_model *model, const double *v);

/* The body of a force element on one body and, unless NULL, its side there; SEAM_NONE for others. */
size_t mbs_single_body(const mbs_model *model, size_t force, int *side);

/* Fills what functions without a status return for a state that does not fit. x may be NULL. */
void mbs_fill_nan(double *x, size_t n);

/* SEAM_BAD_INPUT where it does not fit, or its time is not finite; `function` is the public one that was called. */
seam_status mbs_state_check(const char *function, const mbs_model *model, const mbs_state *state, seam_error *error);

/* Frames are those of the ground and the bodies, then those of the ports. */
static inline int mbs_frame_of_port(const mbs_model *model, int port) { return model->n_bodies + 1 + port; }
/* Negative: the frame is not that of a port. */
static inline int mbs_port_of_frame(const mbs_model *model, int frame) { return frame - model->n_bodies - 1; }

/* Motion of a joint's or force element's marker on side 0 or 1, with the bodies' q, v and a (3n each; a may be NULL:
 * second rates of zero). */
mbs_motion mbs_element_motion(const mbs_model *model, bool is_joint, size_t element, int side, const double *q,
                              const double *v, const double *a);

/* Fills what follows from bodies, `initial`, joints and forces, but for redundant constraints (see redundancy.h); adds
 * z to `initial`. SEAM_NO_MEMORY. */
seam_status mbs_model_finish(mbs_model *model, seam_error *error);

#endif
