/* Compliant contact of a circle on the second body with a curve on the first: g = φ - r1 - r2, n = ∂φ (measure.c); r1
 * thickens the curve. At the point of contact c = p2 - ρ2 n, ρ2 = r2 + g/2, with w = r2 + a2 - r1 and t, which is n
 * turned to the right,
 *
 *   S = (-t, n · w - ρ2, t, -n · a2 + ρ2),   ∂n = -t Θ,  ∂t = n Θ,  Θ = ∂φ1 - b ∂p_t
 *
 * At g = 0, S is the derivative of a way. With the arc length σ of the foot and the angle θ by which the curve turns up
 * to the foot, the circle has rolled along the thickened curve by σ - r1 θ, and turned against it by φ2 - φ1 - θ:
 *
 *   w = ± σ + r2 (φ2 - φ1) - (r1 + r2) θ */
#include "mbs/model/forces/contact.h"

#include <math.h>

void mbs_contact_measure_curve(const mbs_force *force, const mbs_pair *pair, mbs_measure *gap) {
  mbs_measure_curve(pair, &force->curve, gap);
  gap->s -= force->radius[0] + force->radius[1];
}

void mbs_contact_curvature_curve(const mbs_force *force, const mbs_pair *pair, mbs_curvature *curvature) {
  mbs_curvature_curve(pair, &force->curve, curvature);
}

mbs_slip mbs_contact_slip_on_curve(const mbs_force *force, const mbs_pair *pair, const mbs_measure *gap) {
  enum { PHI1 = 2, PHI2 = 5 };
  const mbs_foot foot = mbs_curve_foot_of(pair, &force->curve);
  const mbs_vector n = {gap->J[3], gap->J[4]};
  const mbs_vector t = {n.y, -n.x};
  const mbs_vector a2 = mbs_rotate(pair->frame[1], pair->marker[1]);
  const mbs_vector w = {pair->frame[1]->x + a2.x - pair->frame[0]->x, pair->frame[1]->y + a2.y - pair->frame[0]->y};
  const double bend = force->curve.side * foot.b;
  const double arm = force->radius[1] + gap->s / 2;
  mbs_measure along;
  mbs_measure_along_body(pair, (mbs_vector){force->curve.side * foot.t.x, force->curve.side * foot.t.y}, &along);
  mbs_slip slip = {.S = {-t.x, -t.y, mbs_dot(n, w) - arm, t.x, t.y, -mbs_dot(n, a2) + arm}};
  for (int j = 0; j < 6; j++) {
    const double turn = (j == PHI1) - bend * along.J[j];
    slip.D[0][j] = -n.x * turn;
    slip.D[1][j] = -n.y * turn;
    slip.D[2][j] = (j == PHI1 ? 0 : gap->J[j]) - mbs_dot(t, w) * turn - gap->J[j] / 2;
    slip.D[3][j] = n.x * turn;
    slip.D[4][j] = n.y * turn;
    slip.D[5][j] = -mbs_dot(t, a2) * ((j == PHI2) - turn) + gap->J[j] / 2;
  }
  mbs_contact_slip_rate(&slip, pair);
  return slip;
}

double mbs_contact_way_on_curve(const mbs_force *force, const mbs_pair *pair, double *period) {
  const mbs_curve *curve = force->curve.curve;
  const double side = force->curve.side;
  const double both = force->radius[0] + force->radius[1];
  const mbs_foot foot = mbs_curve_foot_of(pair, &force->curve);
  double turned;
  const double way = mbs_curve_way(curve, &foot, &turned);
  *period = curve->is_closed ? fabs(side * curve->length - both * curve->inside * 2 * acos(-1)) : 0;
  return side * way + force->radius[1] * (pair->frame[1]->phi - pair->frame[0]->phi) - both * turned;
}
