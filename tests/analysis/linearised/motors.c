/* Mechanisms that a motor holds: static torques, stability of a scheme about the rest under load, predicted errors. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <seam/analysis.h>

#include "tests/support/engine.h"
#include "tests/support/model_run.h"
#include "tests/support/run_radius.h"

/* ---- Mechanisms ---- */

/* A disc on a spring, a shaft that a motor holds, and a load on both. */
#define DRIVE                                                                                                          \
  "seam: 1\n"                                                                                                          \
  "points: {O: [0, 0]}\n"                                                                                              \
  "bodies:\n"                                                                                                          \
  "  plant: {mass: 1, inertia: 1, at: O}\n"                                                                            \
  "  shaft: {mass: 1, inertia: 0.2, at: O}\n"                                                                          \
  "  load: {mass: 1, inertia: 0.5, at: O}\n"                                                                           \
  "joints:\n"                                                                                                          \
  "  A: {type: revolute, bodies: [ground, plant], at: O}\n"                                                            \
  "  B: {type: revolute, bodies: [ground, shaft], at: O}\n"                                                            \
  "  C: {type: revolute, bodies: [ground, load], at: O}\n"                                                             \
  "  M: {type: motor, bodies: [ground, shaft], angle: 0}\n"                                                            \
  "forces:\n"                                                                                                          \
  "  wall: {type: torsion, bodies: [ground, plant], stiffness: 200, damping: 0.5}\n"                                   \
  "  belt: {type: torsion, bodies: [plant, load], stiffness: 300, damping: 2}\n"                                       \
  "  spring: {type: torsion, bodies: [shaft, load], stiffness: 1000, damping: 3}\n"                                    \
  "cosim:\n"                                                                                                           \
  "  macro_step: 1e-3\n"                                                                                               \
  "  scheme: ff-k1\n"                                                                                                  \
  "  subsystems: {first: [plant, shaft], second: [load]}\n"

/* Three arms in a row: a motor holds the first, the third is cut off at a joint. */
#define ARMS                                                                                                           \
  "seam: 1\n"                                                                                                          \
  "points: {O: [0, 0], P: [1, 0.2], Q: [1.8, -0.3]}\n"                                                                 \
  "bodies:\n"                                                                                                          \
  "  arm1: {mass: 3, inertia: 0.3, at: [0.5, 0.1]}\n"                                                                  \
  "  arm2: {mass: 2, inertia: 0.2, at: [1.4, 0]}\n"                                                                    \
  "  arm3: {mass: 1, inertia: 0.1, at: [2.1, 0]}\n"                                                                    \
  "joints:\n"                                                                                                          \
  "  A: {type: revolute, bodies: [ground, arm1], at: O}\n"                                                             \
  "  B: {type: revolute, bodies: [arm1, arm2], at: P}\n"                                                               \
  "  C: {type: revolute, bodies: [arm2, arm3], at: Q}\n"                                                               \
  "  M: {type: motor, bodies: [ground, arm1], angle: 0}\n"                                                             \
  "forces:\n"                                                                                                          \
  "  at_B: {type: torsion, bodies: [arm1, arm2], stiffness: 200, damping: 2}\n"                                        \
  "  at_C: {type: torsion, bodies: [arm2, arm3], stiffness: 100, damping: 1}\n"                                        \
  "cosim:\n"                                                                                                           \
  "  macro_step: 1e-3\n"                                                                                               \
  "  scheme: {constraint: ff-index1-k1, constitutive: ff-k1}\n"                                                        \
  "  subsystems: {first: [arm1, arm2], second: [arm3]}\n"

/* ---- Statics ---- */

/* A slider-crank under weight, held by a motor. */
#define SLIDER                                                                                                         \
  "seam: 1\ngravity: [0, -9.81]\nparameters: {s: 0.3}\npoints: {A: [0, 0], B: [1, 0], C: [3, 0]}\n"                    \
  "bodies:\n"                                                                                                          \
  "  crank: {rod: [A, B], mass: 1}\n"                                                                                  \
  "  rod: {rod: [B, C], mass: 2}\n"                                                                                    \
  "  arm: {mass: 1, inertia: 0.1, at: C}\n"                                                                            \
  "joints:\n"                                                                                                          \
  "  A: {type: revolute, bodies: [ground, crank], at: A}\n"                                                            \
  "  B: {type: revolute, bodies: [crank, rod], at: B}\n"                                                               \
  "  C: {type: revolute, bodies: [rod, arm], at: C}\n"                                                                 \
  "  M: {type: motor, bodies: [ground, crank], angle: s}\n"                                                            \
  "forces:\n"                                                                                                          \
  "  hold: {type: bushing, bodies: [ground, arm], at: C, stiffness: [300, 200, 20], damping: [30, 20, 5]}\n"           \
  "  knee: {type: torsion, bodies: [crank, rod], stiffness: 30, damping: 3}\n"                                         \
  "simulate: {end: 40}\n"

/* The torque that holds a motor is the slope of the potential energy over its place, all else being at rest. */
Test(motors, a_static_torque_is_the_slope_of_the_energy) {
  const double step = 1e-4;
  double energy[2];
  double torque = 0;
  for (int side = -1; side <= 1; side++) {
    char to[64];
    snprintf(to, sizeof to, "parameters.s=%.17g", 0.3 + side * step);
    model_run run = model_run_at_rest(SLIDER, (const char *const[]){to, NULL}, NULL);
    if (side == 0)
      torque = model_run_read(&run, "M.drive");
    else
      energy[(side + 1) / 2] = model_run_read(&run, "energy.potential");
    model_run_end(&run);
  }
  const double slope = (energy[1] - energy[0]) / (2 * step);
  cr_expect_float_eq(torque, slope, 1e-6, "%.9g, %.9g", torque, slope);
}

/* Under weight, about the rest that a run comes to: what holds the motor turns with its subsystem. */
Test(motors, a_loaded_motor_about_the_rest_of_its_motion) {
  static const char text[] =
      SLIDER "cosim:\n  macro_step: 1e-3\n  scheme: {constraint: ff-index1-k1, constitutive: ff-k1}\n"
             "  subsystems: {first: [crank, rod], second: [arm]}\n";
  static const char *const overrides[] = {"forces.hold.stiffness=[300, 200, 4000]", "forces.hold.damping=[3, 2, 40]",
                                          "forces.knee.damping=0.1", NULL};
  double y[MAX_SAMPLES];
  model_run run = model_run_begin(text, overrides, NULL, NAN);
  cosim_fixture f = cosim_fixture_read(text, overrides);
  model_run_reach(&run, 40);
  cr_assert_eq(mbs_evaluate(run.ws, run.state, &run.error), SEAM_OK, "%s", run.error.message);
  mbs_state_copy(f.state, run.state);
  const double rho = predicted_radius(&f, 0.01);
  const double ran = fitted_radius(y, run_distances(&f, 0.01, 5, 1e-5, 1, 300, y));
  cr_expect_float_eq(rho, ran, 1e-6, "%.12g instead of %.12g", rho, ran);
  cosim_fixture_free(&f);
  model_run_end(&run);
}

/* ---- Errors ---- */

Test(motors, predicted_errors_shrink_at_the_order_of_the_scheme) {
  static const char *const texts[] = {DRIVE, ARMS};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    cosim_fixture f = cosim_fixture_read(texts[i], NULL);
    seam_linearised *linear = linearise(&f);
    double error[2] = {0};
    cr_assert_eq(seam_linearised_error(linear, 2e-3, &error[0], NULL), SEAM_OK);
    cr_assert_eq(seam_linearised_error(linear, 1e-3, &error[1], NULL), SEAM_OK);
    cr_expect_float_eq(log2(error[0] / error[1]), 2, 0.05, "%g, %g", error[0], error[1]);
    seam_linearised_destroy(linear);
    cosim_fixture_free(&f);
  }
}
