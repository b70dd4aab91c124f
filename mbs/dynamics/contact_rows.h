/* Rows of hard contacts that hold, on top of the joints; frames are in the workspace. */
#ifndef MBS_CONTACT_ROWS_H
#define MBS_CONTACT_ROWS_H

#include "mbs/stages/contact_kinematics.h"

/* SEAM_BAD_INPUT if the model has hard contacts, which `what` does not support. */
seam_status mbs_refuse_hard(const mbs_model *model, const char *what, seam_error *error);

/* Lists the rows that hold and factorises D (contact_rows.c); S is factorised. False: the rows are dependent, or
 * sliding friction jams. */
bool mbs_unilateral_factor(mbs_workspace *ws);
/* Adds the effect of contact forces to a and λ, which were found with joints alone. moved: convections count, and
 * contact forces are stored. */
void mbs_unilateral_add(mbs_workspace *ws, double *a, double *lambda, bool moved);
/* The same, for right-hand sides in self->right. */
void mbs_unilateral_add_right(mbs_workspace *ws, double *a, double *lambda);
/* Reads modes from the state, or finds them if one is MBS_BY_MOTION or `anew` is true, and factorises D. The state must
 * have a = M⁻¹ Q, the workspace G, γ and the factors of S. SEAM_JAMMED. */
seam_status mbs_unilateral_begin(mbs_workspace *ws, const mbs_state *state, bool anew, seam_error *error);
/* Writes into z the tangential positions (mbs_contact_way()) of contacts that begin to stick; stuck_at gets those of
 * all that stick. */
void mbs_unilateral_store_stick_coordinates(mbs_workspace *ws, double *z);
/* Returns true if a mode in the state is MBS_BY_MOTION. */
bool mbs_has_free_modes(const mbs_workspace *ws, const mbs_state *state);
/* Stores the present modes; returns true if is_kept and they equal those stored before. */
bool mbs_keep_modes(mbs_unilateral *self, bool is_kept);
/* SEAM_NOT_CONVERGED: modes of contacts and friction of joints do not agree. */
seam_status mbs_modes_alternate(const mbs_workspace *ws, double t, seam_error *error);
/* Returns the largest over the smallest mass of the bodies that touch. */
double mbs_ratio_of_touching(const mbs_workspace *ws);
/* SEAM_JAMMED: that ratio is too large for round-off, so that no forces were found. */
seam_status mbs_check_touching_masses(const mbs_workspace *ws, double t, seam_error *error);
/* SEAM_JAMMED: forces have no single value; names a contact. */
seam_status mbs_contacts_jam(const mbs_workspace *ws, double t, seam_error *error);
/* Returns the power that friction takes, W. */
double mbs_unilateral_loss(const mbs_workspace *ws);
/* Returns the power that laws of time drive in through contacts, W. */
double mbs_unilateral_drive(const mbs_workspace *ws);
/* Fills contact (2n) with the forces of closed contacts, and 0 of open ones. */
void mbs_unilateral_forces(const mbs_workspace *ws, double *contact);
/* Like mbs_project(), with the contacts in the modes of the workspace. */
seam_status mbs_project_contacts(mbs_workspace *ws, double t, double *q, double *v, seam_error *error);

/* Removes rates of two-sided contacts by the least change of velocities, in the norm of the masses; joints stay. */
seam_status mbs_assemble_two_sided(mbs_workspace *ws, const mbs_state *state, seam_error *error);

/* Like mbs_shake(), with the contacts. G and S must be those of the step's beginning, and stay; q and v are those of
 * its end, t + h. */
void mbs_shake_contacts(mbs_workspace *ws, double t, double h, double *q, double *v);

/* complementarity.c: fills A of the n contacts in problem.contact from the factors of S and touch[]. */
void mbs_frictional_fill(mbs_workspace *ws);
/* Solves self->problem. */
seam_lcp_end mbs_frictional_solve(mbs_unilateral *self);

#endif
