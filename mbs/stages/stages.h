/* The stages of an evaluation: kinematics, forces, constraints, factors. Each stage reads results of the preceding
 * stages from the workspace.
 *
 * Sizes: n bodies, m scalar constraints; G (m x 3n) is the Jacobian. An array `weight` (3 (n + 1)) is the diagonal of
 * W: three zeros for the ground, then the entries for x, y, φ of each body (0: the coordinate is constant). */
#ifndef MBS_STAGES_H
#define MBS_STAGES_H

#include "mbs/model/workspace.h"

/* Reads from z (n_states) the coordinates at which joints stick by friction, and the modes of hard contacts with the
 * coordinates at which they stick. Before the first call no joint sticks. */
void mbs_load_stick_states(mbs_workspace *ws, const double *z);
/* Releases all joints that stick by friction, until the next mbs_load_stick_states(). */
void mbs_release_stuck_joints(mbs_workspace *ws);
/* mbs_joint_row_coordinates() finds the relative coordinates of a joint's constraints, less their rest values;
 * mbs_curve_rows() finds the curvatures of these coordinates. The last constraint of a joint with hard friction keeps
 * the joint's coordinate constant while the joint sticks. If the joint does not stick, both functions set the results
 * for this constraint to zero. */
void mbs_joint_row_coordinates(const mbs_workspace *ws, const mbs_joint *joint, const mbs_pair *pair,
                               mbs_relative_coordinate *s);
void mbs_curve_rows(const mbs_workspace *ws, const mbs_joint *joint, const mbs_pair *pair, mbs_curvature *c);

/* Stage 1, kinematics: frames of all bodies at q (3n) with v (3n). */
void mbs_stage_kinematics(mbs_workspace *ws, const double *q, const double *v);
/* Updates only the velocities in the frames of stage 1. */
void mbs_stage_rates(mbs_workspace *ws, const double *v);
/* Does stage 1 for two bodies only. */
void mbs_stage_kinematics_of(mbs_workspace *ws, const int body[2], const double *q, const double *v);
/* Stage 1 for ports, the inputs of a subsystem (mbs/subsystem/subsystem.h): evaluates their frames at time t. */
static inline void mbs_set_port_frames(mbs_workspace *ws, double t) {
  if (ws->port_inputs != NULL)
    ws->port_inputs->evaluate(ws->port_inputs->context, t, ws->frames + ws->model->n_bodies + 1);
}
/* Stage 2: forces at time t with states z (n_states); also sets the frames of ports. */
void mbs_stage_forces(mbs_workspace *ws, double t, const double *z);
/* Stage 3: residuals g, Jacobian G and right-hand sides γ, f' of constraints at time t. */
void mbs_stage_constraints(mbs_workspace *ws, double t);
/* Finds only the residuals g of stage 3. */
void mbs_stage_residuals(mbs_workspace *ws, double t);
/* Marks the kinematics and constraints in the workspace (stages 1 and 3) as those of *state. Until the next call of
 * stage 1 mbs_has_stages() returns true for a state with the same t, q, v and z. Does nothing if the stages depend on
 * more than these: if there are ports, hard contacts or hard friction, or if t is at a kink of a law of time. */
void mbs_mark_stages(mbs_workspace *ws, const mbs_state *state);
/* Returns the address of the kinetic and the potential energy, J, of the state in mbs_mark_stages(); both are NaN until
 * mbs_energy_evaluated() writes them. */
static inline double *mbs_stored_energies(const mbs_workspace *ws) {
  return ws->staged + 1 + mbs_n_controlled(ws->model);
}
bool mbs_has_stages(const mbs_workspace *ws, const mbs_state *state);
/* Copies the results of stages 1 and 3 for *state from the workspace `from`, and calls mbs_mark_stages(). Does nothing
 * if mbs_mark_stages() would do nothing in one of the workspaces, or if their models differ. */
void mbs_copy_stages(mbs_workspace *ws, const mbs_workspace *from, const mbs_state *state);
/* Stage 4: factorises S = G W Gᵀ, without redundant constraints, with W = diag(weight). Returns -1 on success.
 * Otherwise returns the number of a constraint that depends on others; then there are no factors. */
int mbs_stage_factor(mbs_workspace *ws, const double *weight);
/* Does the same as mbs_stage_factor() followed by mbs_solve(); returns the result of mbs_stage_factor(). */
int mbs_factor_and_solve(mbs_workspace *ws, const double *weight, double *x);
/* Excludes constraint `row` from S before the factorisation: sets its diagonal entry in ws->solver to 1. The caller
 * must have set its other entries to zero. */
void mbs_exclude_row(mbs_workspace *ws, int row);
/* Excludes the stick constraints of all joints that do not stick from the matrix in `solver`: sets their diagonal
 * entries to 1. */
void mbs_exclude_free_rows(const mbs_workspace *ws, seam_ldl *solver);
/* Solves S x = b with the last factors: x (m) has b on entry; on return it is 0 for redundant constraints. */
void mbs_solve(mbs_workspace *ws, double *x);
/* Returns the largest absolute value of residuals or rates x (m) of constraints that are not redundant, m or m/s; NaN
 * if one of them is NaN. Angles are multiplied by the scale of length. */
double mbs_largest_row(const mbs_workspace *ws, const double *x);

/* Finds y (m) = G v - f', the rates of the constraints at v; 0 for prescribed accelerations. */
void mbs_constraint_rate(mbs_workspace *ws, const double *v, double *y);

/* mbs_multiply_G() finds y (m) = G x for x (3n). mbs_multiply_G_less() finds y (m) = G x - less, with a vector `less`
 * (m). */
void mbs_multiply_G(const mbs_workspace *ws, const double *x, double *y);
void mbs_multiply_G_less(const mbs_workspace *ws, const double *x, const double *less, double *y);
/* Adds scale times W Gᵀ y for y (m) to x (3n), with W = diag(weight). */
void mbs_add_WGt(mbs_workspace *ws, const double *weight, double scale, const double *y, double *x);

/* mbs_add_free_influence() adds to a (3n) the accelerations that a load (6) on the two bodies of an element would cause
 * without joints. mbs_close_influence() changes a to the accelerations that the load causes with joints, and finds the
 * multipliers lambda (m). */
void mbs_add_free_influence(const mbs_model *model, const mbs_force *force, const double load[6], double *a);
void mbs_close_influence(mbs_workspace *ws, double *a, double *lambda);

#endif
