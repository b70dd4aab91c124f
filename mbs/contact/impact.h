/* Impacts of hard contacts, and the new modes when a mode ends. */
#ifndef MBS_IMPACT_H
#define MBS_IMPACT_H

#include "mbs/dynamics/contact_rows.h"

/* Checks the hard contacts of a model when it is built. SEAM_BAD_INPUT: they have different laws of impact; or a force
 * law, other than joint friction, reads accelerations or reactions, which in turn depend on the value of this force
 * law. */
seam_status mbs_check_hard(const mbs_model *model, seam_error *error);

/* impact_friction.c: prepares the friction of joints for an impact at the velocities v (3n). Fills the Jacobians of the
 * joints' coordinates, and the effects of friction impulses on each other and on contacts. Sets the friction impulses
 * to 0. The workspace must have the kinematics of contacts, the list problem.contact and the factors of S = G M⁻¹
 * Gᵀ. */
void mbs_joint_friction_begin(mbs_workspace *ws, const double *v);
/* Updates the impulses of joints' friction once for the present impulses of contacts, ws->unilateral->impulse. Returns
 * true if no impulse of friction has changed by more than round-off. */
bool mbs_joint_friction_sweep(mbs_workspace *ws);
/* Effects of the friction impulses of joints. mbs_joint_friction_add_rates() adds their changes of the contacts' rates
 * to `rate` (2n). mbs_joint_friction_loss() returns the energy, J, that these impulses dissipate.
 * mbs_joint_friction_apply() adds their changes of velocities to v (3n), and returns the energy, J, that prescribed
 * motions add. */
void mbs_joint_friction_add_rates(const mbs_workspace *ws, double *rate);
double mbs_joint_friction_loss(const mbs_workspace *ws);
double mbs_joint_friction_apply(mbs_workspace *ws, double *v);

/* impact.c: changes velocities by impulses if a touching contact approaches. *has_hit becomes true if it has changed
 * them, else false. SEAM_JAMMED: no impulses were found; SEAM_STEP_FAILED, and errors of an evaluation. */
seam_status mbs_impact(mbs_workspace *ws, mbs_state *state, bool *has_hit, seam_error *error);

/* switch_contacts.c: applies impacts, if a touching contact approaches, then finds the modes of all hard contacts. Call
 * it when the mode of a hard contact may have ended. SEAM_JAMMED, and errors of mbs_impact() or an evaluation. */
seam_status mbs_switch_contacts(mbs_workspace *ws, mbs_state *state, seam_error *error);
/* Refuses a start at which bodies overlap at a hard contact, or a two-sided cable has a gap: SEAM_BAD_INPUT, with the
 * name of the element. */
seam_status mbs_refuse_overlaps(mbs_workspace *ws, const mbs_state *state, seam_error *error);

#endif
