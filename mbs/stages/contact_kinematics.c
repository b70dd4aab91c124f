/* Kinematics of hard contacts (mbs/dynamics/contact_rows.h), and effects of forces along their rows. */

#include <math.h>
#include <string.h>

#include "mbs/model/forces/contact.h"
#include "mbs/model/unilateral.h"
#include "mbs/model/workspace.h"
#include "mbs/stages/contact_kinematics.h"

static double sum_of_sizes(const double row[6], const mbs_pair *pair) {
  const double *J = row;
  double sum = 0;
  for (int side = 0; side < 2; side++, J += 3) {
    const mbs_frame *f = pair->frame[side];
    sum += fabs(J[0] * f->vx) + fabs(J[1] * f->vy) + fabs(J[2] * f->omega);
  }
  return sum;
}

/* Returns the sum of sizes of a convection's terms: points that turn with the bodies, rows that change. */
static double size_of_convection(const mbs_contact_kinematics *touch, const double change[6], const mbs_pair *pair) {
  const double turn = fmax(fabs(pair->frame[0]->omega), fabs(pair->frame[1]->omega));
  return turn * (sum_of_sizes(touch->row[0], pair) + sum_of_sizes(touch->row[1], pair)) + sum_of_sizes(change, pair);
}

mbs_contact_kinematics mbs_contact_kinematics_of(const mbs_force *force, const mbs_pair *pair) {
  mbs_measure gap;
  force->type->measure(force, pair, &gap);
  const mbs_slip slip = force->type->slips ? mbs_contact_slip(force, pair, &gap) : (mbs_slip){0};
  mbs_contact_kinematics touch = {.gap = gap.s, .rate = mbs_measure_rate(&gap, pair), .slip = slip.u};
  memcpy(touch.row[0], gap.J, sizeof gap.J);
  memcpy(touch.row[1], slip.S, sizeof slip.S);
  memcpy(touch.slip_by_q, slip.by_q, sizeof slip.by_q);
  touch.convection[0] = mbs_measure_convection(&gap, pair);
  touch.convection[1] = mbs_row_rate(slip.by_q, pair);
  touch.size[0] = size_of_convection(&touch, gap.Jdot, pair);
  touch.size[1] = size_of_convection(&touch, slip.by_q, pair);
  return touch;
}

static void touch(mbs_workspace *ws, int contact) {
  const mbs_pair pair = mbs_force_pair(mbs_hard_force(ws, contact), ws->frames);
  ws->unilateral->touch[contact] = mbs_contact_kinematics_of(mbs_hard_force(ws, contact), &pair);
}

void mbs_contact_kinematics_all(mbs_workspace *ws) {
  for (int k = 0; k < ws->unilateral->n; k++)
    touch(ws, k);
}

void mbs_contact_kinematics_closed(mbs_workspace *ws) {
  for (int k = 0; k < ws->unilateral->n; k++)
    if (mbs_hard_is_closed(ws->unilateral->mode[k]))
      touch(ws, k);
}

double mbs_free_response(const mbs_model *model, const mbs_force *force, const double row[6]) {
  double response = 0;
  for (int i = 0; i < 6; i++)
    response += model->inverse_mass[3 * force->body[i / 3] + i % 3] * row[i] * row[i];
  return response;
}

double mbs_row_times(const mbs_force *force, const double row[6], const double *x) {
  double of[6];
  mbs_gather(force->body, x, of);
  return mbs_dot6(row, of);
}

double mbs_influence_on(const mbs_workspace *ws, int contact, const double row[6], int from, const double *a) {
  const int *one = mbs_hard_force(ws, contact)->body;
  const int *other = mbs_hard_force(ws, from)->body;
  bool meet = ws->model->n_rows > 0;
  for (int i = 0; i < 4 && !meet; i++)
    meet = one[i / 2] != 0 && one[i / 2] == other[i % 2];
  return meet ? mbs_row_times(mbs_hard_force(ws, contact), row, a) : 0;
}

void mbs_unilateral_take_held(mbs_unilateral *self, const mbs_model *model, const double *z) {
  for (int k = 0; k < self->n; k++) {
    const double *of = z + model->forces[model->hard[k]].state;
    const double mode = mbs_hard_mode_in(of);
    self->held_at[k] = mode == MBS_HARD_STICKS ? of[MBS_HARD_HELD] : NAN;
    if (mode != MBS_BY_MOTION)
      self->mode[k] = mode;
  }
}

/* ---- Record in a state ---- */

mbs_impact_record mbs_impact_record_of(const mbs_model *model, const mbs_state *state, size_t force) {
  if (!mbs_force_of(model, force).has_impacts || !mbs_state_fits(model, state))
    return (mbs_impact_record){.first = NAN, .last = NAN};
  const double *z = state->z + model->forces[force].state;
  const bool any = z[MBS_HARD_COUNT] > 0;
  return (mbs_impact_record){.count = any ? (size_t)llround(z[MBS_HARD_COUNT]) : 0,
                             .first = any ? z[MBS_HARD_FIRST] : NAN,
                             .last = any ? z[MBS_HARD_LATEST] : NAN,
                             .normal = z[MBS_HARD_NORMAL],
                             .tangential = z[MBS_HARD_TANGENTIAL],
                             .loss = z[MBS_HARD_LOSS]};
}
