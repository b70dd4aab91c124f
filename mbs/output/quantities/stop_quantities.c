/* Quantities of stops and hard ropes: the coordinate s, its rate, and the force or torque P along s (Q = P Jᵀ). s of a
 * rope is the distance of its ends. */
#include <math.h>

#include "mbs/model/elastic.h"
#include "mbs/model/forces/stop.h"
#include "mbs/model/unilateral.h"
#include "mbs/output/measurements.h"

/* ---- Elastic stop ---- */

/* P = -Σ σ F(σ (s - a), σ ṡ) over the bounds a of the stop. F is the elastic law of a bound; σ = 1 at the lower bound,
 * -1 at the upper bound. */
static void find_stop(const mbs_reading *at, int number, double *values) {
  const mbs_force *force = &at->ws->model->forces[number];
  const mbs_pair pair = mbs_force_pair(force, at->ws->frames);
  mbs_relative_coordinate m[3];
  double sense[2];
  const int n = mbs_stop_senses(force, sense);
  force->type->find_coordinates(force, &pair, m);
  values[0] = sense[0] * m[0].s;
  values[1] = sense[0] * mbs_relative_rate(&m[0], &pair);
  values[2] = 0;
  for (int k = 0; k < n; k++) {
    const seam_jet F = mbs_elastic_jet(&force->elastic[k], m[k].s - force->rest[k], mbs_relative_rate(&m[k], &pair),
                                       mbs_mode_along_in(force, at->state, k));
    double ds[2];
    if (at->along == NULL) {
      values[2] -= sense[k] * F.value;
      continue;
    }
    mbs_gap_change(&m[k], force->body, at->along, ds);
    values[0] = sense[k] * ds[0];
    values[1] = sense[k] * ds[1];
    values[2] -= sense[k] * (F.d[0] * ds[0] + F.d[1] * ds[1]);
  }
}

const mbs_quantity_group mbs_quantity_stop = {
    .n = 3,
    .row = {{"position", "m", "distance or slide that is stopped"},
            {"rate", "m/s", "rate of the position"},
            {"force", "N", "force that drives the position up: positive at the lower stop"}},
    .needs = MBS_FRAMES,
    .find = find_stop,
};

const mbs_quantity_group mbs_quantity_angle_stop = {
    .n = 3,
    .row = {{"angle", "rad", "angle of the second body against the first"},
            {"omega", "rad/s", "rate of the angle"},
            {"torque", "Nm", "torque that drives the angle up: positive at the lower stop"}},
    .needs = MBS_FRAMES,
    .find = find_stop,
};

/* ---- Hard stop and hard rope ---- */

enum { POSITION, RATE, FORCE, MODE, N_STOP };

/* Forces are multipliers. A change of the state does not determine their changes: NaN. */
static void find_hard(const mbs_reading *at, int number, double *values) {
  const mbs_force *force = &at->ws->model->forces[number];
  const mbs_pair pair = mbs_force_pair(force, at->ws->frames);
  mbs_relative_coordinate s;
  mbs_stop_coordinate(force, &pair, &s);
  if (at->along != NULL) {
    mbs_gap_change(&s, force->body, at->along, values);
    values[FORCE] = NAN;
    values[MODE] = 0;
    return;
  }
  values[POSITION] = s.s;
  values[RATE] = mbs_relative_rate(&s, &pair);
  values[FORCE] = mbs_hard_stop_sense(force, &pair) * at->state->contact[2 * force->hard] + 0.0; /* -0 becomes 0 */
  values[MODE] = force->has_modes ? at->state->z[force->state] : 0;
}

#define MODES                                                                                                          \
  { "mode", "", "1 open, 2 at its bound without a force, 3 closed" }

static const mbs_quantity_group hard_stop = {
    .n = N_STOP,
    .row = {{"position", "m", "distance or slide that is stopped"},
            {"rate", "m/s", "rate of the position"},
            {"force", "N", "force that drives the position up: positive at the lower stop"},
            MODES},
    .needs_dynamics = 1U << FORCE,
    .needs = MBS_FRAMES,
    .find = find_hard,
};
static const mbs_quantity_group hard_angle_stop = {
    .n = N_STOP,
    .row = {{"angle", "rad", "angle of the second body against the first"},
            {"omega", "rad/s", "rate of the angle"},
            {"torque", "Nm", "torque that drives the angle up: positive at the lower stop"},
            MODES},
    .needs_dynamics = 1U << FORCE,
    .needs = MBS_FRAMES,
    .find = find_hard,
};

enum { STRETCH = N_STOP, FX, FY, N_ROPE };

static void find_rope(const mbs_reading *at, int number, double *values) {
  const mbs_force *force = &at->ws->model->forces[number];
  const mbs_pair pair = mbs_force_pair(force, at->ws->frames);
  mbs_relative_coordinate s;
  find_hard(at, number, values);
  mbs_stop_coordinate(force, &pair, &s);
  values[STRETCH] = at->along == NULL ? s.s - force->stop.upper : values[POSITION];
  values[FX] = at->along != NULL ? NAN : values[FORCE] != 0 ? s.J[0] * values[FORCE] : 0;
  values[FY] = at->along != NULL ? NAN : values[FORCE] != 0 ? s.J[1] * values[FORCE] : 0;
}

static const mbs_quantity_group hard_rope = {
    .n = N_ROPE,
    .row = {{"length", "m", "distance of its ends"},
            {"rate", "m/s", "rate of the length"},
            {"force", "N", "force that drives its length: negative where it pulls"},
            MODES,
            {"stretch", "m", "distance less the length of the rope"},
            {"fx", "N", "force on the first body"},
            {"fy", "N", "force on the first body"}},
    .needs_dynamics = 1U << FORCE | 1U << FX | 1U << FY,
    .needs = MBS_FRAMES,
    .find = find_rope,
};

const mbs_quantity_group *const mbs_quantities_of_hard_stop[] = {&hard_stop, &mbs_quantity_impacts, NULL};
const mbs_quantity_group *const mbs_quantities_of_hard_angle_stop[] = {&hard_angle_stop, &mbs_quantity_turning_impacts,
                                                                       NULL};
const mbs_quantity_group *const mbs_quantities_of_hard_rope[] = {&hard_rope, &mbs_quantity_impacts, NULL};
