/* Hard contacts act as constraints in addition to the joints. Each contact has a normal row N and a tangential row T:
 * the rate of its gap is N v, and its slip is T v. The second rate of a row is the acceleration of the gap, or the rate
 * of the slip. Active rows are the normal rows of closed contacts and the tangential rows of sticking contacts. The
 * functions expect the frames of the state in the workspace. */
#ifndef MBS_CONTACT_ROWS_H
#define MBS_CONTACT_ROWS_H

#include "mbs/model/forces/contact.h"
#include "mbs/stages/contact_kinematics.h"

/* Gap and slip of a contact, or of one segment of a hard cable. */
typedef struct mbs_gap_and_slip {
  mbs_relative_coordinate gap;
  mbs_slip slip;
} mbs_gap_and_slip;

/* Returns gap and slip of a segment. Fills *H, the second derivative of the gap, unless H is NULL. z: all states. */
mbs_gap_and_slip mbs_gap_and_slip_of(const mbs_workspace *ws, const mbs_force *segment, const double *z,
                                     mbs_curvature *H);

/* Fails with SEAM_BAD_INPUT if the model has hard contacts; the message says that `what` does not support them. */
seam_status mbs_refuse_hard(const mbs_model *model, const char *what, seam_error *error);

/* ---- Modes ---- */

/* Reads the modes of contacts from the state. If one is not known yet (MBS_BY_MOTION), or if `find_all` is true, finds
 * the modes of all contacts. Then lists the active rows and factorises their matrix D (contact_rows.c). The state must
 * have a = M⁻¹ Q, the workspace G, γ and the factors of S. SEAM_JAMMED: there are no forces, or no unique ones. */
seam_status mbs_unilateral_begin(mbs_workspace *ws, const mbs_state *state, bool find_all, seam_error *error);
/* Returns true if the mode of any contact in the state is MBS_BY_MOTION. */
bool mbs_has_free_modes(const mbs_workspace *ws, const mbs_state *state);
/* Writes into z the tangential positions (mbs_contact_tangential_position()) of contacts that begin to stick. Then
 * ws->unilateral->stuck_at receives the positions in z of all sticking contacts, and NaN for other contacts. */
void mbs_unilateral_store_stick_coordinates(mbs_workspace *ws, double *z);

/* Fills the matrix A of the complementarity problem for the contacts in ws->unilateral->problem. The workspace must
 * have the factors of S and the kinematics of the contacts. */
void mbs_frictional_fill(mbs_workspace *ws);
/* Solves the complementarity problem self->problem, and stores the results in its members f, rate and mode. */
seam_lcp_end mbs_frictional_solve(mbs_unilateral *self);
/* Returns the largest mass of the bodies that touch in the problem, divided by the smallest one. */
double mbs_ratio_of_touching(const mbs_workspace *ws);

/* ---- Forces ---- */

/* Finds multipliers lambda (m) and accelerations a (3n) of the constrained mechanism, with contact forces; on entry a
 * is M⁻¹ Q. The workspace must have kinematics, constraints and factors of the state. */
void mbs_solve_multipliers(mbs_workspace *ws, double *a, double *lambda);
/* Finds contact forces such that the second rates of active rows become zero. Adds their effect to a (3n) and lambda
 * (m), which were found with joints alone. with_velocity_terms = false: second rates are row · a only. true: they
 * include the terms quadratic in velocities, and ws->unilateral->force receives the contact forces. */
void mbs_unilateral_add(mbs_workspace *ws, double *a, double *lambda, bool with_velocity_terms);
/* Works like mbs_unilateral_add(), but finds contact forces that change the second rates of active rows by the values
 * in ws->unilateral->right (n_active). On return this array has the contact forces. */
void mbs_unilateral_add_right(mbs_workspace *ws, double *a, double *lambda);
/* Fills contact (2n) with the forces (λ_N, λ_T) of all contacts; they are 0 for open contacts. Adds to ws->power the
 * power, W, that friction of the contacts dissipates. Also adds the power that contacts supply whose gap depends on
 * time itself, such as a cable with a prescribed free length. */
void mbs_unilateral_read(mbs_workspace *ws, double *contact);

/* ---- Projection ---- */

/* Works like mbs_project(), but also projects onto the active rows that follow from the modes in the workspace. */
seam_status mbs_project_contacts(mbs_workspace *ws, double t, double *q, double *v, seam_error *error);
/* Makes the rates of two-sided contacts zero, and keeps those of joints, by the least change in the norm of masses. */
seam_status mbs_assemble_two_sided(mbs_workspace *ws, const mbs_state *state, seam_error *error);
/* Works like mbs_shake(), for joints and contacts: corrects q (3n) and v (3n) at the end of a step of length h from t.
 * The workspace must have G and S at the beginning of the step, and keeps them. */
void mbs_shake_contacts(mbs_workspace *ws, double t, double h, double *q, double *v);

#endif
