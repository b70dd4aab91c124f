#include <math.h>
#include <string.h>

#include "mbs/model/forces/contact.h"
#include "mbs/model/unilateral.h"
#include "mbs/stages/contact_kinematics.h"
#include "mbs/stages/stages.h"

static double sum_of_sizes(const double *J, const mbs_pair *pair) {
  double sum = 0;
  for (int side = 0; side < 2; side++, J += 3) {
    const mbs_frame *f = pair->frame[side];
    sum += fabs(J[0] * f->vx) + fabs(J[1] * f->vy) + fabs(J[2] * f->omega);
  }
  return sum;
}

mbs_contact_kinematics mbs_contact_kinematics_of(const mbs_force *force, const mbs_pair *pair) {
  mbs_relative_coordinate gap;
  force->type->find_coordinates(force, pair, &gap);
  const mbs_slip slip = force->type->slips ? mbs_contact_slip(force, pair, &gap) : (mbs_slip){0};
  mbs_contact_kinematics kinematics = {.gap = gap.s, .rate = mbs_relative_rate(&gap, pair), .slip = slip.u};
  memcpy(kinematics.row[0], gap.J, sizeof gap.J);
  memcpy(kinematics.row[1], slip.S, sizeof slip.S);
  memcpy(kinematics.slip_by_q, slip.by_q, sizeof slip.by_q);
  kinematics.convection[0] = mbs_relative_convection(&gap, pair);
  kinematics.convection[1] = mbs_row_rate(slip.by_q, pair);
  /* sizes of the terms of convection, for its round-off: points of contact rotate with the bodies, and rows change */
  const double rotation_rate = fmax(fabs(pair->frame[0]->omega), fabs(pair->frame[1]->omega));
  const double rotation_terms =
      rotation_rate * (sum_of_sizes(kinematics.row[0], pair) + sum_of_sizes(kinematics.row[1], pair));
  kinematics.size[0] = rotation_terms + sum_of_sizes(gap.Jdot, pair);
  kinematics.size[1] = rotation_terms + sum_of_sizes(slip.by_q, pair);
  return kinematics;
}

static mbs_contact_kinematics of_cable(mbs_unilateral *self, const mbs_frame *frames, const mbs_force *first) {
  const mbs_cable_slack slack = mbs_cable_slack_of(first, frames, self->z, self->t);
  mbs_contact_kinematics kinematics = {
      .gap = slack.gap, .rate = slack.rate, .drive = slack.drive, .convection = {slack.second}};
  if (self->is_frozen) {
    kinematics.rate -= slack.drive;
    kinematics.drive = kinematics.convection[0] = 0;
  }
  kinematics.size[0] = fabs(kinematics.convection[0]);
  for (int k = 0; k < first->cable->n_spans; k++) {
    const mbs_pair pair = mbs_force_pair(&first[k], frames);
    mbs_relative_coordinate row;
    mbs_cable_row(&first[k], frames, self->z, &row, NULL);
    memcpy(k == 0 ? kinematics.row[0] : self->segment[first[k].hard], row.J, sizeof row.J);
    kinematics.convection[0] += mbs_relative_convection(&row, &pair);
    kinematics.size[0] += fmax(fabs(pair.frame[0]->omega), fabs(pair.frame[1]->omega)) * sum_of_sizes(row.J, &pair) +
                          sum_of_sizes(row.Jdot, &pair);
  }
  return kinematics;
}

void mbs_contact_update_kinematics(mbs_workspace *ws, int contact) {
  const mbs_force *force = mbs_hard_force(ws, contact);
  const mbs_pair pair = mbs_force_pair(force, ws->frames);
  ws->unilateral->kinematics[contact] =
      force->cable != NULL ? of_cable(ws->unilateral, ws->frames, force) : mbs_contact_kinematics_of(force, &pair);
}

void mbs_contact_kinematics_all(mbs_workspace *ws) {
  for (int k = 0; k < ws->unilateral->n; k++)
    mbs_contact_update_kinematics(ws, k);
}

void mbs_contact_kinematics_closed(mbs_workspace *ws) {
  for (int k = 0; k < ws->unilateral->n; k++)
    if (mbs_hard_is_closed(ws->unilateral->mode[k]))
      mbs_contact_update_kinematics(ws, k);
}

double mbs_free_response(const mbs_workspace *ws, int contact, int number, const double row[6]) {
  const mbs_force *force = mbs_hard_force(ws, contact);
  double response = 0;
  for (int k = 0; k < mbs_n_row_segments(force, number); k++) {
    const mbs_row_segment segment = mbs_row_segment_of(ws->unilateral, force, row, k);
    for (int i = 0; i < 6; i++)
      response += ws->model->inverse_mass[3 * segment.body[i / 3] + i % 3] * segment.row[i] * segment.row[i];
  }
  return response;
}

double mbs_row_times(const mbs_force *force, const double row[6], const double *x) {
  double of[6];
  mbs_gather(force->body, x, of);
  return mbs_dot6(row, of);
}

double mbs_contact_times(const mbs_workspace *ws, int contact, int number, const double row[6], const double *x) {
  const mbs_force *force = mbs_hard_force(ws, contact);
  double sum = 0;
  for (int k = 0; k < mbs_n_row_segments(force, number); k++)
    sum += mbs_row_times(&force[k], mbs_row_segment_of(ws->unilateral, force, row, k).row, x);
  return sum;
}

double mbs_contact_rate(const mbs_workspace *ws, int contact, int number, const double *v) {
  const mbs_contact_kinematics *kinematics = &ws->unilateral->kinematics[contact];
  return mbs_contact_times(ws, contact, number, kinematics->row[number], v) + (number == 0 ? kinematics->drive : 0);
}

double mbs_contact_second_rate(const mbs_workspace *ws, int contact, int number, const double *a) {
  const mbs_contact_kinematics *kinematics = &ws->unilateral->kinematics[contact];
  return mbs_contact_times(ws, contact, number, kinematics->row[number], a) + kinematics->convection[number];
}

void mbs_contact_influence(mbs_workspace *ws, int contact, int number, const double load[6], double *a,
                           double *lambda) {
  const mbs_force *force = mbs_hard_force(ws, contact);
  memset(a, 0, 3 * (size_t)ws->model->n_bodies * sizeof *a);
  for (int k = 0; k < mbs_n_row_segments(force, number); k++)
    mbs_add_free_influence(ws->model, &force[k], mbs_row_segment_of(ws->unilateral, force, load, k).row, a);
  mbs_close_influence(ws, a, lambda);
}

double mbs_influence_on(const mbs_workspace *ws, int contact, int number, const double row[6], int from,
                        const double *a) {
  const mbs_force *one = mbs_hard_force(ws, contact);
  const mbs_force *other = mbs_hard_force(ws, from);
  bool meet = ws->model->n_rows > 0 || one->cable != NULL || other->cable != NULL;
  for (int i = 0; i < 4 && !meet; i++)
    meet = one->body[i / 2] != 0 && one->body[i / 2] == other->body[i % 2];
  return meet ? mbs_contact_times(ws, contact, number, row, a) : 0;
}

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
