/* Projection of a linearised mechanism onto the constraints of its cut joints, in the mass norm. z are the minimal
 * coordinates of all subsystems, C z the residuals of the constraints, C z' their rates. Cᵀ has the factors Q and R:
 *
 *   z ← z - Cᵀ (C Cᵀ)⁻¹ C z = (1 - Q Qᵀ) z;   z' is projected in the same way. */
#include <stdlib.h>
#include <string.h>

#include <lapacke.h>

#include "analysis/linearised/linearised_mechanism.h"

/* ---- Creation ---- */

/* Adds to C (n_z) the constraint of row `row` of a cut joint. */
static void add_row(const seam_linearised *self, size_t number, int row, double *C) {
  const cosim_element_cut *cut = &self->partition.cuts[number];
  for (int side = 0; side < 2; side++) {
    const size_t s = cut->subsystem[side];
    const analysis_linearised_part *part = &self->parts[s];
    const double *J = self->elements[number].J[row] + 3 * side;
    const double *X = part->X + 3 * cut->port[side] * part->f;
    for (int j = 0; j < part->f; j++)
      C[self->first[s] + j] += J[0] * X[j] + J[1] * X[part->f + j] + J[2] * X[2 * part->f + j];
  }
}

seam_status analysis_projection_create(seam_linearised *self, seam_error *error) {
  const int n = self->n_z;
  int n_rows = 0;
  bool wanted = false;
  for (size_t k = 0; k < self->partition.n_cuts; k++) {
    n_rows += self->elements[k].base.n_rows;
    wanted = wanted || self->cuts[k].scheme.method == COSIM_PROJECTION;
  }
  if (!wanted)
    return SEAM_OK;
  if (n_rows > n)
    return seam_fail(error, SEAM_SINGULAR, "the constraints of cut joints depend on each other: cut fewer joints");
  double *C = calloc((size_t)n_rows * (size_t)(n + 1) + 1, sizeof *C); /* Cᵀ, column by column, later Q */
  self->onto = calloc((size_t)n * (size_t)n + 1, sizeof *self->onto);
  self->z = calloc((size_t)(n + self->n_states) + 1, sizeof *self->z);
  bool has_memory = C != NULL && self->onto != NULL && self->z != NULL;
  if (has_memory) {
    double *to = C;
    double *scales = C + n_rows * n; /* (n_rows) scratch of the factorisation */
    for (size_t k = 0; k < self->partition.n_cuts; k++)
      for (int row = 0; row < self->elements[k].base.n_rows; row++, to += n)
        add_row(self, k, row, to);
    has_memory = LAPACKE_dgeqrf(LAPACK_COL_MAJOR, n, n_rows, C, n, scales) == 0 &&
                 LAPACKE_dorgqr(LAPACK_COL_MAJOR, n, n_rows, n_rows, C, n, scales) == 0;
  }
  for (int i = 0; i < n && has_memory; i++)
    for (int j = 0; j < n; j++) {
      self->onto[i * n + j] = i == j;
      for (int r = 0; r < n_rows; r++)
        self->onto[i * n + j] -= C[r * n + i] * C[r * n + j];
    }
  free(C);
  return has_memory ? SEAM_OK : seam_fail(error, SEAM_NO_MEMORY, "no memory for the constraints of cut joints");
}

/* ---- Projection at a macro point ---- */

seam_status analysis_project(void *context, double t, seam_error *error) {
  (void)t;
  (void)error;
  const seam_linearised *self = context;
  double *projected = self->z;
  double *state = self->z + self->n_z; /* subsystem by subsystem, z before z' */
  for (size_t s = 0; s < self->partition.n_subsystems; s++)
    if (self->linear[s] != NULL)
      self->linear[s]->ops->save(self->linear[s], state + self->first_state[s]);
  for (int half = 0; half < 2; half++) { /* z, then z' */
    for (int row = 0; row < self->n_z; row++) {
      const double *onto = self->onto + row * self->n_z;
      projected[row] = 0;
      for (size_t s = 0; s < self->partition.n_subsystems; s++)
        for (int j = 0; j < self->parts[s].f; j++)
          projected[row] += onto[self->first[s] + j] * state[self->first_state[s] + half * self->parts[s].f + j];
    }
    for (size_t s = 0; s < self->partition.n_subsystems; s++)
      memcpy(state + self->first_state[s] + half * self->parts[s].f, projected + self->first[s],
             (size_t)self->parts[s].f * sizeof *projected);
  }
  for (size_t s = 0; s < self->partition.n_subsystems; s++)
    if (self->linear[s] != NULL)
      self->linear[s]->ops->restore(self->linear[s], state + self->first_state[s]);
  return SEAM_OK;
}
