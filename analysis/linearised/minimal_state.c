#include "analysis/linearised/minimal_state.h"

seam_status analysis_minimal_state_create(analysis_minimal_state *self, const mbs_model *model,
                                          const mbs_port_inputs *input, const mbs_state *state, seam_error *error) {
  *self = (analysis_minimal_state){0};
  if (mbs_n_states(model) > 0)
    return seam_fail(error, SEAM_BAD_INPUT,
                     "modes and stability of a mechanism leave out states of force elements, but '%s' has some: "
                     "replace it by a spring_damper",
                     mbs_force_name(model, mbs_state_force(model, 0)));
  seam_status status = mbs_workspace_create(model, &self->ws, error);
  if (status == SEAM_OK)
    status = mbs_linearised_create(model, &self->linear, error);
  if (status == SEAM_OK)
    status = mbs_minimal_create(model, &self->minimal, error);
  if (status != SEAM_OK)
    return status;
  self->ws->port_inputs = input;
  mbs_stage_kinematics(self->ws, state->q, state->v);
  mbs_set_port_frames(self->ws, state->t);
  mbs_stage_constraints(self->ws, state->t);
  mbs_linearise(self->linear, self->ws, state);
  return mbs_minimal_take(self->minimal, self->ws, self->linear, error);
}

void analysis_minimal_state_destroy(analysis_minimal_state *self) {
  mbs_minimal_destroy(self->minimal);
  mbs_linearised_destroy(self->linear);
  mbs_workspace_destroy(self->ws);
}
