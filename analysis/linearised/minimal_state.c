#include "analysis/linearised/minimal_state.h"

/* Responses, and the factors that states and loops of laws are solved with. */
static seam_status stage_laws(mbs_workspace *ws, const mbs_state *state, seam_error *error) {
  const mbs_model *model = ws->model;
  if (mbs_n_responses(&model->laws) > 0)
    mbs_respond(ws, state);
  if (model->n_states == 0 && model->laws.n_loop == 0)
    return SEAM_OK;
  const int dependent = mbs_stage_factor(ws, model->inverse_mass);
  return dependent < 0 ? SEAM_OK : mbs_singular(model, state->t, dependent, error);
}

seam_status analysis_minimal_state_create(analysis_minimal_state *self, const mbs_model *model,
                                          const mbs_port_inputs *input, const mbs_state *state, seam_error *error) {
  *self = (analysis_minimal_state){0};
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
  status = stage_laws(self->ws, state, error);
  if (status != SEAM_OK)
    return status;
  mbs_linearise(self->linear, self->ws, state);
  return mbs_minimal_take(self->minimal, self->ws, self->linear, error);
}

void analysis_minimal_state_destroy(analysis_minimal_state *self) {
  mbs_minimal_destroy(self->minimal);
  mbs_linearised_destroy(self->linear);
  mbs_workspace_destroy(self->ws);
}
