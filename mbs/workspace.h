/* Scratch of one thread, and the stages every evaluation is made of. Each stage reads what the ones before it wrote. */
#ifndef MBS_WORKSPACE_H
#define MBS_WORKSPACE_H

#include <stdbool.h>

#include "mbs/model.h"

/* What a part of a mechanism receives from the rest: `inputs` writes the frames (n_ports) of its ports at time t. */
typedef struct mbs_port_inputs {
  void (*evaluate)(void *context, double t, mbs_frame *ports);
  void *context;
} mbs_port_inputs;

struct mbs_workspace {
  const mbs_model *model;
  const mbs_port_inputs *port_inputs; /* NULL: ports stay as they are */
  mbs_frame *frames;       /* (n + 1 + n_ports) stage 1: where bodies are and how they move; ground first, ports last */
  double *Q;               /* (3 (n + 1)) stage 2: generalised forces; the ground's are of no use */
  double *z_rates;         /* (n_states) stage 2: rates of force elements' states */
  mbs_power power;         /*     stage 2; completed with the multipliers */
  double *port_power;      /* (n_ports) what the load of each port does on the body there; the same */
  double *port_wrench;     /* (3 n_ports) stage 2: of the cut element on the marker that a port's frame stands for */
  double *g;               /* (m) stage 3: residuals */
  double (*G)[6];          /* (m x 6) stage 3: Jacobian row by row, for the two bodies of its joint */
  double (*Jdot)[6];       /* (m x 6) stage 3: its rate */
  double *gamma;           /* (m) stage 3: G a = γ */
  double *prescribed_rate; /* (m) stage 3: G v = f', 0 but for driven joints */
  double *S;               /* stage 4: values of G W Gᵀ */
  seam_spd *solver;        /*     stage 4: its factors */
  double *row;             /* (m) right-hand sides, multipliers */
  double *correction;      /* (3 (n + 1)) */
  double *null_space;      /* (n_redundant x m) combinations of constraints that are zero, see redundancy.c */
};

/* Stage 1. q (3n), v (3n). */
void mbs_stage_kinematics(mbs_workspace *ws, const double *q, const double *v);
/* The same for the two bodies of one element only. */
void mbs_stage_kinematics_of(mbs_workspace *ws, const int body[2], const double *q, const double *v);
/* The frames of ports at time t; stages 2 and 3 use those of the last call. */
static inline void mbs_set_port_frames(mbs_workspace *ws, double t) {
  if (ws->port_inputs != NULL)
    ws->port_inputs->evaluate(ws->port_inputs->context, t, ws->frames + ws->model->n_bodies + 1);
}
/* Stage 2, at time t with states z (n_states); places the ports. */
void mbs_stage_forces(mbs_workspace *ws, double t, const double *z);
/* Stage 3, at time t. */
void mbs_stage_constraints(mbs_workspace *ws, double t);
/* Only g of stage 3. */
void mbs_stage_residuals(mbs_workspace *ws, double t);
/* Stage 4 with weights W (3 (n + 1)), redundant constraints set aside. Returns -1 or the constraint that depends on
 * others. */
int mbs_stage_factor(mbs_workspace *ws, const double *weight);
/* With these factors; x (m), zero for redundant constraints. */
void mbs_solve(mbs_workspace *ws, double *x);
/* Largest absolute value of x (m) over constraints that are not redundant; NaN when one is. */
double mbs_largest_row(const mbs_workspace *ws, const double *x);

/* y (m) = G v - f', the rate of the constraints; zero for prescribed ones. */
void mbs_constraint_rate(const mbs_workspace *ws, const double *v, double *y);

/* y (m) = G x for x (3n). */
void mbs_multiply_G(const mbs_workspace *ws, const double *x, double *y);
/* x (3n) += scale W Gᵀ y for y (m). */
void mbs_add_WGt(mbs_workspace *ws, const double *weight, double scale, const double *y, double *x);

/* All stages: mbs_evaluate() but for the choice among multipliers where constraints are redundant: theirs are zero. */
seam_status mbs_accelerate(mbs_workspace *ws, mbs_state *state, seam_error *error);

/* Powers (n_work) after an evaluation: dissipated, driven in, those of the ports. */
void mbs_powers(const mbs_workspace *ws, double *power);

/* Rates (n_states + n_work) of z and work, in the order of a state. */
void mbs_rates(const mbs_workspace *ws, double *rates);

/* mbs_accelerate() for v = 0 with laws of time frozen at state->t and z taken to rest there: what a released mechanism
 * would do. */
seam_status mbs_accelerate_at_rest(mbs_workspace *ws, mbs_state *state, seam_error *error);

/* Least changes, in the norm of the masses, that meet g = 0 for q (3n) and then G v = 0 for v (3n), to rounding.
 * SEAM_SINGULAR, SEAM_CONSTRAINT_LOST. */
seam_status mbs_project(mbs_workspace *ws, double t, double *q, double *v, seam_error *error);
/* The same at the end of a step whose last stage was the last evaluation: starts from its factors. */
seam_status mbs_project_step(mbs_workspace *ws, double t, double *q, double *v, seam_error *error);
/* Takes q (3n), v (3n) at the end of a step of length h from (t, q0, v0) to where the forces of constraints along G(q0)
 * bring it: q += h δ, v += δ with g = 0 for q; as near as one factorisation takes it. SEAM_SINGULAR. */
seam_status mbs_shake(mbs_workspace *ws, double t, double h, const double *q0, const double *v0, double *q, double *v,
                      seam_error *error);

/* SEAM_NOT_FINITE, naming the force element that is not, if one is. */
seam_status mbs_not_finite(mbs_workspace *ws, double t, const double *z, seam_error *error);

/* SEAM_SINGULAR with the names that belong to scalar constraint `row`. */
seam_status mbs_singular(const mbs_model *model, double t, int row, seam_error *error);

#endif
