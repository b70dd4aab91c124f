/* Scratch of one thread, and the stages of every evaluation: kinematics, forces, constraints, factors. Each stage reads
 * what the ones before it wrote. */
#ifndef MBS_WORKSPACE_H
#define MBS_WORKSPACE_H

#include <stdbool.h>

#include "mbs/model.h"

/* Inputs of a part of a mechanism: writes the frames (n_ports) of its ports at time t. */
typedef struct mbs_port_inputs {
  void (*evaluate)(void *context, double t, mbs_frame *ports);
  void *context;
} mbs_port_inputs;

/* n bodies, m constraints. */
struct mbs_workspace {
  const mbs_model *model;
  const thread_crew *crew;            /* whose threads share the stages; NULL: one thread */
  struct mbs_unilateral *unilateral;  /* of hard contacts; NULL: there are none */
  const mbs_port_inputs *port_inputs; /* NULL: ports stay as they are */
  struct {
    double from, to; /* between two kinks; everywhere, unless an integrator sets it */
  } smooth;          /* where laws of time are evaluated: at the nearest time in it, from the side of a step */

  /* Computed by mbs_take_holds(). */
  double *held; /* (n_joints) coordinate that sticks; NaN: it is free */

  /* Computed by mbs_stage_kinematics() and, for ports, mbs_set_port_frames(). */
  mbs_frame *frames; /* (n + 1 + n_ports) poses and their rates: ground, bodies, ports */

  /* Set by mbs_keep_stages(): (3 + n_controlled) t, q, v, z of the state that stages 1 and 3 are of, and its kinetic
   * and potential energy, if mbs_energy_at_hand() was called; t is NaN where no state is known. */
  double *staged;

  /* Computed by mbs_stage_forces(). */
  double *Q;           /* (3 (n + 1)) generalised forces; those of the ground are not used */
  double *loads;       /* (6 n_forces) of each force element, where several threads find them */
  double *z_rates;     /* (n_states) rates of force elements' states */
  mbs_power power;     /* of force elements; mbs_accelerate() adds that of prescribed motions */
  double *port_power;  /* (n_ports) of each port's load on the body there; mbs_accelerate() sets that of multipliers */
  double *port_wrench; /* (3 n_ports) of the cut element on the marker that a port's frame stands for */

  /* Computed by mbs_stage_constraints(). */
  double *g;               /* (m) residuals */
  double (*G)[6];          /* (m x 6) Jacobian row by row, for the two bodies of its joint */
  double *gamma;           /* (m) G a = γ */
  double *prescribed_rate; /* (m) G v = f'; 0 but for rheonomic joints */

  /* Computed by mbs_stage_factor(). */
  seam_ldl *solver; /* factors, see elimination.h */

  /* Computed by mbs_read(). */
  double *measured;         /* (n_measured) values of measures */
  double *measured_changes; /* (n_measured) their derivatives, by mbs_read_changes() */

  /* Computed by mbs_stage_laws() and mbs_close_loop(), or by mbs_respond(). */
  double *response;        /* (laws, variables) */
  double *response_change; /* their derivatives, by mbs_respond_along() */

  /* Scratch. */
  mbs_switch *switches; /* (n_switches), see switches.c */
  double *inputs;       /* (max_inputs) of an expression */
  double *input_changes;
  double *still; /* (3n + m) zeros */
  double *unit;  /* (9n + n_states + m) zeros but while a derivative is taken */
  struct {
    double *value, *error, *matrix; /* (n_loop, n_loop, n_loop²) */
    double *a, *lambda;             /* (3n, m) */
    int *pivot;
  } loop; /* of late laws */
  struct {
    double *z, *matrix, *gradient; /* (variables, variables², columns of a response) */
    int *pivot;
  } rest;             /* of variables */
  double *row;        /* (m) right-hand sides, multipliers */
  double *correction; /* (3 (n + 1)) */
  double *ahead;      /* (3n) pose that the motion heads for, see approach.c */
  double *quotient;   /* (m) of each pivot and its reference, see approach.c */
  double *null_space; /* (n_redundant x m) combinations of constraints that are zero, see hyperstatic.c */
};

/* The crew outlives the workspace, or NULL takes its place before. */
void mbs_workspace_set_crew(mbs_workspace *ws, const thread_crew *crew);

static inline double mbs_law_time(const mbs_workspace *ws, double t) {
  return t < ws->smooth.from ? ws->smooth.from : t > ws->smooth.to ? ws->smooth.to : t;
}

/* Value of the law of a force element with states: of quantities, or of time; in the middle where it is not known. */
static inline double mbs_command(const mbs_force *force, const double *response, double law_time) {
  if (force->law[0] >= 0 && response != NULL)
    return response[force->law[0]];
  const seam_law *law = &force->load[0];
  return law->value != NULL ? law->value(law->data, (double[2]){law_time, 0}) : 0.5;
}

/* What load() and derivatives() of a force element take as z: its states, or the values (own) of its laws. */
static inline const double *mbs_numbers(const mbs_workspace *ws, const mbs_force *force, const double *z,
                                        double own[2]) {
  if (!force->law_follows || force->type->states != NULL)
    return z + force->state;
  for (int k = 0; k < 2; k++)
    own[k] = force->law[k] >= 0 ? ws->response[force->law[k]] : 0;
  return own;
}

/* What sticks in a state with z (n_states), and what motions follow there; where no state was taken nothing sticks, and
 * they follow that of the start. */
void mbs_take_holds(mbs_workspace *ws, const double *z);
/* Nothing sticks. */
void mbs_release_holds(mbs_workspace *ws);
/* Whether a row is set aside: it is redundant, or its friction does not stick. */
static inline bool mbs_is_aside(const mbs_workspace *ws, int row) {
  const mbs_model *model = ws->model;
  return model->is_redundant[row] || (mbs_is_hold(model, row) && isnan(ws->held[model->joint_of_row[row]]));
}
/* The rows of a joint, as mbs_joint_measure() and curvature(), zero where they are free to slip. */
void mbs_measure_rows(const mbs_workspace *ws, const mbs_joint *joint, const mbs_pair *pair, mbs_measure *s);
void mbs_curve_rows(const mbs_workspace *ws, const mbs_joint *joint, const mbs_pair *pair, mbs_curvature *c);

/* Stage 1, kinematics: frames of all bodies at q (3n) with v (3n). */
void mbs_stage_kinematics(mbs_workspace *ws, const double *q, const double *v);
/* Only what v (3n) is in stage 1. */
void mbs_stage_rates(mbs_workspace *ws, const double *v);
/* Stage 1 for the two bodies of one element only. */
void mbs_stage_kinematics_of(mbs_workspace *ws, const int body[2], const double *q, const double *v);
/* Stage 1 for ports, at time t. */
static inline void mbs_set_port_frames(mbs_workspace *ws, double t) {
  if (ws->port_inputs != NULL)
    ws->port_inputs->evaluate(ws->port_inputs->context, t, ws->frames + ws->model->n_bodies + 1);
}
/* Stage 2, forces at time t with states z (n_states) of force elements; sets the frames of ports. */
void mbs_stage_forces(mbs_workspace *ws, double t, const double *z);
/* Stage 3, constraints at time t. */
void mbs_stage_constraints(mbs_workspace *ws, double t);
/* Only g of stage 3. */
void mbs_stage_residuals(mbs_workspace *ws, double t);
/* Right after stages 1 and 3 of a state: until the next stage 1 who reads the same state need not repeat them. Where
 * they depend on more than q, v, z and t, nothing is kept. */
void mbs_keep_stages(mbs_workspace *ws, const mbs_state *state);
/* Kinetic and potential energy of these stages; NaN until somebody writes them there. */
static inline double *mbs_kept_energies(const mbs_workspace *ws) {
  return ws->staged + 1 + mbs_n_controlled(ws->model);
}
bool mbs_has_stages(const mbs_workspace *ws, const mbs_state *state);
/* The same from another workspace of the model, with stages 1 and 3 of the state. */
void mbs_take_stages(mbs_workspace *ws, const mbs_workspace *from, const mbs_state *state);
/* Stage 4, factors of S = G W Gᵀ for weights W (3 (n + 1)), without redundant constraints. Returns -1, or the number of
 * a constraint that depends on others. */
int mbs_stage_factor(mbs_workspace *ws, const double *weight);
/* The same, then S x = b as mbs_solve(). */
int mbs_factor_and_solve(mbs_workspace *ws, const double *weight, double *x);
/* Before the factors of a matrix in which the row has no other entries: makes its diagonal 1. */
void mbs_set_aside(mbs_workspace *ws, int row);
/* The same for all friction that does not stick, in a solver. */
void mbs_set_free_aside(const mbs_workspace *ws, seam_ldl *solver);
/* S x = b with these factors: x (m) holds b on entry; zero for redundant constraints. */
void mbs_solve(mbs_workspace *ws, double *x);
/* Largest absolute value of x (m) over constraints that are not redundant; NaN when one is. */
double mbs_largest_row(const mbs_workspace *ws, const double *x);

/* y (m) = G v - f', the rate of the constraints, f' that of v; zero for prescribed ones. */
void mbs_constraint_rate(mbs_workspace *ws, const double *v, double *y);

/* y (m) = G x for x (3n); less `less` (m). */
void mbs_multiply_G(const mbs_workspace *ws, const double *x, double *y);
void mbs_multiply_G_less(const mbs_workspace *ws, const double *x, const double *less, double *y);
/* x (3n) += scale W Gᵀ y for y (m). */
void mbs_add_WGt(mbs_workspace *ws, const double *weight, double scale, const double *y, double *x);

/* All stages: as mbs_evaluate(), but multipliers of redundant constraints are zero. */
seam_status mbs_accelerate(mbs_workspace *ws, mbs_state *state, seam_error *error);

/* The same with the modes of hard contacts found anew, whatever the state says. */
seam_status mbs_accelerate_anew(mbs_workspace *ws, mbs_state *state, seam_error *error);

/* With kinematics, factors and forces at hand: a and lambda of the constrained mechanism. */
void mbs_solve_multipliers(mbs_workspace *ws, double *a, double *lambda);
/* With factors at hand: what a load (6) of an element does to a (3n) and lambda (m), without hard contacts. */
void mbs_load_influence(mbs_workspace *ws, const mbs_force *force, const double load[6], double *a, double *lambda);

/* As mbs_evaluate() right after mbs_project() of this state: its poses and factors are there, the latter so near that
 * one correction takes what they are off by. */
seam_status mbs_evaluate_projected(mbs_workspace *ws, mbs_state *state, seam_error *error);

/* Powers (n_work) after an evaluation: dissipated, driven in, those of the ports. */
void mbs_powers(const mbs_workspace *ws, double *power);

/* Rates (n_states + n_work) of z and work, in the order of a state. */
void mbs_rates(const mbs_workspace *ws, double *rates);

/* Accelerations of the mechanism released from rest, with time-dependent laws frozen at state->t and z at rest. */
seam_status mbs_accelerate_at_rest(mbs_workspace *ws, mbs_state *state, seam_error *error);
/* The same for variables as they are; z of force elements is at rest. */
seam_status mbs_accelerate_held(mbs_workspace *ws, mbs_state *state, seam_error *error);

/* Least changes, in the norm of the masses, that meet g = 0 for q (3n) and then G v = 0 for v (3n), to rounding.
 * SEAM_SINGULAR, SEAM_CONSTRAINT_LOST. */
seam_status mbs_project(mbs_workspace *ws, double t, double *q, double *v, seam_error *error);
/* Projects a start that deviates a little, by up to 1e-6 of the largest coordinate and rate; SEAM_BAD_INPUT: it
 * deviates more. What meets the constraints already keeps its bits. */
seam_status mbs_make_consistent(mbs_workspace *ws, double t, double *q, double *v, seam_error *error);
/* The same at the end of a step whose last stage was the last evaluation: starts from its factors. */
seam_status mbs_project_step(mbs_workspace *ws, double t, double *q, double *v, bool *of_rounding, seam_error *error);
/* SHAKE: corrects q (3n), v (3n) at the end of a step of length h from (t, q0, v0) by forces of constraints along
 * G(q0): q += h δ, v += δ with g = 0 for q, as near as one factorisation takes it. SEAM_SINGULAR. */
seam_status mbs_shake(mbs_workspace *ws, double t, double h, const double *q0, const double *v0, double *q, double *v,
                      seam_error *error);

/* mbs_reaction() of a joint where frames and constraints are in the workspace. */
void mbs_reaction_at_hand(const mbs_workspace *ws, const mbs_state *state, int joint, double wrench[3]);
/* A measure, its rate and second rate, with the bodies' second rates a (3n); frames are in the workspace. */
void mbs_measure_motion(const mbs_measure *measure, const mbs_pair *pair, const int body[2], const double *a,
                        double motion[3]);
/* Kinetic energy and potential energy of gravity of a body, from 0; their derivatives along a direction that is not
 * NULL.
 */
void mbs_body_energies(const mbs_workspace *ws, const mbs_state *state, const mbs_direction *along, int body,
                       double energies[2]);
/* Of the potential energy of a force element; 0 where it has none. */
double mbs_potential_change(const mbs_workspace *ws, const mbs_direction *along, int number);
/* The six numbers of an element's bodies in x (3n); the ground's are zero. */
static inline void mbs_gather(const int body[2], const double *x, double of[6]) {
  for (int side = 0; side < 2; side++)
    for (int i = 0; i < 3; i++)
      of[3 * side + i] = body[side] == 0 ? 0 : x[3 * (body[side] - 1) + i];
}
static inline double mbs_dot6(const double a[6], const double b[6]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] + a[4] * b[4] + a[5] * b[5];
}
/* δs = J δq, δṡ = J̇ δq + J δv, δs̈ = (T + H a) δq + 2 J̇ δv + J δa. */
void mbs_measure_motion_change(const mbs_measure *measure, const mbs_curvature *curvature, const int body[2],
                               const double *a, const mbs_direction *along, double changes[3]);
/* Of a measure and its rate. */
void mbs_gap_change(const mbs_measure *measure, const int body[2], const mbs_direction *along, double changes[2]);
/* Of mbs_wrench_at(): the body turns by dphi, the forces change by dQ (3). */
void mbs_wrench_change(const mbs_frame *frame, mbs_vector marker, const double Q[3], double dphi, const double dQ[3],
                       double changes[3]);
/* Of mbs_reaction_at_hand(). */
void mbs_reaction_change(const mbs_workspace *ws, const mbs_state *state, const mbs_direction *along, int joint,
                         double changes[3]);
/* Of |u|, where u changes by du: none where u = 0, but for du = 0. */
static inline double mbs_length_change(mbs_vector u, mbs_vector du) {
  const double length = hypot(u.x, u.y);
  return length > 0 ? mbs_dot(u, du) / length : du.x == 0 && du.y == 0 ? 0 : NAN;
}
/* How far a frame of the ground or of a body turns. */
static inline double mbs_turn_of(const mbs_direction *along, int body) {
  return body == 0 ? 0 : along->q[3 * (body - 1) + 2];
}
/* Components of u along the axes of a frame, and their changes where u changes by du and the frame turns by dphi. */
static inline mbs_vector mbs_components(const mbs_frame *axes, mbs_vector u) {
  return (mbs_vector){axes->cos * u.x + axes->sin * u.y, axes->cos * u.y - axes->sin * u.x};
}
static inline mbs_vector mbs_components_change(const mbs_frame *axes, mbs_vector u, mbs_vector du, double dphi) {
  const mbs_vector c = mbs_components(axes, u);
  const mbs_vector d = mbs_components(axes, du);
  return (mbs_vector){d.x + c.y * dphi, d.y - c.x * dphi};
}
/* A generalised force Q (3) on a body as the wrench at a marker. */
void mbs_wrench_at(const mbs_frame *frame, mbs_vector marker, const double Q[3], double wrench[3]);
/* P of Q = P Jᵀ. */
double mbs_push(const double J[6], const double Q[6]);
/* mbs_energy_of() a state whose frames are in the workspace. */
mbs_energy mbs_energy_at_hand(const mbs_workspace *ws, const mbs_state *state);

/* SEAM_NOT_FINITE, naming the force element that is not, if one is. */
seam_status mbs_not_finite(mbs_workspace *ws, double t, const double *z, seam_error *error);

/* SEAM_SINGULAR with the names that belong to scalar constraint `row`. */
seam_status mbs_singular(const mbs_model *model, double t, int row, seam_error *error);
/* The same on the way: SEAM_BECAME_SINGULAR. */
seam_status mbs_became_singular(const mbs_model *model, double t, int row, seam_error *error);

#endif
