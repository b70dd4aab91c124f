/* The cut as a system of FMUs (SSP 1.0), run by Seam, against the same exchange inside of Seam; what is refused. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fmi/archive.h"
#include "tests/support/command.h"

TestSuite(systems, .init = enter_scratch, .fini = leave_scratch);

/* ---- Tables ---- */

/* The row `line` (0: the first below the names) in a column of a table; NaN: there is no such row. */
static double number_at(const char *text, const char *column, int line) {
  int number = 0;
  const char *at = strstr(text, column);
  cr_assert_not_null(at, "%s", column);
  for (const char *c = text; c < at; c++)
    number += *c == ',';
  const char *row = text;
  for (int i = 0; i <= line && row != NULL; i++) {
    row = strchr(row, '\n');
    row = row != NULL && row[1] != '\0' ? row + 1 : NULL;
  }
  for (; row != NULL && number > 0; number--)
    row = strchr(row, ',') + 1;
  return row != NULL ? strtod(row, NULL) : NAN;
}

/* Largest difference of two columns, relative to the largest value. */
static double compare(const char *one, const char *column, const char *two, const char *other) {
  char *first = read_text(one), *second = read_text(two);
  double largest = 0, difference = 0;
  int line = 0;
  for (;; line++) {
    const double a = number_at(first, column, line), b = number_at(second, other, line);
    if (isnan(a) || isnan(b)) {
      cr_expect(isnan(a) && isnan(b), "as many rows");
      break;
    }
    largest = fmax(largest, fabs(b));
    difference = fmax(difference, fabs(a - b));
  }
  free(first);
  free(second);
  cr_expect_gt(line, 50);
  cr_expect_gt(largest, 0);
  return difference / largest;
}

static void expect_done(outcome result) {
  result = expect_success(result);
  outcome_free(&result);
}

/* Two systems with states whose outputs follow inputs at once, as PyFMI tests them: the loop is solved at macro points,
 * also at the start, where y1 = 3 + y2 and y2 = -31 - 0.9 y1. */
Test(systems, a_loop_of_fmus_with_feedthrough_is_solved) {
  write_text("loop.yaml", "seam: 1\nname: loop\nsimulate: {end: 0.1, output_step: 1e-3}\ncosim:\n  macro_step: 1e-3\n"
                          "  subsystems:\n"
                          "    s1: {inputs: [u], states: {x: 1}, rates: {x: -0.9*x + 0.5*u}, outputs: {y: 3*x + u}}\n"
                          "    s2: {inputs: [u], states: {x: 1}, rates: {x: -x + 10*u}, outputs: {y: -31*x - 0.9*u}}\n"
                          "  signals: [{from: s1.y, to: s2.u}, {from: s2.y, to: s1.u}]\n");
  expect_done(SEAM("export", "loop.yaml", "--ssp", "-o", "x.ssp"));
  expect_done(SEAM("run", "x.ssp", "--macro-step", "1e-3", "--check", "never", "--quiet", "-o", "system"));
  expect_done(SEAM("run", "loop.yaml", "--cosim", "--check", "never", "--quiet", "-o", "native"));
  cr_expect_lt(compare("system/signals.csv", "s2.y", "native/signals.csv", "s2.y"), 1e-10);
  char *table = read_text("system/signals.csv");
  cr_expect_float_eq(number_at(table, "s1.y", 0), -28 / 1.9, 1e-9);
  free(table);
}

/* ---- Couplings ---- */

/* The law is read under the motion that the step had, as the exchange reads it, not as the explicit master does. */
static void expect_exchanged(const char *model, const char *scheme, const char *const *columns) {
  char set[100], exchanged[100];
  snprintf(set, sizeof set, "cosim.scheme=%s", scheme);
  snprintf(exchanged, sizeof exchanged, "%s-exchange", scheme);
  expect_done(SEAM("export", model, "--ssp", "--set", set, "-o", "x.ssp"));
  expect_done(SEAM("run", "x.ssp", "--end", "0.1", "--check", "never", "--quiet", "-o", "system"));
  expect_done(SEAM("run", model, "--cosim", "--scheme", exchanged, "--end", "0.1", "--check", "never", "--quiet", "-o",
                   "native"));
  for (int i = 0; columns[i] != NULL; i += 2)
    cr_expect_lt(compare("system/signals.csv", columns[i], "native/couplings.csv", columns[i + 1]), 1e-10, "%s %s",
                 scheme, columns[i]);
}

/* A mass under a spring and damper without states: with a macro step of delay more it would leave. */
Test(systems, an_fmu_without_states_adds_no_macro_step) {
  write_text("fall.yaml", "seam: 1\nname: fall\ngravity: [0, -9.81]\nbodies: {m: {mass: 1, inertia: 1, at: [0, 0]}}\n"
                          "forces: {pull: {type: force, body: m, x: 0, y: 0}}\nsimulate: {end: 1, output_step: 0.01}\n"
                          "cosim:\n  macro_step: 1e-2\n  subsystems:\n    mass: [m]\n"
                          "    sd: {inputs: [s, v], outputs: {f: -400*s - 2*v}}\n"
                          "  signals:\n    - {from: mass.m.y, to: sd.s}\n    - {from: mass.m.vy, to: sd.v}\n"
                          "    - {from: sd.f, to: mass.pull.fy}\n");
  expect_done(SEAM("export", "fall.yaml", "--ssp", "-o", "x.ssp"));
  expect_done(SEAM("run", "x.ssp", "--check", "never", "--quiet", "-o", "system"));
  expect_done(SEAM("run", "fall.yaml", "--cosim", "--check", "never", "--quiet", "-o", "native"));
  cr_expect_lt(compare("system/signals.csv", "sd.f", "native/signals.csv", "sd.f"), 1e-10);
  char *table = read_text("native/signals.csv");
  cr_expect_lt(number_at(table, "sd.f", 100), 30);
  free(table);
}

Test(systems, a_bushing_between_two_fmus_repeats_the_exchange_within) {
  static const char *const fd[] = {"right.M.fx",     "M.lambda_x",   "right.M.fy", "M.lambda_y",
                                   "right.M.torque", "M.lambda_phi", NULL};
  expect_exchanged("four_bar_bushing", "fd-k0", fd);
  expect_exchanged("four_bar_bushing", "fd-k2", fd);
}

/* In df side 1 holds the law. Markers are the centres of mass. */
Test(systems, the_side_that_motion_drives_holds_the_law) {
  expect_done(SEAM("export", "two_mass_oscillator", "--ssp", "--set", "cosim.scheme=df-k1", "-o", "x.ssp"));
  expect_done(SEAM("run", "x.ssp", "--quiet", "-o", "system"));
  expect_done(SEAM("run", "two_mass_oscillator", "--cosim", "--scheme", "df-k1-exchange", "--quiet", "-o", "native"));
  cr_expect_lt(compare("system/signals.csv", "first.coupling.x", "native/trajectory.csv", "m1.x"), 1e-10);
  cr_expect_lt(compare("system/signals.csv", "second.coupling.vx", "native/trajectory.csv", "m2.vx"), 1e-10);
}

/* No key of the file has the names of what a repeat generates. */
Test(systems, generated_couplings_are_exported_by_their_scheme) {
  static const char none[] = "cosim.corrections.energy=[]";
  expect_done(
      SEAM("export", "multiple_oscillator", "--ssp", "--set", "cosim.scheme=fd-k0", "--set", none, "-o", "x.ssp"));
  expect_done(SEAM("run", "x.ssp", "--end", "0.1", "--check", "never", "--quiet", "-o", "system"));
  expect_done(SEAM("run", "multiple_oscillator", "--cosim", "--scheme", "fd-k0-exchange", "--set", none, "--end", "0.1",
                   "--output-step", "1e-3", "--check", "never", "--quiet", "-o", "native"));
  cr_expect_lt(compare("system/signals.csv", "last.coupling1.x", "native/trajectory.csv", "last.x"), 1e-12);
}

/* ---- Signals ---- */

static const char cart[] =
    "seam: 1\nname: pushed\ngravity: [0, 0]\n"
    "bodies: {cart: {mass: 2, inertia: 1, at: [0, 0]}}\n"
    "joints: {rail: {type: prismatic, bodies: [ground, cart], at: [0, 0], axis: [1, 0]}}\n"
    "forces:\n  push: {type: force, body: cart, at: [0, 0], x: 0, y: 0}\n"
    "  spring: {type: spring_damper, bodies: [ground, cart], at: [[-1, 0], [0, 0]], axis: [1, 0], stiffness: 50}\n"
    "simulate: {end: 1, output_step: 0.01}\n"
    "cosim:\n  macro_step: 1e-2\n  subsystems:\n    left: [cart]\n"
    "    other: {inputs: [f], states: {x: 0, v: 1}, rates: {x: v, v: f - 200*x}, outputs: {y: x},\n"
    "            integrator: rk4, micro_steps: 4}\n"
    "  signals:\n    - {from: other.y, to: left.push.fx, gain: 20, offset: 4, order: 1}\n"
    "    - {from: %s, to: other.f, gain: 20, order: 1%s}\n";

static void write_cart(const char *from, const char *more) {
  char text[2048];
  snprintf(text, sizeof text, cart, from, more);
  write_text("m.yaml", text);
}

Test(systems, signals_are_connections) {
  static const char *const from[] = {"left.cart.x", "cart.x"};
  for (int i = 0; i < 2; i++) {
    write_cart(from[i], "");
    expect_done(SEAM("export", "m.yaml", "--ssp", "-o", "x.ssp"));
    expect_done(SEAM("run", "x.ssp", "--quiet", "-o", "system"));
    expect_done(SEAM("run", "m.yaml", "--cosim", "--quiet", "-o", "native"));
    cr_expect_lt(compare("system/signals.csv", "other.y", "native/signals.csv", "other.y"), 1e-10);
    cr_expect_lt(compare("system/signals.csv", "cart.x", "native/trajectory.csv", "cart.x"), 1e-10);
  }
}

/* What laws and equations of one subsystem read of another is a connection too: it was none, and 0 was read. */
Test(systems, quantities_that_equations_read_of_other_subsystems_are_connections) {
  write_text("m.yaml",
             "seam: 1\n"
             "bodies: {b: {mass: 1, inertia: 1, at: [1, 0]}}\n"
             "joints: {g: {type: prismatic, bodies: [ground, b], at: [0, 0], axis: [1, 0]}}\n"
             "forces: {f: {type: force, body: b, x: c.u, y: 0}}\n"
             "equations:\n  c: {inputs: {x: b.x}, states: {z: 0}, rates: {z: 5*(x - z)}, outputs: {u: -25*x - z}}\n"
             "simulate: {end: 1, output_step: 0.01}\n"
             "cosim: {subsystems: {P: [b], C: {equations: [c], signal_order: 2}}, macro_step: 1e-2}\n");
  expect_done(SEAM("export", "m.yaml", "--ssp", "-o", "x.ssp"));
  expect_done(SEAM("run", "x.ssp", "--quiet", "-o", "system"));
  expect_done(SEAM("run", "m.yaml", "--cosim", "--quiet", "-o", "native"));
  cr_expect_lt(compare("system/signals.csv", "P.b.x", "native/trajectory.csv", "b.x"), 1e-10);
  cr_expect_lt(compare("system/signals.csv", "C.c.u", "native/signals.csv", "c.u"), 1e-10);
}

/* ---- The archive ---- */

Test(systems, equal_arguments_give_equal_bytes) {
  expect_done(SEAM("export", "four_bar_bushing", "--ssp", "-o", "one.ssp"));
  expect_done(SEAM("export", "four_bar_bushing", "--ssp", "-o", "two.ssp"));
  cr_expect(is_same_file("one.ssp", "two.ssp"));
}

Test(systems, the_description_says_what_is_connected) {
  const fmi_limits limits = fmi_default_limits();
  expect_done(SEAM("export", "four_bar_bushing", "--ssp", "--fmi", "3", "-o", "x.ssp"));
  cr_assert_eq(fmi_archive_extract_entry("x.ssp", "SystemStructure.ssd", "x.ssd", &limits, NULL), SEAM_OK);
  char *text = read_text("x.ssd");
  cr_expect(has(text, "<ssd:Component name=\"left\" source=\"resources/left.fmu\">\n"));
  cr_expect(has(text, "<ssd:Connector name=\"M.other.x\" kind=\"input\"><ssc:Real/></ssd:Connector>\n"));
  cr_expect(has(text, "startElement=\"right\" startConnector=\"M.fx\" endElement=\"left\" endConnector=\"M.fx\""));
  cr_expect(has(text, "<ssd:DefaultExperiment startTime=\"0\" stopTime=\"10\"/>\n"));
  cr_expect(has(text, "macroStep=\"0.001\""));
  free(text);
}

/* ---- What is refused ---- */

static void expect_refused(const char *model, const char *option, const char *value, const char *message) {
  outcome result = SEAM("export", model, "--ssp", "-o", "refused.ssp", option, value);
  cr_expect_eq(result.exit_status, 2, "%s", message);
  cr_expect(has(result.err, message), "%s\nnot\n%s", result.err, message);
  cr_expect(!file_exists("refused.ssp"));
  outcome_free(&result);
}

Test(systems, joints_and_what_a_connection_cannot_say_are_refused) {
  expect_refused("double_pendulum", "--fmi", "2",
                 "rigidly, which signals cannot: its force depends directly on both motions; cut at a bushing, spring "
                 "or damper, or export the subsystems one by one (--subsystem)");
  expect_refused("four_bar_bushing", "--subsystem", "left", "seam: --ssp writes all subsystems; leave out --subsystem");
  expect_refused("geneva", "--fmi", "2", "the model has no 'cosim', and so no subsystems to write");
  write_cart("left.cart.x", ", rate: left.cart.vx");
  expect_refused("m.yaml", "--fmi", "2",
                 "the signal to 'other.f' has 'rate' or 'smooth', which an SSP connection cannot express: give the "
                 "signal an 'order' instead");
  write_cart("left.cart.x, to: other.f}\n    - {from: left.cart.vx", "");
  expect_refused("m.yaml", "--fmi", "2",
                 "two signals go to 'other.f', and an input of a system has one connection: add them in a subsystem");
  outcome result = SEAM("export", "four_bar_bushing", "--ssp", "-o", "x.fmu");
  cr_expect(has(result.err, "seam: -o x.fmu: the name of a system must end with .ssp"), "%s", result.err);
  outcome_free(&result);
}

/* ---- Connectors ---- */

static const char pulled[] = "seam: 1\n"
                             "name: pulled\n"
                             "bodies: {m: {mass: 1, inertia: 1, at: [0, 1]}}\n"
                             "forces: {pull: {type: force, body: m, x: 0, y: 0}}\n"
                             "simulate: {end: 1}\n"
                             "cosim:\n"
                             "  macro_step: 0.01\n"
                             "  subsystems:\n"
                             "    mass: [m]\n"
                             "    spring: {inputs: [s], outputs: {f: -4*s}}\n"
                             "  signals:\n"
                             "    - {from: mass.m.y, to: spring.s}\n"
                             "    - {from: spring.f, to: mass.pull.fy}\n";

/* Other masters give a value to each input that is declared. */
Test(systems, inputs_that_nothing_feeds_are_not_declared) {
  write_text("pulled.yaml", pulled);
  expect_done(SEAM("export", "pulled.yaml", "--ssp", "-o", "x.ssp"));
  const fmi_limits limits = fmi_default_limits();
  cr_assert_eq(fmi_archive_extract_entry("x.ssp", "SystemStructure.ssd", "x.ssd", &limits, NULL), SEAM_OK);
  char *text = read_text("x.ssd");
  cr_expect(has(text, "<ssd:Connector name=\"pull.fy\" kind=\"input\">"), "%s", text);
  cr_expect(!has(text, "<ssd:Connector name=\"pull.fx\" kind=\"input\">"), "%s", text);
  free(text);
  expect_done(SEAM("run", "x.ssp", "--check", "never", "-o", "out"));
}
