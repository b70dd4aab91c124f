/* Eliminates column by column of blocks. D is the diagonal block of a column, X are the blocks below D, Zᵀ those to the
 * right of D. Then
 *
 *   Y = Z D⁻ᵀ;   X Yᵀ is subtracted from the lower triangle of the later blocks, Y Xᵀ from the transposed upper one.
 *
 * D is replaced by D⁻¹, and Z by Y; X is not changed. Complex matrices and vectors are stored as two planes: all real
 * parts, then all imaginary parts. So loops over columns of a block take two numbers at a time. */
#include "solvers/blocks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/lanes.h"
#include "solvers/ldl_plan.h"

/* Inlined: each call with constants for is_complex and order becomes a specialised copy. */
#define FIXED static inline __attribute__((always_inline))
/* Calls a function. The orders 2, 3 and 4 are passed as constants, so that the compiler unrolls the loops. */
#define BY_ORDER(function, is_complex, order, ...)                                                                     \
  ((order) == 4   ? function(is_complex, 4, __VA_ARGS__)                                                               \
   : (order) == 3 ? function(is_complex, 3, __VA_ARGS__)                                                               \
   : (order) == 2 ? function(is_complex, 2, __VA_ARGS__)                                                               \
                  : function(is_complex, order, __VA_ARGS__))

struct seam_blocks {
  const seam_ldl_plan *plan;
  bool is_complex;
  size_t plane;   /* distance of an imaginary part from its real part */
  double *values; /* lower and upper triangle, then their imaginary parts if complex */
};

size_t seam_blocks_n_values(const seam_ldl_plan *plan) { return 2 * (size_t)plan->n_values; }

seam_blocks *seam_blocks_create(const seam_ldl_plan *plan, bool is_complex) {
  seam_blocks *solver = calloc(1, sizeof *solver);
  if (solver == NULL)
    return NULL;
  *solver = (seam_blocks){.plan = plan, .is_complex = is_complex, .plane = seam_blocks_n_values(plan)};
  solver->values = calloc((is_complex ? 2 : 1) * solver->plane + 1, sizeof *solver->values);
  if (solver->values != NULL)
    return solver;
  free(solver);
  return NULL;
}

void seam_blocks_destroy(seam_blocks *solver) {
  if (solver == NULL)
    return;
  free(solver->values);
  free(solver);
}

double *seam_blocks_values(seam_blocks *solver) { return solver->values; }

size_t seam_blocks_index(const seam_ldl_plan *plan, int i, int j, int k, int l) {
  const bool is_lower = i == j || seam_ldl_is_before(plan, j, i);
  const int later = is_lower ? i : j, earlier = is_lower ? j : i;
  const int order = plan->columns[plan->position[earlier]].order;
  const int in_block = is_lower ? order * k + l : order * l + k;
  return (size_t)(seam_ldl_block(plan, later, earlier) + in_block) + (is_lower ? 0 : (size_t)plan->n_values);
}

/* ---- The diagonal block ---- */

typedef struct number {
  double re, im;
} number;

FIXED number product(bool is_complex, number a, number b) {
  return is_complex ? (number){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re} : (number){a.re * b.re, 0};
}

FIXED double square(bool is_complex, number a) { return is_complex ? a.re * a.re + a.im * a.im : a.re * a.re; }

/* Inverts A in place by Gauss-Jordan elimination. The pivot of column k is chosen in rows k and later: it is the entry
 * with the largest product of absolute value and row weight. Its row is exchanged with row k, and a column of the
 * inverse replaces column k. row (order): row[i] is the index in `weight` of the present row i. On return column j of A
 * is column row[j] of the inverse. Returns false if a pivot is zero or not finite. */
FIXED bool invert(bool is_complex, int order, number A[SEAM_MAX_BLOCK][SEAM_MAX_BLOCK], const double *weight,
                  int *row) {
  for (int k = 0; k < order; k++) {
    int best = k;
    double largest = -1;
    for (int i = k; i < order; i++) {
      const double weighted = square(is_complex, A[i][k]) * weight[row[i]] * weight[row[i]];
      if (weighted > largest) {
        largest = weighted;
        best = i;
      }
    }
    for (int j = 0; j < order && best != k; j++) {
      const number exchanged = A[best][j];
      A[best][j] = A[k][j];
      A[k][j] = exchanged;
    }
    const int exchanged = row[best];
    row[best] = row[k];
    row[k] = exchanged;
    const double size = square(is_complex, A[k][k]);
    if (!(size > 0) || !isfinite(size))
      return false;
    const number pivot = {A[k][k].re / size, -A[k][k].im / size};
    A[k][k] = (number){1, 0};
    for (int j = 0; j < order; j++)
      A[k][j] = product(is_complex, A[k][j], pivot);
    for (int i = 0; i < order; i++) {
      const number factor = A[i][k];
      if (i == k)
        continue;
      A[i][k] = (number){0, 0};
      for (int j = 0; j < order; j++) {
        const number part = product(is_complex, factor, A[k][j]);
        A[i][j].re -= part.re;
        if (is_complex)
          A[i][j].im -= part.im;
      }
    }
  }
  return true;
}

/* Replaces D by D⁻¹. */
FIXED bool invert_diagonal(bool is_complex, int order, size_t plane, const double *weight, double *D) {
  number A[SEAM_MAX_BLOCK][SEAM_MAX_BLOCK];
  int row[SEAM_MAX_BLOCK];
  for (int i = 0; i < order; i++) {
    row[i] = i;
    for (int j = 0; j < order; j++)
      A[i][j] = (number){D[order * i + j], is_complex ? D[plane + (size_t)(order * i + j)] : 0};
  }
  if (!invert(is_complex, order, A, weight, row))
    return false;
  for (int i = 0; i < order; i++)
    for (int j = 0; j < order; j++) {
      D[order * i + row[j]] = A[i][j].re;
      if (is_complex)
        D[plane + (size_t)(order * i + row[j])] = A[i][j].im;
    }
  return true;
}

/* ---- Factorisation ---- */

enum { MAX_PAIRS = SEAM_MAX_BLOCK / 2 };

/* A transposed block: for each of `order` rows, pairs of columns; an odd last column is paired with zeros. */
typedef struct transposed {
  seam_lanes re[SEAM_MAX_BLOCK][MAX_PAIRS], im[SEAM_MAX_BLOCK][MAX_PAIRS];
} transposed;

FIXED void transpose(bool is_complex, int order, int columns, size_t plane, const double *from, transposed *to) {
  for (int j = 0; j < columns; j += 2)
    for (int k = 0; k < order; k++) {
      const double *at = from + order * j + k;
      to->re[k][j / 2] = (seam_lanes){at[0], j + 1 < columns ? at[order] : 0};
      if (is_complex)
        to->im[k][j / 2] = (seam_lanes){at[plane], j + 1 < columns ? at[plane + (size_t)order] : 0};
    }
}

/* Two adjacent entries in one row of a product L T. */
typedef struct lanes_pair {
  seam_lanes re, im;
} lanes_pair;

FIXED lanes_pair multiply(bool is_complex, int order, size_t plane, const double *L, const transposed *T, int pair) {
  lanes_pair sum = {seam_lanes_of(0), seam_lanes_of(0)};
  for (int k = 0; k < order; k++) {
    const seam_lanes a = seam_lanes_of(L[k]);
    sum.re += a * T->re[k][pair];
    if (is_complex) {
      const seam_lanes b = seam_lanes_of(L[plane + (size_t)k]);
      sum.re -= b * T->im[k][pair];
      sum.im += a * T->im[k][pair] + b * T->re[k][pair];
    }
  }
  return sum;
}

FIXED void subtract(double *target, seam_lanes sum, bool both) {
  if (both)
    seam_lanes_store(target, seam_lanes_load(target) - sum);
  else
    target[0] -= sum[0];
}

FIXED void put(double *target, seam_lanes value, bool both) {
  if (both)
    seam_lanes_store(target, value);
  else
    target[0] = value[0];
}

/* Replaces Z by Z D⁻ᵀ. */
FIXED void scale_rows(bool is_complex, int order, size_t plane, const double *inverse, int height, double *Z) {
  transposed T;
  transpose(is_complex, order, order, plane, inverse, &T);
  for (int i = 0; i < height; i++, Z += order) {
    lanes_pair sum[MAX_PAIRS];
    for (int j = 0; j < order; j += 2)
      sum[j / 2] = multiply(is_complex, order, plane, Z, &T, j / 2);
    for (int j = 0; j < order; j += 2) {
      put(Z + j, sum[j / 2].re, j + 1 < order);
      if (is_complex)
        put(Z + plane + j, sum[j / 2].im, j + 1 < order);
    }
  }
}

FIXED void subtract_rows(bool is_complex, int order, int columns, size_t plane, int n_rows, const double *L,
                         const transposed *T, double *target) {
  for (int i = 0; i < n_rows; i++, L += order, target += columns)
    for (int j = 0; j < columns; j += 2) {
      const lanes_pair sum = multiply(is_complex, order, plane, L, T, j / 2);
      subtract(target + j, sum.re, j + 1 < columns);
      if (is_complex)
        subtract(target + plane + j, sum.im, j + 1 < columns);
    }
}

/* Updates one later column (head of this file): subtracts X Yᵀ from the lower triangle, Y Xᵀ from the transposed upper
 * one. `first` is the block of the eliminated column in the rows of the later column's diagonal block. Left factors
 * have all rows from this block on, right factors only this block. Each run is a range of rows. The first run begins
 * with the diagonal block, which only the lower triangle stores. */
FIXED void update(bool is_complex, int columns, int order, const seam_blocks *solver, const double *first,
                  const seam_ldl_run *run, int n_runs) {
  const size_t plane = solver->plane, upper = (size_t)solver->plan->n_values; /* distance to the upper triangle */
  transposed X, Y;
  transpose(is_complex, order, columns, plane, first, &X);
  transpose(is_complex, order, columns, plane, first + upper, &Y);
  const double *rows = first;
  for (int r = 0; r < n_runs; r++) {
    const int n_rows = run[r].n_rows;
    const int skipped = r == 0 ? columns : 0;
    double *target = solver->values + run[r].target;
    subtract_rows(is_complex, order, columns, plane, n_rows, rows, &Y, target);
    subtract_rows(is_complex, order, columns, plane, n_rows - skipped, rows + upper + order * skipped, &X,
                  target + upper + columns * skipped);
    rows += order * n_rows;
  }
}

FIXED bool eliminate(bool is_complex, int order, seam_blocks *solver, const seam_ldl_column *column,
                     const double *weight, const seam_ldl_update **updates, const seam_ldl_run **runs) {
  double *D = solver->values + column->first_value;
  double *X = D + order * order;
  if (!invert_diagonal(is_complex, order, solver->plane, weight + column->first, D))
    return false;
  scale_rows(is_complex, order, solver->plane, D, column->height, X + solver->plan->n_values);
  for (int i = 0; i < column->n_below; i++, (*updates)++) {
    const int columns = (*updates)->order, n_runs = (*updates)->n_runs;
    BY_ORDER(update, is_complex, columns, order, solver, X, *runs, n_runs);
    *runs += n_runs;
    X += order * columns;
  }
  return true;
}

FIXED bool factor(bool is_complex, seam_blocks *solver, const double *weight) {
  const seam_ldl_plan *plan = solver->plan;
  const seam_ldl_update *updates = plan->updates;
  const seam_ldl_run *runs = plan->runs;
  bool is_regular = true;
  for (int step = 0; step < plan->n_blocks && is_regular; step++) {
    const seam_ldl_column *column = &plan->columns[plan->schedule[step]];
    is_regular = BY_ORDER(eliminate, is_complex, column->order, solver, column, weight, &updates, &runs);
  }
  return is_regular;
}

bool seam_blocks_factor(seam_blocks *solver, const double *weight) {
  return solver->is_complex ? factor(true, solver, weight) : factor(false, solver, weight);
}

/* ---- Solution ---- */

/* Returns a row times a column, two entries at a time. */
FIXED number dot(bool is_complex, int order, size_t plane, const double *row, const double *x, const double *x_im) {
  seam_lanes re = seam_lanes_of(0), im = seam_lanes_of(0);
  for (int k = 0; k + 1 < order; k += 2) {
    const seam_lanes a = seam_lanes_load(row + k);
    const seam_lanes y = seam_lanes_load(x + k);
    re += a * y;
    if (is_complex) {
      const seam_lanes b = seam_lanes_load(row + plane + k);
      const seam_lanes y_im = seam_lanes_load(x_im + k);
      re -= b * y_im;
      im += a * y_im + b * y;
    }
  }
  number sum = {re[0] + re[1], im[0] + im[1]};
  if (order % 2 == 1) {
    const number last = {row[order - 1], is_complex ? row[plane + (size_t)order - 1] : 0};
    const number by = {x[order - 1], is_complex ? x_im[order - 1] : 0};
    const number part = product(is_complex, last, by);
    sum.re += part.re;
    sum.im += part.im;
  }
  return sum;
}

/* Forward sweep of one column: replaces its entries of x by y = D⁻¹ x, and subtracts X y from the rows below. `span`:
 * first span (range of consecutive rows) of the column. Returns the first span of the next column. */
FIXED const seam_ldl_span *go_forward(bool is_complex, int order, const seam_blocks *solver,
                                      const seam_ldl_column *column, const seam_ldl_span *span, double *x) {
  const size_t n = (size_t)solver->plan->n_unknowns, plane = solver->plane;
  const double *D = solver->values + column->first_value;
  const double *X = D + order * order;
  double *at = x + column->first;
  double y[SEAM_MAX_BLOCK], y_im[SEAM_MAX_BLOCK];
  for (int i = 0; i < order; i++) {
    const number sum = dot(is_complex, order, plane, D + order * i, at, at + n);
    y[i] = sum.re;
    y_im[i] = sum.im;
  }
  for (int i = 0; i < order; i++) {
    at[i] = y[i];
    if (is_complex)
      at[n + (size_t)i] = y_im[i];
  }
  for (const seam_ldl_span *end = span + column->n_spans; span < end; span++) {
    double *rows = x + span->first;
    for (int i = 0; i < span->n_rows; i++, X += order) {
      const number sum = dot(is_complex, order, plane, X, y, y_im);
      rows[i] -= sum.re;
      if (is_complex)
        rows[n + (size_t)i] -= sum.im;
    }
  }
  return span;
}

/* Backward sweep: subtracts Yᵀ times the rows of x below from a column's entries. `span`: end of its spans. */
FIXED void go_back(bool is_complex, int order, const seam_blocks *solver, const seam_ldl_column *column,
                   const seam_ldl_span *span, double *x) {
  const size_t n = (size_t)solver->plan->n_unknowns, plane = solver->plane;
  const double *Y = solver->values + solver->plan->n_values + column->first_value + order * order;
  lanes_pair sum[MAX_PAIRS];
  for (int k = 0; k < order; k += 2)
    sum[k / 2] = (lanes_pair){seam_lanes_of(0), seam_lanes_of(0)};
  for (const seam_ldl_span *at = span - column->n_spans; at < span; at++) {
    const double *rows = x + at->first;
    for (int i = 0; i < at->n_rows; i++, Y += order) {
      const seam_lanes re = seam_lanes_of(rows[i]);
      const seam_lanes im = seam_lanes_of(is_complex ? rows[n + (size_t)i] : 0);
      for (int k = 0; k < order; k += 2) {
        const bool both = k + 1 < order;
        const seam_lanes a = both ? seam_lanes_load(Y + k) : (seam_lanes){Y[k], 0};
        sum[k / 2].re += a * re;
        if (is_complex) {
          const double *of_im = Y + plane + k;
          const seam_lanes b = both ? seam_lanes_load(of_im) : (seam_lanes){of_im[0], 0};
          sum[k / 2].re -= b * im;
          sum[k / 2].im += a * im + b * re;
        }
      }
    }
  }
  for (int k = 0; k < order; k += 2) {
    subtract(x + column->first + k, sum[k / 2].re, k + 1 < order);
    if (is_complex)
      subtract(x + n + column->first + k, sum[k / 2].im, k + 1 < order);
  }
}

FIXED void solve(bool is_complex, const seam_blocks *solver, double *x) {
  const seam_ldl_plan *plan = solver->plan;
  const seam_ldl_span *span = plan->spans;
  for (int step = 0; step < plan->n_blocks; step++) {
    const seam_ldl_column *column = &plan->columns[plan->schedule[step]];
    span = BY_ORDER(go_forward, is_complex, column->order, solver, column, span, x);
  }
  for (int step = plan->n_blocks; step-- > 0;) {
    const seam_ldl_column *column = &plan->columns[plan->schedule[step]];
    BY_ORDER(go_back, is_complex, column->order, solver, column, span, x);
    span -= column->n_spans;
  }
}

void seam_blocks_solve(const seam_blocks *solver, double *x) {
  if (solver->is_complex)
    solve(true, solver, x);
  else
    solve(false, solver, x);
}
