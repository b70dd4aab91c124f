/* Friction of joints in an impact: the impulse Λ_G of a joint's reaction causes an impulse P of friction along the
 * joint's coordinate,
 *
 *   -P in ρ μ N(Λ_G) Sgn(w⁺),      w⁺ = w⁻ + C Λ + E P,      u⁺ = u⁻ + A Λ + Cᵀ P,      Λ_G = Λ_G(Λ, P)
 *
 * w are the rates of the joints' coordinates, C the changes of w per impulse of a contact, E those per impulse of
 * friction. Λ, Λ_G, u and A are those of impact.c; ρ is the lever, μ the coefficient. N is the normal force of
 * mbs/model/friction.c, here a function of impulses and without the preload. Two steps alternate until neither Λ nor P
 * changes: find Λ for given P; find P for given Λ by a projected Gauss-Seidel sweep ([Stewart-Trinkle] does so for
 * contacts). */
#include <math.h>
#include <string.h>

#include "base/largest.h"
#include "mbs/contact/impact.h"
#include "mbs/model/friction.h"
#include "mbs/model/unilateral.h"
#include "mbs/stages/contact_kinematics.h"
#include "mbs/stages/stages.h"
#include "mbs/thresholds.h"

static const mbs_force *element_of(const mbs_workspace *ws, int number) {
  return &ws->model->forces[ws->model->n_forces - ws->model->n_frictions + number];
}

void mbs_joint_friction_begin(mbs_workspace *ws, const double *v) {
  mbs_unilateral *self = ws->unilateral;
  const mbs_frictional *p = &self->problem;
  const int n = ws->model->n_frictions;
  const size_t m = (size_t)ws->model->n_rows;
  for (int r = 0; r < n; r++) {
    const mbs_force *force = element_of(ws, r);
    const mbs_pair pair = mbs_force_pair(force, ws->frames);
    mbs_relative_coordinate s;
    force->type->find_coordinates(force, &pair, &s);
    memcpy(self->joint_friction[r].row, s.J, sizeof s.J);
    self->joint_friction[r].before = mbs_row_times(force, s.J, v);
    self->joint_friction[r].impulse = 0;
  }
  for (int r = 0; r < n; r++) {
    mbs_load_influence(ws, element_of(ws, r), self->joint_friction[r].row, self->a,
                       self->friction_lambda + (size_t)r * m);
    for (int l = 0; l < n; l++)
      self->friction_by_friction[l + r * n] = mbs_row_times(element_of(ws, l), self->joint_friction[l].row, self->a);
    for (int i = 0; i < 2 * p->n; i++) {
      const int k = p->contact[i / 2];
      self->friction_by_contact[r + i * n] = mbs_contact_times(ws, k, i % 2, self->kinematics[k].row[i % 2], self->a);
    }
  }
  for (int i = 0; i < 2 * p->n && n > 0; i++)
    mbs_contact_influence(ws, p->contact[i / 2], i % 2, self->kinematics[p->contact[i / 2]].row[i % 2], self->a,
                          self->of_lambda + (size_t)i * m);
}

static double rate_of(const mbs_workspace *ws, int r) {
  const mbs_unilateral *self = ws->unilateral;
  const int n = ws->model->n_frictions;
  double w = self->joint_friction[r].before;
  for (int l = 0; l < n; l++)
    w += self->friction_by_friction[r + l * n] * self->joint_friction[l].impulse;
  for (int i = 0; i < 2 * self->problem.n; i++)
    w += self->friction_by_contact[r + i * n] * self->impulse[i];
  return w;
}

/* Returns ρ μ N for the present impulses. */
static double limit_of(const mbs_workspace *ws, const mbs_joint *joint) {
  const mbs_unilateral *self = ws->unilateral;
  const int m = ws->model->n_rows;
  double lambda[mbs_max_rows] = {0};
  double by_lambda[mbs_max_rows];
  for (int row = 0; row < mbs_n_reactions(joint->type); row++) {
    for (int i = 0; i < 2 * self->problem.n; i++)
      lambda[row] += self->of_lambda[i * m + joint->row + row] * self->impulse[i];
    for (int l = 0; l < ws->model->n_frictions; l++)
      lambda[row] += self->friction_lambda[l * m + joint->row + row] * self->joint_friction[l].impulse;
  }
  return mbs_friction_lever(joint) * joint->friction.coefficient *
         joint->type->friction->normal(&joint->friction, lambda, by_lambda);
}

bool mbs_joint_friction_sweep(mbs_workspace *ws) {
  mbs_unilateral *self = ws->unilateral;
  const double size = largest_size(self->impulse, 2 * (size_t)self->problem.n);
  bool stays = true;
  int r = 0;
  for (int j = 0; j < ws->model->n_joints; j++) {
    const mbs_joint *joint = &ws->model->joints[j];
    if (!mbs_joint_has_friction(joint))
      continue;
    const double own = self->friction_by_friction[r + r * ws->model->n_frictions];
    const double limit = limit_of(ws, joint);
    const double wanted = own > 0 ? self->joint_friction[r].impulse - rate_of(ws, r) / own : 0;
    const double found = fmin(fmax(wanted, -limit), limit);
    stays = stays &&
            fabs(found - self->joint_friction[r].impulse) <= mbs_impulse_converged * mbs_friction_lever(joint) * size;
    self->joint_friction[r++].impulse = found;
  }
  return stays;
}

void mbs_joint_friction_add_rates(const mbs_workspace *ws, double *rate) {
  const mbs_unilateral *self = ws->unilateral;
  const int n = ws->model->n_frictions;
  for (int i = 0; i < 2 * self->problem.n; i++)
    for (int r = 0; r < n; r++)
      rate[i] += self->friction_by_contact[r + i * n] * self->joint_friction[r].impulse;
}

double mbs_joint_friction_loss(const mbs_workspace *ws) {
  const mbs_unilateral *self = ws->unilateral;
  double loss = 0;
  for (int r = 0; r < ws->model->n_frictions; r++)
    loss -= self->joint_friction[r].impulse * (self->joint_friction[r].before + rate_of(ws, r)) / 2;
  return loss;
}

double mbs_joint_friction_apply(mbs_workspace *ws, double *v) {
  mbs_unilateral *self = ws->unilateral;
  double driven = 0;
  for (int r = 0; r < ws->model->n_frictions; r++) {
    const double P = self->joint_friction[r].impulse;
    mbs_load_influence(ws, element_of(ws, r), self->joint_friction[r].row, self->a, self->lambda);
    for (int j = 0; j < 3 * ws->model->n_bodies; j++)
      v[j] += P * self->a[j];
    for (int j = 0; j < ws->model->n_rows; j++)
      driven -= P * self->lambda[j] * ws->prescribed_rate[j];
  }
  return driven;
}
