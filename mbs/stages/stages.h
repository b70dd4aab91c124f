/* The stages of an evaluation: kinematics, forces, constraints, factors. Each stage reads from the workspace the
 * results of the stages before it.
 *
 * Sizes: n bodies, m scalar constraints; G (m x 3n) is the Jacobian. `weight` (3 (n + 1)) is the diagonal of W: three
 * zeros for the ground, then the entries for x, y, φ of each body. An entry 0 keeps its coordinate constant. */
#ifndef MBS_STAGES_H
#define MBS_STAGES_H

#include "mbs/model/workspace.h"

/* ---- Stage 1: kinematics ---- */

/* Finds the frames of all bodies at q (3n) with v (3n). */
void mbs_stage_kinematics(mbs_workspace *ws, const double *q, const double *v);
/* Updates only the velocities in the frames. */
void mbs_stage_rates(mbs_workspace *ws, const double *v);
/* Finds the frames of two bodies only. */
void mbs_stage_kinematics_of(mbs_workspace *ws, const int body[2], const double *q, const double *v);
/* Finds the frames of ports, the inputs of a subsystem (mbs/subsystem/subsystem.h), at time t. */
static inline void mbs_set_port_frames(mbs_workspace *ws, double t) {
  if (ws->port_inputs != NULL)
    ws->port_inputs->evaluate(ws->port_inputs->context, t, ws->frames + ws->model->n_bodies + 1);
}

/* ---- Stage 2: forces ---- */

/* Finds the forces Q and their powers at time t with states z (n_states). Also finds the frames of ports. */
void mbs_stage_forces(mbs_workspace *ws, double t, const double *z);
/* Fills power (n_work), W, after an evaluation: dissipated power, power of prescribed motions and other drives, power
 * of the load at each port. */
void mbs_powers(const mbs_workspace *ws, double *power);
/* Fills `rates` (n_states + n_work) with the rates of z and then the rates of work, after an evaluation. */
void mbs_rates(const mbs_workspace *ws, double *rates);

/* ---- Stage 3: constraints ---- */

/* Finds residuals g, Jacobian G and right-hand sides γ, f' of constraints at time t. */
void mbs_stage_constraints(mbs_workspace *ws, double t);
/* Finds only the residuals g. */
void mbs_stage_residuals(mbs_workspace *ws, double t);

/* Reads from z (n_states) the coordinates at which joints stick by friction. Also reads the modes of hard contacts, and
 * the coordinates at which they stick. Before the first call no joint sticks. */
void mbs_load_stick_states(mbs_workspace *ws, const double *z);
/* Releases all joints that stick by friction, until the next mbs_load_stick_states(). */
void mbs_release_stuck_joints(mbs_workspace *ws);
/* mbs_joint_row_coordinates() finds the relative coordinates of a joint's constraints, less their rest values.
 * mbs_curve_rows() finds the curvatures of these coordinates. The last constraint of a joint with hard friction keeps
 * the joint's coordinate constant while the joint sticks. Otherwise the results for this constraint are zero. */
void mbs_joint_row_coordinates(const mbs_workspace *ws, const mbs_joint *joint, const mbs_pair *pair,
                               mbs_relative_coordinate *s);
void mbs_curve_rows(const mbs_workspace *ws, const mbs_joint *joint, const mbs_pair *pair, mbs_curvature *c);

/* Finds y (m) = G v - f', the rates of the constraints at v; 0 for prescribed accelerations. */
void mbs_constraint_rate(mbs_workspace *ws, const double *v, double *y);
/* Finds y (m) = G x - less, with x (3n) and less (m). mbs_multiply_G() finds y = G x. */
void mbs_multiply_G_less(const mbs_workspace *ws, const double *x, const double *less, double *y);
void mbs_multiply_G(const mbs_workspace *ws, const double *x, double *y);
/* Adds scale times W Gᵀ y for y (m) to x (3n). */
void mbs_add_WGt(mbs_workspace *ws, const double *weight, double scale, const double *y, double *x);

/* Marks the results of stages 1 and 3 as those of *state. Until the next call of stage 1, mbs_has_stages() returns true
 * for a state with the same t, q, v and z. Does nothing if the stages depend on more than these: if there are ports,
 * hard contacts or hard friction, or if t is at a kink of a law of time. */
void mbs_mark_stages(mbs_workspace *ws, const mbs_state *state);
bool mbs_has_stages(const mbs_workspace *ws, const mbs_state *state);
/* Returns the address of the kinetic and the potential energy, J, of the state in mbs_mark_stages(). Both are NaN until
 * mbs_energy_evaluated() writes them. */
static inline double *mbs_stored_energies(const mbs_workspace *ws) {
  return ws->staged + 1 + mbs_n_controlled(ws->model);
}
/* Copies the results of stages 1 and 3 for *state from the workspace `from`, and calls mbs_mark_stages(). Does nothing
 * if mbs_mark_stages() would do nothing in one of the workspaces, or if their models differ. */
void mbs_copy_stages(mbs_workspace *ws, const mbs_workspace *from, const mbs_state *state);

/* ---- Stage 4: factors ---- */

/* Factorises S = G W Gᵀ, without redundant constraints. Returns -1 on success. Otherwise returns the number of a
 * constraint that depends on others; then there are no factors. */
int mbs_stage_factor(mbs_workspace *ws, const double *weight);
/* Solves S x = b with the last factors: x (m) has b on entry; on return it is 0 for redundant constraints. */
void mbs_solve(mbs_workspace *ws, double *x);
/* Does the same as mbs_stage_factor() followed by mbs_solve(); returns the result of mbs_stage_factor(). */
int mbs_factor_and_solve(mbs_workspace *ws, const double *weight, double *x);
/* Excludes constraint `row` from S before the factorisation: sets its diagonal entry in ws->solver to 1. The caller
 * must have set its other entries to zero. */
void mbs_exclude_row(mbs_workspace *ws, int row);
/* Excludes the stick constraints of all joints that do not stick from the matrix in `solver`. */
void mbs_exclude_free_rows(const mbs_workspace *ws, seam_ldl *solver);
/* Returns the largest absolute value of residuals or rates x (m) of constraints that are not redundant, m or m/s; NaN
 * if one of them is NaN. Angles are multiplied by the scale of length. */
double mbs_largest_row(const mbs_workspace *ws, const double *x);

/* Finds the accelerations a (3n) and multipliers lambda (m) by a load (6) on the two bodies of an element. Hard
 * contacts have no effect. The workspace must have the factors of S. */
void mbs_load_influence(mbs_workspace *ws, const mbs_force *force, const double load[6], double *a, double *lambda);
/* mbs_load_influence() consists of these two steps: the first adds to a the accelerations without joints, the second
 * changes a to those with joints and finds lambda. */
void mbs_add_free_influence(const mbs_model *model, const mbs_force *force, const double load[6], double *a);
void mbs_close_influence(mbs_workspace *ws, double *a, double *lambda);

/* Fails with SEAM_SINGULAR; the message says that scalar constraint `row` depends on others. */
seam_status mbs_singular(const mbs_model *model, double t, int row, seam_error *error);
/* Works like mbs_singular(), but for a pose that a motion has reached: fails with SEAM_BECAME_SINGULAR. */
seam_status mbs_became_singular(const mbs_model *model, double t, int row, seam_error *error);

#endif
