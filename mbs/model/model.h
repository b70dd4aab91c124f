/* Fields of the constant model. Bodies are numbered from 1; body 0 is the ground, which is at rest. Arrays of frames
 * contain the ground, the bodies, then the ports. Only a part that was cut from a mechanism (mbs/subsystem/subsystem.h)
 * has ports. */
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
#include "mbs/model/switching_modes.h"

/* ---- Names of bodies, joints, forces, measures, events and variables, unique among all of them ---- */

typedef enum mbs_name_kind {
  MBS_NAME_BODY,
  MBS_NAME_JOINT,
  MBS_NAME_FORCE,
  MBS_NAME_MEASURE,
  MBS_NAME_EVENT,
  MBS_NAME_VARIABLE
} mbs_name_kind;

typedef struct mbs_name {
  const char *text;
  mbs_name_kind kind;
  int index; /* -1: the ground */
} mbs_name;

/* A hash table; NULL counts as an empty table. */
typedef struct mbs_names mbs_names;

/* Returns NULL when memory is exhausted. */
mbs_names *mbs_names_create(void);
void mbs_names_destroy(mbs_names *names);

/* Finds a name by its text; NULL: there is no such name. The result is valid until the next name is added. */
const mbs_name *mbs_names_find(const mbs_names *names, const char *text);
/* Does the same as mbs_names_find() for the first `length` characters of a text. */
const mbs_name *mbs_names_find_part(const mbs_names *names, const char *text, size_t length);
/* Returns name `number` (from 0) in the order in which names were added; NULL: there are not so many names. */
const mbs_name *mbs_names_at(const mbs_names *names, size_t number);
/* Adds a name, which must be new, with a copy of the text that stays valid. Returns NULL when memory is exhausted. */
const mbs_name *mbs_names_add(mbs_names *names, const char *text, mbs_name_kind kind, int index);

/* ---- The model ---- */

struct mbs_model {
  int n_bodies; /* n, number of bodies without the ground */
  int n_joints;
  int n_forces;
  int n_frictions; /* number of friction elements of joints, the last force elements; they have the names of their
                      joints */
  int n_rows;      /* m, number of scalar constraints */
  int n_ports;
  int n_states; /* length of z: states of force elements, variables, time of the last sample (if any variable is
                   sampled), modes */
  int n_work;   /* number of integrated energies: dissipated, driven in, work of each port's load */
  double gravity[2];
  const char **body_name;  /* (n + 1) owned by `names` */
  double *mass;            /* (3 (n + 1)) m, m, J of each body; ground 0 */
  int n_nonholonomic;      /* number of rows that constrain only velocities */
  double *inverse_mass;    /* (3 (n + 1)); 0 for the ground and for rotations of point masses */
  int n_points;            /* number of bodies with a mass but no moment of inertia, see mbs/build/model_finish.c */
  double *unit_weight;     /* (3 (n + 1)) all 1, except 0 where inverse_mass is 0 */
  double *gravity_load;    /* (3 (n + 1)) generalised forces of gravity */
  double *assembly_weight; /* (3 (n + 1)) 1, 1, 1/size²; 0 where inverse_mass is 0. Weights of displacements in
                              assembly: a larger weight allows larger displacements, the weight 0 allows none */
  double *drift_weight; /* (3 (n + 1)) 1, 1, 1/r² of each body: weights of displacements in corrections of drift. r: its
                           radius of gyration or, if larger, the distance of its farthest joint marker */
  uint64_t fingerprint; /* result of mbs_fingerprint(); 0 in parts of mechanisms */
  double size; /* m, largest distance of a joint's marker from its body's centre of mass; scales.length if all are 0 */
  mbs_scales scales; /* scales of the problem; a part has those of the mechanism from which it was cut */
  bool floats;       /* only applied forces and torques act between the mechanism and the ground */
  double duration;   /* s, duration of a run; 0: not known */
  double *nominal;   /* (n_states) typical sizes of z */
  double *initial;   /* (6n + n_states) q, v and z as defined */
  double *placed;    /* (3n) q before assembly, to report its displacements; NULL in parts of mechanisms */
  bool *is_rough;    /* (n + 1) true: the pose is approximate, and assembly displaces this body first; NULL in parts of
                        mechanisms */
  mbs_frame *port_frames; /* (n_ports) initial frames of ports, until inputs set them */
  mbs_joint *joints;      /* (n_joints) */
  mbs_force *forces;      /* (n_forces) */
  mbs_curve **curves; /* (n_curves); NULL in parts, which use the curves of the mechanism from which they were cut */
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
  int n_segments;                     /* number of spans of hard cables except the first of each cable */
  int *joint_of_row;                  /* (m) number of the joint to which each row belongs */
  mbs_joint_rows *joint_rows;         /* (n_joints) */
  mbs_joint_geometry *joint_geometry; /* (n_joints) */
  int *load_ends;  /* (2 n_forces at most) indices in ws->loads of the loads on bodies, sorted by body, then by force
                      element; only if the model is large */
  int *first_load; /* (n + 1) first entry in load_ends of each body; bodies count from 0 here */
  mbs_joint_end *joint_ends; /* (2 n_joints at most) sorted by body, then by joint; the ground has none */
  int *first_end;            /* (n + 1) first entry in joint_ends of each body; bodies count from 0 here */
  int n_prescribed;          /* number of rows of prescribed joints; these are the last rows */
  int n_stick_rows;          /* number of rows that keep a coordinate constant while a joint sticks */
  int n_redundant;           /* number of constraints that follow from others in every pose */
  int *redundant; /* (n_redundant) numbers of the redundant rows, ascending; these rows are left out, with multipliers
                     of zero */
  bool *is_redundant; /* (m) true for redundant rows */
  bool *row_is_angle; /* (m) true: the residual is an angle; false: a length */
  int *cleared; /* (n_cleared) indices of off-diagonal values of S = G M⁻¹ Gᵀ in redundant rows and columns: set to 0 */
  int n_cleared;
  mbs_names *names; /* NULL in parts of mechanisms */
  mbs_elimination elimination;
};

/* Returns the largest |x_i| of positions, velocities or accelerations x (3n), but at least `least`; angles are
 * multiplied by the scale of length. */
static inline double mbs_largest_motion(const mbs_model *model, const double *x, double least) {
  for (int i = 0; i < 3 * model->n_bodies; i++)
    least = fmax(least, fabs(x[i]) * (i % 3 == 2 ? model->scales.length : 1));
  return least;
}

/* Returns true if a model is large enough for threads to share the work of an evaluation. */
static inline bool mbs_is_large(const mbs_model *model) { return model->n_bodies >= MBS_LARGE; }

static inline bool mbs_is_point(const mbs_model *model, int body) {
  return body > 0 && model->inverse_mass[3 * body + 2] == 0;
}

/* Returns the number of coordinates that may change: all except the angles of point masses. */
static inline int mbs_n_movable(const mbs_model *model) { return 3 * model->n_bodies - model->n_points; }

/* Returns the number of values whose errors tolerances control: those of q, v and z. */
static inline size_t mbs_n_controlled(const mbs_model *model) {
  return 6 * (size_t)model->n_bodies + (size_t)model->n_states;
}

/* Returns the number of values that mbs_evaluate() finds: a, lambda and contact, which are consecutive in a state. */
static inline size_t mbs_n_evaluated(const mbs_model *model) {
  return 3 * (size_t)model->n_bodies + (size_t)model->n_rows + 2 * (size_t)model->n_hard;
}

/* Returns true if a row keeps the coordinate of its joint constant while the joint sticks. */
static inline bool mbs_is_stick_row(const mbs_model *model, int row) {
  const mbs_joint *joint = &model->joints[model->joint_of_row[row]];
  return joint->type->can_stick && row == joint->row + joint->type->n_rows - 1;
}

/* Returns the reference value of a scalar constraint's residual: the size of the mechanism, m, or 1 rad for an
 * angle. */
static inline double mbs_unit_of_row(const mbs_model *model, int row) {
  return model->row_is_angle[row] ? 1 : model->size;
}

/* Returns true if a state has the layout of the model's states; false for NULL. */
bool mbs_state_fits(const mbs_model *model, const mbs_state *state);

/* Returns the kinetic energy of velocities v (3n), J. */
double mbs_kinetic_energy(const mbs_model *model, const double *v);

/* Returns the only body, apart from the ground, on which a force element acts; SEAM_NONE: it acts on two. *side (may be
 * NULL): side of the element, 0 or 1, on which this body is. */
size_t mbs_single_body(const mbs_model *model, size_t force, int *side);

/* Fills x (n; may be NULL) with NaN. Functions that return no status call it if a state belongs to another model. */
void mbs_fill_nan(double *x, size_t n);

/* SEAM_BAD_INPUT: the state does not have the layout of the model's states, or its time is not finite. `function`: name
 * of the public function, for the message. */
seam_status mbs_state_check(const char *function, const mbs_model *model, const mbs_state *state, seam_error *error);

/* Frames are numbered: ground, bodies, ports. */
static inline int mbs_frame_of_port(const mbs_model *model, int port) { return model->n_bodies + 1 + port; }
/* Returns the port of a frame; negative: not a port's frame. */
static inline int mbs_port_of_frame(const mbs_model *model, int frame) { return frame - model->n_bodies - 1; }

/* Returns the motion of the marker on side 0 or 1 of a joint or force element; q, v and a (3n each) are those of all
 * bodies. If a is NULL, the second rates of the result are zero. */
mbs_motion mbs_element_motion(const mbs_model *model, bool is_joint, size_t element, int side, const double *q,
                              const double *v, const double *a);

/* Fills all fields that follow from bodies, joints and forces, and z in `initial`. Redundant constraints are found
 * later (assembly.h). SEAM_NO_MEMORY, or SEAM_BAD_INPUT of mbs_check_hard(). */
seam_status mbs_model_finish(mbs_model *model, seam_error *error);

#endif
