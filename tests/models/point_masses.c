/* Bodies without inertia: pendulums in coordinates, a dumbbell of two of them and its rod, what would turn one. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <seam/analysis.h>

#include "tests/support/cut_run.h"
#include "tests/support/model_reader.h"
#include "tests/support/model_run.h"

static const char *const methods[] = {"erk", "radau", "ida", "cvode", "rk4", "symplectic_euler"};
enum { N_METHODS = sizeof methods / sizeof *methods, N_ADAPTIVE = 4 };

static model_run begin(const char *text, int method) {
  mbs_integrator_options options = mbs_default_integrator_options();
  options.method = methods[method];
  options.step = method < N_ADAPTIVE ? 0 : 1e-4;
  return model_run_begin(text, NULL, &options, NAN);
}

/* Two masses m at a distance d turn about their centre as one body with the inertia m d²/2, and fall with it. */
Test(point_masses, a_dumbbell_turns_as_a_rigid_body) {
  static const char *const text =
      "seam: 1\ngravity: [0, -9.81]\nbodies:\n  a: {mass: 1, inertia: 0, at: [0.5, 0], velocity: [1, 1]}\n"
      "  b: {mass: 1, inertia: 0, at: [-0.5, 0], velocity: [1, -1]}\njoints:\n"
      "  rod: {type: distance, bodies: [a, b], at: [[0.5, 0], [-0.5, 0]]}\nsimulate: {end: 2}\n";
  for (int k = 0; k < N_METHODS; k++) {
    model_run run = begin(text, k);
    model_run_reach(&run, 2);
    const double bound = k == N_ADAPTIVE + 1 ? 1e-3 : k == 2 || k == 3 ? 1e-4 : 1e-6;
    cr_expect_float_eq(model_run_read(&run, "a.x"), 2 + 0.5 * cos(4), bound, "%s", methods[k]);
    cr_expect_float_eq(model_run_read(&run, "a.y"), 0.5 * sin(4) - 9.81 * 2, bound, "%s", methods[k]);
    cr_expect_eq(model_run_read(&run, "a.phi"), 0, "%s", methods[k]);
    cr_expect_float_eq(fabs(model_run_read(&run, "rod.tension")), 2, 20 * bound, "%s", methods[k]); /* m ω² d/2 */
    model_run_end(&run);
  }
}

/* ω² = g/(m1 l) (m1 + m2 ∓ √(m2 (m1 + m2))) of two pendulums of one length below each other. */
Test(point_masses, hang_and_swing_as_a_double_pendulum) {
  static const char *const text =
      "seam: 1\ngravity: [0, -9.81]\nbodies:\n  a: {mass: 1, inertia: 0, at: [1, 0]}\n"
      "  b: {mass: 2, inertia: 0, at: [1, -1]}\njoints:\n"
      "  upper: {type: distance, bodies: [ground, a], at: [[0, 0], [1, 0]]}\n"
      "  lower: {type: distance, bodies: [a, b], at: [[1, 0], [1, -1]]}\nsimulate: {end: 1}\n";
  mbs_equilibrium found;
  model_run run = model_run_at_rest(text, NULL, &found);
  cr_expect_eq(found.degrees_of_freedom, 2);
  cr_expect_eq(found.n_neutral, 0);
  cr_expect_float_eq(model_run_read(&run, "b.y"), -2, 1e-9);
  cr_expect_float_eq(fabs(model_run_read(&run, "upper.tension")), 3 * 9.81, 1e-8);
  seam_modes *modes = NULL;
  cr_assert_eq(seam_modes_create(seam_model_mechanism(run.file), run.state, &modes, NULL), SEAM_OK);
  cr_assert_eq(modes->n, 2);
  for (int i = 0; i < 2; i++)
    cr_expect_float_eq(pow(modes->mode[i].s[1], 2), 9.81 * (3 + (i == 0 ? -1 : 1) * sqrt(6)), 1e-9, "mode %d", i);
  seam_modes_destroy(modes);
  model_run_end(&run);
}

/* A pendulum on a spring, cut at the spring. */
Test(point_masses, are_cut_like_other_bodies) {
  static const char *const text =
      "seam: 1\ngravity: [0, -9.81]\nbodies:\n  a: {mass: 1, inertia: 0, at: [0.6, -0.8]}\n"
      "  b: {mass: 1, inertia: 0, at: [0.6, -1.8]}\njoints:\n"
      "  upper: {type: distance, bodies: [ground, a], at: [[0, 0], [0.6, -0.8]]}\nforces:\n"
      "  lower: {type: spring_damper, bodies: [a, b], at: [[0.6, -0.8], [0.6, -1.8]], stiffness: 200, damping: 1}\n"
      "simulate: {end: 2, integrator: erk, rtol: 1e-10}\n"
      "cosim: {subsystems: {top: [a], bottom: [b]}, macro_step: 1e-3, scheme: ff-k2, rtol: 1e-10}\n";
  cut_run_expect_whole(text, 1e-3, 2000, 1e-6);
}

/* Friction at the depth of a contact has a torque, which does not turn it: it slides until it rests, as erk has it. */
Test(point_masses, friction_does_not_turn_them) {
  static const char *const text =
      "seam: 1\ngravity: [0, -9.81]\nbodies: {p: {mass: 1, inertia: 0, at: [0, -0.01], velocity: [1, 0]}}\n"
      "forces: {c: {type: contact, bodies: [ground, p], at: [[0, 0], [0, -0.01]], line: [1, 0], stiffness: 1e3, "
      "exponent: 1, friction: 0.2, slip_speed: 1e-3}}\nsimulate: {end: 2}\n";
  for (int k = 0; k < N_ADAPTIVE; k++) {
    model_run run = begin(text, k);
    model_run_reach(&run, 2);
    cr_expect_float_eq(model_run_read(&run, "p.x"), 0.25477130, 1e-6, "%s", methods[k]);
    cr_expect_float_eq(model_run_read(&run, "p.phi"), 0, 1e-7, "%s", methods[k]);
    model_run_end(&run);
  }
}

/* ---- Refusals ---- */

#define BODIES "seam: 1\nbodies:\n  a: {mass: 1, inertia: 0, at: [1, 0]}\n  b: {mass: 1, inertia: 1, at: [2, 0]}\n"

static void expect_turned(const char *section, const char *element, bool is_turned) {
  char text[600];
  snprintf(text, sizeof text, BODIES "%s: {e: {%s}}\nsimulate: {end: 1}\n", section, element);
  seam_model_file *file = NULL;
  seam_error error = {0};
  const seam_status status = seam_model_file_parse("t", text, strlen(text), NULL, 0, &file, &error);
  cr_expect_eq(status, is_turned ? SEAM_BAD_INPUT : SEAM_OK, "%s: %s", element, error.message);
  cr_expect_eq(strstr(error.message, "exerts a torque on body 'a', which has inertia 0") != NULL, is_turned, "%s: %s",
               element, error.message);
  seam_model_file_destroy(file);
}

/* Round-off makes a lever at the end of a cable that comes from a disc anywhere. */
Test(point_masses, hang_on_cables_from_discs) {
  for (int i = 0; i < 9; i++) {
    char text[600];
    snprintf(text, sizeof text,
             "seam: 2\ngravity: [0, -9.81]\nbodies: {b: {mass: 3, inertia: 0, at: [%.1f, 0]}}\n"
             "forces: {rope: {type: cable, bodies: [ground, b], at: [[0.45, 2], [%.1f, 0]], radii: [%s0.2, 0], "
             "stiffness: 1e5}}\nsimulate: {end: 0.5}\n",
             0.1 * (i + 1), 0.1 * (i + 1), i % 2 == 0 ? "" : "-");
    seam_model_file *file = read_model(text, NULL);
    seam_model_file_destroy(file);
  }
}

Test(point_masses, what_would_turn_them_is_refused) {
  expect_turned("joints", "type: revolute, bodies: [a, b], at: [1, 0]", false);
  expect_turned("forces",
                "type: cable, bodies: [ground, a, b], at: [[0, 1], [1, 0], [2, 0]], radii: [0, 0.1, 0], stiffness: 1",
                false);
  expect_turned("forces",
                "type: cable, bodies: [ground, a, b], at: [[0, 1], [1, 0], [2, 0]], radii: [0, 0.1, 0], hard: true",
                false);
  expect_turned("forces",
                "type: cable, bodies: [ground, b, a], at: [[0, 1], [2, 0], [1, 0]], radii: [0, 0, 0.1], stiffness: 1",
                true);
  expect_turned("joints", "type: revolute, bodies: [a, b], at: [1.5, 0]", true);
  expect_turned("joints", "type: fixed, bodies: [a, b], at: [1, 0]", true);
  expect_turned("joints", "type: slot, bodies: [ground, a], at: [1, 0], axis: [0, 1]", false);
  expect_turned("joints", "type: slot, bodies: [a, ground], at: [1, 0], axis: [0, 1]", true);
  expect_turned("joints", "type: motion, of: x, body: a, law: t^2", false);
  expect_turned("joints", "type: motion, of: phi, body: a, law: t^2", true);
  expect_turned("forces", "type: viscous, bodies: [a], damping: [1, 1, 1]", false);
  expect_turned("forces", "type: torque, body: a, torque: 0*t", true);
  expect_turned("forces", "type: torsion, bodies: [a, b], stiffness: 1, damping: 0", true);
  expect_turned("forces", "type: bushing, bodies: [a, b], at: [1, 0], stiffness: [1, 1, 0], damping: [0, 0, 0]", false);
  expect_turned("forces", "type: bushing, bodies: [a, b], at: [1, 0], stiffness: [1, 1, 1], damping: [0, 0, 0]", true);
  expect_turned("forces", "type: force, body: a, at: [1, 0], x: 1, y: 0", false);
  expect_turned("forces", "type: force, body: a, at: [1, 0.1], x: 1, y: 0", true);
}

Test(point_masses, turning_and_massless_bodies_are_refused) {
  expect_refused("seam: 1\nbodies: {a: {mass: 1, inertia: 0, rate: 1}}\nsimulate: {end: 1}\n",
                 "text.yaml:2:10: error: body 'a' has inertia 0 (a point mass) and cannot rotate: leave out its "
                 "angular velocity ('rate')\nbodies: {a: {mass: 1, inertia: 0, rate: 1}}\n         ^");
  expect_refused("seam: 1\nbodies: {a: {mass: 0, inertia: 0}}\nsimulate: {end: 1}\n",
                 "text.yaml:2:20: error: 'mass' in body 'a' must be positive, but is 0\n"
                 "bodies: {a: {mass: 0, inertia: 0}}\n                   ^\n"
                 "for a massless link write a 'distance' joint, or a 'rope' or 'spring_damper', between the bodies at "
                 "its ends");
}
