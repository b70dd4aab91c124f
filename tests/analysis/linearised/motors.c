/* Stability of schemes where motors follow quantities: predictions against co-simulated runs. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include <seam/analysis.h>

#include "tests/support/run_radius.h"

/* ---- Mechanisms ---- */

/* A disc on a spring, the shaft that a motor turns after it with a lag, and a load on the shaft. */
#define DRIVE(LAW, EQUATIONS, CUT)                                                                                     \
  "seam: 1\n"                                                                                                          \
  "points: {O: [0, 0]}\n"                                                                                              \
  "bodies:\n"                                                                                                          \
  "  plant: {mass: 1, inertia: 1, at: O}\n"                                                                            \
  "  shaft: {mass: 1, inertia: 0.2, at: O}\n"                                                                          \
  "  load: {mass: 1, inertia: 0.5, at: O}\n"                                                                           \
  "equations:\n" EQUATIONS "joints:\n"                                                                                 \
  "  A: {type: revolute, bodies: [ground, plant], at: O}\n"                                                            \
  "  B: {type: revolute, bodies: [ground, shaft], at: O}\n"                                                            \
  "  C: {type: revolute, bodies: [ground, load], at: O}\n"                                                             \
  "  M: {type: motor, bodies: [ground, shaft], " LAW "}\n"                                                             \
  "forces:\n"                                                                                                          \
  "  wall: {type: torsion, bodies: [ground, plant], stiffness: 200, damping: 0.5}\n"                                   \
  "  belt: {type: torsion, bodies: [plant, load], stiffness: 300, damping: 2}\n"                                       \
  "  spring: {type: torsion, bodies: [shaft, load], stiffness: 1000, damping: 3}\n"                                    \
  "cosim:\n"                                                                                                           \
  "  macro_step: 1e-3\n"                                                                                               \
  "  scheme: ff-k1\n"                                                                                                  \
  "  subsystems: " CUT "\n"

/* Three arms in a row: the first is turned after the second, the third is cut off at a joint. */
#define ARMS(LAW, EQUATIONS, CUT)                                                                                      \
  "seam: 1\n"                                                                                                          \
  "points: {O: [0, 0], P: [1, 0.2], Q: [1.8, -0.3]}\n"                                                                 \
  "bodies:\n"                                                                                                          \
  "  arm1: {mass: 3, inertia: 0.3, at: [0.5, 0.1]}\n"                                                                  \
  "  arm2: {mass: 2, inertia: 0.2, at: [1.4, 0]}\n"                                                                    \
  "  arm3: {mass: 1, inertia: 0.1, at: [2.1, 0]}\n"                                                                    \
  "equations:\n" EQUATIONS "joints:\n"                                                                                 \
  "  A: {type: revolute, bodies: [ground, arm1], at: O}\n"                                                             \
  "  B: {type: revolute, bodies: [arm1, arm2], at: P}\n"                                                               \
  "  C: {type: revolute, bodies: [arm2, arm3], at: Q}\n"                                                               \
  "  M: {type: motor, bodies: [ground, arm1], " LAW "}\n"                                                              \
  "forces:\n"                                                                                                          \
  "  at_B: {type: torsion, bodies: [arm1, arm2], stiffness: 200, damping: 2}\n"                                        \
  "  at_C: {type: torsion, bodies: [arm2, arm3], stiffness: 100, damping: 1}\n"                                        \
  "cosim:\n"                                                                                                           \
  "  macro_step: 1e-3\n"                                                                                               \
  "  scheme: {constraint: ff-index1-k1, constitutive: ff-k1}\n"                                                        \
  "  subsystems: " CUT "\n"

#define SECOND_ORDER(OF)                                                                                               \
  "  ref: {inputs: {u: " OF "}, states: {x: 0, v: 0}, rates: {x: v, v: \"400*(u - x) - 30*v\"}}\n"

#define WITH_PLANT "{first: [plant, shaft], second: [load]}"

/* ---- Radii ---- */

/* Of the motion that outweighs all others, over coordinate `c`, about the start, which is at rest. */
static void expect_radius(const cosim_fixture *f, double H, size_t c, double first, double accuracy,
                          const char *scheme) {
  double y[MAX_SAMPLES];
  const double rho = predicted_radius(f, H);
  const double ran = fitted_radius(y, run_distances(f, H, c, first, 1e3 * first, MAX_SAMPLES, y));
  cr_expect_float_eq(rho, ran, accuracy, "%s, H = %g: %.12g instead of %.12g", scheme, H, rho, ran);
}

static void expect_radii(const char *text, const char *const *schemes, double H, double first, double accuracy) {
  const bool has_joints = strstr(text, "arm1") != NULL;
  cosim_fixture f = cosim_fixture_read(text, NULL);
  for (int i = 0; schemes[i] != NULL; i++) {
    *(has_joints ? &f.definition.options.constraint_scheme : &f.definition.options.constitutive_scheme) = schemes[i];
    for (int k = 1; k <= 4; k += 3)
      expect_radius(&f, k * H, 8, first, accuracy, schemes[i]);
  }
  cosim_fixture_free(&f);
}

static const char *const at_springs[] = {"ff-k0", "ff-k1",   "ff-k2",   "fd-k1",        "df-k1",
                                         "dd-k1", "ff-d-k1", "ff-i-k1", "ff-colloc-s2", NULL};
static const char *const at_joints[] = {"ff-index1-k1",   "ff-index2-k1",     "ff-index2-k2", "ff-baumgarte-k1",
                                        "ff-weighted-k1", "ff-projection-k1", "ff-colloc-s2", NULL};

Test(motors, a_motor_by_states_is_part_of_its_subsystem) {
  expect_radii(DRIVE("angle: ref.x", SECOND_ORDER("-0.7*plant.phi"), WITH_PLANT), at_springs, 5e-3, 1e-6, 1e-9);
}

/* What another subsystem sends is in f'' alone. */
Test(motors, a_motor_behind_a_signal) {
  expect_radii(DRIVE("angle: ref.x", SECOND_ORDER("-0.7*load.phi"),
                     "{first: {bodies: [plant, shaft], equations: [ref], signal_order: 1}, second: [load]}"),
               (const char *const[]){"ff-k1", "fd-k1", "dd-k1", "ff-colloc-s2", NULL}, 5e-3, 1e-6, 1e-8);
}

/* It grows, for a body that its own motor turns on has no rest. */
Test(motors, joints_are_cut_beside_a_motor) {
  expect_radii(ARMS("angle: ref.x", SECOND_ORDER("1.5*arm2.phi"), "{first: [arm1, arm2], second: [arm3]}"), at_joints,
               1e-2, 1e-8, 1e-6);
}

Test(motors, laws_bend_and_speeds_are_integrated) {
  expect_radii(DRIVE("angle: \"sin(ref.x) + 0.2*ref.x^2 + 0.1*ref.v\"", SECOND_ORDER("-0.7*plant.phi"), WITH_PLANT),
               (const char *const[]){"ff-k1", "fd-k2", NULL}, 5e-3, 1e-9, 1e-6);
  expect_radii(DRIVE("speed: \"-6*plant.phi - 2*M.angle\"", SECOND_ORDER("0"), WITH_PLANT),
               (const char *const[]){"ff-k1", "dd-k2", NULL}, 5e-3, 1e-6, 1e-6);
}

/* ---- Errors ---- */

/* On the exact motion with its past, which the motor moves markers on. */
Test(motors, predicted_errors_shrink_at_the_order_of_the_scheme) {
  static const struct {
    const char *text;
    double order;
  } rows[] = {{DRIVE("angle: ref.x", SECOND_ORDER("-0.3*plant.phi"), WITH_PLANT), 2},
              {ARMS("angle: ref.x", SECOND_ORDER("0.3*arm2.phi"), "{first: [arm1, arm2], second: [arm3]}"), 2}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    cosim_fixture f = cosim_fixture_read(rows[i].text, NULL);
    seam_linearised *linear = linearise(&f);
    double error[2] = {0};
    cr_assert_eq(seam_linearised_error(linear, 2e-3, &error[0], NULL), SEAM_OK);
    cr_assert_eq(seam_linearised_error(linear, 1e-3, &error[1], NULL), SEAM_OK);
    cr_expect_float_eq(log2(error[0] / error[1]), rows[i].order, 0.05, "%g, %g", error[0], error[1]);
    seam_linearised_destroy(linear);
    cosim_fixture_free(&f);
  }
}
