/* Torque on one body, a law of time or of quantities: Q_φ = τ, driven power τ ω. */
#include "mbs/model/forces/along.h"

#include <string.h>

static void load(const mbs_force *force, const mbs_pair *pair, double t, const double *z, double Q[6],
                 mbs_power *power) {
  memset(Q, 0, 6 * sizeof *Q);
  Q[2] = force->law[0] >= 0 ? *z : force->load[0].value(force->load[0].data, (double[2]){t, 0});
  power->driven += Q[2] * pair->frame[0]->omega;
}

static void unit_load(const mbs_force *force, const mbs_pair *pair, int component, const double *z,
                      double unit_load[6]) {
  (void)force;
  (void)pair;
  (void)component;
  (void)z;
  memset(unit_load, 0, 6 * sizeof *unit_load);
  unit_load[2] = 1;
}

const mbs_force_type mbs_force_torque = {
    .min_bodies = 1,
    .max_bodies = 1,
    .may_have_law = true,
    .needs_law = true,
    .n_laws = 1,
    .unit_load = unit_load,
    .load = load,
    .derivatives = mbs_no_derivatives,
    .is_steady = true,
};
