/* Stability where equations of parts are sampled, and with several periods: predictions against co-simulated runs, over
 * a common period. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/linearised/linearised_mechanism.h"
#include "tests/support/model_texts.h"
#include "tests/support/run_radius.h"

/* ---- Prediction and run with a gain ---- */

typedef struct sampled_case {
  const char *text;
  double H;
  int rounds;        /* macro steps in a common period */
  size_t coordinate; /* that the mode moves */
} sampled_case;

static cosim_fixture read_with(const sampled_case *c, double gain) {
  char override[64];
  snprintf(override, sizeof override, "parameters.d=%.17g", gain);
  return cosim_fixture_read(c->text, (const char *const[]){override, NULL});
}

static double predicted_with(const sampled_case *c, double gain) {
  cosim_fixture f = read_with(c, gain);
  const double rho = predicted_radius(&f, c->H);
  cosim_fixture_free(&f);
  return rho;
}

enum { MAX_ROUNDS = 12 };

/* As many periods, however many macro steps they have. */
static double ran_with(const sampled_case *c, double gain) {
  double y[MAX_ROUNDS * MAX_SAMPLES];
  cosim_fixture f = read_with(c, gain);
  const size_t rounds = (size_t)c->rounds;
  const size_t n = run_distances(&f, c->H, c->coordinate, 1e-12, 1e-4, rounds * MAX_SAMPLES, y) / rounds;
  for (size_t k = 0; k < n; k++)
    y[k] = y[k * (size_t)c->rounds];
  cosim_fixture_free(&f);
  return pow(fitted_radius(y, n), 1.0 / c->rounds);
}

/* Constraints at cuts have modes at 1. */
static bool grows_with(const sampled_case *c, double gain) { return predicted_with(c, gain) > 1 + 1e-7; }

/* Between two gains runs begin to grow where it is predicted. */
static void expect_gain(const sampled_case *c, double holds, double grows, double accuracy) {
  const double up = grows > holds ? 1 : -1;
  cr_assert(!grows_with(c, holds) && grows_with(c, grows), "%g to %g: %s", holds, grows, strstr(c->text, "scheme"));
  while (fabs(log(grows / holds)) > 1e-6) {
    const double middle = sqrt(holds * grows);
    *(grows_with(c, middle) ? &grows : &holds) = middle;
  }
  cr_expect_lt(ran_with(c, holds * pow(0.98, up)), 1, "gain %g", holds);
  cr_expect_gt(ran_with(c, holds * pow(1.02, up)), 1, "gain %g", holds);
  const double gain = holds * pow(1.1, up);
  const double rho = predicted_with(c, gain);
  const double ran = ran_with(c, gain);
  cr_expect_float_eq(ran, rho, accuracy, "%.12g instead of %.12g: gain %g, H = %g, %s", rho, ran, gain, c->H,
                     strstr(c->text, "scheme"));
}

/* ---- Within parts ---- */

/* A sampled controller of the first of two discs, in its subsystem. */
#define SAMPLED(BRAKE, EQUATIONS, SUBSYSTEMS, MORE)                                                                    \
  "seam: 1\n"                                                                                                          \
  "parameters: {k: 100, d: 20}\n" TWO_DISCS "forces:\n"                                                                \
  "  drive: {type: torque, body: m1, torque: control.torque}\n"                                                        \
  "  brake: {type: torque, body: m2, torque: " BRAKE "}\n"                                                             \
  "  shaft: {type: torsion, bodies: [m1, m2], stiffness: 1000, damping: 4}\n"                                          \
  "equations:\n" EQUATIONS "cosim:\n  subsystems: " SUBSYSTEMS "\n  macro_step: 5e-3\n" MORE

#define CONTROL                                                                                                        \
  "  control:\n"                                                                                                       \
  "    sample: 0.01\n"                                                                                                 \
  "    inputs: {phi: m1.phi, omega: m1.omega}\n"                                                                       \
  "    states: {x: 0, torque: 0}\n"                                                                                    \
  "    updates: {x: 0.8*x + 0.2*phi, torque: -k*x - d*omega - sin(phi)}\n"

Test(samples, a_controller_within_a_part_is_sampled_as_in_runs) {
  static const char *const schemes[] = {"ff-k1", "ff-d-k1", "fd-k0-explicit",
                                        "ff-colloc-s2-implicit"}; /* whose corrections are exact */
  for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++)
    for (int rounds = 1; rounds <= 2; rounds++) {
      char text[2000];
      snprintf(text, sizeof text, SAMPLED("0", CONTROL, "{first: [m1], second: [m2]}", "  scheme: %s\n"), schemes[i]);
      expect_gain(&(sampled_case){text, 0.01 / rounds, rounds, 2}, 5, 900, 1e-6);
    }
}

Test(samples, a_controller_within_a_part_of_the_exchange_is_sampled_as_in_runs) {
  static const char text[] =
      "seam: 1\n"
      "parameters: {d: 5}\n" TWO_DISCS "forces:\n"
      "  drive: {type: torque, body: m1, torque: control.torque}\n"
      "  shaft: {type: torsion, bodies: [m1, m2], stiffness: 10, damping: 4}\n"
      "equations:\n"
      "  control:\n"
      "    sample: 0.01\n"
      "    inputs: {phi: m1.phi, omega: m1.omega}\n"
      "    states: {torque: 0}\n"
      "    updates: {torque: -20*phi - d*omega}\n"
      "cosim: {subsystems: {first: [m1], second: [m2]}, macro_step: 5e-3, scheme: fd-k0-exchange}\n";
  expect_gain(&(sampled_case){text, 5e-3, 2, 2}, 5, 900, 1e-6);
}

Test(samples, a_controller_reads_signals_of_other_subsystems) {
  static const char of_second[] = "  control:\n"
                                  "    sample: 0.01\n"
                                  "    inputs: {phi: m2.phi, omega: m1.omega}\n"
                                  "    states: {x: 0, torque: 0}\n"
                                  "    updates: {x: 0.8*x + 0.2*phi, torque: -0.1*k*x - d*omega - sin(phi)}\n";
  char text[2000];
  snprintf(text, sizeof text,
           SAMPLED("0", "%s", "{first: {bodies: [m1], equations: [control], signal_order: 1}, second: [m2]}",
                   "  scheme: ff-k1\n"),
           of_second);
  for (int rounds = 1; rounds <= 2; rounds++)
    expect_gain(&(sampled_case){text, 0.01 / rounds, rounds, 2}, 5, 900, 1e-6);
}

/* cart_pole_sampled of the catalogue, cut at its hinge: the pole's angle is a signal to the cart's controller. */
static const char cart_pole[] =
    "seam: 1\n"
    "gravity: [0, -9.81]\n"
    "parameters: {M: 2, m: 0.5, l: 0.5, T: 0.02, k1: -13, k2: -16, k3: -86, k4: -22, d: 1}\n"
    "points: {O: [0, 0], P: [0, 2*l]}\n"
    "bodies:\n"
    "  cart: {mass: M, inertia: 1, at: O}\n"
    "  pole: {rod: [O, P], mass: m}\n"
    "joints:\n"
    "  rail: {type: prismatic, bodies: [ground, cart], at: O, axis: [1, 0]}\n"
    "  hinge: {type: revolute, bodies: [cart, pole], at: O}\n"
    "forces:\n"
    "  push: {type: force, body: cart, x: control.force}\n"
    "equations:\n"
    "  control:\n"
    "    sample: T\n"
    "    inputs: {x: cart.x, theta: pi/2 - pole.phi}\n"
    "    states: {x0: 0, theta0: 0, force: 0}\n"
    "    updates: {x0: x, theta0: theta, force: \"-d*(k1*x + k2*(x - x0)/T + k3*theta + k4*(theta - theta0)/T)\"}\n"
    "cosim:\n"
    "  subsystems: {first: {bodies: [cart], equations: [control], signal_order: 1}, second: [pole]}\n"
    "  macro_step: 0.02\n"
    "  scheme: ff-index2-k1\n";

Test(samples, a_pole_on_a_cart_falls_below_the_gain_of_runs) {
  for (int rounds = 1; rounds <= 4; rounds *= 4)
    expect_gain(&(sampled_case){cart_pole, 0.02 / rounds, rounds, 5}, 1, 0.2, 2e-6);
}

/* ---- Several periods ---- */

/* A second controller holds the second disc. */
#define TRIM "  trim: {sample: 0.015, inputs: {phi: m2.phi}, states: {torque: 0}, updates: {torque: -40*phi}}\n"

Test(samples, several_periods_have_a_common_one) {
  static const char within_parts[] =
      SAMPLED("trim.torque", CONTROL TRIM, "{first: [m1], second: [m2]}", "  scheme: ff-k1\n");
  static const char signals[] = SAMPLED("0", CONTROL,
                                        "{first: [m1], second: [m2], trim: {sample: 0.015, inputs: [phi],\n"
                                        "               outputs: {torque: -40*phi}}}",
                                        "  signals:\n"
                                        "    - {from: m2.phi, to: trim.phi}\n"
                                        "    - {from: trim.torque, to: second.brake.torque}\n"
                                        "  scheme: ff-k1\n");
  expect_gain(&(sampled_case){within_parts, 0.005, 6, 2}, 10, 900, 1e-6);
  expect_gain(&(sampled_case){signals, 0.0025, 12, 2}, 10, 900, 1e-6);
}

/* ---- Macro steps whose sums miss samples by rounding ---- */

static const char of_signals[] =
    "seam: 1\n"
    "parameters: {k: 100, d: 20}\n" TWO_DISCS "forces:\n"
    "  drive: {type: torque, body: m1, torque: 0}\n"
    "  shaft: {type: torsion, bodies: [m1, m2], stiffness: 1000, damping: 4}\n"
    "cosim:\n"
    "  subsystems:\n"
    "    first: [m1]\n"
    "    second: [m2]\n"
    "    control: {sample: 0.01, inputs: [phi, omega], outputs: {torque: -k*phi - d*omega}}\n"
    "  signals:\n"
    "    - {from: m1.phi, to: control.phi}\n"
    "    - {from: m1.omega, to: control.omega}\n"
    "    - {from: control.torque, to: first.drive.torque}\n"
    "  macro_step: 5e-3\n"
    "  scheme: ff-k1\n";

/* A period has nearly the same factor however many macro steps it is divided into; of these, 2, 12, 14, 23 and 24 have
 * sums that are below a sample by rounding. */
Test(samples, are_met_by_steps_that_round) {
  const double of_one = predicted_with(&(sampled_case){of_signals, 0.01, 1, 2}, 20);
  for (int n = 2; n <= 24; n++) {
    const double factor = pow(predicted_with(&(sampled_case){of_signals, 0.01 / n, n, 2}, 20), n);
    cr_expect_float_eq(factor, of_one, 5e-7, "%d macro steps: %.9g, not %.9g", n, factor, of_one);
  }
}

/* ---- Periods that never meet ---- */

Test(samples, periods_that_never_meet_are_refused_by_name) {
  analysis_common_period sum = {0};
  seam_error error = {0};
  cr_expect_eq(analysis_common_period_add(&sum, 6e-3, "first", &error), SEAM_OK);
  cr_expect_eq(analysis_common_period_add(&sum, 4e-3, "second", &error), SEAM_OK);
  cr_expect_float_eq(sum.period, 12e-3, 1e-15);
  cr_expect_float_eq(sum.divisor, 2e-3, 1e-15);
  cr_expect_float_eq(analysis_common_period_fit(&sum, 0.9e-3), 1e-3, 1e-15);
  cr_expect_float_eq(analysis_common_period_fit(&sum, 1), 2e-3, 1e-15);
  cr_expect_eq(analysis_common_period_steps(&sum, 1e-3), 12);
  cr_expect_eq(analysis_common_period_check(&sum, 3e-3, &error), SEAM_BAD_INPUT);
  cr_expect_not_null(strstr(error.message, "take 0.002 s"), "%s", error.message);
  cr_expect_eq(analysis_common_period_add(&sum, sqrt(2) * 1e-3, "third", &error), SEAM_BAD_INPUT);
  cr_expect_not_null(strstr(error.message, "'third' is sampled every 0.00141421356 s"), "%s", error.message);
  cr_expect_eq(analysis_common_period_add(&sum, 1.2e-5, "fourth", &error), SEAM_BAD_INPUT);
}
