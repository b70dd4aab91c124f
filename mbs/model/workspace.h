/* Scratch of one thread, filled by the stages of an evaluation. */
#ifndef MBS_WORKSPACE_H
#define MBS_WORKSPACE_H

#include <stdbool.h>

#include "mbs/model/model.h"

/* Inputs of a part of a mechanism: evaluate() writes the inputs at time t into the frames (n_ports) of the ports. */
typedef struct mbs_port_inputs {
  void (*evaluate)(void *context, double t, mbs_frame *ports);
  void *context;
} mbs_port_inputs;

/* Lengths of arrays are for n bodies and m constraints. */
struct mbs_workspace {
  const mbs_model *model;
  const worker_group *workers;        /* threads that share the work of the stages; NULL: one thread */
  struct mbs_unilateral *unilateral;  /* for hard contacts; NULL: the model has none */
  const mbs_port_inputs *port_inputs; /* NULL: the frames of ports do not change */
  struct {
    double from, to; /* s, times of two consecutive kinks; infinite, unless an integrator sets them */
  } smooth; /* range in which laws of time are smooth; they are evaluated at the time in this range nearest to t */

  /* Computed by mbs_load_stick_states(). */
  double *stuck_at; /* (n_joints) coordinate at which the joint sticks; NaN: it does not stick */

  /* Computed by mbs_stage_kinematics() and, for ports, mbs_set_port_frames(). */
  mbs_frame *frames; /* (n + 1 + n_ports) ground, bodies, ports */

  /* Set by mbs_mark_stages(): (3 + n_controlled) t, q, v, z of the state whose kinematics and constraints are in the
   * workspace; t is NaN if this state is not known. The last two entries are the kinetic and potential energy of this
   * state, NaN before mbs_energy_evaluated(). */
  double *staged;

  /* Computed by mbs_stage_forces(). */
  double *Q;           /* (3 (n + 1)) generalised forces; the ground's are not used */
  double *loads;       /* (6 n_forces) load of each force element; only in large models */
  double *z_rates;     /* (n_states) rates of force elements' states; mbs_stage_variables() sets those of variables */
  mbs_power power;     /* power of force elements; mbs_accelerate() adds that of prescribed motions */
  double *port_power;  /* (n_ports) power of each port's load on its body; mbs_accelerate() sets it for ports that
                          prescribe accelerations */
  double *port_wrench; /* (3 n_ports) wrench of the cut element on the marker of each port's frame */

  /* Computed by mbs_stage_constraints(). */
  double *g;               /* (m) residuals */
  double (*G)[6];          /* (m x 6) Jacobian, each row for the two bodies of its joint */
  double *gamma;           /* (m) right-hand sides of G a = γ */
  double *prescribed_rate; /* (m) right-hand sides of G v = f'; 0 if not rheonomic */

  /* Computed by mbs_stage_factor(). */
  seam_ldl *solver; /* factors, see elimination.h */

  /* Computed by mbs_read(). */
  double *measured;         /* (n_measured) values of measures */
  double *measured_changes; /* (n_measured) derivatives of the measures, by mbs_read_changes() */

  /* Computed by mbs_stage_laws() and mbs_close_loop(), or by mbs_respond(). */
  double *response;        /* (mbs_n_responses()) values of responses: laws, then variables */
  double *response_change; /* derivatives of the responses along a direction */

  /* Scratch. */
  mbs_switch *switches; /* (n_switches), see switches.c */
  double *inputs;       /* (max_inputs) inputs of one function */
  double *input_changes;
  double *zeros; /* (3n + m) zeros */
  double *unit;  /* (9n + n_states + m) zeros, except while a derivative is taken */
  struct {
    double *value, *error, *matrix; /* (n_loop, n_loop, n_loop²) */
    double *a, *lambda;             /* (3n, m) */
    double *gradient;               /* (n_columns of a response) */
    int *pivot;
  } loop;              /* scratch of mbs_close_loop() for late laws */
  double *row;         /* (m) right-hand sides, multipliers */
  double *correction;  /* (3 (n + 1)) */
  double *predicted_q; /* (3n) pose extrapolated from the motion, see approach.c */
  double *quotient;    /* (m) quotient of pivot and reference of each row, see approach.c */
  double *null_space;  /* (n_redundant x m) basis of the left null space of G, see hyperstatic.c */
};

/* Makes `workers` share the work of the stages. They must outlive the workspace, unless NULL replaces them first. */
void mbs_workspace_set_workers(mbs_workspace *ws, const worker_group *workers);

static inline double mbs_law_time(const mbs_workspace *ws, double t) {
  return t < ws->smooth.from ? ws->smooth.from : t > ws->smooth.to ? ws->smooth.to : t;
}

/* Returns u, the command of a force element with states: the value of its law of quantities, or of its law of time at
 * law_time. If it has only a law of quantities and `response` is NULL, returns 0.5: a spool in its middle position. */
static inline double mbs_command(const mbs_force *force, const double *response, double law_time) {
  if (force->law[0] >= 0 && response != NULL)
    return response[force->law[0]];
  const seam_law *law = &force->load[0];
  return law->value != NULL ? law->value(law->data, (double[2]){law_time, 0}) : 0.5;
}

/* Returns the argument z for a force element's load() and derivatives(): the element's entries in z or, if laws of
 * quantities give its load, `buffer`, filled with their values. A span that is not in the path of its cable gets the
 * stretch -∞. */
static inline const double *mbs_numbers(const mbs_workspace *ws, const mbs_force *force, const double *z,
                                        double buffer[2]) {
  if (!force->law_is_state_dependent || force->type->states != NULL)
    return z + force->state;
  for (int k = 0; k < 2; k++)
    buffer[k] = force->law[k] >= 0 ? ws->response[force->law[k]] : 0;
  if (force->cable != NULL && !mbs_cable_has(force, ws->frames, z)) {
    buffer[0] = -INFINITY;
    buffer[1] = 0;
  }
  return buffer;
}

/* Returns true if a row is left out of the constraints: it is redundant, or its joint does not stick. */
static inline bool mbs_is_excluded(const mbs_workspace *ws, int row) {
  const mbs_model *model = ws->model;
  return model->is_redundant[row] || (mbs_is_stick_row(model, row) && isnan(ws->stuck_at[model->joint_of_row[row]]));
}

/* i = 0..5 counts the coordinates (x, y, φ) of an element's first body, then of its second. mbs_coordinate() returns
 * the number of coordinate i among those of all bodies (3n). mbs_has_coordinate() returns false if i belongs to the
 * ground, which has no coordinates. */
static inline int mbs_coordinate(const int body[2], int i) { return 3 * (body[i / 3] - 1) + i % 3; }
static inline bool mbs_has_coordinate(const int body[2], int i) { return body[i / 3] != 0; }
/* Copies to `of` the six entries of x (3n) that belong to an element's two bodies; entries for the ground are zero. */
static inline void mbs_gather(const int body[2], const double *x, double of[6]) {
  for (int side = 0; side < 2; side++)
    for (int i = 0; i < 3; i++)
      of[3 * side + i] = body[side] == 0 ? 0 : x[3 * (body[side] - 1) + i];
}
static inline double mbs_dot6(const double a[6], const double b[6]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] + a[4] * b[4] + a[5] * b[5];
}

#endif
