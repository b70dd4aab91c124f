/* Newton's matrix of y = (q, v, z), y' = (v, a(q, v, z), Z), where a is only known through
 *
 *   M a + Gᵀ λ = Q,   G a = γ.
 *
 * Linearised (mbs/linearised.h):
 *
 *   M δa + Gᵀ δλ = K δq + D δv,   G δa = Γ δq - 2 J̇ δv.
 *
 * (I - c ∂f/∂y)(δq, δv) = (r, s) says δq = r + c δv and δa = (δv - s) / c; with η = c δλ there remains the sparse
 * system
 *
 *   (M - c D - c² K) δv + Gᵀ η = M s + c K r
 *   (G + 2c J̇ - c² Γ) δv       = G s + c Γ r
 *
 * of order 3n + m, in place of a dense one of order 6n. Redundant constraints are replaced by η = 0.
 *
 * States of force elements, z' = Z(q, v, z), go with their element: δz = W (w + c Z_q δq + c Z_v δv) for a right-hand
 * side w, W = (I - c Z_z)⁻¹. So c Q_z W Z_q adds to K, c Q_z W Z_v to D, and c Q_z W w to the first right-hand side. */
#include "mbs/newton.h"

#include <stdlib.h>
#include <string.h>

#include "mbs/element_blocks.h"
#include "mbs/linearised.h"
#include "solvers/lu.h"

typedef struct inner {
  double W[MBS_MAX_STATES][MBS_MAX_STATES];
} inner;

struct mbs_newton {
  mbs_workspace *ws;
  mbs_state *state;
  double c;
  mbs_linearised *linear; /* at the state of the last setup; K and D with what states add */
  inner *states;          /* (n_stateful) */
  seam_pattern pattern;
  double *value;
  seam_lu *lu;
  double *b; /* (3n + m) */
  double *z; /* (n_states) scratch */
};

/* ---- Matrix ---- */

/* D: NULL for none. */
static void put_element(mbs_newton *self, const int body[2], double K[6][6], double D[6][6]) {
  double block[6][6];
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++)
      block[i][j] = -self->c * self->c * K[i][j] - (D != NULL ? self->c * D[i][j] : 0);
  mbs_put_block(&self->pattern, body, 0, 0, block);
}

static void put_rows(mbs_newton *self, const mbs_joint *joint) {
  const int n = 3 * self->ws->model->n_bodies;
  const double c = self->c;
  for (int row = joint->row; row < joint->row + joint->type->n_rows; row++) {
    const mbs_row *r = &self->linear->rows[row];
    for (int i = 0; i < 6; i++) {
      if (self->ws->model->is_redundant[row] || !mbs_moves(joint->body, i))
        continue;
      const int q = mbs_coordinate(joint->body, i);
      seam_pattern_put(&self->pattern, q, n + row, r->G[i]);
      seam_pattern_put(&self->pattern, n + row, q, r->G[i] + 2 * c * r->Jdot[i] - c * c * r->gamma_q[i]);
    }
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
    put_element(self, model->forces[i].body, self->linear->forces[i].K, self->linear->forces[i].D);
  for (int i = 0; i < model->n_joints; i++) {
    put_element(self, model->joints[i].body, self->linear->joints[i], NULL);
    put_rows(self, &model->joints[i]);
  }
}

/* W = (I - c Z_z)⁻¹ of one or two states. */
static inner inner_of(const mbs_state_gradient *gradient, int n, double c) {
  const double(*Zz)[MBS_MAX_STATES] = gradient->Zz;
  if (n == 1)
    return (inner){{{1 / (1 - c * Zz[0][0])}}};
  const double determinant = (1 - c * Zz[0][0]) * (1 - c * Zz[1][1]) - c * Zz[0][1] * c * Zz[1][0];
  return (inner){{{(1 - c * Zz[1][1]) / determinant, c * Zz[0][1] / determinant},
                  {c * Zz[1][0] / determinant, (1 - c * Zz[0][0]) / determinant}}};
}

/* c Q_z W, (6 x n). */
static void load_of_states(const mbs_newton *self, int i, double load[6][MBS_MAX_STATES]) {
  const int n = self->ws->model->forces[self->ws->model->stateful[i]].type->states->n;
  const mbs_state_gradient *gradient = &self->linear->states[i];
  for (int row = 0; row < 6; row++)
    for (int k = 0; k < n; k++) {
      load[row][k] = 0;
      for (int j = 0; j < n; j++)
        load[row][k] += self->c * gradient->Qz[row][j] * self->states[i].W[j][k];
    }
}

static void condense_states(mbs_newton *self) {
  const mbs_model *model = self->ws->model;
  for (int i = 0; i < model->n_stateful; i++) {
    const int n = model->forces[model->stateful[i]].type->states->n;
    const mbs_state_gradient *gradient = &self->linear->states[i];
    mbs_gradient *of_element = &self->linear->forces[model->stateful[i]];
    double load[6][MBS_MAX_STATES];
    self->states[i] = inner_of(gradient, n, self->c);
    load_of_states(self, i, load);
    for (int row = 0; row < 6; row++)
      for (int j = 0; j < 6; j++)
        for (int k = 0; k < n; k++) {
          of_element->K[row][j] += load[row][k] * gradient->Zq[k][j];
          of_element->D[row][j] += load[row][k] * gradient->Zv[k][j];
        }
  }
}

static seam_status measure(mbs_newton *self, double c, seam_error *error) {
  const seam_status status = mbs_accelerate(self->ws, self->state, error);
  self->c = c;
  if (status != SEAM_OK)
    return status;
  mbs_linearise(self->linear, self->ws, self->state);
  condense_states(self);
  return SEAM_OK;
}

static seam_status setup(void *context, double t, const double *y, double c, seam_error *error) {
  mbs_newton *self = context;
  self->state->t = t;
  memcpy(self->state->q, y, mbs_n_controlled(self->ws->model) * sizeof *y);
  const seam_status status = measure(self, c, error);
  if (status != SEAM_OK)
    return status;
  seam_pattern_begin(&self->pattern, self->value);
  put_all(self);
  return seam_lu_factor_newton(self->lu, self->value, t, error);
}

/* ---- Solution ---- */

/* b += c K r over the rows of one element. */
static void add_stiffness(const mbs_newton *self, const int body[2], double K[6][6], const double *r, double *b) {
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++)
      if (mbs_moves(body, i) && mbs_moves(body, j))
        b[mbs_coordinate(body, i)] += self->c * K[i][j] * r[mbs_coordinate(body, j)];
}

/* Right-hand side of a joint's rows. */
static void fill_rows(const mbs_newton *self, const mbs_joint *joint, const double *r, const double *s, double *b) {
  for (int row = joint->row; row < joint->row + joint->type->n_rows; row++) {
    b[row] = 0;
    for (int i = 0; i < 6; i++) {
      if (self->ws->model->is_redundant[row] || !mbs_moves(joint->body, i))
        continue;
      const int q = mbs_coordinate(joint->body, i);
      b[row] += self->linear->rows[row].G[i] * s[q] + self->c * self->linear->rows[row].gamma_q[i] * r[q];
    }
  }
}

/* b += c Q_z W w. */
static void add_states(const mbs_newton *self, const double *w, double *b) {
  const mbs_model *model = self->ws->model;
  for (int i = 0; i < model->n_stateful; i++) {
    const mbs_force *force = &model->forces[model->stateful[i]];
    double load[6][MBS_MAX_STATES];
    load_of_states(self, i, load);
    for (int row = 0; row < 6; row++)
      for (int k = 0; k < force->type->states->n && mbs_moves(force->body, row); k++)
        b[mbs_coordinate(force->body, row)] += load[row][k] * w[force->state + k];
  }
}

/* w becomes δz. */
static void solve_states(mbs_newton *self, const double *dq, const double *dv, double *w) {
  const mbs_model *model = self->ws->model;
  mbs_linearised_rates(self->linear, dq, dv, NULL, self->z);
  for (int i = 0; i < model->n_states; i++)
    w[i] += self->c * self->z[i];
  for (int i = 0; i < model->n_stateful; i++) {
    const mbs_force *force = &model->forces[model->stateful[i]];
    double *of_element = w + force->state;
    double solution[MBS_MAX_STATES] = {0};
    for (int k = 0; k < force->type->states->n; k++)
      for (int j = 0; j < force->type->states->n; j++)
        solution[k] += self->states[i].W[k][j] * of_element[j];
    memcpy(of_element, solution, (size_t)force->type->states->n * sizeof *of_element);
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
    add_stiffness(self, model->forces[i].body, self->linear->forces[i].K, r, self->b);
  for (int i = 0; i < model->n_joints; i++) {
    add_stiffness(self, model->joints[i].body, self->linear->joints[i], r, self->b);
    fill_rows(self, &model->joints[i], r, s, self->b + n);
  }
  add_states(self, y + 2 * n, self->b);
  seam_lu_solve(self->lu, self->b);
  memcpy(s, self->b, (size_t)n * sizeof *s);
  for (int i = 0; i < n; i++)
    r[i] += self->c * s[i];
  solve_states(self, r, s, y + 2 * n);
}

/* ---- Creation ---- */

static bool allocate(mbs_newton *self) {
  const mbs_model *model = self->ws->model;
  self->b = calloc(3 * (size_t)model->n_bodies + (size_t)model->n_rows + 1, sizeof *self->b);
  self->states = calloc((size_t)model->n_stateful + 1, sizeof *self->states);
  self->z = calloc((size_t)model->n_states + 1, sizeof *self->z);
  return mbs_state_create(model, &self->state, NULL) == SEAM_OK &&
         mbs_linearised_create(model, &self->linear, NULL) == SEAM_OK && self->b != NULL && self->states != NULL &&
         self->z != NULL;
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
  return seam_lu_create(self->pattern.n, self->pattern.start, self->pattern.row, false, NULL, self->value, &self->lu,
                        error);
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
  mbs_linearised_destroy(self->linear);
  free(self->value);
  free(self->b);
  free(self->z);
  free(self->states);
  free(self);
}

seam_newton mbs_newton_solver(mbs_newton *self) {
  return (seam_newton){.setup = setup, .solve = solve, .context = self};
}
