/* Projection of a linearised mechanism onto the constraints of its cut joints, in the mass norm. z are the minimal
 * coordinates of all subsystems, C z the residuals of the constraints, C z' their rates. Cᵀ has the factors Q and R:
 *
 *   z ← z - Cᵀ (C Cᵀ)⁻¹ C z = (1 - Q Qᵀ) z;   z' is projected in the same way. */
#include <stdlib.h>
#include <string.h>

#include <lapacke.h>

#include "analysis/linearised/linearised_mechanism.h"

static seam_status no_memory(seam_error *error) {
  return seam_fail(error, SEAM_NO_MEMORY, "no memory for the constraints of cut joints");
}

/* Constraints of all cut joints; n is their number. */
typedef struct constraints {
  int n;
  double *C;      /* (n_z x n), column by column: Cᵀ, later Q */
  double *scales; /* (n) scratch of the factorisation */
} constraints;

/* ---- Creation ---- */

static void add_row(const seam_linearised *self, size_t number, int row, constraints *to) {
  const cosim_element_cut *cut = &self->partition.cuts[number];
  double *C = to->C + (size_t)self->n_z * (size_t)to->n;
  for (int side = 0; side < 2; side++) {
    const size_t s = cut->subsystem[side];
    const analysis_linearised_part *part = &self->parts[s];
    const double *J = self->elements[number].J[row] + 3 * side;
    const double *X = part->X + 3 * cut->port[side] * part->f;
    for (int j = 0; j < part->f; j++)
      C[self->first[s] + j] += J[0] * X[j] + J[1] * X[part->f + j] + J[2] * X[2 * part->f + j];
  }
  to->n++;
}

static seam_status fill(seam_linearised *self, constraints *c, seam_error *error) {
  const int n = self->n_z;
  if (c->n > n)
    return seam_fail(error, SEAM_SINGULAR, "the constraints of cut joints depend on each other: cut fewer joints");
  if (LAPACKE_dgeqrf(LAPACK_COL_MAJOR, n, c->n, c->C, n, c->scales) != 0 ||
      LAPACKE_dorgqr(LAPACK_COL_MAJOR, n, c->n, c->n, c->C, n, c->scales) != 0)
    return no_memory(error);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      self->onto[i * n + j] = i == j;
      for (int r = 0; r < c->n; r++)
        self->onto[i * n + j] -= c->C[r * n + i] * c->C[r * n + j];
    }
  return SEAM_OK;
}

seam_status analysis_projection_create(seam_linearised *self, seam_error *error) {
  const size_t n = (size_t)self->n_z;
  const size_t most = COSIM_MAX_DIMS * self->partition.n_cuts;
  bool wanted = false;
  for (size_t k = 0; k < self->partition.n_cuts; k++)
    wanted = wanted || self->cuts[k].scheme.method == COSIM_PROJECTION;
  if (!wanted)
    return SEAM_OK;
  constraints c = {.C = calloc(most * (n + 1) + 1, sizeof *c.C)};
  self->onto = calloc(n * n + 1, sizeof *self->onto);
  self->z = calloc(n + (size_t)self->n_states + 1, sizeof *self->z);
  seam_status status = SEAM_NO_MEMORY;
  if (c.C == NULL || self->onto == NULL || self->z == NULL) {
    no_memory(error);
  } else {
    c.scales = c.C + most * n;
    for (size_t k = 0; k < self->partition.n_cuts; k++)
      for (int row = 0; row < self->elements[k].base.n_rows; row++)
        add_row(self, k, row, &c);
    status = fill(self, &c, error);
  }
  free(c.C);
  return status;
}

/* ---- Projection at a macro point ---- */

/* Sets `rate` (n_z) to the projection of z (half 0) or z' (half 1) of all subsystems. `state` has z and z' of each. */
static void project_half(const seam_linearised *self, int half, const double *state, double *rate) {
  const int n = self->n_z;
  for (size_t s = 0; s < self->partition.n_subsystems; s++)
    for (int i = 0; i < self->parts[s].f; i++) {
      const int row = self->first[s] + i;
      const double *onto = self->onto + row * n;
      double sum = 0;
      for (size_t p = 0; p < self->partition.n_subsystems; p++)
        for (int j = 0; j < self->parts[p].f; j++)
          sum += onto[self->first[p] + j] * state[self->first_state[p] + half * self->parts[p].f + j];
      rate[row] = sum;
    }
}

seam_status analysis_project(void *context, double t, seam_error *error) {
  (void)t;
  (void)error;
  const seam_linearised *self = context;
  double *rate = self->z;
  double *state = self->z + self->n_z; /* subsystem by subsystem, z before z' */
  for (size_t s = 0; s < self->partition.n_subsystems; s++)
    if (self->linear[s] != NULL)
      self->linear[s]->ops->save(self->linear[s], state + self->first_state[s]);
  for (int half = 0; half < 2; half++) {
    project_half(self, half, state, rate);
    for (size_t s = 0; s < self->partition.n_subsystems; s++)
      memcpy(state + self->first_state[s] + half * self->parts[s].f, rate + self->first[s],
             (size_t)self->parts[s].f * sizeof *rate);
  }
  for (size_t s = 0; s < self->partition.n_subsystems; s++)
    if (self->linear[s] != NULL)
      self->linear[s]->ops->restore(self->linear[s], state + self->first_state[s]);
  return SEAM_OK;
}
