/* The coordinate s of a stop, its rate, and the force or torque P along s (Q = P Jᵀ). P = -Σ σ F(σ (s - a), σ ṡ) over
 * the bounds a of the stop, with the elastic law F of a bound, and σ = 1 at the lower bound, -1 at the upper bound. */
#include "mbs/model/elastic.h"
#include "mbs/model/forces/stop.h"
#include "mbs/output/measurements.h"

static void find_stop(const mbs_workspace *ws, const mbs_state *state, const mbs_direction *along, int number,
                      double *values) {
  const mbs_force *force = &ws->model->forces[number];
  const mbs_pair pair = mbs_force_pair(force, ws->frames);
  mbs_relative_coordinate m[3];
  double sense[2];
  const int n = mbs_stop_senses(force, sense);
  force->type->find_coordinates(force, &pair, m);
  values[0] = sense[0] * m[0].s;
  values[1] = sense[0] * mbs_relative_rate(&m[0], &pair);
  values[2] = 0;
  for (int k = 0; k < n; k++) {
    const seam_jet F = mbs_elastic_jet(&force->elastic[k], m[k].s - force->rest[k], mbs_relative_rate(&m[k], &pair),
                                       mbs_mode_along_in(force, state, k));
    double ds[2];
    if (along == NULL) {
      values[2] -= sense[k] * F.value;
      continue;
    }
    mbs_gap_change(&m[k], force->body, along, ds);
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
