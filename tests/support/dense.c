#include "tests/support/dense.h"

#include <criterion/criterion.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>

#include "mbs/model/workspace.h"
#include "mbs/stages/stages.h"

void solve_dense(mechanism *m, double *solution) {
  const mbs_model *model = m->model;
  const int n = 3 * model->n_bodies;
  const int order = n + model->n_rows;
  double *A = calloc((size_t)order * (size_t)order, sizeof *A);
  double singular_values[MAX_UNKNOWNS];
  lapack_int rank = 0;
  cr_assert(A != NULL && order <= MAX_UNKNOWNS);
  mbs_stage_kinematics(m->ws, m->state->q, m->state->v);
  mbs_stage_forces(m->ws, m->state->t, m->state->z);
  mbs_stage_constraints(m->ws, m->state->t);
  for (int i = 0; i < n; i++) {
    A[i * order + i] = model->mass[3 + i];
    solution[i] = m->ws->Q[3 + i];
  }
  for (int row = 0; row < model->n_rows; row++) {
    const mbs_joint *joint = &model->joints[model->joint_of_row[row]];
    solution[n + row] = m->ws->gamma[row];
    for (int i = 0; i < 6; i++) {
      const int column = 3 * (joint->body[i / 3] - 1) + i % 3;
      if (joint->body[i / 3] != 0)
        A[(n + row) * order + column] = A[column * order + n + row] = m->ws->G[row][i];
    }
  }
  cr_assert_eq(LAPACKE_dgelsd(LAPACK_ROW_MAJOR, order, order, 1, A, order, solution, 1, singular_values, 1e-12, &rank),
               0);
  free(A);
}

double largest_of(const double *x, int n) {
  double largest = 1;
  for (int i = 0; i < n; i++)
    largest = fmax(largest, fabs(x[i]));
  return largest;
}
