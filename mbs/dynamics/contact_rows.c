/* Active rows of hard contacts: normal rows of closed contacts and tangential rows of sticking contacts. They are
 * constraints J a = γ_c of the accelerations a, in addition to the constraints G a = γ of the joints. M are the masses.
 * In the mechanism with its joints, forces Q cause the accelerations B Q, with B = M⁻¹ - M⁻¹ Gᵀ S⁻¹ G M⁻¹ and S = G M⁻¹
 * Gᵀ. So the contact forces f, accelerations a and multipliers λ of joints are
 *
 *   D f = γ_c - J a°,   D = J B C,   a = a° + B C f,   λ = λ° + S⁻¹ G M⁻¹ C f
 *
 * a° and λ° are accelerations and multipliers without contact forces. The rows of J are normal rows N and tangential
 * rows T. The columns of C are the loads of unit contact forces: Tᵀ for a tangential force, Nᵀ for a normal force, or
 * Nᵀ - σ μ Tᵀ if the contact slides in the direction σ = ±1 with the coefficient of friction μ. Without sliding D is
 * positive definite; sliding makes D unsymmetric. If sliding makes the determinant of D zero or negative, friction
 * jams: a normal force, together with its friction, then accelerates the bodies towards each other ([Pfeiffer-Glocker]
 * 5, Painlevé). */
#include "mbs/dynamics/contact_rows.h"

#include <math.h>
#include <string.h>

#include "mbs/dynamics/dynamics.h"
#include "mbs/model/unilateral.h"
#include "mbs/stages/stages.h"
#include "mbs/thresholds.h"
#include "solvers/dense.h"

seam_status mbs_refuse_hard(const mbs_model *model, const char *what, seam_error *error) {
  if (model->n_hard == 0 || !model->forces[model->hard[0]].type->is_hard)
    return SEAM_OK;
  const mbs_force *first = &model->forces[model->hard[0]];
  return seam_fail(error, SEAM_BAD_INPUT, "%s '%s' is hard, which %s does not support: leave out 'hard'",
                   mbs_hard_noun(first), first->name, what);
}

mbs_gap_and_slip mbs_gap_and_slip_of(const mbs_workspace *ws, const mbs_force *segment, const double *z,
                                     mbs_curvature *H) {
  mbs_gap_and_slip c = {.slip = {0}};
  if (segment->cable != NULL) {
    mbs_cable_row(segment, ws->frames, z, &c.gap, H);
    return c;
  }
  const mbs_pair pair = mbs_force_pair(segment, ws->frames);
  segment->type->find_coordinates(segment, &pair, &c.gap);
  if (H != NULL)
    segment->type->curvature(segment, &pair, H);
  if (segment->type->slips)
    c.slip = mbs_contact_slip(segment, &pair, &c.gap);
  return c;
}

/* ---- Active rows ---- */

static const double *row_of(const mbs_unilateral *self, int active) {
  return self->kinematics[active / 2].row[active % 2];
}

static double *a_of(const mbs_workspace *ws, int i) {
  return ws->unilateral->of_a + (size_t)i * 3 * (size_t)ws->model->n_bodies;
}

static double *lambda_of(const mbs_workspace *ws, int i) {
  return ws->unilateral->of_lambda + (size_t)i * (size_t)ws->model->n_rows;
}

/* Lists the active rows: normal rows of closed contacts, then tangential rows of sticking contacts. passed: true if
 * positions are projected after a step that may have ended beyond an impact. Then the normal row of an open contact is
 * also listed in two cases: the contact overlaps by more than the tolerance of touching; or steps leave constraints
 * violated (self->drifts), and the gap of the contact has come to zero (self->returns). */
static void list_active(mbs_workspace *ws, bool passed) {
  mbs_unilateral *self = ws->unilateral;
  self->n_active = 0;
  for (int k = 0; k < self->n; k++)
    if (mbs_hard_is_closed(self->mode[k]) ||
        (passed && self->kinematics[k].gap < -mbs_contact_kinematics_distance(ws, k)) ||
        (passed && self->drifts && self->returns[k]))
      self->active[self->n_active++] = 2 * k;
  for (int k = 0; k < self->n; k++)
    if (self->mode[k] == MBS_HARD_STICKS)
      self->active[self->n_active++] = 2 * k + 1;
}

/* Fills D: entry (i, j) is the acceleration along active row i by a unit force along active row j. with_friction: the
 * normal force of a sliding contact also causes its friction. */
static void fill(mbs_workspace *ws, bool with_friction) {
  mbs_unilateral *self = ws->unilateral;
  const int n = self->n_active;
  for (int j = 0; j < n; j++) {
    const int k = self->active[j] / 2;
    const bool slides = with_friction && self->active[j] % 2 == 0;
    const double friction = slides ? mbs_hard_direction(self->mode[k]) * mbs_hard_force(ws, k)->contact.friction : 0;
    double column[6];
    for (int i = 0; i < 6; i++)
      column[i] = row_of(self, self->active[j])[i] - friction * self->kinematics[k].row[1][i];
    mbs_contact_influence(ws, k, self->active[j] % 2, column, a_of(ws, j), lambda_of(ws, j));
    for (int i = 0; i < n; i++)
      self->matrix[i + j * n] =
          mbs_influence_on(ws, self->active[i] / 2, self->active[i] % 2, row_of(self, self->active[i]), k, a_of(ws, j));
  }
}

/* Returns true if the determinant of D is positive and no pivot is negligible. */
bool mbs_unilateral_factor(mbs_workspace *ws) {
  mbs_unilateral *self = ws->unilateral;
  list_active(ws, false);
  fill(ws, true);
  const int n = self->n_active;
  for (int i = 0; i < n; i++) {
    self->right[i] = 0;
    for (int j = 0; j < n; j++)
      self->right[i] = fmax(self->right[i], fabs(self->matrix[i + j * n]));
  }
  if (!seam_dense_factor(n, self->matrix, self->pivot))
    return false;
  bool is_positive = true;
  for (int i = 0; i < n; i++) {
    const double pivot = self->matrix[i + i * n];
    if (!(fabs(pivot) > mbs_regular_pivot * self->right[i]))
      return false;
    is_positive ^= (pivot < 0) ^ (self->pivot[i] != i + 1);
  }
  return is_positive;
}

void mbs_unilateral_add_right(mbs_workspace *ws, double *a, double *lambda) {
  mbs_unilateral *self = ws->unilateral;
  const int n = self->n_active;
  seam_dense_solve(n, self->matrix, self->pivot, self->right);
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < 3 * ws->model->n_bodies; j++)
      a[j] += self->right[i] * a_of(ws, i)[j];
    for (int j = 0; j < ws->model->n_rows; j++)
      lambda[j] += self->right[i] * lambda_of(ws, i)[j];
  }
}

void mbs_unilateral_add(mbs_workspace *ws, double *a, double *lambda, bool with_velocity_terms) {
  mbs_unilateral *self = ws->unilateral;
  const int n = self->n_active;
  if (n == 0)
    return;
  for (int i = 0; i < n; i++) {
    const int k = self->active[i] / 2;
    const int number = self->active[i] % 2;
    self->right[i] = with_velocity_terms ? -mbs_contact_second_rate(ws, k, number, a)
                                         : -mbs_contact_times(ws, k, number, row_of(self, self->active[i]), a);
  }
  mbs_unilateral_add_right(ws, a, lambda);
  if (!with_velocity_terms)
    return;
  memset(self->force, 0, 2 * (size_t)self->n * sizeof *self->force);
  for (int i = 0; i < n; i++)
    self->force[self->active[i]] = self->right[i];
  for (int k = 0; k < self->n; k++)
    if (mbs_hard_direction(self->mode[k]) != 0)
      self->force[2 * k + 1] =
          -mbs_hard_direction(self->mode[k]) * mbs_hard_force(ws, k)->contact.friction * self->force[2 * k];
}

/* Solves S λ = G a - γ, sets a ← a - M⁻¹ Gᵀ λ, then adds the effect of contact forces. */
void mbs_solve_multipliers(mbs_workspace *ws, double *a, double *lambda) {
  mbs_multiply_G_less(ws, a, ws->gamma, lambda);
  mbs_solve(ws, lambda);
  mbs_add_WGt(ws, ws->model->inverse_mass, -1, lambda, a);
  if (ws->unilateral != NULL)
    mbs_unilateral_add(ws, a, lambda, true);
}

void mbs_unilateral_read(mbs_workspace *ws, double *contact) {
  const mbs_unilateral *self = ws->unilateral;
  double loss = 0;
  double drive = 0;
  for (int k = 0; k < self->n; k++) {
    const double *force = self->force + 2 * k;
    const bool is_closed = mbs_hard_is_closed(self->mode[k]);
    contact[2 * k] = is_closed ? force[0] : 0;
    contact[2 * k + 1] = is_closed ? force[1] : 0;
    drive -= is_closed ? force[0] * self->kinematics[k].drive : 0;
    loss -= mbs_hard_direction(self->mode[k]) != 0 ? force[1] * self->kinematics[k].slip : 0;
  }
  ws->power.dissipated += loss;
  ws->power.driven += drive;
}

double mbs_ratio_of_touching(const mbs_workspace *ws) {
  const mbs_frictional *p = &ws->unilateral->problem;
  double least = INFINITY;
  double most = 0;
  for (int i = 0; i < p->n; i++) {
    const mbs_force *force = mbs_hard_force(ws, p->contact[i]);
    for (int k = 0; k < 2 * mbs_n_row_segments(force, 0); k++)
      if (force[k / 2].body[k % 2] != 0) {
        const double mass = ws->model->mass[3 * force[k / 2].body[k % 2]];
        least = fmin(least, mass);
        most = fmax(most, mass);
      }
  }
  return most / least;
}

bool mbs_has_free_modes(const mbs_workspace *ws, const mbs_state *state) {
  for (int k = 0; k < ws->unilateral->n; k++)
    if (mbs_hard_mode_in(mbs_hard_force(ws, k), state->z) == MBS_BY_MOTION)
      return true;
  return false;
}

/* ---- Projection ---- */

/* Solves A x = b in place, with A (n x n, overwritten) positive semidefinite, by Gauss's elimination with diagonal
 * pivots. x is b on entry; on return its entries for dependent rows are 0. order: scratch (n). */
static void solve_semidefinite(int n, double *A, double *x, int *order) {
  double largest = 0;
  for (int i = 0; i < n; i++) {
    order[i] = i;
    largest = fmax(largest, A[i + i * n]);
  }
  int rank = 0;
  for (; rank < n; rank++) {
    int best = rank;
    for (int i = rank; i < n; i++)
      best = A[order[i] + order[i] * n] > A[order[best] + order[best] * n] ? i : best;
    const int p = order[best];
    if (!(A[p + p * n] > mbs_semidefinite_pivot * largest))
      break;
    order[best] = order[rank];
    order[rank] = p;
    for (int i = rank + 1; i < n; i++) {
      const int r = order[i];
      const double component = A[r + p * n] / A[p + p * n];
      for (int j = rank + 1; j < n; j++)
        A[r + order[j] * n] -= component * A[p + order[j] * n];
      A[r + p * n] = component;
      x[r] -= component * x[p];
    }
  }
  for (int i = n - 1; i >= 0; i--) {
    const int p = order[i];
    if (i >= rank) {
      x[p] = 0;
      continue;
    }
    for (int j = i + 1; j < rank; j++)
      x[p] -= A[p + order[j] * n] * x[order[j]];
    x[p] /= A[p + p * n];
  }
}

/* Adds to x (3n) the least change, in the norm of the masses, that removes the residuals of joints (`residual`, m) and
 * of active rows (self->right). The workspace must have the factors of S. */
static void correct(mbs_workspace *ws, const double *residual, double *x) {
  mbs_unilateral *self = ws->unilateral;
  const int n = self->n_active;
  const int n3 = 3 * ws->model->n_bodies;
  memcpy(ws->row, residual, (size_t)ws->model->n_rows * sizeof *residual);
  mbs_solve(ws, ws->row);
  memset(self->a, 0, (size_t)n3 * sizeof *self->a);
  mbs_add_WGt(ws, ws->model->inverse_mass, -1, ws->row, self->a);
  for (int i = 0; i < n; i++)
    self->right[i] +=
        mbs_contact_times(ws, self->active[i] / 2, self->active[i] % 2, row_of(self, self->active[i]), self->a);
  fill(ws, false);
  solve_semidefinite(n, self->matrix, self->right, self->order);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n3; j++)
      self->a[j] -= self->right[i] * a_of(ws, i)[j];
  for (int j = 0; j < n3; j++)
    x[j] += self->a[j];
}

static double position_of(const mbs_workspace *ws, int contact, double *period) {
  const mbs_force *force = mbs_hard_force(ws, contact);
  const mbs_pair pair = mbs_force_pair(force, ws->frames);
  mbs_relative_coordinate gap;
  force->type->find_coordinates(force, &pair, &gap);
  return mbs_contact_tangential_position(force, &pair, &gap, period);
}

void mbs_unilateral_store_stick_coordinates(mbs_workspace *ws, double *z) {
  mbs_unilateral *self = ws->unilateral;
  for (int k = 0; k < self->n; k++) {
    const mbs_force *force = mbs_hard_force(ws, k);
    double *stuck_at = &z[force->state + MBS_HARD_STUCK_AT];
    const bool sticks = self->mode[k] == MBS_HARD_STICKS;
    double period;
    if (sticks && mbs_hard_mode_in(force, z) != MBS_HARD_STICKS)
      *stuck_at = position_of(ws, k, &period);
    self->stuck_at[k] = sticks ? *stuck_at : NAN;
  }
}

/* Returns the tangential displacement, m or rad, of a sticking contact since it began to stick; 0 if its position at
 * that time is not known. */
static double drift_since_stick(const mbs_workspace *ws, int contact) {
  double period = 0;
  const double stuck_at = ws->unilateral->stuck_at[contact];
  if (isnan(stuck_at))
    return 0;
  const double off = position_of(ws, contact, &period) - stuck_at;
  return period > 0 ? remainder(off, period) : off;
}

/* Returns the largest residual of active rows (self->right) and of joints (ws->g), m or m/s; NaN if one is NaN. */
static double largest_residual(const mbs_workspace *ws) {
  const mbs_unilateral *self = ws->unilateral;
  double largest = mbs_largest_row(ws, ws->g);
  for (int i = 0; i < self->n_active; i++) {
    const double size = fabs(self->right[i]) * mbs_contact_unit(ws, self->active[i] / 2);
    if (!(size <= largest) && !isnan(largest))
      largest = size;
  }
  return largest;
}

/* Finds the residuals of positions (level 0) or velocities (1), and returns the largest one. */
static double find_residuals(mbs_workspace *ws, int level, double t, const double *q, const double *v) {
  mbs_unilateral *self = ws->unilateral;
  if (level == 0) {
    mbs_stage_kinematics(ws, q, v);
    mbs_stage_constraints(ws, t);
    if (self->is_switching)
      mbs_contact_kinematics_all(ws);
    else
      mbs_contact_kinematics_closed(ws);
  } else
    mbs_constraint_rate(ws, v, ws->g);
  for (int i = 0; i < self->n_active; i++) {
    const int contact = self->active[i] / 2;
    const int number = self->active[i] % 2;
    if (level == 0)
      self->right[i] = number == 0 ? self->kinematics[contact].gap : drift_since_stick(ws, contact);
    else
      self->right[i] = mbs_contact_rate(ws, contact, number, v);
  }
  return largest_residual(ws);
}

/* Projects positions (level 0) or velocities (1). The workspace must have the frames and, for velocities, the Jacobians
 * of joints and contacts. */
static seam_status project_level(mbs_workspace *ws, int level, double t, double *q, double *v, seam_error *error) {
  mbs_unilateral *self = ws->unilateral;
  double *x = level == 0 ? q : v;
  const mbs_scales *scales = &ws->model->scales;
  const double size = mbs_largest_motion(ws->model, x, level == 0 ? scales->length : scales->speed);
  double residual = 0;
  double before = INFINITY;
  list_active(ws, level == 0 && self->is_switching);
  for (int i = 0; i <= MBS_MAX_CONTACT_PROJECTIONS; i++) {
    residual = find_residuals(ws, level, t, q, v);
    if (residual <= mbs_projected * size || (residual > before / 2 && before < mbs_constraint_lost * size))
      break;
    before = residual;
    const int dependent = mbs_stage_factor(ws, ws->model->inverse_mass);
    if (dependent >= 0)
      return mbs_singular(ws->model, t, dependent, error);
    correct(ws, ws->g, x);
  }
  if (residual <= mbs_constraint_lost * size)
    return SEAM_OK;
  return seam_fail(error, SEAM_CONSTRAINT_LOST,
                   "t = %.9g s: constraints of hard contacts and joints cannot be met: their largest %s residual is "
                   "%.3g; take smaller steps",
                   t, level == 0 ? "position" : "velocity", residual);
}

seam_status mbs_project_contacts(mbs_workspace *ws, double t, double *q, double *v, seam_error *error) {
  mbs_stage_kinematics(ws, q, v);
  if (ws->unilateral->is_switching)
    mbs_contact_kinematics_all(ws);
  const seam_status status = project_level(ws, 0, t, q, v, error);
  return status == SEAM_OK ? project_level(ws, 1, t, q, v, error) : status;
}

seam_status mbs_assemble_two_sided(mbs_workspace *ws, const mbs_state *state, seam_error *error) {
  mbs_unilateral *self = ws->unilateral;
  bool any = false;
  self->is_frozen = false;
  mbs_load_stick_states(ws, state->z);
  for (int k = 0; k < self->n; k++) {
    const bool sticks = mbs_is_two_sided(mbs_hard_force(ws, k));
    self->mode[k] = sticks ? MBS_HARD_SMOOTH : MBS_HARD_OPEN;
    any = any || sticks;
  }
  if (!any)
    return SEAM_OK;
  mbs_stage_kinematics(ws, state->q, state->v);
  mbs_stage_constraints(ws, state->t);
  mbs_contact_kinematics_closed(ws);
  return project_level(ws, 1, state->t, state->q, state->v, error);
}

/* ---- A symplectic step ---- */

void mbs_shake_contacts(mbs_workspace *ws, double t, double h, double *q, double *v) {
  mbs_unilateral *self = ws->unilateral;
  const int n3 = 3 * ws->model->n_bodies;
  const double size = mbs_largest_motion(ws->model, q, ws->model->scales.length);
  double before = INFINITY;
  mbs_contact_kinematics_closed(ws);
  list_active(ws, false);
  for (int k = 0; k < MBS_MAX_STEPS_OF_FACTORS; k++) {
    mbs_stage_kinematics(ws, q, v);
    mbs_stage_residuals(ws, t + h);
    for (int i = 0; i < self->n_active; i++) { /* the rows remain those at the beginning of the step */
      const int contact = self->active[i] / 2;
      double rate;
      const double gap = mbs_gap_at(mbs_hard_force(ws, contact), ws->frames, self->z, self->t, &rate);
      self->right[i] = self->active[i] % 2 == 0 ? gap : drift_since_stick(ws, contact);
    }
    const double largest = largest_residual(ws);
    if (!(largest > mbs_projected * size && largest < before / 2))
      break;
    before = largest;
    memset(self->a_free, 0, (size_t)n3 * sizeof *self->a_free);
    correct(ws, ws->g, self->a_free);
    for (int i = 0; i < n3; i++) {
      q[i] += self->a_free[i];
      v[i] += self->a_free[i] / h;
    }
  }
}
