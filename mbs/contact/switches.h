/* Switching functions of all elements with modes (mbs/model/switching_modes.h), and changes of modes at their zeros. */
#ifndef MBS_SWITCHES_H
#define MBS_SWITCHES_H

#include "mbs/model/workspace.h"

/* Lists elements with modes in model->switching, and appends the modes to the model's states. SEAM_NO_MEMORY. */
seam_status mbs_switching_create(mbs_model *model, seam_error *error);

/* Evaluates a state as far as switching functions need it, and reads these into f (n_switches). `wanted` (NULL: all)
 * selects elements by their row in model->switching; others keep their values in f. Fills the state's a and lambda if
 * any switching function of the model depends on forces. SEAM_SINGULAR and other errors of an evaluation. */
seam_status mbs_read_switches(mbs_workspace *ws, mbs_state *state, const bool *wanted, mbs_switch *f,
                              seam_error *error);

/* Reads the same functions from the workspace, which must have the evaluation of this state. */
void mbs_read_switches_evaluated(const mbs_workspace *ws, const mbs_state *state, const bool *wanted, mbs_switch *f);

/* Sets modes by the positions and velocities of the state: only modes that are MBS_BY_MOTION, or every mode if `all` is
 * true. Set `all` for a state that does not come from a run. Impacts change velocities where touching bodies approach.
 * SEAM_BAD_INPUT: `all` is true and bodies overlap. Errors of an evaluation. */
seam_status mbs_enter_modes(mbs_workspace *ws, mbs_state *state, bool all, seam_error *error);

/* Changes modes at a zero of the switching function `number`: ends its mode, and all modes with a function for which
 * mbs_ends_mode() returns true. Then impacts change velocities, and friction may change further modes. Errors of an
 * evaluation, of mbs_switch_contacts() and mbs_resolve_friction_modes(). */
seam_status mbs_pass_switch(mbs_workspace *ws, int number, mbs_state *state, seam_error *error);

/* Returns the name of the element to which a switching function belongs. */
const char *mbs_switch_name(const mbs_model *model, int number);

/* ---- Modes of hard friction (friction_modes.c): which joints stick, and which slip ---- */

extern const mbs_switches mbs_friction_switches;

/* Changes modes of friction until no mode changes; call it after other modes have changed. Joints that have stopped or
 * are at rest stick; joints whose friction force exceeds its limit slip. Projects the state onto the constraints of
 * sticking joints. SEAM_SINGULAR, SEAM_NOT_CONVERGED and other errors of an evaluation. */
seam_status mbs_resolve_friction_modes(mbs_workspace *ws, mbs_state *state, seam_error *error);

/* Sets the modes of all joints with hard friction by their slips: at rest if the slip is zero, else slipping. */
void mbs_enter_frictions(const mbs_workspace *ws, mbs_state *state);

#endif
