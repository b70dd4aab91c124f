/* Hydraulic cylinder between two points a distance s apart. The pressures p₁ and p₂ on both sides of its piston are
 * states. They act on the areas A₁ and A₂, which differ if the rod is on one side only. The two chambers have the
 * lengths l₄ and l₅ and are equally long at s = s°; l₃ is the sum of their lengths. c is the damping of the cylinder.
 * The fluid has the bulk modulus β, with constants a and b, and the density ρ.
 *
 * The pump has the pressure p_P, the tank the pressure p_T. The position κ of the spool, from 0 to 1, opens the area
 * A_v κ from the pump to the first chamber and from the second chamber to the tank. The area A_v (1 - κ) connects the
 * pump with the second chamber and the first chamber with the tank. cd is the discharge coefficient, q the flow into a
 * chamber. The cylinder pulls with
 *
 *   F   = c ṡ - (A₂ p₂ - A₁ p₁)                                          p₂ extends the cylinder
 *   p₁' = β(p₁) / (A₁ l₄) ( A₁ ṡ + q(κ, p₁))        l₄ = l₃/2 - (s - s°)
 *   p₂' = β(p₂) / (A₂ l₅) (-A₂ ṡ + q(1 - κ, p₂))    l₅ = l₃/2 + (s - s°)
 *   q(κ, p) = cd A_v (κ √(2 (p_P - p)/ρ) - (1 - κ) √(2 (p - p_T)/ρ))     the root of a negative number counts as 0
 *   β(p)    = (1 + a p + b p²) / (a + 2 b p)
 *
 * It supplies the power (A₂ p₂ - A₁ p₁) ṡ and dissipates c ṡ². ([Rodriguez] 4.4, (24)-(28), where both areas are equal;
 * the formulas are those of [Naya].) */
#include "mbs/model/forces/along.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/vector.h"

enum { n_chambers = 2 };
static const double side[n_chambers] = {1, -1}; /* sign: 1 for the chamber that becomes shorter as s grows */

/* ---- Fluid ---- */

/* A function of the pressure: its value and its derivative. */
typedef struct of_pressure {
  double value, d;
} of_pressure;

/* Returns β(p); NaN where β or its denominator is not positive. */
static of_pressure bulk_modulus(const mbs_hydraulics *h, double p) {
  const double *k = h->bulk;
  const double slope = k[0] + 2 * k[1] * p;
  const double beta = (1 + (k[0] + k[1] * p) * p) / slope;
  return slope > 0 && beta > 0 ? (of_pressure){beta, 1 - 2 * k[1] * beta / slope} : (of_pressure){NAN, NAN};
}

static of_pressure root(double x) { return x > 0 ? (of_pressure){sqrt(x), 0.5 / sqrt(x)} : (of_pressure){0, 0}; }

/* Returns the flow into a chamber at the pressure p. `share` of the valve area is open to the pump, the rest to the
 * tank. */
static of_pressure flow_into(const mbs_hydraulics *h, double share, double p) {
  const double scale = h->discharge * h->valve_area * sqrt(2 / h->density);
  const of_pressure in = root(h->pump - p);
  const of_pressure out = root(p - h->tank);
  return (of_pressure){scale * (share * in.value - (1 - share) * out.value),
                       -scale * (share * in.d + (1 - share) * out.d)};
}

/* Finds for each chamber the share of the valve area that is open to the pump; the rest is open to the tank. */
static void open_valves(double spool, double share[n_chambers]) {
  share[0] = spool < 0 ? 0 : spool > 1 ? 1 : spool;
  share[1] = 1 - share[0];
}

/* ---- Load ---- */

/* Returns the extending force A₂ p₂ - A₁ p₁; for equal areas its round-off is only that of A (p₂ - p₁). */
static double thrust(const mbs_force *force, const double *z) {
  const double *A = force->hydraulics.areas;
  return A[0] * (z[1] - z[0]) + (A[1] - A[0]) * z[1];
}

static void load(const mbs_force *force, const mbs_pair *pair, double t, const double *z, double Q[6],
                 mbs_power *power) {
  (void)t;
  mbs_relative_coordinate s;
  mbs_relative_distance(pair, &s);
  const double v = mbs_relative_rate(&s, pair);
  const double drag = force->hydraulics.dissipation * v;
  for (int i = 0; i < 6; i++)
    Q[i] = -(drag - thrust(force, z)) * s.J[i];
  power->dissipated += drag * v;
  power->driven += thrust(force, z) * v;
}

static void derivatives(const mbs_force *force, const mbs_pair *pair, double t, const double *z, double Kq[6][6],
                        double Kv[6][6]) {
  (void)t;
  const double c = force->hydraulics.dissipation;
  mbs_relative_coordinate s;
  mbs_curvature curvature;
  mbs_relative_distance(pair, &s);
  mbs_curvature_distance(pair, &curvature);
  const double tension = c * mbs_relative_rate(&s, pair) - thrust(force, z);
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++) {
      Kq[i][j] = -c * s.J[i] * s.Jdot[j] - tension * curvature.H[i][j];
      Kv[i][j] = -c * s.J[i] * s.J[j];
    }
}

/* ---- Pressures ---- */

/* Returns the length of a chamber, m; NaN: the piston has reached the end of the chamber. */
static double length_of(const mbs_force *force, int chamber, double s) {
  const double length = force->hydraulics.length / 2 - side[chamber] * (s - force->rest[0]);
  return length > 0 ? length : NAN;
}

static void rates(const mbs_force *force, const mbs_pair *pair, double spool, const double *z, double *rates) {
  const mbs_hydraulics *h = &force->hydraulics;
  double share[n_chambers];
  mbs_relative_coordinate s;
  mbs_relative_distance(pair, &s);
  open_valves(spool, share);
  for (int k = 0; k < n_chambers; k++) {
    const double squeeze = side[k] * h->areas[k] * mbs_relative_rate(&s, pair);
    rates[k] = bulk_modulus(h, z[k]).value / (h->areas[k] * length_of(force, k, s.s)) *
               (squeeze + flow_into(h, share[k], z[k]).value);
  }
}

static void state_derivatives(const mbs_force *force, const mbs_pair *pair, double spool, const double *z,
                              mbs_state_gradient *gradient) {
  const mbs_hydraulics *h = &force->hydraulics;
  double share[n_chambers];
  mbs_relative_coordinate s;
  mbs_relative_distance(pair, &s);
  open_valves(spool, share);
  memset(gradient, 0, sizeof *gradient);
  for (int k = 0; k < n_chambers; k++) {
    const of_pressure beta = bulk_modulus(h, z[k]);
    const of_pressure flow = flow_into(h, share[k], z[k]);
    const double length = length_of(force, k, s.s);
    const double volume = h->areas[k] * length;
    const double filling = side[k] * h->areas[k] * mbs_relative_rate(&s, pair) + flow.value;
    for (int j = 0; j < 6; j++) {
      gradient->Qz[j][k] = -side[k] * h->areas[k] * s.J[j];
      gradient->Zq[k][j] = side[k] * beta.value / length * (filling / volume * s.J[j] + s.Jdot[j]);
      gradient->Zv[k][j] = side[k] * beta.value / length * s.J[j];
    }
    gradient->Zz[k][k] = (beta.d * filling + beta.value * flow.d) / volume;
    const double opening =
        h->discharge * h->valve_area * sqrt(2 / h->density) *
        (root(h->pump - z[k]).value + root(z[k] - h->tank).value); /* derivative of the flow by share[k] */
    gradient->Zu[k] = spool < 0 || spool > 1 ? 0 : side[k] * beta.value * opening / volume;
  }
}

/* Finds the steady pressures z, at which no fluid flows: κ² (p_P - p) = (1 - κ)² (p - p_T), with 1 - κ in place of κ
 * for the second chamber. They do not depend on the areas. */
static void steady(const mbs_force *force, double spool, double *z) {
  const mbs_hydraulics *h = &force->hydraulics;
  double share[n_chambers];
  open_valves(spool, share);
  for (int k = 0; k < n_chambers; k++) {
    const double in = share[k] * share[k];
    const double out = (1 - share[k]) * (1 - share[k]);
    z[k] = (in * h->pump + out * h->tank) / (in + out);
  }
}

static void not_finite(const mbs_force *force, const mbs_pair *pair, const double *z, char *why, size_t size) {
  mbs_relative_coordinate s;
  mbs_relative_distance(pair, &s);
  const double left = fmin(length_of(force, 0, s.s), length_of(force, 1, s.s)); /* fmin() ignores NaN */
  if (isnan(length_of(force, 0, s.s) + length_of(force, 1, s.s)))
    snprintf(why, size, "its piston is at the end of its cylinder: make the cylinder longer, or add a stop");
  else if (isnan(bulk_modulus(&force->hydraulics, z[0]).value + bulk_modulus(&force->hydraulics, z[1]).value))
    snprintf(why, size,
             "its pressures are outside the range of its bulk modulus, with its piston %.2g m before the end of its "
             "cylinder: check 'bulk' and the motion",
             left);
  else
    snprintf(why, size, "the rates of its pressures are not finite: check the law of its spool");
}

static double nominal(const mbs_force *force, const mbs_scales *scales) {
  (void)scales;
  return force->hydraulics.pump - force->hydraulics.tank;
}

static const double *given(const mbs_force_def *def) { return def->hydraulics.pressures; }

/* ---- Definition ---- */

static seam_status check(const mbs_force_def *def, seam_error *error) {
  const mbs_hydraulics *h = &def->hydraulics;
  if (!(is_positive(h->areas[0]) && is_positive(h->areas[1]) && is_positive(h->length) && is_positive(h->discharge) &&
        is_positive(h->density) && is_positive(h->valve_area)))
    return seam_fail(error, SEAM_BAD_INPUT,
                     "cylinder '%s': areas, length, discharge, density and valve area must be positive and finite",
                     def->name);
  if (!is_size(h->dissipation))
    return seam_fail(error, SEAM_BAD_INPUT, "cylinder '%s': its dissipation must be finite and not negative",
                     def->name);
  if (!(h->pump > h->tank && isfinite(h->pump) && isfinite(h->tank)))
    return seam_fail(error, SEAM_BAD_INPUT, "cylinder '%s': the pump's pressure %g must be above the tank's, %g",
                     def->name, h->pump, h->tank);
  const double pressures[] = {h->tank, h->pump, h->pressures[0], h->pressures[1]};
  for (int i = 0; i < 4; i++)
    if (!isnan(pressures[i]) && !is_positive(bulk_modulus(h, pressures[i]).value))
      return seam_fail(error, SEAM_BAD_INPUT, "cylinder '%s': its bulk modulus at %g Pa is not positive: check 'bulk'",
                       def->name, pressures[i]);
  return SEAM_OK;
}

static const mbs_force_states pressures = {
    .n = n_chambers,
    .name = {"p1", "p2"},
    .rates = rates,
    .derivatives = state_derivatives,
    .steady = steady,
    .nominal = nominal,
    .given = given,
    .not_finite = not_finite,
};

const mbs_force_type mbs_force_hydraulic_cylinder = {
    MBS_BETWEEN_MARKERS,
    .may_have_law = true,
    .needs_law = true,
    .cut = {2, {0, 1}, 2, {0, 1}, false},
    .n_laws = 1,
    .load = load,
    .derivatives = derivatives,
    .states = &pressures,
    .check = check,
    .n_coordinates = 1,
    .find_coordinates = mbs_along_distance,
};
