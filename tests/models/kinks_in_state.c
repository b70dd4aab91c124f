/* Forces that switch with the stretch or the rate of an element, under every integrator. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/support/model_run.h"

/* ---- Runs ---- */

/* Columns: method, order, fixed step for an error below 1e-6 (0: adaptive). */
static const struct {
  const char *name;
  int order;
  double step;
} methods[] = {{"erk", 4, 0},   {"erk", 5, 0}, {"erk", 8, 0},   {"radau", 8, 0},
               {"cvode", 8, 0}, {"ida", 8, 0}, {"rk4", 8, 1e-6}};
enum { n_methods = sizeof methods / sizeof *methods, n_adaptive = 6 };

static const double pi = 3.14159265358979323846;

static model_run begin(const char *text, int method, double rtol) {
  mbs_integrator_options options = mbs_default_integrator_options();
  options.method = methods[method].name;
  options.order = methods[method].order;
  options.step = methods[method].step;
  options.rtol = rtol;
  options.atol = rtol / 100;
  return model_run_begin(text, NULL, &options, NAN);
}

/* ---- Contacts ---- */

/* A ball of 1 kg falls by 1 m on a floor of 1e6 N/m and comes back as fast as it came: of the time
 * (2π - 2 atan(v ω/g)) / ω in contact and of the flights before and after it the position at 1 s is known. */
static const char bounce[] =
    "seam: 1\ngravity: [0, -9.81]\nbodies: {ball: {mass: 1, inertia: 0.1}}\n"
    "forces: {floor: {type: spring_damper, bodies: [ground, ball], at: [[0, 0], [0, 0]], axis: [0, 1], length: 0,\n"
    "  force: \"if(s < -1, 1e6*(s + 1), 0)\"}}\nsimulate: {end: 1}\n";

static double height_after_bounce(void) {
  const double g = 9.81;
  const double omega = 1e3;
  const double v = sqrt(2 * g);
  const double contact = (2 * acos(-1) - 2 * atan(v * omega / g)) / omega;
  const double flight = 1 - v / g - contact;
  return -1 + v * flight - g * flight * flight / 2;
}

Test(kinks_in_state, a_ball_comes_back_from_the_floor_as_fast_as_it_came) {
  for (int i = 0; i < n_methods; i++) {
    model_run r = begin(bounce, i, 1e-10);
    model_run_advance(&r, 1);
    cr_expect_eq(r.status, SEAM_OK, "%s", r.error.message);
    const double y = r.state->q[1];
    cr_expect_float_eq(y, height_after_bounce(), 1e-6, "%s %d: %.10g", methods[i].name, methods[i].order, y);
    model_run_end(&r);
  }
}

/* Two turning bodies; the first braces the second in one direction, and both start where it begins to. */
#define BRACED(angle, other)                                                                                           \
  "seam: 2\nbodies:\n"                                                                                                 \
  "  a: {mass: 1, inertia: 0.39, angle: " #angle ", rate: -1.8}\n"                                                     \
  "  b: {mass: 1, inertia: 0.975, at: [1, 0], angle: " #other ", rate: -1.99}\n"                                       \
  "joints:\n  A: {type: revolute, bodies: [ground, a], at: [0, 0]}\n"                                                  \
  "  B: {type: revolute, bodies: [ground, b], at: [1, 0]}\n"                                                           \
  "forces:\n  e: {type: torsion, bodies: [a, b], torque: \"-(28.7*min(s, 0) + 0.46*v)\"}\n"                            \
  "  f: {type: torque, body: b, torque: 0.7}\nsimulate: {end: 0.9}\n"

/* They turn together until a torque begins: the argument rests at its corner. */
#define RESTING(angle, other, torque)                                                                                  \
  "seam: 2\nbodies:\n  a: {mass: 1, inertia: 0.39, angle: " #angle ", rate: -2.3}\n"                                   \
  "  b: {mass: 1, inertia: 0.975, at: [1, 0], angle: " #other ", rate: -2.3}\n"                                        \
  "joints:\n  A: {type: revolute, bodies: [ground, a], at: [0, 0]}\n"                                                  \
  "  B: {type: revolute, bodies: [ground, b], at: [1, 0]}\n"                                                           \
  "forces:\n  e: {type: torsion, bodies: [a, b], torque: \"-(26*min(s, 0) + 0.07*v)\"}\n"                              \
  "  f: {type: torque, body: b, torque: \"if(t < 0.343, 0, " #torque ")\"}\nsimulate: {end: 0.9}\n"

static double steps_of(const char *text, int method) {
  mbs_integrator_options options = mbs_default_integrator_options();
  options.method = methods[method].name;
  options.order = methods[method].order;
  options.rtol = 1e-8;
  model_run run = model_run_begin(text, NULL, &options, NAN);
  model_run_reach(&run, 0.9);
  const double steps = (double)mbs_integrator_statistics(run.integrator).steps;
  model_run_end(&run);
  return steps;
}

/* The round-off of a difference of angles follows from the angles: erk took 239 steps for 17, or 115 for 15
 * behind an argument at rest, cvode 152 for 50. */
Test(kinks_in_state, steps_at_a_corner_do_not_depend_on_the_angles) {
  static const char *const turned[][4] = {
      {BRACED(0, 0), BRACED(1.0924, -0.4193), BRACED(-2.669, 0.4837), BRACED(100, -50)},
      {RESTING(2, 1, 1), RESTING(0, 0, 1), RESTING(0.3, -1.1, 1), RESTING(-50, 100, 1)},
      {RESTING(2, 1, -1), RESTING(0, 0, -1), RESTING(0.3, -1.1, -1), RESTING(-50, 100, -1)}};
  for (int i = 0; i < n_adaptive; i++)
    for (int k = 0; k < 3; k++) {
      const double steps = steps_of(turned[k][0], i);
      for (int m = 1; m < 4; m++)
        cr_expect_float_eq(steps_of(turned[k][m], i), steps, 5 + 0.2 * steps, "%s, %d, %d: %g steps, not %g",
                           methods[i].name, k, m, steps_of(turned[k][m], i), steps);
    }
}

#define FOLDING(x, y, z, c)                                                                                            \
  "seam: 2\ngravity: [0, -9.81]\nbodies:\n  a: {rod: [[" #x ", 0], [" #y ", 0]], mass: 1}\n"                           \
  "  b: {rod: [[" #y ", 0], [" #z ", 0.4]], mass: 0.6}\n"                                                              \
  "joints:\n  A: {type: revolute, bodies: [ground, a], at: [" #x ", 0]}\n"                                             \
  "  B: {type: revolute, bodies: [a, b], at: [" #y ", 0]}\n"                                                           \
  "forces:\n  e: {type: torsion, bodies: [a, b], torque: \"-30*max(s - " #c ", 0)\"}\nsimulate: {end: 1}\n"

/* A step that radau repeats up to a corner ends elsewhere by Newton's error: it took hundreds of steps of 1e-13 s, a
 * thousand far from the origin, until the argument was beyond it. */
Test(kinks_in_state, a_repeated_step_ends_beyond_its_corner_wherever_it_is) {
  enum { ERK = 2, RADAU = 3 };
  static const char *const near_and_far[][2] = {{FOLDING(0, 1, 1.7, 0.01), FOLDING(1000, 1001, 1001.7, 0.01)},
                                                {FOLDING(0, 1, 1.7, 0.05), FOLDING(1000, 1001, 1001.7, 0.05)},
                                                {FOLDING(0, 1, 1.7, 0.1), FOLDING(1000, 1001, 1001.7, 0.1)},
                                                {FOLDING(0, 1, 1.7, 0.2), FOLDING(1000, 1001, 1001.7, 0.2)}};
  for (size_t k = 0; k < sizeof near_and_far / sizeof *near_and_far; k++) {
    model_run exact = begin(near_and_far[k][0], ERK, 1e-11);
    model_run_reach(&exact, 1);
    double steps[2];
    for (int i = 0; i < 2; i++) {
      model_run run = begin(near_and_far[k][i], RADAU, 1e-8);
      model_run_reach(&run, 1);
      steps[i] = (double)mbs_integrator_statistics(run.integrator).steps;
      cr_expect_float_eq(model_run_read(&run, "b.phi"), model_run_read(&exact, "b.phi"), 1e-6);
      model_run_end(&run);
    }
    cr_expect_float_eq(steps[1], steps[0], 0.08 * steps[0], "%zu: %g and %g steps", k, steps[0], steps[1]);
    model_run_end(&exact);
  }
}

/* The shortest time that is later by more than round-off is no step for a method of several steps. */
Test(kinks_in_state, a_corner_at_a_late_start_is_left) {
  static const double starts[] = {50, 500, 2000, 1e4};
  for (int i = 0; i < n_adaptive; i++)
    for (size_t k = 0; k < sizeof starts / sizeof *starts; k++) {
      model_run run = begin(BRACED(0.7, 2.9), i, 1e-8);
      model_run late = begin(BRACED(0.7, 2.9), i, 1e-8);
      late.state->t = starts[k];
      cr_assert_eq(mbs_integrator_start(late.integrator, late.state, &late.error), SEAM_OK, "%s", late.error.message);
      model_run_reach(&run, 0.5);
      model_run_reach(&late, starts[k] + 0.5);
      const double rounding = 4e-16 * starts[k]; /* of times */
      for (int body = 0; body < 2; body++)
        cr_expect_float_eq(late.state->q[3 * body + 2], run.state->q[3 * body + 2], 1e-6 + 100 * rounding,
                           "%s from %g s", methods[i].name, starts[k]);
      model_run_end(&run);
      model_run_end(&late);
    }
}

/* A floor by max(): steps with its corner inside made errors 5 to 400 times as large. */
Test(kinks_in_state, steps_end_where_max_has_its_corner) {
  static const char text[] = "seam: 2\ngravity: [0, -10]\nbodies: {m: {mass: 1, inertia: 0, at: [0, 0.2]}}\n"
                             "forces: {floor: {type: force, body: m, y: \"1e4*max(0, -m.y)\"}}\nsimulate: {end: 3}\n";
  const double w = 100, v = 2, flight = 0.4, contact = 2 * (pi - atan(v * w / 10)) / w;
  const double since = fmod(3 - flight / 2, contact + flight); /* since the last touch */
  cr_assert_gt(since, contact);
  const double t = since - contact;
  static const double bound[] = {1e-7, 3e-8, 1e-9, 1e-9};
  for (int i = 0; i < 4; i++) {
    model_run run = begin(text, i, 1e-6);
    model_run_reach(&run, 3);
    cr_expect_float_eq(model_run_read(&run, "m.y"), v * t - 5 * t * t, bound[i], "%s of order %d", methods[i].name,
                       methods[i].order);
    model_run_end(&run);
  }
}

/* 1e4 m from the origin the round-off of places is larger than that of the argument by itself; half as many steps more
 * were taken then. */
Test(kinks_in_state, corners_far_from_the_origin_cost_few_steps) {
  static const char text[] = "seam: 2\nparameters: {X: %g}\ngravity: [0, -10]\n"
                             "bodies: {m: {mass: 1, inertia: 0, at: [X, X + 0.2]}}\nforces:\n"
                             "  floor: {type: spring_damper, bodies: [ground, m], at: [[X, X], [X, X + 0.2]],\n"
                             "          axis: [0, 1], length: 0, force: \"-1e4*min(0, s)\"}\nsimulate: {end: 3}\n";
  size_t steps[2];
  for (int far = 0; far < 2; far++) {
    char placed[500];
    snprintf(placed, sizeof placed, text, far ? 1e4 : 0.0);
    model_run run = begin(placed, 2, 1e-8);
    model_run_reach(&run, 3);
    steps[far] = mbs_integrator_statistics(run.integrator).steps;
    model_run_end(&run);
  }
  cr_expect_lt((double)steps[1], 1.3 * (double)steps[0], "%zu and %zu steps", steps[0], steps[1]);
}

/* A force that jumps at a velocity, whose rate is not known: steps end there. Both parts are parabolas, with
 * accelerations of -10 and, as a pull is positive, -15 m/s². */
Test(kinks_in_state, steps_end_where_a_force_jumps_at_a_velocity) {
  static const char text[] =
      "seam: 1\ngravity: [-10, 0]\nbodies: {m: {mass: 1, inertia: 0, velocity: [2, 0]}}\nforces:\n"
      "  f: {type: spring_damper, bodies: [ground, m], at: [[-5, 0], [0, 0]], axis: [1, 0],\n"
      "      length: 0, force: \"if(v > 1, 0, 5)\"}\nsimulate: {end: 0.3}\n";
  for (int i = 0; i < 4; i++) {
    model_run run = begin(text, i, 1e-6);
    model_run_reach(&run, 0.3);
    cr_expect_float_eq(model_run_read(&run, "m.x"), 0.15 + 0.2 - 15 * 0.2 * 0.2 / 2, 1e-12, "%s of order %d",
                       methods[i].name, methods[i].order);
    model_run_end(&run);
  }
}

/* A mass at rest at the corner leaves it slowly, under a force 6 t: x = 6 (t - sin(ω t)/ω)/ω². */
Test(kinks_in_state, what_rests_at_a_corner_leaves_it) {
  static const char text[] = "seam: 2\nbodies: {m: {mass: 1, inertia: 0}}\nforces:\n"
                             "  spring: {type: force, body: m, x: \"6*t - 400*max(0, m.x)\"}\nsimulate: {end: 1}\n";
  for (int i = 0; i < n_adaptive; i++) {
    model_run run = begin(text, i, 1e-9);
    model_run_reach(&run, 1);
    cr_expect_float_eq(model_run_read(&run, "m.x"), 6 * (1 - sin(20) / 20) / 400, 1e-7, "%s of order %d",
                       methods[i].name, methods[i].order);
    model_run_end(&run);
  }
}

/* The floor stores the energy of the fall, 9.81 J, while it is touched: for 3 ms from 0.4515 s on. */
Test(kinks_in_state, the_energy_of_a_contact_is_that_of_the_fall) {
  model_run r = begin(bounce, 2, 1e-10);
  for (int i = 0; i < 400; i++) {
    model_run_advance(&r, 0.4515 + 1e-5 * i);
    cr_expect_eq(r.status, SEAM_OK, "%s", r.error.message);
    cr_expect_float_eq(model_run_energy(&r), 0, 1e-6, "%.6g s: %.3g J", r.state->t, model_run_energy(&r));
  }
  model_run_end(&r);
}

/* The energy of a law is an integral from corner to corner. A run that becomes unstable comes to such states. */
Test(kinks_in_state, the_energy_of_a_place_that_is_no_number_is_none, .timeout = 60) {
  model_run r = begin(bounce, 2, 1e-8);
  r.state->q[1] = NAN;
  cr_expect(isnan(model_run_energy(&r)));
  model_run_end(&r);
}

/* Elastic collision of equal masses: they exchange their velocities. */
static const char buffers[] =
    "seam: 1\nbodies:\n  a: {mass: 1000, inertia: 1, at: [0, 0], velocity: [2, 0]}\n"
    "  b: {mass: 1000, inertia: 1, at: [1, 0]}\n"
    "joints:\n  ra: {type: prismatic, bodies: [ground, a], at: [0, 0], axis: [1, 0]}\n"
    "  rb: {type: prismatic, bodies: [ground, b], at: [1, 0], axis: [1, 0]}\n"
    "forces:\n  buffer: {type: spring_damper, bodies: [a, b], at: [[0, 0], [1, 0]], axis: [1, 0],\n"
    "    force: \"if(s < -0.5, 1e6*(s + 0.5), 0)\"}\nsimulate: {end: 1}\n";

Test(kinks_in_state, buffers_exchange_the_velocities_of_wagons) {
  for (int i = 0; i < n_methods; i++) {
    model_run r = begin(buffers, i, 1e-9);
    model_run_advance(&r, 1);
    cr_expect_eq(r.status, SEAM_OK, "%s", r.error.message);
    cr_expect_float_eq(r.state->v[0], 0, 1e-6, "%s %d: %.3g", methods[i].name, methods[i].order, r.state->v[0]);
    cr_expect_float_eq(r.state->v[3], 2, 1e-6, "%s %d: %.9g", methods[i].name, methods[i].order, r.state->v[3]);
    model_run_end(&r);
  }
}

/* tanh(v/0.01) is taken as 1 beyond v = 0.2 m/s, where a velocity crosses its bound: once, not until steps advance by
 * themselves. sinh(v/e) = sinh(1/e) exp(-t/e), with e = 0.01 m/s. */
static const char regularised[] =
    "seam: 1\nbodies: {block: {mass: 1, inertia: 1, velocity: [1, 0]}}\n"
    "joints: {g: {type: prismatic, bodies: [ground, block], at: [0, 0], axis: [1, 0]}}\n"
    "forces: {friction: {type: spring_damper, bodies: [ground, block], at: [[0, 0], [0, 0]], axis: [1, 0], length: 0,\n"
    "  force: \"tanh(v/0.01)\"}}\nsimulate: {end: 1.02}\n";

Test(kinks_in_state, a_corner_of_a_velocity_is_passed_once) {
  const double exact = 0.01 * asinh(exp(100 - log(2) - 102));
  for (int i = 0; i < n_adaptive; i++) {
    model_run r = begin(regularised, i, 1e-8);
    model_run_advance(&r, 1.02);
    cr_expect_eq(r.status, SEAM_OK, "%s", r.error.message);
    cr_expect_float_eq(r.state->v[0], exact, 1e-7, "%s: %.9g", methods[i].name, r.state->v[0]);
    if (i < 4) /* the others cannot repeat a step up to a corner */
      cr_expect_lt(mbs_integrator_statistics(r.integrator).steps, i == 0 ? 250 : 100, "%s %d: %zu", methods[i].name,
                   methods[i].order, mbs_integrator_statistics(r.integrator).steps);
    model_run_end(&r);
  }
}

/* ---- Jumps ---- */

/* Dry friction of 9.2 N stops 2 kg from 1 m/s against 6.7 N that push it down the incline: the force would have to lie
 * between its values at rest. */
static const char brake[] =
    "seam: 1\ngravity: [3.4, -9.2]\nbodies: {block: {mass: 2, inertia: 1, velocity: [1, 0]}}\n"
    "joints: {g: {type: prismatic, bodies: [ground, block], at: [0, 0], axis: [1, 0]}}\n"
    "forces: {friction: {type: spring_damper, bodies: [ground, block], at: [[0, 0], [0, 0]], axis: [1, 0], length: 0,\n"
    "  force: \"9.2*sign(v)\"}}\nsimulate: {end: 3}\n";

Test(kinks_in_state, a_force_that_jumps_to_and_fro_ends_the_run_with_its_name) {
  const double stops_at = 1 / (9.2 / 2 - 3.4);
  for (int i = 0; i < n_adaptive; i++) {
    model_run r = begin(brake, i, 1e-8);
    model_run_advance(&r, 3);
    cr_expect_eq(r.status, SEAM_STEP_FAILED, "%s %d", methods[i].name, methods[i].order);
    cr_expect(strstr(r.error.message, "'friction' jumps at v = ") != NULL, "%s", r.error.message);
    cr_expect_float_eq(r.state->t, stops_at, 1e-4, "%s: %.9g s", methods[i].name, r.state->t);
    cr_expect(mbs_integrator_statistics(r.integrator).steps < 40000);
    model_run_end(&r);
  }
}

/* 1e12 N/m on 1 kg swing 1.6e5 times a second: 1e8 small steps in 10 s still make progress. */
static const char stiff[] =
    "seam: 1\nbodies: {a: {mass: 1, inertia: 1, velocity: [1, 0]}}\n"
    "forces: {k: {type: spring_damper, bodies: [ground, a], at: [[0, 0], [0, 0]], axis: [1, 0], length: 0,\n"
    "  stiffness: 1e12, damping: 1}}\nsimulate: {end: 10}\n";

Test(kinks_in_state, a_stiff_spring_makes_progress) {
  for (int i = 0; i < n_adaptive; i++) {
    model_run r = begin(stiff, i, 1e-6);
    model_run_advance(&r, 0.01);
    cr_expect_eq(r.status, SEAM_OK, "%s %d: %s", methods[i].name, methods[i].order, r.error.message);
    model_run_end(&r);
  }
}

Test(kinks_in_state, fixed_steps_that_would_never_end_are_refused) {
  const double steps[] = {1e-300, 1e-10};
  for (int i = 0; i < 2; i++) {
    model_run r = begin(bounce, 2, 1e-8);
    mbs_integrator_options options = mbs_default_integrator_options();
    options.method = "rk4";
    options.step = steps[i];
    mbs_integrator_destroy(r.integrator);
    cr_assert_eq(mbs_integrator_create(seam_model_mechanism(r.file), &options, &r.integrator, NULL), SEAM_OK);
    cr_assert_eq(mbs_integrator_start(r.integrator, r.state, NULL), SEAM_OK);
    mbs_integrator_set_stop(r.integrator, 1);
    model_run_advance(&r, 1e-3);
    cr_expect_eq(r.status, SEAM_BAD_INPUT, "%s", r.error.message);
    cr_expect(strstr(r.error.message, "take at least 1e-09 s") != NULL, "%s", r.error.message);
    model_run_end(&r);
  }
}

/* Where a law fades away its values have no digits that could agree: the potential must be found all the same. */
Test(kinks_in_state, the_potential_of_a_law_that_fades_away_is_found, .timeout = 20) {
  static const char text[] = "seam: 1\nbodies: {a: {mass: 1, inertia: 1, velocity: [10, 0]}}\n"
                             "forces: {k: {type: spring_damper, bodies: [ground, a], at: {ground: [0, 0], a: [0, 0]}, "
                             "length: 0, axis: [1, 0],\n"
                             "  force: \"300*exp(-((s-7.31)/0.5)^2)\"}}\nsimulate: {end: 5}\n";
  mbs_integrator_options options = mbs_default_integrator_options();
  model_run r = model_run_begin(text, NULL, &options, NAN);
  for (int row = 1; row <= 50; row++) {
    model_run_advance(&r, 0.1 * row);
    cr_assert_eq(r.status, SEAM_OK, "%s", r.error.message);
    cr_expect_float_eq(model_run_energy(&r), 50, 1e-3, "t = %g s: %g J", 0.1 * row, model_run_energy(&r));
  }
  model_run_end(&r);
}

/* Two bodies that friction has brought together: steps of adaptive Runge-Kutta methods creep on without rejections,
 * each changing the rate by less than atol. It took 5e8 of them to the end. */
Test(kinks_in_state, steps_that_creep_where_a_law_jumps_end_with_its_name) {
  static const char text[] =
      "seam: 1\n"
      "bodies: {a: {mass: 1, inertia: 1, velocity: [1, 0]}, b: {mass: 1, inertia: 1, at: [1, 0]}}\n"
      "joints:\n"
      "  ra: {type: prismatic, bodies: [ground, a], at: [0, 0], axis: [1, 0]}\n"
      "  rb: {type: prismatic, bodies: [ground, b], at: [1, 0], axis: [1, 0]}\n"
      "forces:\n"
      "  k: {type: spring_damper, bodies: [a, b], at: [[0, 0], [1, 0]], axis: [1, 0], force: 5*sign(v)}\n"
      "simulate: {end: 1}\n";
  const mbs_integrator_options options = mbs_default_integrator_options();
  model_run run = model_run_begin(text, NULL, &options, NAN);
  seam_error error = {0};
  cr_expect_eq(mbs_integrator_advance(run.integrator, 1, run.state, &error), SEAM_STEP_FAILED);
  cr_expect_float_eq(run.state->t, 0.1, 1e-3);
  cr_expect_lt(mbs_integrator_statistics(run.integrator).steps, 30000);
  cr_expect_not_null(strstr(error.message, "the law of 'k' jumps at v = "), "%s", error.message);
  model_run_end(&run);
}

/* A law of quantities, too. */
Test(kinks_in_state, a_law_of_quantities_that_jumps_is_named) {
  static const char text[] = "seam: 1\n"
                             "bodies: {a: {mass: 1, inertia: 1, velocity: [1, 0]}}\n"
                             "forces: {brake: {type: force, body: a, x: -3*sign(a.vx)}}\n"
                             "simulate: {end: 1}\n";
  static const char *const adaptive[] = {"erk", "radau", "ida", "cvode"};
  for (size_t i = 0; i < 4; i++) {
    mbs_integrator_options options = mbs_default_integrator_options();
    options.method = adaptive[i];
    model_run run = model_run_begin(text, NULL, &options, 1);
    model_run_advance(&run, 1);
    cr_expect_eq(run.status, SEAM_STEP_FAILED);
    cr_expect(strstr(run.error.message, "the law of force 'brake' jumps, and the motion stays at the jump") != NULL,
              "%s: %s", adaptive[i], run.error.message);
    model_run_end(&run);
  }
}

/* ---- Pulses of quantities whose rates are not known ---- */

/* A force that is a triangle of the height 1/w and the width 2 w over a quantity, which rises at a rate r, has the
 * impulse 1/r. */
static double impulse_of_triangle(const char *quantity, double at, double width, int method) {
  char text[800];
  snprintf(text, sizeof text,
           "seam: 2\nbodies:\n  a: {mass: 1, inertia: 1}\n  b: {mass: 1, inertia: 1, at: [0, 1]}\n"
           "  c: {mass: 1, inertia: 1, at: [0, 2]}\n  d: {mass: 1, inertia: 1, at: [0, 3]}\njoints: {j: {type: fixed, "
           "bodies: [ground, b], at: [0, 1]}}\n"
           "forces:\n  f: {type: force, body: a, x: 2}\n  g: {type: force, body: b, x: 4*t}\n"
           "  h: {type: force, body: c, x: 6*t}\n"
           "  i: {type: force, body: d, x: \"max(0, 1 - abs(%s - %g)/%g)/%g\"}\n"
           "equations: {w: {states: {p: 0}, rates: {p: 5}}}\nsimulate: {end: 3}\n",
           quantity, at, width, width);
  model_run run = begin(text, method, 1e-8);
  model_run_reach(&run, 3);
  const double impulse = model_run_read(&run, "d.vx");
  model_run_end(&run);
  return impulse;
}

/* Both ends of a step across the pulse lie on the same piece of max(). */
Test(kinks_in_state, a_step_does_not_pass_a_corner_twice) {
  enum { RADAU = 3, IDA = 5, OF_ACCELERATION = 3 };
  static const struct {
    const char *quantity;
    double at, rate;
  } rising[] = {{"w.p", 7.81, 5},
                {"a.vx", 3.1234, 2},
                {"j.force", 6.2345, 4},
                {"c.ax", 9.3456, 6},
                {"a.vx^2/2", 12.5, 2 * 2 * 2.5}};
  for (size_t i = 0; i < sizeof rising / sizeof *rising; i++)
    for (double w = 1e-2; w > 1e-7; w /= 100)
      for (int k = 0; k < n_adaptive; k++) {
        if (i == OF_ACCELERATION && (k == RADAU || k == IDA)) /* these do not solve for accelerations */
          continue;
        const double v = impulse_of_triangle(rising[i].quantity, rising[i].at, w, k);
        cr_expect_float_eq(v, 1 / rising[i].rate, 2e-5, "%s, w = %g, %s: %.9g, not %.9g", rising[i].quantity, w,
                           methods[k].name, v, 1 / rising[i].rate);
      }
}

/* The velocity cos(t) of an oscillator comes within w of its largest and smallest value, and returns. In each
 * turn |sin t| < sqrt(w) = sin u, and the force cos² t - 1 + w has the impulse w u - (u - sin(u) cos(u))/2 on both
 * sides. */
Test(kinks_in_state, a_velocity_that_touches_a_limit_is_seen) {
  for (double w = 1e-2; w > 1e-7; w /= 100)
    for (int k = 0; k < 4; k++) {
      char text[500];
      snprintf(text, sizeof text,
               "seam: 2\nbodies: {a: {mass: 1, inertia: 1, velocity: [1, 0]}, b: {mass: 1, inertia: 1, at: [0, 1]}}\n"
               "forces:\n  s: {type: spring_damper, bodies: [ground, a], at: [[0, 0], [0, 0]], axis: [1, 0], "
               "length: 0, stiffness: 1}\n"
               "  f: {type: force, body: b, x: \"%.17g*max(0, a.vx^2 - 1 + %.17g)\"}\nsimulate: {end: 7}\n",
               pow(w, -1.5), w);
      const double u = asin(sqrt(w));
      const double exact = pow(w, -1.5) * 5 * (w * u - (u - sin(u) * cos(u)) / 2); /* 0, π and 2 π are five sides */
      model_run run = begin(text, k, 1e-10);
      model_run_reach(&run, 7);
      cr_expect_float_eq(model_run_read(&run, "b.vx"), exact, 1e-3 * exact, "w = %g, %s %d: %.9g, not %.9g", w,
                         methods[k].name, methods[k].order, model_run_read(&run, "b.vx"), exact);
      model_run_end(&run);
    }
}

/* The error test alone watches a corner that is crossed once: |v| v costs as many steps as the same law without a
 * corner. */
Test(kinks_in_state, a_corner_of_a_velocity_that_is_crossed_once_ends_no_step) {
  static const char text[] = "seam: 2\nbodies: {a: {mass: 1, inertia: 1, velocity: [10, 0]}}\nforces:\n"
                             "  s: {type: spring_damper, bodies: [ground, a], at: [[0, 0], [0, 0]], axis: [1, 0], "
                             "length: 0, stiffness: 100}\n"
                             "  f: {type: force, body: a, x: -0.1*a.vx*%s}\nsimulate: {end: 0.9}\n";
  static const char *const sizes[] = {"abs(a.vx)", "sqrt(a.vx^2)"};
  for (int k = 0; k < n_adaptive; k++) {
    double steps[2];
    for (int i = 0; i < 2; i++) {
      char law[500];
      snprintf(law, sizeof law, text, sizes[i]);
      steps[i] = steps_of(law, k);
    }
    cr_expect_float_eq(steps[0], steps[1], 1 + 0.02 * steps[1], "%s: %g and %g steps", methods[k].name, steps[0],
                       steps[1]);
  }
}
