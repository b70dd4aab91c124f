/* Hard contacts as constraints in addition to those of the joints. Active rows are the normals of closed contacts and
 * the tangents of sticking ones. The functions expect the frames of the state in the workspace. */
#ifndef MBS_CONTACT_ROWS_H
#define MBS_CONTACT_ROWS_H

#include "mbs/stages/contact_kinematics.h"

/* SEAM_BAD_INPUT if the model has hard contacts, which `what` does not support. */
seam_status mbs_refuse_hard(const mbs_model *model, const char *what, seam_error *error);

/* Lists the active rows and factorises their matrix D (contact_rows.c); S must have been factorised. Returns false if
 * the rows are dependent, or if sliding friction jams. */
bool mbs_unilateral_factor(mbs_workspace *ws);
/* Finds contact forces such that the second rates of active rows become zero, and adds their effect to a (3n) and
 * lambda (m), which were found with joints alone. moved = true: second rates of gaps and slips include the terms
 * quadratic in velocities, and the contact forces are stored; false: second rates are row · a. */
void mbs_unilateral_add(mbs_workspace *ws, double *a, double *lambda, bool moved);
/* Works like mbs_unilateral_add(), for contact forces that change the second rates of active rows by the values given
 * in ws->unilateral->right. Returns these forces there. */
void mbs_unilateral_add_right(mbs_workspace *ws, double *a, double *lambda);
/* Reads the modes of contacts from the state, or finds all of them if the state has MBS_BY_MOTION (not known yet) for
 * some contact or `anew` is true. Factorises D. The state must have a = M⁻¹ Q, and the workspace G, γ and the factors
 * of S. SEAM_JAMMED. */
seam_status mbs_unilateral_begin(mbs_workspace *ws, const mbs_state *state, bool anew, seam_error *error);
/* Writes the tangential positions (mbs_contact_way()) of contacts that begin to stick into z, and those of all contacts
 * that stick into ws->unilateral->stuck_at. */
void mbs_unilateral_store_stick_coordinates(mbs_workspace *ws, double *z);
/* Returns true if the mode of a contact in the state is MBS_BY_MOTION, that is, to be found. */
bool mbs_has_free_modes(const mbs_workspace *ws, const mbs_state *state);
/* Stores the present modes of contacts. Returns true if is_kept, which says that modes were stored in an earlier pass,
 * and these equal the present ones. */
bool mbs_keep_modes(mbs_unilateral *self, bool is_kept);
/* Fails with SEAM_NOT_CONVERGED: no modes of contacts were found that agree with the friction of joints. */
seam_status mbs_modes_alternate(const mbs_workspace *ws, double t, seam_error *error);
/* Returns the largest over the smallest mass of the bodies that touch. */
double mbs_ratio_of_touching(const mbs_workspace *ws);
/* Fails with SEAM_JAMMED if this ratio of masses is so large that round-off hides the contact forces. */
seam_status mbs_check_touching_masses(const mbs_workspace *ws, double t, seam_error *error);
/* Fails with SEAM_JAMMED: the forces are not unique. The message names a contact. */
seam_status mbs_contacts_jam(const mbs_workspace *ws, double t, seam_error *error);
/* Returns the power that friction of the contacts dissipates, W. */
double mbs_unilateral_loss(const mbs_workspace *ws);
/* Returns the power that enters through contacts whose rows depend on time, such as a cable with a driven length, W. */
double mbs_unilateral_drive(const mbs_workspace *ws);
/* Fills contact (2n) with the forces of closed contacts, and 0 of open ones. */
void mbs_unilateral_forces(const mbs_workspace *ws, double *contact);
/* Works like mbs_project(), but the active rows for the modes in the workspace are constraints, too. */
seam_status mbs_project_contacts(mbs_workspace *ws, double t, double *q, double *v, seam_error *error);

/* Changes velocities until the rates of two-sided contacts are zero, by the least change in the norm of the masses that
 * does not change the rates of the joints' constraints. */
seam_status mbs_assemble_two_sided(mbs_workspace *ws, const mbs_state *state, seam_error *error);

/* Works like mbs_shake(), for joints and contacts. G and S in the workspace must be those at the beginning of the step,
 * t; they are not changed. q (3n) and v (3n) are those at its end, t + h, on entry and on return. */
void mbs_shake_contacts(mbs_workspace *ws, double t, double h, double *q, double *v);

/* In complementarity.c: fills the matrix A for the contacts in ws->unilateral->problem, from the factors of S and the
 * kinematics in touch[]. */
void mbs_frictional_fill(mbs_workspace *ws);
/* Solves the complementarity problem self->problem. */
seam_lcp_end mbs_frictional_solve(mbs_unilateral *self);

#endif
