/* With F(q, z) the rates of the states, of sampled variables f - z, at v = 0 and with a, λ and laws that follow,
 *
 *   F_z δz = -F_q δq
 *
 * and δa is that of the linearised equations for δq and δz. */
#include "mbs/statics/rest_motion.h"
#include "mbs/model/laws.h"

#include <stdlib.h>
#include <string.h>

#include <lapacke.h>

struct mbs_rest_motion {
  const mbs_model *model;
  int n_z;                                /* states, without the time of the last sample */
  double *matrix;                         /* (n_z x n_z) factors of F_z */
  double *still, *z, *rates, *a, *lambda; /* (3n), (n_states), (n_states), (3n), (m) */
  int *pivot;
};

seam_status mbs_rest_motion_create(const mbs_model *model, mbs_rest_motion **created, seam_error *error) {
  const size_t n = 3 * (size_t)model->n_bodies;
  const size_t n_states = (size_t)model->n_states;
  mbs_rest_motion *self = calloc(1, sizeof *self);
  if (self != NULL) {
    self->matrix = calloc(n_states * (n_states + 2) + 2 * n + (size_t)model->n_rows + 1, sizeof *self->matrix);
    self->pivot = calloc(n_states + 1, sizeof *self->pivot);
  }
  if (self == NULL || self->matrix == NULL || self->pivot == NULL) {
    mbs_rest_motion_destroy(self);
    return seam_fail(error, SEAM_NO_MEMORY, "no memory to linearise %zu states at rest", n_states);
  }
  self->model = model;
  self->n_z = model->laws.first_state + model->laws.n_variables;
  self->z = self->matrix + n_states * n_states;
  self->rates = self->z + n_states;
  self->still = self->rates + n_states;
  self->a = self->still + n;
  self->lambda = self->a + n;
  *created = self;
  return SEAM_OK;
}

void mbs_rest_motion_destroy(mbs_rest_motion *self) {
  if (self == NULL)
    return;
  free(self->matrix);
  free(self->pivot);
  free(self);
}

/* self->a and self->rates, which are F, of dq and self->z. */
static void respond(mbs_rest_motion *self, const mbs_linearised *linear, mbs_workspace *ws, const double *dq) {
  const mbs_laws *laws = &self->model->laws;
  memset(self->a, 0, 3 * (size_t)self->model->n_bodies * sizeof *self->a);
  memset(self->lambda, 0, (size_t)self->model->n_rows * sizeof *self->lambda);
  mbs_linearised_solve(linear, ws, dq, NULL, self->z, self->a, self->lambda);
  mbs_linearised_rates(linear, &(mbs_direction){dq, self->still, self->a, self->lambda, self->z, NULL}, self->rates);
  for (int i = 0; i < laws->n_variables; i++) {
    const int state = laws->first_state + i;
    const bool is_function = mbs_is_function(&laws->variable[i].response);
    if (!is_function || laws->variable[i].sample > 0)
      self->rates[state] = (is_function ? linear->laws.change[laws->n_laws + i] : 0) - self->z[state];
  }
}

/* A state of a force element that nothing changes there, as pressures at a spool's end, stays. */
static void hold_idle(mbs_rest_motion *self) {
  const int n = self->n_z;
  for (int i = 0; i < self->model->laws.first_state; i++) {
    bool is_idle = true;
    for (int j = 0; j < n; j++)
      is_idle = is_idle && self->matrix[i + j * n] == 0;
    if (is_idle)
      self->matrix[i + i * n] = -1;
  }
}

seam_status mbs_rest_motion_take(mbs_rest_motion *self, const mbs_linearised *linear, mbs_workspace *ws,
                                 seam_error *error) {
  const int n = self->n_z;
  for (int j = 0; j < n; j++) {
    memset(self->z, 0, (size_t)n * sizeof *self->z);
    self->z[j] = 1;
    respond(self, linear, ws, self->still);
    memcpy(self->matrix + (size_t)j * (size_t)n, self->rates, (size_t)n * sizeof *self->rates);
  }
  hold_idle(self);
  if (n > 0 && LAPACKE_dgetrf(LAPACK_COL_MAJOR, n, n, self->matrix, n, self->pivot) != 0)
    return seam_fail(error, SEAM_SINGULAR,
                     "variables and states of force elements have no single value at which they rest: for a static "
                     "equilibrium give each integral an equation that returns it, or leave it out");
  return SEAM_OK;
}

void mbs_rest_motion_along(mbs_rest_motion *self, const mbs_linearised *linear, mbs_workspace *ws, const double *dq,
                           double *da) {
  const int n = self->n_z;
  memset(self->z, 0, (size_t)self->model->n_states * sizeof *self->z);
  if (n > 0) {
    respond(self, linear, ws, dq);
    for (int i = 0; i < n; i++)
      self->z[i] = -self->rates[i];
    (void)LAPACKE_dgetrs(LAPACK_COL_MAJOR, 'N', n, 1, self->matrix, n, self->pivot, self->z, n);
  }
  respond(self, linear, ws, dq);
  memcpy(da, self->a, 3 * (size_t)self->model->n_bodies * sizeof *da);
}
