/* The coordinate of a stop, its rate, and the force or torque P of Q = P Jᵀ: P = -Σ σ F(σ s - σ a, σ ṡ), σ = 1 at the
 * lower bound a and -1 at the upper one. */
#include "mbs/model/elastic.h"
#include "mbs/model/forces/stop.h"
#include "mbs/model/quantity.h"
#include "mbs/model/workspace.h"
#include "mbs/output/measurements.h"

typedef struct stopped {
  mbs_measure m[3];
  mbs_pair pair;
  double sense[2];
  int n;
  seam_jet F[2];
} stopped;

static stopped stopped_of(const mbs_workspace *ws, const mbs_state *state, int number) {
  const mbs_force *force = &ws->model->forces[number];
  stopped at = {.pair = mbs_force_pair(force, ws->frames)};
  at.n = mbs_stop_senses(force, at.sense);
  force->type->measure(force, &at.pair, at.m);
  for (int k = 0; k < at.n; k++)
    at.F[k] = mbs_elastic_jet(&force->elastic[k], at.m[k].s - force->rest[k], mbs_measure_rate(&at.m[k], &at.pair),
                              mbs_held_mode_in(force, state, k));
  return at;
}

static void find_stop(const mbs_workspace *ws, const mbs_state *state, const mbs_direction *along, int number,
                      double *values) {
  const stopped at = stopped_of(ws, state, number);
  values[0] = at.sense[0] * at.m[0].s;
  values[1] = at.sense[0] * mbs_measure_rate(&at.m[0], &at.pair);
  values[2] = 0;
  for (int k = 0; k < at.n; k++) {
    double ds[2];
    if (along == NULL) {
      values[2] -= at.sense[k] * at.F[k].value;
      continue;
    }
    mbs_gap_change(&at.m[k], ws->model->forces[number].body, along, ds);
    values[0] = at.sense[k] * ds[0];
    values[1] = at.sense[k] * ds[1];
    values[2] -= at.sense[k] * (at.F[k].d[0] * ds[0] + at.F[k].d[1] * ds[1]);
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
