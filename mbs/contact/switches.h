/* Switching functions of all elements with modes (mbs/model/switching_modes.h), and changes of modes at their zeros. */
#ifndef MBS_SWITCHES_H
#define MBS_SWITCHES_H

#include "mbs/model/workspace.h"

/* Lists elements with modes and appends their modes to the states of the model. SEAM_NO_MEMORY. */
seam_status mbs_switching_create(mbs_model *model, seam_error *error);

/* Finds the switching functions f (n_switches) of a state, only for rows of the table that are `wanted` (NULL: all),
 * after the evaluation of the state that they need. SEAM_SINGULAR and other errors of an evaluation. */
seam_status mbs_read_switches(mbs_workspace *ws, mbs_state *state, const bool *wanted, mbs_switch *f,
                              seam_error *error);

/* Works like mbs_read_switches(), but the workspace must already have the evaluation of this state. */
void mbs_read_switches_at_hand(const mbs_workspace *ws, const mbs_state *state, const bool *wanted, mbs_switch *f);

/* Sets the modes of a state that does not come from a run by its positions and velocities: all modes, or only those
 * that are MBS_BY_MOTION. */
seam_status mbs_enter_modes(mbs_workspace *ws, mbs_state *state, bool all, seam_error *error);

/* Changes modes at a zero of switching function `number`: the modes that belong to this function, and to all others
 * that are below zero, end. Impacts change velocities, for all elements together. */
seam_status mbs_pass_switch(mbs_workspace *ws, int number, mbs_state *state, seam_error *error);

/* Returns the name of the element to which a switching function belongs. */
const char *mbs_switch_name(const mbs_model *model, int number);

/* ---- Modes of hard friction (friction_modes.c): which joints stick, and which slip ---- */

extern const mbs_switches mbs_friction_switches;

/* After a change of modes, finds which joints at rest stick and, by their reactions, which slip; repeats this until no
 * mode changes. Projects positions and velocities onto the constraints of sticking joints. SEAM_SINGULAR,
 * SEAM_NOT_CONVERGED and other errors of an evaluation. */
seam_status mbs_resolve_friction_modes(mbs_workspace *ws, mbs_state *state, seam_error *error);

/* Sets the modes that fit the velocities after an impact. */
void mbs_enter_frictions(const mbs_workspace *ws, mbs_state *state);

#endif
