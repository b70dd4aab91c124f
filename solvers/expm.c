/* Scaling and squaring with the diagonal Padé approximant r of degree 13 ([Higham]):
 *
 *   exp(A) = r(A / 2^s)^(2^s),   r = (V - U)⁻¹ (V + U),  U: odd powers, V: even powers of the numerator.
 *
 * s is the number of squarings. The matrix is first balanced by powers of 2 ([Ward]). Without this, states of
 * different units, as metres and newtons, would need more squarings. Each squaring loses a digit of small entries. */
#include "solvers/expm.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <lapacke.h>

static const double largest_norm = 5.371920351148152; /* 1-norm up to which degree 13 gives double precision */

typedef struct work {
  int n;
  size_t size; /* n² */
  double *A, *A2, *A4, *A6, *U, *V, *T;
  double *scale; /* (n) factors of balancing */
} work;

static double one_norm(int n, const double *A) {
  double largest = 0;
  for (int j = 0; j < n; j++) {
    double sum = 0;
    for (int i = 0; i < n; i++)
      sum += fabs(A[i + j * n]);
    if (!(sum <= largest))
      largest = sum;
  }
  return largest;
}

/* C = A B */
static void multiply(int n, const double *A, const double *B, double *C) {
  for (int j = 0; j < n; j++) {
    double *column = C + j * n;
    memset(column, 0, (size_t)n * sizeof *column);
    for (int k = 0; k < n; k++)
      for (int i = 0; i < n; i++)
        column[i] += A[i + k * n] * B[k + j * n];
  }
}

/* X = a6 A6 + a4 A4 + a2 A2 + a0 I */
static void combine(const work *w, double a6, double a4, double a2, double a0, double *X) {
  for (size_t i = 0; i < w->size; i++)
    X[i] = a6 * w->A6[i] + a4 * w->A4[i] + a2 * w->A2[i];
  for (int i = 0; i < w->n; i++)
    X[i * (w->n + 1)] += a0;
}

/* Fills U and V of the approximant; E is scratch. With b_13 = 1, b_12 = 182 ... b_0, the coefficients of the numerator,
 *
 *   U = A (A6 (b_13 A6 + b_11 A4 + b_9 A2) + b_7 A6 + b_5 A4 + b_3 A2 + b_1 I)
 *   V =    A6 (b_12 A6 + b_10 A4 + b_8 A2) + b_6 A6 + b_4 A4 + b_2 A2 + b_0 I */
static void fill_approximant(work *w, double *E) {
  combine(w, 1, 16380, 40840800, 0, w->T);
  multiply(w->n, w->A6, w->T, E);
  combine(w, 33522128640, 10559470521600, 1187353796428800, 32382376266240000, w->T);
  for (size_t i = 0; i < w->size; i++)
    E[i] += w->T[i];
  multiply(w->n, w->A, E, w->U);
  combine(w, 182, 960960, 1323241920, 0, w->T);
  multiply(w->n, w->A6, w->T, w->V);
  combine(w, 670442572800, 129060195264000, 7771770303897600, 64764752532480000, w->T);
  for (size_t i = 0; i < w->size; i++)
    w->V[i] += w->T[i];
}

/* Sets w->A = D⁻¹ A D. The powers of 2 in the diagonal D make the norms of rows and columns similar. D = 1 if A is so
 * small that it needs no squarings. Returns the 1-norm of w->A. */
static double balance(work *w, const double *A) {
  lapack_int low = 0;
  lapack_int high = 0;
  const double norm = one_norm(w->n, A);
  memcpy(w->A, A, w->size * sizeof *A);
  for (int i = 0; i < w->n; i++)
    w->scale[i] = 1;
  if (norm <= largest_norm)
    return norm;
  LAPACKE_dgebal_work(LAPACK_COL_MAJOR, 'S', w->n, w->A, w->n, &low, &high, w->scale);
  return one_norm(w->n, w->A);
}

seam_status seam_expm(int n, const double *A, double *E, seam_error *error) {
  if (!isfinite(one_norm(n, A)))
    return seam_fail(error, SEAM_NOT_FINITE, "the matrix of an exponential is not finite");
  work w = {.n = n, .size = (size_t)n * (size_t)n};
  double *memory = malloc((7 * w.size + (size_t)n + 1) * sizeof *memory);
  lapack_int *pivot = malloc(((size_t)n + 1) * sizeof *pivot);
  if (memory == NULL || pivot == NULL) {
    free(memory);
    free(pivot);
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for the exponential of a matrix of order %d", n);
  }
  double **const matrices[] = {&w.A, &w.A2, &w.A4, &w.A6, &w.U, &w.V, &w.T};
  for (size_t i = 0; i < 7; i++)
    *matrices[i] = memory + i * w.size;
  w.scale = memory + 7 * w.size;
  const double norm = balance(&w, A);
  const int squarings = norm > largest_norm ? (int)ceil(log2(norm / largest_norm)) : 0;
  for (size_t i = 0; i < w.size; i++)
    w.A[i] = ldexp(w.A[i], -squarings);
  multiply(n, w.A, w.A, w.A2);
  multiply(n, w.A2, w.A2, w.A4);
  multiply(n, w.A4, w.A2, w.A6);
  fill_approximant(&w, E);
  for (size_t i = 0; i < w.size; i++) {
    E[i] = w.V[i] + w.U[i];
    w.V[i] -= w.U[i];
  }
  LAPACKE_dgesv_work(LAPACK_COL_MAJOR, n, n, w.V, n, pivot, E, n);
  for (int k = 0; k < squarings; k++) {
    memcpy(w.T, E, w.size * sizeof *E);
    multiply(n, w.T, w.T, E);
  }
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      E[i + j * n] *= w.scale[i] / w.scale[j];
  free(memory);
  free(pivot);
  return SEAM_OK;
}
