/* Impacts of hard contacts, and the new modes when a mode ends. */
#ifndef MBS_IMPACT_H
#define MBS_IMPACT_H

#include "mbs/dynamics/contact_rows.h"

/* Checks the hard contacts of a model when it is built. SEAM_BAD_INPUT: they have different laws of impact, or a law
 * other than friction depends on accelerations or reactions, which depend on the law themselves. */
seam_status mbs_check_hard(const mbs_model *model, seam_error *error);

/* impact_friction.c: prepares the friction of joints for an impact at the velocities v (3n). Fills the Jacobians of the
 * joints' coordinates, and the effects of friction impulses on each other and on contacts; sets these impulses to 0.
 * The workspace must have `touch`, `problem.contact` and the factors of S of the state. */
void mbs_rubs_begin(mbs_workspace *ws, const double *v);
/* Updates the impulses of joints' friction once for the present impulses of contacts, ws->unilateral->impulse. Returns
 * true if no impulse of friction has changed by more than round-off. */
bool mbs_rubs_sweep(mbs_workspace *ws);
/* Effects of the impulses of joints' friction. The first function adds their effects to the rates (2n) of contacts. The
 * second returns the energy that friction dissipates, J. The third adds their effects to v (3n) and returns the energy
 * that prescribed motions add, J. */
void mbs_rubs_add_rates(const mbs_workspace *ws, double *rate);
double mbs_rubs_loss(const mbs_workspace *ws);
double mbs_rubs_apply(mbs_workspace *ws, double *v);

/* impact.c: lets velocities jump, by impulses, if a contact that touches approaches; *has_hit: true if one does.
 * SEAM_JAMMED: no impulses were found; SEAM_STEP_FAILED, and errors of an evaluation. */
seam_status mbs_impact(mbs_workspace *ws, mbs_state *state, bool *has_hit, seam_error *error);

/* switch_contacts.c: finds the modes of all hard contacts in a state in which a mode may have ended, after impacts, if
 * there are any, have changed velocities. */
seam_status mbs_switch_contacts(mbs_workspace *ws, mbs_state *state, seam_error *error);
/* Refuses a start at which bodies overlap at a hard contact, or a two-sided cable has a gap: SEAM_BAD_INPUT, with the
 * name of the element. */
seam_status mbs_refuse_overlaps(mbs_workspace *ws, const mbs_state *state, seam_error *error);

#endif
