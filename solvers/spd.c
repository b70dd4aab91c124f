/* Dense: packed Cholesky factorisation, S = Uᵀ U ([LAPACK]). Sparse: LU factorisation with diagonal pivots in AMD order
 * (KLU, [Davis-Palamadai]), which for a positive definite matrix are as safe as Cholesky's. CHOLMOD would need half the
 * operations, but its fast part, for supernodes, is under the GPL, and KLU is needed for unsymmetric systems anyway.
 *
 * Which is faster was measured (bench/linear.c, both on full and on chain patterns): KLU below order 10 whatever the
 * pattern, and above it as long as its factors are not nearly full. */
#include "solvers/spd.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <klu.h>
#include <lapacke.h>

enum { dense_from_order = 10 };
static const double dense_from_fill = 0.75;

/* A pivot below this part of its diagonal entry has lost all its digits: it is the squared sine of the angle between a
 * row and the span of those before it. */
static const double lost_pivot = 1e-14;

struct seam_spd_plan {
  int n;
  int *column_start;      /* (n + 1) */
  int *row;               /* (column_start[n]) */
  int *diagonal;          /* (n) slot of each diagonal entry */
  klu_symbolic *symbolic; /* NULL: dense */
  klu_common common;
};

struct seam_spd {
  const seam_spd_plan *plan;
  klu_numeric *numeric;
  klu_common common; /* KLU writes its status here: one for each thread */
  double *packed;    /* (n (n + 1) / 2) upper triangle by columns */
};

static bool use_full_pattern(seam_spd_plan *plan) {
  const int n = plan->n;
  int *row = malloc((size_t)n * (size_t)n * sizeof *row);
  if (row == NULL)
    return false;
  for (int j = 0; j <= n; j++)
    plan->column_start[j] = j * n;
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      row[j * n + i] = i;
  free(plan->row);
  plan->row = row;
  return true;
}

static bool dense_is_faster(const seam_spd_plan *plan) {
  const double n = plan->n;
  return plan->n >= dense_from_order && plan->symbolic->lnz > dense_from_fill * n * (n + 1) / 2;
}

static bool copy_pattern(seam_spd_plan *plan, const int *column_start, const int *row) {
  const size_t n = (size_t)plan->n;
  const size_t n_entries = (size_t)column_start[n];
  plan->column_start = malloc((n + 1) * sizeof *plan->column_start);
  plan->row = malloc((n_entries + 1) * sizeof *plan->row);
  plan->diagonal = malloc((n + 1) * sizeof *plan->diagonal);
  if (plan->column_start == NULL || plan->row == NULL || plan->diagonal == NULL)
    return false;
  memcpy(plan->column_start, column_start, (n + 1) * sizeof *column_start);
  memcpy(plan->row, row, n_entries * sizeof *row);
  return true;
}

static bool analyse(seam_spd_plan *plan) {
  klu_defaults(&plan->common);
  plan->common.btf = 0;
  plan->common.scale = -1; /* no scaling: diagonal pivots of a positive definite matrix need none */
  plan->common.tol = 0;    /* the diagonal is always taken */
  plan->common.halt_if_singular = 0;
  plan->symbolic = klu_analyze(plan->n, plan->column_start, plan->row, &plan->common);
  return plan->symbolic != NULL;
}

static bool choose_method(seam_spd_plan *plan, seam_spd_method method) {
  if (plan->n == 0)
    return true;
  if (!analyse(plan))
    return false;
  if (method == SEAM_SPD_SPARSE || (method == SEAM_SPD_CHOOSE && !dense_is_faster(plan)))
    return true;
  klu_free_symbolic(&plan->symbolic, &plan->common);
  return use_full_pattern(plan);
}

seam_status seam_spd_plan_create(int n, const int *column_start, const int *row, seam_spd_method method,
                                 seam_spd_plan **plan_out, seam_error *error) {
  seam_spd_plan *plan = calloc(1, sizeof *plan);
  if (plan != NULL)
    plan->n = n;
  if (plan == NULL || !copy_pattern(plan, column_start, row) || !choose_method(plan, method)) {
    seam_spd_plan_destroy(plan);
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for a matrix of order %d", n);
  }
  for (int i = 0; i < n; i++)
    plan->diagonal[i] = seam_spd_slot(plan, i, i);
  *plan_out = plan;
  return SEAM_OK;
}

void seam_spd_plan_destroy(seam_spd_plan *plan) {
  if (plan == NULL)
    return;
  if (plan->symbolic != NULL)
    klu_free_symbolic(&plan->symbolic, &plan->common);
  free(plan->column_start);
  free(plan->row);
  free(plan->diagonal);
  free(plan);
}

int seam_spd_n_values(const seam_spd_plan *plan) { return plan->column_start[plan->n]; }

void seam_spd_pattern(const seam_spd_plan *plan, int *column_start, int *row) {
  memcpy(column_start, plan->column_start, ((size_t)plan->n + 1) * sizeof *column_start);
  memcpy(row, plan->row, (size_t)seam_spd_n_values(plan) * sizeof *row);
}

bool seam_spd_is_dense(const seam_spd_plan *plan) { return plan->symbolic == NULL; }

int seam_spd_slot(const seam_spd_plan *plan, int i, int j) {
  int low = plan->column_start[j];
  int high = plan->column_start[j + 1] - 1;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (plan->row[middle] < i)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* KLU finds the pattern of its factors at the first factorisation; a diagonally dominant matrix makes it one without
 * row exchanges, which later refactorisations keep. */
static klu_numeric *first_factors(const seam_spd_plan *plan, klu_common *common) {
  double *values = malloc(((size_t)seam_spd_n_values(plan) + 1) * sizeof *values);
  if (values == NULL)
    return NULL;
  for (int k = 0; k < seam_spd_n_values(plan); k++)
    values[k] = -1;
  for (int i = 0; i < plan->n; i++)
    values[plan->diagonal[i]] = plan->n + 1;
  klu_numeric *numeric = klu_factor(plan->column_start, plan->row, values, plan->symbolic, common);
  free(values);
  return numeric;
}

seam_spd *seam_spd_create(const seam_spd_plan *plan) {
  seam_spd *solver = calloc(1, sizeof *solver);
  if (solver == NULL)
    return NULL;
  const size_t n = (size_t)plan->n;
  solver->plan = plan;
  solver->common = plan->common;
  if (plan->symbolic == NULL)
    solver->packed = malloc((n * (n + 1) / 2 + 1) * sizeof *solver->packed);
  else
    solver->numeric = first_factors(plan, &solver->common);
  if (solver->packed == NULL && solver->numeric == NULL) {
    free(solver);
    return NULL;
  }
  return solver;
}

void seam_spd_destroy(seam_spd *solver) {
  if (solver == NULL)
    return;
  if (solver->numeric != NULL)
    klu_free_numeric(&solver->numeric, &solver->common);
  free(solver->packed);
  free(solver);
}

void seam_spd_scale_diagonal(const seam_spd_plan *plan, double *values, double factor) {
  for (int i = 0; i < plan->n; i++)
    values[plan->diagonal[i]] *= factor;
}

void seam_spd_set_diagonal(const seam_spd_plan *plan, double *values, int i, double value) {
  values[plan->diagonal[i]] = value;
}

/* ---- Factorisation ---- */

/* Pivot k of the factors and the row it belongs to. */
static double pivot_of(const seam_spd *solver, int k, int *row) {
  if (solver->numeric != NULL) {
    *row = solver->plan->symbolic->Q[k];
    return ((const double *)solver->numeric->Udiag)[k];
  }
  *row = k;
  const double root = solver->packed[(size_t)k * ((size_t)k + 3) / 2];
  return root * root;
}

static void factor_sparse(seam_spd *solver, double *values) {
  const seam_spd_plan *plan = solver->plan;
  klu_refactor(plan->column_start, plan->row, values, plan->symbolic, solver->numeric, &solver->common);
}

/* Row where the factorisation had to stop, or -1. */
static int factor_dense(seam_spd *solver, const double *values) {
  const int n = solver->plan->n;
  double *column = solver->packed;
  for (int j = 0; j < n; column += ++j)
    memcpy(column, values + (size_t)j * (size_t)n, (size_t)(j + 1) * sizeof *column);
  const int info = LAPACKE_dpptrf_work(LAPACK_COL_MAJOR, 'U', n, solver->packed);
  return info > 0 ? info - 1 : -1;
}

int seam_spd_factor(seam_spd *solver, double *values) {
  const seam_spd_plan *plan = solver->plan;
  int row = -1;
  if (plan->n == 0)
    return -1;
  if (solver->numeric != NULL)
    factor_sparse(solver, values);
  else
    row = factor_dense(solver, values);
  for (int k = 0; k < plan->n && row < 0; k++) {
    int of;
    if (!(pivot_of(solver, k, &of) > lost_pivot * values[plan->diagonal[of]]))
      row = of;
  }
  return row;
}

int seam_spd_weakest_row(const seam_spd *solver, const double *values, double *quotient) {
  int weakest = 0;
  *quotient = INFINITY;
  for (int k = 0; k < solver->plan->n; k++) {
    int row;
    const double q = pivot_of(solver, k, &row) / values[solver->plan->diagonal[row]];
    if (q < *quotient) {
      *quotient = q;
      weakest = row;
    }
  }
  return weakest;
}

void seam_spd_solve(seam_spd *solver, double *b) {
  const int n = solver->plan->n;
  if (n == 0)
    return;
  if (solver->numeric != NULL)
    klu_solve(solver->plan->symbolic, solver->numeric, n, 1, b, &solver->common);
  else
    LAPACKE_dpptrs_work(LAPACK_COL_MAJOR, 'U', n, 1, solver->packed, b, n);
}
