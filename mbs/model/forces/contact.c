/* Contact of two circles, or of a circle on the second body with a curve or a straight line on the first. The left side
 * of the line is free. n is the normal from the first to the second body, d the vector from marker to marker. a1 and a2
 * are the markers' offsets from the centres of mass, r1 and r2 the radii. The gap of two circles, or of a circle and a
 * line, is
 *
 *   g = |d| - r1 - r2, n = d/|d|      or      g = n · d - r2, n fixed on the first body
 *
 * If r1 < 0 the second circle lies inside the first, like a pin in its bearing. Then -|d| replaces |d| in all equations
 * of this comment, so that n = -d/|d|; n is zero if the centres coincide.
 *
 * Where δ = -g > 0 the bodies push each other with the force N and have the potential V ([Hunt-Crossley]). k is the
 * stiffness, m the exponent, χ the damping factor:
 *
 *   N = max(0, k δ^m (1 + χ δ')),   V = k δ^(m+1)/(m + 1)
 *
 * Two bodies collide at the speed v, without other forces. They separate at e v, for any m and any masses, if ∫ ν/(1 +
 * χ ν) dν from -e v to v is zero:
 *
 *   χ v (1 + e) = ln((1 + χ v)/(1 - χ e v))
 *
 * This equation gives χ for a restitution e at an impact speed v. Slower impacts lose a smaller part of their energy,
 * faster impacts a larger part.
 *
 * The friction F acts at the point of contact, the middle of the overlap: at the distances ρ1 = r1 + g/2 and ρ2 = r2 +
 * g/2 from the centres (r1 = 0 for a line). F acts along t, which is n rotated by π/2 to the right (the direction of
 * the line), against the slip u. q are the poses of both bodies, Q the loads on them, μ is the coefficient of friction,
 * u° a small speed. Θ, for two circles or for a line, is the derivative of the direction of n:
 *
 *   u = S q̇,   S = (-t, n · a1 + ρ1, t, -n · a2 + ρ2),   F = -μ N u/√(u² + u°²),   Q = Sᵀ F
 *   ∂n/∂q = -t Θ,  ∂t/∂q = n Θ     with     Θ = (t, -n · a1, -t, n · a2)/|d|     or     Θ = ∂φ1/∂q
 *
 * At g = 0, S is the derivative of a tangential position w. For a wheel on a line or for two circles, with the angle ψ
 * of n, it is
 *
 *   w = t · d + ρ2 (φ2 - φ1)     or      w = ρ1 φ1 + ρ2 φ2 - (ρ1 + ρ2) ψ
 *
 * F is Coulomb friction for |u| far above the speed u°. A body under a tangential load η μ N, η < 1, does not stick: it
 * creeps with the speed u° η/√(1 - η²). */
#include "mbs/model/forces/contact.h"

#include <string.h>

#include "base/then.h"
#include "base/vector.h"
#include "mbs/model/forces/hard_contact.h"

/* ---- Gap ---- */

static bool is_inside(const mbs_force *force) { return force->radius[0] < 0; }

static void find_circles_coordinate(const mbs_force *force, const mbs_pair *pair, mbs_relative_coordinate *gap) {
  mbs_relative_distance(pair, gap);
  if (is_inside(force) && gap->s == 0)
    *gap = (mbs_relative_coordinate){0};
  if (is_inside(force))
    mbs_scale_coordinate(-1, gap);
  gap->s -= force->radius[0] + force->radius[1];
}

static void curvature_circles(const mbs_force *force, const mbs_pair *pair, mbs_curvature *curvature) {
  mbs_relative_coordinate distance;
  mbs_curvature_distance(pair, curvature);
  if (!is_inside(force))
    return;
  mbs_relative_distance(pair, &distance);
  mbs_scale_curvature(-1, curvature);
  if (distance.s == 0)
    *curvature = (mbs_curvature){0};
}

static void find_line_coordinate(const mbs_force *force, const mbs_pair *pair, mbs_relative_coordinate *gap) {
  mbs_relative_along_body(pair, mbs_perp(force->axis), gap);
  gap->s -= force->radius[1];
}

static void curvature_line(const mbs_force *force, const mbs_pair *pair, mbs_curvature *curvature) {
  mbs_curvature_along_body(pair, mbs_perp(force->axis), curvature);
}

static void find_curve_coordinate(const mbs_force *force, const mbs_pair *pair, mbs_relative_coordinate *gap) {
  mbs_relative_to_curve(pair, &force->curve, gap);
  gap->s -= force->radius[0] + force->radius[1];
}

static void curvature_curve(const mbs_force *force, const mbs_pair *pair, mbs_curvature *curvature) {
  mbs_curvature_curve(pair, &force->curve, curvature);
}

/* ---- Friction ---- */

enum { PHI1 = 2, PHI2 = 5 };

/* Completes *slip, which has S and row 2 of D. rotation: Θ, with the normal n and the tangent t; a2: arm of the second
 * marker. */
static void complete_slip(mbs_slip *slip, const mbs_pair *pair, const mbs_relative_coordinate *gap, mbs_vector n,
                          mbs_vector a2, const double rotation[6]) {
  const mbs_vector t = {n.y, -n.x};
  for (int j = 0; j < 6; j++) {
    slip->D[0][j] = -n.x * rotation[j];
    slip->D[1][j] = -n.y * rotation[j];
    slip->D[3][j] = n.x * rotation[j];
    slip->D[4][j] = n.y * rotation[j];
    slip->D[5][j] = -mbs_dot(t, a2) * ((j == PHI2) - rotation[j]) + gap->J[j] / 2;
    slip->by_q[j] = mbs_row_rate(
        (double[6]){slip->D[0][j], slip->D[1][j], slip->D[2][j], slip->D[3][j], slip->D[4][j], slip->D[5][j]}, pair);
  }
  slip->u = mbs_row_rate(slip->S, pair);
}

/* Slip on a curve. The gap is g = φ - r1 - r2. φ is the signed distance from the curve, r1 half the thickness of the
 * curve. n = ∂φ; t is n rotated by π/2 to the right; b and ∂p_t are those of curve.c. w is the vector from the first
 * centre of mass to the second marker p2. At the point of contact c = p2 - ρ2 n, with ρ2 = r2 + g/2,
 *
 *   S = (-t, n · w - ρ2, t, -n · a2 + ρ2),   ∂n = -t Θ,  ∂t = n Θ,  Θ = ∂φ1 - b ∂p_t */
static mbs_slip slip_on_curve(const mbs_force *force, const mbs_pair *pair, const mbs_relative_coordinate *gap) {
  const mbs_foot foot = mbs_curve_foot_of(pair, &force->curve);
  const mbs_vector n = {gap->J[3], gap->J[4]};
  const mbs_vector t = {n.y, -n.x};
  const mbs_vector a2 = mbs_rotate(pair->frame[1], pair->marker[1]);
  const mbs_vector w = {pair->frame[1]->x + a2.x - pair->frame[0]->x, pair->frame[1]->y + a2.y - pair->frame[0]->y};
  const double curvature_term = force->curve.side * foot.b;
  const double arm = force->radius[1] + gap->s / 2;
  mbs_relative_coordinate along;
  mbs_relative_along_body(pair, (mbs_vector){force->curve.side * foot.t.x, force->curve.side * foot.t.y}, &along);
  mbs_slip slip = {.S = {-t.x, -t.y, mbs_dot(n, w) - arm, t.x, t.y, -mbs_dot(n, a2) + arm}};
  double rotation[6];
  for (int j = 0; j < 6; j++) {
    rotation[j] = (j == PHI1) - curvature_term * along.J[j];
    slip.D[2][j] = (j == PHI1 ? 0 : gap->J[j]) - mbs_dot(t, w) * rotation[j] - gap->J[j] / 2;
  }
  complete_slip(&slip, pair, gap, n, a2, rotation);
  return slip;
}

mbs_slip mbs_contact_slip(const mbs_force *force, const mbs_pair *pair, const mbs_relative_coordinate *gap) {
  if (force->curve.curve != NULL)
    return slip_on_curve(force, pair, gap);
  const mbs_vector n = {gap->J[3], gap->J[4]};
  const mbs_vector t = {n.y, -n.x};
  const mbs_vector a1 = mbs_rotate(pair->frame[0], pair->marker[0]);
  const mbs_vector a2 = mbs_rotate(pair->frame[1], pair->marker[1]);
  const double n_a1 = mbs_dot(n, a1);
  const double n_a2 = mbs_dot(n, a2);
  const double distance = gap->s + force->radius[0] + force->radius[1];
  double rotation[6] = {[PHI1] = 1};
  mbs_slip slip = {
      .S = {-t.x, -t.y, n_a1 + force->radius[0] + gap->s / 2, t.x, t.y, -n_a2 + force->radius[1] + gap->s / 2}};
  if (!force->contact.has_line && is_inside(force) && distance == 0)
    rotation[PHI1] = 0;
  else if (!force->contact.has_line)
    memcpy(rotation,
           (double[6]){t.x / distance, t.y / distance, -n_a1 / distance, -t.x / distance, -t.y / distance,
                       n_a2 / distance},
           sizeof rotation);
  for (int j = 0; j < 6; j++)
    slip.D[2][j] = mbs_dot(t, a1) * ((j == PHI1) - rotation[j]) + gap->J[j] / 2;
  complete_slip(&slip, pair, gap, n, a2, rotation);
  return slip;
}

/* The head of this file has w for a line and for two circles. On a curve, σ is the arc length up to the foot, and θ the
 * change of the curve's direction. The circle has rolled along the thickened curve by σ - r1 θ, and has rotated
 * relative to it by φ2 - φ1 - θ (±: left or right side of the curve):
 *
 *   w = ± σ + r2 (φ2 - φ1) - (r1 + r2) θ */
double mbs_contact_tangential_position(const mbs_force *force, const mbs_pair *pair, const mbs_relative_coordinate *gap,
                                       double *period) {
  const double phi1 = pair->frame[0]->phi;
  const double phi2 = pair->frame[1]->phi;
  const double *radius = force->radius;
  const double both = radius[0] + radius[1];
  const mbs_curve *curve = force->curve.curve;
  *period = 0;
  if (curve != NULL) {
    const double side = force->curve.side;
    const mbs_foot foot = mbs_curve_foot_of(pair, &force->curve);
    double direction_change;
    const double way = mbs_curve_arc_length(curve, &foot, &direction_change);
    if (curve->is_closed)
      *period = fabs(side * curve->length - both * curve->inside * 2 * acos(-1));
    return side * way + radius[1] * (phi2 - phi1) - both * direction_change;
  }
  if (force->contact.has_line) {
    mbs_relative_coordinate along;
    mbs_relative_along_body(pair, force->axis, &along);
    return along.s + radius[1] * (phi2 - phi1);
  }
  *period = 2 * acos(-1) * fabs(both);
  return radius[0] * phi1 + radius[1] * phi2 - both * atan2(gap->J[4], gap->J[3]);
}

mbs_gradients mbs_contact_normal(const mbs_force *force, const mbs_pair *pair, const mbs_relative_coordinate *gap,
                                 mbs_one_sided_mode mode) {
  const seam_jet pull = mbs_elastic_jet(&force->elastic[0], gap->s, mbs_relative_rate(gap, pair), mode);
  mbs_gradients normal = {.value = -pull.value};
  for (int j = 0; j < 6; j++) {
    normal.by_q[j] = -pull.d[0] * gap->J[j] - pull.d[1] * gap->Jdot[j];
    normal.by_v[j] = -pull.d[1] * gap->J[j];
  }
  return normal;
}

mbs_gradients mbs_contact_friction(const mbs_force *force, const mbs_gradients *normal, const mbs_slip *slip) {
  const double mu = force->contact.friction;
  if (mu == 0)
    return (mbs_gradients){0};
  const double w = hypot(slip->u, force->contact.slip_speed);
  const double share = slip->u / w;
  const double slope = (1 - share * share) / w;
  mbs_gradients friction = {.value = -mu * normal->value * share};
  for (int j = 0; j < 6; j++) {
    friction.by_q[j] = -mu * (normal->by_q[j] * share + normal->value * slope * slip->by_q[j]);
    friction.by_v[j] = -mu * (normal->by_v[j] * share + normal->value * slope * slip->S[j]);
  }
  return friction;
}

/* Returns the friction force F; finds *slip. */
static mbs_gradients friction_of(const mbs_force *force, const mbs_pair *pair, const double *z, mbs_slip *slip) {
  mbs_relative_coordinate gap;
  force->type->find_coordinates(force, pair, &gap);
  *slip = mbs_contact_slip(force, pair, &gap);
  const mbs_gradients normal = mbs_contact_normal(force, pair, &gap, mbs_mode_along(force, z, 0));
  return mbs_contact_friction(force, &normal, slip);
}

/* ---- Load ---- */

/* An open contact has no load. So load() does not compute its gap, which on a curve would need a search. */
static bool is_open(const mbs_force *force, const double *z) { return mbs_mode_along(force, z, 0) == MBS_OPEN; }

static void load(const mbs_force *force, const mbs_pair *pair, double t, const double *z, double Q[6],
                 mbs_power *power) {
  mbs_slip slip;
  if (is_open(force, z)) {
    memset(Q, 0, 6 * sizeof *Q);
    return;
  }
  mbs_elastic_load(force, pair, t, z, Q, power);
  if (force->contact.friction == 0)
    return;
  const double F = friction_of(force, pair, z, &slip).value;
  for (int i = 0; i < 6; i++)
    Q[i] += slip.S[i] * F;
  power->dissipated -= F * slip.u;
}

static void derivatives(const mbs_force *force, const mbs_pair *pair, double t, const double *z,
                        double Kq[restrict 6][6], double Kv[restrict 6][6]) {
  mbs_slip slip;
  if (is_open(force, z)) {
    mbs_no_derivatives(force, pair, t, z, Kq, Kv);
    return;
  }
  mbs_elastic_derivatives(force, pair, t, z, Kq, Kv);
  if (force->contact.friction == 0)
    return;
  const mbs_gradients F = friction_of(force, pair, z, &slip);
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++) {
      Kq[i][j] += F.value * slip.D[i][j] + slip.S[i] * F.by_q[j];
      Kv[i][j] += slip.S[i] * F.by_v[j];
    }
}

static bool has_friction(const mbs_force *force, const mbs_pair *pair) {
  mbs_relative_coordinate gap;
  force->type->find_coordinates(force, pair, &gap);
  return force->contact.friction > 0 && gap.s < 0;
}

/* Returns the change of the dissipated power -F u for small changes dq of positions and dv of velocities. */
static double friction_loss_change(const mbs_force *force, const mbs_pair *pair, const double *z, const double dq[6],
                                   const double dv[6]) {
  mbs_slip slip;
  double change = 0;
  const mbs_gradients F = friction_of(force, pair, z, &slip);
  for (int j = 0; j < 6; j++)
    change -=
        (F.by_q[j] * slip.u + F.value * slip.by_q[j]) * dq[j] + (F.by_v[j] * slip.u + F.value * slip.S[j]) * dv[j];
  return change;
}

/* ---- Definition ---- */

/* Returns the damping factor χ of a definition: its damping, or χ for a restitution e at a speed v. For e < 1 finds x =
 * χ v by bisection: x (1 + e) - ln((1 + x)/(1 - e x)) is positive between x = 0 and its zero below 1/e. */
double mbs_contact_damping(const mbs_force_def *def) {
  const double e = def->contact.restitution;
  double low = 0;
  double high = 1 / e;
  if (isnan(e) || e == 1)
    return isnan(e) ? def->damping[0] : 0;
  for (int i = 0; i < 100; i++) {
    const double x = (low + high) / 2;
    const bool is_below = x * (1 + e) > log1p(x) - log1p(-e * x);
    *(is_below ? &low : &high) = x;
  }
  return low / def->contact.impact_speed;
}

static seam_status set_initial(mbs_force *force, const mbs_force_def *def, const mbs_pair *pair, seam_error *error) {
  const mbs_contact *contact = &def->contact;
  (void)error;
  memcpy(force->radius, def->radii, sizeof force->radius);
  if (contact->has_line)
    force->axis = mbs_rotate_back(pair->frame[0], force->axis);
  force->rest[0] = 0;
  force->elastic[0].exponent = contact->is_hard ? 0 : contact->exponent; /* a hard contact has no elastic law */
  if (contact->is_hard)
    force->contact.restitution = isnan(contact->restitution) ? 0 : contact->restitution;
  else
    force->elastic[0].damping = mbs_contact_damping(def);
  return SEAM_OK;
}

seam_status mbs_contact_check_law(const mbs_force_def *def, const char *kind, seam_error *error) {
  const mbs_contact *contact = &def->contact;
  if (!(def->stiffness[0] > 0))
    return seam_fail(error, SEAM_BAD_INPUT, "%s '%s': its stiffness must be positive", kind, def->name);
  if (!(contact->exponent >= 1 && isfinite(contact->exponent)))
    return seam_fail(error, SEAM_BAD_INPUT, "%s '%s': its 'exponent' %g must be 1 or more, such as 1.5 for spheres",
                     kind, def->name, contact->exponent);
  if (!isnan(contact->restitution) && !(contact->restitution > 0 && contact->restitution <= 1))
    return seam_fail(error, SEAM_BAD_INPUT,
                     "%s '%s': its restitution %g must be above 0 (0 would need infinite damping) and at most 1", kind,
                     def->name, contact->restitution);
  if (!isnan(contact->restitution) && !is_positive(contact->impact_speed))
    return seam_fail(error, SEAM_BAD_INPUT, "%s '%s': its restitution needs a positive 'impact_speed'", kind,
                     def->name);
  if (!isnan(contact->restitution) && def->damping[0] != 0)
    return seam_fail(error, SEAM_BAD_INPUT, "%s '%s' has damping and restitution: keep one of the two", kind,
                     def->name);
  return SEAM_OK;
}

static seam_status check(const mbs_force_def *def, seam_error *error) {
  const mbs_contact *contact = &def->contact;
  const double *radii = def->radii;
  const bool is_hole = radii[0] < 0 && !contact->has_line && contact->curve == NULL;
  TRY(def->contact.is_hard ? mbs_hard_check(def, "contact", error) : mbs_contact_check_law(def, "contact", error));
  if (!contact->is_hard &&
      (!is_size(contact->friction) || (contact->friction > 0 && !is_positive(contact->slip_speed))))
    return seam_fail(error, SEAM_BAD_INPUT,
                     "contact '%s': its friction must be finite and not negative, and needs a positive 'slip_speed', "
                     "below which the friction fades",
                     def->name);
  if (!is_size(is_hole ? -radii[0] : radii[0]) || !is_size(radii[1]))
    return seam_fail(error, SEAM_BAD_INPUT, "contact '%s': its radii must be finite and not negative", def->name);
  if (is_hole && !(radii[1] < -radii[0]))
    return seam_fail(error, SEAM_BAD_INPUT,
                     "contact '%s': a circle of radius %g m does not fit into the hole of radius %g m: make the circle "
                     "smaller",
                     def->name, radii[1], -radii[0]);
  if (contact->has_line && !def->has_axis)
    return seam_fail(error, SEAM_BAD_INPUT, "contact '%s': its line needs a direction: set has_axis and axis",
                     def->name);
  if (contact->has_line && radii[0] != 0)
    return seam_fail(error, SEAM_BAD_INPUT,
                     "contact '%s': its first radius must be 0, because its first side is a line: give the radius of "
                     "the circle second",
                     def->name);
  if (contact->has_line && contact->curve != NULL)
    return seam_fail(error, SEAM_BAD_INPUT, "contact '%s' has a line and a curve: keep one of the two", def->name);
  if (!contact->has_line && contact->curve == NULL && radii[0] + radii[1] == 0)
    return seam_fail(error, SEAM_BAD_INPUT, "contact '%s': two points never meet: give one of them a radius",
                     def->name);
  return SEAM_OK;
}

#define CONTACT                                                                                                        \
  .n_coordinates = 1, MBS_BETWEEN_MARKERS, .set_initial = set_initial, .load = load, .derivatives = derivatives,       \
  .potential = mbs_elastic_potential, .other_loss_change = friction_loss_change, .has_friction = has_friction,         \
  .cut = {3, {0, 1, 2}, 4, {0, 1, 2, 3}, false}, .check = check, .switches = &mbs_one_sided

#define HARD MBS_HARD_CONTACT, .set_initial = set_initial
#define CIRCLES .find_coordinates = find_circles_coordinate, .curvature = curvature_circles
#define LINE .find_coordinates = find_line_coordinate, .curvature = curvature_line
#define CURVE .find_coordinates = find_curve_coordinate, .curvature = curvature_curve

static const mbs_force_type with_line = {CONTACT, LINE};
static const mbs_force_type with_curve = {CONTACT, CURVE};
static const mbs_force_type hard_circles = {HARD, CIRCLES, .compliant = &mbs_force_contact};
static const mbs_force_type hard_line = {HARD, LINE, .compliant = &with_line};
static const mbs_force_type hard_curve = {HARD, CURVE, .compliant = &with_curve};

static const mbs_force_type *choose(const mbs_force_def *def) {
  if (def->contact.curve != NULL)
    return def->contact.is_hard ? &hard_curve : &with_curve;
  if (def->contact.is_hard)
    return def->contact.has_line ? &hard_line : &hard_circles;
  return def->contact.has_line ? &with_line : &mbs_force_contact;
}

const mbs_force_type mbs_force_contact = {
    CONTACT,
    CIRCLES,
    .choose = choose,
    .not_finite = "the centres of its circles coincide: make the contact stiffer",
};
