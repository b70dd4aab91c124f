#include "mbs/motor.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <lapacke.h>

#include "base/largest.h"
#include "mbs/readout.h"

/* k motions, n bodies, m constraints. */
struct mbs_motors_at {
  double *z;              /* (n_states) */
  double *q, *v;          /* (3n) those of the frames */
  double *inputs;         /* (max_inputs) of a level */
  double *changes;        /* (max_inputs) */
  double *place, *rate;   /* (k) f and f' */
  double *gamma;          /* (k) γ of their rows without f'' */
  double *A;              /* (3n x k) */
  double *matrix, *delta; /* (k x k, k) */
  double *row;            /* (m) */
  double *unit;           /* (9n + n_states + m) zeros but while a derivative is taken */
  int *pivot;             /* (k) */
  double time;            /* of the last stage */
  bool is_frozen;
};

static const mbs_motor *motor_at(const mbs_workspace *ws, int number) { return &ws->model->laws.motor[number]; }
static const mbs_joint *joint_of(const mbs_workspace *ws, int number) {
  return &ws->model->joints[motor_at(ws, number)->joint];
}
static int row_of(const mbs_workspace *ws, int number) { return joint_of(ws, number)->row; }

/* ---- Scratch ---- */

seam_status mbs_motors_at_create(const mbs_model *model, struct mbs_motors_at **created, seam_error *error) {
  const size_t k = (size_t)model->laws.n_motors;
  const size_t n = 3 * (size_t)model->n_bodies;
  const size_t m = (size_t)model->n_rows;
  const size_t z = (size_t)model->n_states;
  const size_t inputs = (size_t)model->max_inputs;
  if (k == 0)
    return SEAM_OK;
  struct mbs_motors_at *self = calloc(1, sizeof *self);
  if (self != NULL) {
    self->z = calloc(2 * z + 5 * n + 2 * m + 2 * inputs + k * (n + k + 4) + 1, sizeof *self->z);
    self->pivot = calloc(k, sizeof *self->pivot);
  }
  if (self == NULL || self->z == NULL || self->pivot == NULL) {
    mbs_motors_at_destroy(self);
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for motions of %zu joints", k);
  }
  self->q = self->z + z;
  self->v = self->q + n;
  self->inputs = self->v + n;
  self->changes = self->inputs + inputs;
  self->place = self->changes + inputs;
  self->rate = self->place + k;
  self->gamma = self->rate + k;
  self->delta = self->gamma + k;
  self->A = self->delta + k;
  self->matrix = self->A + k * n;
  self->row = self->matrix + k * k;
  self->unit = self->row + m;
  memcpy(self->z, model->initial + 2 * n, z * sizeof *self->z);
  *created = self;
  return SEAM_OK;
}

void mbs_motors_at_destroy(struct mbs_motors_at *self) {
  if (self == NULL)
    return;
  free(self->z);
  free(self->pivot);
  free(self);
}

/* ---- Stages ---- */

void mbs_motors_copy(mbs_workspace *ws, const double *z) {
  memcpy(ws->motors->z, z, (size_t)ws->model->n_states * sizeof *z);
}

/* The state that frames and z are of; f and f' read nothing else. */
static mbs_state state_at_hand(const mbs_workspace *ws, double law_time) {
  const struct mbs_motors_at *self = ws->motors;
  for (int b = 0; b < ws->model->n_bodies; b++) {
    const mbs_frame *f = &ws->frames[b + 1];
    memcpy(self->q + 3 * b, (double[3]){f->x, f->y, f->phi}, 3 * sizeof(double));
    memcpy(self->v + 3 * b, (double[3]){f->vx, f->vy, f->omega}, 3 * sizeof(double));
  }
  return (mbs_state){.t = law_time, .q = self->q, .v = self->v, .z = self->z, .a = ws->still, .lambda = ws->still};
}

static double value_of(const mbs_workspace *ws, const mbs_state *at, const mbs_response *r) {
  mbs_measures_at_hand(r->inputs, ws, at, NULL);
  mbs_read_at_hand(r->inputs, ws, at, ws->motors->inputs);
  return r->function.value(r->function.data, ws->motors->inputs);
}

void mbs_motors_find(mbs_workspace *ws, double law_time) {
  struct mbs_motors_at *self = ws->motors;
  const mbs_state at = state_at_hand(ws, law_time);
  self->time = law_time;
  for (int i = 0; i < ws->model->laws.n_motors; i++) {
    self->place[i] = value_of(ws, &at, &motor_at(ws, i)->level[0]);
    self->rate[i] = value_of(ws, &at, &motor_at(ws, i)->level[1]);
  }
}

void mbs_motors_find_rates(mbs_workspace *ws, const double *v) {
  struct mbs_motors_at *self = ws->motors;
  if (!ws->model->laws.reads_bodies[1])
    return;
  mbs_stage_rates(ws, v);
  const mbs_state at = state_at_hand(ws, self->time);
  for (int i = 0; i < ws->model->laws.n_motors; i++) {
    self->rate[i] = value_of(ws, &at, &motor_at(ws, i)->level[1]);
    ws->prescribed_rate[row_of(ws, i)] = self->rate[i];
  }
}

seam_jet mbs_motor_jet(const mbs_workspace *ws, const mbs_joint *joint) {
  const struct mbs_motors_at *self = ws->motors;
  const mbs_response *second = &motor_at(ws, joint->motor)->level[2];
  const int number = mbs_motor_response(&ws->model->laws, joint->motor);
  return (seam_jet){.value = self->place[joint->motor],
                    .d = {self->rate[joint->motor]},
                    .dd = {second->moment == MBS_EARLY ? ws->response[number] : 0}};
}

void mbs_motors_accelerate(mbs_workspace *ws) {
  for (int i = 0; i < ws->model->laws.n_motors && !ws->motors->is_frozen; i++)
    if (motor_at(ws, i)->level[2].moment == MBS_LATE)
      ws->gamma[row_of(ws, i)] = ws->motors->gamma[i] + ws->response[mbs_motor_response(&ws->model->laws, i)];
}

void mbs_motors_keep(mbs_workspace *ws) {
  for (int i = 0; i < ws->model->laws.n_motors; i++)
    ws->motors->gamma[i] = ws->gamma[row_of(ws, i)];
}

void mbs_motors_set_frozen(mbs_workspace *ws, bool is_frozen) { ws->motors->is_frozen = is_frozen; }

bool mbs_motors_are_frozen(const mbs_workspace *ws) { return ws->motors != NULL && ws->motors->is_frozen; }

/* ---- Derivatives ---- */

static double change_of(const mbs_workspace *ws, const mbs_state *at, const mbs_direction *along,
                        const mbs_response *r) {
  struct mbs_motors_at *self = ws->motors;
  mbs_measures_at_hand(r->inputs, ws, at, along);
  mbs_read_at_hand(r->inputs, ws, at, self->inputs);
  mbs_change_at_hand(r->inputs, ws, at, along, self->changes);
  return r->function.change(r->function.data, self->inputs, self->changes);
}

double mbs_motor_change(const mbs_workspace *ws, const mbs_state *state, const mbs_direction *along, int number,
                        int level) {
  mbs_state at = *state;
  at.t = mbs_law_time(ws, state->t);
  return change_of(ws, &at, along, &motor_at(ws, number)->level[level]);
}

void mbs_motor_gradient(mbs_workspace *ws, int number, int level, double *gradient) {
  const int n = 3 * ws->model->n_bodies;
  const mbs_response *r = &motor_at(ws, number)->level[level];
  double *x = ws->motors->unit;
  const mbs_state at = state_at_hand(ws, ws->motors->time);
  const mbs_direction along = {.q = x,
                               .v = x + n,
                               .z = x + 2 * n,
                               .a = x + 2 * n + ws->model->n_states,
                               .lambda = x + 3 * n + ws->model->n_states};
  for (int k = 0; k < r->n_columns; k++) {
    x[r->column[k]] = 1;
    gradient[k] = change_of(ws, &at, &along, r);
    x[r->column[k]] = 0;
  }
}

/* ---- What a change of f does ---- */

void mbs_motor_effect(mbs_workspace *ws, const double *weight, int number, double *lambda, double *A) {
  memset(lambda, 0, (size_t)ws->model->n_rows * sizeof *lambda);
  memset(A, 0, 3 * (size_t)ws->model->n_bodies * sizeof *A);
  lambda[row_of(ws, number)] = 1;
  mbs_solve(ws, lambda);
  mbs_add_WGt(ws, weight, 1, lambda, A);
}

void mbs_motor_influence(mbs_workspace *ws, int number, double *a, double *lambda) {
  if (ws->motors->is_frozen) {
    memset(a, 0, 3 * (size_t)ws->model->n_bodies * sizeof *a);
    memset(lambda, 0, (size_t)ws->model->n_rows * sizeof *lambda);
    return;
  }
  mbs_motor_effect(ws, ws->model->inverse_mass, number, lambda, a);
  for (int i = 0; i < ws->model->n_rows; i++)
    lambda[i] = -lambda[i];
}

double mbs_motor_change_at_hand(const mbs_workspace *ws, const mbs_direction *along, int number, int level) {
  const mbs_state at = state_at_hand(ws, ws->motors->time);
  return change_of(ws, &at, along, &motor_at(ws, number)->level[level]);
}

/* Along x (3n) as coordinates or rates. */
static double change_along(const mbs_workspace *ws, int number, int level, const double *x) {
  const mbs_direction along = {
      .q = level == 0 ? x : ws->still, .v = level == 1 ? x : ws->still, .a = ws->still, .lambda = ws->still};
  return mbs_motor_change_at_hand(ws, &along, number, level);
}

void mbs_motors_correct(mbs_workspace *ws, const double *weight, int level, double *x) {
  struct mbs_motors_at *self = ws->motors;
  const int k = ws->model->laws.n_motors;
  const int n = 3 * ws->model->n_bodies;
  if (k == 0 || !ws->model->laws.reads_bodies[level])
    return;
  for (int j = 0; j < k; j++) {
    mbs_motor_effect(ws, weight, j, self->row, self->A + (size_t)(n * j));
    for (int i = 0; i < k; i++)
      self->matrix[i + j * k] = (i == j) - change_along(ws, i, level, self->A + (size_t)(n * j));
    self->delta[j] = change_along(ws, j, level, x);
  }
  if (LAPACKE_dgesv(LAPACK_COL_MAJOR, k, 1, self->matrix, k, self->pivot, self->delta, k) != 0)
    return; /* accelerations have no solution either, which their loop says */
  for (int j = 0; j < k; j++)
    for (int i = 0; i < n; i++)
      x[i] += self->delta[j] * self->A[i + n * j];
}

/* ---- Kinks ---- */

seam_status mbs_motors_check_kink(mbs_workspace *ws, const seam_kink *kink, const mbs_state *state, seam_error *error) {
  const double rounding = 1e-6; /* as of laws of time: mbs_check_kink() */
  const double far = 1e-9;
  for (int i = 0; i < ws->model->laws.n_motors; i++) {
    const mbs_response *place = &motor_at(ws, i)->level[0];
    mbs_state at = *state;
    at.t = kink->before;
    const double before = value_of(ws, &at, place);
    at.t = kink->at;
    const double after = value_of(ws, &at, place);
    if (fabs(after - before) <= rounding * ws->model->size + far * fabs(after))
      continue;
    return seam_fail(error, SEAM_CONSTRAINT_LOST,
                     "t = %.9g s: joint '%s' cannot follow its law, which jumps by %.6g: let it rise in some time",
                     kink->at, joint_of(ws, i)->name, after - before);
  }
  return SEAM_OK;
}
