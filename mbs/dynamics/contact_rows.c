/* Active rows of hard contacts: normal rows N of closed contacts and tangential rows T of sticking contacts. They are
 * constraints J a = γ_c of the accelerations a, in addition to the constraints G a = γ of the joints.
 *
 * a° and λ° are the accelerations and the multipliers of joints without contact forces. M are the masses, S = G M⁻¹ Gᵀ.
 * Further forces Q on the bodies change the accelerations by B Q, with B = M⁻¹ - M⁻¹ Gᵀ S⁻¹ G M⁻¹. f are the forces of
 * the active rows. The columns of C are their loads if f = 1: Tᵀ for a tangential force, Nᵀ for a normal force. If the
 * contact slides in the direction σ = ±1 with the coefficient of friction μ, its column is Nᵀ - σ μ Tᵀ. Then
 *
 *   D f = γ_c - J a°,   D = J B C,   a = a° + B C f,   λ = λ° + S⁻¹ G M⁻¹ C f
 *
 * Without sliding D is positive definite; sliding makes D unsymmetric. If its determinant is not positive, friction
 * jams: a normal force, together with its friction, then accelerates the bodies towards each other ([Pfeiffer-Glocker]
 * 5, Painlevé).
 *
 * A complementarity problem determines which contacts close and stick. Its unknowns are the forces f = (λ_N, λ_T) of
 * all contacts that touch. y = (y_N, y_T) = A f + b are the accelerations of their gaps and the rates of their slips: b
 * without contact forces, A f by these forces. In an impact f are impulses, and y are the rates of gaps and the slips.
 * A sliding contact has λ_T = -σ μ λ_N. A contact without slip has λ_T = β⁺ - β⁻, and its friction is at most μ λ_N +
 * p. p differs from zero only in an impact with restitution. s is |y_T| if the contact begins to slide, else 0.
 *
 *   y_N        >= 0   ⊥   λ_N >= 0
 *   y_T + s    >= 0   ⊥   β⁺  >= 0
 *   -y_T + s   >= 0   ⊥   β⁻  >= 0
 *   μ λ_N + p - β⁺ - β⁻ >= 0   ⊥   s >= 0
 *
 * ([Stewart-Trinkle]; [Pfeiffer-Glocker] 5 has other unknowns). If no contact slides yet, the problem is copositive,
 * and Lemke's method finds a solution if there is one. If a contact slides, there may be no solution, or many
 * (Painlevé).
 *
 * Two-sided contacts also pull: y_N = 0, and λ_N may have either sign. Gaussian elimination removes their normal forces
 * first, which leaves y = A f + b of the other contacts.
 *
 * The modes of the contacts (open, sticking, sliding, ...) follow from the basis of the solution. The normal and
 * tangential rows whose forces are in the basis are independent. If a force is not in the basis and its y is zero, the
 * forces in the basis keep this y at zero. */
#include "mbs/dynamics/contact_rows.h"

#include <math.h>
#include <string.h>

#include "base/then.h"
#include "mbs/dynamics/dynamics.h"
#include "mbs/dynamics/responses.h"
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

/* Lists normal rows of closed contacts, then tangential rows of sticking contacts. passed: positions are projected
 * after a step that may have ended beyond an impact. Then also lists normal rows of open contacts that overlap or, if
 * steps leave constraints violated (self->drifts), whose gap has come to zero (self->returns). */
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
static void fill_D(mbs_workspace *ws, bool with_friction) {
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

/* Lists the active rows and factorises D. Returns true if its determinant is positive, no pivot is negligible, and
 * joints leave more than round-off of the response of each row. */
static bool factor_D(mbs_workspace *ws) {
  mbs_unilateral *self = ws->unilateral;
  list_active(ws, false);
  fill_D(ws, true);
  const int n = self->n_active;
  for (int i = 0; i < n; i++) {
    self->right[i] = 0;
    for (int j = 0; j < n; j++)
      self->right[i] = fmax(self->right[i], fabs(self->matrix[i + j * n]));
    const double free = mbs_free_response(ws, self->active[i] / 2, self->active[i] % 2, row_of(self, self->active[i]));
    if (!(self->right[i] > mbs_response_blocked * free))
      return false;
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

/* ---- The complementarity problem ---- */

void mbs_frictional_fill(mbs_workspace *ws) {
  mbs_unilateral *self = ws->unilateral;
  mbs_frictional *p = &self->problem;
  const int n = 2 * p->n;
  for (int j = 0; j < n; j++) {
    const int from = p->contact[j / 2];
    mbs_contact_influence(ws, from, j % 2, self->kinematics[from].row[j % 2], self->a, self->lambda);
    for (int i = 0; i < n; i++)
      p->A[i + j * n] =
          mbs_influence_on(ws, p->contact[i / 2], i % 2, self->kinematics[p->contact[i / 2]].row[i % 2], from, self->a);
  }
}

/* ---- Two-sided contacts ---- */

/* Returns the address of an entry of A (column < 2n), or of b (column 2n). Row and column 2k belong to the normal force
 * of contact k, 2k + 1 to its tangential force. Each elimination changes the entries, except the rows of two-sided
 * contacts that were eliminated before: solve_two_sided() needs these. */
static double *reduced_at(const mbs_frictional *p, int row, int column) { return p->reduced + row + column * 2 * p->n; }

static bool is_remaining(const mbs_frictional *p, int number, int eliminated) {
  return !(p->two_sided[number / 2] && number % 2 == 0 && number / 2 <= eliminated);
}

/* Returns a - b, or 0 if the difference is only round-off. */
static double difference(double a, double b) {
  return fabs(a - b) > mbs_free_rate_none * (fabs(a) + fabs(b)) ? a - b : 0;
}

/* Eliminates the normal forces of two-sided contacts from A and b. Returns false if the normal row of one depends on
 * constraints of joints or on normal rows of the others. */
static bool eliminate_two_sided(mbs_frictional *p) {
  const int n = 2 * p->n;
  memcpy(p->reduced, p->A, (size_t)n * (size_t)n * sizeof *p->reduced);
  memcpy(p->reduced + n * n, p->b, (size_t)n * sizeof *p->reduced);
  for (int k = 0; k < p->n; k++) {
    const int own = 2 * k;
    if (!p->two_sided[k])
      continue;
    const double pivot = *reduced_at(p, own, own);
    if (!(pivot > mbs_regular_pivot * p->A[own + own * n]))
      return false;
    for (int i = 0; i < n; i++) {
      const double segment = *reduced_at(p, i, own) / pivot;
      for (int j = 0; j <= n && is_remaining(p, i, k); j++)
        if (j == n || is_remaining(p, j, k))
          *reduced_at(p, i, j) = difference(*reduced_at(p, i, j), segment * *reduced_at(p, own, j));
    }
  }
  return true;
}

/* Finds the forces of two-sided contacts by back substitution. */
static void solve_two_sided(mbs_frictional *p) {
  const int n = 2 * p->n;
  for (int k = p->n - 1; k >= 0; k--) {
    if (!p->two_sided[k])
      continue;
    double rate = *reduced_at(p, 2 * k, n);
    for (int j = 0; j < n; j++)
      rate += is_remaining(p, j, k) ? *reduced_at(p, 2 * k, j) * p->f[j] : 0;
    p->f[2 * k] = -rate / *reduced_at(p, 2 * k, 2 * k);
    p->f[2 * k + 1] = 0;
    p->mode[k] = MBS_HARD_SMOOTH;
  }
}

/* ---- The linear complementarity problem ---- */

enum { NORMAL, PLUS, MINUS, SPEED }; /* unknowns of a contact in this order: λ_N, β⁺, β⁻, s */

static bool may_stick(const mbs_frictional *p, int k) { return p->mu[k] > 0 && p->direction[k] == 0; }

/* Returns the number of unknown forces of contact k: λ_N, and β⁺, β⁻ if it may stick; 0 if it is two-sided. */
static int n_forces(const mbs_frictional *p, int k) { return p->two_sided[k] ? 0 : may_stick(p, k) ? 3 : 1; }

/* Returns the scale of the unknowns and equations of contact k: it makes the diagonal entry of its normal force 1. */
static double scale_of(const mbs_frictional *p, int k) {
  const double response = p->A[(2 * k) * (2 * p->n + 1)];
  return response > 0 ? 1 / sqrt(response) : 1;
}

/* Fills the equations of contact i: y_N (NORMAL), y_T (PLUS), -y_T (MINUS), the bound of friction (SPEED). λ_N of a
 * sliding contact also causes friction. n: number of unknowns of all contacts; size: unit of right-hand sides. */
static void fill_rows(mbs_unilateral *self, int n, int i, double size) {
  const mbs_frictional *p = &self->problem;
  const int n_rows = n_forces(p, i);
  const int first = self->lcp_first[i];
  for (int to = 0; to < n_rows; to++) {
    const int row = 2 * i + (to != NORMAL);
    const double sign = to == MINUS ? -1 : 1;
    for (int j = 0; j < p->n; j++) {
      const double normal = *reduced_at(p, row, 2 * j);
      const double tangential = *reduced_at(p, row, 2 * j + 1);
      const double of[] = {normal - p->direction[j] * p->mu[j] * tangential, tangential, -tangential};
      for (int from = 0; from < n_forces(p, j); from++)
        self->lcp_matrix[first + to + (self->lcp_first[j] + from) * n] =
            scale_of(p, i) * scale_of(p, j) * (sign * of[from]);
    }
    self->lcp_right[first + to] = sign * scale_of(p, i) * *reduced_at(p, row, 2 * p->n) / size;
  }
  if (n_rows < 3)
    return;
  self->lcp_matrix[first + PLUS + (first + SPEED) * n] = self->lcp_matrix[first + MINUS + (first + SPEED) * n] = 1;
  self->lcp_matrix[first + SPEED + (first + NORMAL) * n] = p->mu[i];
  self->lcp_matrix[first + SPEED + (first + PLUS) * n] = self->lcp_matrix[first + SPEED + (first + MINUS) * n] = -1;
  self->lcp_right[first + SPEED] = p->friction_offset[i] / (scale_of(p, i) * size);
}

/* ---- Solution of the linear problem ---- */

static double mode_of_friction(const mbs_unilateral *self, int first, double rate) {
  const seam_lcp *lcp = self->lcp;
  const bool plus = seam_lcp_is_basic(lcp, first + PLUS);
  const bool minus = seam_lcp_is_basic(lcp, first + MINUS);
  if (seam_lcp_z(lcp)[first + SPEED] > mbs_no_speed)
    return rate > 0 ? MBS_HARD_FORWARDS : MBS_HARD_BACKWARDS;
  if (seam_lcp_is_basic(lcp, first + SPEED) && plus != minus)
    return minus ? MBS_HARD_LIMIT_FORWARDS : MBS_HARD_LIMIT_BACKWARDS;
  return plus || minus ? MBS_HARD_STICKS : MBS_HARD_SMOOTH;
}

static void read_contact(mbs_unilateral *self, int k, double size) {
  mbs_frictional *p = &self->problem;
  const int first = self->lcp_first[k];
  const double *z = seam_lcp_z(self->lcp);
  const double unit = scale_of(p, k) * size;
  const bool presses = seam_lcp_is_basic(self->lcp, first);
  p->f[2 * k] = unit * z[first];
  p->f[2 * k + 1] =
      may_stick(p, k) ? unit * (z[first + PLUS] - z[first + MINUS]) : -p->direction[k] * p->mu[k] * p->f[2 * k];
  if (!presses)
    p->mode[k] = seam_lcp_w(self->lcp)[first] > mbs_no_speed ? MBS_HARD_OPEN : MBS_HARD_UNLOADED;
  else if (p->direction[k] != 0)
    p->mode[k] = p->direction[k] > 0 ? MBS_HARD_FORWARDS : MBS_HARD_BACKWARDS;
  else
    p->mode[k] = MBS_HARD_SMOOTH;
}

seam_lcp_end mbs_frictional_solve(mbs_unilateral *self) {
  mbs_frictional *p = &self->problem;
  int n = 0;
  if (!eliminate_two_sided(p))
    return SEAM_LCP_FAILED;
  for (int k = 0; k < p->n; k++) {
    self->lcp_first[k] = n;
    n += may_stick(p, k) ? 4 : n_forces(p, k);
  }
  double size = 0; /* largest scaled entry of b or of the friction offsets */
  for (int k = 0; k < p->n; k++)
    size = fmax(size, scale_of(p, k) *
                          fmax(fabs(p->b[2 * k]), fmax(may_stick(p, k) ? fabs(p->b[2 * k + 1]) : 0,
                                                       p->friction_offset[k] / (scale_of(p, k) * scale_of(p, k)))));
  size = size > 0 ? size : 1;
  memset(self->lcp_matrix, 0, (size_t)n * (size_t)n * sizeof *self->lcp_matrix);
  for (int i = 0; i < p->n; i++)
    fill_rows(self, n, i, size);
  const seam_lcp_end end = seam_lcp_solve(self->lcp, n, self->lcp_matrix, self->lcp_right);
  if (end != SEAM_LCP_SOLVED)
    return end;
  for (int k = 0; k < p->n; k++)
    if (!p->two_sided[k])
      read_contact(self, k, size);
  solve_two_sided(p);
  for (int i = 0; i < 2 * p->n; i++) {
    p->rate[i] = p->b[i];
    for (int j = 0; j < 2 * p->n; j++)
      p->rate[i] += p->A[i + j * 2 * p->n] * p->f[j];
  }
  for (int k = 0; k < p->n; k++)
    if (may_stick(p, k) && p->mode[k] == MBS_HARD_SMOOTH)
      p->mode[k] = mode_of_friction(self, self->lcp_first[k], p->rate[2 * k + 1]);
  return end;
}

/* ---- Contacts that may press ---- */

/* Returns b: the acceleration of a gap (row 0), or the rate of a slip (row 1), without contact forces. Round-off is
 * replaced by 0: otherwise two opposed contacts on one degree of freedom might have no solution. */
static double free_rate(const mbs_workspace *ws, int contact, int row) {
  const mbs_contact_kinematics *kinematics = &ws->unilateral->kinematics[contact];
  const double *free = ws->unilateral->a_free;
  const mbs_force *force = mbs_hard_force(ws, contact);
  double size = kinematics->size[row];
  for (int k = 0; k < mbs_n_row_segments(force, row); k++) {
    const mbs_row_segment segment = mbs_row_segment_of(ws->unilateral, force, kinematics->row[row], k);
    double a[6];
    mbs_gather(segment.body, free, a);
    for (int i = 0; i < 6; i++)
      size += fabs(segment.row[i] * a[i]);
  }
  const double b = mbs_contact_second_rate(ws, contact, row, free);
  return fabs(b) > mbs_free_rate_none * size ? b : 0;
}

/* Adds a contact to the problem; before: its previous mode. */
static void add_contact(mbs_workspace *ws, int contact, double before) {
  mbs_unilateral *self = ws->unilateral;
  mbs_frictional *p = &self->problem;
  const mbs_contact_kinematics *kinematics = &self->kinematics[contact];
  const mbs_force *force = mbs_hard_force(ws, contact);
  const int k = p->n++;
  const double factor = before == MBS_HARD_STICKS ? 1e3 : 1; /* a sticking contact has a small slip after a step */
  const bool is_at_rest = fabs(kinematics->slip) <= factor * self->zero_rate;
  p->contact[k] = contact;
  p->two_sided[k] = mbs_is_two_sided(force);
  p->mu[k] = force->contact.friction;
  p->friction_offset[k] = 0;
  p->direction[k] = p->mu[k] == 0 || is_at_rest ? 0 : kinematics->slip > 0 ? 1 : -1;
  if (self->has_ended[contact]) { /* after sticking, the slip is opposite to the last friction force */
    const int after_sticking = self->force[2 * contact + 1] > 0 ? -1 : 1;
    p->direction[k] = before == MBS_HARD_STICKS ? after_sticking : mbs_hard_direction(before);
  }
  for (int i = 0; i < 2; i++)
    p->b[2 * k + i] = free_rate(ws, contact, i);
}

/* ---- Contacts that jam ---- */

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

/* Fails with SEAM_JAMMED if masses of touching bodies differ so much that round-off hides the contact forces. */
static seam_status check_touching_masses(const mbs_workspace *ws, double t, seam_error *error) {
  const mbs_frictional *p = &ws->unilateral->problem;
  const double ratio = mbs_ratio_of_touching(ws);
  if (!(ratio > mbs_ratio_of_masses))
    return SEAM_OK;
  const mbs_force *of = mbs_hard_force(ws, p->contact[0]);
  return seam_fail(error, SEAM_JAMMED,
                   "t = %.9g s: no forces of %s '%s'%s were found: the masses of bodies that touch differ by the "
                   "factor %.2g, too much for the precision of numbers; make it compliant (leave out 'hard')",
                   t, mbs_hard_noun(of), of->name, p->n > 1 ? " and others" : "", ratio);
}

static seam_status no_solution(const mbs_workspace *ws, double t, seam_lcp_end end, seam_error *error) {
  const mbs_frictional *p = &ws->unilateral->problem;
  const mbs_force *of = mbs_hard_force(ws, p->contact[0]);
  bool any_friction = false;
  for (int k = 0; k < p->n; k++)
    any_friction = any_friction || p->mu[k] > 0;
  TRY(check_touching_masses(ws, t, error));
  if (end == SEAM_LCP_RAY && !any_friction && p->n > 1)
    return seam_fail(error, SEAM_JAMMED,
                     "t = %.9g s: no forces of %s '%s' and others keep the bodies apart, because other contacts or a "
                     "motion press them together: give a clearance, or make it compliant (leave out 'hard')",
                     t, mbs_hard_noun(of), of->name);
  for (int k = p->n - 1; k >= 0; k--)
    if (p->direction[k] != 0)
      of = mbs_hard_force(ws, p->contact[k]);
  const bool many = p->n > 1;
  const char *found = end == SEAM_LCP_RAY      ? "no force that keeps the bodies apart (Painlevé)"
                      : end == SEAM_LCP_SOLVED ? "more than one force that keeps the bodies apart (Painlevé)"
                                               : "no force that the solver finds";
  return seam_fail(error, SEAM_JAMMED,
                   "t = %.9g s: %s '%s'%s %s: reduce the friction, or make %s compliant (leave out 'hard')", t,
                   mbs_hard_noun(of), of->name, many ? " and others have" : " has", found, many ? "one of them" : "it");
}

/* Returns true if a larger normal force at a sliding contact, with its friction, does not accelerate the bodies apart.
 * Then no contact force prevents penetration, or more than one does. */
static bool is_paradox(const mbs_frictional *p) {
  for (int k = 0; k < p->n; k++) {
    const double *A = reduced_at(p, 2 * k, 2 * k);
    if (p->direction[k] != 0 && !(A[0] - p->direction[k] * p->mu[k] * A[2 * p->n] > mbs_paradox * A[0]))
      return true;
  }
  return false;
}

static seam_status contacts_jam(const mbs_workspace *ws, double t, seam_error *error) {
  const mbs_unilateral *self = ws->unilateral;
  const mbs_force *of = mbs_hard_force(ws, self->active[0] / 2);
  for (int k = self->n - 1; k >= 0; k--)
    if (mbs_hard_direction(self->mode[k]) != 0)
      of = mbs_hard_force(ws, k);
  TRY(check_touching_masses(ws, t, error));
  return seam_fail(
      error, SEAM_JAMMED,
      "t = %.9g s: the forces of %s '%s'%s are not unique: its friction jams (Painlevé), or joints or other contacts "
      "constrain the same motion; reduce its friction, or make it compliant (leave out 'hard')",
      t, mbs_hard_noun(of), of->name, self->n_active > 1 ? " and others" : "");
}

/* ---- Modes of an evaluation ---- */

bool mbs_has_free_modes(const mbs_workspace *ws, const mbs_state *state) {
  for (int k = 0; k < ws->unilateral->n; k++)
    if (mbs_hard_mode_in(mbs_hard_force(ws, k), state->z) == MBS_BY_MOTION)
      return true;
  return false;
}

seam_status mbs_unilateral_begin(mbs_workspace *ws, const mbs_state *state, bool find_all, seam_error *error) {
  mbs_unilateral *self = ws->unilateral;
  mbs_frictional *p = &self->problem;
  self->zero_rate = mbs_contact_kinematics_rate(ws, state->v);
  find_all = find_all || mbs_has_free_modes(ws, state);
  for (int k = 0; k < self->n; k++)
    self->mode[k] = mbs_hard_mode_in(mbs_hard_force(ws, k), state->z);
  if (!find_all) {
    mbs_contact_kinematics_closed(ws);
    return factor_D(ws) ? SEAM_OK : contacts_jam(ws, state->t, error);
  }
  mbs_contact_kinematics_all(ws);
  self->n_active = 0;
  memcpy(self->a_free, state->a, 3 * (size_t)ws->model->n_bodies * sizeof *self->a);
  mbs_solve_multipliers(ws, self->a_free, self->lambda);
  p->n = 0;
  for (int k = 0; k < self->n; k++) {
    const double before = self->mode[k];
    const mbs_contact_kinematics *kinematics = &self->kinematics[k];
    const bool touches = mbs_hard_is_closed(before) || mbs_contact_touches(ws, k);
    const bool may_press = touches && fabs(kinematics->rate) <= mbs_contact_zero_rate(ws, k) &&
                           !(self->has_ended[k] && self->ended_normal[k]);
    self->mode[k] = MBS_HARD_OPEN;
    if (may_press || mbs_is_two_sided(mbs_hard_force(ws, k)))
      add_contact(ws, k, before);
  }
  mbs_frictional_fill(ws);
  const seam_lcp_end end = mbs_frictional_solve(self);
  if (end != SEAM_LCP_SOLVED || is_paradox(p))
    return no_solution(ws, state->t, end, error);
  for (int k = 0; k < p->n; k++)
    self->mode[p->contact[k]] = p->mode[k];
  for (int k = 0; k < self->n; k++) { /* contacts without a friction force stick if the active rows stay independent */
    if (self->mode[k] != MBS_HARD_SMOOTH || mbs_hard_force(ws, k)->contact.friction == 0)
      continue;
    self->mode[k] = MBS_HARD_STICKS;
    if (!factor_D(ws))
      self->mode[k] = MBS_HARD_SMOOTH;
  }
  return factor_D(ws) ? SEAM_OK : contacts_jam(ws, state->t, error);
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

/* Removes the residuals of joints (ws->g) and active rows (self->right) by the least change of x (3n) in the norm of
 * the masses. The workspace must have the factors of S. */
static void correct(mbs_workspace *ws, double *x) {
  mbs_unilateral *self = ws->unilateral;
  const int n = self->n_active;
  const int n3 = 3 * ws->model->n_bodies;
  memcpy(ws->row, ws->g, (size_t)ws->model->n_rows * sizeof *ws->row);
  mbs_solve(ws, ws->row);
  memset(self->a, 0, (size_t)n3 * sizeof *self->a);
  mbs_add_WGt(ws, ws->model->inverse_mass, -1, ws->row, self->a);
  for (int i = 0; i < n; i++)
    self->right[i] +=
        mbs_contact_times(ws, self->active[i] / 2, self->active[i] % 2, row_of(self, self->active[i]), self->a);
  fill_D(ws, false);
  solve_semidefinite(n, self->matrix, self->right, self->order);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n3; j++)
      self->a[j] -= self->right[i] * a_of(ws, i)[j];
  for (int j = 0; j < n3; j++)
    x[j] += self->a[j];
}

/* Returns the tangential displacement, m or rad, of a contact since it began to stick; 0 if it does not stick. */
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

/* Projects positions (level 0) or velocities (1). The workspace must have the frames and, for velocities, all rows. */
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
    if (isnan(residual))
      return mbs_not_finite(ws, t, self->z, error);
    if (residual <= mbs_projected * size || (residual > before / 2 && before < mbs_constraint_lost * size))
      break;
    before = residual;
    const int dependent = mbs_stage_factor(ws, ws->model->inverse_mass);
    if (dependent >= 0)
      return mbs_singular(ws->model, t, dependent, error);
    correct(ws, x);
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
  TRY(project_level(ws, 0, t, q, v, error));
  return project_level(ws, 1, t, q, v, error);
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
    correct(ws, self->a_free);
    for (int i = 0; i < n3; i++) {
      q[i] += self->a_free[i];
      v[i] += self->a_free[i] / h;
    }
  }
}
