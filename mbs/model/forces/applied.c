/* Loads on one body. a is the offset of the marker from the centre of mass r. */
#include <stdint.h>
#include <string.h>

#include "mbs/model/forces/along.h"

/* ---- Force ---- */

/* A force f at a marker. Its components X and Y are laws of time or of quantities, in global or body axes:
 *
 *   f = (X, Y) or R(φ) (X, Y),   Q = (f, a × f),   driven power f · (ṙ + ω a⊥) */

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

static void load_force(const mbs_force *force, const mbs_pair *pair, double t, const double *z, double Q[6],
                       mbs_power *power) {
  const mbs_frame *body = pair->frame[0];
  const mbs_vector f = force_at(force, pair, t, z);
  mbs_load_of_force(pair, f, Q);
  power->driven += f.x * body->vx + f.y * body->vy + Q[2] * body->omega;
}

static void force_derivatives(const mbs_force *force, const mbs_pair *pair, double t, const double *z, double Kq[6][6],
                              double Kv[6][6]) {
  const mbs_vector a = mbs_rotate(pair->frame[0], pair->marker[0]);
  const mbs_vector f = force_at(force, pair, t, z);
  mbs_no_derivatives(force, pair, t, z, Kq, Kv);
  if (force->body_axes) { /* force and arm rotate together: constant torque */
    Kq[0][2] = -f.y;
    Kq[1][2] = f.x;
  } else {
    Kq[2][2] = -mbs_dot(a, f);
  }
}

static void force_unit_load(const mbs_force *force, const mbs_pair *pair, int component, const double *z,
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
    .unit_load = force_unit_load,
    .load = load_force,
    .derivatives = force_derivatives,
};

/* ---- Torque ---- */

/* A torque τ, a law of time or of quantities: Q_φ = τ, driven power τ ω. */

static void load_torque(const mbs_force *force, const mbs_pair *pair, double t, const double *z, double Q[6],
                        mbs_power *power) {
  memset(Q, 0, 6 * sizeof *Q);
  Q[2] = force->law[0] >= 0 ? *z : force->load[0].value(force->load[0].data, (double[2]){t, 0});
  power->driven += Q[2] * pair->frame[0]->omega;
}

static void torque_unit_load(const mbs_force *force, const mbs_pair *pair, int component, const double *z,
                             double unit_load[6]) {
  (void)force, (void)pair, (void)component, (void)z;
  memset(unit_load, 0, 6 * sizeof *unit_load);
  unit_load[2] = 1;
}

const mbs_force_type mbs_force_torque = {
    .min_bodies = 1,
    .max_bodies = 1,
    .may_have_law = true,
    .needs_law = true,
    .n_laws = 1,
    .unit_load = torque_unit_load,
    .load = load_torque,
    .derivatives = mbs_no_derivatives,
    .is_steady = true,
};

/* ---- Wrench of a port ---- */

/* A wrench on a marker, an input of a part of a mechanism: the port's frame holds (fx, fy, τ) in place of a pose. With
 * f = (fx, fy), and the marker's offset a from the centre of mass:
 *
 *   Q = (f, τ + a × f), ∂Q_φ/∂φ = -a · f, ∂Q/∂(f, τ): the last three columns of Kq */

static void load_port(const mbs_force *force, const mbs_pair *pair, double t, const double *z, double Q[6],
                      mbs_power *power) {
  (void)force, (void)t, (void)z;
  const mbs_frame *body = pair->frame[0];
  const mbs_vector f = {pair->frame[1]->x, pair->frame[1]->y};
  mbs_load_of_force(pair, f, Q);
  Q[2] += pair->frame[1]->phi;
  power->driven += f.x * body->vx + f.y * body->vy + Q[2] * body->omega;
}

static void port_derivatives(const mbs_force *force, const mbs_pair *pair, double t, const double *z, double Kq[6][6],
                             double Kv[6][6]) {
  const mbs_vector a = mbs_rotate(pair->frame[0], pair->marker[0]);
  const mbs_vector f = {pair->frame[1]->x, pair->frame[1]->y};
  mbs_no_derivatives(force, pair, t, z, Kq, Kv);
  Kq[2][2] = -mbs_dot(a, f);
  Kq[0][3] = Kq[1][4] = Kq[2][5] = 1;
  Kq[2][3] = -a.y;
  Kq[2][4] = a.x;
}

const mbs_force_type mbs_port_wrench = {.load = load_port, .derivatives = port_derivatives};

/* ---- Viscous damping ---- */

/* Viscous damping against the ground, at the centre of mass: Q = -(d_x ẋ, d_y ẏ, d_φ ω). */

static void load_viscous(const mbs_force *force, const mbs_pair *pair, double t, const double *z, double Q[6],
                         mbs_power *power) {
  (void)t, (void)z;
  const mbs_frame *f = pair->frame[0];
  const double rate[3] = {f->vx, f->vy, f->omega};
  for (int i = 0; i < 3; i++) {
    Q[i] = -force->elastic[i].damping * rate[i];
    Q[3 + i] = 0;
    power->dissipated -= Q[i] * rate[i];
  }
}

static void add_viscous(const mbs_force *forces, int n, const mbs_frame *frames, double *Q, mbs_power *power) {
  mbs_power sum = *power;
  for (const mbs_force *force = forces; force < forces + n; force++) {
    const mbs_pair pair = mbs_force_pair(force, frames);
    double of_force[6];
    load_viscous(force, &pair, 0, NULL, of_force, &sum);
    for (int i = 0; i < 3; i++)
      Q[3 * force->body[0] + i] += of_force[i];
  }
  *power = sum;
}

static void viscous_derivatives(const mbs_force *force, const mbs_pair *pair, double t, const double *z,
                                double Kq[6][6], double Kv[6][6]) {
  mbs_no_derivatives(force, pair, t, z, Kq, Kv);
  for (int i = 0; i < 3; i++)
    Kv[i][i] = -force->elastic[i].damping;
}

const mbs_force_type mbs_force_viscous = {
    .min_bodies = 1,
    .max_bodies = SIZE_MAX,
    .is_of_each_body = true,
    .load = load_viscous,
    .add_loads = add_viscous,
    .derivatives = viscous_derivatives,
    .is_steady = true,
};
