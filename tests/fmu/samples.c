/* A cart under a sampled controller that is an FMU of its own, coupled by held signals, against the whole. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>

#include "tests/support/command.h"
#include "tests/support/run_results.h"

TestSuite(samples, .init = enter_scratch, .fini = leave_scratch);

#define CART                                                                                                           \
  "seam: 1\n"                                                                                                          \
  "bodies: {cart: {mass: 1, inertia: 1, at: [1, 0]}}\n"                                                                \
  "joints: {rail: {type: prismatic, bodies: [ground, cart], at: [0, 0], axis: [1, 0]}}\n"                              \
  "simulate: {end: 0.5, output_step: 0.05}\n"
#define LAW                                                                                                            \
  "    sample: 0.05\n    states: {sum: 0}\n    updates: {sum: sum + 0.05*x}\n"                                         \
  "    outputs: {force: -20*x - 6*v - 2*sum}\n"

static const char whole[] = CART "forces: {push: {type: force, body: cart, x: control.force}}\n"
                                 "equations:\n  control:\n    inputs: {x: cart.x, v: cart.vx}\n" LAW;

static const char control[] =
    "seam: 1\n"
    "bodies: {one: {mass: 1, inertia: 1, at: [0, 0]}, other: {mass: 1, inertia: 1, at: [0, 0]}}\n"
    "forces: {M: {type: bushing, bodies: [one, other], at: [0, 0], stiffness: [1, 1, 1]}}\n"
    "fmu: {inputs: {place: 1, speed: 0}, outputs: [control.force]}\n"
    "simulate: {end: 1}\n"
    "cosim: {macro_step: 0.05, scheme: fd-k0-explicit,\n"
    "        subsystems: {rest: [one], controller: {bodies: [other], equations: [control]}}}\n"
    "equations:\n  control:\n    inputs: {x: place, v: speed}\n" LAW;

static void expect_done(outcome result) {
  result = expect_success(result);
  outcome_free(&result);
}

/* The cart's place at the end: measured signals are held with an order. */
static double place_of_loop(const char *macro_step, int order) {
  char text[1200];
  snprintf(text, sizeof text,
           "%sforces: {push: {type: force, body: cart, x: 0}}\n"
           "cosim:\n  macro_step: %s\n"
           "  subsystems: {plant: [cart], controller: {fmu: control.fmu}}\n"
           "  signals:\n"
           "    - {from: cart.x, to: controller.place, order: %d}\n"
           "    - {from: cart.vx, to: controller.speed, order: %d}\n"
           "    - {from: controller.control.force, to: plant.push.fx}\n",
           CART, macro_step, order, order);
  write_text("loop.yaml", text);
  expect_done(SEAM("run", "loop.yaml", "--cosim", "-o", "loop"));
  return csv_last("loop/trajectory.csv", "cart.x");
}

/* The first act of a sample is by inputs of one step before, all others by those of its time: second order in H. The
 * motion between samples is a parabola, which holds of order 2 meet. */
static void expect_order_two(const char *version) {
  write_text("whole.yaml", whole);
  write_text("control.yaml", control);
  expect_done(SEAM("run", "whole.yaml", "-o", "whole"));
  expect_done(SEAM("export", "control.yaml", "--subsystem", "controller", "--fmi", version, "-o", "control.fmu"));
  const double exact = csv_last("whole/trajectory.csv", "cart.x");
  const double coarse = fabs(place_of_loop("2.5e-3", 0) - exact);
  const double fine = fabs(place_of_loop("1.25e-3", 0) - exact);
  cr_expect_lt(coarse, 1e-3);
  cr_expect_float_eq(log2(coarse / fine), 2, 0.1, "FMI %s: %g, %g", version, coarse, fine);
  cr_expect_float_eq(place_of_loop("5e-3", 2), exact, 1e-12, "FMI %s", version);
  /* As long as the period: late by one step, where it was two and 0.4 off. */
  cr_expect_lt(fabs(place_of_loop("0.05", 0) - exact), 0.16);
}

Test(samples, a_sampled_fmu_acts_in_the_step_behind_its_sample) {
  expect_order_two("2");
  expect_order_two("3");
}
