#include "cosim/schemes/transmission.h"

#include <math.h>
#include <string.h>

#include "base/vector.h"
#include "cosim/thresholds.h"

bool cosim_has_untransmittable(const cosim_element *element) {
  return element->n_rows > 0 && element->n_forces > element->n_rows;
}

/* Removes from e its components along the orthonormal rows of the basis: Gram-Schmidt, twice against round-off. */
static void orthogonalise(double basis[][COSIM_MAX_FORCES], int n_basis, double *e) {
  for (int twice = 0; twice < 2; twice++)
    for (int b = 0; b < n_basis; b++) {
      const double common = dot_product(COSIM_MAX_FORCES, e, basis[b]);
      for (int i = 0; i < COSIM_MAX_FORCES; i++)
        e[i] -= common * basis[b][i];
    }
}

void cosim_untransmittable(const cosim_element *element, const cosim_motion m[2],
                           double rows[COSIM_MAX_FORCES][COSIM_MAX_FORCES]) {
  double basis[2 * COSIM_MAX_FORCES][COSIM_MAX_FORCES] = {0};
  double S[COSIM_MAX_FORCES][COSIM_MAX_DIMS];
  int n_basis = 0;
  element->ops->wrench_map(element, m, S);
  for (int k = 0; k < element->n_rows + element->n_forces && n_basis < element->n_forces; k++) {
    double *e = basis[n_basis];
    memset(e, 0, COSIM_MAX_FORCES * sizeof *e);
    for (int i = 0; i < COSIM_MAX_FORCES; i++)
      e[i] = k < element->n_rows ? S[i][k] : i == element->force[k - element->n_rows];
    const double before = dot_product(COSIM_MAX_FORCES, e, e);
    orthogonalise(basis, n_basis, e);
    const double after = dot_product(COSIM_MAX_FORCES, e, e);
    if (k >= element->n_rows && after < cosim_independent_row * before)
      continue;
    for (int i = 0; i < COSIM_MAX_FORCES; i++)
      e[i] /= sqrt(after);
    n_basis++;
  }
  memcpy(rows, basis + element->n_rows, COSIM_MAX_FORCES * sizeof *rows);
}

/* Finds P W: W without its components along the columns of the wrench map. */
static void project(const cosim_element *element, const cosim_motion m[2], const double *W, double *residual) {
  double basis[COSIM_MAX_DIMS][COSIM_MAX_FORCES] = {0};
  double S[COSIM_MAX_FORCES][COSIM_MAX_DIMS];
  element->ops->wrench_map(element, m, S);
  for (int k = 0; k < element->n_rows; k++) {
    for (int i = 0; i < COSIM_MAX_FORCES; i++)
      basis[k][i] = S[i][k];
    orthogonalise(basis, k, basis[k]);
    const double length = sqrt(dot_product(COSIM_MAX_FORCES, basis[k], basis[k]));
    for (int i = 0; i < COSIM_MAX_FORCES; i++)
      basis[k][i] /= length;
  }
  memcpy(residual, W, COSIM_MAX_FORCES * sizeof *residual);
  orthogonalise(basis, element->n_rows, residual);
}

/* Uses a central difference of P(x) W along the velocities, so that joints need not differentiate their wrench maps. */
void cosim_untransmittable_rate(const cosim_element *element, const cosim_motion m[2], const cosim_motion rate[2],
                                const double *W, double *change) {
  double largest = 0;
  double ahead[COSIM_MAX_FORCES], behind[COSIM_MAX_FORCES];
  memset(change, 0, COSIM_MAX_FORCES * sizeof *change);
  for (int side = 0; side < 2; side++)
    for (int j = 0; j < COSIM_MAX_DIMS; j++)
      largest = fmax(largest, fabs(rate[side].v[j]) / (j < 2 ? element->length : 1));
  if (largest == 0)
    return;
  const double factor = cosim_width_of_law / largest;
  cosim_motion perturbed[2][2] = {{m[0], m[1]}, {m[0], m[1]}};
  for (int side = 0; side < 2; side++)
    for (int j = 0; j < COSIM_MAX_DIMS; j++) {
      perturbed[0][side].x[j] += factor * rate[side].v[j];
      perturbed[1][side].x[j] -= factor * rate[side].v[j];
    }
  project(element, perturbed[0], W, ahead);
  project(element, perturbed[1], W, behind);
  for (int i = 0; i < COSIM_MAX_FORCES; i++)
    change[i] = (ahead[i] - behind[i]) / (2 * factor);
}
