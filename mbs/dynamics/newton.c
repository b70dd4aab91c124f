/* Newton's matrix I - c ∂f/∂y of an implicit method, with a coefficient c in seconds, for y = (q, v, z) and y' = f =
 * (v, a, Z). Z are the rates of z; the accelerations a(q, v, z) are the solution of
 *
 *   M a + Gᵀ λ = Q,   G a = γ.
 *
 * The linearised equations, with K, D, Γ and γ_v of mbs/dynamics/linearised.c, are
 *
 *   M δa + Gᵀ δλ = K δq + D δv,   G δa = Γ δq + γ_v δv.
 *
 * The equation to solve is (I - c ∂f/∂y)(δq, δv) = (r, s), with given r and s, at first without z. It gives δq = r + c
 * δv and δa = (δv - s) / c. With η = c δλ, this leaves the sparse system
 *
 *   (M - c D - c² K) δv + Gᵀ η = M s + c K r
 *   (G - c γ_v - c² Γ) δv      = G s + c Γ r
 *
 * of order 3n + m for n bodies and m constraints, instead of a dense system of order 6n. η = 0 replaces redundant
 * constraints. Further unknowns are the changes δz of the states, with a given right-hand side w, and δu of the values
 * of laws of quantities (responses.c). With δλ = η / c,
 *
 *   δz - c Z_q δq - c Z_v δv - c Z_z δz - c Z_u δu = w
 *   δu - u_q δq - u_v δv - u_z δz - u_a δa - u_λ δλ = 0
 *
 * and -c Q_z δz - c Q_u δu is added on the left of the first row. The equation of a variable is like that of a law,
 * with δz instead of δu; since it determines a rate, it is multiplied by c. */
#include "mbs/dynamics/newton.h"

#include <stdlib.h>
#include <string.h>

#include "base/arrays.h"
#include "base/then.h"
#include "mbs/dynamics/dynamics.h"
#include "mbs/dynamics/linearised.h"
#include "mbs/dynamics/newton_blocks.h"
#include "mbs/model/laws.h"
#include "mbs/thresholds.h"
#include "solvers/newton_matrix.h"

struct mbs_newton {
  mbs_workspace *ws;
  mbs_state *state;
  double c;
  mbs_linearised *linear; /* linearised equations at the state of the last setup */
  seam_pattern pattern;
  double *value; /* minus the matrix: seam_newton_matrix takes it as ∂f/∂y of algebraic equations, and subtracts it */
  mbs_newton_blocks blocks;
  seam_dae dae; /* algebraic equations with this Jacobian; only their pattern is read */
  seam_dae_blocks *of_dae;
  seam_newton_matrix *matrix;
  double *no_mass; /* (order_of()) zeros */
  double *b;       /* (3n + m + n_states + n_laws) right-hand side */
};

/* ---- Matrix ---- */

/* Adds -c² K - c D of an element to the matrix; D NULL: zero. */
static void add_element(mbs_newton *self, const int body[2], double K[6][6], double D[6][6]) {
  double block[6][6];
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++)
      block[i][j] = -self->c * self->c * K[i][j] - (D != NULL ? self->c * D[i][j] : 0);
  mbs_add_block(&self->pattern, body, 0, 0, block);
}

static void add_rows(mbs_newton *self, const mbs_joint *joint) {
  const int n = 3 * self->ws->model->n_bodies;
  const double c = self->c;
  for (int row = joint->row; row < joint->row + joint->type->n_rows; row++) {
    const mbs_row *r = &self->linear->rows[row];
    for (int i = 0; i < 6; i++) {
      if (self->ws->model->is_redundant[row] || !mbs_has_coordinate(joint->body, i))
        continue;
      const int q = mbs_coordinate(joint->body, i);
      seam_pattern_add(&self->pattern, q, n + row, r->G[i]);
      seam_pattern_add(&self->pattern, n + row, q, r->G[i] - c * r->gamma_v[i] - c * c * r->gamma_q[i]);
    }
  }
}

/* Unknowns are δv, η, δz, δu in this order: the index of a state's δz, of a law's δu, and the number of unknowns. */
static int state_at(const mbs_model *model, int state) { return 3 * model->n_bodies + model->n_rows + state; }
static int law_at(const mbs_model *model, int law) { return state_at(model, model->n_states) + law; }
static int order_of(const mbs_model *model) { return law_at(model, model->laws.n_laws); }

/* Returns the index of the unknown of a response: δu of a law, δz of a variable. */
static int unknown_of(const mbs_model *model, int number) {
  const mbs_laws *laws = &model->laws;
  return number < laws->n_laws ? law_at(model, number) : state_at(model, laws->first_state + number - laws->n_laws);
}

/* Adds the rows of an element's states to the matrix, and -c Q_z to the rows of its bodies. */
static void add_states(mbs_newton *self, int number) {
  const mbs_model *model = self->ws->model;
  const mbs_force *force = &model->forces[model->stateful[number]];
  const mbs_state_gradient *gradient = &self->linear->states[number];
  const double c = self->c;
  for (int k = 0; k < force->type->states->n; k++) {
    const int row = state_at(model, force->state + k);
    for (int i = 0; i < 6; i++) {
      if (!mbs_has_coordinate(force->body, i))
        continue;
      const int q = mbs_coordinate(force->body, i);
      seam_pattern_add(&self->pattern, q, row, -c * gradient->Qz[i][k]);
      seam_pattern_add(&self->pattern, row, q, -c * (c * gradient->Zq[k][i] + gradient->Zv[k][i]));
    }
    for (int j = 0; j < force->type->states->n; j++)
      seam_pattern_add(&self->pattern, row, state_at(model, force->state + j), -c * gradient->Zz[k][j]);
    if (force->law[0] >= 0)
      seam_pattern_add(&self->pattern, row, law_at(model, force->law[0]), -c * gradient->Zu[k]);
  }
}

/* Adds the equation of response `number` to the matrix, and -c Q_u of a law to the equations of the bodies it loads. */
static void add_response(mbs_newton *self, int number) {
  const mbs_model *model = self->ws->model;
  const mbs_laws *laws = &model->laws;
  const mbs_response *response = mbs_response_of(laws, number);
  const bool is_law = number < laws->n_laws;
  const int row = unknown_of(model, number);
  const int n = 3 * model->n_bodies;
  const int a = 2 * n + model->n_states; /* first column of a; columns of λ follow */
  for (int k = 0; k < response->n_columns; k++) {
    const int column = response->column[k];
    /* factors in δq = r + c δv, δa = (δv - s) / c and δλ = η / c; r and s are on the right-hand side */
    const double factor = column < n ? self->c : column < a ? 1 : 1 / self->c;
    const int unknown = column < 2 * n ? column % n : column < a ? state_at(model, column - 2 * n) : column - a;
    const double slope = self->linear->laws.slope[number][k] * factor;
    seam_pattern_add(&self->pattern, row, unknown, is_law ? -slope : -self->c * slope);
  }
  const mbs_law *law = is_law ? &laws->law[number] : NULL;
  for (int k = 0; is_law && k < law->n; k++) {
    const int *body = model->forces[law->force + k].body;
    const double *unit_load = self->linear->laws.unit_load[law->unit_load + k];
    for (int i = 0; i < 6; i++)
      if (mbs_has_coordinate(body, i))
        seam_pattern_add(&self->pattern, mbs_coordinate(body, i), row, -self->c * unit_load[i]);
  }
}

static void add_all(mbs_newton *self) {
  const mbs_model *model = self->ws->model;
  const int n = 3 * model->n_bodies;
  for (int i = 0; i < n; i++)
    seam_pattern_add(&self->pattern, i, i, model->mass[3 + i]);
  for (int i = 0; i < model->n_rows; i++)
    seam_pattern_add(&self->pattern, n + i, n + i, mbs_is_excluded(self->ws, i) ? 1 : 0);
  for (int i = state_at(model, 0); i < order_of(model); i++)
    seam_pattern_add(&self->pattern, i, i, 1);
  for (int i = 0; i < model->n_forces; i++)
    add_element(self, model->forces[i].body, self->linear->forces[i].K, self->linear->forces[i].D);
  for (int i = 0; i < model->n_stateful; i++)
    add_states(self, i);
  for (int i = 0; i < model->n_joints; i++) {
    add_element(self, model->joints[i].body, self->linear->joints[i], NULL);
    add_rows(self, &model->joints[i]);
  }
  for (int i = 0; i < mbs_n_responses(&model->laws); i++)
    add_response(self, i);
}

static seam_status linearise_at(mbs_newton *self, double c, seam_error *error) {
  self->c = c;
  TRY(mbs_accelerate(self->ws, self->state, error));
  mbs_linearise(self->linear, self->ws, self->state);
  return SEAM_OK;
}

static void fill(mbs_newton *self) {
  seam_pattern_begin(&self->pattern, self->value);
  add_all(self);
  for (int k = 0; k < self->pattern.start[self->pattern.n]; k++)
    self->value[k] = -self->value[k];
}

static seam_status setup(void *context, double t, const double *y, double c, seam_error *error) {
  mbs_newton *self = context;
  self->state->t = t;
  memcpy(self->state->q, y, mbs_n_controlled(self->ws->model) * sizeof *y);
  TRY(linearise_at(self, c, error));
  fill(self);
  bool replaced = false;
  if (self->of_dae != NULL)
    seam_dae_blocks_set_jacobian(self->of_dae, self->value);
  seam_status status = seam_newton_matrix_factor(self->matrix, self->value, 1, 0);
  THEN(status, seam_newton_matrix_test(self->matrix, self->value, &replaced));
  return seam_newton_matrix_explain(self->matrix, status, t, error);
}

/* ---- Solution ---- */

/* Adds c K r of one element to the entries of its bodies in b. */
static void add_stiffness(const mbs_newton *self, const int body[2], double K[6][6], const double *r, double *b) {
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++)
      if (mbs_has_coordinate(body, i) && mbs_has_coordinate(body, j))
        b[mbs_coordinate(body, i)] += self->c * K[i][j] * r[mbs_coordinate(body, j)];
}

/* Fills the right-hand side G s + c Γ r of a joint's rows. */
static void fill_rows(const mbs_newton *self, const mbs_joint *joint, const double *r, const double *s, double *b) {
  for (int row = joint->row; row < joint->row + joint->type->n_rows; row++) {
    b[row] = 0;
    for (int i = 0; i < 6; i++) {
      if (self->ws->model->is_redundant[row] || !mbs_has_coordinate(joint->body, i))
        continue;
      const int q = mbs_coordinate(joint->body, i);
      b[row] += self->linear->rows[row].G[i] * s[q] + self->c * self->linear->rows[row].gamma_q[i] * r[q];
    }
  }
}

/* Fills the right-hand side of states: w + c Z_q r. */
static void fill_states(const mbs_newton *self, const double *r, const double *w, double *b) {
  const mbs_model *model = self->ws->model;
  memcpy(b + state_at(model, 0), w, (size_t)model->n_states * sizeof *b);
  for (int i = 0; i < model->n_stateful; i++) {
    const mbs_force *force = &model->forces[model->stateful[i]];
    for (int k = 0; k < force->type->states->n; k++)
      for (int j = 0; j < 6; j++)
        if (mbs_has_coordinate(force->body, j))
          b[state_at(model, force->state + k)] +=
              self->c * self->linear->states[i].Zq[k][j] * r[mbs_coordinate(force->body, j)];
  }
}

/* Adds u_q r - u_a s / c to the right-hand sides of laws. For variables, adds c times this sum. */
static void fill_responses(const mbs_newton *self, const double *r, const double *s, double *b) {
  const mbs_model *model = self->ws->model;
  const mbs_laws *laws = &model->laws;
  const int n = 3 * model->n_bodies;
  const int a = 2 * n + model->n_states;
  memset(b + law_at(model, 0), 0, (size_t)laws->n_laws * sizeof *b);
  for (int number = 0; number < mbs_n_responses(laws); number++) {
    const mbs_response *response = mbs_response_of(laws, number);
    double known = 0;
    for (int k = 0; k < response->n_columns; k++) {
      const int column = response->column[k];
      if (column < n)
        known += self->linear->laws.slope[number][k] * r[column];
      else if (column >= a && column < a + n)
        known -= self->linear->laws.slope[number][k] * s[column - a] / self->c;
    }
    b[unknown_of(model, number)] += number >= laws->n_laws ? self->c * known : known;
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
  fill_states(self, r, y + 2 * n, self->b);
  fill_responses(self, r, s, self->b);
  seam_newton_matrix_solve(self->matrix, self->b);
  memcpy(s, self->b, (size_t)n * sizeof *s);
  for (int i = 0; i < n; i++)
    r[i] += self->c * s[i];
  memcpy(y + 2 * n, self->b + state_at(model, 0), (size_t)model->n_states * sizeof *y);
}

/* ---- Creation ---- */

#define NEWTON_ARRAYS(X)                                                                                               \
  X(self, value, (size_t)self->pattern.start[n])                                                                       \
  X(self, no_mass, n)                                                                                                  \
  X(self, b, n)

static seam_status prepare(mbs_newton *self, const mbs_state *reference, seam_error *error) {
  const mbs_model *model = self->ws->model;
  const double typical_step = mbs_typical_step * model->scales.time;
  const size_t n = (size_t)order_of(model);
  if (mbs_state_create(model, &self->state, NULL) != SEAM_OK ||
      mbs_linearised_create(model, &self->linear, NULL) != SEAM_OK)
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for Newton's matrix");
  mbs_state_copy(self->state, reference);
  TRY(linearise_at(self, typical_step, error));
  self->pattern = seam_pattern_create(order_of(model));
  add_all(self);
  const bool enough = seam_pattern_finish(&self->pattern) NEWTON_ARRAYS(ALLOCATE_ARRAY);
  if (!enough)
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for Newton's matrix");
  fill(self);
  const bool has_blocks = mbs_has_newton_blocks(model);
  if (has_blocks)
    TRY(mbs_newton_blocks_create(model, &self->pattern, 1, &self->blocks, error));
  self->dae = (seam_dae){.n = self->pattern.n,
                         .mass = self->no_mass,
                         .start = self->pattern.start,
                         .row = self->pattern.row,
                         .blocks = has_blocks ? &self->blocks.pattern : NULL};
  if (has_blocks)
    TRY(seam_dae_blocks_create(&self->dae, &self->of_dae, error));
  return seam_newton_matrix_create(&self->dae, self->of_dae, false, self->value, 1, 0, &self->matrix, error);
}

seam_status mbs_newton_create(mbs_workspace *ws, const mbs_state *reference, mbs_newton **newton, seam_error *error) {
  mbs_newton *self = calloc(1, sizeof *self);
  if (self == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for Newton's matrix");
  self->ws = ws;
  const seam_status status = prepare(self, reference, error);
  RETURN_CREATED(status, self, newton, mbs_newton_destroy);
}

void mbs_newton_destroy(mbs_newton *self) {
  if (self == NULL)
    return;
  seam_newton_matrix_destroy(self->matrix);
  seam_dae_blocks_destroy(self->of_dae);
  mbs_newton_blocks_destroy(&self->blocks);
  NEWTON_ARRAYS(FREE_ARRAY)
  seam_pattern_destroy(&self->pattern);
  mbs_state_destroy(self->state);
  mbs_linearised_destroy(self->linear);
  free(self);
}

seam_newton mbs_newton_solver(mbs_newton *self) {
  return (seam_newton){.setup = setup, .solve = solve, .context = self};
}
