/* Linearised laws. A law gives a value u, such as a force, from quantities x = (q, v, z, a, λ): δu = u_x δx. Laws that
 * read a or λ form a loop, since a and λ depend on u (law.c). With A = ∂a/∂u and Λ = ∂λ/∂u, they satisfy
 *
 *   (1 - u_a A - u_λ Λ) δu = u_q δq + u_v δv + u_z δz + u_a δa⁰ + u_λ δλ⁰,   δa = δa⁰ + A δu,   δλ = δλ⁰ + Λ δu
 *
 * δa⁰ and δλ⁰ are the changes of a and λ for δu = 0. */
#include "mbs/dynamics/linearised.h"

#include <stdlib.h>
#include <string.h>

#include <lapacke.h>

#include "mbs/dynamics/responses.h"
#include "mbs/model/laws.h"
#include "mbs/output/readout.h"

/* ---- Creation ---- */

bool mbs_linearised_laws_create(mbs_linearised_laws *self, const mbs_model *model) {
  const mbs_laws *laws = &model->laws;
  const size_t n_responses = (size_t)mbs_n_responses(laws);
  const size_t n_loop = (size_t)laws->n_loop;
  const size_t n = 3 * (size_t)model->n_bodies;
  const size_t m = (size_t)model->n_rows;
  size_t n_slopes = 0;
  for (int i = 0; i < mbs_n_responses(laws); i++)
    n_slopes += (size_t)mbs_response_of(laws, i)->n_columns;
  self->slope = calloc(n_responses + 1, sizeof *self->slope);
  self->unit_load = calloc((size_t)laws->n_unit_loads + 1, sizeof *self->unit_load);
  self->a = calloc(n_loop * (n + m + n_loop) + n_responses + n_slopes + 1, sizeof *self->a);
  self->pivot = calloc(n_loop + 1, sizeof *self->pivot);
  if (self->slope == NULL || self->unit_load == NULL || self->a == NULL || self->pivot == NULL)
    return false;
  self->lambda = self->a + n * n_loop;
  self->matrix = self->lambda + m * n_loop;
  self->change = self->matrix + n_loop * n_loop;
  double *slope = self->change + n_responses;
  for (int i = 0; i < mbs_n_responses(laws); i++) {
    self->slope[i] = slope;
    slope += mbs_response_of(laws, i)->n_columns;
  }
  return true;
}

void mbs_linearised_laws_destroy(mbs_linearised_laws *self) {
  free(self->slope);
  free(self->unit_load);
  free(self->a);
  free(self->pivot);
}

/* ---- Coefficients ---- */

/* Returns δu of response `number`: its derivatives times a direction, plus its entry in self->given unless this is
 * NULL. Members of the direction may be NULL, which means zero. */
static double change_along(const mbs_linearised_laws *self, const mbs_model *model, int number,
                           const mbs_direction *along) {
  const mbs_response *response = mbs_response_of(&model->laws, number);
  const int n = 3 * model->n_bodies;
  const struct {
    const double *x;
    int end;
  } blocks[] = {{along->q, n},
                {along->v, 2 * n},
                {along->z, 2 * n + model->n_states},
                {along->a, 3 * n + model->n_states},
                {along->lambda, 3 * n + model->n_states + model->n_rows}};
  double sum = self->given != NULL ? self->given[number] : 0;
  int block = 0;
  int begin = 0;
  for (int k = 0; k < response->n_columns; k++) {
    while (response->column[k] >= blocks[block].end)
      begin = blocks[block++].end;
    if (blocks[block].x != NULL)
      sum += self->slope[number][k] * blocks[block].x[response->column[k] - begin];
  }
  return sum;
}

void mbs_linearise_laws(mbs_linearised_laws *self, mbs_workspace *ws, const mbs_state *now) {
  const mbs_laws *laws = &ws->model->laws;
  for (int i = 0; i < mbs_n_responses(laws); i++) {
    const mbs_response *response = mbs_response_of(laws, i);
    if (mbs_is_function(response))
      mbs_response_gradient(ws, now, i, self->slope[i]);
  }
  for (int i = 0; i < laws->n_laws; i++)
    for (int k = 0; k < laws->law[i].n; k++)
      mbs_law_unit_load(ws, now->z, i, k, self->unit_load[laws->law[i].unit_load + k]);
  /* Finds A and Λ of the laws that read a or λ, and the factors of 1 - u_a A - u_λ Λ. The determinant of this matrix is
   * positive, as the evaluation at the same state has checked. */
  const mbs_model *model = ws->model;
  const int n = laws->n_loop;
  const int *number = laws->at[MBS_LATE].number;
  for (int j = 0; j < n; j++) {
    double *a = self->a + 3 * model->n_bodies * j;
    double *lambda = self->lambda + model->n_rows * j;
    mbs_influence(ws, now->z, number[j], a, lambda);
    const mbs_direction along = {.a = a, .lambda = lambda};
    for (int i = 0; i < n; i++)
      self->matrix[i + j * n] = (i == j) - change_along(self, model, number[i], &along);
  }
  if (n > 0)
    (void)LAPACKE_dgetrf(LAPACK_COL_MAJOR, n, n, self->matrix, n, self->pivot);
}

/* ---- Solution ---- */

void mbs_linearised_laws_change(const mbs_linearised_laws *self, const mbs_model *model, const mbs_direction *along) {
  for (int i = 0; i < mbs_n_responses(&model->laws); i++)
    self->change[i] = change_along(self, model, i, along);
}

static void add_scaled(double factor, const double *x, int n, double *sum) {
  for (int i = 0; i < n; i++)
    sum[i] += factor * x[i];
}

void mbs_linearised_laws_load(const mbs_linearised_laws *self, const mbs_model *model, const mbs_direction *along,
                              double *dQ) {
  if (model->laws.n_laws > 0)
    mbs_linearised_laws_change(self, model, along);
  for (int i = 0; i < model->laws.n_laws; i++) {
    const mbs_law *law = &model->laws.law[i];
    for (int k = 0; k < law->n && law->response.phase == MBS_EARLY; k++) {
      const int *body = model->forces[law->force + k].body;
      for (int side = 0; side < 2; side++)
        if (body[side] != 0)
          add_scaled(self->change[i], self->unit_load[law->unit_load + k] + 3 * side, 3, dQ + 3 * (body[side] - 1));
    }
  }
}

void mbs_linearised_laws_close(const mbs_linearised_laws *self, const mbs_model *model, const mbs_direction *along,
                               double *da, double *dlambda) {
  const int n = model->laws.n_loop;
  const int *number = model->laws.at[MBS_LATE].number;
  const mbs_direction all = {along->q, along->v, da, dlambda, along->z, NULL};
  double *du = self->change;
  for (int i = 0; i < n; i++)
    du[i] = change_along(self, model, number[i], &all);
  (void)LAPACKE_dgetrs(LAPACK_COL_MAJOR, 'N', n, 1, self->matrix, n, self->pivot, du, n);
  for (int i = 0; i < n; i++) {
    add_scaled(du[i], self->a + 3 * model->n_bodies * i, 3 * model->n_bodies, da);
    add_scaled(du[i], self->lambda + model->n_rows * i, model->n_rows, dlambda);
  }
}
