/* Mechanisms of the catalogue with motors, controllers, hydraulics and a measured road: the whole against the same
 * equations in minimal coordinates, integrated here by Runge-Kutta steps that are short; and co-simulated runs that
 * converge to it. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "tests/support/model_run.h"
#include "tests/support/whole_error.h"

enum { MAX_STATES = 11 };

static const double g = 9.81;
static const double pi = 3.14159265358979323846;

/* ---- Reference ---- */

typedef void ode(double t, const double *y, double *dy);

static void runge_kutta_step(ode *f, int n, double t, double h, double *y) {
  static const double at[4] = {0, 0.5, 0.5, 1};
  static const double weight[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
  double k[4][MAX_STATES];
  for (int stage = 0; stage < 4; stage++) {
    double x[MAX_STATES];
    for (int i = 0; i < n; i++)
      x[i] = y[i] + (stage > 0 ? at[stage] * h * k[stage - 1][i] : 0);
    f(t + at[stage] * h, x, k[stage]);
  }
  for (int stage = 0; stage < 4; stage++)
    for (int i = 0; i < n; i++)
      y[i] += h * weight[stage] * k[stage][i];
}

static void solve(ode *f, int n, double from, double to, int n_steps, double *y) {
  const double h = (to - from) / n_steps;
  for (int k = 0; k < n_steps; k++)
    runge_kutta_step(f, n, from + k * h, h, y);
}

/* ---- The whole ---- */

/* ---- Motor and slider-crank: y = (θ, θ', i) ----
 *
 * M(θ) θ'' + M'(θ) θ'² / 2 + V'(θ) = k i - d x'(θ)² θ',   L i' = U - R i - k θ'. */

typedef struct crank_geometry {
  double x1, x2;         /* x' and x'' of the slider, by θ */
  double inertia, slope; /* M, M' */
  double weight;         /* V' */
} crank_geometry;

static crank_geometry crank_at(double theta) {
  const double a = 0.1;
  const double b = 0.4;
  const double s = sin(theta);
  const double c = cos(theta);
  const double sb = -a / b * s; /* of the rod's angle β */
  const double cb = sqrt(1 - sb * sb);
  const double b1 = -a * c / (b * cb);                     /* β' */
  const double b2 = (a * s + b * sb * b1 * b1) / (b * cb); /* β'' */
  const double m2 = 0.5;
  const double j2 = m2 * b * b / 12;
  const double m3 = 1;
  const double u1 = -a * s - b / 2 * sb * b1; /* of the rod's middle */
  const double w1 = a * c + b / 2 * cb * b1;
  const double u2 = -a * c - b / 2 * (cb * b1 * b1 + sb * b2);
  const double w2 = -a * s + b / 2 * (-sb * b1 * b1 + cb * b2);
  crank_geometry of = {.x1 = -a * s - b * sb * b1, .x2 = -a * c - b * (cb * b1 * b1 + sb * b2)};
  of.inertia = 0.02 + a * a / 4 + m2 * (u1 * u1 + w1 * w1) + j2 * b1 * b1 + m3 * of.x1 * of.x1;
  of.slope = 2 * (m2 * (u1 * u2 + w1 * w2) + j2 * b1 * b2 + m3 * of.x1 * of.x2);
  of.weight = g * (a / 2 * c + m2 * w1);
  return of;
}

static void motor_and_crank(double t, const double *y, double *dy) {
  (void)t;
  const double k = 0.5;
  const crank_geometry at = crank_at(y[0]);
  dy[0] = y[1];
  dy[1] = (k * y[2] - 5 * at.x1 * at.x1 * y[1] - at.weight - at.slope / 2 * y[1] * y[1]) / at.inertia;
  dy[2] = (24 - 0.6 * y[2] - k * y[1]) / 3e-3;
}

Test(driven, motor_and_slider_crank_turn_as_their_equations_say) {
  double y[3] = {pi / 3, 0, 0};
  model_run run = model_run_of_entry("motor_slider_crank", NULL);
  for (int k = 1; k <= 4; k++) {
    solve(motor_and_crank, 3, 0.25 * (k - 1), 0.25 * k, 5000, y);
    model_run_reach(&run, 0.25 * k);
    cr_expect_float_eq(model_run_read(&run, "crank.phi"), y[0], 1e-8, "%d", k);
    cr_expect_float_eq(model_run_read(&run, "crank.omega"), y[1], 1e-7, "%d", k);
    cr_expect_float_eq(model_run_read(&run, "motor.i"), y[2], 1e-7, "%d", k);
  }
  model_run_end(&run);
}

/* ---- Cart and pole: y = (x, x', θ, θ'), θ clockwise from upright ---- */

typedef struct gains {
  double x, v, theta, omega;
} gains;

static void cart_under_force(const double *y, double F, double *dy) {
  const double M = 2;
  const double m = 0.5;
  const double l = 0.5;
  const double J = m * l * l / 3;
  const double c = cos(y[2]);
  const double s = sin(y[2]);
  const double p = F + m * l * s * y[3] * y[3];
  const double q = m * g * l * s;
  const double det = (M + m) * (J + m * l * l) - m * l * c * m * l * c;
  dy[0] = y[1];
  dy[1] = ((J + m * l * l) * p - m * l * c * q) / det;
  dy[2] = y[3];
  dy[3] = ((M + m) * q - m * l * c * p) / det;
}

/* Those that the file computes from the poles. */
static gains gains_of_poles(void) {
  const double M = 2;
  const double m = 0.5;
  const double l = 0.5;
  const double J = m * l * l / 3;
  const double det = (M + m) * (J + m * l * l) - m * l * m * l;
  const double b3 = (J + m * l * l) / det;
  const double b4 = -m * l / det;
  const double a42 = (M + m) * m * g * l / det;
  const double q = b3 * a42 + b4 * (m * l) * (m * l) * g / det;
  const gains k = {.x = -85 / q, .v = -108 / q};
  return (gains){k.x, k.v, (54 + a42 - b3 * k.x) / b4, (12 - b3 * k.v) / b4};
}

static void fed_back(double t, const double *y, double *dy) {
  (void)t;
  const gains k = gains_of_poles();
  cart_under_force(y, -k.x * y[0] - k.v * y[1] - k.theta * y[2] - k.omega * y[3], dy);
}

static void expect_cart(model_run *run, const double *y, double tolerance) {
  cr_expect_float_eq(model_run_read(run, "cart.x"), y[0], tolerance);
  cr_expect_float_eq(model_run_read(run, "cart.vx"), y[1], tolerance);
  cr_expect_float_eq(model_run_read(run, "pole.phi"), pi / 2 - y[2], tolerance);
  cr_expect_float_eq(model_run_read(run, "pole.omega"), -y[3], tolerance);
}

Test(driven, state_feedback_keeps_the_pole_upright) {
  double y[4] = {0, 0, 0.2, 0};
  model_run run = model_run_of_entry("cart_pole", NULL);
  for (int k = 1; k <= 6; k++) {
    solve(fed_back, 4, k - 1, k, 4000, y);
    model_run_reach(&run, k);
    expect_cart(&run, y, 1e-8);
  }
  cr_expect_lt(fabs(y[2]), 1e-3);
  model_run_end(&run);
}

static double held; /* force between two samples */

static void under_held_force(double t, const double *y, double *dy) {
  (void)t;
  cart_under_force(y, held, dy);
}

Test(driven, a_sampled_controller_holds_its_force) {
  const double T = 0.02;
  double y[4] = {0, 0, 0.1, 0};
  double before[2] = {0, 0.1};
  model_run run = model_run_of_entry("cart_pole_sampled", NULL);
  for (int k = 0; k < 150; k++) {
    held = 13 * y[0] + 16 * (y[0] - before[0]) / T + 86 * y[2] + 22 * (y[2] - before[1]) / T;
    before[0] = y[0];
    before[1] = y[2];
    solve(under_held_force, 4, 0, T, 40, y);
  }
  model_run_reach(&run, 150 * T);
  expect_cart(&run, y, 1e-8);
  model_run_end(&run);
}

/* Its force jumps the reactions at the hinge, 50 times a second. */
Test(driven, a_sampled_controller_beside_a_cut_hinge_leaves_the_order) {
  mbs_integrator_options options = mbs_default_integrator_options();
  options.rtol = options.atol = 1e-12;
  const char *text = seam_catalogue_text("cart_pole_sampled");
  const double coarse = error_against_whole(text, &options, 4e-3, 2);
  const double fine = error_against_whole(text, &options, 2e-3, 2);
  cr_expect_float_eq(log2(coarse / fine), 4, 0.1, "%g, %g", coarse, fine);
  cr_expect_lt(fine, 1e-9, "%g", fine);
}

/* ---- Quarter car: y = (zw, zw', zc, zc') above the places at rest ---- */

static const double places[] = {0,    2, 2.25, 2.5, 2.75, 3, 3.25, 3.5, 3.75, 4, 4.25, 4.5,
                                4.75, 5, 5.25, 5.5, 5.75, 6, 6.25, 6.5, 6.75, 7, 8};
static const double heights[] = {0,      0,      0.004,  0.011,  0.016,  0.013, 0.018,  0.027,
                                 0.03,   0.024,  0.019,  0.021,  0.012,  0.002, -0.005, -0.009,
                                 -0.004, -0.006, -0.012, -0.008, -0.003, 0,     0};

static int piece; /* of the road that the wheel is on */

static void above_road(double t, const double *y, double *dy) {
  const double slope = (heights[piece + 1] - heights[piece]) / (places[piece + 1] - places[piece]);
  const double road = heights[piece] + slope * (10 * t - places[piece]);
  const double suspension = 2e4 * (y[2] - y[0]) + 1500 * (y[3] - y[1]);
  dy[0] = y[1];
  dy[1] = (suspension - 1.8e5 * (y[0] - road)) / 40;
  dy[2] = y[3];
  dy[3] = -suspension / 400;
}

Test(driven, a_car_on_a_measured_road_moves_as_its_equations_say) {
  double y[4] = {0};
  model_run run = model_run_of_entry("quarter_car_road", NULL);
  for (piece = 0; piece < (int)(sizeof places / sizeof *places) - 1; piece++)
    solve(above_road, 4, places[piece] / 10, places[piece + 1] / 10, 2000, y);
  model_run_reach(&run, 0.8);
  cr_expect_float_eq(model_run_read(&run, "wheel.y") - 0.3, y[0], 1e-9);
  cr_expect_float_eq(model_run_read(&run, "wheel.vy"), y[1], 1e-8);
  cr_expect_float_eq(model_run_read(&run, "chassis.y") - 0.8, y[2], 1e-9);
  cr_expect_float_eq(model_run_read(&run, "chassis.vy"), y[3], 1e-8);
  cr_expect_float_eq(model_run_read(&run, "grip"), 440 * g - 1.8e5 * y[0], 1e-3);
  model_run_end(&run);
}

/* ---- Excavator: y = (φ, ω; x, y, φ, vx, vy, ω of the bucket; p1, p2; sum) ---- */

static double bulk_modulus(double p) {
  const double a = 6.53e-10;
  const double b = -1.19e-18;
  return (1 + a * p + b * p * p) / (a + 2 * b * p);
}

static double flow(double part, double p) {
  return 0.67 * 2e-5 * (part * sqrt(2 * (1.6e7 - p) / 850) - (1 - part) * sqrt(2 * (p - 1e5) / 850));
}

static double spool(double t, double phi, double sum) {
  const double wanted = 0.3 + 0.4 * (t < 2 ? t / 2 - sin(pi * t) / (2 * pi) : 1);
  return fmax(0.05, fmin(0.95, 0.5 - 4 * (wanted - phi) - 1.5 * sum));
}

static void lifted_boom(double t, const double *y, double *dy) {
  const double c = cos(y[0]);
  const double s = sin(y[0]);
  /* bushing: force on the boom's tip, 3 m from the pivot; the bucket's marker is 0.5 m above its centre */
  const double cb = cos(y[4]);
  const double sb = sin(y[4]);
  const double gap[2] = {y[2] - 0.5 * sb - 3 * c, y[3] + 0.5 * cb - 3 * s};
  const double rate[2] = {y[5] - 0.5 * cb * y[7] + 3 * s * y[1], y[6] - 0.5 * sb * y[7] - 3 * c * y[1]};
  const double F[2] = {4e6 * gap[0] + 2e4 * rate[0], 4e6 * gap[1] + 2e4 * rate[1]};
  const double turning = 200 * (y[7] - y[1]);
  /* cylinder: from (0.4, -0.6) to (1.2, 0.1) on the boom */
  const double d[2] = {1.2 * c - 0.1 * s - 0.4, 1.2 * s + 0.1 * c + 0.6};
  const double length = hypot(d[0], d[1]);
  const double arm[2] = {1.2 * c - 0.1 * s, 1.2 * s + 0.1 * c};
  const double slope = (-d[0] * arm[1] + d[1] * arm[0]) / length; /* of the length by φ */
  const double v = slope * y[1];
  const double pull = 2e4 * v - (8e-3 * y[9] - 5e-3 * y[8]);
  const double kappa = spool(t, y[0], y[10]);
  const double out = length - 1.2;
  const double wanted = 0.3 + 0.4 * (t < 2 ? t / 2 - sin(pi * t) / (2 * pi) : 1);
  dy[0] = y[1];
  dy[1] = (-300 * g * 1.5 * c - pull * slope + 3 * c * F[1] - 3 * s * F[0] + turning) / 900;
  memcpy(dy + 2, y + 5, 3 * sizeof *dy);
  dy[5] = -F[0] / 200;
  dy[6] = -F[1] / 200 - g;
  dy[7] = (-turning + 0.5 * sb * F[1] + 0.5 * cb * F[0]) / 20;
  dy[8] = bulk_modulus(y[8]) / (5e-3 * (1.2 - out)) * (5e-3 * v + flow(kappa, y[8]));
  dy[9] = bulk_modulus(y[9]) / (8e-3 * (1.2 + out)) * (-8e-3 * v + flow(1 - kappa, y[9]));
  dy[10] = wanted - y[0];
}

Test(driven, an_excavator_lifts_its_boom_as_its_equations_say) {
  const double p0 = (1.6e7 + 1e5) / 2;
  double y[11] = {0.3, 0, 3 * cos(0.3), 3 * sin(0.3) - 0.5, 0, 0, 0, 0, p0, p0, 0};
  model_run run = model_run_of_entry("excavator", NULL);
  for (int k = 1; k <= 2; k++) {
    solve(lifted_boom, 11, k - 1, k, 40000, y);
    model_run_reach(&run, k);
    cr_expect_float_eq(model_run_read(&run, "boom.phi"), y[0], 1e-8, "%d", k);
    cr_expect_float_eq(model_run_read(&run, "bucket.x"), y[2], 1e-7);
    cr_expect_float_eq(model_run_read(&run, "bucket.y"), y[3], 1e-7);
    cr_expect_float_eq(model_run_read(&run, "lift.p1"), y[8], 1e-6 * y[8]);
    cr_expect_float_eq(model_run_read(&run, "lift.p2"), y[9], 1e-6 * y[9]);
    cr_expect_float_eq(model_run_read(&run, "control.sum"), y[10], 1e-8);
  }
  model_run_end(&run);
}
