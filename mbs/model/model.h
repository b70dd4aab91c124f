/* Inside of the constant model. Bodies are numbered from 1; 0 is the ground, a frame at rest. The frames of ports
 * follow those of the bodies; only parts of mechanisms have ports: see subsystem.h. */
#ifndef MBS_MODEL_H
#define MBS_MODEL_H

#include <math.h>
#include <stdint.h>

#include <seam/mbs.h>

#include "mbs/model/elimination.h"
#include "mbs/model/event.h"
#include "mbs/model/force.h"
#include "mbs/model/joint.h"
#include "mbs/model/laws.h"
#include "mbs/model/measure.h"
#include "mbs/model/names.h"
#include "mbs/model/switching_modes.h"

struct mbs_model {
  int n_bodies; /* n, without ground */
  int n_joints;
  int n_forces;
  int n_frictions; /* friction elements of joints, last among the force elements; they have no names of their own */
  int n_rows;      /* m, scalar constraints */
  int n_ports;
  int n_states; /* z: states of force elements, variables, time of the last sample if any are sampled, modes */
  int n_work;   /* integrated energies: dissipated, driven in, and the work of each port's load */
  double gravity[2];
  const char **body_name; /* (n + 1) owned by `names` */
  double *mass;           /* (3 (n + 1)) m, m, J of each body; ground 0 */
  int n_nonholonomic;     /* rows that constrain velocities */
  double *inverse_mass;   /* (3 (n + 1)); 0 for the ground and for rotations of point masses */
  int n_points;           /* bodies without inertia, see point_masses.c */
  double *unit_weight;    /* (3 (n + 1)) 1; 0 where inverse_mass is 0 */
  double *gravity_load;   /* (3 (n + 1)) generalised forces of gravity */
  double *move_weight;    /* (3 (n + 1)) 1, 1, 1/size², ground 0: weights of metres and radians in assembly */
  uint64_t fingerprint;   /* of mbs_fingerprint(); 0 in parts of mechanisms */
  double size; /* m, largest distance of a joint's marker from its body's centre of mass; without any: scales.length */
  mbs_scales scales;      /* of the problem; a part has the scales of the whole */
  bool floats;            /* only applied forces and torques connect it with the ground */
  double duration;        /* s, length of a run; 0: not known */
  double *nominal;        /* (n_states) usual sizes of z */
  double *initial;        /* (6n + n_states) q, v and z as defined */
  double *placed;         /* (3n) q from which moves of assembly are measured; NULL in parts of mechanisms */
  bool *is_rough;         /* (n + 1) bodies that assembly moves first; NULL in parts of mechanisms */
  mbs_frame *port_frames; /* (n_ports) frames of ports until inputs drive them */
  mbs_joint *joints;      /* (n_joints) */
  mbs_force *forces;      /* (n_forces) */
  mbs_curve **curves;     /* (n_curves); NULL in parts of mechanisms, which use the curves of the whole */
  int n_curves;
  mbs_named_measure *measures;
  int n_measures;
  int n_measured; /* number of values of all measures */
  int max_inputs; /* largest number of inputs of an expression or response */
  mbs_laws laws;
  mbs_named_event *events;
  int n_events;
  int *stateful; /* (n_stateful) force elements with states, in ascending order */
  int n_stateful;
  mbs_switching_table switching;
  int *hard; /* (n_hard) force elements that are hard contacts, in ascending order */
  int n_hard;
  int n_segments;                /* elements that continue the rows of hard cables */
  int *joint_of_row;             /* (m) */
  mbs_joint_rows *joint_rows;    /* (n_joints) */
  mbs_joint_place *joint_places; /* (n_joints) */
  int *load_ends;  /* (2 n_forces at most) for each body, in the order of the force elements: indices of its loads in
                      ws->loads; only if the model is large */
  int *first_load; /* (n + 1) first entry in load_ends of each body, from 0 */
  mbs_joint_end *joint_ends; /* (2 n_joints at most) for each body, joints in ascending order; the ground has none */
  int *first_end;            /* (n + 1) first entry in joint_ends of each body, from 0 */
  int n_prescribed;          /* constraints of prescribed joints, which are the last rows */
  int n_stick_rows;          /* rows that keep a coordinate while friction sticks */
  int n_redundant;           /* constraints that follow from others in every pose */
  int *redundant;     /* (n_redundant) in ascending order; set aside: their multipliers are zero in every solve */
  bool *is_redundant; /* (m) the same as flags */
  double *row_unit;   /* (m) factor of a residual: the scale of length for angles, which makes them lengths, else 1 */
  int *cleared;       /* (n_cleared) indices of off-diagonal values in redundant rows and columns of S, set to 0 */
  int n_cleared;
  mbs_names *names; /* NULL in parts of mechanisms */
  mbs_elimination elimination;
};

/* Returns the largest |x_i| of poses, rates or accelerations x (3n), at least `least`; angles are multiplied by the
 * scale of length. */
static inline double mbs_largest_motion(const mbs_model *model, const double *x, double least) {
  for (int i = 0; i < 3 * model->n_bodies; i++)
    least = fmax(least, fabs(x[i]) * (i % 3 == 2 ? model->scales.length : 1));
  return least;
}

/* Returns true if the work of an evaluation is worth sharing among threads. */
static inline bool mbs_is_large(const mbs_model *model) { return model->n_bodies >= MBS_LARGE; }

static inline bool mbs_is_point(const mbs_model *model, int body) {
  return body > 0 && model->inverse_mass[3 * body + 2] == 0;
}

/* Returns the number of coordinates that may change: point masses do not turn. */
static inline int mbs_n_movable(const mbs_model *model) { return 3 * model->n_bodies - model->n_points; }

/* Returns the number of values that tolerances control: q, v, z. */
static inline size_t mbs_n_controlled(const mbs_model *model) {
  return 6 * (size_t)model->n_bodies + (size_t)model->n_states;
}

/* Returns the number of values that mbs_evaluate() finds, one after the other in a state: a, lambda, contact. */
static inline size_t mbs_n_evaluated(const mbs_model *model) {
  return 3 * (size_t)model->n_bodies + (size_t)model->n_rows + 2 * (size_t)model->n_hard;
}

/* Returns true if a row keeps a coordinate while friction sticks. */
static inline bool mbs_is_stick_row(const mbs_model *model, int row) {
  const mbs_joint *joint = &model->joints[model->joint_of_row[row]];
  return joint->type->can_stick && row == joint->row + joint->type->n_rows - 1;
}

/* Returns true if a state has the layout of the model's states; false for NULL. */
bool mbs_state_fits(const mbs_model *model, const mbs_state *state);

/* Returns the kinetic energy of velocities v (3n), J. */
double mbs_kinetic_energy(const mbs_model *model, const double *v);

/* Returns the only body of a force element and, unless NULL, its side; SEAM_NONE: the element has two bodies. */
size_t mbs_single_body(const mbs_model *model, size_t force, int *side);

/* Fills x with the NaN that functions without a status return for a state of another model. x may be NULL. */
void mbs_fill_nan(double *x, size_t n);

/* Returns SEAM_BAD_INPUT if the state has another layout, or its time is not finite; the message names `function`. */
seam_status mbs_state_check(const char *function, const mbs_model *model, const mbs_state *state, seam_error *error);

/* Frames are numbered: ground, bodies, ports. */
static inline int mbs_frame_of_port(const mbs_model *model, int port) { return model->n_bodies + 1 + port; }
/* Returns the port of a frame; negative: not a port's frame. */
static inline int mbs_port_of_frame(const mbs_model *model, int frame) { return frame - model->n_bodies - 1; }

/* Returns the motion of a joint's or force element's marker on side 0 or 1, with the bodies' q, v and a (3n each; a may
 * be NULL: second rates of zero). */
mbs_motion mbs_element_motion(const mbs_model *model, bool is_joint, size_t element, int side, const double *q,
                              const double *v, const double *a);

/* Fills all that follows from bodies, joints and forces, except redundant constraints (redundancy.h); adds z to
 * `initial`. SEAM_NO_MEMORY. */
seam_status mbs_model_finish(mbs_model *model, seam_error *error);

#endif
