/* Forces that the motion does not determine uniquely.
 *
 * Redundant constraints make the multipliers λ of joints ambiguous. Let G be the Jacobian of the constraints, G_a its
 * rows that are not redundant, and M the masses. A redundant row is G_d = cᵀ G_a, where c follows from (G_a M⁻¹ G_aᵀ) c
 * = G_a M⁻¹ G_dᵀ. With the unit vector e_d, the column e_d - c is in the null space of Gᵀ. These columns are its basis
 * Y. All multipliers λ + Y η give the same forces; those of least norm are λ - Y (Yᵀ Y)⁻¹ Yᵀ λ.
 *
 * An evaluation finds contact forces f° only for the active rows of hard contacts, which are independent. Other
 * contacts may touch as well, so other contact forces f may give the same accelerations. Again those of least norm are
 * reported. f has λ_N and λ_T of all touching contacts, N and T are their normal and tangential rows. The columns of C
 * are their loads for f = 1: Nᵀ and Tᵀ for a contact without slip, Nᵀ - σ μ Tᵀ for a contact that slides in the
 * direction σ = ±1 with the coefficient of friction μ. With B of contact_rows.c, forces f with Cᵀ B C f = 0 cause no
 * accelerations; X is an orthonormal basis of them. P f >= 0 stands for the bounds λ_N >= 0 and, at rest, μ λ_N ± λ_T
 * >= 0. The forces f of least norm solve
 *
 *   min ½ |f|²   with   f - f° = X ξ,   P f >= 0
 *
 * Let f* = f° - X Xᵀ f°. The conditions of optimality are the complementarity problem for f and multipliers s
 *
 *   f = f* + X (P X)ᵀ s,        0 <= s   ⊥   P f* + (P X) (P X)ᵀ s >= 0
 *
 * which has a solution, since f° meets P f >= 0 ([Cottle-Pang-Stone] 1.2, 3.1). */
#include "mbs/dynamics/dynamics.h"

#include <math.h>
#include <string.h>

#include <lapacke.h>

#include "base/vector.h"
#include "mbs/model/unilateral.h"
#include "mbs/stages/contact_kinematics.h"
#include "mbs/stages/stages.h"
#include "mbs/thresholds.h"

/* ---- Multipliers of joints ---- */

/* Gram-Schmidt is accurate enough: Y has few columns, and each has an entry 1 where the others have 0. */
void mbs_least_norm(mbs_workspace *ws, double *lambda) {
  const mbs_model *model = ws->model;
  const int m = model->n_rows;
  for (int k = 0; k < model->n_redundant; k++) {
    double *vector = ws->null_space + (size_t)k * (size_t)m;
    memset(ws->row, 0, (size_t)m * sizeof *ws->row);
    memset(ws->correction, 0, 3 * (size_t)model->n_bodies * sizeof *ws->correction);
    ws->row[model->redundant[k]] = 1;
    mbs_add_WGt(ws, model->inverse_mass, 1, ws->row, ws->correction);
    mbs_multiply_G(ws, ws->correction, vector);
    mbs_solve(ws, vector);
    for (int i = 0; i < m; i++)
      vector[i] = ws->row[i] - vector[i];
    for (int pass = 0; pass < 2; pass++)
      for (int j = 0; j < k; j++) {
        const double *before = ws->null_space + (size_t)j * (size_t)m;
        const double component = dot_product(m, vector, before) / dot_product(m, before, before);
        for (int i = 0; i < m; i++)
          vector[i] -= component * before[i];
      }
    const double component = dot_product(m, vector, lambda) / dot_product(m, vector, vector);
    for (int i = 0; i < m; i++)
      lambda[i] -= component * vector[i];
  }
}

/* ---- Touching contacts ---- */

/* Returns the acceleration of a gap (row 0), or the rate of a slip (row 1), at accelerations a. Returns 0 if the
 * largest contact force, `largest` in N, would cause a far larger one. */
static double second_rate(const mbs_workspace *ws, const double *a, int contact, int row, double largest) {
  const mbs_contact_kinematics *kinematics = &ws->unilateral->kinematics[contact];
  const double second = mbs_contact_second_rate(ws, contact, row, a);
  const double response = mbs_free_response(ws, contact, row, kinematics->row[row]);
  return fabs(second) > mbs_second_rate_none * response * mbs_contact_unit(ws, contact) * largest ? second : 0;
}

/* Returns the direction of slip, 1 or -1; 0: no slip. If other contacts keep the contact closed (MBS_HARD_UNLOADED), it
 * is the sign of the slip or, if the slip is zero, of its rate. Otherwise it follows from the mode. */
static int direction_of(const mbs_workspace *ws, const double *a, int contact, double largest) {
  const mbs_unilateral *self = ws->unilateral;
  const double mode = self->mode[contact];
  if (mode == MBS_HARD_FORWARDS || mode == MBS_HARD_BACKWARDS)
    return mbs_hard_direction(mode);
  if (mode != MBS_HARD_UNLOADED)
    return 0;
  const double slip = self->kinematics[contact].slip;
  const double slip_direction = fabs(slip) > self->zero_rate ? slip : second_rate(ws, a, contact, 1, largest);
  return (slip_direction > 0) - (slip_direction < 0);
}

static void list_unknowns(mbs_workspace *ws, const double *a) {
  mbs_unilateral *self = ws->unilateral;
  mbs_hyperstatic *h = &self->hyperstatic;
  double largest = 0;
  for (int i = 0; i < 2 * self->n; i++)
    largest = fmax(largest, fabs(self->force[i]) / mbs_contact_unit(ws, i / 2));
  h->n = 0;
  for (int k = 0; k < self->n; k++) {
    bool may_press = mbs_hard_is_closed(self->mode[k]);
    if (self->mode[k] == MBS_HARD_UNLOADED) {
      mbs_contact_update_kinematics(ws, k);
      may_press =
          fabs(self->kinematics[k].rate) <= mbs_contact_zero_rate(ws, k) && second_rate(ws, a, k, 0, largest) == 0;
    }
    if (!may_press)
      continue;
    const bool has_friction = mbs_hard_force(ws, k)->contact.friction > 0;
    const int direction = has_friction ? direction_of(ws, a, k, largest) : 0;
    const int last_row = has_friction && direction == 0 ? 1 : 0;
    for (int row = 0; row <= last_row; row++) {
      h->number[h->n] = 2 * k + row;
      h->direction[h->n++] = direction;
    }
  }
}

static double friction_of(const mbs_workspace *ws, int unknown) {
  const mbs_hyperstatic *h = &ws->unilateral->hyperstatic;
  return mbs_hard_force(ws, h->number[unknown] / 2)->contact.friction;
}

/* ---- Combinations that cause no accelerations ---- */

static void column_of(const mbs_workspace *ws, int unknown, double column[6]) {
  const mbs_hyperstatic *h = &ws->unilateral->hyperstatic;
  const int number = h->number[unknown];
  const mbs_contact_kinematics *kinematics = &ws->unilateral->kinematics[number / 2];
  const double friction = h->direction[unknown] != 0 ? h->direction[unknown] * friction_of(ws, unknown) : 0;
  for (int i = 0; i < 6; i++)
    column[i] = mbs_contact_unit(ws, number / 2) * (kinematics->row[number % 2][i] - friction * kinematics->row[1][i]);
}

/* Fills h->null with the Gram matrix Cᵀ B C, scaled by h->scale to a diagonal of 1. */
static void fill_gram(mbs_workspace *ws) {
  mbs_unilateral *self = ws->unilateral;
  mbs_hyperstatic *h = &self->hyperstatic;
  const int n = h->n;
  for (int j = 0; j < n; j++) {
    double from[6];
    column_of(ws, j, from);
    mbs_contact_influence(ws, h->number[j] / 2, h->number[j] % 2, from, self->a, self->lambda);
    for (int i = 0; i < n; i++) {
      double to[6];
      column_of(ws, i, to);
      h->null[i + j * n] = mbs_influence_on(ws, h->number[i] / 2, h->number[i] % 2, to, h->number[j] / 2, self->a);
    }
  }
  for (int i = 0; i < n; i++)
    h->scale[i] = h->null[i + i * n] > 0 ? 1 / sqrt(h->null[i + i * n]) : 1;
  for (int i = 0; i < n * n; i++)
    h->null[i] *= h->scale[i % n] * h->scale[i / n];
}

static double *combination(const mbs_hyperstatic *h, int j) { return h->null + (size_t)j * (size_t)h->n; }
/* Returns row i of P X. */
static double *bound(const mbs_hyperstatic *h, int i) { return h->bound + (size_t)i * (size_t)h->n_free; }

/* Finds X (n x n_free). Returns false if X has no column, or if dsyev fails. */
static bool find_combinations(mbs_workspace *ws) {
  mbs_hyperstatic *h = &ws->unilateral->hyperstatic;
  const int n = h->n;
  fill_gram(ws);
  h->n_free = 0;
  if (LAPACKE_dsyev(LAPACK_COL_MAJOR, 'V', 'U', n, h->null, n, h->eigenvalue) != 0)
    return false;
  while (h->n_free < n && h->eigenvalue[h->n_free] <= mbs_gram_zero * h->eigenvalue[n - 1])
    h->n_free++;
  for (int i = 0; i < n * h->n_free; i++)
    h->null[i] *= h->scale[i % n];
  for (int k = 0; k < 2 * h->n_free; k++) { /* two passes of Gram-Schmidt */
    double *x = combination(h, k % h->n_free);
    for (int j = 0; j < k % h->n_free; j++) {
      const double component = dot_product(n, x, combination(h, j));
      for (int i = 0; i < n; i++)
        x[i] -= component * combination(h, j)[i];
    }
    const double length = sqrt(dot_product(n, x, x));
    for (int i = 0; i < n; i++)
      x[i] /= length;
  }
  return h->n_free > 0;
}

/* ---- Projection ---- */

/* Fills Px with P (n_bounds x n) times the n_columns columns of x, and returns n_bounds. The entries of P f are
 *
 *   normal force        λ_N
 *   tangential force    (μ λ_N + λ_T)/(1 + μ)  and  (μ λ_N - λ_T)/(1 + μ), with λ_N the preceding unknown
 *
 * The normal force of a two-sided contact has no entry. The denominators give the rows of P a length of at most 1. */
static int apply_bounds(const mbs_workspace *ws, const double *x, int n_columns, double *Px) {
  const mbs_hyperstatic *h = &ws->unilateral->hyperstatic;
  int row = 0;
  for (int i = 0; i < h->n; i++) {
    const bool is_tangent = h->number[i] % 2 == 1;
    if (mbs_is_two_sided(mbs_hard_force(ws, h->number[i] / 2)))
      continue;
    const double mu = friction_of(ws, i);
    for (int side = is_tangent ? -1 : 1; side <= 1; side += 2, row++)
      for (int j = 0; j < n_columns; j++) {
        const double *column = x + (size_t)j * (size_t)h->n;
        Px[row * n_columns + j] = is_tangent ? (mu * column[i - 1] + side * column[i]) / (1 + mu) : column[i];
      }
  }
  return row;
}

/* Replaces the contact forces f (h->n) by those of least norm. Returns false, and keeps f, without a solution. */
static bool project(mbs_workspace *ws, double *f) {
  mbs_unilateral *self = ws->unilateral;
  mbs_hyperstatic *h = &self->hyperstatic;
  const double size = largest_size(f, (size_t)h->n);
  double *least = h->scale; /* scale is not needed any more */
  memcpy(least, f, (size_t)h->n * sizeof *f);
  for (int j = 0; j < h->n_free; j++) {
    const double *x = combination(h, j);
    const double component = dot_product(h->n, x, f);
    for (int i = 0; i < h->n; i++)
      least[i] -= component * x[i];
  }
  const int m = apply_bounds(ws, least, 1, self->lcp_right);
  apply_bounds(ws, h->null, h->n_free, h->bound);
  for (int i = 0; i < m; i++) {
    self->lcp_right[i] /= size > 0 ? size : 1;
    for (int j = 0; j < m; j++)
      self->lcp_matrix[i + j * m] = dot_product(h->n_free, bound(h, i), bound(h, j));
  }
  if (seam_lcp_solve(self->lcp, m, self->lcp_matrix, self->lcp_right) != SEAM_LCP_SOLVED)
    return false;
  memcpy(f, least, (size_t)h->n * sizeof *f);
  for (int j = 0; j < h->n_free; j++) {
    double component = 0;
    for (int i = 0; i < m; i++)
      component += size * seam_lcp_z(self->lcp)[i] * bound(h, i)[j];
    for (int i = 0; i < h->n; i++)
      f[i] += component * combination(h, j)[i];
  }
  return true;
}

/* ---- Forces of an evaluation ---- */

/* Writes contact forces f (h->n) into the state, and adds the effect of f - before to the joints' multipliers. */
static void write_forces(mbs_workspace *ws, const double *before, const double *f, mbs_state *state) {
  mbs_unilateral *self = ws->unilateral;
  mbs_hyperstatic *h = &self->hyperstatic;
  for (int i = 0; i < h->n; i++) {
    const int k = h->number[i] / 2;
    double load[6];
    column_of(ws, i, load);
    mbs_contact_influence(ws, k, h->number[i] % 2, load, self->a, self->lambda);
    for (int j = 0; j < ws->model->n_rows; j++)
      state->lambda[j] += (f[i] - before[i]) * self->lambda[j];
    state->contact[h->number[i]] = mbs_contact_unit(ws, k) * f[i];
    if (h->direction[i] != 0)
      state->contact[2 * k + 1] = -h->direction[i] * friction_of(ws, i) * state->contact[2 * k];
  }
}

/* Replaces contact forces by those of least norm. A contact is undetermined if X contains its force. */
static void reduce_contacts(mbs_workspace *ws, mbs_state *state) {
  mbs_unilateral *self = ws->unilateral;
  mbs_hyperstatic *h = &self->hyperstatic;
  memset(state->undetermined, 0, (size_t)self->n * sizeof *state->undetermined);
  list_unknowns(ws, state->a);
  if (h->n <= self->n_active || !find_combinations(ws))
    return;
  for (int i = 0; i < h->n; i++) {
    const int contact = h->number[i] / 2;
    const bool is_closed = mbs_hard_is_closed(self->mode[contact]);
    h->before[i] = is_closed ? self->force[h->number[i]] / mbs_contact_unit(ws, contact) : 0;
    for (int j = 0; j < h->n_free; j++)
      if (fabs(combination(h, j)[i]) > mbs_undetermined)
        state->undetermined[contact] = 1;
  }
  memcpy(h->f, h->before, (size_t)h->n * sizeof *h->f);
  if (project(ws, h->f))
    write_forces(ws, h->before, h->f, state);
}

/* Contact forces come first, since they change the multipliers of joints. */
void mbs_reduce_to_least_norm(mbs_workspace *ws, mbs_state *state) {
  if (ws->unilateral != NULL)
    reduce_contacts(ws, state);
  if (ws->model->n_redundant > 0)
    mbs_least_norm(ws, state->lambda);
}
