/* `start:` of a model file: the state that runs, whole and cut, begin with; what is refused. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include <seam/equations.h>

#include "tests/support/model_run.h"

#define PENDULA(start)                                                                                                 \
  "seam: 1\n"                                                                                                          \
  "gravity: [0, -9.81]\n"                                                                                              \
  "points: {A: [0, 0], B: [1, 0], C: [2, 0]}\n"                                                                        \
  "bodies: {one: {rod: [A, B], mass: 1}, two: {rod: [B, C], mass: 1}}\n"                                               \
  "joints:\n"                                                                                                          \
  "  A: {type: revolute, bodies: [ground, one], at: A}\n"                                                              \
  "  B: {type: revolute, bodies: [one, two], at: B}\n" start "simulate: {end: 1}\n"

static model_run begin(const char *text) {
  const mbs_integrator_options options = mbs_default_integrator_options();
  return model_run_begin(text, NULL, &options, NAN);
}

Test(start, runs_begin_there) {
  model_run run = begin(PENDULA("start: {A.angle: -1, A.omega: 2, B.angle: 0.5, two.omega: -3}\n"));
  cr_expect_float_eq(run.state->q[2], -1, 1e-13);
  cr_expect_float_eq(run.state->v[2], 2, 1e-13);
  cr_expect_float_eq(run.state->q[5], -0.5, 1e-13);
  cr_expect_float_eq(run.state->v[5], -3, 1e-13);
  model_run_end(&run);
}

/* The first sample reads the rates that are given, once: u = -6 v, and s counts samples. */
Test(start, samples_begin_under_what_is_given) {
  model_run run = begin("seam: 1\n"
                        "bodies: {cart: {mass: 1, inertia: 1, at: [1, 0]}}\n"
                        "joints: {rail: {type: prismatic, bodies: [ground, cart], at: [0, 0], axis: [1, 0]}}\n"
                        "forces: {push: {type: force, body: cart, x: control.u}}\n"
                        "equations:\n"
                        "  control: {sample: 0.1, states: {s: 5}, updates: {s: s + 1}, outputs: {u: -6*cart.vx}}\n"
                        "start: {cart.x: 3, cart.vx: 2}\nsimulate: {end: 1}\n");
  const mbs_model *model = seam_model_mechanism(run.file);
  cr_expect_float_eq(run.state->z[mbs_variable_of(model, mbs_find_variable(model, "control.u")).state], -12, 1e-12);
  cr_expect_eq(run.state->z[mbs_variable_of(model, mbs_find_variable(model, "control.s")).state], 6);
  cr_expect_float_eq(run.state->a[0], -12, 1e-12);
  model_run_end(&run);
}

Test(start, static_is_an_equilibrium) {
  model_run run = begin(PENDULA("start: static\n"));
  cr_expect_float_eq(sin(run.state->q[2]), -1, 1e-10);
  cr_expect_float_eq(sin(run.state->q[5]), -1, 1e-10);
  for (int i = 0; i < 6; i++) {
    cr_expect_eq(run.state->v[i], 0);
    cr_expect_lt(fabs(run.state->a[i]), 1e-7);
  }
  model_run_end(&run);
}

Test(start, overrides_replace_it) {
  const char *const overrides[] = {"start={A.angle: 0.25}", NULL};
  const mbs_integrator_options options = mbs_default_integrator_options();
  model_run run = model_run_begin(PENDULA("start: {A.angle: -1}\n"), overrides, &options, NAN);
  cr_expect_float_eq(run.state->q[2], 0.25, 1e-13);
  model_run_end(&run);
}

Test(start, one_value_can_be_replaced) {
  const char *const overrides[] = {"start.A.omega=5", "start.B.angle=0.5", NULL};
  const mbs_integrator_options options = mbs_default_integrator_options();
  static const char *const texts[] = {PENDULA("start: {A.angle: -1, A.omega: 2}\n"),
                                      PENDULA("start: {A: {angle: -1, omega: 2}}\n")};
  for (int i = 0; i < 2; i++) {
    model_run run = model_run_begin(texts[i], overrides, &options, NAN);
    cr_expect_float_eq(run.state->q[2], -1, 1e-13);
    cr_expect_float_eq(run.state->v[2], 5, 1e-13);
    cr_expect_float_eq(run.state->q[5], -0.5, 1e-13);
    model_run_end(&run);
  }
}

Test(start, a_value_that_is_given_twice) {
  expect_refused(PENDULA("start: {A.omega: 1, A: {omega: 1}}\n"), "text.yaml:8:25: error: 'A.omega' is given twice\n"
                                                                  "start: {A.omega: 1, A: {omega: 1}}\n"
                                                                  "                        ^\n"
                                                                  "remove one of them");
}

Test(start, an_unknown_quantity) {
  expect_refused(PENDULA("start: {A.angel: 1}\n"),
                 "text.yaml:8:9: error: unknown quantity 'A.angel'; did you mean 'A.angle'?\n"
                 "start: {A.angel: 1}\n"
                 "        ^");
}

Test(start, a_word_that_is_not_static) {
  expect_refused(PENDULA("start: still\n"), "text.yaml:8:8: error: 'start' must be a map of quantities, or 'static'\n"
                                            "start: still\n"
                                            "       ^\n"
                                            "write 'start: {crank.omega: 30}' or 'start: static'");
}

Test(start, a_contradiction) {
  expect_refused(PENDULA("start: {A.omega: 1, one.omega: 2}\n"),
                 "text.yaml:8:21: error: 'one.omega' = 2 rad/s cannot be reached: the joints and the other prescribed "
                 "values make it 1 rad/s\nstart: {A.omega: 1, one.omega: 2}\n                    ^");
}

/* Sampled equations beside the bodies, too, begin in the equilibrium of the whole, with the time of their last sample.
 */
Test(start, a_mechanism_begins_as_its_whole) {
  seam_model_file *file =
      read_model("seam: 1\nbodies: {cart: {mass: 1, inertia: 1, at: [1, 0]}}\n"
                 "joints: {rail: {type: prismatic, bodies: [ground, cart], at: [0, 0], axis: [1, 0]}}\n"
                 "forces:\n  s: {type: spring_damper, bodies: [ground, cart], at: [[0, 0], [1, 0]], "
                 "axis: [1, 0], stiffness: 30, length: 1}\n"
                 "  push: {type: force, body: cart, x: hold.u}\n  pull: {type: force, body: cart, x: 0}\n"
                 "equations:\n  hold: {sample: 0.1, states: {s: 5}, updates: {s: cart.x + 1}, outputs: "
                 "{u: s}}\nstart: static\nsimulate: {end: 1}\n"
                 "cosim:\n  subsystems: {one: [cart], c: {inputs: [x], states: {i: 7}, rates: {i: 3 - i}, "
                 "outputs: {f: i}}}\n  signals: [{from: one.cart.x, to: c.x}, {from: c.f, to: "
                 "one.pull.fx}]\n  macro_step: 0.01\n",
                 NULL);
  const mbs_model *whole = NULL;
  const mbs_model *own = seam_model_mechanism(file);
  mbs_state *states[2];
  cr_assert_eq(seam_model_whole(file, &whole, NULL), SEAM_OK);
  cr_assert_eq(mbs_state_create(whole, &states[0], NULL), SEAM_OK);
  cr_assert_eq(mbs_state_create(own, &states[1], NULL), SEAM_OK);
  const size_t s[2] = {mbs_variable_of(whole, mbs_find_variable(whole, "hold.s")).state,
                       mbs_variable_of(own, mbs_find_variable(own, "hold.s")).state};
  const double at = states[0]->q[0];
  cr_expect_float_eq(30 * (at - 1), at + 1 + 3, 1e-6);
  cr_expect_eq(states[1]->q[0], at);
  cr_expect_eq(states[1]->z[s[1]], states[0]->z[s[0]]);
  cr_expect_eq(states[1]->z[mbs_n_states(own) - 1], states[0]->z[mbs_n_states(whole) - 1], "%g and %g",
               states[1]->z[mbs_n_states(own) - 1], states[0]->z[mbs_n_states(whole) - 1]);
  mbs_state_destroy(states[0]);
  mbs_state_destroy(states[1]);
  seam_model_file_destroy(file);
}

/* A nanometre counts in a mechanism of nanometres. */
Test(start, a_contradiction_of_small_values) {
  expect_refused("seam: 1\n"
                 "bodies: {one: {rod: [[0, 0], [1e-9, 0]], mass: 1}, two: {mass: 1, inertia: 1e-18, at: [1e-9, 0]}}\n"
                 "joints:\n"
                 "  A: {type: revolute, bodies: [ground, one], at: [0, 0]}\n"
                 "  B: {type: revolute, bodies: [one, two], at: [1e-9, 0]}\n"
                 "start: {one.omega: 1, two.vy: 2e-9}\n"
                 "simulate: {end: 1}\n",
                 "text.yaml:6:23: error: 'two.vy' = 2e-09 m/s cannot be reached: the joints and the other prescribed "
                 "values make it 1e-09 m/s\nstart: {one.omega: 1, two.vy: 2e-9}\n                      ^");
}

/* Whoever runs the model reads the results. */
Test(start, earlier_results_are_a_path_from_the_model_file) {
  seam_model_file *file = read_model(PENDULA("start: {from: results/first@0.5}\n"), NULL);
  cr_expect_str_eq(seam_model_start_from(file), "results/first@0.5");
  cr_expect(seam_model_has_start(file));
  seam_model_file_destroy(file);
  file = read_model(PENDULA(""), NULL);
  cr_expect_null(seam_model_start_from(file));
  cr_expect_not(seam_model_has_start(file));
  seam_model_file_destroy(file);
  cr_expect_null(seam_model_start_from(NULL));
  cr_expect_not(seam_model_has_start(NULL));
}

Test(start, earlier_results_and_coordinates) {
  expect_refused(PENDULA("start: {A.angle: 1, from: results}\n"),
                 "text.yaml:8:21: error: 'from' in 'start' cannot stand beside coordinates and rates\n"
                 "start: {A.angle: 1, from: results}\n"
                 "                    ^\n"
                 "keep one of the two");
}
