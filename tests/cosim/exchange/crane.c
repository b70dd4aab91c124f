/* The hydraulic crane: a link that a cylinder lifts, a load that swings from its end; [Rodriguez] 4.4, read
 * as docs/conventions.md says. Angles θ1, θ2 of link and hoist from the x axis; pressures p1 and p2 on both sides of
 * the piston:
 *
 *   f = A (p2 - p1) - c ṡ,   p1' = β(p1) / (A l4) (A ṡ + a_i q(pP - p1) - a_o q(p1 - pT)),
 *   q(Δ) = c_d √(2 Δ / ρ),   p2' = β(p2) / (A l5) (-A ṡ + a_o q(pP - p2) - a_i q(p2 - pT))
 *
 * The mechanics take large steps under a force that is held, the hydraulics small ones under a length and a rate that
 * are extrapolated. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "cosim/coupling/exchange.h"
#include "cosim/parts/part.h"
#include "solvers/erk.h"
#include "tests/support/data_table.h"
#include "tests/support/named_exchange.h"

static const double pi = 3.14159265358979323846;
static const double l1 = 1, l2 = 0.5, m1 = 200, m2 = 250, m3 = 100, g = 9.81, end = 10;
static const double area = 65e-4, half_stroke = 0.221, dissipation = 1e5, discharge = 0.67, density = 850;
static const double pump = 7.6e6, tank = 1e5, bulk[2] = {6.53e-10, -1.19e-18}, valve = 5e-4;
static const double s0 = 0.5; /* of the cylinder at the start */

/* ---- Mechanics: x = (θ1, θ2, rates) ---- */

enum { s, rate }; /* of the cylinder: outputs of the mechanics, inputs of the hydraulics */

/* From B on the ground to the middle of the link; returns ds/dθ1. */
static double find_length(const double *x, double *length) {
  const double gap[2] = {l1 / 2 * cos(x[0]) - sqrt(3) / 2, l1 / 2 * sin(x[0])};
  *length = hypot(gap[0], gap[1]);
  return l1 / 2 * (gap[1] * cos(x[0]) - gap[0] * sin(x[0])) / *length;
}

static void mechanics_outputs(const void *context, double t, const double *x, const double *u, double *y) {
  (void)context;
  (void)t;
  (void)u;
  y[rate] = find_length(x, &y[s]) * x[2];
}

static void mechanics_rates(const void *context, double t, const double *x, const double *u, double *dx) {
  double length;
  (void)context;
  (void)t;
  const double m11 = (m1 / 3 + m2 + m3) * l1 * l1;
  const double m22 = m3 * l2 * l2;
  const double m12 = m3 * l1 * l2 * cos(x[0] - x[1]);
  const double swing = m3 * l1 * l2 * sin(x[0] - x[1]);
  const double f1 = find_length(x, &length) * u[0] - swing * x[3] * x[3] - (m1 / 2 + m2 + m3) * g * l1 * cos(x[0]);
  const double f2 = swing * x[2] * x[2] - m3 * g * l2 * cos(x[1]);
  const double det = m11 * m22 - m12 * m12;
  dx[0] = x[2];
  dx[1] = x[3];
  dx[2] = (f1 * m22 - f2 * m12) / det;
  dx[3] = (m11 * f2 - m12 * f1) / det;
}

/* ---- Hydraulics: x = (p1, p2) ---- */

/* Spool at which the cylinder carries the weight at rest: with r = f / (A (pP - pT)) and the pressures of still oil,
 * r (2 κ² - 2 κ + 1) = 1 - 2 κ. */
static double equilibrium_spool(void) {
  const double x[] = {pi / 6, -pi / 2, 0, 0};
  double length;
  const double f = (m1 / 2 + m2 + m3) * g * l1 * cos(x[0]) / find_length(x, &length);
  const double r = f / (area * (pump - tank));
  return (r - 1 + sqrt(1 - r * r)) / (2 * r);
}

static double spool_at(double t) {
  const double rise = fmin(t, 9 - t);
  const double amplitude = 0.1 * fmin(fmax(rise, 0), 1);
  return equilibrium_spool() * (1 - amplitude * sin(4 * pi * t));
}

static double flow(double drop) { return drop > 0 ? discharge * sqrt(2 * drop / density) : 0; }

static double stiffness(double p) { return (1 + bulk[0] * p + bulk[1] * p * p) / (bulk[0] + 2 * bulk[1] * p); }

static void hydraulics_rates(const void *context, double t, const double *x, const double *u, double *dx) {
  (void)context;
  const double in = valve * spool_at(t);
  const double out = valve - in;
  const double piston = u[s] - s0;
  dx[0] = stiffness(x[0]) / (area * (half_stroke - piston)) *
          (area * u[rate] + in * flow(pump - x[0]) - out * flow(x[0] - tank));
  dx[1] = stiffness(x[1]) / (area * (half_stroke + piston)) *
          (-area * u[rate] + out * flow(pump - x[1]) - in * flow(x[1] - tank));
}

static void hydraulics_outputs(const void *context, double t, const double *x, const double *u, double *y) {
  (void)context;
  (void)t;
  y[0] = area * (x[1] - x[0]) - dissipation * u[rate];
}

/* Where the oil is still. */
static void find_rest(double p[2]) {
  const double in2 = spool_at(0) * spool_at(0);
  const double out2 = (1 - spool_at(0)) * (1 - spool_at(0));
  p[0] = (in2 * pump + out2 * tank) / (in2 + out2);
  p[1] = (out2 * pump + in2 * tank) / (in2 + out2);
}

/* ---- The exchange ---- */

static cosim_part *create_part(const cosim_ode_def *def) {
  cosim_part *part = NULL;
  cr_assert_eq(cosim_ode_part_create(def, &part, NULL), SEAM_OK);
  return part;
}

static cosim_part *create_mechanics(void) {
  const double start[] = {pi / 6, -pi / 2, 0, 0};
  return create_part(&(cosim_ode_def){.name = "mechanics",
                                      .n_states = 4,
                                      .n_inputs = 1,
                                      .n_outputs = 2,
                                      .method = COSIM_SYMPLECTIC_EULER,
                                      .micro_steps = 1,
                                      .rates = mechanics_rates,
                                      .outputs = mechanics_outputs,
                                      .start = start});
}

static cosim_part *create_hydraulics(void) {
  double start[2];
  find_rest(start);
  return create_part(&(cosim_ode_def){.name = "hydraulics",
                                      .n_states = 2,
                                      .n_inputs = 2,
                                      .n_outputs = 1,
                                      .method = COSIM_FORWARD_EULER,
                                      .micro_steps = 1,
                                      .rates = hydraulics_rates,
                                      .outputs = hydraulics_outputs,
                                      .start = start});
}

/* Columns hM; hH; order; mu; nu; limit. */
static cosim_exchange *create(const double *how) {
  static const char *const force[] = {"f"}, *const motion[] = {"s", "rate"};
  const named_member members[2] = {{create_mechanics(), force, motion, 1},
                                   {create_hydraulics(), motion, force, (int)lround(how[0] / how[1])}};
  const int order = (int)how[2];
  const cosim_connection_def links[3] = {
      {.from = "hydraulics.f", .to = "mechanics.f", .gain = 1},
      {.from = "mechanics.s", .to = "hydraulics.s", .gain = 1, .order = order},
      {.from = "mechanics.rate", .to = "hydraulics.rate", .gain = 1, .order = order}};
  const cosim_port_def ports[2] = {{"mechanics.f", "mechanics.rate", 1}, {"hydraulics.rate", "hydraulics.f", -1}};
  const cosim_bond_def bond = {.name = "cylinder", .ports = ports, .n_ports = 2};
  const cosim_energy_correction_def wanted = {
      .bond = "cylinder", .part = "mechanics", .mu = how[3], .nu = how[4], .limit = how[5]};
  const named_exchange def = {
      .members = members, .n_members = 2, .links = links, .n_links = 3, .bonds = &bond, .n_bonds = 1};
  return named_exchange_start_corrected(def, &wanted);
}

/* ---- The whole: (θ1, θ2, rates, p1, p2) ---- */

static seam_status whole_rates(void *context, double t, const double *y, double *dy, seam_error *error) {
  double motion[2];
  double f;
  (void)error;
  mechanics_outputs(context, t, y, NULL, motion);
  hydraulics_outputs(context, t, y + 4, motion, &f);
  mechanics_rates(context, t, y, &f, dy);
  hydraulics_rates(context, t, y + 4, motion, dy + 4);
  return SEAM_OK;
}

static seam_integrator *create_whole(void) {
  const seam_ode ode = {.n = 6, .n_controlled = 6, .rhs = whole_rates};
  const seam_tolerances tolerances = {.rtol = 1e-10, .atol = 1e-10, .largest_step = 1e-3};
  double start[6] = {pi / 6, -pi / 2};
  seam_integrator *self = NULL;
  find_rest(start + 4);
  cr_assert_eq(seam_erk_create(&ode, "erk8", &tolerances, &self, NULL), SEAM_OK);
  cr_assert_eq(seam_integrator_start(self, 0, start, NULL), SEAM_OK);
  return self;
}

/* ---- Figures ---- */

enum { MAX_ERROR, residual_energy, MAX_POWER, n_seconds = 10 };
enum { n_figures = MAX_POWER + n_seconds };

static double error_of_length(cosim_exchange *exchange, seam_integrator *whole) {
  double y[6];
  double exact;
  double reached = 0;
  cr_assert_eq(seam_integrator_advance(whole, exchange->t, y, &reached, NULL), SEAM_OK);
  find_length(y, &exact);
  return 1e3 * (cosim_exchange_output(exchange, 0, s) - exact);
}

/* In mm, J and W. */
static void simulate(const double *how, double *figures) {
  cosim_exchange *exchange = create(how);
  seam_integrator *whole = create_whole();
  const int n = (int)lround(end / how[0]);
  memset(figures, 0, n_figures * sizeof *figures);
  for (int i = 1; i <= n; i++) {
    cr_assert_eq(cosim_exchange_advance(exchange, how[0], NULL), SEAM_OK);
    const double error = error_of_length(exchange, whole);
    const int second = (int)(i * how[0] + 1e-9);
    double *most = &figures[MAX_POWER + second];
    if (second < n_seconds)
      *most = fmax(*most, fabs(exchange->bonds[0].energy.residual_power));
    figures[MAX_ERROR] = fmax(figures[MAX_ERROR], fabs(error));
  }
  figures[residual_energy] = exchange->bonds[0].energy.residual_energy;
  cosim_exchange_destroy(exchange);
  seam_integrator_destroy(whole);
}

Test(crane, spool_of_the_equilibrium_is_the_published_one) {
  cr_expect_float_eq(equilibrium_spool(), 0.45434559, 5e-9);
  double x[6] = {pi / 6, -pi / 2};
  double rates[6];
  find_rest(x + 4);
  whole_rates(NULL, 0, x, rates, NULL);
  cr_expect_lt(fabs(rates[2]) + fabs(rates[3]), 1e-10);
}

/* The last column is how near: where the correction may be as large as the force, it amplifies rounding. */
Test(crane, figures_are_those_of_the_reference) {
  data_table t = data_table_open("energy_crane.csv");
  int n = 0;
  while (data_table_next(&t) > 0) {
    const double *band = &t.number[6 + n_figures];
    double figures[n_figures];
    simulate(t.number, figures);
    for (int i = 0; i < n_figures; i++)
      cr_expect_lt(fabs(figures[i] - t.number[6 + i]), *band * fabs(t.number[6 + i]),
                   "hM %g hH %g order %g mu %g nu %g limit %g, column %d: %.8g, reference %.8g", t.number[0],
                   t.number[1], t.number[2], t.number[3], t.number[4], t.number[5], i, figures[i], t.number[6 + i]);
    n++;
  }
  cr_assert_eq(n, 30);
}
