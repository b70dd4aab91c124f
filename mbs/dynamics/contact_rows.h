/* Rows of hard contacts that hold, on top of the joints; frames are in the workspace. */
#ifndef MBS_CONTACT_ROWS_H
#define MBS_CONTACT_ROWS_H

#include "mbs/stages/contact_kinematics.h"

/* SEAM_BAD_INPUT where the model has hard contacts, which `what` does not know. */
seam_status mbs_refuse_hard(const mbs_model *model, const char *what, seam_error *error);

/* Finds the effect of unit forces of all rows that hold; S is factorised. False: the rows are dependent, or sliding
 * friction jams. */
bool mbs_unilateral_factor(mbs_workspace *ws);
/* a and λ of the joints alone become those with the contacts; moved: with the convections of a motion. */
void mbs_unilateral_add(mbs_workspace *ws, double *a, double *lambda, bool moved);
/* Adds to a and lambda the effect of the forces of rows that hold; their right-hand sides are at hand (`right`). */
void mbs_unilateral_add_right(mbs_workspace *ws, double *a, double *lambda);
/* Finds modes and factors, with a = M⁻¹ Q in the state, G, γ and S at hand. The modes are those of the state unless
 * they are free or to be found anew. SEAM_JAMMED. */
seam_status mbs_unilateral_begin(mbs_workspace *ws, const mbs_state *state, bool anew, seam_error *error);
/* Frames are in the workspace: those that stick, but did not in z, are held where they are from now on. */
void mbs_unilateral_hold(mbs_workspace *ws, double *z);
/* Returns true if modes of a state are to be found. */
bool mbs_has_free_modes(const mbs_workspace *ws, const mbs_state *state);
/* Keeps the modes at hand; true: they are those kept last, which counts where some are kept. */
bool mbs_keep_modes(mbs_unilateral *self, bool is_kept);
/* SEAM_NOT_CONVERGED: modes of contacts and friction of joints that do not agree. */
seam_status mbs_modes_alternate(const mbs_workspace *ws, double t, seam_error *error);
/* SEAM_JAMMED: forces that have no single value, with the names of the contacts. */
seam_status mbs_contacts_jam(const mbs_workspace *ws, double t, seam_error *error);
/* Power that friction takes, and that laws of time drive in. */
double mbs_unilateral_loss(const mbs_workspace *ws);
double mbs_unilateral_drive(const mbs_workspace *ws);
/* (2n) of contacts that are closed; 0 of others, whose last forces stay with the workspace. */
void mbs_unilateral_forces(const mbs_workspace *ws, double *contact);
/* mbs_project() with the contacts whose modes are in the workspace. */
seam_status mbs_project_contacts(mbs_workspace *ws, double t, double *q, double *v, seam_error *error);

/* mbs_shake() with them: frames, G and S are those where the step began, and stay; q and v are its end at t + h. */
void mbs_shake_contacts(mbs_workspace *ws, double t, double h, double *q, double *v);

/* complementarity.c: the problem of the n contacts listed in problem.contact, with S and touches at hand: A. */
void mbs_frictional_fill(mbs_workspace *ws);
/* Solves it. */
seam_lcp_end mbs_frictional_solve(mbs_unilateral *self);
/* Modes of all contacts, which were mode[] before, from the accelerations `free` (3n) that the joints alone would give,
 * and factors. SEAM_JAMMED. */
seam_status mbs_find_contact_modes(mbs_workspace *ws, double t, const double *free, seam_error *error);

#endif
