/* Stability of schemes where parts have states, laws that follow from the forces and signals: predictions against
 * co-simulated runs. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <seam/analysis.h>

#include "tests/support/model_texts.h"
#include "tests/support/run_radius.h"

/* The same at the border of each of two schemes, about the equilibrium of a model. */
static void expect_borders(const char *text, const char *const schemes[2], size_t c, double accuracy) {
  cosim_fixture f = at_rest(text, NULL);
  for (int i = 0; i < 2; i++) {
    use_scheme(&f, schemes[i]);
    expect_border(&f, border_of(&f, 1e-3, 1), c, accuracy);
  }
  cosim_fixture_free(&f);
}

/* ---- States of parts ---- */

/* Two discs; an actuator of the first one follows its angle and speed with a lag. */
static const char servo[] = "seam: 1\n"
                            "parameters: {k: 400, d: 20}\n" TWO_DISCS "forces:\n"
                            "  drive: {type: rotary_actuator, bodies: [ground, m1], command: -k*m1.phi - d*m1.omega,\n"
                            "          lag: 0.02}\n"
                            "  shaft: {type: torsion, bodies: [m1, m2], stiffness: 1000, damping: 2}\n"
                            "cosim:\n"
                            "  subsystems: {first: {bodies: [m1], forces: [drive]}, second: [m2]}\n"
                            "  macro_step: 1e-3\n"
                            "  scheme: ff-k1\n";

Test(propagation, an_actuator_is_part_of_its_subsystem) {
  expect_borders(servo, (const char *const[]){"ff-k1", "fd-k2"}, 2, 1e-6);
}

/* ---- Laws that follow from the forces ---- */

/* A block on an inclined belt that moves: friction from the reaction of its rail, which a pendulum on it changes; with
 * that of rest the border would lie 2 % elsewhere. */
static const char brake[] =
    "seam: 1\n"
    "gravity: [0, -9.81]\n"
    "parameters: {mu: 0.9, belt: 0.5, vs: 0.6, l: 0.3}\n"
    "points: {O: [0, 0], W: [-1, 0], P: [l, -l]}\n"
    "bodies:\n"
    "  block: {mass: 2, inertia: 0.1, at: O}\n"
    "  rod: {rod: [O, P], mass: 1}\n"
    "joints:\n"
    "  rail: {type: prismatic, bodies: [ground, block], at: O, axis: [1, 0.6]}\n"
    "forces:\n"
    "  spring: {type: spring_damper, bodies: [ground, block], at: [W, O], stiffness: 400, damping: 2}\n"
    "  friction: {type: force, body: block, at: O, x: \"mu*abs(rail.f_across)*tanh((belt - block.vx)/vs)\"}\n"
    "  hinge: {type: bushing, bodies: [block, rod], at: O, stiffness: [3000, 3000, 0], damping: [5, 5, 0]}\n"
    "cosim:\n"
    "  subsystems: {first: [block], second: [rod]}\n"
    "  macro_step: 1e-3\n"
    "  scheme: ff-k1\n";

Test(propagation, friction_from_a_reaction_is_part_of_its_subsystem) {
  expect_borders(brake, (const char *const[]){"ff-k1", "ff-k2"}, 5, 2e-5);
}

/* ---- Contacts ---- */

/* Two bodies on each other and on a floor, under weight: both contacts are closed, and stay so. */
static const char stacked[] =
    "seam: 1\n"
    "gravity: [0, -10]\n"
    "bodies:\n"
    "  low: {mass: 1, inertia: 1, at: [0, 0]}\n"
    "  high: {mass: 2, inertia: 1, at: [0, 1]}\n"
    "joints:\n"
    "  A: {type: prismatic, bodies: [ground, low], at: [0, 0], axis: [0, 1]}\n"
    "  B: {type: prismatic, bodies: [ground, high], at: [0, 1], axis: [0, 1]}\n"
    "forces:\n"
    "  floor: {type: contact, bodies: [ground, low], at: [[0, -0.5], [0, 0]], line: [1, 0], radius: 0.5,\n"
    "          stiffness: 5000, damping: 0.02}\n"
    "  pads: {type: contact, bodies: [low, high], at: [[0, 0], [0, 1]], radii: [0.5, 0.5], stiffness: 800, exponent: "
    "1,\n"
    "         damping: 0.01}\n"
    "cosim: {subsystems: {first: [low], second: [high]}, macro_step: 1e-3, scheme: ff-k1}\n";

Test(propagation, contacts_stay_closed_within_parts_and_at_cuts) {
  const double left = 1e-4; /* what 1e-5 m leave of the slope of the floor */
  expect_borders(stacked, (const char *const[]){"ff-k1", "fd-k1"}, 1, left);
}

/* ---- Signals ---- */

/* The discs of the servo, cut, with a controller that filters what it measures. */
#define CONTROLLED(SAMPLE, HOLD)                                                                                       \
  "seam: 1\n"                                                                                                          \
  "parameters: {k: 100, d: 20, T: 0.01}\n" TWO_DISCS "forces:\n"                                                       \
  "  drive: {type: torque, body: m1, torque: 0}\n"                                                                     \
  "  shaft: {type: torsion, bodies: [m1, m2], stiffness: 1000, damping: 2}\n"                                          \
  "cosim:\n"                                                                                                           \
  "  subsystems:\n"                                                                                                    \
  "    first: [m1]\n"                                                                                                  \
  "    second: [m2]\n"                                                                                                 \
  "    control:\n"                                                                                                     \
  "      inputs: [phi, omega]\n" SAMPLE "      outputs: {torque: -k*x - d*omega - sin(phi)}\n"                         \
  "  signals:\n"                                                                                                       \
  "    - {from: first.m1.phi, to: control.phi" HOLD "}\n"                                                              \
  "    - {from: m1.omega, to: control.omega" HOLD "}\n"                                                                \
  "    - {from: control.torque, to: first.drive.torque"

static const char controlled[] =
    CONTROLLED("      states: {x: 0}\n      rates: {x: (phi - x)/0.05}\n", ", order: 1") ", order: 1}\n"
                                                                                         "  macro_step: 1e-3\n"
                                                                                         "  scheme: ff-k1\n";
static const char held[] = CONTROLLED("      states: {x: 0}\n      rates: {x: (phi - x)/0.05}\n",
                                      ", order: 0") ", order: 0}\n  macro_step: 1e-3\n  scheme: fd-k1\n";
static const char sampled[] =
    CONTROLLED("      sample: T\n      states: {x: 0}\n      updates: {x: 0.8*x + 0.2*phi}\n", "") "}\n  macro_step: "
                                                                                                   "1e-2\n  scheme: "
                                                                                                   "ff-k1\n";

Test(propagation, signals_of_a_controller_are_extrapolated_as_in_runs) {
  static const char *const texts[] = {controlled, held};
  for (size_t i = 0; i < 2; i++) {
    cosim_fixture f = cosim_fixture_read(texts[i], NULL);
    expect_border(&f, border_of(&f, 1e-3, 1), 2, 1e-6);
    f.definition.options.sequence = COSIM_GAUSS_SEIDEL;
    expect_border(&f, border_of(&f, 1e-3, 1), 2, 1e-6);
    cosim_fixture_free(&f);
  }
}

/* ---- Samples ---- */

static double predicted_with(const char *text, double gain, double H) {
  char override[64];
  snprintf(override, sizeof override, "parameters.d=%.17g", gain);
  cosim_fixture f = cosim_fixture_read(text, (const char *const[]){override, NULL});
  const double rho = predicted_radius(&f, H);
  cosim_fixture_free(&f);
  return rho;
}

/* Of a macro step, `parts` of which make a period. */
static double ran_with(const char *text, double gain, double H, int parts) {
  char override[64];
  double y[MAX_SAMPLES];
  snprintf(override, sizeof override, "parameters.d=%.17g", gain);
  cosim_fixture f = cosim_fixture_read(text, (const char *const[]){override, NULL});
  const size_t n = run_distances(&f, H, 2, 1e-12, 1e-4, MAX_SAMPLES, y) / (size_t)parts;
  for (size_t k = 0; k < n; k++)
    y[k] = y[k * (size_t)parts];
  cosim_fixture_free(&f);
  return pow(fitted_radius(y, n), 1.0 / parts);
}

/* The gain at which runs begin to grow is predicted, with macro steps of a period and of half a one. */
Test(propagation, a_sampled_controller_is_stable_up_to_the_gain_of_runs) {
  for (int parts = 1; parts <= 2; parts++) {
    const double H = 0.01 / parts;
    double low = 1, high = 1000;
    while (high / low > 1 + 1e-6)
      *(predicted_with(sampled, sqrt(low * high), H) > 1 ? &high : &low) = sqrt(low * high);
    cr_expect(low > 20 && high < 900, "%g", low);
    cr_expect_lt(ran_with(sampled, 0.99 * low, H, parts), 1, "gain %g", low);
    cr_expect_gt(ran_with(sampled, 1.01 * low, H, parts), 1, "gain %g", low);
    const double rho = predicted_with(sampled, 1.05 * low, H);
    cr_expect_float_eq(ran_with(sampled, 1.05 * low, H, parts), rho, 1e-6, "%.12g instead of %.12g", rho,
                       ran_with(sampled, 1.05 * low, H, parts));
  }
}

Test(propagation, what_is_not_periodic_or_not_known_is_refused_by_name) {
  cosim_fixture f = cosim_fixture_read(sampled, NULL);
  seam_linearised *linear = linearise(&f);
  seam_scheme_point point;
  seam_error error = {0};
  cr_expect_eq(seam_linearised_stability(linear, 3e-3, &point, &error), SEAM_BAD_INPUT);
  cr_expect_not_null(strstr(error.message, "take 0.00333333333 s"), "%s", error.message);
  seam_linearised_destroy(linear);
  cosim_builder *builder = NULL;
  cr_assert_eq(cosim_builder_of(f.model, &f.definition, &builder, NULL), SEAM_OK);
  linear = NULL;
  cr_expect_eq(seam_linearised_create(f.state, builder, &linear, &error), SEAM_BAD_INPUT);
  cr_expect_not_null(strstr(error.message, "'control'"), "%s", error.message);
  cr_expect_null(linear);
  cosim_builder_destroy(builder);
  cosim_fixture_free(&f);
}
