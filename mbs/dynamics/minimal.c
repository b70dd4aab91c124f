/* Minimal coordinates z (minimal.h). M are the masses; G has the rows of all independent constraints. Householder
 * reflections give B = M^-1/2 Gᵀ = (Q1 Q2) (R; 0), with the orthogonal matrix (Q1 Q2), and R above a zero block. Then
 *
 *   N = M^-1/2 Q2                  G N = 0, Nᵀ M N = 1
 *   Ṅ = -M^-1/2 Q1 R^-T Ġ N       the least Ṅ with d(G N)/dt = 0; it gives Nᵀ M Ṅ = 0, hence Nᵀ M N̈ = -Ṅᵀ M Ṅ
 *
 * With δa = N z'' + 2 Ṅ z' + N̈ z, multiplication by Nᵀ removes the multipliers from the linearised equations. With K,
 * D and δQ of linearised.h this gives
 *
 *   z'' = (Nᵀ (K N + D Ṅ) + Ṅᵀ M Ṅ) z + Nᵀ D N z' + Nᵀ δQ. */
#include "mbs/dynamics/minimal.h"
#include "mbs/model/workspace.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <lapacke.h>

#include "base/then.h"
#include "base/vector.h"

/* ---- Creation ---- */

/* G lacks redundant constraints, and those of sticking: joints with hard friction count as slipping. */
static bool is_independent(const mbs_model *model, int row) {
  return !model->is_redundant[row] && !mbs_is_stick_row(model, row);
}

seam_status mbs_minimal_create(const mbs_model *model, int n_frozen, mbs_minimal **created, seam_error *error) {
  const int n = 3 * model->n_bodies;
  int n_constrained = n_frozen + model->n_points;
  for (int i = 0; i < model->n_rows - model->n_prescribed; i++)
    n_constrained += is_independent(model, i);
  const int f = n - n_constrained;
  const size_t of_bodies = (size_t)n * (size_t)f;
  const size_t of_freedoms = (size_t)f * (size_t)f;
  const size_t of_factors = (size_t)n * (size_t)n_constrained;
  mbs_minimal *self = malloc(sizeof *self);
  double *block = calloc(2 * of_bodies + 2 * of_freedoms + of_factors + 2 * (size_t)n_constrained + (size_t)n +
                             (size_t)model->n_rows + 1,
                         sizeof *block);
  if (self == NULL || block == NULL) {
    free(self);
    free(block);
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for the minimal coordinates of %d bodies", model->n_bodies);
  }
  *self = (mbs_minimal){.model = model, .n = n, .n_constrained = n_constrained, .f = f, .N = block};
  self->Ndot = self->N + of_bodies;
  self->K = self->Ndot + of_bodies;
  self->D = self->K + of_freedoms;
  self->factors = self->D + of_freedoms;
  self->scales = self->factors + of_factors;
  self->work = self->scales + n_constrained;
  *created = self;
  return SEAM_OK;
}

void mbs_minimal_destroy(mbs_minimal *self) {
  if (self == NULL)
    return;
  free(self->N);
  free(self);
}

/* ---- Free motions ---- */

static double root_of_inverse_mass(const mbs_minimal *self, int i) { return sqrt(self->model->inverse_mass[3 + i]); }

/* Multiplies X (n x columns) by Q = (Q1 Q2) from the left, in place. */
static lapack_int reflect(const mbs_minimal *self, int columns, double *X) {
  if (self->n_constrained == 0 || columns == 0)
    return 0;
  return LAPACKE_dormqr(LAPACK_COL_MAJOR, 'L', 'N', self->n, columns, self->n_constrained, self->factors, self->n,
                        self->scales, X, self->n);
}

/* Multiplies X (n x f) by M^-1/2 from the left, in place. */
static void scale_rows(const mbs_minimal *self, double *X) {
  for (int j = 0; j < self->f; j++)
    for (int i = 0; i < self->n; i++)
      X[i + j * self->n] *= root_of_inverse_mass(self, i);
}

/* Adds M^-1/2 Gᵀ of one row of G to a column of B. */
static void add_to_column(const mbs_minimal *self, const int *body, const double G[6], double *column) {
  for (int k = 0; k < 6; k++)
    if (mbs_has_coordinate(body, k)) {
      const int i = mbs_coordinate(body, k);
      column[i] += G[k] * root_of_inverse_mass(self, i);
    }
}

static lapack_int factor_constraints(mbs_minimal *self, const mbs_workspace *ws, const mbs_linearised *linear) {
  const mbs_model *model = self->model;
  double *column = self->factors;
  memset(column, 0, (size_t)self->n * (size_t)self->n_constrained * sizeof *column);
  for (int row = 0; row < model->n_rows - model->n_prescribed; row++) {
    if (!is_independent(model, row))
      continue;
    add_to_column(self, model->joints[model->joint_of_row[row]].body, ws->G[row], column);
    column += self->n;
  }
  for (int r = 0; r < linear->n_frozen; r++) {
    column += linear->frozen[r].continues ? -self->n : 0;
    add_to_column(self, linear->frozen[r].body, linear->frozen[r].row.G, column);
    column += self->n;
  }
  for (int b = 1; b <= model->n_bodies; b++)
    if (mbs_is_point(model, b)) {
      column[3 * (b - 1) + 2] = 1;
      column += self->n;
    }
  if (self->n_constrained == 0)
    return 0;
  return LAPACKE_dgeqrf(LAPACK_COL_MAJOR, self->n, self->n_constrained, self->factors, self->n, self->scales);
}

static lapack_int find_free_motions(mbs_minimal *self) {
  memset(self->N, 0, (size_t)self->n * (size_t)self->f * sizeof *self->N);
  for (int j = 0; j < self->f; j++)
    self->N[self->n_constrained + j + j * self->n] = 1;
  const lapack_int info = reflect(self, self->f, self->N);
  scale_rows(self, self->N);
  return info;
}

/* Fills Ṅ with the least solution of G Ṅ = -Ġ N in the norm of the masses. */
static lapack_int find_their_rates(mbs_minimal *self, const mbs_linearised *linear) {
  const mbs_model *model = self->model;
  double *gamma = self->work + self->n;
  memset(self->Ndot, 0, (size_t)self->n * (size_t)self->f * sizeof *self->Ndot);
  if (self->n_constrained == 0 || self->f == 0)
    return 0;
  for (int j = 0; j < self->f; j++) {
    const double *dq = self->N + j * self->n;
    double *x = self->Ndot + j * self->n;
    memset(self->work, 0, ((size_t)self->n + (size_t)model->n_rows) * sizeof *self->work);
    mbs_linearised_load(linear, NULL, dq, self->work, gamma);
    for (int row = 0; row < model->n_rows - model->n_prescribed; row++)
      if (is_independent(model, row))
        *x++ = gamma[row] / 2;
    for (int r = 0; r < linear->n_frozen; r++, x++) {
      double of_bodies[6];
      mbs_gather(linear->frozen[r].body, dq, of_bodies);
      x -= linear->frozen[r].continues;
      *x = (linear->frozen[r].continues ? *x : 0) - mbs_dot6(linear->frozen[r].row.Jdot, of_bodies);
    }
  }
  lapack_int info = LAPACKE_dtrtrs(LAPACK_COL_MAJOR, 'U', 'T', 'N', self->n_constrained, self->f, self->factors,
                                   self->n, self->Ndot, self->n);
  if (info == 0)
    info = reflect(self, self->f, self->Ndot);
  scale_rows(self, self->Ndot);
  return info;
}

/* ---- Equations of free motions ---- */

/* Sets column j of X (f x f) to Nᵀ (K dq + D dv), with K and D of the linearised equations. */
static void project_column(mbs_minimal *self, const mbs_linearised *linear, const double *dq, const double *dv, int j,
                           double *X) {
  double *forces = self->work;
  memset(self->work, 0, ((size_t)self->n + (size_t)self->model->n_rows) * sizeof *self->work);
  mbs_linearised_load(linear, dq, dv, forces, self->work + self->n);
  for (int i = 0; i < self->f; i++)
    X[i + j * self->f] = dot_product(self->n, self->N + i * self->n, forces);
}

/* Fails if the body of a skate moves: a skate constrains velocities but not δq, so the equations hold only at rest. */
static seam_status check_skates(const mbs_model *model, const mbs_linearised *linear, seam_error *error) {
  for (int row = 0; row < model->n_rows && model->n_nonholonomic > 0; row++) {
    const mbs_joint *joint = &model->joints[model->joint_of_row[row]];
    const double *gamma_v = linear->rows[row].gamma_v;
    if (joint->type->is_nonholonomic && (gamma_v[0] != 0 || gamma_v[1] != 0 || gamma_v[2] != 0))
      return seam_fail_about(error, SEAM_BAD_INPUT, joint->name,
                             "skate '%s' moves, but modes and linearised couplings with a skate are computed at rest "
                             "only: let the mechanism begin at rest",
                             joint->name);
  }
  return SEAM_OK;
}

seam_status mbs_minimal_compute(mbs_minimal *self, const mbs_workspace *ws, const mbs_linearised *linear,
                                seam_error *error) {
  TRY(check_skates(self->model, linear, error));
  if (factor_constraints(self, ws, linear) != 0 || find_free_motions(self) != 0 || find_their_rates(self, linear) != 0)
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for the minimal coordinates of %d bodies",
                     self->model->n_bodies);
  for (int j = 0; j < self->f; j++) {
    project_column(self, linear, self->N + j * self->n, self->Ndot + j * self->n, j, self->K);
    project_column(self, linear, NULL, self->N + j * self->n, j, self->D);
  }
  const double *mass = self->model->mass + 3;
  for (int j = 0; j < self->f; j++) { /* K += Ṅᵀ M Ṅ */
    const double *column = self->Ndot + j * self->n;
    for (int k = 0; k < self->n; k++)
      self->work[k] = mass[k] * column[k];
    for (int i = 0; i < self->f; i++)
      self->K[i + j * self->f] += dot_product(self->n, self->Ndot + i * self->n, self->work);
  }
  return SEAM_OK;
}
