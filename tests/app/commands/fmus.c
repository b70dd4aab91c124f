/* FMUs as subsystems of a model file: against the same equations in the file, and what is refused. The FMU is that of
 * tests/fmi/unit/unit.h, whose Runge-Kutta method of 20 micro steps is that of `rk4`. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/command.h"
#include "tests/support/run_results.h"
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

static const char equations[] = "{inputs: [f], states: {x: 0, v: 1}, rates: {x: v, v: f - 200*x}, outputs: {x: x}, "
                                "integrator: rk4, micro_steps: 20}";

static void expect_equal(const char *unit, const char *more) {
  write_model("equations.yaml", equations, more);
  write_model("fmu.yaml", unit, more);
  outcome one = expect_success(SEAM("run", "--cosim", "equations.yaml", "-o", "one", "--quiet"));
  outcome two = expect_success(SEAM("run", "--cosim", "fmu.yaml", "-o", "two", "--quiet"));
  cr_expect_gt(fabs(csv_last("one/trajectory.csv", "cart.x")), 1e-3);
  cr_expect_float_eq(csv_last("two/trajectory.csv", "cart.x"), csv_last("one/trajectory.csv", "cart.x"), 1e-14);
  outcome_free(&one);
  outcome_free(&two);
}

/* The equilibrium of the whole needs equations. */
Test(fmus, a_static_start_without_them_is_noted) {
  const unit_options options = default_unit_options(FMI_2);
  write_unit("unit.fmu", &options);
  write_model("fmu.yaml", "{fmu: unit.fmu}", "start: static\n");
  outcome result = expect_success(SEAM("check", "fmu.yaml"));
  cr_expect(has(result.err, "finds the equilibrium of the mechanism alone, because the equations of the FMU"), "%s",
            result.err);
  outcome_free(&result);
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
  double values[13];
  for (int i = 0; i < 13; i++) {
    values[i] = strtod(row, &row);
    row++;
  }
  cr_expect_float_eq(values[4], 3, 1e-12);             /* one.s = 3 t */
  cr_expect_float_eq(values[10], 1.5 - 1.5e-4, 1e-12); /* two.s = 3/2 t², but for the first step: order 0 there */
  free(text);
  outcome_free(&run);
}

/* ---- Names of variables ---- */

/* The FMU's names are any text; x is the cosine of √200 t under all of them, in all formats. */
Test(fmus, tables_hold_names_of_any_kind) {
  static const char *const names[] = {"R[1,2]", "a \"b\"", "it's", "back\\slash", "a,\"b\",c", "two\nlines", "x'\\x41"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    for (int npy = 0; npy < 2; npy++) {
      char column[64];
      unit_options options = default_unit_options(FMI_2);
      options.name_of_x = names[i];
      write_unit("unit.fmu", &options);
      write_text("m.yaml", "seam: 1\nsimulate: {end: 1, output_step: 0.25}\ncosim:\n  macro_step: 1e-2\n"
                           "  subsystems: {unit: {fmu: unit.fmu, parameters: {k: 200, x0: 1}}}\n");
      outcome run = expect_success(
          SEAM("run", "--cosim", "m.yaml", "-o", "out", "--quiet", "--format", npy == 0 ? "csv" : "npy"));
      outcome_free(&run);
      snprintf(column, sizeof column, "unit.%s", names[i]);
      outcome plot = SEAM("plot", "out", column, "-o", "p.gp");
      cr_expect_eq(plot.exit_status, 0, "%s: %s", names[i], plot.err);
      outcome_free(&plot);
      char *script = read_text("p.gp");
      const char *last = strstr(script, "\n1 ");
      cr_assert_not_null(last, "%s: %s", names[i], script);
      cr_expect_float_eq(atof(last + 3), cos(sqrt(200)), 1e-6, "%s", names[i]);
      free(script);
      outcome report = expect_success(SEAM("report", "out", "-o", "r.html", "--quiet"));
      outcome_free(&report);
    }
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
  expect_refused("{fmu: unit.fmu, parameters: {kk: 1}}", "",
                 "the FMU of subsystem 'unit' does not have a parameter 'kk'");
  expect_refused("{fmu: unit.fmu, parameters: {x: 1}}", "",
                 "'x' of subsystem 'unit' is not a parameter that takes a value, but continuous output");
  expect_refused("{fmu: unit.fmu, parameters: {divisions: 1.5}}", "", "is a whole number, not 1.5");
  expect_refused("{fmu: unit.fmu, parameters: {divisions: 4294967299}}", "",
                 "m.yaml:16:51: error: 'divisions' of subsystem 'unit' is of the type Integer, from -2147483648 to "
                 "2147483647, not 4294967299\n");
  expect_refused("{fmu: unit.fmu, parameters: {divisions: -1e30}}", "", "from -2147483648 to 2147483647, not -1e+30");
  expect_refused("{fmu: unit.fmu, parameters: {mass: -1}}", "", "must be at least 0, but is -1");
  expect_refused("{fmu: unit.fmu, parameters: {mirrored: 2}}", "", "unknown mirrored '2' in subsystem 'unit'");
  expect_refused("{fmu: unit.fmu, inputs: {g: 1}}", "", "the FMU of subsystem 'unit' does not have an input 'g'");
  expect_refused("{fmu: unit.fmu, states: {x: 1}}", "", "unknown key 'states'");
  expect_refused("{fmu: unit.fmu}", "    - {from: unit.z, to: left.push.fy}\n", "subsystem 'unit' has no output 'z'");
  options.variable_step = false;
  options.step = 0.004;
  write_unit("unit.fmu", &options);
  expect_refused("{fmu: unit.fmu}", "",
                 "subsystem 'unit' is an FMU with steps of fixed length, 0.004 s, but its macro step is 0.01 s");
  expect_refused("{fmu: unit.fmu}", "  step_control: {method: predictor, tolerance: 1e-3}\n",
                 "steps of fixed length, which do not allow 'step_control'");
}

Test(fmus, what_an_fmu_refuses_shows_where_it_runs) {
  unit_options options = default_unit_options(FMI_2);
  options.token = "{0}";
  write_unit("unit.fmu", &options);
  write_model("m.yaml", "{fmu: unit.fmu}", "");
  outcome result = SEAM("run", "--cosim", "m.yaml", "-o", "out");
  cr_expect_eq(result.exit_status, 2);
  cr_expect(has(result.err, "m.yaml:16:5: error: subsystem 'unit': unit.fmu: the FMU refuses to be instantiated with "
                            "the guid '{0}': made "
                            "for another model"),
            "%s", result.err);
  outcome_free(&result);
}

Test(fmus, what_an_fmu_refuses_leaves_earlier_results) {
  for (fmi_version version = FMI_2; version <= FMI_3; version++) {
    const unit_options options = default_unit_options(version);
    write_unit("unit.fmu", &options);
    write_model("m.yaml", "{fmu: unit.fmu}", "");
    outcome result = expect_success(SEAM("run", "--cosim", "m.yaml", "-o", "out", "--quiet"));
    outcome_free(&result);
    char *before = read_text("out/trajectory.csv");
    write_model("m.yaml", "{fmu: unit.fmu, parameters: {k: -1}}", ""); /* found out in the initialization */
    result = SEAM("run", "--cosim", "m.yaml", "-o", "out");
    cr_expect_eq(result.exit_status, 2);
    cr_expect(has(result.err, "subsystem 'unit': it cannot be initialised"), "%s", result.err);
    char *after = read_text("out/trajectory.csv");
    cr_expect_str_eq(before, after);
    free(before);
    free(after);
    outcome_free(&result);
  }
}

/* Smaller macro steps and finer steps of equations show all errors but those of steps that the FMU takes itself. */
Test(fmus, steps_inside_them_are_said_to_be_unchecked) {
  const unit_options options = default_unit_options(FMI_2);
  write_unit("unit.fmu", &options);
  write_model("m.yaml", "{fmu: unit.fmu, parameters: {k: 200, v0: 1}}", "");
  outcome result = expect_success(SEAM("run", "--cosim", "m.yaml", "-o", "out"));
  cr_expect(has(result.out, "(steps inside 'unit'"), "%s", result.out);
  cr_expect(json_number_at("out/summary.json", "/verdict/error/of_travel") >= 0);
  outcome_free(&result);
  write_text("m.yaml", "seam: 1\nname: m\nsimulate: {end: 1, output_step: 0.1}\n"
                       "cosim:\n  macro_step: 0.5\n  subsystems:\n    unit: {fmu: unit.fmu, inputs: {f: 0}}\n"
                       "    loose: {inputs: [u], states: {x: 1, v: 0}, rates: {x: v, v: -100*x + 0*u},\n"
                       "            outputs: {x: x}, integrator: erk, rtol: 0.01, atol: 0.01}\n"
                       "  signals: [{from: unit.x, to: loose.u}]\n");
  result = SEAM("run", "--cosim", "m.yaml", "-o", "out", "--accept-wrong");
  const double off = fabs(csv_last("out/signals.csv", "loose.x") - cos(10));
  const double said = json_number_at("out/summary.json", "/verdict/error/value");
  cr_expect_gt(off, 5e-4);
  cr_expect(said > off && said < 3 * off, "off %g, said %g: %s", off, said, result.out);
  outcome_free(&result);
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
    expect_ends("stuck_at", version == FMI_2
                                ? "subsystem 'unit': t = 0.505 s: the FMU discards its step, and shorter ones"
                                : "subsystem 'unit': t = 0.5 s: the FMU makes no progress: its last 11 steps ended at "
                                  "the time at which they began");
  }
}

Test(fmus, an_fmu_ends_the_run_normally) {
  for (fmi_version version = FMI_2; version <= FMI_3; version++) {
    const unit_options options = default_unit_options(version);
    write_unit("unit.fmu", &options);
    write_model("m.yaml", "{fmu: unit.fmu, parameters: {end_at: 0.505}}", "");
    outcome result = expect_success(SEAM("run", "--cosim", "m.yaml", "-o", "out"));
    cr_expect(has(result.err, "rows to t = 0.505 s, where subsystem 'unit' ended the run"), "%s", result.err);
    char *rows = read_text("out/trajectory.csv"), *summary = read_text("out/summary.json");
    cr_expect(has(rows, "\n0.505"), "%s", rows);
    cr_expect(has(summary, "\"ended\"") && has(summary, "\"subsystem\": \"unit\""), "%s", summary);
    free(rows);
    free(summary);
    outcome_free(&result);
  }
}

/* A run whose checkpoints no other process could continue from is refused before it begins. */
Test(fmus, checkpoints_need_states_that_are_serialised) {
  static const char *const flags[] = {"canGetAndSetFMUstate", "canSerializeFMUstate"};
  for (int keeps_state = 0; keeps_state < 2; keeps_state++) {
    unit_options options = default_unit_options(FMI_2);
    options.is_bare = !keeps_state;
    options.keeps_state = keeps_state;
    options.serialises = false;
    write_unit("unit.fmu", &options);
    write_model("m.yaml", "{fmu: unit.fmu, parameters: {v0: 1}}", "");
    outcome result = SEAM("run", "--cosim", "m.yaml", "-o", "out", "--checkpoint", "0.5");
    cr_expect_eq(result.exit_status, 2);
    cr_expect(has(result.err, "--checkpoint: error: ") && has(result.err, "subsystem 'unit'") &&
                  has(result.err, flags[keeps_state]) && has(result.err, "leave out checkpoints"),
              "%s", result.err);
    cr_expect_not(file_exists("out"));
    outcome_free(&result);
  }
}

/* ---- Couplings ---- */

/* A cart and a block of 1 kg on 100 N/m, joined by a spring and damper: both in the file, or the block as FMU. */
static const char mechanism[] =
    "seam: 1\n"
    "name: joined\n"
    "gravity: [0, 0]\n"
    "bodies:\n"
    "  cart: {mass: 2, inertia: 1, at: [0, 0], velocity: [1, 0]}\n"
    "%s"
    "joints:\n"
    "  rail: {type: prismatic, bodies: [ground, cart], at: [0, 0], axis: [1, 0]}\n"
    "%s"
    "forces:\n"
    "  push: {type: force, body: cart, at: [0, 0], x: 0, y: 0}\n"
    "  own: {type: spring_damper, bodies: [ground, cart], at: [[0, 0], [0, 0]], axis: [1, 0],\n"
    "        length: 0, stiffness: 50, damping: 0.5}\n"
    "%s"
    "simulate: {end: 0.5, output_step: 0.05}\n"
    "cosim: {macro_step: 1e-3, scheme: ff-k1, order: 8, rtol: 1e-12, atol: 1e-14,\n"
    "        implicit: {tolerance: 1e-12},\n"
    "        subsystems: {left: [cart], %s}%s}\n";

static const char coupling[] =
    ", couplings: {M: {sides: [{marker: left.push}, {subsystem: unit, force: f, position: x, "
    "velocity: v, acceleration: a}], stiffness: 300, damping: 2}}";

static void write_joined(const char *path, bool is_native, const char *unit, const char *couplings) {
  static const char spring[] = "{type: spring_damper, at: [[0, 0], [0, 0]], axis: [1, 0], length: 0";
  char text[4096], forces[512];
  snprintf(forces, sizeof forces,
           "  far: %s, bodies: [ground, block], stiffness: 100}\n"
           "  M: %s, bodies: [cart, block], stiffness: 300, damping: 2}\n",
           spring, spring);
  snprintf(text, sizeof text, mechanism, is_native ? "  block: {mass: 1, inertia: 1, at: [0, 0]}\n" : "",
           is_native ? "  guide: {type: prismatic, bodies: [ground, block], at: [0, 0], axis: [1, 0]}\n" : "",
           is_native ? forces : "", is_native ? "right: [block]" : unit, is_native ? "" : couplings);
  write_text(path, text);
}

static void expect_joined(const char *scheme) {
  outcome one = expect_success(SEAM("run", "--cosim", "native.yaml", "-o", "one", "--quiet", "--scheme", scheme));
  outcome two = expect_success(SEAM("run", "--cosim", "fmu.yaml", "-o", "two", "--quiet", "--scheme", scheme));
  static const char *const columns[] = {"cart.x", "cart.vx"};
  for (int i = 0; i < 2; i++) {
    const double expected = csv_last("one/trajectory.csv", columns[i]);
    cr_expect_gt(fabs(expected), 1e-3);
    cr_expect_float_eq(csv_last("two/trajectory.csv", columns[i]), expected, 1e-11, "%s", scheme);
  }
  const double force = csv_last("one/couplings.csv", "M.lambda_x");
  cr_expect_float_eq(csv_last("two/couplings.csv", "M.lambda_x"), force, 1e-10 * fmax(1, fabs(force)), "%s", scheme);
  outcome_free(&one);
  outcome_free(&two);
}

Test(fmus, coupled_to_a_marker_they_are_as_a_body_is) {
  static const char *const schemes[] = {"ff-k1-implicit", "ff-k0",          "ff-k2-implicit",
                                        "ff-d-k1",        "ff-k1-explicit", "ff-colloc-s2-implicit"};
  write_joined("native.yaml", true, NULL, NULL);
  write_joined("fmu.yaml", false, "unit: {fmu: unit.fmu}", coupling);
  for (fmi_version version = FMI_2; version <= FMI_3; version++)
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
      unit_options options = default_unit_options(version);
      options.serialises = i % 2 == 0;
      write_unit("unit.fmu", &options);
      expect_joined(schemes[i]);
    }
}

/* ---- Units: an FMU whose x is in cm and f in kN, with the mass 1e-5 kN s2/cm = 1 kg on 1e-3 kN/cm = 100 N/m ---- */

static void write_in_cm(fmi_version version) {
  unit_options options = default_unit_options(version);
  options.is_in_cm = true;
  write_unit("cm.fmu", &options);
}

Test(fmus, couplings_convert_their_units) {
  static const char *const schemes[] = {"ff-k1-implicit", "ff-k1", "ff-d-k1", "ff-k1-explicit",
                                        "ff-colloc-s2-implicit"};
  write_joined("native.yaml", true, NULL, NULL);
  write_joined("fmu.yaml", false, "unit: {fmu: cm.fmu, parameters: {mass: 1e-5, k: 1e-3}}", coupling);
  for (fmi_version version = FMI_2; version <= FMI_3; version++) {
    write_in_cm(version);
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++)
      expect_joined(schemes[i]);
  }
}

/* The cart's spring pushes the FMU, whose force pushes the cart. The power of the bond is in W. A signal of the
 * mechanism alone may have a gain in N/m. */
static const char pushing[] =
    "seam: 2\nname: pushing\ngravity: [0, 0]\n"
    "bodies: {cart: {mass: 2, inertia: 1, at: [0, 0], velocity: [1, 0]}}\n"
    "joints: {rail: {type: prismatic, bodies: [ground, cart], at: [0, 0], axis: [1, 0]}}\n"
    "forces:\n"
    "  push: {type: force, body: cart, at: [0, 0], x: 0, y: 0}\n"
    "  spring: {type: spring_damper, bodies: [ground, cart], at: [[-1, 0], [0, 0]], axis: [1, 0], stiffness: 50}\n"
    "simulate: {end: 0.5}\n"
    "cosim:\n"
    "  macro_step: 1e-3\n"
    "  subsystems: {left: [cart], unit: {fmu: %s}}\n"
    "  signals: [{from: cart.x, to: left.push.fy, gain: -3}, {from: spring.force, to: unit.f, order: 1},\n"
    "            {from: unit.y, to: left.push.fx, gain: -0.5, offset: 0.1, order: 1%s}]\n"
    "  bonds: {B: {ports: [{input: left.push.fx, output: left.push.vx}, {input: unit.f, output: unit.v}]}}\n";

static void write_pushing(const char *path, const char *fmu, const char *more) {
  char text[4096];
  snprintf(text, sizeof text, pushing, fmu, more);
  write_text(path, text);
}

Test(fmus, signals_convert_their_units) {
  const unit_options options = default_unit_options(FMI_2);
  write_unit("unit.fmu", &options);
  write_pushing("one.yaml", "unit.fmu", "");
  write_pushing("two.yaml", "cm.fmu, parameters: {mass: 1e-5, k: 1e-3}", "");
  outcome native = expect_success(SEAM("run", "--cosim", "one.yaml", "-o", "one", "--quiet"));
  for (fmi_version version = FMI_2; version <= FMI_3; version++) {
    write_in_cm(version);
    outcome run = expect_success(SEAM("run", "--cosim", "two.yaml", "-o", "two", "--quiet"));
    const double x = csv_last("one/signals.csv", "unit.x"),
                 created = csv_last("one/couplings.csv", "B.residual_energy");
    cr_expect_float_eq(csv_last("two/trajectory.csv", "cart.x"), csv_last("one/trajectory.csv", "cart.x"), 1e-12);
    cr_expect_float_eq(csv_last("two/signals.csv", "unit.x"), 1e2 * x, 1e-11);
    cr_expect_gt(fabs(created), 1e-9);
    cr_expect_float_eq(csv_last("two/couplings.csv", "B.residual_energy"), created, 1e-12);
    outcome_free(&run);
  }
  outcome_free(&native);
}

/* The motion x = exp(-2 t) of the FMU has a = -2 v, so its output a is v in -5 mm/s: the same rate as v in cm/s. */
Test(fmus, the_rate_of_a_signal_is_converted) {
  static const char summing[] =
      "seam: 2\nname: summing\nbodies: {cart: {mass: 2, inertia: 1, at: [0, 0]}}\nsimulate: {end: 0.5}\n"
      "cosim:\n  macro_step: 0.1\n"
      "  subsystems:\n"
      "    left: [cart]\n"
      "    unit: {fmu: cm.fmu, parameters: {mass: 1, k: 2, c: 3, x0: 1, v0: -2}}\n"
      "    sum: {inputs: [x], states: {s: 0}, rates: {s: x}, outputs: {s: s}}\n"
      "  signals: [{from: unit.x, to: sum.x, rate: unit.%s}]\n";
  static const char *const rates[2] = {"v", "a"};
  double s[2];
  unit_options options = default_unit_options(FMI_2);
  options.is_in_cm = true;
  options.unit_of_a = "-5 mm/s";
  write_unit("cm.fmu", &options);
  for (int i = 0; i < 2; i++) {
    char text[1024];
    snprintf(text, sizeof text, summing, rates[i]);
    write_text("fmu.yaml", text);
    outcome run = expect_success(SEAM("run", "--cosim", "fmu.yaml", "-o", "out", "--quiet"));
    s[i] = csv_last("out/signals.csv", "sum.s");
    outcome_free(&run);
  }
  cr_expect_float_eq(s[1], s[0], 1e-12);
  cr_expect_float_eq(s[1], (1 - exp(-1)) / 2, 5e-3);
}

static void expect_unit_refused(const char *message) {
  outcome result = SEAM("check", "fmu.yaml");
  cr_expect_eq(result.exit_status, 2);
  cr_expect(has(result.err, message), "%s", result.err);
  outcome_free(&result);
}

Test(fmus, units_of_another_dimension_are_refused) {
  write_in_cm(FMI_2);
  write_pushing("fmu.yaml", "cm.fmu", "}, {from: unit.x, to: left.push.fx");
  expect_unit_refused("'unit.x' is in 'cm', which cannot be converted into 'N', the unit of 'left.push.fx'");
  write_pushing("fmu.yaml", "cm.fmu, convert_units: false", "}, {from: unit.x, to: left.push.fx");
  outcome raw = expect_success(SEAM("check", "fmu.yaml"));
  outcome_free(&raw);
  write_pushing("fmu.yaml", "cm.fmu", "}, {from: unit.y, rate: unit.v, to: left.push.fy");
  expect_unit_refused("the rate 'unit.v' is in 'cm/s', which cannot be converted into the unit of 'unit.y', 'kN', per");
  write_joined("fmu.yaml", false, "unit: {fmu: cm.fmu}",
               ", couplings: {M: {sides: [{marker: left.push, along: phi}, {subsystem: unit, position: x, force: f}], "
               "stiffness: 1}}");
  expect_unit_refused("'f' is in 'kN', which cannot be converted into Nm, the unit of 'force'");
}

/* A rigid coupling: the cart and the FMU are one mass of 3 kg on 150 N/m. */
Test(fmus, rigidly_coupled_they_move_together) {
  const unit_options options = default_unit_options(FMI_2);
  write_unit("unit.fmu", &options);
  write_joined("fmu.yaml", false, "unit: {fmu: unit.fmu, parameters: {v0: 1}}",
               ", couplings: {M: {sides: [{subsystem: unit, force: f, position: x, velocity: v, acceleration: a}, "
               "{marker: left.push, along: x}], rigid: true, scheme: ff-index2-k1}}");
  outcome run = expect_success(SEAM("run", "--cosim", "fmu.yaml", "-o", "out", "--quiet"));
  const double d = 0.5 / 6, w = sqrt(50 - d * d);
  cr_expect_float_eq(csv_last("out/trajectory.csv", "cart.x"), exp(-d * 0.5) * sin(0.5 * w) / w, 1e-5);
  cr_expect_float_eq(csv_last("out/signals.csv", "unit.x"), csv_last("out/trajectory.csv", "cart.x"), 1e-7);
  outcome_free(&run);
}

Test(fmus, without_states_only_explicit_schemes_couple_them) {
  unit_options options = default_unit_options(FMI_2);
  options.is_bare = true;
  options.keeps_state = options.serialises = false;
  write_unit("unit.fmu", &options);
  write_joined("native.yaml", true, NULL, NULL);
  write_joined("fmu.yaml", false, "unit: {fmu: unit.fmu}", coupling);
  expect_joined("ff-k1-explicit");
  outcome result = SEAM("run", "--cosim", "fmu.yaml", "-o", "out", "--quiet");
  cr_expect_eq(result.exit_status, 2);
  cr_expect(has(result.err, "subsystem 'unit' cannot repeat a macro step: take explicit schemes at its couplings"),
            "%s", result.err);
  outcome_free(&result);
}

/* Listed schemes are explicit too, and so is the one that is advised where another fails. */
Test(fmus, without_states_only_explicit_schemes_are_advised) {
  unit_options options = default_unit_options(FMI_2);
  options.is_bare = true;
  options.keeps_state = options.serialises = false;
  write_unit("unit.fmu", &options);
  write_joined("fmu.yaml", false, "unit: {fmu: unit.fmu}", coupling);
  outcome result = expect_success(SEAM("schemes", "fmu.yaml"));
  cr_expect(has(result.out, "\n  ff-k0-explicit  ") && has(result.out, "\n  ff-k3-explicit  "), "%s", result.out);
  cr_expect_not(has(result.out, "  ff-k1  ") || has(result.out, "colloc-s") || has(result.out, "ff-d"), "%s",
                result.out);
  outcome_free(&result);
  for (int order = 0; order < 2; order++) {
    result = SEAM("run", "--cosim", "fmu.yaml", "--scheme", order == 0 ? "ff-k0-explicit" : "ff-k1-explicit",
                  "--macro-step", "0.2", "--end", "40", "-o", "out", "--quiet");
    cr_expect_eq(result.exit_status, 1);
    cr_expect(has(result.err, order == 0 ? "take a smaller macro step\n" : "such as ff-k0-explicit\n"), "%s",
              result.err);
    outcome_free(&result);
  }
}

/* Steps end where a cut contact opens only if all parts can repeat them. */
Test(fmus, without_states_no_scheme_ends_steps_at_switches) {
  unit_options options = default_unit_options(FMI_2);
  write_text("m.yaml",
             "seam: 2\n"
             "bodies: {a: {mass: 1, inertia: 1, velocity: [1, 0]}, b: {mass: 1, inertia: 1, at: [1.05, 0]}}\n"
             "forces:\n"
             "  c: {type: contact, bodies: [a, b], at: [[0, 0], [1.05, 0]], radii: [0.5, 0.5], stiffness: 1e3}\n"
             "  push: {type: force, body: a, at: [0, 0], x: 0, y: 0}\n"
             "simulate: {end: 0.3, output_step: 0.01}\n"
             "cosim: {macro_step: 2e-2, scheme: ff-k1, subsystems: {l: [a], r: [b], unit: {fmu: unit.fmu}},\n"
             "        signals: [{from: unit.x, to: l.push.fx}]}\n");
  for (int keeps_state = 0; keeps_state < 2; keeps_state++) {
    options.is_bare = !keeps_state;
    options.keeps_state = options.serialises = keeps_state;
    write_unit("unit.fmu", &options);
    outcome result = expect_success(SEAM("run", "--cosim", "m.yaml", "-o", "out"));
    cr_expect(has(result.err, keeps_state ? "becomes taut: take ff-colloc-s3, whose macro steps end at these times\n"
                                          : "becomes taut: take a smaller macro step\n"),
              "%s", result.err);
    outcome_free(&result);
  }
}

/* Forces of the beginning of a long macro step drive what they should damp. */
Test(fmus, what_their_couplings_create_is_judged) {
  const unit_options options = default_unit_options(FMI_2);
  write_unit("unit.fmu", &options);
  write_joined("fmu.yaml", false, "unit: {fmu: unit.fmu}", coupling);
  outcome result = expect_success(SEAM("run", "--cosim", "fmu.yaml", "-o", "out", "--quiet"));
  outcome_free(&result);
  result = SEAM("run", "--cosim", "fmu.yaml", "-o", "out", "--scheme", "ff-k0-explicit", "--macro-step", "0.02");
  cr_expect_eq(result.exit_status, 3);
  cr_expect(has(result.out, "wrong: unit.y is "), "%s", result.out);
  cr_expect_gt(csv_last("out/couplings.csv", "M.created_energy"), 0.1);
  outcome_free(&result);
}

/* A mechanism beside an FMU has no monolithic run; its co-simulated ones are drawn and judged. */
Test(fmus, a_report_shows_what_is_known) {
  const unit_options options = default_unit_options(FMI_2);
  write_unit("unit.fmu", &options);
  write_joined("fmu.yaml", false, "unit: {fmu: unit.fmu}", coupling);
  outcome result = expect_success(SEAM("report", "fmu.yaml", "--schemes", "ff-k1,ff-k2", "-o", "page.html"));
  cr_expect(has(result.err, "note: the page has no monolithic run: "), "%s", result.err);
  char *page = read_text("page.html");
  cr_expect(has(page, "results/joined/report/ff-k2</h3>") && has(page, "smaller macro steps"));
  free(page);
  outcome_free(&result);
}

static void expect_coupling_refused(const char *couplings, const char *message) {
  write_joined("m.yaml", false, "unit: {fmu: unit.fmu}", couplings);
  outcome result = SEAM("check", "m.yaml");
  cr_expect_eq(result.exit_status, 2);
  cr_expect(has(result.err, message), "%s", result.err);
  outcome_free(&result);
}

#define SIDES(one, two, more) ", couplings: {M: {sides: [" one ", " two "], " more "}}"
#define UNIT_SIDE "{subsystem: unit, force: f, position: x, velocity: v}"

Test(fmus, what_a_coupling_says_is_checked) {
  const unit_options options = default_unit_options(FMI_2);
  write_unit("unit.fmu", &options);
  expect_coupling_refused(SIDES("{marker: left.pull}", UNIT_SIDE, "stiffness: 1"),
                          "subsystem 'left' has no force element 'pull' that acts on one body");
  expect_coupling_refused(SIDES("{marker: left}", UNIT_SIDE, "stiffness: 1"), "'left' is not a marker");
  expect_coupling_refused(SIDES("{marker: unit.x}", UNIT_SIDE, "stiffness: 1"),
                          "subsystem 'unit' has equations or an FMU, and no markers");
  expect_coupling_refused(SIDES("{subsystem: left, position: x}", UNIT_SIDE, "stiffness: 1"), "has bodies");
  expect_coupling_refused(SIDES("{marker: left.push}", "{subsystem: unit, force: g, position: x}", "stiffness: 1"),
                          "subsystem 'unit' has no input 'g'");
  expect_coupling_refused(SIDES("{marker: left.push}", "{subsystem: unit, force: f}", "stiffness: 1"),
                          "needs 'marker', or 'subsystem' and 'position'");
  expect_coupling_refused(SIDES("{marker: left.push}", "{subsystem: unit, position: [x, x]}", "stiffness: 1"),
                          "'x' does not come directly after the previous name in the outputs");
  expect_coupling_refused(SIDES("{marker: left.push}", UNIT_SIDE, "rigid: true, stiffness: 1"),
                          "needs either 'stiffness' and 'damping' or 'rigid: true', not both");
  expect_coupling_refused(SIDES("{marker: left.push, along: [x, phi]}", UNIT_SIDE, "stiffness: 1"),
                          "coordinates of a marker must be neighbours in the order x, y, phi");
  expect_coupling_refused(
      SIDES("{marker: left.push}", UNIT_SIDE, "stiffness: 1, scheme: fd-d-k1"),
      "its scheme needs an input for the position of the other side, which its side at subsystem 'unit' does not name");
  expect_coupling_refused(SIDES("{marker: left.push}", UNIT_SIDE, "stiffness: 1, scheme: df-k1"),
                          "a marker takes forces, not motions");
  expect_coupling_refused(SIDES("{marker: left.push}", UNIT_SIDE, "stiffness: 1") ", signals: [{from: unit.x, to: "
                                                                                  "left.push.fy}]",
                          "couplings of equations or FMUs cannot stand beside signals, bonds and corrections");
}

/* ---- check of an FMU ---- */

Test(fmus, check_says_what_an_fmu_is_and_which_schemes_it_allows) {
  unit_options options = default_unit_options(FMI_2);
  write_unit("unit.fmu", &options);
  outcome result = expect_success(SEAM("check", "unit.fmu"));
  cr_expect(has(result.out, "FMU: unit\nFMI: 2.0, co-simulation\n"), "%s", result.out);
  cr_expect(has(result.out, "inputs: 1\n  f                 Real, 0\n"), "%s", result.out);
  cr_expect(has(result.out, "three steps of 0.001 s, two of them repeated from a restored state: the same bits\n"
                            "verdict: all schemes, with derivatives by differences, and signals\n"),
            "%s", result.out);
  outcome_free(&result);
  options = default_unit_options(FMI_3);
  options.keeps_state = options.serialises = options.follows_inputs = false;
  write_unit("unit.fmu", &options);
  result = expect_success(SEAM("check", "unit.fmu"));
  cr_expect(has(result.out, "FMI: 3.0, co-simulation\n"), "%s", result.out);
  cr_expect(has(result.out, "an input over a step: held at its mean\n"), "%s", result.out);
  cr_expect(has(result.out, "verdict: explicit schemes and signals; it cannot go back\n"), "%s", result.out);
  outcome_free(&result);
  options = default_unit_options(FMI_2);
  options.variable_step = false;
  options.step = 0.02;
  write_unit("unit.fmu", &options);
  result = expect_success(SEAM("check", "unit.fmu"));
  cr_expect(has(result.out, "steps of any length: no, of 0.02 s\n"), "%s", result.out);
  outcome_free(&result);
}

/* The integral s begins anew in a restored state: the bits differ, and that is suspect. */
Test(fmus, check_finds_states_that_are_not_whole) {
  unit_options options = default_unit_options(FMI_2);
  options.forgets = true;
  write_unit("unit.fmu", &options);
  outcome result = SEAM("check", "unit.fmu");
  cr_expect_eq(result.exit_status, 3);
  cr_expect(has(result.out, "outputs differ by"), "%s", result.out);
  cr_expect(has(result.err, "when a step is repeated from a restored state"), "%s", result.err);
  outcome_free(&result);
}

Test(fmus, check_names_what_is_wrong_with_an_fmu) {
  unit_options options = default_unit_options(FMI_2);
  options.token = "{0}";
  write_unit("unit.fmu", &options);
  outcome result = SEAM("check", "unit.fmu");
  cr_expect_eq(result.exit_status, 2);
  cr_expect(has(result.out, "parameters: "), "what is known is said");
  cr_expect(has(result.err, "the FMU refuses to be instantiated with the guid '{0}': made for another model"), "%s",
            result.err);
  outcome_free(&result);
  const fmi_entry entries[] = {{"modelDescription.xml", "<fmiModelDescription fmiVersion=\"2.0\">\n</a>", 40}};
  cr_assert_eq(fmi_archive_write("bad.fmu", entries, 1, NULL), SEAM_OK);
  result = SEAM("check", "bad.fmu");
  cr_expect_eq(result.exit_status, 2);
  cr_expect(has(result.out, "bad.fmu/modelDescription.xml:1: <fmiModelDescription> lacks the attribute modelName\n"),
            "%s", result.out);
  cr_expect(has(result.out, "bad.fmu/modelDescription.xml:1: <fmiModelDescription> lacks the attribute guid\n"), "%s",
            result.out);
  cr_expect(has(result.out, "bad.fmu/modelDescription.xml:2: not well-formed XML"), "%s", result.out);
  outcome_free(&result);
  write_text("no.fmu", "text");
  result = SEAM("check", "no.fmu");
  cr_expect_eq(result.exit_status, 2);
  cr_expect(has(result.err, "no.fmu: not a zip archive"), "%s", result.err);
  outcome_free(&result);
}

/* Beside steps of one length macro steps cannot end at samples of equations: with periods of 25 ms every other one is
 * inside of a step of 10 ms. */
Test(fmus, samples_of_equations_inside_of_fixed_steps_are_wrong) {
  static const char *const periods[] = {"0.025", "0.02"};
  unit_options options = default_unit_options(FMI_2);
  options.variable_step = false;
  options.step = 0.0025;
  write_unit("unit.fmu", &options);
  for (int i = 0; i < 2; i++) {
    char text[1500];
    snprintf(text, sizeof text,
             "seam: 1\n"
             "bodies:\n  lead: {mass: 1, inertia: 1, at: [1, 0]}\n  cart: {mass: 1, inertia: 1, at: [2, 0]}\n"
             "joints:\n  A: {type: prismatic, bodies: [ground, lead], at: [0, 0], axis: [1, 0]}\n"
             "  B: {type: prismatic, bodies: [ground, cart], at: [0, 0], axis: [1, 0]}\n"
             "forces:\n  pull: {type: force, body: lead, x: -20*lead.x}\n"
             "  push: {type: force, body: cart, x: control.force}\n"
             "equations:\n  control: {inputs: {x: lead.x, v: cart.vx}, sample: %s, outputs: {force: 20*x - 6*v}}\n"
             "simulate: {end: 0.5}\n"
             "cosim:\n  macro_step: 0.01\n"
             "  subsystems: {plant: [lead], d: {bodies: [cart], equations: [control]}, unit: {fmu: unit.fmu}}\n"
             "  signals: [{from: lead.x, to: unit.f}]\n",
             periods[i]);
    write_text("m.yaml", text);
    outcome result = SEAM("run", "--cosim", "m.yaml", "-o", "out");
    cr_expect_eq(result.exit_status, i == 0 ? 3 : 0, "%s: %s", periods[i], result.out);
    cr_expect(has(result.out, i == 0 ? "wrong: " : "rough: "), "%s", result.out);
    outcome_free(&result);
  }
}
