/* H are the second derivatives of a constraint by q, and J̇ is the time derivative of a row of the Jacobian G. The
 * linearised equations (linearised.h) have
 *
 *   K = ∂Q/∂q - Σ λ H,   D = ∂Q/∂v,   Γ = ∂γ/∂q - ∂(G a)/∂q = -∂(vᵀ H v)/∂q - aᵀ H,   γ_v = -J̇ - ∂(G v)/∂q
 *
 * γ_v = -2 J̇ except for constraints on velocities alone. The equations are solved with the same factors of S as the
 * accelerations (dynamics.c):
 *
 *   δa° = M⁻¹ (K δq + D δv + Q_z δz + δQ),   S δλ = G δa° - (Γ δq + γ_v δv + δγ),   δa = δa° - M⁻¹ Gᵀ δλ.
 *
 * Hard contacts (contact_rows.h) keep their modes and do not slide. The normal rows N of closed contacts and the
 * tangential rows T of sticking contacts are constraints like those of joints. T v is the slip. With the second
 * derivative H of the gap by q,
 *
 *   N δa = -(∂(vᵀ H v)/∂q + aᵀ H) δq - 2 Ṅ δv,   T δa = -aᵀ (∂Tᵀ/∂q) δq
 *
 * and λ_N H + λ_T ∂Tᵀ/∂q is added to K.
 *
 * A law gives a value u, such as a force, from quantities x = (q, v, z, a, λ): δu = u_x δx. Laws that read a or λ form
 * a loop, since a and λ depend on u (responses.c). With A = ∂a/∂u, Λ = ∂λ/∂u and the changes δa_0, δλ_0 for δu = 0,
 *
 *   (1 - u_a A - u_λ Λ) δu = u_q δq + u_v δv + u_z δz + u_a δa_0 + u_λ δλ_0,   δa = δa_0 + A δu,   δλ = δλ_0 + Λ δu */
#include "mbs/dynamics/linearised.h"

#include <stdlib.h>
#include <string.h>

#include <lapacke.h>

#include "base/arrays.h"
#include "mbs/dynamics/contact_rows.h"
#include "mbs/dynamics/responses.h"
#include "mbs/model/laws.h"
#include "mbs/model/unilateral.h"
#include "mbs/stages/stages.h"

/* ---- Creation ---- */

#define LINEARISED_ARRAYS(X)                                                                                           \
  X(self, forces, (size_t)model->n_forces)                                                                             \
  X(self, states, (size_t)model->n_stateful)                                                                           \
  X(self, joints, (size_t)model->n_joints)                                                                             \
  X(self, rows, m)                                                                                                     \
  X(self, frozen, 2 * (size_t)model->n_hard + (size_t)model->n_segments)                                               \
  X(self, laws.slope, n_responses)                                                                                     \
  X(self, laws.slopes, n_slopes)                                                                                       \
  X(self, laws.unit_load, (size_t)laws->n_unit_loads)                                                                  \
  X(self, laws.change, n_responses)                                                                                    \
  X(self, laws.a, n_loop * 3 * (size_t)model->n_bodies)                                                                \
  X(self, laws.lambda, (n_loop * m))                                                                                   \
  X(self, laws.matrix, (n_loop * n_loop))                                                                              \
  X(self, laws.pivot, n_loop)

seam_status mbs_linearised_create(const mbs_model *model, mbs_linearised **created, seam_error *error) {
  const seam_status status = mbs_refuse_hard(model, "a linearisation", error);
  return status == SEAM_OK ? mbs_linearised_create_frozen(model, created, error) : status;
}

seam_status mbs_linearised_create_frozen(const mbs_model *model, mbs_linearised **created, seam_error *error) {
  const mbs_laws *laws = &model->laws;
  const size_t m = (size_t)model->n_rows;
  const size_t n_responses = (size_t)mbs_n_responses(laws);
  const size_t n_loop = (size_t)laws->n_loop;
  size_t n_slopes = 0;
  for (int i = 0; i < mbs_n_responses(laws); i++)
    n_slopes += (size_t)mbs_response_of(laws, i)->n_columns;
  mbs_linearised *self = calloc(1, sizeof *self);
  const bool enough = self != NULL LINEARISED_ARRAYS(ALLOCATE_ARRAY);
  if (!enough) {
    mbs_linearised_destroy(self);
    return seam_fail(error, SEAM_NO_MEMORY, "no memory to linearise %d bodies", model->n_bodies);
  }
  self->model = model;
  double *slope = self->laws.slopes;
  for (int i = 0; i < mbs_n_responses(laws); i++) {
    self->laws.slope[i] = slope;
    slope += mbs_response_of(laws, i)->n_columns;
  }
  const mbs_pair anywhere = {0};
  for (int i = 0; i < model->n_forces; i++)
    if (model->forces[i].type->is_steady)
      model->forces[i].type->derivatives(&model->forces[i], &anywhere, 0, NULL, self->forces[i].K, self->forces[i].D);
  *created = self;
  return SEAM_OK;
}

void mbs_linearised_destroy(mbs_linearised *self) {
  if (self == NULL)
    return;
  LINEARISED_ARRAYS(FREE_ARRAY)
  free(self);
}

/* ---- Coefficients ---- */

static void linearise_joint(mbs_linearised *self, int number, const mbs_workspace *ws, const mbs_state *now) {
  const mbs_joint *joint = &self->model->joints[number];
  const mbs_pair pair = mbs_joint_pair(joint, ws->frames);
  mbs_relative_coordinate s[mbs_max_rows];
  mbs_curvature c[mbs_max_rows];
  double a[6];
  mbs_joint_row_coordinates(ws, joint, &pair, s);
  mbs_curve_rows(ws, joint, &pair, c);
  mbs_joint_stiffness(joint, c, now->lambda + joint->row, self->joints[number]);
  mbs_gather(joint->body, now->a, a);
  for (int k = 0; k < joint->type->n_rows; k++) {
    mbs_row *row = &self->rows[joint->row + k];
    memcpy(row->G, s[k].J, sizeof row->G);
    memcpy(row->Jdot, s[k].Jdot, sizeof row->Jdot);
    double gradient[6];
    mbs_joint_rate_gradient(joint, &pair, &s[k], gradient);
    for (int j = 0; j < 6; j++) {
      row->gamma_q[j] = -c[k].T[j];
      row->gamma_v[j] = -(s[k].Jdot[j] + gradient[j]);
    }
    for (int i = 0; i < 6; i++)
      for (int j = 0; j < 6; j++)
        row->gamma_q[j] -= a[i] * c[k].H[i][j];
  }
}

/* Linearises one segment of row `number` of a contact (0: normal, 1: tangent). f: λ_N and λ_T for the normal row, zeros
 * for the tangential row; so λ_N H + λ_T D is added to K only once. */
static void linearise_segment(mbs_linearised *self, const mbs_workspace *ws, const mbs_state *now,
                              const mbs_force *segment, int number, const double f[2], mbs_row *row) {
  mbs_curvature H = {0};
  const mbs_gap_and_slip c = mbs_gap_and_slip_of(ws, segment, now->z, &H);
  double a[6];
  mbs_gather(segment->body, now->a, a);
  mbs_gradient *of_force = &self->forces[segment - self->model->forces];
  for (int i = 0; i < 36; i++) /* K was zero: derivatives() of a hard contact writes zeros */
    of_force->K[i / 6][i % 6] += f[0] * H.H[i / 6][i % 6] + f[1] * c.slip.D[i / 6][i % 6];
  for (int j = 0; j < 6; j++) {
    row->G[j] = number == 0 ? c.gap.J[j] : c.slip.S[j];
    row->Jdot[j] = number == 0 ? c.gap.Jdot[j] : 0;
    row->gamma_q[j] = number == 0 ? -H.T[j] : 0;
    for (int i = 0; i < 6; i++)
      row->gamma_q[j] -= a[i] * (number == 0 ? H.H[i][j] : c.slip.D[i][j]);
  }
}

static void linearise_contacts(mbs_linearised *self, const mbs_workspace *ws, const mbs_state *now) {
  const mbs_unilateral *contacts = ws->unilateral;
  static const double none[2] = {0, 0};
  self->n_frozen = 0;
  for (int r = 0; r < contacts->n_active; r++) {
    const int k = contacts->active[r] / 2;
    const int number = contacts->active[r] % 2;
    const mbs_force *force = mbs_hard_force(ws, k);
    for (int segment = 0; segment < mbs_n_row_segments(force, number); segment++) {
      mbs_frozen_row *frozen = &self->frozen[self->n_frozen++];
      frozen->body = force[segment].body;
      frozen->continues = segment > 0;
      linearise_segment(self, ws, now, &force[segment], number, number == 0 ? contacts->force + 2 * k : none,
                        &frozen->row);
    }
  }
}

/* Returns δu of response `number` along a direction, whose members may be NULL (zero), plus its entry in laws.given. */
static double change_along(const mbs_linearised *self, int number, const mbs_direction *along) {
  const mbs_model *model = self->model;
  const mbs_response *response = mbs_response_of(&model->laws, number);
  const int n = 3 * model->n_bodies;
  const struct {
    const double *x;
    int end;
  } blocks[] = {{along->q, n},
                {along->v, 2 * n},
                {along->z, 2 * n + model->n_states},
                {along->a, 3 * n + model->n_states},
                {along->lambda, 3 * n + model->n_states + model->n_rows}};
  double sum = self->laws.given != NULL ? self->laws.given[number] : 0;
  int block = 0;
  int begin = 0;
  for (int k = 0; k < response->n_columns; k++) {
    while (response->column[k] >= blocks[block].end)
      begin = blocks[block++].end;
    if (blocks[block].x != NULL)
      sum += self->laws.slope[number][k] * blocks[block].x[response->column[k] - begin];
  }
  return sum;
}

static void linearise_laws(mbs_linearised *self, mbs_workspace *ws, const mbs_state *now) {
  const mbs_model *model = self->model;
  const mbs_laws *laws = &model->laws;
  mbs_linearised_laws *of = &self->laws;
  for (int i = 0; i < mbs_n_responses(laws); i++)
    if (mbs_is_function(mbs_response_of(laws, i)))
      mbs_response_gradient(ws, now, i, of->slope[i]);
  for (int i = 0; i < laws->n_laws; i++)
    for (int k = 0; k < laws->law[i].n; k++)
      mbs_law_unit_load(ws, now->z, i, k, of->unit_load[laws->law[i].unit_load + k]);
  /* finds A and Λ of the laws that read a or λ, and the factors of 1 - u_a A - u_λ Λ; the evaluation at the same state
   * has checked that the determinant is positive */
  const int n = laws->n_loop;
  const int *number = laws->at[MBS_LATE].number;
  for (int j = 0; j < n; j++) {
    const mbs_direction along = {.a = of->a + 3 * model->n_bodies * j, .lambda = of->lambda + model->n_rows * j};
    mbs_influence(ws, now->z, number[j], of->a + 3 * model->n_bodies * j, of->lambda + model->n_rows * j);
    for (int i = 0; i < n; i++)
      of->matrix[i + j * n] = (i == j) - change_along(self, number[i], &along);
  }
  if (n > 0)
    (void)LAPACKE_dgetrf(LAPACK_COL_MAJOR, n, n, of->matrix, n, of->pivot);
}

void mbs_linearise(mbs_linearised *self, mbs_workspace *ws, const mbs_state *now) {
  const mbs_model *model = self->model;
  const double t = mbs_law_time(ws, now->t);
  for (int i = 0; i < model->n_forces; i++) {
    const mbs_force *force = &model->forces[i];
    const mbs_pair pair = mbs_force_pair(force, ws->frames);
    double own[2];
    if (!force->type->is_steady)
      force->type->derivatives(force, &pair, t, mbs_numbers(ws, force, now->z, own), self->forces[i].K,
                               self->forces[i].D);
  }
  for (int i = 0; i < model->n_stateful; i++) {
    const mbs_force *force = &model->forces[model->stateful[i]];
    const mbs_pair pair = mbs_force_pair(force, ws->frames);
    const double u = mbs_command(force, ws->response, t);
    force->type->states->derivatives(force, &pair, u, now->z + force->state, &self->states[i]);
  }
  for (int i = 0; i < model->n_joints; i++)
    linearise_joint(self, i, ws, now);
  if (ws->unilateral != NULL)
    linearise_contacts(self, ws, now);
  linearise_laws(self, ws, now);
}

/* ---- Solution ---- */

/* Adds K δ of one element to the entries of its bodies in x (3n). */
static inline void add_product(const int body[2], double K[6][6], const double delta[6], double *x) {
  for (int side = 0; side < 2; side++)
    for (int i = 0; i < 3 && body[side] != 0; i++)
      x[3 * (body[side] - 1) + i] += mbs_dot6(K[3 * side + i], delta);
}

/* Adds K δq to dQ (3n) and Γ δq to dgamma (m), δq = motion (3n; NULL: 0). is_rate: adds D δv, γ_v δv, δv = motion. */
static void add_motion(const mbs_linearised *self, const double *motion, bool is_rate, double *dQ, double *dgamma) {
  const mbs_model *model = self->model;
  double delta[6];
  for (int i = 0; i < model->n_forces && motion != NULL; i++) {
    if (!is_rate && model->forces[i].type->is_steady)
      continue;
    mbs_gather(model->forces[i].body, motion, delta);
    add_product(model->forces[i].body, is_rate ? self->forces[i].D : self->forces[i].K, delta, dQ);
  }
  for (int i = 0; i < model->n_joints && motion != NULL; i++) {
    const mbs_joint *joint = &model->joints[i];
    mbs_gather(joint->body, motion, delta);
    if (!is_rate)
      add_product(joint->body, self->joints[i], delta, dQ);
    for (int row = joint->row; row < joint->row + joint->type->n_rows; row++)
      dgamma[row] += mbs_dot6(is_rate ? self->rows[row].gamma_v : self->rows[row].gamma_q, delta);
  }
}

static void change_laws(const mbs_linearised *self, const mbs_direction *along) {
  for (int i = 0; i < mbs_n_responses(&self->model->laws); i++)
    self->laws.change[i] = change_along(self, i, along);
}

static void add_scaled(double factor, const double *x, int n, double *sum) {
  for (int i = 0; i < n; i++)
    sum[i] += factor * x[i];
}

/* Adds Q_u δu of the laws that read neither a nor λ to dQ (3n). */
static void load_by_laws(const mbs_linearised *self, const mbs_direction *along, double *dQ) {
  const mbs_model *model = self->model;
  if (model->laws.n_laws > 0)
    change_laws(self, along);
  for (int i = 0; i < model->laws.n_laws; i++) {
    const mbs_law *law = &model->laws.law[i];
    for (int k = 0; k < law->n && law->response.phase == MBS_EARLY; k++) {
      const int *body = model->forces[law->force + k].body;
      const double *unit_load = self->laws.unit_load[law->unit_load + k];
      for (int side = 0; side < 2; side++)
        if (body[side] != 0)
          add_scaled(self->laws.change[i], unit_load + 3 * side, 3, dQ + 3 * (body[side] - 1));
    }
  }
}

void mbs_linearised_load(const mbs_linearised *self, const double *dq, const double *dv, double *dQ, double *dgamma) {
  add_motion(self, dq, false, dQ, dgamma);
  add_motion(self, dv, true, dQ, dgamma);
  load_by_laws(self, &(mbs_direction){.q = dq, .v = dv}, dQ);
}

void mbs_linearised_turn(const mbs_linearised *self, const double *x, const double *lambda, double *dQ,
                         double *dgamma) {
  const mbs_model *model = self->model;
  double of_joint[6];
  for (int i = 0; i < model->n_joints; i++) {
    const mbs_joint *joint = &model->joints[i];
    mbs_gather(joint->body, x, of_joint);
    for (int row = joint->row; row < joint->row + joint->type->n_rows; row++) {
      const double *turn = self->rows[row].Jdot;
      dgamma[row] -= mbs_dot6(turn, of_joint);
      for (int j = 0; j < 6; j++)
        if (mbs_has_coordinate(joint->body, j))
          dQ[mbs_coordinate(joint->body, j)] -= turn[j] * lambda[row];
    }
  }
}

void mbs_linearised_rates(const mbs_linearised *self, const mbs_direction *along, double *dz_rates) {
  const mbs_model *model = self->model;
  const mbs_laws *laws = &model->laws;
  memset(dz_rates, 0, (size_t)model->n_states * sizeof *dz_rates);
  if (mbs_n_responses(laws) > 0)
    change_laws(self, along);
  for (int i = 0; i < model->n_stateful; i++) {
    const mbs_force *force = &model->forces[model->stateful[i]];
    const mbs_state_gradient *gradient = &self->states[i];
    const int n = force->type->states->n;
    double of_q[6];
    double of_v[6];
    mbs_gather(force->body, along->q, of_q);
    mbs_gather(force->body, along->v, of_v);
    for (int k = 0; k < n; k++) {
      double sum = mbs_dot6(gradient->Zq[k], of_q) + mbs_dot6(gradient->Zv[k], of_v);
      for (int j = 0; j < n && along->z != NULL; j++)
        sum += gradient->Zz[k][j] * along->z[force->state + j];
      if (force->law[0] >= 0)
        sum += gradient->Zu[k] * self->laws.change[force->law[0]];
      dz_rates[force->state + k] = sum;
    }
  }
  for (int i = 0; i < laws->n_variables; i++)
    if (laws->variable[i].sample == 0)
      dz_rates[laws->first_state + i] = self->laws.change[laws->n_laws + i];
}

/* Adds the effect of changes of contact forces to da (3n) and dlambda (m), which were found without contacts. */
static void close_contacts(const mbs_linearised *self, mbs_workspace *ws, const double *dq, const double *dv,
                           double *da, double *dlambda) {
  double delta[6];
  for (int r = 0, row = -1; r < self->n_frozen; r++) {
    const mbs_frozen_row *frozen = &self->frozen[r];
    row += !frozen->continues;
    double second = 0;
    if (dq != NULL) {
      mbs_gather(frozen->body, dq, delta);
      second += mbs_dot6(frozen->row.gamma_q, delta);
    }
    if (dv != NULL) {
      mbs_gather(frozen->body, dv, delta);
      second -= 2 * mbs_dot6(frozen->row.Jdot, delta);
    }
    mbs_gather(frozen->body, da, delta);
    second -= mbs_dot6(frozen->row.G, delta);
    ws->unilateral->right[row] = second + (frozen->continues ? ws->unilateral->right[row] : 0);
  }
  mbs_unilateral_add_right(ws, da, dlambda);
}

/* Adds the effect of laws that read a or λ to da (3n) and dlambda (m), which were found with constant laws. */
static void close_loop(const mbs_linearised *self, const mbs_direction *along, double *da, double *dlambda) {
  const mbs_model *model = self->model;
  const int n = model->laws.n_loop;
  const mbs_direction all = {along->q, along->v, da, dlambda, along->z, NULL};
  double *du = self->laws.change;
  for (int i = 0; i < n; i++)
    du[i] = change_along(self, model->laws.at[MBS_LATE].number[i], &all);
  (void)LAPACKE_dgetrs(LAPACK_COL_MAJOR, 'N', n, 1, self->laws.matrix, n, self->laws.pivot, du, n);
  for (int i = 0; i < n; i++) {
    add_scaled(du[i], self->laws.a + 3 * model->n_bodies * i, 3 * model->n_bodies, da);
    add_scaled(du[i], self->laws.lambda + model->n_rows * i, model->n_rows, dlambda);
  }
}

void mbs_linearised_solve(const mbs_linearised *self, mbs_workspace *ws, const double *dq, const double *dv,
                          const double *dz, double *da, double *dlambda) {
  const mbs_model *model = self->model;
  const double *inverse_mass = model->inverse_mass;
  const mbs_direction along = {.q = dq, .v = dv, .z = dz};
  add_motion(self, dq, false, da, dlambda);
  add_motion(self, dv, true, da, dlambda);
  load_by_laws(self, &along, da);
  for (int i = 0; i < model->n_stateful && dz != NULL; i++) {
    const mbs_force *force = &model->forces[model->stateful[i]];
    for (int j = 0; j < 6; j++)
      for (int k = 0; k < force->type->states->n && mbs_has_coordinate(force->body, j); k++)
        da[mbs_coordinate(force->body, j)] += self->states[i].Qz[j][k] * dz[force->state + k];
  }
  for (int i = 0; i < 3 * model->n_bodies; i++)
    da[i] *= inverse_mass[3 + i];
  mbs_multiply_G(ws, da, ws->row);
  for (int i = 0; i < model->n_rows; i++)
    dlambda[i] = ws->row[i] - dlambda[i];
  mbs_solve(ws, dlambda);
  mbs_add_WGt(ws, inverse_mass, -1, dlambda, da);
  if (self->n_frozen > 0)
    close_contacts(self, ws, dq, dv, da, dlambda);
  if (model->laws.n_loop > 0)
    close_loop(self, &along, da, dlambda);
}

/* ---- Contacts that cannot be linearised ---- */

seam_status mbs_refuse_sliding(const mbs_workspace *ws, const mbs_state *now, seam_error *error) {
  bool moves = false;
  for (int i = 0; i < 3 * ws->model->n_bodies; i++)
    moves = moves || now->v[i] != 0;
  for (int k = 0; ws->unilateral != NULL && k < ws->unilateral->n; k++) {
    const mbs_force *force = mbs_hard_force(ws, k);
    const double mode = ws->unilateral->mode[k];
    if (mbs_hard_direction(mode) != 0 || (moves && mbs_hard_is_closed(mode)))
      return seam_fail(error, SEAM_BAD_INPUT,
                       "hard %s '%s' %s, so that the mechanism cannot be linearised: linearise at rest ('start: "
                       "static'), or leave out 'hard'",
                       mbs_hard_noun(force), force->name,
                       mbs_hard_direction(mode) != 0 ? "slides, or is about to" : "is closed while bodies move");
  }
  return SEAM_OK;
}
