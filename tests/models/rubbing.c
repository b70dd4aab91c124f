/* Mechanisms of the catalogue with friction in their joints, against closed forms and against equations in minimal
 * coordinates whose reactions are found by hand. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>

#include "tests/support/model_run.h"

static const double g = 9.81;

/* ---- Stick-slip: from rest of the spring it sticks up to μ_s m g/k, and then for 2 X/V in each period ---- */

Test(rubbing, stick_slip_repeats_after_its_period) {
  const double V = 0.1;
  const double omega = sqrt(12 / 1.5);
  const double X = 0.1 * 1.5 * g / 12;
  const double slips = (acos(-1) + 2 * atan(V / (omega * X))) / omega;
  const double period = 2 * X / V + slips;
  model_run run = model_run_of_entry("stick_slip", NULL);
  const double energy = model_run_energy(&run);
  const double first = 0.3 * 1.5 * g / (12 * V) - X / V; /* in the middle of its first way up */
  for (int k = 0; first + k * period < 20; k++) {
    model_run_reach(&run, first + k * period);
    cr_expect_float_eq(run.state->q[3], 0.2 * 1.5 * g / 12, 1e-8, "%d: %.3g", k, run.state->q[3] - 0.2 * 1.5 * g / 12);
    cr_expect_float_eq(run.state->v[3], V, 1e-12);
    if (first + (k + 0.5) * period > 20)
      continue;
    model_run_reach(&run, first + (k + 0.5) * period);
    cr_expect_float_eq(run.state->v[3], -hypot(V, omega * X), 1e-8, "%d", k);
  }
  cr_expect_lt(fabs(model_run_imbalance(&run, energy)), 1e-8);
  model_run_end(&run);
}

/* ---- Brake ---- */

Test(rubbing, a_brake_stops_a_cage_and_holds_it) {
  const double ends = 2 * 0.4 * 0.2 / 1.6;
  const double a = (0.4 * 23e3 + ends * 800 * g - 800 * g) / (800 * (1 - ends));
  model_run run = model_run_of_entry("brake", NULL);
  const double energy = model_run_energy(&run);
  model_run_reach(&run, 1.5 / a);
  cr_expect_float_eq(run.state->q[1], -9 / (2 * a) * 0.75, 1e-9);
  model_run_reach(&run, 1.9);
  const double place = run.state->q[1];
  cr_expect_float_eq(place, -9 / (2 * a), 1e-9);
  model_run_reach(&run, 4);
  cr_expect_eq(run.state->q[1], place, "the people are held too");
  cr_expect_lt(fabs(model_run_imbalance(&run, energy)), 1e-8 * energy);
  model_run_end(&run);
}

/* At rest N = P + 2 d m g/L: their weight is at the rail. */
Test(rubbing, a_brake_holds_as_many_people_as_its_static_friction_does) {
  const double most = (0.45 * (23e3 + 2 * 0.2 * 800 * g / 1.6) - 800 * g) / 735;
  cr_assert(most > 4 && most < 5, "%g", most);
  model_run run = model_run_of_entry("brake", (const char *[]){"parameters.people=5", NULL});
  model_run_reach(&run, 2);
  const double place = run.state->q[1];
  model_run_reach(&run, 2.1);
  cr_expect_lt(run.state->q[1], place - 1e-4);
  model_run_end(&run);
}

/* ---- Slider-crank: y = (θ, θ') ---- */

typedef struct loads {
  double A, B, C, N; /* magnitudes in the pins and the guide */
} loads;

typedef struct frictions {
  double main, big, small, guide;
} frictions;

static double rub(double rate, double lever, double normal) {
  const double u = lever * rate;
  return -lever * 0.15 * normal * u / hypot(u, 0.01);
}

/* Torque that is missing at the crank, for an acceleration and friction; the reactions of this motion. */
static double missing(const double y[2], double alpha, const frictions *f, loads *of) {
  const double a = 0.2;
  const double b = 0.5;
  const double m1 = 1;
  const double m2 = 1.5;
  const double m3 = 2;
  const double s = sin(y[0]);
  const double c = cos(y[0]);
  const double sb = -a / b * s;
  const double cb = sqrt(1 - sb * sb);
  const double w = y[1];
  const double wb = -a * c * w / (b * cb);
  const double alphab = (a * s * w * w + b * sb * wb * wb - a * c * alpha) / (b * cb);
  const double P[2] = {a * (-alpha * s - w * w * c), a * (alpha * c - w * w * s)};
  const double d[2] = {b * (-alphab * sb - wb * wb * cb), b * (alphab * cb - wb * wb * sb)};
  const double Cx = m3 * (P[0] + d[0]) - f->guide;
  const double Bx = m2 * (P[0] + d[0] / 2) + Cx;
  const double lift = m2 * (P[1] + d[1] / 2 + g);
  const double turning = (f->big - f->small - m2 * b * b / 12 * alphab) * 2 / b;
  const double Cy = ((turning + sb * (Bx + Cx)) / cb - lift) / 2;
  const double By = lift + Cy;
  *of = (loads){.A = hypot(m1 * P[0] / 2 + Bx, m1 * (P[1] / 2 + g) + By),
                .B = hypot(Bx, By),
                .C = hypot(Cx, Cy),
                .N = fmax(fabs(m3 * g - Cy), 2 * fabs(f->small) / 0.01)};
  return 3 + f->main - f->big - a * (c * By - s * Bx) - m1 * g * a / 2 * c - m1 * a * a / 3 * alpha;
}

static void rubbing_crank(const double *y, double *dy) {
  const double a = 0.2;
  const double b = 0.5;
  const double r = 0.03;
  const double sb = -a / b * sin(y[0]);
  const double wb = -a * cos(y[0]) * y[1] / (b * sqrt(1 - sb * sb));
  const double rate = -a * sin(y[0]) * y[1] - b * sb * wb; /* of the slider */
  frictions f = {0};
  loads of;
  dy[0] = y[1];
  for (int i = 0; i < 25; i++) {
    const double at_rest = missing(y, 0, &f, &of);
    dy[1] = at_rest / (at_rest - missing(y, 1, &f, &of));
    (void)missing(y, dy[1], &f, &of);
    f = (frictions){rub(y[1], r, of.A), rub(wb - y[1], r, of.B), rub(-wb, r, of.C), rub(rate, 1, of.N)};
  }
}

static void step(double h, double *y) {
  double k[4][2];
  double x[2];
  rubbing_crank(y, k[0]);
  for (int stage = 1; stage < 4; stage++) {
    for (int i = 0; i < 2; i++)
      x[i] = y[i] + (stage == 3 ? h : h / 2) * k[stage - 1][i];
    rubbing_crank(x, k[stage]);
  }
  for (int i = 0; i < 2; i++)
    y[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
}

Test(rubbing, a_slider_crank_that_rubs_everywhere_turns_as_its_equations_say) {
  enum { STEPS = 80000 };
  double y[2] = {acos(-1) / 3, 0};
  static const char *const tight[] = {"simulate.rtol=1e-11", "simulate.atol=1e-12", NULL};
  model_run run = model_run_of_entry("slider_crank_friction", tight);
  const double energy = model_run_energy(&run);
  for (int k = 1; k <= 4; k++) {
    for (int i = 0; i < STEPS / 4; i++)
      step(1.0 / STEPS, y);
    model_run_reach(&run, 0.25 * k);
    cr_expect_float_eq(run.state->q[2], y[0], 1e-9, "%d: %.3g", k, run.state->q[2] - y[0]);
    cr_expect_float_eq(run.state->v[2], y[1], 1e-7, "%d: %.3g", k, run.state->v[2] - y[1]);
  }
  cr_expect_lt(fabs(model_run_imbalance(&run, energy)), 1e-8);
  cr_expect_gt(mbs_energy_of(run.ws, run.state).dissipated, 0.5);
  model_run_end(&run);
}

/* ---- A reaction that passes zero ---- */

/* A body on a rough slot turns, so that its only reaction changes its sign: there is nothing to jam. What it loses is
 * what friction takes. */
Test(rubbing, a_single_reaction_that_passes_zero_does_not_jam, .timeout = 120) {
  for (int k = 0; k < 24; k++) {
    char text[500];
    snprintf(text, sizeof text,
             "seam: 1\ngravity: [0, -9.81]\n"
             "bodies: {b: {mass: %.3f, inertia: 0.082, at: [-0.06, %.4f], rate: -6.2}}\n"
             "joints: {j: {type: slot, bodies: [ground, b], at: [0, 0], axis: [0.39, %.4f], friction: {coefficient: "
             "%.4f, slip_speed: 0.014}}}\nsimulate: {end: 2}\n",
             2.26 + 0.05 * (k % 5), 0.27 + 0.003 * k, -0.78 + 0.01 * (k % 7), 0.193 + 0.002 * (k % 6));
    model_run run = model_run_begin(text, NULL, NULL, NAN);
    const double before = mbs_energy_of(run.ws, run.state).total;
    model_run_advance(&run, 2);
    cr_expect_eq(run.status, SEAM_OK, "%d: %s", k, run.error.message);
    const mbs_energy energy = mbs_energy_of(run.ws, run.state);
    cr_expect_float_eq(energy.total + energy.dissipated, before, 1e-5 * fabs(energy.dissipated), "%d: %.3g J", k,
                       energy.total + energy.dissipated - before);
    model_run_end(&run);
  }
}
