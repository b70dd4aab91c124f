/* Controllers in discrete time as parts of a co-simulation, against their recursions and the whole. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <seam/analysis.h>
#include <seam/verdict.h>

#include "cosim/coupling/hold_errors.h"
#include "tests/support/cut_run.h"
#include "tests/support/whole_error.h"

/* ---- A mass under constant forces between samples: steps of any length are exact ---- */

#define MASS(SUBSYSTEMS, SIGNALS)                                                                                      \
  "seam: 1\n"                                                                                                          \
  "parameters: {H: 1e-2}\n"                                                                                            \
  "bodies: {mass: {mass: 2, inertia: 1, velocity: [1, 0]}}\n"                                                          \
  "joints: {rail: {type: prismatic, bodies: [ground, mass], at: [0, 0], axis: [1, 0]}}\n"                              \
  "forces: {drive: {type: force, body: mass, x: 0}}\n"                                                                 \
  "simulate: {end: 1}\n"                                                                                               \
  "cosim:\n"                                                                                                           \
  "  macro_step: H\n"                                                                                                  \
  "  subsystems:\n"                                                                                                    \
  "    plant: {bodies: [mass]}\n" SUBSYSTEMS "  signals:\n"                                                            \
  "    - {from: plant.mass.x, to: control.x, order: 2}\n"                                                              \
  "    - {from: plant.mass.vx, to: control.v}\n" SIGNALS

#define CONTROL                                                                                                        \
  "    control:\n"                                                                                                     \
  "      sample: 0.05\n"                                                                                               \
  "      inputs: [x, v]\n"                                                                                             \
  "      states: {sum: 0}\n"                                                                                           \
  "      updates: {sum: sum + 0.05*x}\n"                                                                               \
  "      outputs: {F: -8*x - 6*v - 2*sum, sum: sum}\n"
#define TO_DRIVE "    - {from: control.F, to: plant.drive.fx}\n"

static const char held[] = MASS(CONTROL, TO_DRIVE);

typedef struct mass_state {
  double x, v, sum, F, shown;
} mass_state;

static mass_state recursion(int samples) {
  const double T = 0.05, m = 2;
  mass_state s = {.v = 1};
  for (int i = 0;; i++) {
    s.F = -8 * s.x - 6 * s.v - 2 * s.sum;
    s.shown = s.sum;
    s.sum += T * s.x;
    if (i == samples)
      return s;
    s.x += T * s.v + T * T / 2 * s.F / m;
    s.v += T * s.F / m;
  }
}

static void expect_recursion(const cut_run *run, const char *what) {
  const mass_state exact = recursion(20);
  const mbs_state *now = cosim_state(run->simulation);
  cr_expect_float_eq(now->t, 1, 1e-12, "%s", what);
  cr_expect_float_eq(now->q[0], exact.x, 1e-13, "%s: off by %g", what, now->q[0] - exact.x);
  cr_expect_float_eq(now->v[0], exact.v, 1e-13, "%s: off by %g", what, now->v[0] - exact.v);
  cr_expect_float_eq(cut_run_signal(run, "control.F"), exact.F, 1e-12, "%s", what);
  cr_expect_float_eq(cut_run_signal(run, "control.sum"), exact.shown, 1e-13, "%s", what);
}

static void expect_mass(const char *text, const char *const *overrides, double H, const char *what) {
  cut_run run = cut_run_begin(text, overrides);
  cut_run_advance(&run, H, (int)lround(1 / H));
  expect_recursion(&run, what);
  cut_run_end(&run);
}

Test(sampled_parts, a_controller_follows_its_recursion_whatever_the_macro_step) {
  static const double steps[] = {0.05, 0.025, 0.01, 0.1, 0.04, 0.008, 1.0 / 7};
  for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
    char what[64];
    snprintf(what, sizeof what, "H = %g", steps[i]);
    expect_mass(held, NULL, steps[i], what);
  }
}

Test(sampled_parts, a_controller_follows_its_recursion_in_every_sequence) {
  static const char *const sequence[] = {"cosim.sequence=gauss-seidel", NULL};
  static const char *const faster[] = {"cosim.subsystems.plant.macro_step=2.5e-3", NULL};
  expect_mass(held, sequence, 0.01, "one after the other");
  expect_mass(held, faster, 0.01, "with shorter steps of the plant");
}

Test(sampled_parts, matrices_are_the_same_controller) {
  static const char text[] = MASS("    control:\n"
                                  "      sample: 0.05\n"
                                  "      inputs: [x, v]\n"
                                  "      states: {s: 0}\n"
                                  "      linear: {A: [[1]], B: [[0.05, 0]], C: [[-2], [1]], D: [[-8, -6], [0, 0]]}\n"
                                  "      outputs: [F, sum]\n",
                                  TO_DRIVE);
  expect_mass(text, NULL, 0.01, "matrices");
}

Test(sampled_parts, controlled_macro_steps_end_at_each_sample) {
  static const char *const control[] = {"cosim.step_control={method: predictor, tolerance: 1e-2}", NULL};
  cut_run run = cut_run_begin(held, control);
  seam_error error = {0};
  while (cosim_state(run.simulation)->t < 1 - 1e-12)
    cr_assert_eq(cosim_advance_controlled(run.simulation, 1, &error), SEAM_OK, "%s", error.message);
  expect_recursion(&run, "by prediction");
  cr_expect_neq(cosim_statistics_of(run.simulation).macro_steps, 100);
  cut_run_end(&run);
}

/* ---- Sampled parts that read each other, and one that follows them at once ---- */

static const char chain[] = MASS("    control: {sample: 0.05, inputs: [x, v], outputs: {F: -8*x - 6*v}}\n"
                                 "    slow: {sample: 0.1, inputs: [f], outputs: {half: f/2}}\n"
                                 "    limit: {inputs: [a, b], outputs: {F: \"max(-3, a + b)\"}}\n"
                                 "    amplifier: {inputs: [u], outputs: {F: 0.9*u}}\n",
                                 "    - {from: control.F, to: slow.f}\n"
                                 "    - {from: control.F, to: limit.a}\n"
                                 "    - {from: slow.half, to: limit.b}\n"
                                 "    - {from: limit.F, to: amplifier.u}\n"
                                 "    - {from: amplifier.F, to: plant.drive.fx}\n");

Test(sampled_parts, samples_see_what_was_there_before_and_act_at_once) {
  const double T = 0.05, m = 2;
  double x = 0, v = 1, F = 0, half = 0;
  cut_run run = cut_run_begin(chain, NULL);
  for (int i = 0; i <= 20; i++) {
    const double before = F;
    F = -8 * x - 6 * v;
    half = i % 2 == 0 ? before / 2 : half;
    const double force = 0.9 * fmax(-3, F + half);
    cr_expect_float_eq(cosim_state(run.simulation)->q[0], x, 1e-13, "sample %d", i);
    cr_expect_float_eq(cut_run_signal(&run, "amplifier.F"), force, 1e-12, "sample %d", i);
    x += T * v + T * T / 2 * force / m;
    v += T * force / m;
    cut_run_advance(&run, 0.01, 5);
  }
  cut_run_end(&run);
}

/* ---- The clock ---- */

/* Sums of 1e5 macro steps are off by 1e-9 s; 1e-3 has no exact sum. */
Test(sampled_parts, the_clock_of_samples_does_not_drift) {
  static const char text[] =
      "seam: 1\n"
      "cosim:\n"
      "  macro_step: 1e-3\n"
      "  subsystems:\n"
      "    clock: {sample: 20e-3, states: {n: 0}, updates: {n: n + 1}, outputs: {n: n, at: t}}\n"
      "    other: {inputs: [u], states: {x: 0}, rates: {x: u}, outputs: {x: x}, integrator: euler, micro_step: 1}\n"
      "  signals: [{from: clock.n, to: other.u}]\n";
  seam_model_file *file = read_model(text, NULL);
  cut_run run = {0};
  seam_error error = {0};
  cr_assert_eq(cosim_create(seam_model_cosim(file), &run.simulation, &error), SEAM_OK, "%s", error.message);
  cr_assert_eq(cosim_start(run.simulation, NULL, &error), SEAM_OK, "%s", error.message);
  for (int k = 1; k <= 5000; k++) {
    cut_run_advance(&run, 1e-3, 20);
    cr_assert_eq(cut_run_signal(&run, "clock.n"), k);
    cr_assert_float_eq(cut_run_signal(&run, "clock.at"), k * 20e-3, 1e-15 * k, "%d", k);
  }
  cr_expect_eq(cosim_statistics_of(run.simulation).macro_steps, 100000);
  cr_expect_float_eq(cut_run_signal(&run, "other.x"), 20e-3 * 4999 * 5000 / 2, 1e-5);
  cosim_destroy(run.simulation);
  seam_model_file_destroy(file);
}

/* ---- A cart with a pole, whole and cut ---- */

static const char cart_pole[] = "seam: 1\n"
                                "gravity: [0, -9.81]\n"
                                "parameters: {tilt: 0.2}\n"
                                "points: {O: [0, 0], T: [0.6*sin(tilt), 0.6*cos(tilt)]}\n"
                                "bodies: {cart: {mass: 1, inertia: 0.1}, pole: {rod: [O, T], mass: 0.2}}\n"
                                "joints:\n"
                                "  rail: {type: prismatic, bodies: [ground, cart], at: O, axis: [1, 0]}\n"
                                "  hinge: {type: revolute, bodies: [cart, pole], at: O}\n"
                                "forces: {drive: {type: force, body: cart, x: 0}}\n"
                                "measures: {lean: pi/2 - pole.phi}\n"
                                "simulate: {end: 2}\n"
                                "cosim:\n"
                                "  macro_step: 5e-3\n"
                                "  rtol: 1e-12\n"
                                "  atol: 1e-12\n"
                                "  subsystems:\n"
                                "    plant: [cart, pole]\n"
                                "    control:\n"
                                "      sample: 20e-3\n"
                                "      inputs: [x, v, lean, w]\n"
                                "      states: {before: 0}\n"
                                "      updates: {before: lean}\n"
                                "      outputs: {F: 2*x + 4*v + 40*lean - 8*w + 0.04*(lean - before)/0.02}\n"
                                "  signals:\n"
                                "    - {from: cart.x, to: control.x}\n"
                                "    - {from: rail.rate, to: control.v}\n"
                                "    - {from: lean, to: control.lean}\n"
                                "    - {from: pole.omega, to: control.w}\n"
                                "    - {from: control.F, to: plant.drive.fx}\n";

static double error_with(const char *text, double H) {
  mbs_integrator_options options = mbs_default_integrator_options();
  options.rtol = options.atol = 1e-12;
  return error_against_whole(text, &options, H, 2);
}

Test(sampled_parts, a_cart_with_a_pole_is_the_whole_to_the_tolerance_of_the_integrators) {
  static const double steps[] = {20e-3, 5e-3, 40e-3};
  for (size_t i = 0; i < 3; i++) {
    const double error = error_with(cart_pole, steps[i]);
    cr_expect_lt(error, 1e-10, "H = %g: %g", steps[i], error);
  }
}

/* ---- Starts and images ---- */

Test(sampled_parts, starts_and_images_give_the_same_bits) {
  cut_run run = cut_run_begin(held, NULL);
  cut_run fresh = cut_run_begin(held, NULL);
  const size_t size = cosim_image_size(run.simulation);
  void *image = malloc(size);
  cut_run_advance(&run, 0.01, 7);
  cosim_save(run.simulation, image);
  cut_run_advance(&run, 0.01, 30);
  const mbs_state *now = cosim_state(run.simulation);
  const double found[] = {now->q[0], now->v[0], cut_run_signal(&run, "control.F")};
  for (int turn = 0; turn < 2; turn++) {
    seam_error error = {0};
    if (turn == 0) {
      cr_assert_eq(cosim_restore(fresh.simulation, image, size, &error), SEAM_OK, "%s", error.message);
      cut_run_advance(&fresh, 0.01, 30);
    } else {
      cr_assert_eq(cosim_start(fresh.simulation, fresh.start, &error), SEAM_OK, "%s", error.message);
      cut_run_advance(&fresh, 0.01, 37);
    }
    now = cosim_state(fresh.simulation);
    const double again[] = {now->q[0], now->v[0], cut_run_signal(&fresh, "control.F")};
    cr_expect_arr_eq(again, found, sizeof found, "turn %d", turn);
  }
  free(image);
  cut_run_end(&run);
  cut_run_end(&fresh);
}

Test(sampled_parts, another_period_is_another_part) {
  static const char *const other[] = {"cosim.subsystems.control.sample=0.1", NULL};
  cut_run run = cut_run_begin(held, NULL);
  cut_run slower = cut_run_begin(held, other);
  const size_t size = cosim_image_size(run.simulation);
  void *image = malloc(size);
  cosim_save(run.simulation, image);
  cr_expect_eq(cosim_restore(slower.simulation, image, size, NULL), SEAM_BAD_STATE);
  free(image);
  cut_run_end(&run);
  cut_run_end(&slower);
}

/* ---- Failures ---- */

static void expect_refused_cut(const char *text, const char *message) {
  seam_model_file *file = read_model(text, NULL);
  cosim_simulation *simulation = NULL;
  seam_error error = {0};
  cr_expect_eq(cosim_create(seam_model_cosim(file), &simulation, &error), SEAM_BAD_INPUT);
  cr_expect_str_eq(error.message, message);
  seam_model_file_destroy(file);
}

Test(sampled_parts, what_is_held_takes_no_higher_order) {
  static const char message[] = "link from 'control.F' to 'plant.drive.fx': 'control.F' is constant between its "
                                "samples: leave out 'order', 'rate' and 'smooth'";
  expect_refused_cut(MASS(CONTROL, "    - {from: control.F, to: plant.drive.fx, order: 1}\n"), message);
  expect_refused_cut(MASS(CONTROL, "    - {from: control.F, to: plant.drive.fx, smooth: true}\n"), message);
}

static void expect_failure(const char *text, const char *message) {
  cut_run run = cut_run_begin(text, NULL);
  seam_error error = {0};
  seam_status status = SEAM_OK;
  for (int i = 0; i < 10 && status == SEAM_OK; i++)
    status = cosim_advance(run.simulation, 0.05, &error);
  cr_expect_eq(status, SEAM_NOT_FINITE);
  cr_expect(strstr(error.message, message) != NULL, "%s", error.message);
  cut_run_end(&run);
}

Test(sampled_parts, values_that_are_not_finite_are_named) {
  expect_failure(
      MASS("    control: {sample: 0.05, inputs: [x, v], states: {n: 2, r: 0}, updates: {n: n - 1, r: 1/n}}\n", ""),
      "subsystem 'control': t = 0.1 s: the next value of state 'r' is not finite");
  expect_failure(MASS("    control: {sample: 0.05, inputs: [x, v], outputs: {F: 1/(1 - floor(t/0.1))}}\n", TO_DRIVE),
                 "t = 0.1 s: subsystem 'control': its outputs are not finite");
}

/* ---- Sampled equations in a subsystem with bodies ---- */

/* A cart follows a leader, whose place is a signal to its controller. */
#define FOLLOW(SUBSYSTEMS)                                                                                             \
  "seam: 1\n"                                                                                                          \
  "bodies:\n"                                                                                                          \
  "  lead: {mass: 1, inertia: 1, at: [1, 0]}\n"                                                                        \
  "  cart: {mass: 1, inertia: 1, at: [2, 0]}\n"                                                                        \
  "  tail: {mass: 1, inertia: 1, at: [2, 0]}\n"                                                                        \
  "joints:\n"                                                                                                          \
  "  A: {type: prismatic, bodies: [ground, lead], at: [0, 0], axis: [1, 0]}\n"                                         \
  "  B: {type: prismatic, bodies: [ground, cart], at: [0, 0], axis: [1, 0]}\n"                                         \
  "  C: {type: prismatic, bodies: [ground, tail], at: [0, 0], axis: [1, 0]}\n"                                         \
  "forces:\n"                                                                                                          \
  "  pull: {type: force, body: lead, x: -20*lead.x}\n"                                                                 \
  "  push: {type: force, body: cart, x: control.force}\n"                                                              \
  "  shaft: {type: bushing, bodies: [cart, tail], at: [2, 0], stiffness: [100, 100, 0], damping: [2, 2, 0]}\n"         \
  "equations:\n"                                                                                                       \
  "  control:\n"                                                                                                       \
  "    inputs: {x: lead.x, v: tail.vx}\n"                                                                              \
  "    sample: 0.05\n"                                                                                                 \
  "    states: {sum: 0}\n"                                                                                             \
  "    updates: {sum: sum + 0.05*x}\n"                                                                                 \
  "    outputs: {force: 20*x - 6*v - 2*sum}\n"                                                                         \
  "simulate: {end: 0.5}\n"                                                                                             \
  "cosim: {macro_step: 0.05, rtol: 1e-12, atol: 1e-12, scheme: ff-colloc-s3, subsystems: " SUBSYSTEMS "}\n"

static double error_of_follower(const char *text, double H) {
  mbs_integrator_options options = mbs_default_integrator_options();
  options.rtol = options.atol = 1e-12;
  return error_against_whole(text, &options, H, 0.5);
}

/* Nothing but samples reads the signals, so that the motion is that of the whole, also where samples are inside of the
 * macro steps that are asked for. */
Test(sampled_parts, equations_with_bodies_read_the_signals_of_their_time) {
  static const char *const texts[] = {
      FOLLOW("{plant: [lead], d: {bodies: [cart, tail], equations: [control]}}"),
      FOLLOW("{plant: [lead], d: {bodies: [cart, tail], equations: [control], signal_order: 1}}"),
      FOLLOW("{plant: [lead], d: {bodies: [cart, tail], equations: [control], macro_step: 0.025}}")};
  static const double steps[] = {0.05, 0.03, 0.025, 0.2};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    for (size_t k = 0; k < sizeof steps / sizeof *steps; k++)
      cr_expect_lt(error_of_follower(texts[i], steps[k]), 1e-9, "%zu, H = %g", i, steps[k]);
}

/* Beside a master errors are those of its scheme, of order 6. */
Test(sampled_parts, equations_beside_bodies_that_a_master_couples_do_so_too) {
  static const char text[] = FOLLOW("{plant: [lead, tail], d: {bodies: [cart], equations: [control]}}");
  const double coarse = error_of_follower(text, 0.025);
  cr_expect_gt(log2(coarse / error_of_follower(text, 0.0125)), 5.5);
  cr_expect_lt(coarse, 1e-6);
}

Test(sampled_parts, equations_with_bodies_go_on_from_images_to_the_bit) {
  static const char text[] = FOLLOW("{plant: [lead, tail], d: {bodies: [cart], equations: [control]}}");
  cut_run run = cut_run_begin(text, NULL);
  cut_run again = cut_run_begin(text, NULL);
  const size_t size = cosim_image_size(run.simulation);
  void *image = malloc(size);
  seam_error error = {0};
  cut_run_advance(&run, 0.03, 5); /* up to a sample */
  cosim_save(run.simulation, image);
  cut_run_advance(&run, 0.03, 10);
  cr_assert_eq(cosim_restore(again.simulation, image, size, &error), SEAM_OK, "%s", error.message);
  cut_run_advance(&again, 0.03, 10);
  cr_expect_arr_eq(cosim_state(again.simulation)->q, cosim_state(run.simulation)->q, 9 * sizeof(double));
  free(image);
  cut_run_end(&run);
  cut_run_end(&again);
}

/* ---- Equations with bodies that read accelerations and reactions ---- */

/* What drives the body is a signal of another subsystem, which is not zero at the start. */
static const char accelerometer[] =
    "seam: 1\n"
    "bodies: {a: {mass: 1, inertia: 1}}\n"
    "joints: {rail: {type: prismatic, bodies: [ground, a], at: [0, 0], axis: [1, 0]}}\n"
    "forces:\n"
    "  s: {type: spring_damper, bodies: [ground, a], at: [[-1, 0], [0, 0]], stiffness: 10}\n"
    "  f: {type: force, body: a, x: -0.1*ctl.was}\n"
    "equations: {ctl: {sample: 0.05, inputs: {now: a.ax}, states: {was: 0}, updates: {was: now}}}\n"
    "simulate: {end: 1}\n"
    "cosim:\n"
    "  macro_step: 5e-3\n"
    "  subsystems:\n"
    "    A: [a]\n"
    "    drive: {inputs: [], states: {c: 1, s: 0}, rates: {c: -10*s, s: 10*c}, outputs: {fx: 20*c}}\n"
    "  signals: [{from: drive.fx, to: A.f.fx}]\n";

/* The reaction of a cut joint is part of the acceleration. */
static const char beside_a_cut_joint[] =
    "seam: 1\n"
    "gravity: [0, -9.81]\n"
    "bodies: {a: {rod: [[0, 0], [1, 0]], mass: 1}, b: {rod: [[1, 0], [2, 0]], mass: 1}}\n"
    "joints:\n"
    "  A: {type: revolute, bodies: [ground, a], at: [0, 0]}\n"
    "  B: {type: revolute, bodies: [a, b], at: [1, 0]}\n"
    "forces:\n"
    "  t: {type: torque, body: a, torque: -0.2*ctl.was - 0.02*ctl.load}\n"
    "  f: {type: force, body: a, x: 0}\n"
    "equations:\n"
    "  ctl: {sample: 0.05, inputs: {now: a.alpha, foot: A.fy}, states: {was: 0, load: 0}, updates: {was: now, load: "
    "foot}}\n"
    "simulate: {end: 1}\n"
    "cosim:\n"
    "  macro_step: 5e-3\n"
    "  scheme: ff-index2-k1\n"
    "  subsystems:\n"
    "    A: [a]\n"
    "    B: [b]\n"
    "    drive: {inputs: [], states: {c: 1, s: 0}, rates: {c: -10*s, s: 10*c}, outputs: {fy: 20*c}}\n"
    "  signals: [{from: drive.fy, to: A.f.fy, order: 1}]\n";

Test(sampled_parts, accelerations_are_those_under_the_signals_of_the_sample) {
  const double coarse = error_with(accelerometer, 5e-3);
  const double fine = error_with(accelerometer, 1.25e-3);
  cr_expect_lt(coarse, 0.1, "%g", coarse);
  cr_expect_float_eq(coarse / fine, 4, 0.5, "%g, %g", coarse, fine);
}

Test(sampled_parts, reactions_are_those_under_the_signals_and_cut_joints_of_the_sample) {
  const double coarse = error_with(beside_a_cut_joint, 5e-3);
  const double fine = error_with(beside_a_cut_joint, 2.5e-3);
  cr_expect_lt(coarse, 2e-3, "%g", coarse);
  cr_expect_float_eq(coarse / fine, 4, 1, "%g, %g", coarse, fine);
}

/* Macro steps end at samples of what follows signals at once. */
Test(sampled_parts, accelerations_are_sampled_in_time) {
  const double with = error_with(accelerometer, 5e-3);
  const double beside = error_with(accelerometer, 7e-3);
  cr_expect_lt(beside, 1.5 * with, "%g, %g", beside, with);
}
