#include "analysis/linearised/minimal_state.h"
#include "mbs/motor.h"

#include <stdlib.h>
#include <string.h>

#include "mbs/unilateral.h"

/* Responses, and the factors that states and loops of laws are solved with. */
static seam_status stage_laws(mbs_workspace *ws, const mbs_state *state, seam_error *error) {
  const mbs_model *model = ws->model;
  if (mbs_n_responses(&model->laws) > 0)
    mbs_respond(ws, state);
  if (model->n_states == 0 && model->laws.n_loop == 0 && model->laws.n_motors == 0)
    return SEAM_OK;
  const int dependent = mbs_stage_factor(ws, model->inverse_mass);
  return dependent < 0 ? SEAM_OK : mbs_singular(model, state->t, dependent, error);
}

/* ---- Motions that follow states ---- */

static seam_status no_memory(const mbs_model *model, seam_error *error) {
  return seam_fail(error, SEAM_NO_MEMORY, "no memory for motions of %d joints", model->laws.n_motors);
}

/* A place that follows bodies at once ties their coordinates, a speed their rates: minimal ones have no such ties. */
static bool ties_bodies(mbs_workspace *ws, int motor, double *gradient) {
  const mbs_model *model = ws->model;
  for (int level = 0; level < 2; level++) {
    const mbs_response *response = &model->laws.motor[motor].level[level];
    const int first = level * 3 * model->n_bodies;
    mbs_motor_gradient(ws, motor, level, gradient);
    for (int k = 0; k < response->n_columns; k++)
      if (response->column[k] >= first && response->column[k] < 6 * model->n_bodies && gradient[k] != 0)
        return true;
  }
  return false;
}

static seam_status refuse_ties(analysis_minimal_state *self, seam_error *error) {
  const mbs_model *model = self->ws->model;
  const size_t n_columns = 9 * (size_t)model->n_bodies + (size_t)model->n_states + (size_t)model->n_rows;
  double *gradient = calloc(n_columns + 1, sizeof *gradient);
  seam_status status = SEAM_OK;
  if (gradient == NULL)
    return no_memory(model, error);
  for (int k = 0; k < model->laws.n_motors && status == SEAM_OK; k++)
    if (ties_bodies(self->ws, k, gradient))
      status = seam_fail(error, SEAM_BAD_INPUT,
                         "joint '%s' follows other bodies without delay: a linearisation takes what follows states; "
                         "let it pass a filter of second order",
                         model->joints[model->laws.motor[k].joint].name);
  free(gradient);
  return status;
}

/* Right after mbs_minimal_take(). */
static seam_status find_driven(analysis_minimal_state *self, seam_error *error) {
  const mbs_model *model = self->ws->model;
  const size_t n = 3 * (size_t)model->n_bodies;
  const size_t n_motors = (size_t)model->laws.n_motors;
  if (n_motors == 0)
    return SEAM_OK;
  self->driven = calloc((n + 2) * n_motors, sizeof *self->driven);
  bool is_done = self->driven != NULL;
  for (size_t k = 0; k < n_motors && is_done; k++)
    is_done = mbs_minimal_drive(self->minimal, model->joints[model->laws.motor[k].joint].row, self->driven + n * k);
  if (!is_done)
    return no_memory(model, error);
  self->place = self->driven + n * n_motors;
  self->rate = self->place + n_motors;
  return refuse_ties(self, error);
}

/* ---- About a state ---- */

seam_status analysis_close_contacts(mbs_workspace *ws, const mbs_state *state, mbs_state **at, seam_error *error) {
  if (ws->unilateral == NULL)
    return SEAM_OK;
  seam_status status = mbs_state_create(ws->model, at, error);
  if (status != SEAM_OK)
    return status;
  mbs_state_copy(*at, state);
  status = mbs_accelerate(ws, *at, error);
  return status == SEAM_OK ? mbs_refuse_sliding(ws, *at, error) : status;
}

static seam_status take(analysis_minimal_state *self, const mbs_state *state, seam_error *error) {
  mbs_motors_take(self->ws, state->z);
  mbs_stage_kinematics(self->ws, state->q, state->v);
  mbs_set_port_frames(self->ws, state->t);
  mbs_stage_constraints(self->ws, state->t);
  seam_status status = stage_laws(self->ws, state, error);
  if (status != SEAM_OK)
    return status;
  mbs_linearise(self->linear, self->ws, state);
  status = mbs_minimal_take(self->minimal, self->ws, self->linear, error);
  return status == SEAM_OK ? find_driven(self, error) : status;
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
  const int n_frozen = self->ws->unilateral != NULL ? self->ws->unilateral->n_held : 0;
  if (status == SEAM_OK)
    status = mbs_linearised_create_frozen(model, &self->linear, error);
  if (status == SEAM_OK)
    status = mbs_minimal_create(model, n_frozen, &self->minimal, error);
  if (status == SEAM_OK)
    status = take(self, at != NULL ? at : state, error);
  mbs_state_destroy(at);
  return status;
}

void analysis_minimal_state_destroy(analysis_minimal_state *self) {
  mbs_minimal_destroy(self->minimal);
  mbs_linearised_destroy(self->linear);
  mbs_workspace_destroy(self->ws);
  free(self->driven);
}

/* to (3n) += A δf of each motion, its level 0 or 1; `changes` (motions): δf. */
static void add_effects(const analysis_minimal_state *at, const mbs_direction *along, int level, double *changes,
                        double *to) {
  const int n = 3 * at->ws->model->n_bodies;
  for (int k = 0; k < at->ws->model->laws.n_motors; k++) {
    changes[k] = mbs_motor_change_at_hand(at->ws, along, k, level);
    for (int i = 0; i < n; i++)
      to[i] += changes[k] * at->driven[i + k * n];
  }
}

void analysis_add_driven(const analysis_minimal_state *at, const double *z, double *dq, double *dv) {
  const double *still = at->ws->still;
  add_effects(at, &(mbs_direction){.q = still, .v = still, .a = still, .lambda = still, .z = z}, 0, at->place, dq);
  if (dv != NULL)
    add_effects(at, &(mbs_direction){.q = dq, .v = still, .a = still, .lambda = still, .z = z}, 1, at->rate, dv);
}

/* ---- What follows from changes ---- */

bool analysis_response_create(analysis_response *self, const mbs_model *model) {
  const size_t n = 3 * (size_t)model->n_bodies;
  const size_t n_z = (size_t)model->n_states;
  *self = (analysis_response){.still = calloc(4 * n + 2 * n_z + (size_t)model->n_rows + 1, sizeof *self->still)};
  if (self->still == NULL)
    return false;
  self->z = self->still + n;
  self->a = self->z + n_z;
  self->rates = self->a + n;
  self->lambda = self->rates + n_z;
  self->q = self->lambda + model->n_rows;
  self->v = self->q + n;
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
