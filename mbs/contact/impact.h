/* Impacts, and the ends of modes of hard contacts. */
#ifndef MBS_IMPACT_H
#define MBS_IMPACT_H

#include "mbs/dynamics/contact_rows.h"

/* Checks a model when it is built. SEAM_BAD_INPUT: two laws of impacts, or a law that follows accelerations or
 * reactions. */
seam_status mbs_check_hard(const mbs_model *model, seam_error *error);

/* impact_friction.c: fills rows of joints' friction and their influences, impulses 0. Touches, the contacts of the
 * problem and S are at hand. */
void mbs_rubs_begin(mbs_workspace *ws, const double *v);
/* Finds impulses of joints' friction under those of contacts (`impulse`); returns true if they have not changed. */
bool mbs_rubs_sweep(mbs_workspace *ws);
/* Effects of these impulses: the first function adds to rates (2n) of contacts; the second returns the energy taken, J;
 * the third adds to v (3n) and returns the energy that motions add, J. */
void mbs_rubs_add_rates(const mbs_workspace *ws, double *rate);
double mbs_rubs_loss(const mbs_workspace *ws);
double mbs_rubs_apply(mbs_workspace *ws, double *v);

/* impact.c: lets velocities jump if a touching contact approaches; *has_hit: one did. SEAM_JAMMED and others. */
seam_status mbs_impact(mbs_workspace *ws, mbs_state *state, bool *has_hit, seam_error *error);

/* switch_contacts.c: finds modes, and velocities after impacts, of a state in which modes of contacts may end. */
seam_status mbs_switch_contacts(mbs_workspace *ws, mbs_state *state, seam_error *error);
/* SEAM_BAD_INPUT, with the name, if bodies overlap at a start. */
seam_status mbs_refuse_overlaps(mbs_workspace *ws, const mbs_state *state, seam_error *error);

#endif
