#include "analysis/linearised/minimal_state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <lapacke.h>

#include "base/then.h"
#include "base/vector.h"
#include "mbs/dynamics/dynamics.h"
#include "mbs/dynamics/responses.h"
#include "mbs/model/laws.h"
#include "mbs/model/unilateral.h"
#include "mbs/stages/stages.h"

/* ---- Linearisation about a state ---- */

seam_status analysis_close_contacts(mbs_workspace *ws, const mbs_state *state, mbs_state **at, seam_error *error) {
  if (ws->unilateral == NULL)
    return SEAM_OK;
  seam_status status = mbs_state_create(ws->model, at, error);
  if (status == SEAM_OK)
    mbs_state_copy(*at, state);
  THEN(status, mbs_accelerate(ws, *at, error));
  THEN(status, mbs_refuse_sliding(ws, *at, error));
  return status;
}

static seam_status linearise(analysis_minimal_state *self, const mbs_state *state, seam_error *error) {
  mbs_workspace *ws = self->ws;
  const mbs_model *model = ws->model;
  mbs_stage_kinematics(ws, state->q, state->v);
  mbs_set_port_frames(ws, state->t);
  mbs_stage_constraints(ws, state->t);
  if (mbs_n_responses(&model->laws) > 0)
    mbs_respond(ws, state);
  const bool needs_factors = model->n_states > 0 || model->laws.n_loop > 0;
  const int dependent = needs_factors ? mbs_stage_factor(ws, model->inverse_mass) : -1;
  if (dependent >= 0)
    return mbs_singular(model, state->t, dependent, error);
  mbs_linearise(self->linear, ws, state);
  return mbs_minimal_compute(self->minimal, ws, self->linear, error);
}

seam_status analysis_minimal_state_create(analysis_minimal_state *self, const mbs_model *model,
                                          const mbs_port_inputs *input, const mbs_state *state, seam_error *error) {
  *self = (analysis_minimal_state){0};
  seam_status status = mbs_workspace_create(model, &self->ws, error);
  if (status != SEAM_OK)
    return status;
  mbs_state *at = NULL;
  self->ws->port_inputs = input;
  status = analysis_close_contacts(self->ws, state, &at, error);
  const int n_frozen = self->ws->unilateral != NULL ? self->ws->unilateral->n_active : 0;
  THEN(status, mbs_linearised_create_frozen(model, &self->linear, error));
  THEN(status, mbs_minimal_create(model, n_frozen, &self->minimal, error));
  THEN(status, linearise(self, at != NULL ? at : state, error));
  mbs_state_destroy(at);
  return status;
}

void analysis_minimal_state_destroy(analysis_minimal_state *self) {
  mbs_minimal_destroy(self->minimal);
  mbs_linearised_destroy(self->linear);
  mbs_workspace_destroy(self->ws);
}

/* ---- Responses ---- */

bool analysis_response_create(analysis_response *self, const mbs_model *model) {
  const size_t n = 3 * (size_t)model->n_bodies;
  const size_t n_z = (size_t)model->n_states;
  *self = (analysis_response){.zeros = calloc(2 * n + 2 * n_z + (size_t)model->n_rows + 1, sizeof *self->zeros)};
  if (self->zeros == NULL)
    return false;
  self->z = self->zeros + n;
  self->a = self->z + n_z;
  self->rates = self->a + n;
  self->lambda = self->rates + n_z;
  return true;
}

void analysis_response_free(analysis_response *self) { free(self->zeros); }

void analysis_respond(analysis_response *self, const analysis_minimal_state *at, const double *dq, const double *dv) {
  mbs_linearised_solve(at->linear, at->ws, dq, dv, self->z, self->a, self->lambda);
  mbs_linearised_rates(at->linear, &(mbs_direction){dq, dv, self->a, self->lambda, self->z, NULL}, self->rates);
}

void analysis_clear_loads(analysis_response *self, const mbs_model *model) {
  memset(self->a, 0, 3 * (size_t)model->n_bodies * sizeof *self->a);
  memset(self->lambda, 0, (size_t)model->n_rows * sizeof *self->lambda);
}

double analysis_mass_product(const mbs_minimal *m, const double *u, const double *v) {
  double sum = 0;
  for (int i = 0; i < m->n; i++)
    sum += u[i] * m->model->mass[3 + i] * v[i];
  return sum;
}
