/* Motors that follow quantities: against closed forms, against the same mechanism with a law of time, beside bodies
 * that they read; energy; co-simulated; what is refused. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <seam/analysis.h>

#include "tests/support/cut_run.h"
#include "tests/support/model_run.h"
#include "tests/support/whole_error.h"

static const struct {
  const char *method;
  double place, energy;
} methods[] = {{"erk", 1e-11, 1e-9}, {"radau", 1e-11, 1e-8}, {"ida", 1e-8, 1e-6}, {"cvode", 1e-8, 1e-6}};
enum { N_METHODS = sizeof methods / sizeof *methods };

/* ---- A slider-crank whose crank follows x'' = -w² x: x = x0 cos(w t) ---- */

#define CRANK(motor)                                                                                                   \
  "seam: 1\ngravity: [0, -9.81]\nparameters: {w: 3}\npoints: {A: [0, 0], B: [1, 0], C: [3, 0]}\n"                      \
  "bodies:\n"                                                                                                          \
  "  crank: {rod: [A, B], mass: 1}\n"                                                                                  \
  "  rod: {rod: [B, C], mass: 2}\n"                                                                                    \
  "  slider: {mass: 1, inertia: 0.1, at: C}\n"                                                                         \
  "equations:\n"                                                                                                       \
  "  osc: {states: {x: 0.3, v: 0}, rates: {x: v, v: -w^2*x}, outputs: {y: 2*x}}\n"                                     \
  "joints:\n"                                                                                                          \
  "  A: {type: revolute, bodies: [ground, crank], at: A}\n"                                                            \
  "  B: {type: revolute, bodies: [crank, rod], at: B}\n"                                                               \
  "  C: {type: revolute, bodies: [rod, slider], at: C}\n"                                                              \
  "  S: {type: prismatic, bodies: [ground, slider], at: C, axis: [1, 0]}\n"                                            \
  "  M: {type: motor, bodies: [ground, crank], " motor "}\n"                                                           \
  "simulate: {end: 2}\n"

/* Places, reactions, torque and energies are those of the law of time. */
static void expect_same(const char *text, const char *law_of_time) {
  static const char *const quantities[] = {"crank.phi", "crank.omega", "crank.alpha",   "slider.x",    "M.drive",
                                           "M.power",   "C.fx",        "energy.driven", "energy.total"};
  for (size_t i = 0; i < N_METHODS; i++) {
    model_run found = model_run_by(text, methods[i].method);
    model_run expected = model_run_by(law_of_time, "erk");
    for (double t = 0.4; t < 1.9; t += 0.7) { // NOLINT
      model_run_reach(&found, t);
      model_run_reach(&expected, t);
      for (size_t k = 0; k < sizeof quantities / sizeof *quantities; k++) {
        const double value = model_run_read(&expected, quantities[k]);
        cr_expect_float_eq(model_run_read(&found, quantities[k]), value,
                           100 * methods[i].place * (1 + fabs(value)) + 1e-9, "%s: %s at %g", methods[i].method,
                           quantities[k], t);
      }
    }
    model_run_end(&found);
    model_run_end(&expected);
  }
}

Test(motion_laws, a_crank_follows_a_variable_as_its_closed_form) {
  for (size_t i = 0; i < N_METHODS; i++) {
    model_run run = model_run_by(CRANK("angle: osc.x"), methods[i].method);
    const double before = model_run_energy(&run);
    model_run_reach(&run, 1.7);
    cr_expect_float_eq(model_run_read(&run, "crank.phi"), 0.3 * cos(5.1), methods[i].place, "%s", methods[i].method);
    cr_expect_float_eq(model_run_read(&run, "crank.omega"), -0.9 * sin(5.1), 10 * methods[i].place);
    cr_expect_float_eq(model_run_read(&run, "crank.alpha"), -2.7 * cos(5.1), 100 * methods[i].place);
    cr_expect_float_eq(model_run_imbalance(&run, before), 0, methods[i].energy, "%s", methods[i].method);
    model_run_end(&run);
  }
}

Test(motion_laws, reactions_and_energies_are_those_of_a_law_of_time) {
  expect_same(CRANK("angle: osc.x"), CRANK("angle: 0.3*cos(w*t)"));
  expect_same(CRANK("angle: sin(osc.y) + 0.1*t^2*osc.x"), CRANK("angle: sin(0.6*cos(w*t)) + 0.1*t^2*0.3*cos(w*t)"));
  expect_same(CRANK("speed: osc.v, start: 0.3"), CRANK("angle: 0.3*cos(w*t)"));
  expect_same(CRANK("speed: osc.v*cos(t)"), CRANK("speed: -0.9*sin(w*t)*cos(t)"));
}

/* The order of fixed steps is that of the method. */
Test(motion_laws, steps_converge_at_their_order) {
  static const struct {
    const char *method;
    double order;
  } rows[] = {{"euler", 1}, {"symplectic_euler", 1}, {"rk2", 2}, {"rk4", 4}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    double error[2];
    for (int k = 0; k < 2; k++) {
      mbs_integrator_options options = mbs_default_integrator_options();
      options.method = rows[i].method;
      options.step = k == 0 ? 0.02 : 0.01;
      model_run run = model_run_begin(CRANK("angle: osc.x"), NULL, &options, NAN);
      model_run_reach(&run, 1);
      error[k] = fabs(model_run_read(&run, "crank.phi") - 0.3 * cos(3.0));
      cr_expect_float_eq(model_run_read(&run, "crank.phi"), model_run_read(&run, "osc.x"), 1e-13);
      model_run_end(&run);
    }
    cr_expect_float_eq(log2(error[0] / error[1]), rows[i].order, 0.2, "%s: %g, %g", rows[i].method, error[0], error[1]);
  }
}

/* Statics: x rests at 1, whatever it was. */
Test(motion_laws, a_motor_rests_where_its_variable_does) {
  model_run run = model_run_at_rest("seam: 1\ngravity: [0, -9.81]\npoints: {A: [0, 0], B: [1, 0]}\n"
                                    "bodies: {arm: {rod: [A, B], mass: 3}}\n"
                                    "equations: {f: {states: {x: 0.2, v: 1}, rates: {x: v, v: 4*(1 - x) - v}}}\n"
                                    "joints:\n  A: {type: revolute, bodies: [ground, arm], at: A}\n"
                                    "  M: {type: motor, bodies: [ground, arm], angle: f.x}\nsimulate: {end: 1}\n",
                                    NULL, NULL);
  cr_expect_float_eq(model_run_read(&run, "arm.phi"), 1, 1e-12);
  cr_expect_float_eq(model_run_read(&run, "M.drive"), 3 * 9.81 / 2 * cos(1.0), 1e-11);
  model_run_end(&run);
}

/* ---- Modes: a motor that a plant's angle moves through a filter closes a loop ---- */

/* The plant: J φ'' = -c (φ - s); the motor: s'' + 2 w s' + w² s = w² k φ. Characteristic polynomial
 * (J p² + c)(p² + 2 w p + w²) - c k w². */
Test(motion_laws, modes_of_a_loop_through_a_motor_are_roots_of_its_polynomial) {
  const double J = 0.5;
  const double c = 8;
  const double w = 5;
  const double k = -0.4;
  model_run run = model_run_by(
      "seam: 1\n"
      "bodies: {plant: {mass: 1, inertia: 0.5}, shaft: {mass: 1, inertia: 0.2}}\n"
      "equations: {f: {inputs: {u: -0.4*plant.phi}, states: {s: 0, v: 0}, rates: {s: v, v: 25*(u - s) - 10*v}}}\n"
      "joints:\n  A: {type: revolute, bodies: [ground, plant], at: [0, 0]}\n"
      "  B: {type: revolute, bodies: [ground, shaft], at: [0, 0]}\n"
      "  M: {type: motor, bodies: [ground, shaft], angle: f.s}\n"
      "forces: {K: {type: torsion, bodies: [shaft, plant], stiffness: 8}}\nsimulate: {end: 1}\n",
      "erk");
  seam_modes *modes = NULL;
  cr_assert_eq(seam_modes_create(seam_model_mechanism(run.file), run.state, &modes, &run.error), SEAM_OK, "%s",
               run.error.message);
  cr_expect_eq(modes->n, 2);
  for (size_t i = 0; i < modes->n; i++) {
    const double re = modes->mode[i].s[0];
    const double im = modes->mode[i].s[1];
    const double a[2] = {J * (re * re - im * im) + c, 2 * J * re * im};
    const double b[2] = {re * re - im * im + 2 * w * re + w * w, 2 * re * im + 2 * w * im};
    cr_expect_float_eq(a[0] * b[0] - a[1] * b[1] - c * k * w * w, 0, 1e-9, "mode %zu", i);
    cr_expect_float_eq(a[0] * b[1] + a[1] * b[0], 0, 1e-9, "mode %zu", i);
    cr_expect_gt(fabs(modes->mode[i].shape[0][5]) + fabs(modes->mode[i].shape[1][5]), 0.01, "the shaft moves too");
  }
  seam_modes_destroy(modes);
  model_run_end(&run);
}

/* ---- A motor that reads another body ---- */

#define TWO(motor)                                                                                                     \
  "seam: 1\ngravity: [0, -9.81]\npoints: {O: [0, 0], P: [1, 0], Q: [2, 0], R: [3, 0]}\n"                               \
  "bodies: {lead: {rod: [O, P], mass: 1}, slave: {rod: [Q, R], mass: 2}}\n"                                            \
  "joints:\n"                                                                                                          \
  "  A: {type: revolute, bodies: [ground, lead], at: O}\n"                                                             \
  "  B: {type: revolute, bodies: [ground, slave], at: Q}\n"                                                            \
  "  M: {type: motor, bodies: [ground, slave], " motor "}\n"                                                           \
  "forces: {K: {type: torsion, bodies: [lead, slave], stiffness: 30, damping: 0.3}}\n"                                 \
  "simulate: {end: 2}\n"

/* The motor's torque makes up for inertia, weight and spring, J φ'' = M - m g l/2 cos φ - K. */
Test(motion_laws, a_motor_follows_another_body_at_once) {
  for (size_t i = 0; i < N_METHODS; i++) {
    model_run run = model_run_by(TWO("angle: 0.5*lead.phi + 0.1*lead.phi^2"), methods[i].method);
    const double before = model_run_energy(&run);
    for (double t = 0.5; t < 2; t += 0.7) { // NOLINT
      model_run_reach(&run, t);
      const double phi = model_run_read(&run, "lead.phi");
      const double omega = model_run_read(&run, "lead.omega");
      const double alpha = model_run_read(&run, "lead.alpha");
      const double s = 0.5 + 0.2 * phi;
      const double tolerance = i < 2 ? 1e-12 : 1e-9;
      cr_expect_float_eq(model_run_read(&run, "slave.phi"), 0.5 * phi + 0.1 * phi * phi, tolerance, "%zu", i);
      cr_expect_float_eq(model_run_read(&run, "slave.omega"), s * omega, 10 * tolerance, "%zu", i);
      cr_expect_float_eq(model_run_read(&run, "slave.alpha"), s * alpha + 0.2 * omega * omega, 1e-10, "%zu", i);
      const double torque = 2.0 / 3 * model_run_read(&run, "slave.alpha") +
                            9.81 * cos(model_run_read(&run, "slave.phi")) - model_run_read(&run, "K.torque");
      cr_expect_float_eq(fabs(model_run_read(&run, "M.drive") - torque), 0, 1e-9, "%s", methods[i].method);
    }
    cr_expect_float_eq(model_run_imbalance(&run, before), 0, 10 * methods[i].energy, "%s", methods[i].method);
    model_run_end(&run);
  }
}

Test(motion_laws, a_speed_follows_the_speed_of_another_body) {
  for (size_t i = 0; i < N_METHODS; i++) {
    model_run run = model_run_by(TWO("speed: lead.omega*cos(lead.phi) + lead.phi"), methods[i].method);
    model_run_reach(&run, 1.5);
    const double phi = model_run_read(&run, "lead.phi");
    cr_expect_float_eq(model_run_read(&run, "slave.omega"), model_run_read(&run, "lead.omega") * cos(phi) + phi,
                       i < 2 ? 1e-11 : 1e-8, "%s", methods[i].method);
    model_run_end(&run);
  }
}

/* φ = φ/2 + 0.1: 0.2. */
Test(motion_laws, feedback_of_its_own_angle_is_solved_where_it_has_a_solution) {
  model_run run = model_run_by(TWO("angle: 0.5*slave.phi + 0.1"), "erk");
  model_run_reach(&run, 1);
  cr_expect_float_eq(model_run_read(&run, "slave.phi"), 0.2, 1e-13);
  model_run_end(&run);
}

/* ---- Co-simulation ---- */

#define CUT(rates, subsystems)                                                                                         \
  "seam: 1\ngravity: [0, -9.81]\npoints: {A: [0, 0], B: [1, 0], C: [2, 0]}\n"                                          \
  "bodies: {crank: {rod: [A, B], mass: 1}, arm: {rod: [B, C], mass: 2}}\n"                                             \
  "equations:\n"                                                                                                       \
  "  sig: {inputs: {u: arm.phi}, states: {s: 0}, rates: {s: \"3*(0.5*sin(3*t) - 0.2*u - s)\"}, outputs: {y: s}}\n"     \
  "  ref: {inputs: {u: sig.y}, states: {x: 0.3, v: 0}, rates: {x: v, v: \"" rates "\"}}\n"                             \
  "joints:\n"                                                                                                          \
  "  A: {type: revolute, bodies: [ground, crank], at: A}\n"                                                            \
  "  M: {type: motor, bodies: [ground, crank], angle: ref.x}\n"                                                        \
  "forces: {B: {type: bushing, bodies: [crank, arm], at: B, stiffness: [1e3, 1e3, 30], damping: [10, 10, 1]}}\n"       \
  "simulate: {end: 0.4}\n"                                                                                             \
  "cosim:\n  macro_step: 1e-3\n  rtol: 1e-12\n  atol: 1e-12\n  scheme: ff-k1\n  subsystems: {" subsystems "}\n"

static void expect_order(const char *text, const char *scheme, double order) {
  mbs_integrator_options options = mbs_default_integrator_options();
  options.rtol = options.atol = 1e-12;
  char with[2000];
  const char *at = strstr(text, "ff-k1");
  snprintf(with, sizeof with, "%.*s%s%s", (int)(at - text), text, scheme, at + strlen("ff-k1"));
  const double coarse = error_against_whole(with, &options, 4e-3, 0.4);
  const double fine = error_against_whole(with, &options, 2e-3, 0.4);
  cr_expect_float_eq(log2(coarse / fine), order, 0.2, "%s: %g, %g", scheme, coarse, fine);
}

Test(motion_laws, a_cut_mechanism_converges_at_the_order_of_its_scheme) {
  static const struct {
    const char *scheme;
    double order;
  } rows[] = {{"ff-k1", 2}, {"ff-k2", 3}, {"fd-k1", 2}, {"ff-colloc-s2", 4}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    expect_order(CUT("-9*x", "left: [crank], right: [arm]"), rows[i].scheme, rows[i].order);
}

/* The filter is where the motor is; what it filters is not. */
Test(motion_laws, a_filter_brings_what_another_subsystem_has) {
  expect_order(CUT("36*(u - x) - 12*v", "left: {bodies: [crank], equations: [ref], signal_order: 1}, right: [arm], "
                                        "e: {equations: [sig], signal_order: 1}"),
               "ff-colloc-s2", 2);
}

/* ---- What is refused ---- */

#define ARM(motor, more)                                                                                               \
  "seam: 1\nsimulate: {end: 1}\nbodies: {arm: {mass: 1, inertia: 1}}\n" more "joints: \n"                              \
  "  A: {type: revolute, bodies: [ground, arm], at: [0, 0]}\n"                                                         \
  "  M: {type: motor, bodies: [ground, arm], " motor "}\n"

static void expect_part(const char *text, const char *part) {
  seam_error error = {0};
  seam_model_file *file = NULL;
  cr_expect_eq(seam_model_file_parse("text.yaml", text, strlen(text), NULL, 0, &file, &error), SEAM_BAD_INPUT, "%s",
               text);
  cr_expect(strstr(error.message, part) != NULL, "%s", error.message);
}

Test(motion_laws, what_jumps_is_refused_with_its_cause) {
#define SAMPLED "equations: {c: {sample: 0.1, outputs: {y: t}}}\n"
#define STATE "equations: {c: {states: {x: 0}, rates: {x: 1 - x}}}\n"
  expect_part(ARM("angle: c.y", SAMPLED), "'c.y', which is sampled: it jumps, and no body can jump to another place");
  expect_part(ARM("speed: c.y", SAMPLED), "'c.y', which is sampled: it jumps, and a jump of speed takes an infinite");
  expect_part(ARM("angle: A.fx", ""), "'A.fx', which follows from forces");
  expect_part(ARM("angle: arm.omega", ""), "'arm.omega', whose rate follows from forces");
  expect_part(ARM("angle: \"min(c.x, 1)\"", STATE), "bends where a quantity passes a place");
  expect_part(ARM("speed: \"if(c.x > 0.5, 1, 0)\"", STATE), "jumps where a quantity passes a place");
  expect_part(ARM("angle: c.x, speed: 1", STATE), "has a 'speed' and a place");
}

Test(motion_laws, bends_of_a_speed_and_jumps_in_time_are_taken) {
  model_run run = model_run_by(ARM("speed: \"min(2*c.x, 1) + if(t > 0.5, 1, 0)\"", STATE), "erk");
  model_run_reach(&run, 1.5);
  const double bend = log(2);
  const double angle = 2 * (bend - 0.5) + 1.5 - bend + 1;
  cr_expect_float_eq(model_run_read(&run, "arm.phi"), angle, 1e-9);
  cr_expect_float_eq(model_run_read(&run, "arm.omega"), 2, 1e-12);
  model_run_end(&run);
}

Test(motion_laws, a_place_that_jumps_in_time_ends_the_run) {
  model_run run = model_run_by(ARM("angle: \"c.x + if(t > 0.5, 1, 0)\"", STATE), "erk");
  model_run_advance(&run, 1);
  cr_expect_eq(run.status, SEAM_CONSTRAINT_LOST);
  cr_expect(strstr(run.error.message, "'M' cannot follow its law, which jumps by 1") != NULL, "%s", run.error.message);
  model_run_end(&run);
}
