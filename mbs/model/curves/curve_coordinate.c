/* The signed distance φ of the second marker from a curve that is fixed on the first body. p is the position of the
 * second marker in the frame of the first body. p_e = e · p is its component along a direction e fixed in this frame
 * ("in body" in mbs/model/kinematics.c). Here ∂ are derivatives by q of both bodies, and v are the rates of q. J, H and
 * T are defined in kinematics.h; φ, n, t and b in curve.h; b_t is ∂b/∂t of curve.h:
 *
 *   J   = ∂p_n                          H = ∂²p_n + b ∂p_t ∂p_tᵀ             J̇ = H v,  τ = ṗ_t,  ν = ṗ_n
 *   vᵀ H v = vᵀ ∂²p_n v + b τ²
 *   T   = T_n + b (vᵀ ∂²p_t v) ∂p_t + τ² (b_t ∂p_t - b² ∂p_n) + 2 b τ (∂ṗ_t - b ν ∂p_t)
 *
 * since n and t turn as the foot moves: ∂n = b t ∂p_t, ∂t = -b n ∂p_t. T_n is T of p_n with n fixed. The functions
 * multiply all results by `side`. */
#include "mbs/model/curves/curve.h"

#include <math.h>

mbs_foot mbs_curve_foot_of(const mbs_pair *pair, const mbs_curve_side *of) {
  const mbs_frame *f1 = pair->frame[0];
  const mbs_frame *f2 = pair->frame[1];
  const mbs_vector a1 = mbs_rotate(f1, pair->marker[0]);
  const mbs_vector a2 = mbs_rotate(f2, pair->marker[1]);
  const mbs_vector d = {f2->x + a2.x - f1->x - a1.x, f2->y + a2.y - f1->y - a1.y};
  mbs_foot foot = mbs_curve_foot(of->curve, mbs_rotate_back(f1, d));
  if (foot.kind != MBS_BEYOND_END)
    return foot;
  if (of->ends_at_end)
    foot.distance = NAN;
  else if (of->side < 0) { /* beyond an end the coordinate is positive for both sides */
    foot.distance = -foot.distance;
    foot.n = (mbs_vector){-foot.n.x, -foot.n.y};
    foot.t = (mbs_vector){-foot.t.x, -foot.t.y};
    foot.b = -foot.b;
  }
  return foot;
}

void mbs_relative_to_curve(const mbs_pair *pair, const mbs_curve_side *of, mbs_relative_coordinate *coordinate) {
  const mbs_foot foot = mbs_curve_foot_of(pair, of);
  mbs_relative_coordinate along;
  mbs_relative_along_body(pair, (mbs_vector){of->side * foot.n.x, of->side * foot.n.y}, coordinate);
  mbs_relative_along_body(pair, foot.t, &along);
  const double rotation_rate = of->side * foot.b * mbs_relative_rate(&along, pair);
  coordinate->s = of->side * foot.distance;
  for (int i = 0; i < 6; i++)
    coordinate->Jdot[i] += rotation_rate * along.J[i];
}

void mbs_curvature_curve(const mbs_pair *pair, const mbs_curve_side *of, mbs_curvature *curvature) {
  const mbs_foot foot = mbs_curve_foot_of(pair, of);
  const double b = foot.b;
  const double slope = mbs_foot_slope(of->curve, &foot);
  mbs_relative_coordinate across;
  mbs_relative_coordinate along;
  mbs_curvature_along_body(pair, (mbs_vector){of->side * foot.n.x, of->side * foot.n.y}, curvature);
  mbs_relative_along_body(pair, foot.n, &across);
  mbs_relative_along_body(pair, foot.t, &along);
  const double tau = mbs_relative_rate(&along, pair);
  const double nu = mbs_relative_rate(&across, pair);
  const double convection = mbs_relative_convection(&along, pair);
  for (int i = 0; i < 6; i++) {
    for (int j = 0; j < 6; j++)
      curvature->H[i][j] += of->side * b * along.J[i] * along.J[j];
    curvature->T[i] +=
        of->side * (b * convection * along.J[i] + tau * tau * (slope * along.J[i] - b * b * across.J[i]) +
                    2 * b * tau * (along.Jdot[i] - b * nu * along.J[i]));
  }
}
