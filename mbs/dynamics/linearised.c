/* The linearised equations (linearised.h) have
 *
 *   K = ∂Q/∂q - Σ λ H,   D = ∂Q/∂v,   Q_z = ∂Q/∂z,   Γ = ∂γ/∂q - ∂(G a)/∂q = -T - H a,   ∂γ/∂v = -2 J̇
 *
 * H are the second derivatives of a constraint by q, T = ∂(vᵀ H v)/∂q, and J̇ is the time derivative of a row of the
 * Jacobian G. The equations are solved with the same factors of S as the accelerations (dynamics.c):
 *
 *   δa° = M⁻¹ (K δq + D δv + Q_z δz + δQ),   S δλ = G δa° - (Γ δq - 2 J̇ δv + δγ),   δa = δa° - M⁻¹ Gᵀ δλ. */
#include "mbs/dynamics/linearised.h"

#include "base/arrays.h"
#include "mbs/dynamics/contact_rows.h"
#include "mbs/dynamics/element_blocks.h"
#include "mbs/model/laws.h"
#include "mbs/stages/stages.h"

#include <stdlib.h>
#include <string.h>

/* ---- Creation ---- */

#define LINEARISED_ARRAYS(X)                                                                                           \
  X(self, forces, (size_t)model->n_forces)                                                                             \
  X(self, states, (size_t)model->n_stateful)                                                                           \
  X(self, joints, (size_t)model->n_joints)                                                                             \
  X(self, rows, (size_t)model->n_rows)                                                                                 \
  X(self, frozen, 2 * (size_t)model->n_hard + (size_t)model->n_segments)

seam_status mbs_linearised_create(const mbs_model *model, mbs_linearised **created, seam_error *error) {
  const seam_status status = mbs_refuse_hard(model, "a linearisation", error);
  return status == SEAM_OK ? mbs_linearised_create_frozen(model, created, error) : status;
}

seam_status mbs_linearised_create_frozen(const mbs_model *model, mbs_linearised **created, seam_error *error) {
  mbs_linearised *self = calloc(1, sizeof *self);
  const bool enough = self != NULL LINEARISED_ARRAYS(ALLOCATE_ARRAY);
  if (!enough || !mbs_linearised_laws_create(&self->laws, model)) {
    mbs_linearised_destroy(self);
    return seam_fail(error, SEAM_NO_MEMORY, "no memory to linearise %d bodies", model->n_bodies);
  }
  self->model = model;
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
  mbs_linearised_laws_destroy(&self->laws);
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
    mbs_linearise_contacts(self, ws, now);
  mbs_linearise_laws(&self->laws, ws, now);
}

/* ---- Solution ---- */

/* Adds K δ of one element to the entries of its bodies in x (3n). */
static inline void add_product(const int body[2], double K[6][6], const double delta[6], double *x) {
  for (int side = 0; side < 2; side++)
    for (int i = 0; i < 3 && body[side] != 0; i++)
      x[3 * (body[side] - 1) + i] += mbs_dot6(K[3 * side + i], delta);
}

/* If is_rate is false, δq = motion (3n): adds K δq to dQ (3n) and Γ δq to dgamma (m). If is_rate is true, δv = motion:
 * adds D δv to dQ and γ_v δv to dgamma. motion NULL: zero. */
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

void mbs_linearised_load(const mbs_linearised *self, const double *dq, const double *dv, double *dQ, double *dgamma) {
  add_motion(self, dq, false, dQ, dgamma);
  add_motion(self, dv, true, dQ, dgamma);
  mbs_linearised_laws_load(&self->laws, self->model, &(mbs_direction){.q = dq, .v = dv}, dQ);
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
    mbs_linearised_laws_change(&self->laws, model, along);
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

void mbs_linearised_solve(const mbs_linearised *self, mbs_workspace *ws, const double *dq, const double *dv,
                          const double *dz, double *da, double *dlambda) {
  const mbs_model *model = self->model;
  const double *inverse_mass = model->inverse_mass;
  const mbs_direction along = {.q = dq, .v = dv, .z = dz};
  add_motion(self, dq, false, da, dlambda);
  add_motion(self, dv, true, da, dlambda);
  mbs_linearised_laws_load(&self->laws, model, &along, da);
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
    mbs_linearised_contacts_close(self, ws, dq, dv, da, dlambda);
  if (model->laws.n_loop > 0)
    mbs_linearised_laws_close(&self->laws, model, &along, da, dlambda);
}
