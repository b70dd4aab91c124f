/* Impacts of hard contacts, and the new modes when a mode ends. */
#ifndef MBS_IMPACT_H
#define MBS_IMPACT_H

#include "mbs/dynamics/contact_rows.h"

/* Checks the hard contacts of a model when it is built. SEAM_BAD_INPUT: they have different laws of impact, or a law of
 * a force element depends on accelerations or reactions. */
seam_status mbs_check_hard(const mbs_model *model, seam_error *error);

/* impact_friction.c: prepares the friction of joints in an impact: fills the Jacobians of their coordinates and the
 * effects of their impulses on each other and on contacts; sets these impulses to 0. `touch`, `problem.contact` and the
 * factors of S must be up to date. */
void mbs_rubs_begin(mbs_workspace *ws, const double *v);
/* Updates the impulses of joints' friction for the impulses of contacts in `impulse`; returns true if this does not
 * change them. */
bool mbs_rubs_sweep(mbs_workspace *ws);
/* Effects of the impulses of joints' friction. The first function adds them to rates (2n) of contacts. The second
 * returns the energy that friction dissipates, J. The third adds the effects to v (3n) and returns the energy that
 * prescribed motions add, J. */
void mbs_rubs_add_rates(const mbs_workspace *ws, double *rate);
double mbs_rubs_loss(const mbs_workspace *ws);
double mbs_rubs_apply(mbs_workspace *ws, double *v);

/* impact.c: lets velocities jump if a touching contact approaches; *has_hit: true if one does. SEAM_JAMMED and other
 * errors. */
seam_status mbs_impact(mbs_workspace *ws, mbs_state *state, bool *has_hit, seam_error *error);

/* switch_contacts.c: finds modes, and velocities after impacts, of a state in which modes of contacts may end. */
seam_status mbs_switch_contacts(mbs_workspace *ws, mbs_state *state, seam_error *error);
/* Refuses a start at which bodies overlap at a hard contact: SEAM_BAD_INPUT, with the contact's name. */
seam_status mbs_refuse_overlaps(mbs_workspace *ws, const mbs_state *state, seam_error *error);

#endif
