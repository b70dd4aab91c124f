/* Viscous damping of one body against the ground, at its centre of mass: Q = -(d_x ẋ, d_y ẏ, d_φ ω). */
#include "mbs/force.h"

#include <stdint.h>
#include <string.h>

static void load(const mbs_force *force, const mbs_pair *pair, double t, const double *z, double Q[6],
                 mbs_power *power) {
  (void)t;
  (void)z;
  const mbs_frame *f = pair->frame[0];
  const double rate[3] = {f->vx, f->vy, f->omega};
  memset(Q, 0, 6 * sizeof *Q);
  for (int i = 0; i < 3; i++) {
    Q[i] = -force->elastic[i].damping * rate[i];
    power->dissipated -= Q[i] * rate[i];
  }
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
    .derivatives = derivatives,
    .is_steady = true,
};
