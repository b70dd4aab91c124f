/* Hard contacts (mbs/dynamics/contact_rows.h) in the stabilised index-2 form. Each contact has the multipliers λ_N, λ_T
 * and μ_N, which enter the equations of motion. The mode of the contact selects the equations that determine the
 * multipliers:
 *
 *   q'   = v - W Gᵀ μ - W Nᵀ μ_N                 M v' = Q - Gᵀ λ + Nᵀ λ_N + Tᵀ λ_T
 *
 *   closed     0 = g,  0 = N v                   open       0 = -λ_N,  0 = -μ_N
 *   sticks     0 = T v                           slides     0 = -λ_T - σ μ_f λ_N      else 0 = -λ_T
 *
 * The other symbols of the first line are those of ggl.c. In the second and third line g is the gap of the contact, N =
 * ∂g/∂q, T v the slip, σ = ±1 its direction, and μ_f the coefficient of friction. In derivatives by q, H is the second
 * derivative of the gap, and D = ∂Tᵀ/∂q. */
#include "mbs/dynamics/ggl_contacts.h"

#include "mbs/dynamics/element_blocks.h"
#include "mbs/model/forces/contact.h"
#include "mbs/model/unilateral.h"
#include "mbs/stages/contact_kinematics.h"

/* Gap and slip of a closed contact, or of one segment of a hard cable. */
typedef struct closed {
  mbs_relative_coordinate gap;
  mbs_slip slip;
} closed;

/* Finds gap and slip and, unless H is NULL, the second derivative of the gap. */
static closed closed_of(const mbs_workspace *ws, const mbs_force *segment, const double *z, mbs_curvature *H) {
  closed c = {.slip = {0}};
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

/* ---- Equations ---- */

mbs_power mbs_ggl_add_contacts(const mbs_workspace *ws, const double *y, const double *z, double *out) {
  const mbs_model *model = ws->model;
  mbs_power power = {0};
  for (int k = 0; k < model->n_hard; k++) {
    const int first = mbs_ggl_first_of_contacts(model) + MBS_GGL_OF_CONTACT * k;
    const mbs_force *force = mbs_hard_force(ws, k);
    const double mode = mbs_hard_mode_in(force, z);
    const double *own = y + first;
    double *rows = out + first;
    for (int i = 0; i < MBS_GGL_OF_CONTACT; i++)
      rows[i] = -own[i];
    if (force->cable != NULL)
      power.driven -= own[MBS_GGL_NORMAL] * mbs_cable_free_length(force->cable, ws->unilateral->t).d[0];
    if (!mbs_hard_is_closed(mode))
      continue;
    const double friction = mbs_hard_direction(mode) * force->contact.friction;
    closed c = {.slip = {0}};
    for (int segment = mbs_n_row_segments(force, 0) - 1; segment >= 0; segment--) {
      c = closed_of(ws, &force[segment], z, NULL);
      for (int i = 0; i < 6; i++) {
        if (!mbs_has_coordinate(force[segment].body, i))
          continue;
        const int q = mbs_coordinate(force[segment].body, i);
        out[q] -= model->drift_weight[3 + q] * c.gap.J[i] * own[MBS_GGL_MU];
        out[3 * model->n_bodies + q] += c.gap.J[i] * own[MBS_GGL_NORMAL] + c.slip.S[i] * own[MBS_GGL_TANGENTIAL];
      }
    }
    rows[MBS_GGL_NORMAL] = mbs_gap_at(force, ws->frames, z, ws->unilateral->t, &rows[MBS_GGL_MU]);
    rows[MBS_GGL_TANGENTIAL] =
        mode == MBS_HARD_STICKS ? c.slip.u : -own[MBS_GGL_TANGENTIAL] - friction * own[MBS_GGL_NORMAL];
    if (friction != 0)
      power.dissipated -= own[MBS_GGL_TANGENTIAL] * c.slip.u;
  }
  return power;
}

/* ---- Derivatives ---- */

/* Adds the derivatives of contact forces by q to ∂f/∂y. If the contact is open, adds zeros, so that the pattern never
 * changes. */
static void add_curvature(seam_pattern *s, const mbs_model *model, const mbs_force *force, const mbs_curvature *H,
                          const closed *c, const double *own) {
  const int n = 3 * model->n_bodies;
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++) {
      if (!mbs_has_coordinate(force->body, i) || !mbs_has_coordinate(force->body, j))
        continue;
      const int row = mbs_coordinate(force->body, i);
      const int column = mbs_coordinate(force->body, j);
      seam_pattern_add(s, row, column, -model->drift_weight[3 + row] * H->H[i][j] * own[MBS_GGL_MU]);
      seam_pattern_add(s, n + row, column,
                       H->H[i][j] * own[MBS_GGL_NORMAL] + c->slip.D[i][j] * own[MBS_GGL_TANGENTIAL]);
    }
}

static void add_rows(seam_pattern *s, const mbs_model *model, const mbs_force *force, const closed *c, int first,
                     bool sticks) {
  const int n = 3 * model->n_bodies;
  for (int i = 0; i < 6; i++) {
    if (!mbs_has_coordinate(force->body, i))
      continue;
    const int q = mbs_coordinate(force->body, i);
    seam_pattern_add(s, q, first + MBS_GGL_MU, -model->drift_weight[3 + q] * c->gap.J[i]);
    seam_pattern_add(s, n + q, first + MBS_GGL_NORMAL, c->gap.J[i]);
    seam_pattern_add(s, n + q, first + MBS_GGL_TANGENTIAL, c->slip.S[i]);
    seam_pattern_add(s, first + MBS_GGL_NORMAL, q, c->gap.J[i]);
    seam_pattern_add(s, first + MBS_GGL_MU, q, c->gap.Jdot[i]);
    seam_pattern_add(s, first + MBS_GGL_MU, n + q, c->gap.J[i]);
    seam_pattern_add(s, first + MBS_GGL_TANGENTIAL, q, sticks ? c->slip.by_q[i] : 0);
    seam_pattern_add(s, first + MBS_GGL_TANGENTIAL, n + q, sticks ? c->slip.S[i] : 0);
  }
}

void mbs_ggl_add_contact_entries(seam_pattern *s, const mbs_workspace *ws, const double *y, const double *z) {
  const mbs_model *model = ws->model;
  for (int k = 0; k < model->n_hard; k++) {
    const int first = mbs_ggl_first_of_contacts(model) + MBS_GGL_OF_CONTACT * k;
    const mbs_force *force = mbs_hard_force(ws, k);
    const double mode = mbs_hard_mode_in(force, z);
    const bool is_closed = mbs_hard_is_closed(mode);
    const bool sticks = mode == MBS_HARD_STICKS;
    for (int segment = 0; segment < mbs_n_row_segments(force, 0); segment++) {
      mbs_curvature H = {0};
      const closed c = is_closed ? closed_of(ws, &force[segment], z, &H) : (closed){.slip = {0}};
      add_curvature(s, model, &force[segment], &H, &c, y + first);
      add_rows(s, model, &force[segment], &c, first, sticks);
    }
    seam_pattern_add(s, first + MBS_GGL_NORMAL, first + MBS_GGL_NORMAL, is_closed ? 0 : -1);
    seam_pattern_add(s, first + MBS_GGL_MU, first + MBS_GGL_MU, is_closed ? 0 : -1);
    seam_pattern_add(s, first + MBS_GGL_TANGENTIAL, first + MBS_GGL_TANGENTIAL, sticks ? 0 : -1);
    seam_pattern_add(s, first + MBS_GGL_TANGENTIAL, first + MBS_GGL_NORMAL,
                     -mbs_hard_direction(mode) * force->contact.friction);
  }
}
