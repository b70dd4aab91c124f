/* Hard contacts when a mode ends: impacts and new modes. */
#ifndef MBS_IMPACT_H
#define MBS_IMPACT_H

#include "mbs/model/workspace.h"

/* Checks a model with hard contacts when it is built. SEAM_BAD_INPUT: the contacts have different laws of impact; or
 * the law of a force element, other than joint friction, reads accelerations or reactions (a late law: laws.h). */
seam_status mbs_check_hard(const mbs_model *model, seam_error *error);

/* Refuses a start at which bodies overlap at a hard contact, or a two-sided cable has a gap: SEAM_BAD_INPUT, with the
 * name of the element. */
seam_status mbs_refuse_overlaps(mbs_workspace *ws, const mbs_state *state, seam_error *error);

/* Applies impulses if a touching contact approaches, then finds the modes of all hard contacts. Call it when the mode
 * of a hard contact may have ended, with is_switching set. SEAM_JAMMED: no impulses were found, or no contact forces;
 * SEAM_STEP_FAILED: impacts repeat without end; errors of an evaluation. */
seam_status mbs_switch_contacts(mbs_workspace *ws, mbs_state *state, seam_error *error);

#endif
