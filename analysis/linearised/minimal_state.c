#include "analysis/linearised/minimal_state.h"
#include "mbs/motor.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <lapacke.h>

#include "base/largest.h"
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

/* While it is found what a motion follows at once. */
typedef struct tie {
  const analysis_minimal_state *at;
  int motor;
  const double *gradient[2]; /* (columns) of f and f' */
  double *rates;             /* (3n) what f' follows of rates */
  const double *speeds;      /* (3n) of the state */
} tie;

/* - f_z z'_q: what of f'_q is not the rate of f_q. */
static void leave_variables(const tie *t, double *turn) {
  const mbs_model *model = t->at->ws->model;
  const mbs_laws *laws = &model->laws;
  const mbs_response *place = &laws->motor[t->motor].level[0];
  for (int k = 0; k < place->n_columns; k++) {
    const int variable = place->column[k] - 6 * model->n_bodies - laws->first_state;
    if (variable < 0 || variable >= laws->n_variables || !mbs_is_function(&laws->variable[variable].response))
      continue;
    const mbs_response *rate = &laws->variable[variable].response;
    const double *slope = t->at->linear->laws.slope[laws->n_laws + variable];
    for (int c = 0; c < rate->n_columns && rate->column[c] < 3 * model->n_bodies; c++)
      turn[rate->column[c]] -= t->gradient[0][k] * slope[c];
  }
}

/* Fills slope and turn (3n each); false: f' follows other rates than those of what f follows. */
static bool find_tie(const tie *t, double *slope, double *turn) {
  const mbs_model *model = t->at->ws->model;
  const int n = 3 * model->n_bodies;
  const mbs_response *level = model->laws.motor[t->motor].level;
  const double rounding = 1e-9;
  double size = 0;
  double left = 0;
  memset(t->rates, 0, (size_t)n * sizeof *t->rates);
  for (int k = 0; k < level[0].n_columns && level[0].column[k] < n; k++)
    slope[level[0].column[k]] = t->gradient[0][k];
  for (int k = 0; k < level[1].n_columns && level[1].column[k] < 2 * n; k++)
    *(level[1].column[k] < n ? &turn[level[1].column[k]] : &t->rates[level[1].column[k] - n]) = t->gradient[1][k];
  for (int i = 0; i < n; i++) {
    size += fabs(slope[i]) + fabs(t->rates[i]);
    left += fabs(slope[i] - t->rates[i]);
  }
  leave_variables(t, turn);
  return left <= rounding * size;
}

static bool is_zero(const double *x, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (x[i] != 0)
      return false;
  return true;
}

/* Where no body moves, the place of a speed is a state, and bodies move as the speeds say: (G - f'_v) N = 0. A change
 * of places p beside them is (mbs/rest_motors.h)
 *
 *   p = (f_q - f'_v) δq + f_z z,   δq = N ζ + A p */
static seam_status take_speed(analysis_minimal_state *self, const tie *t, double *slope, seam_error *error) {
  const mbs_model *model = self->ws->model;
  const size_t n = 3 * (size_t)model->n_bodies;
  const size_t k = (size_t)model->laws.n_motors;
  const double still = 1e-6; /* m/s or rad/s, of what a run left at rest */
  const bool is_moving = largest_size(t->speeds, n) > still * fmax(1, model->size);
  if (is_moving)
    return seam_fail(error, SEAM_BAD_INPUT,
                     "the speed of joint '%s' follows those of bodies at once, and its place does not follow theirs: "
                     "about a state that moves such a motion has no minimal coordinates; give its place by theirs, or "
                     "let it pass a filter",
                     model->joints[model->laws.motor[t->motor].joint].name);
  if (self->missing == NULL) {
    self->missing = calloc(k * (n + k), sizeof *self->missing);
    self->pivot = calloc(k, sizeof *self->pivot);
    if (self->missing == NULL || self->pivot == NULL)
      return no_memory(model, error);
    self->loop = self->missing + n * k;
  }
  double *missing = self->missing + n * (size_t)t->motor;
  for (size_t i = 0; i < n; i++) {
    missing[i] = slope[i] - t->rates[i];
    slope[i] = t->rates[i];
  }
  return SEAM_OK;
}

/* Right after mbs_linearise(). What follows no body at once has no ties, and turn is rounding there. */
static seam_status find_ties(analysis_minimal_state *self, const double *speeds, double *gradients, seam_error *error) {
  const mbs_model *model = self->ws->model;
  const size_t n = 3 * (size_t)model->n_bodies;
  const size_t n_columns = 3 * n + (size_t)model->n_states + (size_t)model->n_rows;
  for (int k = 0; k < model->laws.n_motors; k++) {
    double *slope = self->slope + n * (size_t)k;
    double *turn = self->turn + n * (size_t)k;
    const tie t = {self, k, {gradients, gradients + n_columns}, gradients + 2 * n_columns, speeds};
    for (int level = 0; level < 2; level++)
      mbs_motor_gradient(self->ws, k, level, gradients + n_columns * (size_t)level);
    const seam_status status = find_tie(&t, slope, turn) ? SEAM_OK : take_speed(self, &t, slope, error);
    if (status != SEAM_OK)
      return status;
    if (is_zero(slope, n))
      memset(turn, 0, n * sizeof *turn);
    else
      self->has_ties = true;
  }
  return SEAM_OK;
}

/* Effects are found after mbs_minimal_take(). */
static seam_status prepare_motions(analysis_minimal_state *self, const mbs_state *state, seam_error *error) {
  const mbs_model *model = self->ws->model;
  const size_t n = 3 * (size_t)model->n_bodies;
  const size_t n_motors = (size_t)model->laws.n_motors;
  const size_t n_columns = 3 * n + (size_t)model->n_states + (size_t)model->n_rows;
  if (n_motors == 0)
    return SEAM_OK;
  double *gradients = calloc(2 * n_columns + n, sizeof *gradients);
  self->driven = calloc((3 * n + 2) * n_motors + n, sizeof *self->driven);
  if (gradients == NULL || self->driven == NULL) {
    free(gradients);
    return no_memory(model, error);
  }
  self->slope = self->driven + n * n_motors;
  self->turn = self->slope + n * n_motors;
  self->place = self->turn + n * n_motors;
  self->rate = self->place + n_motors;
  self->rates = self->rate + n_motors;
  const seam_status status = find_ties(self, state->v, gradients, error);
  free(gradients);
  return status;
}

static double dot(const double *x, const double *y, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += x[i] * y[i];
  return sum;
}

static seam_status factor_loop(const analysis_minimal_state *self, seam_error *error) {
  const mbs_model *model = self->ws->model;
  const int n = 3 * model->n_bodies;
  const int k = model->laws.n_motors;
  for (int j = 0; j < k; j++)
    for (int i = 0; i < k; i++)
      self->loop[i + j * k] = (i == j) - dot(self->missing + n * i, self->driven + n * j, n);
  if (LAPACKE_dgetrf(LAPACK_COL_MAJOR, k, k, self->loop, k, self->pivot) == 0)
    return SEAM_OK;
  return seam_fail(error, SEAM_SINGULAR, "joint '%s' is driven by what moves with it at once",
                   model->joints[model->laws.motor[0].joint].name);
}

static seam_status find_driven(analysis_minimal_state *self, seam_error *error) {
  const mbs_model *model = self->ws->model;
  for (int k = 0; k < model->laws.n_motors; k++)
    if (!mbs_minimal_drive(self->minimal, model->joints[model->laws.motor[k].joint].row,
                           self->driven + 3 * model->n_bodies * k))
      return no_memory(model, error);
  return self->missing != NULL ? factor_loop(self, error) : SEAM_OK;
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
  status = prepare_motions(self, state, error);
  if (status != SEAM_OK)
    return status;
  const mbs_ties ties = {self->slope, self->turn};
  status = mbs_minimal_take(self->minimal, self->ws, self->linear, self->has_ties ? &ties : NULL, error);
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
  free(self->missing);
  free(self->pivot);
}

static void add(double factor, const double *x, int n, double *to) {
  for (int i = 0; i < n; i++)
    to[i] += factor * x[i];
}

/* What of f follows states alone, and what motions N miss of what it follows; then rates where coordinates have changed
 * by dq in all, ties left out. */
void analysis_add_driven(const analysis_minimal_state *at, const double *z, double *dq, double *dv) {
  const int n = 3 * at->ws->model->n_bodies;
  const int n_motors = at->ws->model->laws.n_motors;
  const double *still = at->ws->still;
  const mbs_direction of_states = {.q = still, .v = still, .a = still, .lambda = still, .z = z};
  const mbs_direction of_places = {.q = dq, .v = still, .a = still, .lambda = still, .z = z};
  for (int k = 0; k < n_motors; k++)
    at->place[k] = mbs_motor_change_at_hand(at->ws, &of_states, k, 0) +
                   (at->missing != NULL ? dot(at->missing + n * k, dq, n) : 0);
  if (at->missing != NULL)
    (void)LAPACKE_dgetrs(LAPACK_COL_MAJOR, 'N', n_motors, 1, at->loop, n_motors, at->pivot, at->place, n_motors);
  for (int k = 0; k < n_motors; k++)
    add(at->place[k], at->driven + n * k, n, dq);
  for (int k = 0; k < n_motors && dv != NULL; k++) {
    at->rate[k] = mbs_motor_change_at_hand(at->ws, &of_places, k, 1) - dot(at->turn + n * k, dq, n);
    add(at->rate[k], at->driven + n * k, n, dv);
    if (at->place[k] != 0 && mbs_minimal_turn(at->minimal, at->linear, at->driven + n * k, at->rates))
      add(at->place[k], at->rates, n, dv);
  }
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
