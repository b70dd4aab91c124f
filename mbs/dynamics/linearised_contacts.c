/* Hard contacts (mbs/dynamics/contact_rows.h) in their modes, linearised at rest: normals N of closed contacts and
 * tangents T of sticking ones are constraints like those of joints,
 *
 *   N δa = -(∂(vᵀ H v)/∂q + H a) δq - 2 Ṅ δv,   T δa = -(D a) δq,   K gets λ_N H + λ_T D
 *
 * with H of the gap and D = ∂Tᵀ/∂q of the slip. */
#include <math.h>

#include "mbs/dynamics/contact_rows.h"
#include "mbs/dynamics/linearised.h"
#include "mbs/model/forces/contact.h"
#include "mbs/model/unilateral.h"
#include "mbs/model/workspace.h"

/* ---- Coefficients ---- */

static void take_normal(const mbs_measure *gap, const mbs_curvature *H, const double a[6], mbs_row *row) {
  for (int j = 0; j < 6; j++) {
    row->G[j] = gap->J[j];
    row->Jdot[j] = gap->Jdot[j];
    row->gamma_q[j] = -H->T[j];
    for (int i = 0; i < 6; i++)
      row->gamma_q[j] -= a[i] * H->H[i][j];
  }
}

static void take_tangent(const mbs_slip *slip, const double a[6], mbs_row *row) {
  for (int j = 0; j < 6; j++) {
    row->G[j] = slip->S[j];
    row->Jdot[j] = row->gamma_q[j] = 0;
    for (int i = 0; i < 6; i++)
      row->gamma_q[j] -= a[i] * slip->D[i][j];
  }
}

void mbs_linearise_contacts(mbs_linearised *self, const mbs_workspace *ws, const mbs_state *now) {
  const mbs_unilateral *contacts = ws->unilateral;
  self->n_frozen = contacts->n_held;
  for (int r = 0; r < contacts->n_held; r++) {
    const int k = contacts->held[r] / 2;
    const mbs_force *force = mbs_hard_force(ws, k);
    const mbs_pair pair = mbs_force_pair(force, ws->frames);
    mbs_measure gap;
    mbs_curvature H = {0};
    mbs_slip slip = {0};
    double a[6];
    mbs_gather(force->body, now->a, a);
    force->type->measure(force, &pair, &gap);
    force->type->curvature(force, &pair, &H);
    if (force->type->slips)
      slip = mbs_contact_slip(force, &pair, &gap);
    mbs_gradient *of_force = &self->forces[self->model->hard[k]];
    const double N = contacts->held[r] % 2 == 0 ? contacts->force[2 * k] : 0;
    const double T = contacts->held[r] % 2 == 0 ? contacts->force[2 * k + 1] : 0;
    for (int i = 0; i < 36; i++) /* derivatives() of a hard contact set K = 0 */
      of_force->K[i / 6][i % 6] += N * H.H[i / 6][i % 6] + T * slip.D[i / 6][i % 6];
    self->frozen[r].body = force->body;
    if (contacts->held[r] % 2 == 0)
      take_normal(&gap, &H, a, &self->frozen[r].row);
    else
      take_tangent(&slip, a, &self->frozen[r].row);
  }
}

/* ---- Solution ---- */

void mbs_linearised_contacts_close(const mbs_linearised *self, mbs_workspace *ws, const double *dq, const double *dv,
                                   double *da, double *dlambda) {
  double delta[6];
  for (int r = 0; r < self->n_frozen; r++) {
    const mbs_frozen_row *frozen = &self->frozen[r];
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
    ws->unilateral->right[r] = second - mbs_dot6(frozen->row.G, delta);
  }
  mbs_unilateral_add_right(ws, da, dlambda);
}

/* ---- Refusal ---- */

seam_status mbs_refuse_sliding(const mbs_workspace *ws, const mbs_state *now, seam_error *error) {
  bool moves = false;
  for (int i = 0; i < 3 * ws->model->n_bodies; i++)
    moves = moves || now->v[i] != 0;
  for (int k = 0; ws->unilateral != NULL && k < ws->unilateral->n; k++) {
    const mbs_force *force = mbs_hard_force(ws, k);
    const double mode = ws->unilateral->mode[k];
    if (mbs_hard_direction(mode) != 0 || (moves && mbs_hard_is_closed(mode)))
      return seam_fail(error, SEAM_BAD_INPUT,
                       "hard %s '%s' %s, where the linearised mechanism is not known: linearise at rest ('start: "
                       "static'), or leave out 'hard'",
                       mbs_hard_noun(force), force->name,
                       mbs_hard_direction(mode) != 0 ? "slides, or is about to" : "is closed while bodies move");
  }
  return SEAM_OK;
}
