/* Force at a marker of one body, with the arm a from the centre of mass r; its components X and Y are laws of time or
 * of quantities, in global or body axes:
 *
 *   f = (X, Y) or R(φ) (X, Y),   Q = (f, a × f),   driven power f · (ṙ + ω a⊥) */
#include "mbs/model/force.h"

static mbs_vector along_axes(const mbs_force *force, const mbs_pair *pair, mbs_vector f) {
  return force->body_axes ? mbs_rotate(pair->frame[0], f) : f;
}

static mbs_vector force_at(const mbs_force *force, const mbs_pair *pair, double t, const double *z) {
  double f[2];
  for (int k = 0; k < 2; k++) {
    const seam_law *law = &force->load[k];
    f[k] = force->law[k] >= 0 ? z[k] : law->value == NULL ? 0 : law->value(law->data, (double[2]){t, 0});
  }
  return along_axes(force, pair, (mbs_vector){f[0], f[1]});
}

static void load(const mbs_force *force, const mbs_pair *pair, double t, const double *z, double Q[6],
                 mbs_power *power) {
  const mbs_frame *body = pair->frame[0];
  const mbs_vector f = force_at(force, pair, t, z);
  mbs_load_of_force(pair, f, Q);
  power->driven += f.x * body->vx + f.y * body->vy + Q[2] * body->omega;
}

static void derivatives(const mbs_force *force, const mbs_pair *pair, double t, const double *z, double Kq[6][6],
                        double Kv[6][6]) {
  const mbs_vector a = mbs_rotate(pair->frame[0], pair->marker[0]);
  const mbs_vector f = force_at(force, pair, t, z);
  memset(Kq, 0, 36 * sizeof(double));
  memset(Kv, 0, 36 * sizeof(double));
  if (force->body_axes) { /* force and arm rotate together: constant torque */
    Kq[0][2] = -f.y;
    Kq[1][2] = f.x;
  } else {
    Kq[2][2] = -mbs_dot(a, f);
  }
}

static void unit_load(const mbs_force *force, const mbs_pair *pair, int component, const double *z,
                      double unit_load[6]) {
  (void)z;
  mbs_load_of_force(pair, along_axes(force, pair, (mbs_vector){component == 0, component == 1}), unit_load);
}

const mbs_force_type mbs_force_force = {
    .min_bodies = 1,
    .max_bodies = 1,
    .has_markers = true,
    .may_have_law = true,
    .n_laws = 2,
    .unit_load = unit_load,
    .load = load,
    .derivatives = derivatives,
};
