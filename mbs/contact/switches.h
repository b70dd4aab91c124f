/* Switching functions of all elements with modes (mbs/model/modes.h), and the passage of their zeros. */
#ifndef MBS_SWITCHES_H
#define MBS_SWITCHES_H

#include "mbs/model/workspace.h"

/* Lists elements with modes, behind all other states of the model, whose number grows. SEAM_NO_MEMORY. */
seam_status mbs_switching_create(mbs_model *model, seam_error *error);

/* Functions (n_switches) of a state, those of the wanted rows of the table alone; NULL: of all. The workspace is
 * brought up to date. SEAM_SINGULAR and others of an evaluation where it needs one. */
seam_status mbs_read_switches(mbs_workspace *ws, mbs_state *state, const bool *wanted, mbs_switch *f,
                              seam_error *error);

/* The same where the workspace is up to date. */
void mbs_read_switches_at_hand(const mbs_workspace *ws, const mbs_state *state, const bool *wanted, mbs_switch *f);

/* Modes of a state that comes from outside: those that follow the motion, or all, are entered. */
seam_status mbs_enter_modes(mbs_workspace *ws, mbs_state *state, bool all, seam_error *error);

/* Passes the zero of function `number`: it and all others that are beyond zero change their modes. Where velocities
 * jump, they do so here, for all elements at once. */
seam_status mbs_pass_switch(mbs_workspace *ws, int number, mbs_state *state, seam_error *error);

/* Element of a function. */
const char *mbs_switch_name(const mbs_model *model, int number);

#endif
