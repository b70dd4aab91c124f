/* Modes of hard friction (mbs/model/friction.h): which joints stick, and which slip. */
#ifndef MBS_FRICTION_MODES_H
#define MBS_FRICTION_MODES_H

#include "mbs/model/friction.h"
#include "mbs/model/workspace.h"

extern const mbs_switches mbs_friction_switches;

/* Settles modes after a change: finds which of the joints at rest stick, and which slip by their reactions, until the
 * modes stay; projects positions and velocities onto sticking joints. SEAM_SINGULAR, SEAM_NOT_CONVERGED and others of
 * an evaluation. */
seam_status mbs_resolve_friction_modes(mbs_workspace *ws, mbs_state *state, seam_error *error);

/* Enters the modes that fit the velocities after an impact. */
void mbs_enter_frictions(const mbs_workspace *ws, mbs_state *state);

#endif
