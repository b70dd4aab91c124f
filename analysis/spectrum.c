/* A permutation makes a matrix block triangular with irreducible diagonal blocks, the strongly connected components of
 * the graph of its nonzero entries. The eigenvalues of the matrix are those of the blocks. Entries outside the blocks
 * do not change the eigenvalues, but may make them defective.
 *
 * Let a perturbation of norm δ change a balanced block B with a simple eigenvalue λ. Then λ changes by at most δ / s to
 * first order, where s = |yᴴ x| with the unit left and right eigenvectors y and x (LAPACK's rconde). This holds if δ /
 * s is below the distance to the next eigenvalue. Eigenvalues in a cluster of p, for example near a defective one,
 * change by about ‖B‖ (δ / ‖B‖)^(1/p) ([Golub-Van Loan] 7.2). */
#include "analysis/spectrum.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <lapacke.h>

#include "base/vector.h"
#include "cosim/coupling/master.h"
#include "solvers/lapack.h"

/* ---- Propagation ---- */

seam_status analysis_propagation(cosim_master *master, double H, double *Phi, seam_error *error) {
  const size_t n = cosim_master_n_state(master);
  double *unit = calloc(n + 1, sizeof *unit);
  if (unit == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for a state of %zu values", n);
  seam_status status = SEAM_OK;
  for (size_t j = 0; j < n && status == SEAM_OK; j++) {
    unit[j] = 1;
    cosim_master_restore(master, unit);
    status = cosim_master_step(master, H, error);
    cosim_master_save(master, Phi + j * n);
    unit[j] = 0;
  }
  cosim_master_restore(master, unit);
  free(unit);
  return status;
}

double analysis_collocation_rounding(const cosim_scheme *scheme) {
  /* Errors in units of ε 10^order. The index is the number of sides (0 to 2) whose input is a motion. With one such
   * side, large terms cancel in the equations of the coupling. */
  static const double by_motion_inputs[] = {4, 2000, 40};
  const int n = cosim_scheme_receives_motion(scheme, 0) + cosim_scheme_receives_motion(scheme, 1);
  return scheme->method == COSIM_COLLOCATION ? DBL_EPSILON * by_motion_inputs[n] * pow(10, scheme->order) : 0;
}

typedef struct work {
  int n;
  double accuracy;              /* δ / ‖B‖, see the head of the file */
  bool *reaches;                /* (n x n) row by row: true if the graph of nonzero entries has a path from i to j */
  int *member;                  /* (n) indices of the rows of the present block */
  double *block, *left, *right; /* (n x n) the present block, its left and its right eigenvectors */
  double *re, *im, *scale, *condition; /* (n), (n), (n), (2 n); in the memory of `block`, as `left` and `right` are */
} work;

/* The largest |λ|, and bounds on it. */
typedef struct bounds {
  double rho, least, most;
} bounds;

static void widen(bounds *b, double modulus, double error) {
  b->rho = fmax(b->rho, modulus);
  b->least = fmax(b->least, modulus - error);
  b->most = fmax(b->most, modulus + error);
}

/* ---- Blocks ---- */

static void find_paths(work *w, const double *matrix) {
  const int n = w->n;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      w->reaches[i * n + j] = matrix[i + j * n] != 0;
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n && w->reaches[i * n + k]; j++)
        w->reaches[i * n + j] |= w->reaches[k * n + j];
}

/* Lists in w->member the rows of the block that contains row i. Returns their number, or 0 if an earlier row already
 * gave this block. */
static int find_block(work *w, int i) {
  int size = 0;
  for (int j = 0; j < w->n; j++)
    if (j == i || (w->reaches[i * w->n + j] && w->reaches[j * w->n + i])) {
      if (j < i)
        return 0;
      w->member[size++] = j;
    }
  return size;
}

/* ---- Eigenvalues of a block ---- */

static int count_within(const work *w, int size, int i, double radius) {
  int n = 0;
  for (int j = 0; j < size; j++)
    n += hypot(w->re[i] - w->re[j], w->im[i] - w->im[j]) <= radius;
  return n;
}

static double error_of_eigenvalue(const work *w, int size, int i, double norm) {
  const double simple = w->accuracy * norm / w->condition[i];
  if (simple < DBL_MAX && count_within(w, size, i, 2 * simple) == 1)
    return simple;
  double cluster = 0;
  for (int p = 2; p <= size; p++) {
    cluster = norm * pow(w->accuracy, 1.0 / p);
    if (count_within(w, size, i, 2 * cluster) <= p)
      break;
  }
  return fmin(simple, cluster);
}

static seam_status bound_block(work *w, int size, bounds *b, seam_error *error) {
  if (size == 1) {
    widen(b, fabs(w->block[0]), w->accuracy * fabs(w->block[0]));
    return SEAM_OK;
  }
  lapack_int low = 0, high = 0;
  double norm = 0;
  const lapack_int info =
      LAPACKE_dgeevx(LAPACK_COL_MAJOR, 'B', 'V', 'V', 'E', size, w->block, size, w->re, w->im, w->left, size, w->right,
                     size, &low, &high, w->scale, &norm, w->condition, w->condition + w->n);
  if (info != 0)
    return seam_lapack_check(info, SEAM_NOT_CONVERGED, "the eigenvalues of the propagation matrix", error);
  for (int i = 0; i < size; i++)
    widen(b, hypot(w->re[i], w->im[i]), error_of_eigenvalue(w, size, i, norm));
  return SEAM_OK;
}

seam_status analysis_spectral_radius(int n, const double *matrix, double accuracy, double *rho, double *uncertainty,
                                     seam_error *error) {
  const size_t order = (size_t)n;
  if (!finite_all(matrix, n * n))
    return seam_fail(error, SEAM_NOT_FINITE, "the propagation matrix is not finite");
  work w = {.n = n,
            .accuracy = accuracy,
            .member = malloc((order + 1) * sizeof *w.member),
            .reaches = calloc(order * order + 1, sizeof *w.reaches),
            .block = malloc((3 * order * order + 5 * order + 1) * sizeof *w.block)};
  bounds b = {0};
  seam_status status = SEAM_OK;
  if (w.member == NULL || w.reaches == NULL || w.block == NULL) {
    status = seam_fail(error, SEAM_NO_MEMORY, "no memory for %d eigenvalues", n);
  } else {
    w.left = w.block + order * order;
    w.right = w.left + order * order;
    w.re = w.right + order * order;
    w.im = w.re + order;
    w.scale = w.im + order;
    w.condition = w.scale + order;
    find_paths(&w, matrix);
  }
  for (int i = 0; i < n && status == SEAM_OK; i++) {
    const int size = find_block(&w, i);
    for (int j = 0; j < size; j++)
      for (int k = 0; k < size; k++)
        w.block[k + j * size] = matrix[w.member[k] + w.member[j] * n];
    if (size > 0)
      status = bound_block(&w, size, &b, error);
  }
  if (status == SEAM_OK) {
    *rho = b.rho;
    *uncertainty = fmax(b.most - b.rho, b.rho - b.least);
  }
  free(w.member);
  free(w.reaches);
  free(w.block);
  return status;
}
