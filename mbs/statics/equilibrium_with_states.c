/* Static equilibrium with laws of quantities, variables or skates. Unknowns are the minimal coordinates ζ, with δq = N
 * δζ (minimal.h), and the states z, which may be integrals, such as that of a PI controller. r and F are those of
 * equilibrium_with_states.h. Indices denote derivatives, r_ζ = ∂r/∂ζ. Newton's step for pose and states is
 *
 *   [r_ζ  r_z] [δζ]     [r]
 *   [F_ζ  F_z] [δz] = - [F]                                                                  (1)
 *
 * An integral is a state z whose rate F does not depend on z. Then F = 0 is a condition on the pose, and z causes the
 * load by which the pose satisfies the condition. A variable that counts revolutions, or two integrals of the same
 * error, make rows of F dependent: Wᵀ (F_ζ, F_z) = 0 for some matrix W, and F = 0 does not determine Wᵀ z. Then the
 * equations Wᵀ δz = Wᵀ F_v N δζ replace the dependent rows. Wᵀ z is an integral along the displacement, since its rate
 * depends only on the velocities v.
 *
 * As in equilibrium.c, the search follows an imagined creeping motion, ζ' = r, with F = 0 at all times. A step of the
 * implicit Euler method over the time 1/σ subtracts σ δζ on the left of the first row of (1). Let J be the matrix of
 * (1). The growth is the largest real part of the eigenvalues s of J x = s diag(1, 0) x. If the growth is positive, σ
 * is twice the growth. Otherwise σ is 0, and the step is one of Newton's method. The natural monotonicity test
 * ([Deuflhard] 3.3) damps such a step: the next step with the same matrix must be shorter. If nothing resists a motion,
 * the matrix is singular, and the step is the solution with the shortest δζ. The creeping motion may leave an
 * equilibrium that only feedback stabilises; steps with σ = 0 find it. `seam static` and `seam modes` report if the
 * motion about an equilibrium grows. */
#include "mbs/statics/equilibrium_with_states.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <lapacke.h>

#include "base/arrays.h"
#include "base/then.h"
#include "mbs/dynamics/assembly.h"
#include "mbs/dynamics/dynamics.h"
#include "mbs/dynamics/responses.h"
#include "mbs/model/laws.h"
#include "mbs/stages/stages.h"
#include "mbs/statics/norms.h"
#include "mbs/thresholds.h"

/* ---- Creation of the equations ---- */

#define EQUATION_ARRAYS(X)                                                                                             \
  X(self, J, n_by_n)                                                                                                   \
  X(self, D, n_by_f)                                                                                                   \
  X(self, V, z_by_f)                                                                                                   \
  X(self, R, n)                                                                                                        \
  X(self, size, n)                                                                                                     \
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

double mbs_equilibrium_displacement(mbs_equilibrium_equations *self, const double *step) {
  const int n = 3 * self->model->n_bodies;
  memset(self->dq, 0, (size_t)n * sizeof *self->dq);
  for (int j = 0; j < self->f; j++)
    for (int i = 0; i < n; i++)
      self->dq[i] += step[j] * self->minimal->N[i + j * n];
  return mbs_displacement_length(self->model, self->dq);
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

/* Returns Σ |∂f/∂x δx| over all arguments x of the equation f of variable `number`; `along` has the changes δx. */
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

/* Fills `to` (n) with the change of (r, F) by changes dq of positions, dv of velocities and self->dz of states.
 * Round-off of a variable's equation counts as zero. */
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

/* Fills `to` (n_z) with F_v dq, the change of z in a displacement dq by the terms of F in v. */
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

/* Fills self->size with sums of the absolute values of terms. Those of r are loads on bodies, entries of self->J times
 * states z, and changes of r by a displacement of length 1 (mbs_displacement_length()) along each column of N. Those of
 * F are the terms of the variables' equations. max(|z|, c z°) replaces each state z, with its nominal size z° and
 * c = mbs_difference_rounding / mbs_equilibrium_rate. So changes of z below the round-off of z° count as zero. */
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

/* Adds further terms to the sizes of the rows of F, with J = self->J. Let every other state z_k change by
 * size_k / |J_kk|, which changes its own equation F_k by size_k. The largest change of F_i is then
 *
 *   Σ |J_ik| size_k / |J_kk|   over the states k other than i with J_kk not zero. */
static void add_terms_of_other_states(mbs_equilibrium_equations *self) {
  double *terms = self->changes;
  for (int z = 0; z < self->n_z; z++) {
    const int row = self->f + z;
    terms[z] = 0;
    for (int k = self->f; k < self->n; k++) {
      const double own = fabs(self->J[k + k * self->n]);
      if (k != row && own > 0)
        terms[z] += fabs(self->J[row + k * self->n]) * self->size[k] / own;
    }
  }
  for (int z = 0; z < self->n_z; z++)
    self->size[self->f + z] += terms[z];
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

/* Fills self->combination with orthonormal combinations of the scaled rows of F, and self->rows. The last
 * n_undetermined combinations are zero; self->rows has equations for the same combinations of z instead. */
static seam_status set_rows(mbs_equilibrium_equations *self, seam_error *error) {
  seam_pseudoinverse *p = &self->of_rates;
  for (int z = 0; z < self->n_z; z++)
    for (int j = 0; j < self->n; j++)
      p->A[z + j * self->n_z] = never_changes(self, z) && j == self->f + z ? -1 : self->J[self->f + z + j * self->n];
  TRY(seam_pseudoinverse_factor(p, self->n_z, error));
  self->n_undetermined = self->n_z - p->rank;
  for (int l = 0; l < self->n_z; l++)
    for (int z = 0; z < self->n_z; z++)
      self->combination[z + l * self->n_z] = p->U[z + l * self->n_z] * p->row[z];
  for (int j = 0; j < self->n; j++) {
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
  return SEAM_OK;
}

/* Corrects dz (n_z), the change of states in a displacement dq (3n) from the state of the linearisation. Afterwards Wᵀ
 * dz = Wᵀ F_v dq (head of this file); W has the last n_undetermined combinations. */
static void correct_states(mbs_equilibrium_equations *self, const double *dq, double *dz) {
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

/* Fills right (n) with the right-hand side of a step: the residuals r, then the combinations of F. The last
 * n_undetermined combinations do not determine z, and are 0. */
static void find_right_side(const mbs_equilibrium_equations *self, double *right) {
  memcpy(right, self->R, (size_t)self->f * sizeof *right);
  for (int l = 0; l < self->n_z; l++) {
    right[self->f + l] = 0;
    for (int z = 0; z < self->n_z && l < self->n_z - self->n_undetermined; z++)
      right[self->f + l] += self->combination[z + l * self->n_z] * self->R[self->f + z];
  }
}

seam_status mbs_equilibrium_equations_linearise(mbs_equilibrium_equations *self, mbs_state *state, seam_error *error) {
  TRY(mbs_accelerate_from_rest(self->ws, state, error));
  mbs_linearise(self->linear, self->ws, state);
  TRY(mbs_minimal_compute(self->minimal, self->ws, self->linear, error));
  mbs_equilibrium_residual(self, state);
  set_columns(self);
  set_sizes(self, state);
  add_terms_of_other_states(self);
  return set_rows(self, error);
}

/* ---- Failures of both searches ---- */

size_t mbs_frictions_at_rest(mbs_workspace *ws, const mbs_state *state, const char **names, size_t n) {
  if (ws == NULL || !mbs_state_fits(ws->model, state))
    return 0;
  size_t found = 0;
  mbs_stage_kinematics(ws, state->q, state->v);
  for (int i = 0; i < ws->model->n_forces; i++) {
    const mbs_force *force = &ws->model->forces[i];
    const mbs_pair pair = mbs_force_pair(force, ws->frames);
    if (force->type->has_friction == NULL || !force->type->has_friction(force, &pair))
      continue;
    if (found < n)
      names[found] = force->name;
    found++;
  }
  return found;
}

const char *mbs_reason_of_failure(const mbs_model *model, const mbs_state *state, double drive, const char *cause) {
  if (mbs_mass_product(model, state->a, state->a) < drive / 2)
    return cause;
  return model->scales.rate * model->scales.time > mbs_stiff_rate
             ? "stiff elements keep the steps of the search too short (lower the stiffness for the search)"
             : "nothing resists the motion";
}

seam_status mbs_no_equilibrium(mbs_workspace *ws, const mbs_state *state, const char *cause, seam_error *error) {
  const mbs_model *model = ws->model;
  const char *element = NULL;
  const bool has_friction = mbs_frictions_at_rest(ws, state, &element, 1) > 0;
  int worst = 0;
  for (int i = 1; i < 3 * model->n_bodies; i++)
    if (fabs(state->a[i]) > fabs(state->a[worst]))
      worst = i;
  return seam_fail(error, SEAM_NOT_CONVERGED,
                   "no stable equilibrium was found: %s, and forces still drive body '%s'; %s%s%sfix the body by a "
                   "joint or a spring, or start nearer to the equilibrium",
                   cause, model->body_name[worst / 3 + 1], has_friction ? "the friction of '" : "",
                   has_friction ? element : "", has_friction ? "' is zero at rest and cannot support the body: " : "");
}

/* ---- Stability ---- */

typedef struct search {
  mbs_equilibrium_equations of;
  const double *weight;
  mbs_state *state, *start, *trial;
  seam_pseudoinverse matrix; /* matrix of a step */
  double *step, *next;       /* (n) */
  double *right;             /* (n) */
  double growth, *growing;   /* growth (head of this file), at least 0, and (n) the eigenvector that belongs to it */
  double radius;             /* largest mbs_displacement_length() of a step */
} search;

static double largest_stiffness(const search *s) {
  double largest = 0;
  for (int j = 0; j < s->of.f; j++)
    for (int i = 0; i < s->of.f; i++)
      largest = fmax(largest, fabs(s->of.J[i + j * s->of.n]));
  return largest;
}

/* Finds s->growth and s->growing by the eigenvalues s of J x = s B x, B = diag(1, 0), with J = s->of.rows. These follow
 * from the eigenvalues 1/(σ - s) of (σ B - J)⁻¹ B, which are zero for infinite s. */
static seam_status find_growth(search *s, seam_error *error) {
  const int n = s->of.n;
  const double sigma = 2 * largest_stiffness(s) * s->of.f;
  const size_t of_matrix = (size_t)n * (size_t)n;
  s->growth = 0;
  if (sigma == 0)
    return SEAM_OK;
  double *matrix = calloc(3 * of_matrix + 2 * (size_t)n, sizeof *matrix);
  int *pivot = calloc((size_t)n, sizeof *pivot);
  if (matrix == NULL || pivot == NULL) {
    free(matrix);
    free(pivot);
    return seam_fail(error, SEAM_NO_MEMORY, "no memory to find an equilibrium of %d bodies", s->of.model->n_bodies);
  }
  double *E = matrix + of_matrix;
  double *vectors = E + of_matrix;
  double *real = vectors + of_matrix;
  for (size_t i = 0; i < of_matrix; i++)
    matrix[i] = -s->of.rows[i];
  for (int i = 0; i < s->of.f; i++) {
    matrix[i + i * n] += sigma;
    E[i + i * n] = 1;
  }
  if (LAPACKE_dgesv(LAPACK_COL_MAJOR, n, n, matrix, n, pivot, E, n) == 0 &&
      LAPACKE_dgeev(LAPACK_COL_MAJOR, 'N', 'V', n, E, n, real, real + n, NULL, 1, vectors, n) == 0)
    for (int k = 0; k < n; k++) {
      const double square = real[k] * real[k] + real[n + k] * real[n + k];
      const double growth = sigma - real[k] / square;
      if (sqrt(square) * sigma > mbs_infinite_eigenvalue && growth > fmax(s->growth, mbs_equilibrium_growth * sigma)) {
        s->growth = growth;
        memcpy(s->growing, vectors + (size_t)k * (size_t)n, (size_t)n * sizeof *vectors);
      }
    }
  free(matrix);
  free(pivot);
  return SEAM_OK;
}

/* ---- Steps ---- */

/* Returns the length of a step: its mbs_displacement_length() or, if larger, the largest change of an entry of r or F
 * by the states, divided by the size of its terms. */
static double length_of(search *s, const double *step) {
  double largest = mbs_equilibrium_displacement(&s->of, step);
  for (int i = 0; i < s->of.n; i++) {
    double change = 0;
    for (int j = s->of.f; j < s->of.n; j++)
      change += s->of.J[i + j * s->of.n] * step[j];
    if (change != 0)
      largest = fmax(largest, fabs(change) / s->of.size[i]);
  }
  return largest;
}

/* Subtracts from x (entries `stride` apart, scaled as in Vᵀ) the multiple of null vector l that leaves the shortest δζ,
 * unless this vector moves no body. */
static void remove_null_vector(const search *s, int l, double *x, int stride) {
  const seam_pseudoinverse *p = &s->matrix;
  const int n = s->of.n;
  double moved = 0, own = 0, product = 0;
  for (int j = 0; j < s->of.f; j++) {
    const double null = p->Vt[l + j * n];
    const double square = p->column[j] * p->column[j];
    moved += null * null;
    own += square * null * null;
    product += square * null * x[j * stride];
  }
  if (sqrt(moved) <= mbs_equilibrium_rounding_of_step)
    return;
  for (int j = 0; j < n; j++)
    x[j * stride] -= product / own * p->Vt[l + j * n];
}

/* Writes to x (n) the solution of a step with the shortest δζ. Its length is that of the norm of masses, so the choice
 * does not depend on the units of states. Null vectors of the matrix must be orthogonal in δζ. */
static void solve(const search *s, double *x) {
  const seam_pseudoinverse *p = &s->matrix;
  seam_pseudoinverse_solve(p, s->right, x);
  for (int j = 0; j < s->of.n; j++)
    x[j] /= p->column[j];
  for (int l = p->rank; l < s->of.n; l++)
    remove_null_vector(s, l, x, 1);
  for (int j = 0; j < s->of.n; j++)
    x[j] *= p->column[j];
}

static seam_status solve_step(search *s, double sigma, seam_error *error) {
  for (int i = 0; i < s->of.n * s->of.n; i++)
    s->matrix.A[i] = -s->of.rows[i];
  for (int i = 0; i < s->of.f; i++)
    s->matrix.A[i + i * s->of.n] += sigma;
  TRY(seam_pseudoinverse_factor(&s->matrix, s->of.n, error));
  for (int k = s->matrix.rank; k < s->of.n; k++)
    for (int l = s->matrix.rank; l < k; l++)
      remove_null_vector(s, l, s->matrix.Vt + k, s->of.n);
  find_right_side(&s->of, s->right);
  solve(s, s->step);
  return SEAM_OK;
}

/* Sets s->state to s->trial, where the equations were linearised, plus a fraction of the step. Finds r and F there. */
static seam_status move(search *s, double fraction) {
  mbs_state_copy(s->state, s->trial);
  (void)mbs_equilibrium_displacement(&s->of, s->step);
  for (int i = 0; i < 3 * s->of.model->n_bodies; i++)
    s->state->q[i] += fraction * s->of.dq[i];
  seam_status status = mbs_close_loops_in(s->of.ws, s->weight, s->state, NULL);
  for (int i = 0; i < 3 * s->of.model->n_bodies; i++)
    s->of.dq[i] = s->state->q[i] - s->trial->q[i];
  for (int z = 0; z < s->of.n_z; z++)
    s->next[z] = fraction * s->step[s->of.f + z];
  correct_states(&s->of, s->of.dq, s->next);
  for (int z = 0; z < s->of.n_z; z++)
    s->state->z[z] = s->trial->z[z] + s->next[z];
  THEN(status, mbs_accelerate_from_rest(s->of.ws, s->state, NULL));
  if (status == SEAM_OK)
    mbs_equilibrium_residual(&s->of, s->state);
  return status;
}

/* Returns true if the next step with the same matrix would be at most (1 - fraction/4) times as long as the last step.
 * length: length_of() the last step. */
static bool is_shorter(search *s, double fraction, double length) {
  find_right_side(&s->of, s->right);
  solve(s, s->next);
  return length_of(s, s->next) <= (1 - fraction / 4) * length;
}

static bool try_step(search *s, bool creeping, double sigma, double length) {
  const double way = mbs_equilibrium_displacement(&s->of, s->step);
  double largest_rotation = 0;
  for (int i = 2; i < 3 * s->of.model->n_bodies; i += 3)
    largest_rotation = fmax(largest_rotation, fabs(s->of.dq[i]));
  mbs_state_copy(s->trial, s->state);
  double fraction = fmin(1, fmin(s->radius / way, mbs_equilibrium_max_rotation / largest_rotation));
  for (int i = 0; i < MBS_MAX_HALVES; i++, fraction /= 2)
    if (move(s, fraction) == SEAM_OK && (length < mbs_equilibrium_rounding_of_step ||
                                         (creeping && mbs_work_of_displacement(s->of.model, s->trial, s->state) > 0) ||
                                         (sigma == 0 && is_shorter(s, fraction, length)))) {
      if (creeping)
        s->radius = i > 0 ? fraction * way : fraction * way >= s->radius / 2 ? 2 * s->radius : s->radius;
      return true;
    }
  mbs_state_copy(s->state, s->trial);
  return false;
}

/* ---- The search ---- */

/* Returns the residual of equation i divided by the size of its terms; 0 if it is only round-off. */
static double excess(const search *s, int i) {
  const double rate = fabs(s->of.R[i]);
  return rate <= mbs_equilibrium_rate * s->of.size[i] ? 0 : rate / s->of.size[i];
}

/* Returns which of the first n equations has the largest excess(); -1: all are satisfied. */
static int worst_of(const search *s, int n) {
  int worst = -1;
  for (int i = 0; i < n; i++)
    if (excess(s, i) > 0 && (worst < 0 || excess(s, i) > excess(s, worst)))
      worst = i;
  return worst;
}

/* Returns true if this row of J belongs to an integral: a state whose rate does not depend on states. */
static bool is_integral(const search *s, int row) {
  for (int j = s->of.f; j < s->of.n; j++)
    if (s->of.J[row + j * s->of.n] != 0)
      return false;
  return true;
}

/* Returns SEAM_NOT_CONVERGED. The message names the integral with the largest excess(), which may cause the remaining
 * forces. If no forces remain, it names the variable with the largest excess(), integral or not. If there is no such
 * variable, the message is that of mbs_no_equilibrium(). */
static seam_status not_found(const search *s, const char *cause, seam_error *error) {
  const mbs_laws *laws = &s->of.model->laws;
  int worst = -1;
  for (int i = s->of.f + laws->first_state; i < s->of.n; i++)
    if ((is_integral(s, i) || worst_of(s, s->of.f) < 0) && excess(s, i) > (worst < 0 ? 0 : excess(s, worst)))
      worst = i;
  if (worst < 0)
    return mbs_no_equilibrium(s->of.ws, s->state, cause, error);
  const mbs_variable *variable = &laws->variable[worst - s->of.f - laws->first_state];
  return seam_fail(error, SEAM_NOT_CONVERGED,
                   "no equilibrium was found: variable '%s' drifts by %.6g%s%s per second at the end of the search, "
                   "because no state of rest makes its equation zero; let the variable act on what it integrates, or "
                   "give it an equation that drives it back",
                   variable->name, s->of.R[worst], *variable->unit != '\0' ? " " : "", variable->unit);
}

/* Returns true if the last step leaves a residual of r above round-off. It does so only with a singular matrix, when
 * the step is a least-squares solution. */
static bool leaves_residual(const search *s) {
  for (int i = 0; i < s->of.f && s->matrix.rank < s->of.n; i++) {
    double left = s->right[i];
    for (int j = 0; j < s->of.n; j++)
      left += s->of.rows[i + j * s->of.n] * s->step[j];
    if (fabs(left) > mbs_equilibrium_rate * s->of.size[i])
      return true;
  }
  return false;
}

/* Linearises the equations and fills s->step. *sigma: σ of the step if `creeping`, 0 for Newton's step. */
static seam_status compute_step(search *s, bool creeping, double *sigma, seam_error *error) {
  TRY(mbs_equilibrium_equations_linearise(&s->of, s->state, error));
  if (creeping)
    TRY(find_growth(s, error));
  *sigma = creeping ? 2 * s->growth : 0;
  TRY(solve_step(s, *sigma, error));
  if (creeping && *sigma == 0 && leaves_residual(s)) {
    const double stiffness = largest_stiffness(s);
    const double time = s->of.model->scales.time;
    /* a step along forces that no stiffness balances needs a positive σ */
    *sigma = stiffness > 0 ? mbs_equilibrium_least_shift * stiffness : 1 / (time * time);
    return solve_step(s, *sigma, error);
  }
  return SEAM_OK;
}

/* Searches along the creeping motion or, if `creeping` is false, by Newton's method. Adds the steps to *steps. */
static seam_status approach(search *s, bool creeping, size_t *steps, seam_error *error) {
  double before = INFINITY;
  double sigma = 0;
  double drive = 0; /* aᵀ M a before the first step */
  int displacements = 0;
  const char *cause = "the search took too many steps";
  s->radius = mbs_equilibrium_radius;
  for (int i = 0; i < MBS_MAX_EQUILIBRIUM_STEPS; i++, ++*steps) {
    TRY(compute_step(s, creeping, &sigma, error));
    const double length = length_of(s, s->step);
    drive = i == 0 ? mbs_mass_product(s->of.model, s->state->a, s->state->a) : drive;
    if (length <= mbs_equilibrium_converged || (length < mbs_equilibrium_rounding_of_step && length > before / 4)) {
      if (worst_of(s, s->of.n) >= 0 || (sigma > 0 && displacements++ == MBS_MAX_EQUILIBRIUM_DISPLACEMENTS))
        return not_found(s, "the search returned to an equilibrium that is not stable", error);
      if (sigma == 0)
        return SEAM_OK;
      memcpy(s->step, s->growing, (size_t)s->of.n * sizeof *s->step);
      mbs_state_copy(s->trial, s->state);
      if (move(s, mbs_equilibrium_displaced / mbs_equilibrium_displacement(&s->of, s->step)) != SEAM_OK)
        mbs_state_copy(s->state, s->trial);
      s->radius = mbs_equilibrium_radius;
      before = INFINITY;
      continue;
    }
    before = length;
    if (!try_step(s, creeping, sigma, length)) {
      cause = "no step of the search reduces the forces";
      break;
    }
    if (mbs_has_run_away(s->of.model, s->start, s->state))
      return not_found(s, "the mechanism moves ever farther", error);
  }
  return not_found(s, mbs_reason_of_failure(s->of.model, s->state, drive, cause), error);
}

/* ---- Report ---- */

/* Counts the neutral motions, which change neither r nor F, and marks their bodies. Then counts the combinations of
 * variables that F = 0 does not determine, and finds the variable with the largest share in them. */
static void complete_report(search *s, mbs_equilibrium *report, bool *neutral) {
  const seam_pseudoinverse *p = &s->matrix;
  for (int k = p->rank; k < s->of.n; k++) {
    for (int j = 0; j < s->of.n; j++)
      s->next[j] = p->column[j] * p->Vt[k + j * s->of.n];
    const double length = mbs_equilibrium_displacement(&s->of, s->next);
    if (!(length > mbs_equilibrium_rounding_of_step * length_of(s, s->next)))
      continue;
    report->n_neutral++;
    mbs_mark_displaced(s->of.model, s->of.dq, neutral);
  }
  report->n_kept = (size_t)s->of.n_undetermined;
  double most = 0;
  for (int l = s->of.n_z - s->of.n_undetermined; l < s->of.n_z; l++)
    for (int z = s->of.model->laws.first_state; z < s->of.n_z; z++) {
      const double share = fabs(s->of.of_rates.U[z + l * s->of.n_z]);
      if (share > most * (1 + mbs_equilibrium_rounding_of_step)) {
        most = share;
        report->kept_variable = (size_t)(z - s->of.model->laws.first_state);
      }
    }
}

seam_status mbs_find_equilibrium_with_states(mbs_workspace *ws, const double *weight, mbs_state *state,
                                             mbs_equilibrium *report, bool *neutral, seam_error *error) {
  search s = {.weight = weight, .state = state};
  seam_status status = mbs_equilibrium_equations_create(&s.of, ws, error);
  THEN(status, mbs_state_create(ws->model, &s.start, error));
  THEN(status, mbs_state_create(ws->model, &s.trial, error));
  if (status == SEAM_OK) {
    s.step = calloc(4 * (size_t)s.of.n + 1, sizeof *s.step);
    if (s.step == NULL || !seam_pseudoinverse_create(&s.matrix, s.of.n, s.of.n))
      status = seam_fail(error, SEAM_NO_MEMORY, "no memory to find an equilibrium of %d bodies", ws->model->n_bodies);
  }
  if (status == SEAM_OK) {
    s.next = s.step + s.of.n;
    s.right = s.next + s.of.n;
    s.growing = s.right + s.of.n;
    mbs_state_copy(s.start, state);
    status = approach(&s, true, &report->steps, error);
    if (status == SEAM_NOT_CONVERGED) { /* Newton's method may find an equilibrium that only feedback stabilises */
      mbs_state_copy(state, s.start);
      status = approach(&s, false, &report->steps, NULL) == SEAM_OK ? SEAM_OK : status;
    }
  }
  if (status == SEAM_OK)
    complete_report(&s, report, neutral);
  mbs_equilibrium_equations_free(&s.of);
  mbs_state_destroy(s.start);
  mbs_state_destroy(s.trial);
  seam_pseudoinverse_free(&s.matrix);
  free(s.step);
  return status;
}
