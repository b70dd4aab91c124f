/* The equations are r(ζ, z) = 0, F(ζ, z) = 0 (equilibrium_equations.h). Indices of F denote derivatives: F_z = ∂F/∂z.
 * If Wᵀ (F_ζ, F_z) = 0 for some matrix W, the rows of F are dependent, and F = 0 does not determine Wᵀ z. Then the
 * equations Wᵀ δz = Wᵀ F_v N ζ replace the dependent rows: Wᵀ z is an integral along the displacement, since its rate
 * depends only on the velocities v. */
#include "mbs/statics/equilibrium_equations.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arrays.h"
#include "mbs/dynamics/dynamics.h"
#include "mbs/dynamics/responses.h"
#include "mbs/model/laws.h"
#include "mbs/statics/norms.h"
#include "mbs/thresholds.h"

/* ---- Creation ---- */

#define EQUATION_ARRAYS(X)                                                                                             \
  X(self, J, n_by_n)                                                                                                   \
  X(self, D, n_by_f)                                                                                                   \
  X(self, V, z_by_f)                                                                                                   \
  X(self, R, n)                                                                                                        \
  X(self, size, n)                                                                                                     \
  X(self, other_terms, n)                                                                                              \
  X(self, rows, n_by_n)                                                                                                \
  X(self, combination, z_by_z)                                                                                         \
  X(self, length, f)                                                                                                   \
  X(self, dq, n_q)                                                                                                     \
  X(self, zeros, n_q)                                                                                                  \
  X(self, a, n_q)                                                                                                      \
  X(self, lambda, (size_t)model->n_rows)                                                                               \
  X(self, dz, (size_t)model->n_states)                                                                                 \
  X(self, changes, (size_t)model->n_states)

seam_status mbs_equilibrium_equations_create(mbs_equilibrium_equations *self, mbs_workspace *ws, seam_error *error) {
  const mbs_model *model = ws->model;
  *self = (mbs_equilibrium_equations){.ws = ws, .model = model};
  if (mbs_linearised_create(model, &self->linear, error) != SEAM_OK ||
      mbs_minimal_create(model, 0, &self->minimal, error) != SEAM_OK)
    return SEAM_NO_MEMORY;
  self->f = self->minimal->f;
  self->n_z = model->laws.first_state + model->laws.n_variables;
  self->n = self->f + self->n_z;
  const size_t f = (size_t)self->f, z = (size_t)self->n_z, n = f + z, n_q = 3 * (size_t)model->n_bodies;
  const size_t n_by_n = n * n, n_by_f = n * f, z_by_f = z * f, z_by_z = z * z;
  return seam_pseudoinverse_create(&self->of_rates, self->n_z, self->n) EQUATION_ARRAYS(ALLOCATE_ARRAY)
             ? SEAM_OK
             : seam_fail(error, SEAM_NO_MEMORY, "no memory for %d bodies and %d states at rest", model->n_bodies,
                         self->n_z);
}

void mbs_equilibrium_equations_free(mbs_equilibrium_equations *self) {
  mbs_linearised_destroy(self->linear);
  mbs_minimal_destroy(self->minimal);
  seam_pseudoinverse_free(&self->of_rates);
  EQUATION_ARRAYS(FREE_ARRAY)
}

/* ---- Rates and their derivatives ---- */

void mbs_equilibrium_displacement(const mbs_equilibrium_equations *self, const double *step, double *dq) {
  const int n = 3 * self->model->n_bodies;
  memset(dq, 0, (size_t)n * sizeof *dq);
  for (int j = 0; j < self->f; j++)
    for (int i = 0; i < n; i++)
      dq[i] += step[j] * self->minimal->N[i + j * n];
}

void mbs_equilibrium_residual(mbs_equilibrium_equations *self, const mbs_state *state) {
  const mbs_laws *laws = &self->model->laws;
  for (int j = 0; j < self->f; j++)
    self->R[j] = mbs_mass_product(self->model, self->minimal->N + 3 * self->model->n_bodies * j, state->a);
  memset(self->R + self->f, 0, (size_t)self->n_z * sizeof *self->R);
  mbs_respond_sampled(self->ws, state);
  for (int i = 0; i < laws->n_variables; i++) {
    const mbs_variable *variable = &laws->variable[i];
    const int z = laws->first_state + i;
    const double value = self->ws->response[laws->n_laws + i];
    if (mbs_is_function(&variable->response))
      self->R[self->f + z] = variable->sample > 0 ? (value - state->z[z]) / variable->sample : value;
  }
}

/* Returns Σ |∂f/∂x δx| over all arguments x of f, the equation of variable `number`; `along` has the changes δx. */
static double terms_of(const mbs_equilibrium_equations *self, int number, const mbs_direction *along) {
  const mbs_response *response = &self->model->laws.variable[number].response;
  const double *slope = self->linear->laws.slope[self->model->laws.n_laws + number];
  const int n = 3 * self->model->n_bodies;
  const struct {
    const double *x;
    int begin;
  } blocks[] = {{along->q, 0},
                {along->v, n},
                {along->z, 2 * n},
                {along->a, 2 * n + self->model->n_states},
                {along->lambda, 3 * n + self->model->n_states}};
  double sum = 0;
  for (int k = 0; k < response->n_columns; k++) {
    int block = 4;
    while (response->column[k] < blocks[block].begin)
      block--;
    if (blocks[block].x != NULL)
      sum += fabs(slope[k] * blocks[block].x[response->column[k] - blocks[block].begin]);
  }
  return sum;
}

/* Fills `to` (n) with the change of (r, F) due to changes dq of positions, dv of velocities and self->dz of states. A
 * change of a variable's equation that is only round-off counts as zero. */
static void respond(mbs_equilibrium_equations *self, const double *dq, const double *dv, double *to) {
  const mbs_laws *laws = &self->model->laws;
  memset(self->a, 0, 3 * (size_t)self->model->n_bodies * sizeof *self->a);
  memset(self->lambda, 0, (size_t)self->model->n_rows * sizeof *self->lambda);
  mbs_linearised_solve(self->linear, self->ws, dq, dv, self->dz, self->a, self->lambda);
  const mbs_direction along = {dq, dv, self->a, self->lambda, self->dz, NULL};
  mbs_linearised_rates(self->linear, &along, self->changes);
  for (int j = 0; j < self->f; j++)
    to[j] = mbs_mass_product(self->model, self->minimal->N + 3 * self->model->n_bodies * j, self->a);
  memcpy(to + self->f, self->changes, (size_t)self->n_z * sizeof *to);
  for (int i = 0; i < laws->n_variables; i++) {
    const int z = laws->first_state + i;
    const double T = laws->variable[i].sample;
    double *change = &to[self->f + z];
    *change = 0;
    if (!mbs_is_function(&laws->variable[i].response))
      continue;
    *change = self->linear->laws.change[laws->n_laws + i];
    if (fabs(*change) <= mbs_equilibrium_derivative * terms_of(self, i, &along))
      *change = 0;
    if (T > 0)
      *change = (*change - self->dz[z]) / T;
  }
}

/* Fills `to` (n_z) with F_v dq: the change of z in a displacement dq through the terms of F in v. */
static void state_changes(mbs_equilibrium_equations *self, const double *dq, double *to) {
  const mbs_laws *laws = &self->model->laws;
  memset(self->lambda, 0, (size_t)self->model->n_rows * sizeof *self->lambda);
  mbs_linearised_rates(self->linear, &(mbs_direction){self->zeros, dq, self->zeros, self->lambda, NULL, NULL},
                       self->changes);
  memcpy(to, self->changes, (size_t)self->n_z * sizeof *to);
  for (int i = 0; i < laws->n_variables; i++)
    if (mbs_is_function(&laws->variable[i].response) && laws->variable[i].sample > 0)
      to[laws->first_state + i] = self->linear->laws.change[laws->n_laws + i] / laws->variable[i].sample;
}

static void set_columns(mbs_equilibrium_equations *self) {
  const int of_bodies = 3 * self->model->n_bodies;
  for (int j = 0; j < self->f; j++) {
    const double *N = self->minimal->N + of_bodies * j;
    self->length[j] = mbs_displacement_length(self->model, N);
    respond(self, N, self->zeros, self->J + j * self->n);
    respond(self, self->zeros, N, self->D + j * self->n);
    state_changes(self, N, self->V + j * self->n_z);
  }
  for (int j = 0; j < self->n_z; j++) {
    self->dz[j] = 1;
    respond(self, self->zeros, self->zeros, self->J + (self->f + j) * self->n);
    self->dz[j] = 0;
  }
}

/* Fills self->size with sums of the absolute values of the terms of r and of F. The terms of r are loads on bodies,
 * entries of self->J times states z, and changes of r by a displacement of length 1 (mbs_displacement_length()) along
 * each column of N. The terms of F are those of the variables' equations. Each state z is replaced by max(|z|, c z°).
 * z° is its nominal size, and c = mbs_difference_rounding / mbs_equilibrium_rate. Then changes of z below the round-off
 * of z° count as zero. */
static void set_sizes(mbs_equilibrium_equations *self, const mbs_state *state) {
  const mbs_laws *laws = &self->model->laws;
  const int n = 3 * self->model->n_bodies;
  double *size_of_z = self->dz;
  for (int z = 0; z < self->n_z; z++)
    size_of_z[z] = fmax(fabs(state->z[z]), mbs_difference_rounding / mbs_equilibrium_rate * self->model->nominal[z]);
  for (int j = 0; j < self->f; j++) {
    self->size[j] = 0;
    for (int i = 0; i < n; i++)
      self->size[j] +=
          fabs(self->minimal->N[i + j * n]) * (fabs(self->ws->Q[3 + i]) + fabs(self->model->gravity_load[3 + i]));
    for (int k = 0; k < self->f; k++)
      self->size[j] += fabs(self->J[j + k * self->n]) / self->length[k];
    for (int z = 0; z < self->n_z; z++)
      self->size[j] += fabs(self->J[j + (self->f + z) * self->n] * size_of_z[z]);
  }
  for (int i = 0; i < n; i++)
    self->dq[i] = fabs(state->q[i]) + (i % 3 == 2 ? 1 : self->model->size);
  const mbs_direction at = {self->dq, self->zeros, state->a, state->lambda, size_of_z, NULL};
  for (int z = 0; z < self->n_z; z++) {
    const int i = z - laws->first_state;
    self->size[self->f + z] = size_of_z[z];
    if (i < 0 || !mbs_is_function(&laws->variable[i].response))
      continue;
    const double T = laws->variable[i].sample;
    self->size[self->f + z] = T > 0 ? (terms_of(self, i, &at) + size_of_z[z]) / T : terms_of(self, i, &at);
  }
  memset(self->dz, 0, (size_t)self->n_z * sizeof *self->dz);
}

/* Fills self->other_terms for the rows i of F, with J = self->J and size = self->size. Let every other state z_k change
 * by size_k / |J_kk|, which changes its own equation F_k by size_k. The largest change of F_i is then
 *
 *   other_terms_i = Σ |J_ik| size_k / |J_kk|   over the states k other than i with J_kk not zero. */
static void set_other_terms(mbs_equilibrium_equations *self) {
  for (int z = 0; z < self->n_z; z++) {
    const int row = self->f + z;
    self->other_terms[row] = 0;
    for (int k = self->f; k < self->n; k++) {
      const double own = fabs(self->J[k + k * self->n]);
      if (k != row && own > 0)
        self->other_terms[row] += fabs(self->J[row + k * self->n]) * self->size[k] / own;
    }
  }
}

/* ---- The equations of a step ---- */

static bool never_changes(const mbs_equilibrium_equations *self, int z) {
  const int row = self->f + z;
  for (int j = 0; j < self->n; j++)
    if (self->J[row + j * self->n] != 0)
      return false;
  const int variable = z - self->model->laws.first_state;
  return variable < 0 || !mbs_is_function(&self->model->laws.variable[variable].response);
}

/* Fills self->rows, self->n_undetermined and self->combination, which has orthonormal combinations of the scaled rows
 * of F. The last n_undetermined of these combinations are zero; self->rows has equations for the same combinations of z
 * instead. */
static seam_status set_rows(mbs_equilibrium_equations *self, seam_error *error) {
  seam_pseudoinverse *p = &self->of_rates;
  for (int z = 0; z < self->n_z; z++)
    for (int j = 0; j < self->n; j++)
      p->A[z + j * self->n_z] = never_changes(self, z) && j == self->f + z ? -1 : self->J[self->f + z + j * self->n];
  const seam_status status = seam_pseudoinverse_factor(p, self->n_z, error);
  self->n_undetermined = self->n_z - p->rank;
  for (int l = 0; l < self->n_z && status == SEAM_OK; l++)
    for (int z = 0; z < self->n_z; z++)
      self->combination[z + l * self->n_z] = p->U[z + l * self->n_z] * p->row[z];
  for (int j = 0; j < self->n && status == SEAM_OK; j++) {
    memcpy(self->rows + j * self->n, self->J + j * self->n, (size_t)self->f * sizeof *self->rows);
    for (int l = 0; l < self->n_z; l++) {
      const bool keeps = l >= self->n_z - self->n_undetermined;
      double sum = 0;
      for (int z = 0; z < self->n_z; z++) {
        const double of_z = j == self->f + z ? -1 : 0;
        const double F = never_changes(self, z) ? of_z : self->J[self->f + z + j * self->n];
        const double change_of_z = (j < self->f ? self->V[z + j * self->n_z] : 0) + of_z;
        sum += self->combination[z + l * self->n_z] * (keeps ? change_of_z : F);
      }
      self->rows[self->f + l + j * self->n] = sum;
    }
  }
  return status;
}

void mbs_equilibrium_correct_states(mbs_equilibrium_equations *self, const double *dq, double *dz) {
  const seam_pseudoinverse *p = &self->of_rates;
  double *counted = self->dz;
  state_changes(self, dq, counted);
  for (int l = self->n_z - self->n_undetermined; l < self->n_z; l++) {
    double missing = 0;
    for (int z = 0; z < self->n_z; z++)
      missing += self->combination[z + l * self->n_z] * (counted[z] - dz[z]);
    for (int z = 0; z < self->n_z; z++)
      dz[z] += p->U[z + l * self->n_z] / p->row[z] * missing;
  }
  memset(counted, 0, (size_t)self->n_z * sizeof *counted);
}

void mbs_equilibrium_right_side(const mbs_equilibrium_equations *self, double *right) {
  memcpy(right, self->R, (size_t)self->f * sizeof *right);
  for (int l = 0; l < self->n_z; l++) {
    right[self->f + l] = 0;
    for (int z = 0; z < self->n_z && l < self->n_z - self->n_undetermined; z++)
      right[self->f + l] += self->combination[z + l * self->n_z] * self->R[self->f + z];
  }
}

seam_status mbs_equilibrium_equations_linearise(mbs_equilibrium_equations *self, mbs_state *state, seam_error *error) {
  seam_status status = mbs_accelerate_from_rest(self->ws, state, error);
  if (status != SEAM_OK)
    return status;
  mbs_linearise(self->linear, self->ws, state);
  status = mbs_minimal_compute(self->minimal, self->ws, self->linear, error);
  if (status != SEAM_OK)
    return status;
  mbs_equilibrium_residual(self, state);
  set_columns(self);
  set_sizes(self, state);
  set_other_terms(self);
  return set_rows(self, error);
}
