/* Drag at a marker of one body. The marker has the offset a from the centre of mass r, and the velocity u = ṙ + ω a⊥.
 * Air of density ρ, which moves with the wind w, acts on the area A with the coefficient c_d; the surface on which the
 * body rolls or slides acts with the constant resistance R ([Wong], chapter 3):
 *
 *   f = -ρ/2 c_d A |u - w| (u - w) - R u / √(u² + u°²)        Q = (f, a × f)
 *
 * Below the speed u° the second term falls to zero, so that f is smooth; the body creeps instead of sticking. The first
 * term f_air dissipates the power ρ/2 c_d A |u - w|³ and supplies f_air · w; the second term dissipates all its
 * power. */
#include "mbs/model/forces/along.h"

#include "base/vector.h"

/* Velocities and forces at the marker. */
typedef struct moving_air {
  mbs_vector arm, velocity, relative_velocity; /* a, u, u - w */
  double speed, smoothed_speed;                /* |u - w|, √(u² + u°²) */
  double air_factor, resistance_factor;        /* ρ/2 c_d A, R/√(u² + u°²) */
  mbs_vector air, force;                       /* f_air, f */
} moving_air;

static moving_air air_at(const mbs_force *force, const mbs_pair *pair) {
  const mbs_frame *body = pair->frame[0];
  const mbs_drag *drag = &force->drag;
  moving_air m = {.arm = mbs_rotate(body, pair->marker[0]),
                  .air_factor = drag->density / 2 * drag->coefficient * drag->area};
  m.velocity = (mbs_vector){body->vx - body->omega * m.arm.y, body->vy + body->omega * m.arm.x};
  m.relative_velocity = (mbs_vector){m.velocity.x - drag->wind[0], m.velocity.y - drag->wind[1]};
  m.speed = hypot(m.relative_velocity.x, m.relative_velocity.y);
  m.smoothed_speed = hypot(hypot(m.velocity.x, m.velocity.y), drag->speed);
  m.resistance_factor = drag->resistance > 0 ? drag->resistance / m.smoothed_speed : 0;
  const double scale = -m.air_factor * m.speed;
  m.air = (mbs_vector){scale * m.relative_velocity.x, scale * m.relative_velocity.y};
  m.force = (mbs_vector){m.air.x - m.resistance_factor * m.velocity.x, m.air.y - m.resistance_factor * m.velocity.y};
  return m;
}

static void load(const mbs_force *force, const mbs_pair *pair, double t, const double *z, double Q[6],
                 mbs_power *power) {
  (void)t, (void)z;
  const moving_air m = air_at(force, pair);
  mbs_load_of_force(pair, m.force, Q);
  power->dissipated -= mbs_dot(m.air, m.relative_velocity) - m.resistance_factor * mbs_dot(m.velocity, m.velocity);
  power->driven += m.air.x * force->drag.wind[0] + m.air.y * force->drag.wind[1];
}

/* Finds the derivatives of Q = (f, a × f): f depends on u, with ∂u/∂v = (I, a⊥) and ∂u/∂φ = -ω a; the arm a rotates
 * with φ. D = ∂f/∂u = -ρ/2 c_d A (|r| I + r rᵀ/|r|) - R (I/√ - u uᵀ/√³), with r = u - w and √ = √(u² + u°²). The term
 * r rᵀ/|r| is zero at r = 0. */
static void derivatives(const mbs_force *force, const mbs_pair *pair, double t, const double *z,
                        double Kq[restrict 6][6], double Kv[restrict 6][6]) {
  const moving_air m = air_at(force, pair);
  const double omega = pair->frame[0]->omega;
  const double r[2] = {m.relative_velocity.x, m.relative_velocity.y};
  const double u[2] = {m.velocity.x, m.velocity.y};
  const double k = m.resistance_factor;
  double D[2][2];
  double rows[3][2];
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++) {
      D[i][j] = m.speed > 0 ? -m.air_factor * r[i] * r[j] / m.speed : 0;
      D[i][j] += k > 0 ? k * u[i] * u[j] / (m.smoothed_speed * m.smoothed_speed) : 0;
      D[i][j] -= i == j ? m.air_factor * m.speed + k : 0;
    }
  mbs_no_derivatives(force, pair, t, z, Kq, Kv);
  for (int j = 0; j < 2; j++) {
    rows[0][j] = D[0][j];
    rows[1][j] = D[1][j];
    rows[2][j] = m.arm.x * D[1][j] - m.arm.y * D[0][j];
  }
  for (int i = 0; i < 3; i++) {
    Kv[i][0] = rows[i][0];
    Kv[i][1] = rows[i][1];
    Kv[i][2] = rows[i][1] * m.arm.x - rows[i][0] * m.arm.y;
    Kq[i][2] = -omega * (rows[i][0] * m.arm.x + rows[i][1] * m.arm.y);
  }
  Kq[2][2] -= mbs_dot(m.arm, m.force);
}

static seam_status check(const mbs_force_def *def, seam_error *error) {
  const mbs_drag *drag = &def->drag;
  if (!(is_size(drag->area) && is_size(drag->coefficient) && is_size(drag->density) && is_size(drag->resistance) &&
        is_size(drag->speed)))
    return seam_fail(error, SEAM_BAD_INPUT,
                     "drag '%s': area, coefficient, density, resistance and speed must be finite and not negative",
                     def->name);
  if (!isfinite(drag->wind[0]) || !isfinite(drag->wind[1]))
    return seam_fail(error, SEAM_BAD_INPUT, "drag '%s': its wind is not finite", def->name);
  if (drag->resistance > 0 && drag->speed == 0)
    return seam_fail(
        error, SEAM_BAD_INPUT,
        "drag '%s': its 'resistance' would jump at rest: give a positive 'speed', below which the resistance fades",
        def->name);
  return SEAM_OK;
}

static bool has_friction(const mbs_force *force, const mbs_pair *pair) {
  (void)pair;
  return force->drag.resistance > 0;
}

const mbs_force_type mbs_force_drag = {
    .min_bodies = 1,
    .max_bodies = 1,
    .has_markers = true,
    .load = load,
    .has_friction = has_friction,
    .derivatives = derivatives,
    .check = check,
};
