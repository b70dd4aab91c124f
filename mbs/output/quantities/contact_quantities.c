/* Quantities of contacts: gap, slip, forces, work and impacts. */
#include <math.h>

#include "mbs/model/forces/contact.h"
#include "mbs/model/unilateral.h"
#include "mbs/output/measurements.h"
#include "mbs/stages/contact_kinematics.h"

/* ---- Compliant contact ---- */

static void find_contact(const mbs_reading *at, int number, double *values) {
  const mbs_force *force = &at->ws->model->forces[number];
  const mbs_pair pair = mbs_force_pair(force, at->ws->frames);
  mbs_relative_coordinate gap;
  force->type->find_coordinates(force, &pair, &gap);
  const mbs_slip slip = mbs_contact_slip(force, &pair, &gap);
  const mbs_gradients normal = mbs_contact_normal(force, &pair, &gap, mbs_mode_along_in(force, at->state, 0));
  const mbs_gradients friction = mbs_contact_friction(force, &normal, &slip);
  double dq[6];
  double dv[6];
  if (at->along == NULL) {
    values[0] = gap.s;
    values[1] = mbs_relative_rate(&gap, &pair);
    values[2] = normal.value;
    values[3] = friction.value;
    return;
  }
  mbs_gap_change(&gap, force->body, at->along, values);
  mbs_gather(force->body, at->along->q, dq);
  mbs_gather(force->body, at->along->v, dv);
  values[2] = mbs_dot6(normal.by_q, dq) + mbs_dot6(normal.by_v, dv);
  values[3] = mbs_dot6(friction.by_q, dq) + mbs_dot6(friction.by_v, dv);
}

const mbs_quantity_group mbs_quantity_contact = {
    .n = 4,
    .row = {{"gap", "m", "distance of the surfaces, negative where they press"},
            {"rate", "m/s", "rate of the gap"},
            {"force", "N", "normal force, positive pushes the bodies apart"},
            {"friction", "N", "force on the second body along the line, or to the right of the way to it"}},
    .needs = MBS_FRAMES,
    .find = find_contact,
};

/* ---- Hard contact ---- */

enum { GAP, RATE, SLIP, FORCE, FRICTION, FX, FY, MODE };

/* Forces are multipliers. A change of the state does not determine their changes: NaN. */
static void find_hard(const mbs_reading *at, int number, double *values) {
  const mbs_force *force = &at->ws->model->forces[number];
  const mbs_pair pair = mbs_force_pair(force, at->ws->frames);
  const mbs_contact_kinematics kinematics = mbs_contact_kinematics_of(force, &pair);
  const double *of = at->state->contact + 2 * force->hard;
  mbs_relative_coordinate gap;
  double dq[6];
  double dv[6];
  if (at->along == NULL) {
    values[GAP] = kinematics.gap;
    values[RATE] = kinematics.rate;
    values[SLIP] = kinematics.slip;
    values[FORCE] = of[0];
    values[FRICTION] = of[1];
    values[FX] = kinematics.row[0][0] * of[0] + kinematics.row[1][0] * of[1];
    values[FY] = kinematics.row[0][1] * of[0] + kinematics.row[1][1] * of[1];
    values[MODE] = force->has_modes ? at->state->z[force->state] : 0;
    return;
  }
  force->type->find_coordinates(force, &pair, &gap);
  mbs_gather(force->body, at->along->q, dq);
  mbs_gather(force->body, at->along->v, dv);
  values[GAP] = mbs_dot6(kinematics.row[0], dq);
  values[RATE] = mbs_dot6(gap.Jdot, dq) + mbs_dot6(kinematics.row[0], dv);
  values[SLIP] = mbs_dot6(kinematics.slip_by_q, dq) + mbs_dot6(kinematics.row[1], dv);
  values[FORCE] = values[FRICTION] = values[FX] = values[FY] = NAN;
  values[MODE] = 0;
}

static const mbs_quantity_group hard_contact = {
    .n = MODE + 1,
    .row = {{"gap", "m", "distance of the surfaces"},
            {"rate", "m/s", "rate of the gap"},
            {"slip", "m/s", "velocity of the second body against the first at the point of contact, along the line"},
            {"force", "N", "normal force, positive pushes the bodies apart"},
            {"friction", "N", "force on the second body along the line, or to the right of the way to it"},
            {"fx", "N", "force on the first body"},
            {"fy", "N", "force on the first body"},
            {"mode", "",
             "1 open, 2 touching, 3 closed without friction, 4 sticking, 5 and 6 sliding forwards and "
             "backwards, 7 and 8 at the limit of sticking"}},
    .needs_dynamics = 1U << FORCE | 1U << FRICTION | 1U << FX | 1U << FY,
    .needs = MBS_FRAMES,
    .find = find_hard,
};

static void find_work(const mbs_reading *at, int number, double *values) {
  const mbs_force *force = &at->ws->model->forces[number];
  const mbs_pair pair = mbs_force_pair(force, at->ws->frames);
  const mbs_contact_kinematics kinematics = mbs_contact_kinematics_of(force, &pair);
  const double *of = at->state->contact + 2 * force->hard;
  values[0] = at->along == NULL ? of[0] * kinematics.rate + of[1] * kinematics.slip : NAN;
  values[1] = at->along == NULL ? -of[1] * kinematics.slip : NAN;
}

static const mbs_quantity_group work = {
    .n = 2,
    .row = {{"power", "W", "rate of its work on its bodies"}, {"loss", "W", "power lost in its friction"}},
    .needs_dynamics = 3,
    .needs = MBS_FRAMES,
    .find = find_work,
};

enum { IMPULSE, LOSS, COUNT, FRICTION_IMPULSE, N_IMPACTS };

static void find_impacts(const mbs_reading *at, int number, double *values) {
  const mbs_impact_record record = mbs_impact_record_of(at->ws->model, at->state, (size_t)number);
  const bool is_value = at->along == NULL;
  values[IMPULSE] = is_value ? record.normal : 0;
  values[LOSS] = is_value ? record.loss : 0;
  values[COUNT] = is_value ? (double)record.count : 0;
}

static void find_rubbing_impacts(const mbs_reading *at, int number, double *values) {
  find_impacts(at, number, values);
  values[FRICTION_IMPULSE] =
      at->along == NULL ? mbs_impact_record_of(at->ws->model, at->state, (size_t)number).tangential : 0;
}

#define SUMS(unit)                                                                                                     \
  {"impulse", unit, "sum of the impulses of all impacts so far, each positive"},                                       \
      {"impact_loss", "J", "energy that they took"}, {                                                                 \
    "impacts", "", "how many there were"                                                                               \
  }

const mbs_quantity_group mbs_quantity_impacts = {
    .n = FRICTION_IMPULSE, .row = {SUMS("Ns")}, .needs = MBS_STATE, .find = find_impacts};
const mbs_quantity_group mbs_quantity_turning_impacts = {
    .n = FRICTION_IMPULSE, .row = {SUMS("Nm s")}, .needs = MBS_STATE, .find = find_impacts};
static const mbs_quantity_group rubbing_impacts = {
    .n = N_IMPACTS,
    .row = {SUMS("Ns"), {"friction_impulse", "Ns", "sum of their impulses on the second body along the line"}},
    .needs = MBS_STATE,
    .find = find_rubbing_impacts};

const mbs_quantity_group *const mbs_quantities_of_hard_contact[] = {&hard_contact, &work, &rubbing_impacts, NULL};
