/* Impacts, and the ends of modes of hard contacts. */
#ifndef MBS_IMPACT_H
#define MBS_IMPACT_H

#include "mbs/dynamics/contact_rows.h"

/* The same of what they cannot stand beside, at the end of building. */
seam_status mbs_check_hard(const mbs_model *model, seam_error *error);

/* impact_friction.c, with touches, the contacts of the problem and S at hand: rows and influences, no impulses yet. */
void mbs_rubs_begin(mbs_workspace *ws, const double *v);
/* Impulses of joints' friction under those of contacts (`impulse`); true: they have not changed. */
bool mbs_rubs_sweep(mbs_workspace *ws);
/* Effects of these impulses: on the rates (2n) of contacts, on the energy, which they take, and on v; the last function
 * returns the energy that motions add. */
void mbs_rubs_add_rates(const mbs_workspace *ws, double *rate);
double mbs_rubs_loss(const mbs_workspace *ws);
double mbs_rubs_apply(mbs_workspace *ws, double *v);

/* impact.c: velocities jump where a contact that touches draws nearer. *has_hit: some did. SEAM_JAMMED and errors of an
 * evaluation. */
seam_status mbs_impact(mbs_workspace *ws, mbs_state *state, bool *has_hit, seam_error *error);

/* switch_contacts.c: modes, and velocities where contacts hit, of a state whose contacts may have come to the end of
 * their modes. */
seam_status mbs_switch_contacts(mbs_workspace *ws, mbs_state *state, seam_error *error);
/* SEAM_BAD_INPUT by name where bodies overlap, at a start. */
seam_status mbs_refuse_overlaps(mbs_workspace *ws, const mbs_state *state, seam_error *error);

#endif
