/* Switching functions of all elements with modes (mbs/model/switching_modes.h), and the passage of their zeros. */
#ifndef MBS_SWITCHES_H
#define MBS_SWITCHES_H

#include "mbs/model/workspace.h"

/* Lists elements with modes and appends their modes to the states of the model. SEAM_NO_MEMORY. */
seam_status mbs_switching_create(mbs_model *model, seam_error *error);

/* Reads functions (n_switches) of a state, those of wanted rows of the table (NULL: all), and brings the workspace up
 * to date. SEAM_SINGULAR and others of an evaluation, if one is needed. */
seam_status mbs_read_switches(mbs_workspace *ws, mbs_state *state, const bool *wanted, mbs_switch *f,
                              seam_error *error);

/* The same; the workspace is up to date. */
void mbs_read_switches_at_hand(const mbs_workspace *ws, const mbs_state *state, const bool *wanted, mbs_switch *f);

/* Enters modes of a state that comes from outside: those that are MBS_BY_MOTION, or all. */
seam_status mbs_enter_modes(mbs_workspace *ws, mbs_state *state, bool all, seam_error *error);

/* Passes the zero of function `number`: this and all other functions beyond zero end their modes. Velocities that jump
 * do so here, for all elements at once. */
seam_status mbs_pass_switch(mbs_workspace *ws, int number, mbs_state *state, seam_error *error);

/* Returns the name of the element of a function. */
const char *mbs_switch_name(const mbs_model *model, int number);

/* ---- Modes of hard friction (friction_modes.c): which joints stick, and which slip ---- */

extern const mbs_switches mbs_friction_switches;

/* Resolves modes after a change: finds which of the joints at rest stick, and which slip by their reactions, until the
 * modes stay; projects positions and velocities onto sticking joints. SEAM_SINGULAR, SEAM_NOT_CONVERGED and others of
 * an evaluation. */
seam_status mbs_resolve_friction_modes(mbs_workspace *ws, mbs_state *state, seam_error *error);

/* Enters the modes that fit the velocities after an impact. */
void mbs_enter_frictions(const mbs_workspace *ws, mbs_state *state);

#endif
