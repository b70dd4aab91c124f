/* FMUs as subsystems of a model file: against the same equations in the file, and what is refused. The FMU is that of
 * tests/fmi/unit/unit.h, whose Runge-Kutta method of 20 micro steps is that of `rk4`. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/command.h"
#include "tests/support/unit_fmu.h"

TestSuite(fmus, .init = enter_scratch, .fini = leave_scratch);

/* %s: the subsystem, and more keys of `cosim`. */
static const char model[] =
    "seam: 1\n"
    "name: pushed\n"
    "gravity: [0, 0]\n"
    "parameters: {stiff: 200}\n"
    "bodies: {cart: {mass: 2, inertia: 1, at: [0, 0]}}\n"
    "joints: {rail: {type: prismatic, bodies: [ground, cart], at: [0, 0], axis: [1, 0]}}\n"
    "forces:\n"
    "  push: {type: force, body: cart, at: [0, 0], x: 0, y: 0}\n"
    "  spring: {type: spring_damper, bodies: [ground, cart], at: [[-1, 0], [0, 0]], axis: [1, 0],\n"
    "           stiffness: 50, damping: 0.5}\n"
    "simulate: {end: 1, output_step: 0.1, rtol: 1e-10, atol: 1e-12}\n"
    "cosim:\n"
    "  macro_step: 1e-2\n"
    "  subsystems:\n"
    "    left: [cart]\n"
    "    unit: %s\n"
    "  signals:\n"
    "    - {from: unit.x, to: left.push.fx, gain: 20, order: 2}\n"
    "    - {from: left.cart.x, to: unit.f, gain: 20, order: 2}\n"
    "%s";

static void write_model(const char *path, const char *unit, const char *more) {
  char text[4096];
  snprintf(text, sizeof text, model, unit, more);
  write_text(path, text);
}

/* The last row's position of the cart. */
static double last_x(const char *directory) {
  char path[128];
  snprintf(path, sizeof path, "%s/trajectory.csv", directory);
  char *text = read_text(path);
  char *row = text + strlen(text) - 1;
  while (row > text && row[-1] != '\n')
    row--;
  const double x = strtod(strchr(row, ',') + 1, NULL);
  free(text);
  return x;
}

static const char equations[] = "{inputs: [f], states: {x: 0, v: 1}, rates: {x: v, v: f - 200*x}, outputs: {x: x}, "
                                "integrator: rk4, micro_steps: 20}";

static void expect_equal(const char *unit, const char *more) {
  write_model("equations.yaml", equations, more);
  write_model("fmu.yaml", unit, more);
  outcome one = expect_success(SEAM("run", "--cosim", "equations.yaml", "-o", "one", "--quiet"));
  outcome two = expect_success(SEAM("run", "--cosim", "fmu.yaml", "-o", "two", "--quiet"));
  cr_expect_gt(fabs(last_x("one")), 1e-3);
  cr_expect_float_eq(last_x("two"), last_x("one"), 1e-14);
  outcome_free(&one);
  outcome_free(&two);
}

Test(fmus, signals_couple_them_as_they_couple_equations) {
  for (fmi_version version = FMI_2; version <= FMI_3; version++) {
    unit_options options = default_unit_options(version);
    write_unit("unit.fmu", &options);
    expect_equal("{fmu: unit.fmu, parameters: {k: stiff, v0: 1}}", "");
    expect_equal("{fmu: unit.fmu, parameters: {k: stiff, v0: 1, divisions: 20, mirrored: false, label: \"a\"}}",
                 "  sequence: gauss-seidel\n");
  }
}

/* What cannot go back is coupled too. */
Test(fmus, without_states_they_are_coupled_by_signals) {
  unit_options options = default_unit_options(FMI_2);
  options.is_bare = true;
  options.keeps_state = options.serialises = false;
  write_unit("unit.fmu", &options);
  expect_equal("{fmu: unit.fmu, parameters: {k: 200, v0: 1}}", "");
}

Test(fmus, inputs_without_a_signal_keep_their_start) {
  const unit_options options = default_unit_options(FMI_2);
  write_unit("unit.fmu", &options);
  write_text("m.yaml", "seam: 1\nname: two\ncosim:\n  macro_step: 0.01\n  subsystems:\n"
                       "    one: {fmu: unit.fmu, inputs: {f: 3}}\n    two: {fmu: unit.fmu}\n"
                       "  signals: [{from: one.s, to: two.f, order: 1}]\n"
                       "simulate: {end: 1, output_step: 0.1}\n");
  outcome run = expect_success(SEAM("run", "--cosim", "m.yaml", "-o", "out", "--quiet"));
  char *text = read_text("out/signals.csv");
  cr_expect(has(text, "one.s"));
  char *row = text + strlen(text) - 1;
  while (row > text && row[-1] != '\n')
    row--;
  double values[11];
  for (int i = 0; i < 11; i++) {
    values[i] = strtod(row, &row);
    row++;
  }
  cr_expect_float_eq(values[4], 3, 1e-12);            /* one.s = 3 t */
  cr_expect_float_eq(values[9], 1.5 - 1.5e-4, 1e-12); /* two.s = 3/2 t², but for the first step: order 0 there */
  free(text);
  outcome_free(&run);
}

/* ---- What is refused ---- */

static void expect_refused(const char *unit, const char *more, const char *message) {
  write_model("m.yaml", unit, more);
  outcome result = SEAM("check", "m.yaml");
  cr_expect_eq(result.exit_status, 2);
  cr_expect(has(result.err, message), "%s", result.err);
  outcome_free(&result);
}

Test(fmus, what_a_file_says_of_them_is_checked) {
  unit_options options = default_unit_options(FMI_2);
  write_unit("unit.fmu", &options);
  expect_refused("{fmu: none.fmu}", "", "m.yaml:16:17: error: subsystem 'unit': none.fmu: No such file or directory");
  expect_refused("{fmu: unit.fmu, parameters: {kk: 1}}", "", "the FMU of subsystem 'unit' has not a parameter 'kk'");
  expect_refused("{fmu: unit.fmu, parameters: {x: 1}}", "",
                 "'x' of subsystem 'unit' is not a parameter that takes a value, but continuous output");
  expect_refused("{fmu: unit.fmu, parameters: {divisions: 1.5}}", "", "is a whole number, not 1.5");
  expect_refused("{fmu: unit.fmu, parameters: {mass: -1}}", "", "lies between 0 and");
  expect_refused("{fmu: unit.fmu, parameters: {mirrored: 2}}", "", "unknown mirrored '2' in subsystem 'unit'");
  expect_refused("{fmu: unit.fmu, inputs: {g: 1}}", "", "the FMU of subsystem 'unit' has not an input 'g'");
  expect_refused("{fmu: unit.fmu, states: {x: 1}}", "", "unknown key 'states'");
  expect_refused("{fmu: unit.fmu}", "    - {from: unit.z, to: left.push.fy}\n", "subsystem 'unit' has no output 'z'");
  options.variable_step = false;
  options.step = 0.004;
  write_unit("unit.fmu", &options);
  expect_refused("{fmu: unit.fmu}", "",
                 "subsystem 'unit' is an FMU that takes steps of 0.004 s only, and its macro step is 0.01 s");
  expect_refused("{fmu: unit.fmu}", "  step_control: {method: predictor, tolerance: 1e-3}\n",
                 "macro steps cannot be controlled");
  options.token = "{0}";
  options.step = 0.01;
  write_unit("unit.fmu", &options);
  expect_refused("{fmu: unit.fmu}", "", "unit.fmu: it gives no instance for the guid '{0}': made for another model");
}

Test(fmus, they_are_not_part_of_a_whole) {
  const unit_options options = default_unit_options(FMI_2);
  write_unit("unit.fmu", &options);
  write_model("m.yaml", "{fmu: unit.fmu}", "");
  outcome result = SEAM("compare", "m.yaml", "-o", "out");
  cr_expect_eq(result.exit_status, 2);
  cr_expect(has(result.err, "the equations of the FMU 'unit' are not known"), "%s", result.err);
  outcome_free(&result);
}

/* ---- What ends a run ---- */

static void expect_ends(const char *parameter, const char *message) {
  char unit[128];
  snprintf(unit, sizeof unit, "{fmu: unit.fmu, parameters: {%s: 0.505}}", parameter);
  write_model("m.yaml", unit, "");
  outcome result = SEAM("run", "--cosim", "m.yaml", "-o", "out");
  cr_expect_eq(result.exit_status, 1);
  cr_expect(has(result.err, message), "%s", result.err);
  char *rows = read_text("out/trajectory.csv");
  cr_expect(has(rows, "\n0.4"), "the rows up to there stay");
  free(rows);
  outcome_free(&result);
}

Test(fmus, each_failure_ends_the_run_with_its_time_and_name) {
  for (fmi_version version = FMI_2; version <= FMI_3; version++) {
    const unit_options options = default_unit_options(version);
    write_unit("unit.fmu", &options);
    expect_ends("fail_at", "subsystem 'unit': t = 0.5 s: fmi");
    expect_ends("fail_at", "Error: the spring broke");
    expect_ends("nan_at", "subsystem 'unit': t = 0.51 s: its output 'x' is not finite");
    expect_ends("early_at", "subsystem 'unit': t = 0.5 s: it ended its step of 0.01 s early at t = 0.505 s");
  }
}
