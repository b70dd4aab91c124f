/* Hard contacts (mbs/dynamics/contact_rows.h), linearised with constant modes and without sliding. The normal rows N of
 * closed contacts and the tangential rows T of sticking contacts are constraints like those of joints,
 *
 *   N δa = -(∂(vᵀ H v)/∂q + H a) δq - 2 Ṅ δv,   T δa = -(D a) δq
 *
 * and λ_N H + λ_T D is added to K. H is the second derivative of the gap by q, T v the slip, and D = ∂Tᵀ/∂q. */
#include <math.h>

#include "mbs/dynamics/contact_rows.h"
#include "mbs/dynamics/linearised.h"
#include "mbs/model/forces/contact.h"
#include "mbs/model/unilateral.h"

/* ---- Coefficients ---- */

/* Linearises one segment of row `number` of a contact (0: normal, 1: tangent). f: λ_N and λ_T for the normal row,
 * but zeros for the tangential row, so that λ_N H + λ_T D is added to K only once. */
static void linearise_segment(mbs_linearised *self, const mbs_workspace *ws, const mbs_state *now,
                              const mbs_force *segment, int number, const double f[2], mbs_row *row) {
  const mbs_pair pair = mbs_force_pair(segment, ws->frames);
  mbs_relative_coordinate gap;
  mbs_curvature H = {0};
  mbs_slip slip = {0};
  double a[6];
  mbs_gather(segment->body, now->a, a);
  if (segment->cable != NULL)
    mbs_cable_row(segment, ws->frames, now->z, &gap, &H);
  else {
    segment->type->find_coordinates(segment, &pair, &gap);
    segment->type->curvature(segment, &pair, &H);
  }
  if (segment->type->slips)
    slip = mbs_contact_slip(segment, &pair, &gap);
  mbs_gradient *of_force = &self->forces[segment - self->model->forces];
  for (int i = 0; i < 36; i++) /* K was zero: derivatives() of a hard contact writes zeros */
    of_force->K[i / 6][i % 6] += f[0] * H.H[i / 6][i % 6] + f[1] * slip.D[i / 6][i % 6];
  for (int j = 0; j < 6; j++) {
    row->G[j] = number == 0 ? gap.J[j] : slip.S[j];
    row->Jdot[j] = number == 0 ? gap.Jdot[j] : 0;
    row->gamma_q[j] = number == 0 ? -H.T[j] : 0;
    for (int i = 0; i < 6; i++)
      row->gamma_q[j] -= a[i] * (number == 0 ? H.H[i][j] : slip.D[i][j]);
  }
}

void mbs_linearise_contacts(mbs_linearised *self, const mbs_workspace *ws, const mbs_state *now) {
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

/* ---- Solution ---- */

void mbs_linearised_contacts_close(const mbs_linearised *self, mbs_workspace *ws, const double *dq, const double *dv,
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
                       "hard %s '%s' %s, where the mechanism cannot be linearised: linearise at rest ('start: "
                       "static'), or leave out 'hard'",
                       mbs_hard_noun(force), force->name,
                       mbs_hard_direction(mode) != 0 ? "slides, or is about to" : "is closed while bodies move");
  }
  return SEAM_OK;
}
