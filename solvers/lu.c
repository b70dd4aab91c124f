#include "solvers/lu.h"

#include <stdlib.h>
#include <string.h>

#include <klu.h>

#include "base/vector.h"
#include "solvers/thresholds.h"

/* KLU's functions for real and for complex numbers. */
typedef struct arithmetic {
  klu_numeric *(*factor)(int[], int[], double[], klu_symbolic *, klu_common *);
  int (*refactor)(int[], int[], double[], klu_symbolic *, klu_numeric *, klu_common *);
  int (*growth)(int[], int[], double[], klu_symbolic *, klu_numeric *, klu_common *);
  int (*condition)(klu_symbolic *, klu_numeric *, klu_common *);
  int (*solve)(klu_symbolic *, klu_numeric *, int, int, double[], klu_common *);
  int (*release)(klu_numeric **, klu_common *);
} arithmetic;

static const arithmetic real_numbers = {klu_factor, klu_refactor, klu_rgrowth, klu_rcond, klu_solve, klu_free_numeric};
static const arithmetic complex_numbers = {klu_z_factor, klu_z_refactor, klu_z_rgrowth,
                                           klu_z_rcond,  klu_z_solve,    klu_z_free_numeric};

struct seam_lu {
  int n;
  int parts; /* 1: real numbers, 2: complex numbers */
  int *start, *row;
  const arithmetic *numbers;
  seam_lu_scale scale; /* NULL pointers: KLU scales rows */
  klu_symbolic *symbolic;
  klu_numeric *reference_factors; /* factors with the pivots of the matrix `reference` at creation */
  klu_numeric *own_factors;       /* factors with pivots chosen for the last matrix; NULL: reference_factors are used */
  klu_common common;
};

static void scale_values(const seam_lu *lu, double *value) {
  for (int j = 0; j < lu->n && lu->scale.row != NULL; j++)
    for (int k = lu->start[j]; k < lu->start[j + 1]; k++)
      for (int part = 0; part < lu->parts; part++)
        value[lu->parts * k + part] *= lu->scale.row[lu->row[k]] * lu->scale.column[j];
}

/* Multiplies the entries of b (n numbers or pairs) by the scale of rows or of columns. */
static void scale_vector(const seam_lu *lu, const double *factor, double *b) {
  for (int i = 0; i < lu->parts * lu->n && factor != NULL; i++)
    b[i] *= factor[i / lu->parts];
}

seam_status seam_lu_create(int n, const int *start, const int *row, bool is_complex, const seam_lu_scale *scale,
                           double *reference, seam_lu **created, seam_error *error) {
  seam_lu *lu = calloc(1, sizeof *lu);
  if (lu == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for a matrix of order %d", n);
  lu->n = n;
  lu->parts = is_complex ? 2 : 1;
  lu->numbers = is_complex ? &complex_numbers : &real_numbers;
  klu_defaults(&lu->common);
  if (scale != NULL) {
    lu->scale = *scale;
    lu->common.scale = -1;             /* no scaling by KLU, and no check of the pattern */
    lu->common.tol = seam_large_pivot; /* KLU would accept a far smaller diagonal pivot, which causes more fill */
  }
  const size_t n_entries = (size_t)start[n];
  lu->start = malloc(((size_t)n + 1) * sizeof *start);
  lu->row = malloc((n_entries + 1) * sizeof *row);
  if (lu->start != NULL && lu->row != NULL) {
    memcpy(lu->start, start, ((size_t)n + 1) * sizeof *start);
    memcpy(lu->row, row, n_entries * sizeof *row);
    if (n == 0) { /* KLU refuses n = 0 */
      *created = lu;
      return SEAM_OK;
    }
    scale_values(lu, reference);
    lu->symbolic = klu_analyze(n, lu->start, lu->row, &lu->common);
  }
  if (lu->symbolic != NULL)
    lu->reference_factors = lu->numbers->factor(lu->start, lu->row, reference, lu->symbolic, &lu->common);
  if (lu->reference_factors == NULL) {
    const bool singular = lu->common.status == KLU_SINGULAR;
    seam_lu_destroy(lu);
    return singular ? seam_fail(error, SEAM_SINGULAR, "the matrix of the implicit integrator is singular at the start")
                    : seam_fail(error, SEAM_NO_MEMORY, "no memory for a matrix of order %d", n);
  }
  *created = lu;
  return SEAM_OK;
}

double seam_lu_least_cost(int n, const int *start, const int *row) {
  klu_common common;
  klu_defaults(&common);
  common.btf = 0;
  klu_symbolic *symbolic = klu_analyze(n, (int *)start, (int *)row, &common); /* KLU changes neither array */
  const double cost = symbolic != NULL ? symbolic->est_flops / 2 : -1;
  if (symbolic != NULL)
    klu_free_symbolic(&symbolic, &common);
  return cost;
}

void seam_lu_destroy(seam_lu *lu) {
  if (lu == NULL)
    return;
  if (lu->reference_factors != NULL)
    lu->numbers->release(&lu->reference_factors, &lu->common);
  if (lu->own_factors != NULL)
    lu->numbers->release(&lu->own_factors, &lu->common);
  if (lu->symbolic != NULL)
    klu_free_symbolic(&lu->symbolic, &lu->common);
  free(lu->start);
  free(lu->row);
  free(lu);
}

/* Returns true if all pivots are finite and not zero; KLU accepts other pivots in blocks of order one. */
static bool has_pivots(seam_lu *lu, klu_numeric *numeric) {
  return lu->numbers->condition(lu->symbolic, numeric, &lu->common) != 0 && lu->common.rcond > 0;
}

static seam_status outcome(const seam_lu *lu, bool is_factored) {
  if (lu->common.status == KLU_OUT_OF_MEMORY)
    return SEAM_NO_MEMORY;
  return is_factored ? SEAM_OK : SEAM_SINGULAR;
}

static seam_status factor_with_new_pivots(seam_lu *lu, double *value) {
  lu->own_factors = lu->numbers->factor(lu->start, lu->row, value, lu->symbolic, &lu->common);
  return outcome(lu, lu->own_factors != NULL && lu->common.status == KLU_OK && has_pivots(lu, lu->own_factors));
}

seam_status seam_lu_factor_untested(seam_lu *lu, double *value) {
  if (lu->n == 0)
    return SEAM_OK;
  if (lu->own_factors != NULL)
    lu->numbers->release(&lu->own_factors, &lu->common);
  scale_values(lu, value);
  if (!finite_all(value, lu->start[lu->n] * lu->parts))
    return SEAM_SINGULAR;
  const bool reference_factors =
      lu->numbers->refactor(lu->start, lu->row, value, lu->symbolic, lu->reference_factors, &lu->common) != 0 &&
      lu->common.status == KLU_OK && has_pivots(lu, lu->reference_factors);
  return reference_factors || lu->common.status == KLU_OUT_OF_MEMORY ? outcome(lu, reference_factors)
                                                                     : factor_with_new_pivots(lu, value);
}

seam_status seam_lu_test(seam_lu *lu, double *value, bool *replaced) {
  *replaced = false;
  if (lu->n == 0 || lu->own_factors != NULL)
    return SEAM_OK;
  if (lu->numbers->growth(lu->start, lu->row, value, lu->symbolic, lu->reference_factors, &lu->common) != 0 &&
      lu->common.rgrowth > seam_worst_growth)
    return SEAM_OK;
  *replaced = true;
  return factor_with_new_pivots(lu, value);
}

seam_status seam_lu_factor(seam_lu *lu, double *value) {
  bool replaced = false;
  const seam_status status = seam_lu_factor_untested(lu, value);
  return status == SEAM_OK ? seam_lu_test(lu, value, &replaced) : status;
}

void seam_lu_solve(seam_lu *lu, double *b) {
  if (lu->n == 0)
    return;
  scale_vector(lu, lu->scale.row, b);
  lu->numbers->solve(lu->symbolic, lu->own_factors != NULL ? lu->own_factors : lu->reference_factors, lu->n, 1, b,
                     &lu->common);
  scale_vector(lu, lu->scale.column, b);
}
