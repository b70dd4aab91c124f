#include "analysis/linearised/minimal_state.h"
#include "mbs/motor.h"

#include <stdlib.h>
#include <string.h>

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
  mbs_motors_take(self->ws, state->z);
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

/* ---- What follows from changes ---- */

bool analysis_response_create(analysis_response *self, const mbs_model *model) {
  const size_t n = 3 * (size_t)model->n_bodies;
  const size_t n_z = (size_t)model->n_states;
  *self = (analysis_response){.still = calloc(2 * (n + n_z) + (size_t)model->n_rows + 1, sizeof *self->still)};
  if (self->still == NULL)
    return false;
  self->z = self->still + n;
  self->a = self->z + n_z;
  self->rates = self->a + n;
  self->lambda = self->rates + n_z;
  return true;
}

void analysis_response_free(analysis_response *self) { free(self->still); }

void analysis_respond(analysis_response *self, const analysis_minimal_state *at, const double *dq, const double *dv) {
  mbs_linearised_solve(at->linear, at->ws, dq, dv, self->z, self->a, self->lambda);
  mbs_linearised_rates(at->linear, &(mbs_direction){dq, dv, self->a, self->lambda, self->z, NULL}, self->rates);
}

void analysis_clear_loads(analysis_response *self, const mbs_model *model) {
  memset(self->a, 0, 3 * (size_t)model->n_bodies * sizeof *self->a);
  memset(self->lambda, 0, (size_t)model->n_rows * sizeof *self->lambda);
}

double analysis_of_masses(const mbs_minimal *m, const double *u, const double *v) {
  double sum = 0;
  for (int i = 0; i < m->n; i++)
    sum += u[i] * m->model->mass[3 + i] * v[i];
  return sum;
}
