#include "mbs/rest_motors.h"

#include <stdlib.h>
#include <string.h>

#include <lapacke.h>

#include "mbs/motor.h"

/* k motions. */
struct mbs_rest_motors {
  double *gradient;    /* (columns) of f or f' */
  double *slope;       /* (3n x k) f'_v */
  double *turn;        /* (3n x k) zeros: at rest nothing turns */
  double *missing;     /* (3n x k) f_q - f'_v */
  double *of_states;   /* (n_z x k) f_z */
  double *driven;      /* (3n x k) A */
  double *matrix, *LU; /* (k x k) */
  double *place;       /* (k) p */
  int *pivot;          /* (k) */
};

bool mbs_rest_motors_create(mbs_rest_equations *self) {
  const size_t k = (size_t)self->model->laws.n_motors;
  const size_t n = 3 * (size_t)self->model->n_bodies;
  const size_t n_z = (size_t)self->n_z;
  const size_t n_columns = 3 * n + (size_t)self->model->n_states + (size_t)self->model->n_rows;
  if (k == 0)
    return true;
  struct mbs_rest_motors *made = calloc(1, sizeof *made);
  self->motors = made;
  if (made == NULL)
    return false;
  made->gradient = calloc(n_columns + k * (4 * n + n_z + 2 * k + 1), sizeof *made->gradient);
  made->pivot = calloc(k, sizeof *made->pivot);
  if (made->gradient == NULL || made->pivot == NULL)
    return false;
  made->slope = made->gradient + n_columns;
  made->turn = made->slope + n * k;
  made->missing = made->turn + n * k;
  made->driven = made->missing + n * k;
  made->of_states = made->driven + n * k;
  made->matrix = made->of_states + n_z * k;
  made->LU = made->matrix + k * k;
  made->place = made->LU + k * k;
  return true;
}

void mbs_rest_motors_destroy(struct mbs_rest_motors *motors) {
  if (motors == NULL)
    return;
  free(motors->gradient);
  free(motors->pivot);
  free(motors);
}

/* f_q - f'_v, f'_v and f_z of a motion. */
static void take_gradients(const mbs_rest_equations *self, int motor) {
  struct mbs_rest_motors *to = self->motors;
  const int n = 3 * self->model->n_bodies;
  const mbs_response *level = self->model->laws.motor[motor].level;
  double *missing = to->missing + n * motor;
  double *slope = to->slope + n * motor;
  double *of_states = to->of_states + self->n_z * motor;
  memset(missing, 0, (size_t)n * sizeof *missing);
  memset(slope, 0, (size_t)n * sizeof *slope);
  memset(of_states, 0, (size_t)self->n_z * sizeof *of_states);
  mbs_motor_gradient(self->ws, motor, 0, to->gradient);
  for (int c = 0; c < level[0].n_columns; c++) {
    const int column = level[0].column[c];
    if (column < n)
      missing[column] = to->gradient[c];
    else if (column >= 2 * n && column < 2 * n + self->n_z)
      of_states[column - 2 * n] = to->gradient[c];
  }
  mbs_motor_gradient(self->ws, motor, 1, to->gradient);
  for (int c = 0; c < level[1].n_columns; c++)
    if (level[1].column[c] >= n && level[1].column[c] < 2 * n)
      slope[level[1].column[c] - n] = to->gradient[c];
  for (int i = 0; i < n; i++)
    missing[i] -= slope[i];
}

static double dot(const double *x, const double *y, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += x[i] * y[i];
  return sum;
}

/* A, and 1 - (f_q - f'_v) A. */
static seam_status take_driven(const mbs_rest_equations *self, seam_error *error) {
  struct mbs_rest_motors *to = self->motors;
  const mbs_model *model = self->model;
  const int n = 3 * model->n_bodies;
  const int k = model->laws.n_motors;
  for (int j = 0; j < k; j++) {
    if (!mbs_minimal_drive(self->minimal, model->joints[model->laws.motor[j].joint].row, to->driven + n * j))
      return seam_fail(error, SEAM_NO_MEMORY, "no memory for motions of %d joints", k);
    for (int i = 0; i < k; i++)
      to->matrix[i + j * k] = (i == j) - dot(to->missing + n * i, to->driven + n * j, n);
  }
  return SEAM_OK;
}

/* Column j of W += A p of what the motions follow. */
static seam_status add_driven(const mbs_rest_equations *self, int j, seam_error *error) {
  struct mbs_rest_motors *at = self->motors;
  const int n = 3 * self->model->n_bodies;
  const int k = self->model->laws.n_motors;
  double *column = self->W + n * j;
  for (int i = 0; i < k; i++)
    at->place[i] = j < self->f ? dot(at->missing + n * i, column, n) : at->of_states[j - self->f + self->n_z * i];
  memcpy(at->LU, at->matrix, (size_t)k * (size_t)k * sizeof *at->LU);
  if (LAPACKE_dgesv(LAPACK_COL_MAJOR, k, 1, at->LU, k, at->pivot, at->place, k) != 0)
    return seam_fail(error, SEAM_SINGULAR, "joint '%s' follows what moves with it at once: no place of rest follows",
                     self->model->joints[self->model->laws.motor[0].joint].name);
  for (int i = 0; i < k; i++)
    for (int b = 0; b < n; b++)
      column[b] += at->place[i] * at->driven[b + n * i];
  return SEAM_OK;
}

seam_status mbs_rest_motors_take(mbs_rest_equations *self, seam_error *error) {
  const size_t n = 3 * (size_t)self->model->n_bodies;
  const struct mbs_rest_motors *motors = self->motors;
  const mbs_ties ties = {motors != NULL ? motors->slope : NULL, motors != NULL ? motors->turn : NULL};
  for (int i = 0; motors != NULL && i < self->model->laws.n_motors; i++)
    take_gradients(self, i);
  seam_status status = mbs_minimal_take(self->minimal, self->ws, self->linear, motors != NULL ? &ties : NULL, error);
  if (status != SEAM_OK)
    return status;
  memset(self->W, 0, n * (size_t)self->n_moving * sizeof *self->W);
  memcpy(self->W, self->minimal->N, n * (size_t)self->f * sizeof *self->W);
  if (motors != NULL)
    status = take_driven(self, error);
  for (int j = 0; motors != NULL && j < self->n_moving && status == SEAM_OK; j++)
    status = add_driven(self, j, error);
  return status;
}
