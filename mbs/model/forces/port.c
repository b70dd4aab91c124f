/* Wrench on a marker, which is an input of a part of a mechanism: the frame of the port contains (fx, fy, τ) in place
 * of a pose. With f = (fx, fy) and the offset a of the marker from the centre of mass:
 *
 *   Q = (f, τ + a × f), ∂Q_φ/∂φ = -a · f, ∂Q/∂(f, τ): the last three columns of Kq */
#include "mbs/model/force.h"

static void load(const mbs_force *force, const mbs_pair *pair, double t, const double *z, double Q[6],
                 mbs_power *power) {
  (void)force;
  (void)t;
  (void)z;
  const mbs_frame *body = pair->frame[0];
  const mbs_vector f = {pair->frame[1]->x, pair->frame[1]->y};
  mbs_load_of_force(pair, f, Q);
  Q[2] += pair->frame[1]->phi;
  power->driven += f.x * body->vx + f.y * body->vy + Q[2] * body->omega;
}

static void derivatives(const mbs_force *force, const mbs_pair *pair, double t, const double *z, double Kq[6][6],
                        double Kv[6][6]) {
  (void)force;
  (void)t;
  (void)z;
  const mbs_vector a = mbs_rotate(pair->frame[0], pair->marker[0]);
  const mbs_vector f = {pair->frame[1]->x, pair->frame[1]->y};
  memset(Kq, 0, 36 * sizeof(double));
  memset(Kv, 0, 36 * sizeof(double));
  Kq[2][2] = -mbs_dot(a, f);
  Kq[0][3] = Kq[1][4] = Kq[2][5] = 1;
  Kq[2][3] = -a.y;
  Kq[2][4] = a.x;
}

const mbs_force_type mbs_port_wrench = {.load = load, .derivatives = derivatives};
