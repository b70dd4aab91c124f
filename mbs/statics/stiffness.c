/* K (n x n) is the stiffness in all coordinates here; NᵀKN is K of stiffness.h and minimal.h. With u = N ζ, the
 * equations (σ - NᵀKN) ζ = NᵀQ in minimal coordinates ζ become the sparse system
 *
 *   [σ M - K  Gᵀ] [u]   [Q]
 *   [G        0 ] [μ] = [0].
 *
 * M are the masses, Q the forces, G is the Jacobian of the constraints, and μ are multipliers. Eigenvalues are those of
 * the symmetric part of VᵀKV (Rayleigh, Ritz). The basis V has G V = 0 and is orthonormal in the norm of the masses. In
 * a small mechanism it spans all motions that the joints admit, in a large one a rational Krylov space ([Ruhe]).
 * Products with K find both ends of the spectrum. Solutions of the sparse system find eigenvalues in between, within
 * some decades of σ; σ decreases from the largest eigenvalue to round-off. Many motions may have the eigenvalue zero
 * (neutral motions). So solutions for random Q are added to V until they give no further neutral motion. */
#include "mbs/statics/stiffness.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <lapacke.h>

#include "base/then.h"
#include "base/vector.h"
#include "mbs/dynamics/linearised.h"
#include "mbs/stages/stages.h"
#include "mbs/statics/norms.h"
#include "mbs/thresholds.h"
#include "solvers/lapack.h"
#include "solvers/lu.h"

enum { MAX_COMPLETE = 64, N_PRODUCTS = 16, N_SOLUTIONS = 8 };

struct mbs_stiffness {
  mbs_workspace *ws;
  mbs_linearised *linear;
  int n; /* number of coordinates of all bodies */
  int f; /* number of degrees of freedom */
  seam_pattern pattern;
  double *value;
  seam_lu *lu;   /* factors of the sparse system; NULL: not factorised yet */
  double *right; /* (n + m) right-hand side */
  double *next;  /* (n) candidate for the next vector of the basis */
  uint64_t random_state;

  int n_basis, capacity;
  double *basis;        /* (n x n_basis) V */
  double *images;       /* (n x n_basis) K V */
  double *projected;    /* upper triangle of the symmetric part of VᵀKV, by columns */
  double *scratch;      /* as large as `projected` */
  double *eigenvalues;  /* (n_basis) ascending */
  double *eigenvectors; /* (n_basis x n_basis) in columns, in the order of the eigenvalues */
  double size;          /* largest absolute eigenvalue */
};

/* ---- Creation ---- */

static seam_status no_memory(const mbs_stiffness *self, seam_error *error) {
  return seam_fail(error, SEAM_NO_MEMORY, "no memory for the stiffness of %d degrees of freedom", self->f);
}

static bool enlarge(double **block, size_t n) {
  double *larger = realloc(*block, (n + 1) * sizeof *larger);
  if (larger != NULL)
    *block = larger;
  return larger != NULL;
}

static bool reserve(mbs_stiffness *self, int capacity) {
  const size_t n = (size_t)self->n;
  const size_t k = (size_t)capacity;
  if (capacity <= self->capacity)
    return true;
  if (!enlarge(&self->basis, n * k) || !enlarge(&self->images, n * k) || !enlarge(&self->projected, k * (k + 1) / 2) ||
      !enlarge(&self->scratch, k * (k + 1) / 2) || !enlarge(&self->eigenvalues, k) ||
      !enlarge(&self->eigenvectors, k * k))
    return false;
  self->capacity = capacity;
  return true;
}

seam_status mbs_stiffness_create(mbs_workspace *ws, mbs_stiffness **created, seam_error *error) {
  const mbs_model *model = ws->model;
  mbs_stiffness *self = calloc(1, sizeof *self);
  if (self == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for the stiffness of %d bodies", model->n_bodies);
  self->ws = ws;
  self->n = 3 * model->n_bodies;
  self->f = mbs_n_movable(model) - (model->n_rows - model->n_redundant - model->n_stick_rows);
  self->right = calloc((size_t)(self->n + model->n_rows) + 1, sizeof *self->right);
  self->next = calloc((size_t)self->n + 1, sizeof *self->next);
  if (self->right == NULL || self->next == NULL || mbs_linearised_create(model, &self->linear, NULL) != SEAM_OK) {
    const seam_status status = no_memory(self, error);
    mbs_stiffness_destroy(self);
    return status;
  }
  *created = self;
  return SEAM_OK;
}

void mbs_stiffness_destroy(mbs_stiffness *self) {
  if (self == NULL)
    return;
  seam_lu_destroy(self->lu);
  seam_pattern_destroy(&self->pattern);
  mbs_linearised_destroy(self->linear);
  free(self->value);
  free(self->right);
  free(self->next);
  free(self->basis);
  free(self->images);
  free(self->projected);
  free(self->scratch);
  free(self->eigenvalues);
  free(self->eigenvectors);
  free(self);
}

int mbs_stiffness_order(const mbs_stiffness *self) { return self->f; }

/* ---- The sparse system ---- */

typedef struct weights {
  double mass, stiffness;
  bool is_symmetric;
} weights;

static void add_element(mbs_stiffness *self, const int body[2], double K[6][6], const weights *of) {
  double block[6][6];
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++)
      block[i][j] = -of->stiffness * (of->is_symmetric ? (K[i][j] + K[j][i]) / 2 : K[i][j]);
  mbs_add_block(&self->pattern, body, 0, 0, block);
}

static void add_all(mbs_stiffness *self, weights of) {
  const mbs_model *model = self->ws->model;
  for (int i = 0; i < self->n; i++) {
    const bool is_fixed = i % 3 == 2 && mbs_is_point(model, 1 + i / 3); /* a point mass does not rotate */
    seam_pattern_add(&self->pattern, i, i, (is_fixed ? 1 : of.mass) * model->mass[3 + i]);
  }
  for (int i = 0; i < model->n_forces; i++)
    add_element(self, model->forces[i].body, self->linear->forces[i].K, &of);
  for (int i = 0; i < model->n_joints; i++) {
    const mbs_joint *joint = &model->joints[i];
    add_element(self, joint->body, self->linear->joints[i], &of);
    for (int row = joint->row; row < joint->row + joint->type->n_rows; row++) {
      const bool is_redundant = model->is_redundant[row] || mbs_is_stick_row(model, row);
      seam_pattern_add(&self->pattern, self->n + row, self->n + row, is_redundant ? 1 : 0);
      for (int k = 0; k < 6 && !is_redundant; k++) {
        if (!mbs_has_coordinate(joint->body, k))
          continue;
        const int q = mbs_coordinate(joint->body, k);
        seam_pattern_add(&self->pattern, q, self->n + row, self->linear->rows[row].G[k]);
        seam_pattern_add(&self->pattern, self->n + row, q, self->linear->rows[row].G[k]);
      }
    }
  }
}

/* Orders the pivots for the sparse system with K = 0 and σ = 1, which is regular. */
static seam_status prepare(mbs_stiffness *self, seam_error *error) {
  const weights masses = {.mass = 1};
  self->pattern = seam_pattern_create(self->n + self->ws->model->n_rows);
  add_all(self, masses);
  if (!seam_pattern_finish(&self->pattern) || !enlarge(&self->value, (size_t)self->pattern.start[self->pattern.n]))
    return no_memory(self, error);
  seam_pattern_begin(&self->pattern, self->value);
  add_all(self, masses);
  return seam_lu_create(self->pattern.n, self->pattern.start, self->pattern.row, false, NULL, self->value, &self->lu,
                        error);
}

/* Factorises the sparse system. is_symmetric: the symmetric part of K replaces K. SEAM_SINGULAR, SEAM_NO_MEMORY. */
static seam_status factor(mbs_stiffness *self, double sigma, bool is_symmetric) {
  seam_pattern_begin(&self->pattern, self->value);
  add_all(self, (weights){.mass = sigma, .stiffness = 1, .is_symmetric = is_symmetric});
  return seam_lu_factor(self->lu, self->value);
}

/* Solves the sparse system by its last factors; x (n) is Q on entry, u on return. */
static void solve(mbs_stiffness *self, double *x) {
  memcpy(self->right, x, (size_t)self->n * sizeof *x);
  memset(self->right + self->n, 0, (size_t)self->ws->model->n_rows * sizeof *x);
  seam_lu_solve(self->lu, self->right);
  memcpy(x, self->right, (size_t)self->n * sizeof *x);
}

seam_status mbs_stiffness_solve(mbs_stiffness *self, double sigma, const double *forces, double *u) {
  TRY(factor(self, sigma, false));
  memcpy(u, forces, (size_t)self->n * sizeof *u);
  solve(self, u);
  return SEAM_OK;
}

/* ---- The basis ---- */

/* Scales u (n) to length 1 in the norm of the masses. Returns false if u is zero or not finite. */
static bool normalise(const mbs_stiffness *self, double *u) {
  const double length = sqrt(mbs_mass_product(self->ws->model, u, u));
  if (!(length > 0 && length < INFINITY))
    return false;
  for (int i = 0; i < self->n; i++)
    u[i] /= length;
  return true;
}

/* Projects u = self->next onto the motions that the joints admit, removes its components along the basis, and scales it
 * to length 1 in the norm of the masses. Appends u to the basis, K u to the images, and its column to VᵀKV. Returns
 * false if u is a combination of the basis up to round-off. */
static bool append(mbs_stiffness *self) {
  const size_t n = (size_t)self->n;
  double *u = self->next;
  for (int pass = 0; pass < 2; pass++) { /* the second pass removes the round-off of the first */
    mbs_multiply_G(self->ws, u, self->ws->row);
    mbs_solve(self->ws, self->ws->row);
    mbs_add_WGt(self->ws, self->ws->model->inverse_mass, -1, self->ws->row, u);
    if (!normalise(self, u))
      return false;
    for (int k = 0; k < self->n_basis; k++) {
      const double *v = self->basis + (size_t)k * n;
      const double component = mbs_mass_product(self->ws->model, u, v);
      for (int i = 0; i < self->n; i++)
        u[i] -= component * v[i];
    }
    if (!(mbs_mass_product(self->ws->model, u, u) > mbs_dependent_vector * mbs_dependent_vector && normalise(self, u)))
      return false;
  }
  const size_t j = (size_t)self->n_basis++;
  double *image = self->images + n * j;
  memcpy(self->basis + n * j, u, n * sizeof *u);
  memset(image, 0, n * sizeof *image);
  mbs_linearised_load(self->linear, u, NULL, image, self->right);
  for (size_t i = 0; i <= j; i++)
    self->projected[i + j * (j + 1) / 2] =
        (dot_product(self->n, self->basis + n * i, image) + dot_product(self->n, u, self->images + n * i)) / 2;
  return true;
}

/* Fills self->next with a pseudo-random vector whose entries have equal size in the norm of the masses. */
static void any_vector(mbs_stiffness *self) {
  for (int i = 0; i < self->n; i++) {
    self->random_state = self->random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    self->next[i] = ((double)(self->random_state >> 11) * 0x1p-52 - 1) * sqrt(self->ws->model->inverse_mass[3 + i]);
  }
}

static void append_any(mbs_stiffness *self) {
  for (int trial = 0; trial < MBS_MAX_VECTOR_TRIALS && self->n_basis < self->f; trial++) {
    any_vector(self);
    if (append(self))
      return;
  }
}

/* Solves the last factorised system with the right-hand side M times self->next. Appends the solution to the basis
 * unless it is a combination of the basis. */
static void append_solution(mbs_stiffness *self) {
  for (int i = 0; i < self->n; i++)
    self->next[i] *= self->ws->model->mass[3 + i];
  solve(self, self->next);
  if (self->n_basis < self->f)
    (void)append(self);
}

/* ---- Eigenvalues ---- */

static seam_status find_eigenvalues(mbs_stiffness *self, seam_error *error) {
  const size_t k = (size_t)self->n_basis;
  if (k == 0)
    return seam_fail(error, SEAM_NOT_CONVERGED, "no motion was found that the joints leave free");
  memcpy(self->scratch, self->projected, k * (k + 1) / 2 * sizeof *self->scratch);
  const int info = LAPACKE_dspev(LAPACK_COL_MAJOR, 'V', 'U', self->n_basis, self->scratch, self->eigenvalues,
                                 self->eigenvectors, self->n_basis);
  if (info == 0)
    self->size = fmax(fabs(self->eigenvalues[0]), fabs(self->eigenvalues[k - 1]));
  return seam_lapack_check(info, SEAM_NOT_CONVERGED, "the eigenvalues of the stiffness", error);
}

seam_status mbs_stiffness_compute(mbs_stiffness *self, const mbs_state *at_rest, seam_error *error) {
  mbs_linearise(self->linear, self->ws, at_rest);
  if (self->lu == NULL)
    TRY(prepare(self, error));
  if (!reserve(self, MAX_COMPLETE))
    return no_memory(self, error);
  const bool is_complete = self->f <= MAX_COMPLETE;
  const int n_products = is_complete ? self->f : N_PRODUCTS;
  self->n_basis = 0;
  self->random_state = 1;
  for (int k = 0; k < n_products; k++) {
    for (int i = 0; i < self->n && k > 0 && !is_complete; i++) /* M⁻¹ K times the last vector of the basis */
      self->next[i] = self->ws->model->inverse_mass[3 + i] * self->images[(self->n_basis - 1) * self->n + i];
    if (k == 0 || is_complete || !append(self))
      append_any(self);
  }
  TRY(find_eigenvalues(self, error));
  if (is_complete || self->size == 0)
    return SEAM_OK;
  for (size_t i = 0; i < sizeof mbs_stiffness_poles / sizeof *mbs_stiffness_poles; i++) {
    const seam_status status = factor(self, mbs_stiffness_poles[i] * self->size, true);
    if (status != SEAM_OK && status != SEAM_SINGULAR) /* SEAM_SINGULAR: σ is an eigenvalue; another σ will find it */
      return no_memory(self, error);
    for (int k = 0; k < N_SOLUTIONS && status == SEAM_OK; k++) {
      memcpy(self->next, self->basis + (size_t)(self->n_basis - 1) * (size_t)self->n, (size_t)self->n * sizeof(double));
      append_solution(self);
    }
  }
  return find_eigenvalues(self, error);
}

double mbs_stiffness_growth(const mbs_stiffness *self) { return self->eigenvalues[self->n_basis - 1]; }

double mbs_stiffness_neutral(const mbs_stiffness *self) { return mbs_zero_stiffness * self->size; }

static void combine(const mbs_stiffness *self, int number, double *u) {
  const double *weight = self->eigenvectors + (size_t)number * (size_t)self->n_basis;
  memset(u, 0, (size_t)self->n * sizeof *u);
  for (int k = 0; k < self->n_basis; k++)
    for (int i = 0; i < self->n; i++)
      u[i] += weight[k] * self->basis[(size_t)k * (size_t)self->n + (size_t)i];
}

void mbs_stiffness_growing(const mbs_stiffness *self, double *u) { combine(self, self->n_basis - 1, u); }

/* ---- Neutral motions ---- */

static bool is_neutral(const mbs_stiffness *self, int number) {
  return fabs(self->eigenvalues[number]) <= mbs_stiffness_neutral(self);
}

static int count_neutral(const mbs_stiffness *self) {
  int n = 0;
  for (int k = 0; k < self->n_basis; k++)
    n += is_neutral(self, k);
  return n;
}

seam_status mbs_stiffness_find_neutral(mbs_stiffness *self, seam_error *error) {
  int before = -1;
  while (self->n_basis < self->f && count_neutral(self) > before) {
    const int n_products = self->n_basis < N_SOLUTIONS ? N_SOLUTIONS : self->n_basis;
    before = count_neutral(self);
    if (!reserve(self, self->n_basis + n_products))
      return no_memory(self, error);
    seam_status status = self->size > 0 ? factor(self, 2 * mbs_stiffness_neutral(self), true) : SEAM_SINGULAR;
    if (status == SEAM_NO_MEMORY)
      return no_memory(self, error);
    for (int k = 0; k < n_products && self->n_basis < self->f; k++) {
      if (status == SEAM_OK) {
        any_vector(self);
        append_solution(self);
      } else
        append_any(self);
    }
    TRY(find_eigenvalues(self, error));
  }
  return SEAM_OK;
}

bool mbs_stiffness_next_neutral(const mbs_stiffness *self, int *index, double *u) {
  while (*index < self->n_basis && !is_neutral(self, *index))
    ++*index;
  if (*index == self->n_basis)
    return false;
  combine(self, (*index)++, u);
  return true;
}
