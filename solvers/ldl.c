/* Factorises a symmetric matrix of blocks, one column of blocks after the other (right-looking). The diagonal block of
 * a column is U d Uᵀ, U unit lower triangular and d diagonal. X are the blocks below it. Then
 *
 *   Z = X U⁻ᵀ,   L = Z d⁻¹,   and L Zᵀ is subtracted from the later columns, in the rows of X.
 *
 * The compiler unrolls the operations on a block for each of its orders. */
#include "solvers/ldl.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arrays.h"
#include "base/lanes.h"
#include "solvers/ldl_plan.h"
#include "solvers/thresholds.h"

struct seam_ldl {
  const seam_ldl_plan *plan;
  const worker_group *workers;
  double *values;              /* (n_values) A, replaced by U and L; after them the jobs' copies (ldl_plan.h) */
  double *reference;           /* (n_unknowns) references of pivots */
  double *inverse;             /* (n_unknowns) 1/d */
  double *z;                   /* (3 largest_height) scratch of each job and of the remainder (ldl_plan.h) */
  double *x;                   /* (n_unknowns) scratch in the sequence of elimination, then the jobs' copies */
  int lost[SEAM_LDL_JOBS + 1]; /* first lost pivot of each job and of the remainder; n_unknowns: none is lost */
};

#define ARRAYS(X)                                                                                                      \
  X(solver, values, (size_t)plan->n_values + n_jobs * (size_t)plan->n_shared_values)                                   \
  X(solver, reference, n)                                                                                              \
  X(solver, inverse, n)                                                                                                \
  X(solver, z, (n_jobs + 1) * 3 * (size_t)plan->largest_height)                                                        \
  X(solver, x, n + n_jobs * (size_t)plan->n_shared_pivots)

seam_ldl *seam_ldl_create(const seam_ldl_plan *plan) {
  const size_t n = (size_t)plan->n_unknowns, n_jobs = (size_t)plan->n_jobs;
  seam_ldl *solver = calloc(1, sizeof *solver);
  const bool enough = solver != NULL ARRAYS(ALLOCATE_ARRAY);
  if (!enough) {
    seam_ldl_destroy(solver);
    return NULL;
  }
  solver->plan = plan;
  return solver;
}

void seam_ldl_destroy(seam_ldl *solver) {
  if (solver == NULL)
    return;
  ARRAYS(FREE_ARRAY)
  free(solver);
}

void seam_ldl_set_workers(seam_ldl *solver, const worker_group *workers) { solver->workers = workers; }

double *seam_ldl_values(seam_ldl *solver) { return solver->values; }

double *seam_ldl_references(seam_ldl *solver) { return solver->reference; }

/* ---- Operations on blocks ---- */

/* Factorises A = U d Uᵀ (order x order): replaces the values below the diagonal by U, and sets inverse to 1/d. */
static inline void factor_diagonal(int order, double *A, double *inverse) {
  inverse[0] = 1 / A[0];
  if (order == 2) {
    const double u = A[2] * inverse[0];
    inverse[1] = 1 / (A[3] - A[2] * u);
    A[2] = u;
  } else if (order == 3) {
    const double u1 = A[3] * inverse[0], u2 = A[6] * inverse[0];
    const double b = A[7] - A[6] * u1;
    inverse[1] = 1 / (A[4] - A[3] * u1);
    const double u3 = b * inverse[1];
    inverse[2] = 1 / (A[8] - A[6] * u2 - b * u3);
    A[3] = u1;
    A[6] = u2;
    A[7] = u3;
  }
}

/* Computes Z, and replaces X by L. */
static inline void scale_rows(int order, const double *U, const double *inverse, int height, double *restrict X,
                              double *restrict Z) {
  for (int i = 0; i < height; i++, X += order, Z += order) {
    Z[0] = X[0];
    if (order > 1)
      Z[1] = X[1] - Z[0] * U[order];
    if (order > 2)
      Z[2] = X[2] - Z[0] * U[6] - Z[1] * U[7];
    for (int k = 0; k < order; k++)
      X[k] = Z[k] * inverse[k];
  }
}

/* Subtracts L Zᵀ from rows of a column; Z: the rows of a block of order `columns`. */
static inline void subtract(int order, int columns, int n_rows, const double *restrict L, const double *restrict Z,
                            double *restrict target) {
  for (int i = 0; i < n_rows; i++, L += order, target += columns)
    for (int j = 0; j < columns; j++) {
      double sum = L[0] * Z[order * j];
      for (int k = 1; k < order; k++)
        sum += L[k] * Z[order * j + k];
      target[j] -= sum;
    }
}

/* Does the work of subtract() for order = columns = n_rows = 2, as for joints of a chain. */
static inline void subtract_square(const double *restrict L, const double *restrict Z, double *restrict target) {
  const seam_lanes first = {Z[0], Z[2]}, second = {Z[1], Z[3]};
  for (int i = 0; i < 2; i++) {
    const seam_lanes sum = seam_lanes_of(L[2 * i]) * first + seam_lanes_of(L[2 * i + 1]) * second;
    seam_lanes_store(target + 2 * i, seam_lanes_load(target + 2 * i) - sum);
  }
}

/* Replaces y by U⁻¹ y. */
static inline void solve_diagonal(int order, const double *U, double *y) {
  if (order > 1)
    y[1] -= U[order] * y[0];
  if (order > 2)
    y[2] -= U[6] * y[0] + U[7] * y[1];
}

/* Replaces x by U⁻ᵀ x. */
static inline void solve_transposed_diagonal(int order, const double *U, double *x) {
  if (order == 2)
    x[0] -= U[2] * x[1];
  if (order > 2) {
    x[1] -= U[7] * x[2];
    x[0] -= U[6] * x[2];
    x[0] -= U[3] * x[1];
  }
}

/* Subtracts L y from rows of the right side; y0, y1 and y2 are the entries of y. */
static inline void subtract_from_rows(int order, int n_rows, const double *L, double y0, double y1, double y2,
                                      double *rows) {
  if (order == 2 && n_rows == 2) {
    const seam_lanes sum = (seam_lanes){L[0], L[2]} * seam_lanes_of(y0) + (seam_lanes){L[1], L[3]} * seam_lanes_of(y1);
    seam_lanes_store(rows, seam_lanes_load(rows) - sum);
    return;
  }
  for (int i = 0; i < n_rows; i++, L += order) {
    double sum = L[0] * y0;
    if (order > 1)
      sum += L[1] * y1;
    if (order > 2)
      sum += L[2] * y2;
    rows[i] -= sum;
  }
}

/* ---- Factorisation ---- */

/* Calls a kernel with a constant for the order of a block. */
#define BY_ORDER(kernel, order, ...)                                                                                   \
  ((order) == 2 ? kernel(2, __VA_ARGS__) : (order) == 3 ? kernel(3, __VA_ARGS__) : kernel(1, __VA_ARGS__))

/* Subtracts L Zᵀ from one column; returns the first run of the next update. */
static inline const seam_ldl_run *update_column(int columns, int order, double *values, const seam_ldl_run *run,
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
  double *values, *z, *inverse; /* arrays of the solver */
} cursor;

static inline void eliminate(int order, const seam_ldl_column *column, cursor *at) {
  double *U = at->values + column->first_value;
  double *L = U + order * order;
  double *Z = at->z;
  double *inverse = at->inverse + column->first;
  factor_diagonal(order, U, inverse);
  scale_rows(order, U, inverse, column->height, L, Z);
  for (int i = 0; i < column->n_below; i++, at->update++) {
    const int columns = at->update->order;
    at->run = BY_ORDER(update_column, columns, order, at->values, at->run, at->update->n_runs, L, Z);
    L += order * columns;
    Z += order * columns;
  }
}

/* ---- Solution ---- */

/* Data that both sweeps read at every column; passed by value, so that the compiler keeps them in registers. */
typedef struct sweep {
  const seam_ldl_column *columns;
  const int *step, *end_step;
  const double *values, *inverse;
  double *x;
} sweep;

/* Forward sweep of one column: replaces its entries b of x by y = U⁻¹ b, and subtracts L y from the rows below. `span`:
 * first span (range of consecutive rows) of the column. Returns the first span of the next column. */
static inline const seam_ldl_span *go_forward(int order, sweep at, const seam_ldl_column *column,
                                              const seam_ldl_span *span) {
  const double *U = at.values + column->first_value;
  const double *L = U + order * order;
  double *y = at.x + column->first;
  solve_diagonal(order, U, y);
  const double y0 = y[0], y1 = order > 1 ? y[1] : 0, y2 = order > 2 ? y[2] : 0;
  for (const seam_ldl_span *end = span + column->n_spans; span < end; span++) {
    subtract_from_rows(order, span->n_rows, L, y0, y1, y2, at.x + span->first);
    L += order * span->n_rows;
  }
  return span;
}

/* Backward sweep: replaces a column's entries y of x by U⁻ᵀ (d⁻¹ y - Lᵀ x), x below. `span`: end of its spans. */
static inline void go_back(int order, sweep at, const seam_ldl_column *column, const seam_ldl_span *span) {
  const double *U = at.values + column->first_value;
  const double *L = U + order * order;
  const double *inverse = at.inverse + column->first;
  double *x = at.x + column->first;
  double sum[3] = {0};
  seam_lanes pair = {0, 0}; /* replaces `sum` for order 2 */
  for (const seam_ldl_span *of = span - column->n_spans; of < span; of++) {
    const double *rows = at.x + of->first;
    for (int i = 0; i < of->n_rows; i++, L += order)
      if (order == 2)
        pair += seam_lanes_load(L) * seam_lanes_of(rows[i]);
      else
        for (int k = 0; k < order; k++)
          sum[k] += L[k] * rows[i];
  }
  if (order == 2)
    seam_lanes_store(x, seam_lanes_load(x) * seam_lanes_load(inverse) - pair);
  else
    for (int k = 0; k < order; k++)
      x[k] = x[k] * inverse[k] - sum[k];
  solve_transposed_diagonal(order, U, x);
}

static sweep sweep_of(const seam_ldl *solver, const seam_ldl_job *job) {
  const seam_ldl_plan *plan = solver->plan;
  return (sweep){
      plan->columns, plan->schedule + job->column, plan->schedule + job->end_column, solver->values, solver->inverse,
      solver->x};
}

/* ---- Jobs ---- */

/* Work that is done job by job. b: right side, replaced by the solution; NULL: there is no right side. */
typedef struct work {
  seam_ldl *solver;
  bool factorises;
  int n;
  double *b;
} work;

static double *copy_of_values(const seam_ldl *solver, int number) {
  return solver->values + solver->plan->n_values + (ptrdiff_t)number * solver->plan->n_shared_values;
}

static double *copy_of_unknowns(const seam_ldl *solver, int number) {
  return solver->x + solver->plan->n_unknowns + (ptrdiff_t)number * solver->plan->n_shared_pivots;
}

static void add(int n, const double *what, double *restrict to) {
  for (int i = 0; i < n; i++)
    to[i] += what[i];
}

/* Returns the first lost pivot of a job; n_unknowns: no pivot is lost. */
static int lost_pivot_of(const seam_ldl *solver, const seam_ldl_job *job) {
  for (int i = job->pivot; i < job->end_pivot; i++) {
    const double part = solver->reference[i] * solver->inverse[i];
    if (!(part > 0 && part < 1 / seam_lost_pivot))
      return i;
  }
  return solver->plan->n_unknowns;
}

/* Factorises one job if self->factorises is true. Does the job's forward sweep if there is a right side. The last job,
 * the remainder, first adds up the other jobs' copies of its columns (ldl_plan.h). */
static void factor_job(void *context, int number) {
  const work *self = context;
  seam_ldl *solver = self->solver;
  const seam_ldl_plan *plan = solver->plan;
  const seam_ldl_job *job = &plan->job[number];
  const sweep at = sweep_of(solver, job);
  const seam_ldl_span *span = plan->spans + job->span;
  cursor updates = {plan->updates + job->update, plan->runs + job->run, solver->values,
                    solver->z + 3 * (size_t)plan->largest_height * (size_t)number, solver->inverse};
  const bool has_all = plan->n_unknowns <= self->n;
  for (int i = job->pivot; i < job->end_pivot && self->b != NULL; i++)
    solver->x[i] = has_all || plan->unknown[i] < self->n ? self->b[plan->unknown[i]] : 0;
  if (number < plan->n_jobs && self->factorises)
    memset(copy_of_values(solver, number), 0, (size_t)plan->n_shared_values * sizeof(double));
  if (number < plan->n_jobs && self->b != NULL)
    memset(copy_of_unknowns(solver, number), 0, (size_t)plan->n_shared_pivots * sizeof(double));
  for (int k = 0; k < plan->n_jobs && number == plan->n_jobs; k++) {
    if (self->factorises)
      add(plan->n_shared_values, copy_of_values(solver, k), solver->values + plan->n_values - plan->n_shared_values);
    if (self->b != NULL)
      add(plan->n_shared_pivots, copy_of_unknowns(solver, k), solver->x + plan->n_unknowns - plan->n_shared_pivots);
  }
  for (const int *step = at.step; step < at.end_step && self->b == NULL; step++) {
    const seam_ldl_column *column = &at.columns[*step];
    BY_ORDER(eliminate, column->order, column, &updates);
  }
  for (const int *step = at.step; step < at.end_step && self->b != NULL; step++) {
    const seam_ldl_column *column = &at.columns[*step];
    if (self->factorises) /* interleaved with the forward sweep, so that the processor overlaps both */
      BY_ORDER(eliminate, column->order, column, &updates);
    span = BY_ORDER(go_forward, column->order, at, column, span);
  }
  if (self->factorises)
    solver->lost[number] = lost_pivot_of(solver, job);
}

static void solve_job_back(void *context, int number) {
  const work *self = context;
  const seam_ldl *solver = self->solver;
  const seam_ldl_plan *plan = solver->plan;
  const seam_ldl_job *job = &plan->job[number];
  if (number < plan->n_jobs)
    memcpy(copy_of_unknowns(solver, number), solver->x + plan->n_unknowns - plan->n_shared_pivots,
           (size_t)plan->n_shared_pivots * sizeof(double));
  const sweep at = sweep_of(solver, job);
  const seam_ldl_span *span = plan->spans + job->end_span;
  for (const int *step = at.end_step; step-- > at.step;) {
    const seam_ldl_column *column = &at.columns[*step];
    BY_ORDER(go_back, column->order, at, column, span);
    span -= column->n_spans;
  }
  const bool has_all = plan->n_unknowns <= self->n;
  for (int i = job->pivot; i < job->end_pivot; i++)
    if (has_all || plan->unknown[i] < self->n)
      self->b[plan->unknown[i]] = solver->x[i];
}

static void do_jobs(work *self, void (*job)(void *context, int number)) {
  const seam_ldl *solver = self->solver;
  if (solver->workers != NULL && solver->workers->pool != NULL)
    thread_pool_run_in_chunks(solver->workers->pool, solver->plan->n_jobs, job, self);
  else
    for (int number = 0; number < solver->plan->n_jobs; number++)
      job(self, number);
}

/* Does all jobs. Returns -1 or, if a pivot is lost, its unknown; b is then unchanged. */
static int do_all(work *self) {
  const seam_ldl_plan *plan = self->solver->plan;
  do_jobs(self, factor_job);
  factor_job(self, plan->n_jobs);
  for (int number = 0; number <= plan->n_jobs && self->factorises; number++)
    if (self->solver->lost[number] < plan->n_unknowns)
      return plan->unknown[self->solver->lost[number]];
  if (self->b == NULL)
    return -1;
  solve_job_back(self, plan->n_jobs);
  do_jobs(self, solve_job_back);
  return -1;
}

/* ---- Forests ----
 *
 * A forest has at most one block below the diagonal in every column, as the joints of open chains and trees. The plan's
 * links then describe all updates, and the right side is not copied. Results are equal in every bit. */

/* Inlined in every case of the switch. By itself GCC does not inline one case, and chains take a tenth longer. */
#define FIXED static inline __attribute__((always_inline))

FIXED void eliminate_link(int order, int rows, const seam_ldl *solver, const seam_ldl_link *link) {
  double *U = solver->values + link->value;
  double *L = U + order * order;
  double *inverse = solver->inverse + link->pivot;
  double Z[9];
  factor_diagonal(order, U, inverse);
  if (rows == 0)
    return;
  scale_rows(order, U, inverse, rows, L, Z);
  if (order == 2 && rows == 2)
    subtract_square(L, Z, solver->values + link->target);
  else
    subtract(order, rows, rows, L, Z, solver->values + link->target);
}

/* Forward sweep of one column of blocks, in the right side b. */
FIXED void go_forward_link(int order, int rows, const seam_ldl *solver, const seam_ldl_link *link, double *b) {
  const double *U = solver->values + link->value;
  double *y = b + link->first_unknown;
  solve_diagonal(order, U, y);
  const double y0 = y[0], y1 = order > 1 ? y[1] : 0, y2 = order > 2 ? y[2] : 0;
  subtract_from_rows(order, rows, U + order * order, y0, y1, y2, b + link->first_below);
}

/* Backward sweep of one column of blocks. */
FIXED void go_back_link(int order, int rows, const seam_ldl *solver, const seam_ldl_link *link, double *b) {
  const double *U = solver->values + link->value;
  const double *L = U + order * order;
  const double *inverse = solver->inverse + link->pivot;
  const double *below = b + link->first_below;
  double *x = b + link->first_unknown;
  double sum[3] = {0};
  for (int i = 0; i < rows; i++, L += order)
    for (int k = 0; k < order; k++)
      sum[k] += L[k] * below[i];
  for (int k = 0; k < order; k++)
    x[k] = x[k] * inverse[k] - sum[k];
  solve_transposed_diagonal(order, U, x);
}

/* Calls a kernel with constants for the link's kind. */
#define CASE(kernel, order, rows, ...)                                                                                 \
  case 4 * (order) + (rows):                                                                                           \
    kernel(order, rows, __VA_ARGS__);                                                                                  \
    break;
#define CASES(kernel, order, ...)                                                                                      \
  CASE(kernel, order, 0, __VA_ARGS__)                                                                                  \
  CASE(kernel, order, 1, __VA_ARGS__)                                                                                  \
  CASE(kernel, order, 2, __VA_ARGS__)                                                                                  \
  CASE(kernel, order, 3, __VA_ARGS__)
#define CALL(kernel, ...)                                                                                              \
  switch (link->kind) {                                                                                                \
    CASES(kernel, 1, __VA_ARGS__)                                                                                      \
    CASES(kernel, 2, __VA_ARGS__)                                                                                      \
    CASES(kernel, 3, __VA_ARGS__)                                                                                      \
  default:                                                                                                             \
    break;                                                                                                             \
  }

FIXED void eliminate_and_go_forward(int order, int rows, const seam_ldl *solver, const seam_ldl_link *link, double *b) {
  eliminate_link(order, rows, solver, link);
  go_forward_link(order, rows, solver, link, b);
}

/* Factorises; also does the forward sweep of the right side b, unless it is NULL. */
static void eliminate_forest(const seam_ldl *solver, double *b) {
  const seam_ldl_link *links = solver->plan->links, *end = links + solver->plan->n_blocks;
  for (const seam_ldl_link *link = links; link < end && b == NULL; link++)
    CALL(eliminate_link, solver, link)
  for (const seam_ldl_link *link = links; link < end && b != NULL; link++)
    CALL(eliminate_and_go_forward, solver, link, b)
}

static void go_back_in_forest(const seam_ldl *solver, double *b) {
  const seam_ldl_link *links = solver->plan->links;
  for (const seam_ldl_link *link = links + solver->plan->n_blocks; link-- > links;)
    CALL(go_back_link, solver, link, b)
}

/* ---- Factors and solutions ---- */

/* Returns true if the plan has links and the right side has all unknowns. */
static bool is_forest(const seam_ldl *solver, int n) {
  return solver->plan->links != NULL && n >= solver->plan->n_unknowns;
}

/* Returns -1, or the unknown of the first lost pivot. */
static int lost_unknown(const seam_ldl *solver) {
  const seam_ldl_plan *plan = solver->plan;
  const int lost = lost_pivot_of(solver, &(seam_ldl_job){.end_pivot = plan->n_unknowns});
  return lost < plan->n_unknowns ? plan->unknown[lost] : -1;
}

void seam_ldl_solve(seam_ldl *solver, int n, double *b) {
  if (!is_forest(solver, n)) {
    do_all(&(work){.solver = solver, .n = n, .b = b});
    return;
  }
  const seam_ldl_link *links = solver->plan->links, *end = links + solver->plan->n_blocks;
  for (const seam_ldl_link *link = links; link < end; link++)
    CALL(go_forward_link, solver, link, b)
  go_back_in_forest(solver, b);
}

int seam_ldl_factor(seam_ldl *solver) {
  if (solver->plan->links == NULL)
    return do_all(&(work){.solver = solver, .factorises = true});
  eliminate_forest(solver, NULL);
  return lost_unknown(solver);
}

int seam_ldl_factor_and_solve(seam_ldl *solver, int n, double *b) {
  if (!is_forest(solver, n))
    return do_all(&(work){.solver = solver, .factorises = true, .n = n, .b = b});
  eliminate_forest(solver, b);
  const int lost = lost_unknown(solver);
  if (lost < 0)
    go_back_in_forest(solver, b);
  return lost;
}

/* ---- Quotients of pivots, norm of the inverse ---- */

int seam_ldl_smallest_quotient(const seam_ldl *solver, double *quotient) {
  int smallest = 0;
  double largest = 0;
  for (int i = 0; i < solver->plan->n_unknowns; i++) {
    const double part = solver->reference[i] * solver->inverse[i];
    if (part > largest) {
      largest = part;
      smallest = solver->plan->unknown[i];
    }
  }
  *quotient = 1 / largest;
  return smallest;
}

void seam_ldl_quotients(const seam_ldl *solver, int n, double *quotient) {
  for (int i = 0; i < solver->plan->n_unknowns; i++)
    if (solver->plan->unknown[i] < n)
      quotient[solver->plan->unknown[i]] = 1 / (solver->reference[i] * solver->inverse[i]);
}

static double sum_of(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += fabs(x[i]);
  return sum;
}

/* Finds the unit vector e with the largest |A⁻¹ e|₁ by steepest ascent. |A⁻¹ x|₁ is convex in x. So its gradient A⁻¹
 * sign(A⁻¹ x) leads from one unit vector to a better one. The search begins at the unknown with the smallest quotient
 * of pivot and reference. A vector of alternating signs gives another lower bound ([Higham 1988]). */
double seam_ldl_inverse_norm(seam_ldl *solver, int n, double *scratch) {
  double *x = scratch;
  double *gradient = scratch + n;
  double quotient = 0;
  for (int i = 0; i < n; i++)
    x[i] = (i % 2 == 0 ? 1 : -1) * (1 + i / fmax(1, n - 1));
  seam_ldl_solve(solver, n, x);
  double norm = 2 * sum_of(x, n) / (3 * n);
  int unit = seam_ldl_smallest_quotient(solver, &quotient);
  for (int step = 0, before = n; step < SEAM_MAX_NORM_ITERATIONS && unit != before; step++) {
    memset(x, 0, (size_t)n * sizeof *x);
    x[unit < n ? unit : 0] = 1;
    seam_ldl_solve(solver, n, x);
    norm = fmax(norm, sum_of(x, n));
    for (int i = 0; i < n; i++)
      gradient[i] = x[i] < 0 ? -1 : 1;
    seam_ldl_solve(solver, n, gradient);
    before = unit;
    unit = 0;
    for (int i = 1; i < n; i++)
      if (fabs(gradient[i]) > fabs(gradient[unit]))
        unit = i;
  }
  return norm;
}
