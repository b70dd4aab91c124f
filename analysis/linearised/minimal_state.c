/* Let N be a basis of the motions that constraints allow, and M the mass matrix, with Nᵀ M N = 1
 * (mbs/dynamics/minimal.c). The minimal coordinates ζ change poses by δq = N ζ and velocities by δv = N ζ' + Ṅ ζ. If
 * the changes δa of accelerations, and the rates δz' of changes of states z, solve the linearised equations
 * (mbs/dynamics/linearised.h),
 *
 *   ζ'' = Nᵀ M δa + Ṅᵀ M Ṅ ζ,
 *
 * since Nᵀ M Ṅ = 0 and Nᵀ M N̈ = -Ṅᵀ M Ṅ. Without z, and without laws that read accelerations or multipliers, this is
 * ζ'' = K ζ + D ζ' with K and D of minimal.c. */
#include "analysis/linearised/minimal_state.h"

#include <stdlib.h>
#include <string.h>

#include "base/then.h"
#include "mbs/dynamics/dynamics.h"
#include "mbs/dynamics/responses.h"
#include "mbs/model/laws.h"
#include "mbs/model/unilateral.h"
#include "mbs/stages/stages.h"

/* ---- Linearisation about a state ---- */

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
  TRY(mbs_workspace_create(model, &self->ws, error));
  seam_status status = SEAM_OK;
  mbs_state *at = NULL; /* copy of *state with the forces of closed hard contacts */
  self->ws->port_inputs = input;
  if (self->ws->unilateral != NULL) {
    status = mbs_state_create(model, &at, error);
    if (status == SEAM_OK)
      mbs_state_copy(at, state);
    THEN(status, mbs_accelerate(self->ws, at, error)); /* closes the contacts, and factorises D (contact_rows.c) */
    THEN(status, mbs_refuse_sliding(self->ws, at, error));
  }
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
  *self = (analysis_response){.zeros = calloc(3 * n + 2 * n_z + (size_t)model->n_rows + 1, sizeof *self->zeros)};
  if (self->zeros == NULL)
    return false;
  self->zetadd = self->zeros + n;
  self->rates = self->zetadd + n;
  self->z = self->rates + n_z;
  self->a = self->z + n_z;
  self->lambda = self->a + n;
  return true;
}

void analysis_response_free(analysis_response *self) { free(self->zeros); }

void analysis_change(analysis_response *self, const analysis_minimal_state *at, const int *state, int j) {
  const mbs_minimal *m = at->minimal;
  const bool is_position = j >= 0 && j < m->f, is_rate = j >= m->f && j < 2 * m->f;
  self->dq = is_position ? m->N + j * m->n : self->zeros;
  self->dv = is_position ? m->Ndot + j * m->n : is_rate ? m->N + (j - m->f) * m->n : self->zeros;
  memset(self->z, 0, (size_t)(self->lambda + m->model->n_rows - self->z) * sizeof *self->z); /* z, a, lambda */
  if (j >= 2 * m->f)
    self->z[state[j - 2 * m->f]] = 1;
}

/* Returns uᵀ M v with the mass matrix M of the model's bodies. */
static double mass_product(const mbs_minimal *m, const double *u, const double *v) {
  double sum = 0;
  for (int i = 0; i < m->n; i++)
    sum += u[i] * m->model->mass[3 + i] * v[i];
  return sum;
}

void analysis_respond(analysis_response *self, const analysis_minimal_state *at) {
  const mbs_minimal *m = at->minimal;
  mbs_linearised_solve(at->linear, at->ws, self->dq, self->dv, self->z, self->a, self->lambda);
  const mbs_direction along = {self->dq, self->dv, self->a, self->lambda, self->z, NULL};
  mbs_linearised_rates(at->linear, &along, self->rates);
  for (int i = 0; i < m->f; i++) {
    self->zetadd[i] = mass_product(m, m->N + i * m->n, self->a);
    if (self->dq != self->zeros) /* then δv is a column of Ṅ */
      self->zetadd[i] += mass_product(m, m->Ndot + i * m->n, self->dv);
  }
}

/* ---- First-order system x' = A x ---- */

bool analysis_state_is_continuous(const mbs_model *model, int state) {
  const mbs_laws *laws = &model->laws;
  const int variable = state - laws->first_state;
  if (variable < 0)
    return true;
  return variable < laws->n_variables && laws->variable[variable].sample == 0 &&
         mbs_is_function(&laws->variable[variable].response);
}

static bool fill_columns(analysis_first_order *self, const analysis_minimal_state *at) {
  const int f = self->f;
  analysis_response c;
  if (!analysis_response_create(&c, at->minimal->model))
    return false;
  for (int j = 0; j < self->n; j++) {
    double *column = self->matrix + j * self->n;
    analysis_change(&c, at, self->state, j);
    analysis_respond(&c, at);
    if (j >= f && j < 2 * f)
      column[j - f] = 1;
    memcpy(column + f, c.zetadd, (size_t)f * sizeof *column);
    for (int i = 0; i < self->n_z; i++)
      column[2 * f + i] = c.rates[self->state[i]];
  }
  analysis_response_free(&c);
  return true;
}

seam_status analysis_first_order_create(analysis_first_order *self, const analysis_minimal_state *at,
                                        seam_error *error) {
  const mbs_model *model = at->minimal->model;
  *self = (analysis_first_order){.f = at->minimal->f, .state = calloc((size_t)model->n_states + 1, sizeof(int))};
  for (int i = 0; i < model->n_states && self->state != NULL; i++)
    if (analysis_state_is_continuous(model, i))
      self->state[self->n_z++] = i;
  self->n = 2 * self->f + self->n_z;
  self->matrix = calloc((size_t)self->n * (size_t)self->n + 1, sizeof *self->matrix);
  self->is_second_order = self->n_z == 0 && model->laws.n_loop == 0;
  bool is_done = self->state != NULL && self->matrix != NULL;
  if (is_done && self->is_second_order) {
    const int f = self->f;
    for (int j = 0; j < f; j++) {
      self->matrix[j + (f + j) * self->n] = 1;
      for (int i = 0; i < f; i++) {
        self->matrix[f + i + j * self->n] = at->minimal->K[i + j * f];
        self->matrix[f + i + (f + j) * self->n] = at->minimal->D[i + j * f];
      }
    }
  } else if (is_done)
    is_done = fill_columns(self, at);
  return is_done ? SEAM_OK : seam_fail(error, SEAM_NO_MEMORY, "no memory for the modes of %d bodies", model->n_bodies);
}

void analysis_first_order_free(analysis_first_order *self) {
  free(self->state);
  free(self->matrix);
}
