/* Scratch of one thread, which the stages of an evaluation fill. */
#ifndef MBS_WORKSPACE_H
#define MBS_WORKSPACE_H

#include <stdbool.h>

#include "mbs/model/model.h"

/* Inputs of a part of a mechanism: writes the frames (n_ports) of its ports at time t. */
typedef struct mbs_port_inputs {
  void (*evaluate)(void *context, double t, mbs_frame *ports);
  void *context;
} mbs_port_inputs;

/* n bodies, m constraints. */
struct mbs_workspace {
  const mbs_model *model;
  const worker_group *workers;        /* whose threads share the stages; NULL: one thread */
  struct mbs_unilateral *unilateral;  /* of hard contacts; NULL: there are none */
  const mbs_port_inputs *port_inputs; /* NULL: ports stay as they are */
  struct {
    double from, to; /* between two kinks; everywhere, unless an integrator sets it */
  } smooth;          /* where laws of time are evaluated: at the nearest time in it, from the side of a step */

  /* Computed by mbs_load_stick_states(). */
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
    double *gradient;               /* (columns of a response) */
    int *pivot;
  } loop;             /* of late laws */
  double *row;        /* (m) right-hand sides, multipliers */
  double *correction; /* (3 (n + 1)) */
  double *ahead;      /* (3n) pose that the motion heads for, see approach.c */
  double *quotient;   /* (m) of each pivot and its reference, see approach.c */
  double *null_space; /* (n_redundant x m) combinations of constraints that are zero, see hyperstatic.c */
};

/* The workers outlive the workspace, or NULL takes its place before. */
void mbs_workspace_set_workers(mbs_workspace *ws, const worker_group *workers);

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

/* Returns what load() and derivatives() of a force element take as z: its states, or the values (own) of its laws, of a
 * span that a cable does not have now those of a slack one. */
static inline const double *mbs_numbers(const mbs_workspace *ws, const mbs_force *force, const double *z,
                                        double own[2]) {
  if (!force->law_is_state_dependent || force->type->states != NULL)
    return z + force->state;
  for (int k = 0; k < 2; k++)
    own[k] = force->law[k] >= 0 ? ws->response[force->law[k]] : 0;
  if (force->cable != NULL && !mbs_cable_has(force, ws->frames, z)) {
    own[0] = -1;
    own[1] = 0;
  }
  return own;
}

/* Returns true if a row is set aside: it is redundant, or its friction does not stick. */
static inline bool mbs_is_aside(const mbs_workspace *ws, int row) {
  const mbs_model *model = ws->model;
  return model->is_redundant[row] || (mbs_is_hold(model, row) && isnan(ws->held[model->joint_of_row[row]]));
}
/* The six numbers of an element's bodies in x (3n); the ground's are zero. */
static inline void mbs_gather(const int body[2], const double *x, double of[6]) {
  for (int side = 0; side < 2; side++)
    for (int i = 0; i < 3; i++)
      of[3 * side + i] = body[side] == 0 ? 0 : x[3 * (body[side] - 1) + i];
}
static inline double mbs_dot6(const double a[6], const double b[6]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] + a[4] * b[4] + a[5] * b[5];
}

#endif
