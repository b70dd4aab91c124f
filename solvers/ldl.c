/* Column by column of blocks, right-looking: with the diagonal block U d Uᵀ of a column (U unit lower triangular, d
 * diagonal) and its rows X below,
 *
 *   Z = X U⁻ᵀ,   L = Z d⁻¹,   and -L Zᵀ is added to the columns of the blocks below.
 *
 * Kernels are made for each order of a block; the compiler unrolls them. */
#include "solvers/ldl.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "solvers/ldl_forest.h"
#include "solvers/ldl_kernels.h"
#include "solvers/ldl_plan.h"

/* A pivot below this part of its reference has lost all its digits: it is the squared sine of the angle between a row
 * and the span of those before it. */
static const double lost_pivot = 1e-14;

struct seam_ldl {
  const seam_ldl_plan *plan;
  double *values;    /* (n_values) of A, then U and L */
  double *reference; /* (n_unknowns) of each pivot */
  double *inverse;   /* (n_unknowns) 1/d */
  double *z;         /* (3 largest_height) scratch */
  double *x;         /* (n_unknowns) scratch, in the sequence of elimination */
};

seam_ldl *seam_ldl_create(const seam_ldl_plan *plan) {
  const size_t n = (size_t)plan->n_unknowns + 1;
  seam_ldl *solver = calloc(1, sizeof *solver);
  if (solver == NULL)
    return NULL;
  solver->plan = plan;
  solver->values = calloc((size_t)plan->n_values + 1, sizeof *solver->values);
  solver->reference = calloc(n, sizeof *solver->reference);
  solver->inverse = calloc(n, sizeof *solver->inverse);
  solver->z = calloc(3 * (size_t)plan->largest_height + 1, sizeof *solver->z);
  solver->x = calloc(n, sizeof *solver->x);
  if (solver->values == NULL || solver->reference == NULL || solver->inverse == NULL || solver->z == NULL ||
      solver->x == NULL) {
    seam_ldl_destroy(solver);
    return NULL;
  }
  return solver;
}

void seam_ldl_destroy(seam_ldl *solver) {
  if (solver == NULL)
    return;
  free(solver->values);
  free(solver->reference);
  free(solver->inverse);
  free(solver->z);
  free(solver->x);
  free(solver);
}

void seam_ldl_clear(seam_ldl *solver) {
  memset(solver->values, 0, (size_t)solver->plan->n_values * sizeof *solver->values);
}

double *seam_ldl_values(seam_ldl *solver) { return solver->values; }

double *seam_ldl_references(seam_ldl *solver) { return solver->reference; }

/* ---- Factorisation ---- */

/* Returns the runs that follow. */
static inline const seam_ldl_run *update_column(int order, int columns, double *values, const seam_ldl_run *run,
                                                int n_runs, const double *L, const double *Z) {
  for (const seam_ldl_run *end = run + n_runs; run < end; run++) {
    if (order == 2 && columns == 2 && run->n_rows == 2)
      subtract_square(L, Z, values + run->target);
    else
      subtract(order, columns, run->n_rows, L, Z, values + run->target);
    L += order * run->n_rows;
  }
  return run;
}

typedef struct cursor {
  const seam_ldl_update *update;
  const seam_ldl_run *run;
  double *values, *z, *inverse; /* of the solver */
} cursor;

static inline void eliminate(int order, const seam_ldl_column *column, cursor *at) {
  double *values = at->values;
  double *U = values + column->first_value;
  double *L = U + order * order;
  double *Z = at->z;
  double *inverse = at->inverse + column->first;
  factor_diagonal(order, U, inverse);
  scale_rows(order, U, inverse, column->height, L, Z);
  for (int i = 0; i < column->n_below; i++, at->update++) {
    const int columns = at->update->order;
    const int n_runs = at->update->n_runs;
    if (columns == 2)
      at->run = update_column(order, 2, values, at->run, n_runs, L, Z);
    else if (columns == 3)
      at->run = update_column(order, 3, values, at->run, n_runs, L, Z);
    else
      at->run = update_column(order, 1, values, at->run, n_runs, L, Z);
    L += order * columns;
    Z += order * columns;
  }
}

int seam_ldl_weakest(const seam_ldl *solver, double *quotient) {
  int weakest = 0;
  double largest = 0;
  for (int i = 0; i < solver->plan->n_unknowns; i++) {
    const double part = solver->reference[i] * solver->inverse[i];
    if (part > largest) {
      largest = part;
      weakest = solver->plan->unknown[i];
    }
  }
  *quotient = 1 / largest;
  return weakest;
}

void seam_ldl_quotients(const seam_ldl *solver, int n, double *quotient) {
  for (int i = 0; i < solver->plan->n_unknowns; i++)
    if (solver->plan->unknown[i] < n)
      quotient[solver->plan->unknown[i]] = 1 / (solver->reference[i] * solver->inverse[i]);
}

/* ---- Solution ---- */

/* What both sweeps read at every column, in registers. */
typedef struct sweep {
  const seam_ldl_column *columns;
  const int *turn;
  const double *values, *inverse;
  double *x;
  int n_blocks;
} sweep;

/* Subtracts L y from the rows below; returns the spans that follow. */
static inline const seam_ldl_span *go_forward(int order, sweep at, const seam_ldl_column *column,
                                              const seam_ldl_span *span) {
  const double *U = at.values + column->first_value;
  const double *L = U + order * order;
  double *y = at.x + column->first;
  if (order > 1)
    y[1] -= U[order] * y[0];
  if (order > 2)
    y[2] -= U[6] * y[0] + U[7] * y[1];
  const double y0 = y[0];
  const double y1 = order > 1 ? y[1] : 0;
  const double y2 = order > 2 ? y[2] : 0;
  for (const seam_ldl_span *end = span + column->n_spans; span < end; span++) {
    double *rows = at.x + span->first;
    if (order == 2 && span->n_rows == 2) {
      const seam_lanes sum =
          (seam_lanes){L[0], L[2]} * seam_lanes_of(y0) + (seam_lanes){L[1], L[3]} * seam_lanes_of(y1);
      seam_lanes_store(rows, seam_lanes_load(rows) - sum);
      L += 4;
      continue;
    }
    for (int i = 0; i < span->n_rows; i++, L += order) {
      double sum = L[0] * y0;
      if (order > 1)
        sum += L[1] * y1;
      if (order > 2)
        sum += L[2] * y2;
      rows[i] -= sum;
    }
  }
  return span;
}

/* U⁻ᵀ (y / d - Lᵀ x); `span` is behind the last of the column. This is order 2. */
static inline void go_back_two(sweep at, const seam_ldl_column *column, const seam_ldl_span *span) {
  const double *U = at.values + column->first_value;
  const double *L = U + 4;
  double *x = at.x + column->first;
  seam_lanes sum = {0, 0};
  for (const seam_ldl_span *of = span - column->n_spans; of < span; of++) {
    const double *rows = at.x + of->first;
    for (int i = 0; i < of->n_rows; i++, L += 2)
      sum += seam_lanes_load(L) * seam_lanes_of(rows[i]);
  }
  const seam_lanes both = seam_lanes_load(x) * seam_lanes_load(at.inverse + column->first) - sum;
  x[0] = both[0] - U[2] * both[1];
  x[1] = both[1];
}

/* Any other order. */
static inline void go_back(int order, sweep at, const seam_ldl_column *column, const seam_ldl_span *span) {
  const double *U = at.values + column->first_value;
  const double *L = U + order * order;
  const double *inverse = at.inverse + column->first;
  double *x = at.x + column->first;
  double sum[3] = {0};
  for (const seam_ldl_span *of = span - column->n_spans; of < span; of++) {
    const double *rows = at.x + of->first;
    for (int i = 0; i < of->n_rows; i++, L += order)
      for (int k = 0; k < order; k++)
        sum[k] += L[k] * rows[i];
  }
  for (int k = 0; k < order; k++)
    x[k] = x[k] * inverse[k] - sum[k];
  if (order > 2)
    x[1] -= U[7] * x[2];
  if (order > 2)
    x[0] -= U[6] * x[2];
  if (order > 2)
    x[0] -= U[3] * x[1];
}

static inline const seam_ldl_span *go_forward_all(sweep at, const seam_ldl_span *span) {
  for (int turn = 0; turn < at.n_blocks; turn++) {
    const seam_ldl_column *column = &at.columns[at.turn[turn]];
    if (column->order == 2)
      span = go_forward(2, at, column, span);
    else if (column->order == 3)
      span = go_forward(3, at, column, span);
    else
      span = go_forward(1, at, column, span);
  }
  return span;
}

static void go_back_all(sweep at, const seam_ldl_span *span) {
  for (int turn = at.n_blocks; turn-- > 0;) {
    const seam_ldl_column *column = &at.columns[at.turn[turn]];
    if (column->order == 2)
      go_back_two(at, column, span);
    else if (column->order == 3)
      go_back(3, at, column, span);
    else
      go_back(1, at, column, span);
    span -= column->n_spans;
  }
}

static sweep sweep_of(const seam_ldl *solver) {
  const seam_ldl_plan *plan = solver->plan;
  return (sweep){plan->columns, plan->turn, solver->values, solver->inverse, solver->x, plan->n_blocks};
}

static void take_side(const seam_ldl *solver, int n, const double *b) {
  const int *unknown = solver->plan->unknown;
  const int n_unknowns = solver->plan->n_unknowns;
  double *x = solver->x;
  const bool has_all = n_unknowns <= n;
  for (int i = 0; i < n_unknowns; i++)
    x[i] = has_all || unknown[i] < n ? b[unknown[i]] : 0;
}

static void give_solution(const seam_ldl *solver, int n, double *b) {
  const int *unknown = solver->plan->unknown;
  const int n_unknowns = solver->plan->n_unknowns;
  const double *x = solver->x;
  const bool has_all = n_unknowns <= n;
  for (int i = 0; i < n_unknowns; i++)
    if (has_all || unknown[i] < n)
      b[unknown[i]] = x[i];
}

/* With all unknowns in the right side. */
static bool is_forest(const seam_ldl *solver, int n) {
  return solver->plan->links != NULL && n >= solver->plan->n_unknowns;
}

static seam_ldl_forest forest_of(const seam_ldl *solver) {
  return (seam_ldl_forest){solver->plan->links, solver->plan->n_blocks, solver->values, solver->inverse};
}

void seam_ldl_solve(seam_ldl *solver, int n, double *b) {
  if (is_forest(solver, n)) {
    seam_ldl_forest_go_forward(forest_of(solver), b);
    seam_ldl_forest_go_back(forest_of(solver), b);
    return;
  }
  const sweep at = sweep_of(solver);
  take_side(solver, n, b);
  go_back_all(at, go_forward_all(at, solver->plan->spans));
  give_solution(solver, n, b);
}

/* ---- All columns ---- */

static cursor cursor_of(const seam_ldl *solver) {
  return (cursor){solver->plan->updates, solver->plan->runs, solver->values, solver->z, solver->inverse};
}

static void eliminate_all(cursor at, sweep of) {
  for (int turn = 0; turn < of.n_blocks; turn++) {
    const seam_ldl_column *column = &of.columns[of.turn[turn]];
    if (column->order == 2)
      eliminate(2, column, &at);
    else if (column->order == 3)
      eliminate(3, column, &at);
    else
      eliminate(1, column, &at);
  }
}

/* With the first sweep of a right side, column by column: the processor works on both, as neither waits for the other.
 */
static const seam_ldl_span *eliminate_and_go_forward(cursor at, sweep of, const seam_ldl_span *span) {
  for (int turn = 0; turn < of.n_blocks; turn++) {
    const seam_ldl_column *column = &of.columns[of.turn[turn]];
    if (column->order == 2) {
      eliminate(2, column, &at);
      span = go_forward(2, of, column, span);
    } else if (column->order == 3) {
      eliminate(3, column, &at);
      span = go_forward(3, of, column, span);
    } else {
      eliminate(1, column, &at);
      span = go_forward(1, of, column, span);
    }
  }
  return span;
}

static int lost_unknown(const seam_ldl *solver) {
  for (int i = 0; i < solver->plan->n_unknowns; i++) {
    const double part = solver->reference[i] * solver->inverse[i];
    if (!(part > 0 && part < 1 / lost_pivot))
      return solver->plan->unknown[i];
  }
  return -1;
}

int seam_ldl_factor(seam_ldl *solver) {
  if (solver->plan->links != NULL)
    seam_ldl_forest_eliminate(forest_of(solver), NULL);
  else
    eliminate_all(cursor_of(solver), sweep_of(solver));
  return lost_unknown(solver);
}

int seam_ldl_factor_and_solve(seam_ldl *solver, int n, double *b) {
  if (is_forest(solver, n)) {
    seam_ldl_forest_eliminate(forest_of(solver), b);
    const int lost = lost_unknown(solver);
    if (lost < 0)
      seam_ldl_forest_go_back(forest_of(solver), b);
    return lost;
  }
  const sweep at = sweep_of(solver);
  take_side(solver, n, b);
  const seam_ldl_span *end = eliminate_and_go_forward(cursor_of(solver), at, solver->plan->spans);
  const int lost = lost_unknown(solver);
  if (lost >= 0)
    return lost;
  go_back_all(at, end);
  give_solution(solver, n, b);
  return -1;
}

/* ---- Norm of the inverse ---- */

static double sum_of(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += fabs(x[i]);
  return sum;
}

static int largest_of(const double *x, int n) {
  int largest = 0;
  for (int i = 1; i < n; i++)
    if (fabs(x[i]) > fabs(x[largest]))
      largest = i;
  return largest;
}

/* |A⁻¹ x|₁ is convex in x, and its gradient A⁻¹ sign(A⁻¹ x) leads from one unit vector to a better one: from that of
 * the weakest pivot. */
double seam_ldl_inverse_norm(seam_ldl *solver, int n, double *scratch) {
  enum { MAX_TURNS = 5 };
  double *x = scratch;
  double *gradient = scratch + n;
  double quotient = 0;
  for (int i = 0; i < n; i++)
    x[i] = (i % 2 == 0 ? 1 : -1) * (1 + i / fmax(1, n - 1));
  seam_ldl_solve(solver, n, x);
  double norm = 2 * sum_of(x, n) / (3 * n);
  int unit = seam_ldl_weakest(solver, &quotient);
  for (int turn = 0, before = n; turn < MAX_TURNS && unit != before; turn++) {
    memset(x, 0, (size_t)n * sizeof *x);
    x[unit < n ? unit : 0] = 1;
    seam_ldl_solve(solver, n, x);
    norm = fmax(norm, sum_of(x, n));
    for (int i = 0; i < n; i++)
      gradient[i] = x[i] < 0 ? -1 : 1;
    seam_ldl_solve(solver, n, gradient);
    before = unit;
    unit = largest_of(gradient, n);
  }
  return norm;
}
