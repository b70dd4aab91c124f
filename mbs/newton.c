/* Newton's matrix of y = (q, v), y' = (v, a(q, v)), where a is only known through
 *
 *   M a + Gᵀ λ = Q,   G a = γ.
 *
 * Differentiated, with K = ∂Q/∂q - Σ λ H, D = ∂Q/∂v, Γ = ∂γ/∂q - ∂(G a)/∂q and ∂γ/∂v = -2 J̇:
 *
 *   M δa + Gᵀ δλ = K δq + D δv,   G δa = Γ δq - 2 J̇ δv.
 *
 * (I - c ∂f/∂y)(δq, δv) = (r, s) says δq = r + c δv and δa = (δv - s) / c; with η = c δλ there remains the sparse
 * system
 *
 *   (M - c D - c² K) δv + Gᵀ η = M s + c K r
 *   (G + 2c J̇ - c² Γ) δv       = G s + c Γ r
 *
 * of order 3n + m, in place of a dense one of order 6n. Redundant constraints are replaced by η = 0. */
#include "mbs/newton.h"

#include <stdlib.h>
#include <string.h>

#include "mbs/element_blocks.h"
#include "solvers/lu.h"

/* What one element adds, at the state of the last setup. */
typedef struct element {
  const int *body;
  double K[6][6], D[6][6];
} element;

struct mbs_newton {
  mbs_workspace *ws;
  mbs_state *state;
  double c;
  element *forces, *joints;
  double (*gamma_q)[6]; /* (m x 6) Γ */
  double (*jdot)[6];    /* (m x 6) */
  double (*G)[6];       /* (m x 6) */
  seam_pattern pattern;
  double *value;
  seam_lu *lu;
  double *b; /* (3n + m) */
};

/* ---- Blocks ---- */

static void measure_force(mbs_newton *self, int i, double t) {
  const mbs_force *force = &self->ws->model->forces[i];
  const mbs_pair pair = mbs_force_pair(force, self->ws->frames);
  force->type->derivatives(force, &pair, t, self->forces[i].K, self->forces[i].D);
}

static void measure_joint(mbs_newton *self, int i) {
  const mbs_joint *joint = &self->ws->model->joints[i];
  const mbs_pair pair = mbs_joint_pair(joint, self->ws->frames);
  mbs_measure s[mbs_max_rows];
  mbs_curvature c[mbs_max_rows];
  joint->type->measure(joint, &pair, s);
  joint->type->curvature(joint, &pair, c);
  mbs_joint_stiffness(joint, c, self->state->lambda + joint->row, self->joints[i].K);
  for (int k = 0; k < joint->type->n_rows; k++) {
    const int row = joint->row + k;
    memcpy(self->G[row], s[k].J, sizeof s[k].J);
    memcpy(self->jdot[row], s[k].Jdot, sizeof s[k].Jdot);
    for (int a = 0; a < 6; a++) {
      self->gamma_q[row][a] = -c[k].T[a];
      for (int b = 0; b < 6; b++)
        if (mbs_moves(joint->body, b))
          self->gamma_q[row][a] -= c[k].H[a][b] * self->state->a[mbs_coordinate(joint->body, b)];
    }
  }
}

/* ---- Matrix ---- */

static void put_element(mbs_newton *self, const element *e, bool is_force) {
  double block[6][6];
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++)
      block[i][j] = -self->c * self->c * e->K[i][j] - (is_force ? self->c * e->D[i][j] : 0);
  mbs_put_block(&self->pattern, e->body, 0, 0, block);
}

static void put_rows(mbs_newton *self, const mbs_joint *joint) {
  const int n = 3 * self->ws->model->n_bodies;
  const double c = self->c;
  for (int row = joint->row; row < joint->row + joint->type->n_rows; row++)
    for (int i = 0; i < 6; i++) {
      if (self->ws->model->is_redundant[row] || !mbs_moves(joint->body, i))
        continue;
      const int q = mbs_coordinate(joint->body, i);
      const double G = self->G[row][i];
      seam_pattern_put(&self->pattern, q, n + row, G);
      seam_pattern_put(&self->pattern, n + row, q, G + 2 * c * self->jdot[row][i] - c * c * self->gamma_q[row][i]);
    }
}

static void put_all(mbs_newton *self) {
  const mbs_model *model = self->ws->model;
  const int n = 3 * model->n_bodies;
  for (int i = 0; i < n; i++)
    seam_pattern_put(&self->pattern, i, i, model->mass[3 + i]);
  for (int i = 0; i < model->n_rows; i++)
    seam_pattern_put(&self->pattern, n + i, n + i, model->is_redundant[i] ? 1 : 0);
  for (int i = 0; i < model->n_forces; i++)
    put_element(self, &self->forces[i], true);
  for (int i = 0; i < model->n_joints; i++) {
    put_element(self, &self->joints[i], false);
    put_rows(self, &model->joints[i]);
  }
}

static seam_status measure(mbs_newton *self, double c, seam_error *error) {
  const seam_status status = mbs_accelerate(self->ws, self->state, error);
  if (status != SEAM_OK)
    return status;
  self->c = c;
  for (int i = 0; i < self->ws->model->n_forces; i++)
    measure_force(self, i, self->state->t);
  for (int i = 0; i < self->ws->model->n_joints; i++)
    measure_joint(self, i);
  return SEAM_OK;
}

static seam_status setup(void *context, double t, const double *y, double c, seam_error *error) {
  mbs_newton *self = context;
  self->state->t = t;
  memcpy(self->state->q, y, 6 * (size_t)self->ws->model->n_bodies * sizeof *y);
  const seam_status status = measure(self, c, error);
  if (status != SEAM_OK)
    return status;
  seam_pattern_begin(&self->pattern, self->value);
  put_all(self);
  if (seam_lu_factor(self->lu, self->value))
    return SEAM_OK;
  return seam_fail(error, SEAM_SINGULAR, "t = %.9g s: the Newton matrix is singular: look for a singular configuration",
                   t);
}

/* ---- Solution ---- */

/* b += c K r over the rows of one element. */
static void add_stiffness(const mbs_newton *self, const element *e, const double *r, double *b) {
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++)
      if (mbs_moves(e->body, i) && mbs_moves(e->body, j))
        b[mbs_coordinate(e->body, i)] += self->c * e->K[i][j] * r[mbs_coordinate(e->body, j)];
}

/* Right-hand side of a joint's rows. */
static void fill_rows(const mbs_newton *self, const mbs_joint *joint, const double *r, const double *s, double *b) {
  for (int row = joint->row; row < joint->row + joint->type->n_rows; row++) {
    b[row] = 0;
    for (int i = 0; i < 6; i++) {
      if (self->ws->model->is_redundant[row] || !mbs_moves(joint->body, i))
        continue;
      const int q = mbs_coordinate(joint->body, i);
      b[row] += self->G[row][i] * s[q] + self->c * self->gamma_q[row][i] * r[q];
    }
  }
}

static void solve(void *context, double *y) {
  mbs_newton *self = context;
  const mbs_model *model = self->ws->model;
  const int n = 3 * model->n_bodies;
  double *r = y;
  double *s = y + n;
  for (int i = 0; i < n; i++)
    self->b[i] = model->mass[3 + i] * s[i];
  for (int i = 0; i < model->n_forces; i++)
    add_stiffness(self, &self->forces[i], r, self->b);
  for (int i = 0; i < model->n_joints; i++) {
    add_stiffness(self, &self->joints[i], r, self->b);
    fill_rows(self, &model->joints[i], r, s, self->b + n);
  }
  seam_lu_solve(self->lu, self->b);
  memcpy(s, self->b, (size_t)n * sizeof *s);
  for (int i = 0; i < n; i++)
    r[i] += self->c * s[i];
}

/* ---- Creation ---- */

static bool allocate(mbs_newton *self) {
  const mbs_model *model = self->ws->model;
  const size_t m = (size_t)model->n_rows + 1;
  self->state = mbs_state_create(model);
  self->forces = calloc((size_t)model->n_forces + 1, sizeof *self->forces);
  self->joints = calloc((size_t)model->n_joints + 1, sizeof *self->joints);
  self->gamma_q = calloc(m, sizeof *self->gamma_q);
  self->jdot = calloc(m, sizeof *self->jdot);
  self->G = calloc(m, sizeof *self->G);
  self->b = calloc(3 * (size_t)model->n_bodies + m, sizeof *self->b);
  if (self->state == NULL || self->forces == NULL || self->joints == NULL || self->gamma_q == NULL ||
      self->jdot == NULL || self->G == NULL || self->b == NULL)
    return false;
  for (int i = 0; i < model->n_forces; i++)
    self->forces[i].body = model->forces[i].body;
  for (int i = 0; i < model->n_joints; i++)
    self->joints[i].body = model->joints[i].body;
  return true;
}

static seam_status prepare(mbs_newton *self, const mbs_state *reference, seam_error *error) {
  const mbs_model *model = self->ws->model;
  const double usual_step = 1e-3;
  mbs_state_copy(self->state, reference);
  const seam_status status = measure(self, usual_step, error);
  if (status != SEAM_OK)
    return status;
  self->pattern = seam_pattern_create(3 * model->n_bodies + model->n_rows);
  put_all(self);
  if (!seam_pattern_learn(&self->pattern))
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for Newton's matrix");
  self->value = malloc(((size_t)self->pattern.start[self->pattern.n] + 1) * sizeof *self->value);
  if (self->value == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for Newton's matrix");
  seam_pattern_begin(&self->pattern, self->value);
  put_all(self);
  return seam_lu_create(self->pattern.n, self->pattern.start, self->pattern.row, false, self->value, &self->lu, error);
}

seam_status mbs_newton_create(mbs_workspace *ws, const mbs_state *reference, mbs_newton **newton, seam_error *error) {
  mbs_newton *self = calloc(1, sizeof *self);
  if (self == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for Newton's matrix");
  self->ws = ws;
  const seam_status status = allocate(self) ? prepare(self, reference, error)
                                            : seam_fail(error, SEAM_NO_MEMORY, "no memory for Newton's matrix");
  if (status != SEAM_OK) {
    mbs_newton_destroy(self);
    return status;
  }
  *newton = self;
  return SEAM_OK;
}

void mbs_newton_destroy(mbs_newton *self) {
  if (self == NULL)
    return;
  seam_lu_destroy(self->lu);
  seam_pattern_destroy(&self->pattern);
  mbs_state_destroy(self->state);
  free(self->forces);
  free(self->joints);
  free(self->gamma_q);
  free(self->jdot);
  free(self->G);
  free(self->value);
  free(self->b);
  free(self);
}

seam_newton mbs_newton_solver(mbs_newton *self) {
  return (seam_newton){.setup = setup, .solve = solve, .context = self};
}
