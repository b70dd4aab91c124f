/* Finds the rank of the constraints' Jacobian G, and constraints that depend on others.
 *
 * The matrix D G W^½ has the same rank as G, and its entries do not depend on the unit of length. Here L is the size of
 * the mechanism. W and D are diagonal: W has 1, 1, 1/L² for each body, D has 1 for each constraint of a length and L
 * for each constraint of an angle. The singular values of D G W^½ are the roots of the eigenvalues of S = D G W Gᵀ D,
 * and |S⁻¹| gives a lower bound of the smallest one. If this bound is far from zero, the rank is full; otherwise a QR
 * factorisation finds the rank and the dependent constraints.
 *
 * A constraint may depend on others because it is redundant, or because the mechanism is in a singular configuration. A
 * small motion of the mechanism distinguishes the two cases: only redundant constraints still depend on others after
 * it. */
#include "mbs/dynamics/redundancy.h"

#include <math.h>
#include <stdlib.h>

#include "base/then.h"
#include "mbs/dynamics/assembly.h"
#include "mbs/stages/stages.h"
#include "mbs/thresholds.h"
#include "solvers/rank.h"

/* Fills W^½ Gᵀ D in compressed columns: column i belongs to scalar constraint i. */
static void compress_Gt(const mbs_workspace *ws, int *start, int *row, double *value) {
  const mbs_model *model = ws->model;
  int k = 0;
  for (int i = 0; i < model->n_rows; i++) {
    const mbs_joint *joint = &model->joints[model->joint_of_row[i]];
    const int early = joint->body[0] > joint->body[1]; /* side with the smaller body number comes first */
    start[i] = k;
    for (int pass = 0; pass < 2; pass++) {
      const int side = pass == 0 ? early : 1 - early;
      for (int c = 0; c < 3 && joint->body[side] != 0; c++, k++) {
        row[k] = 3 * (joint->body[side] - 1) + c;
        value[k] = ws->G[i][3 * side + c] * model->size / mbs_unit_of_row(model, i) / (c == 2 ? model->size : 1);
      }
    }
  }
  start[model->n_rows] = k;
}

/* Returns true if the rank is certainly full. */
static bool has_full_rank(const mbs_workspace *ws) {
  const mbs_model *model = ws->model;
  seam_ldl *solver = seam_ldl_create(model->elimination.plan);
  double *scratch = malloc((2 * (size_t)model->n_rows + 1) * sizeof *scratch);
  double(*DG)[6] = calloc((size_t)model->n_rows + 1, sizeof *DG);
  bool is_full = false;
  double largest = 0; /* largest |row|² of D G W^½ */
  for (int i = 0; i < model->n_rows && DG != NULL; i++) {
    double square = 0;
    for (int k = 0; k < 6; k++) {
      DG[i][k] = ws->G[i][k] * model->size / mbs_unit_of_row(model, i);
      square += DG[i][k] * DG[i][k] / (k % 3 == 2 ? model->size * model->size : 1);
    }
    largest = fmax(largest, square);
  }
  if (solver != NULL && scratch != NULL && DG != NULL) {
    mbs_elimination_fill(&model->elimination, (const double(*)[6])DG, model->assembly_weight, NULL, solver);
    mbs_exclude_free_rows(ws, solver);
    is_full = seam_ldl_factor(solver) < 0 &&
              seam_ldl_inverse_norm(solver, model->n_rows, scratch) * mbs_full_rank * largest < 1;
  }
  seam_ldl_destroy(solver);
  free(scratch);
  free(DG);
  return is_full;
}

seam_status mbs_constraint_rank(const mbs_workspace *ws, int *rank, int *dependent, seam_error *error) {
  const size_t m = (size_t)ws->model->n_rows;
  *rank = ws->model->n_rows;
  if (m == 0 || has_full_rank(ws))
    return SEAM_OK;
  int *start = malloc((m + 1) * sizeof *start);
  int *row = malloc((6 * m + 1) * sizeof *row);
  double *value = malloc((6 * m + 1) * sizeof *value);
  seam_status status = SEAM_NO_MEMORY;
  if (start == NULL || row == NULL || value == NULL) {
    seam_fail(error, status, "no memory to find the rank of %zu constraints", m);
  } else {
    compress_Gt(ws, start, row, value);
    status = seam_column_rank(3 * ws->model->n_bodies, (int)m, start, row, value, rank, dependent, error);
    const int n_dependent = ws->model->n_rows - *rank;
    int n_nonzero = 0; /* number of dependent rows, not counting the zero rows of joints whose friction slips */
    for (int i = 0; i < n_dependent && status == SEAM_OK && ws->model->n_stick_rows > 0; i++)
      if (!mbs_is_stick_row(ws->model, dependent[i]) || !mbs_is_excluded(ws, dependent[i]))
        dependent[n_nonzero++] = dependent[i];
    if (status == SEAM_OK && ws->model->n_stick_rows > 0)
      *rank += n_dependent - n_nonzero;
  }
  free(start);
  free(row);
  free(value);
  return status;
}

/* Changes q a little along a motion that satisfies the constraints and involves every degree of freedom. The workspace
 * must have G and the factors of S. */
static void displace_slightly(mbs_workspace *ws, mbs_state *state) {
  const mbs_model *model = ws->model;
  const int n = 3 * model->n_bodies;
  const double length = mbs_little_motion * model->size;
  for (int i = 0; i < n; i++)
    state->v[i] = (i % 3 == 2 ? 1 / model->size : 1) * sin(1 + 2.4 * i);
  for (int pass = 0; pass < 2; pass++) {
    mbs_multiply_G(ws, state->v, ws->row);
    mbs_solve(ws, ws->row);
    mbs_add_WGt(ws, model->assembly_weight, -1, ws->row, state->v);
  }
  for (int i = 0; i < n; i++) {
    state->q[i] += length * state->v[i];
    state->v[i] = 0;
  }
}

/* Closes the loops, and lists the dependent constraints. Returns the number of dependent constraints; 0 if the loops
 * cannot be closed, or if the rank cannot be found. */
static int count_dependent(mbs_workspace *ws, mbs_state *state, int *dependent) {
  int rank = 0;
  seam_status status = mbs_close_loops(ws, state, NULL);
  THEN(status, mbs_constraint_rank(ws, &rank, dependent, NULL));
  return status == SEAM_OK ? ws->model->n_rows - rank : 0;
}

seam_status mbs_find_redundancy(mbs_model *model, seam_error *error) {
  const seam_ldl_plan *plan = model->elimination.plan;
  const size_t m = (size_t)model->n_rows;
  mbs_workspace *ws = NULL;
  mbs_state *state = NULL;
  int *dependent_displaced = malloc((m + 1) * sizeof *dependent_displaced);
  int *dependent = malloc((m + 1) * sizeof *dependent);
  seam_status status = mbs_workspace_create(model, &ws, error);
  THEN(status, mbs_state_create(model, &state, error));
  if (status != SEAM_OK || dependent_displaced == NULL || dependent == NULL) {
    status = seam_fail(error, SEAM_NO_MEMORY, "no memory to examine %zu constraints", m);
  } else {
    const int n_dependent = count_dependent(ws, state, dependent);
    if (n_dependent > 0)
      displace_slightly(ws, state);
    if (n_dependent > 0 && count_dependent(ws, state, dependent_displaced) == n_dependent) {
      model->n_redundant = n_dependent;
      model->redundant = dependent;
      for (int i = 0; i < n_dependent; i++)
        model->is_redundant[dependent[i]] = true;
      dependent = NULL;
      model->n_cleared = seam_ldl_couplings(plan, model->n_rows, model->is_redundant, NULL);
      model->cleared = malloc(((size_t)model->n_cleared + 1) * sizeof *model->cleared);
      if (model->cleared == NULL)
        status = seam_fail(error, SEAM_NO_MEMORY, "no memory for %d redundant constraints", model->n_redundant);
      else
        seam_ldl_couplings(plan, model->n_rows, model->is_redundant, model->cleared);
    }
  }
  free(dependent);
  free(dependent_displaced);
  mbs_state_destroy(state);
  mbs_workspace_destroy(ws);
  return status;
}
