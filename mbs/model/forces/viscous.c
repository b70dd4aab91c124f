/* Viscous damping of one body against the ground, at its centre of mass: Q = -(d_x ẋ, d_y ẏ, d_φ ω). */
#include "mbs/model/force.h"

#include <stdint.h>
#include <string.h>

static void load(const mbs_force *force, const mbs_pair *pair, double t, const double *z, double Q[6],
                 mbs_power *power) {
  (void)t;
  (void)z;
  const mbs_frame *f = pair->frame[0];
  const double rate[3] = {f->vx, f->vy, f->omega};
  for (int i = 0; i < 3; i++) {
    Q[i] = -force->elastic[i].damping * rate[i];
    Q[3 + i] = 0;
    power->dissipated -= Q[i] * rate[i];
  }
}

static void add_loads(const mbs_force *forces, int n, const mbs_frame *frames, double *Q, mbs_power *power) {
  mbs_power sum = *power;
  for (const mbs_force *force = forces; force < forces + n; force++) {
    const mbs_pair pair = mbs_force_pair(force, frames);
    double of_force[6];
    load(force, &pair, 0, NULL, of_force, &sum);
    for (int i = 0; i < 3; i++)
      Q[3 * force->body[0] + i] += of_force[i];
  }
  *power = sum;
}

static void derivatives(const mbs_force *force, const mbs_pair *pair, double t, const double *z, double Kq[6][6],
                        double Kv[6][6]) {
  (void)pair;
  (void)t;
  (void)z;
  memset(Kq, 0, 36 * sizeof(double));
  memset(Kv, 0, 36 * sizeof(double));
  for (int i = 0; i < 3; i++)
    Kv[i][i] = -force->elastic[i].damping;
}

const mbs_force_type mbs_force_viscous = {
    .min_bodies = 1,
    .max_bodies = SIZE_MAX,
    .is_of_each_body = true,
    .load = load,
    .add_loads = add_loads,
    .derivatives = derivatives,
    .is_steady = true,
};
