/* `--from RESULTS@TIME`: runs go on where others were, and what cannot be started from is refused. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/command.h"
#include "tests/support/run_results.h"

TestSuite(start_from, .init = enter_scratch, .fini = leave_scratch);

static void expect_done(outcome result) {
  cr_assert_eq(result.exit_status, 0, "%s", result.err);
  outcome_free(&result);
}

static void expect_refused(outcome result, const char *text) {
  cr_expect_eq(result.exit_status, 2);
  cr_expect(has(result.err, text), "%s", result.err);
  outcome_free(&result);
}

/* Largest distance of a column from row `first` of the whole run on. */
static double distance(const csv *whole, size_t first, const csv *rest, const char *column) {
  double largest = 0;
  for (size_t i = 0; i < rest->n_rows; i++)
    largest = fmax(largest, fabs(csv_at(whole, first + i, column) - csv_at(rest, i, column)));
  return largest;
}

/* Of bodies, a law of time and pressures. */
static void expect_to_go_on(const char *model, const char *format, const char *table) {
  expect_done(SEAM("run", model, "--end", "1", "--output-step", "0.1", "-o", "whole"));
  expect_done(SEAM("run", model, "--end", "0.6", "--output-step", "0.1", "--format", format, "-o", "half"));
  expect_done(SEAM("run", model, "--from", table, "--end", "1", "--output-step", "0.1", "-o", "rest"));
}

Test(start_from, a_run_from_the_end_of_another_goes_on_as_one_that_did_not_stop) {
  expect_to_go_on("hydraulic_crane", "csv", "half@0.6");
  csv whole = csv_read("whole/trajectory.csv");
  csv rest = csv_read("rest/trajectory.csv");
  cr_assert_eq(rest.n_rows, 5);
  for (size_t i = 0; i < 5; i++)
    cr_expect_float_eq(csv_at(&rest, i, "time"), 0.6 + 0.1 * (double)i, 1e-15);
  cr_expect_eq(csv_at(&rest, 4, "time"), 1);
  const double moved = fabs(csv_at(&whole, 10, "load.y") - csv_at(&whole, 6, "load.y"));
  cr_expect_gt(moved, 1e-3);
  cr_expect_lt(distance(&whole, 6, &rest, "load.x"), 1e-8);
  cr_expect_lt(distance(&whole, 6, &rest, "load.y"), 1e-8);
  cr_expect_lt(distance(&whole, 6, &rest, "load.vy"), 1e-7);
  cr_expect_lt(distance(&whole, 6, &rest, "lift.p1"), 1e-7 * 1e7);
  csv_free(&whole);
  csv_free(&rest);
}

/* Rows are counted from the start: seconds since 1970. */
Test(start_from, a_short_run_from_a_late_start_is_not_long) {
  write_text("epoch.csv", "time,b.x,b.y,b.phi,b.vx,b.vy,b.omega\n1700000000,0,0,0,1,0,0\n");
  write_text("late.yaml", "seam: 2\nbodies: {b: {mass: 1, inertia: 1}}\n"
                          "simulate: {end: 1700000005, output_step: 0.1}\nstart: {from: epoch.csv}\n");
  outcome result = SEAM("run", "late.yaml", "-o", "out");
  cr_assert_eq(result.exit_status, 0, "%s", result.err);
  cr_expect(!has(result.err, "the run will write"), "%s", result.err);
  outcome_free(&result);
  csv table = csv_read("out/trajectory.csv");
  cr_expect_eq(table.n_rows, 51);
  cr_expect_float_eq(csv_at(&table, table.n_rows - 1, "b.x"), 5, 1e-9);
  csv_free(&table);
}

/* The states of actuators are columns by the names of their quantities. */
Test(start_from, runs_and_equilibria_of_actuators_go_on) {
  write_text("push.yaml",
             "seam: 2\nbodies: {b: {mass: 2, inertia: 0.1, at: [1, 0]}, c: {mass: 1, inertia: 0.2, at: [0, 2]}}\n"
             "forces:\n"
             "  a: {type: actuator, bodies: [ground, b], at: [[0, 0], [1, 0]], command: 10*sin(3*t), lag: 0.2}\n"
             "  r: {type: rotary_actuator, bodies: [ground, c], command: 2*cos(2*t), lag: 0.3, start: 0}\n"
             "  s: {type: bushing, bodies: [ground, b], at: [1, 0], stiffness: [50, 50, 5]}\n"
             "  u: {type: bushing, bodies: [ground, c], at: [0, 2], stiffness: [50, 50, 5]}\nsimulate: {end: 1}\n");
  expect_to_go_on("push.yaml", "csv", "half@0.6");
  csv whole = csv_read("whole/trajectory.csv");
  csv rest = csv_read("rest/trajectory.csv");
  cr_assert_eq(rest.n_rows, 5);
  static const char *const columns[] = {"b.x", "b.vx", "a.force", "c.phi", "c.omega", "r.torque"};
  for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
    cr_expect_lt(distance(&whole, 6, &rest, columns[i]), 1e-6, "%s", columns[i]);
  csv_free(&whole);
  csv_free(&rest);
  outcome found = SEAM("static", "push.yaml", "--from", "half@0.5", "-o", "rests");
  cr_expect(found.exit_status == 0 && has(found.out, "\na.force: ") && has(found.out, "\nr.torque: "), "%s%s",
            found.out, found.err);
  outcome_free(&found);
  expect_done(SEAM("run", "push.yaml", "--from", "rests", "--end", "0.6", "-o", "on"));
}

Test(start_from, the_last_row_and_npy_do_as_well) {
  expect_to_go_on("double_pendulum", "npy", "half");
  csv whole = csv_read("whole/trajectory.csv");
  csv rest = csv_read("rest/trajectory.csv");
  cr_expect_lt(distance(&whole, 6, &rest, "link2.phi"), 1e-7);
  cr_expect_float_eq(csv_at(&rest, 0, "link2.phi"), csv_at(&whole, 6, "link2.phi"), 1e-9);
  csv_free(&whole);
  csv_free(&rest);
}

/* Cubics of rows 0.1 s apart, h^4/384 of the fourth derivative. */
Test(start_from, states_between_rows_are_said_and_consistent) {
  expect_done(SEAM("run", "double_pendulum", "--end", "1", "--output-step", "0.1", "-o", "coarse"));
  expect_done(SEAM("run", "double_pendulum", "--end", "1", "--output-step", "0.05", "-o", "fine"));
  outcome result = SEAM("run", "double_pendulum", "--from", "coarse@0.45", "--end", "0.5", "-o", "rest");
  cr_expect(has(result.err,
                "note: the state at t = 0.45 s is interpolated between the rows at 0.4 s and 0.5 s, which is "
                "not checked; take the time of a row"),
            "%s", result.err);
  cr_expect(has(result.err, "note: assembly changed the state that the results have, most of all link"), "%s",
            result.err);
  outcome_free(&result);
  csv fine = csv_read("fine/trajectory.csv");
  csv rest = csv_read("rest/trajectory.csv");
  cr_expect_float_eq(csv_at(&rest, 0, "link2.phi"), csv_at(&fine, 9, "link2.phi"), 1e-4);
  cr_expect_neq(csv_at(&rest, 0, "link2.phi"), csv_at(&fine, 9, "link2.phi"));
  cr_expect_float_eq(csv_at(&rest, 0, "link2.omega"), csv_at(&fine, 9, "link2.omega"), 1e-2);
  cr_expect_float_eq(csv_at(&rest, 0, "link1.omega"), csv_at(&fine, 9, "link1.omega"), 1e-2);
  csv_free(&fine);
  csv_free(&rest);
}

/* Samples at 0, 0.3, 0.6 s; rows at 0.5 and 0.75 s. */
Test(start_from, sampled_states_are_held_between_rows) {
  write_text("count.yaml", "seam: 1\nbodies: {b: {mass: 1, inertia: 1}}\n"
                           "equations: {c: {sample: 0.3, states: {n: 0}, updates: {n: n + 1}}}\nsimulate: {end: 1}\n");
  expect_done(SEAM("run", "count.yaml", "--output-step", "0.25", "-o", "out"));
  static const struct {
    const char *from;
    double n;
  } starts[] = {{"out@0.55", 2}, {"out@0.65", 3}, {"out@0.75", 3}};
  for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
    outcome result = SEAM("run", "count.yaml", "--from", starts[i].from, "--end", "0.8", "-o", "rest");
    cr_assert_eq(result.exit_status, 0, "%s", result.err);
    outcome_free(&result);
    csv rest = csv_read("rest/trajectory.csv");
    cr_expect_eq(csv_at(&rest, 0, "c.n"), starts[i].n, "%s: %g", starts[i].from, csv_at(&rest, 0, "c.n"));
    csv_free(&rest);
  }
}

Test(start_from, an_equilibrium_is_a_start) {
  expect_done(SEAM("static", "double_pendulum", "-o", "rests"));
  expect_done(SEAM("run", "double_pendulum", "--from", "rests", "--end", "1", "-o", "out"));
  csv table = csv_read("out/trajectory.csv");
  cr_expect_lt(fabs(csv_at(&table, table.n_rows - 1, "link2.omega")), 1e-7);
  cr_expect_float_eq(csv_at(&table, table.n_rows - 1, "link2.x"), 0, 1e-8);
  csv_free(&table);
}

static void write_model(const char *path, const char *more) {
  outcome model = SEAM("models", "double_pendulum");
  char *text = malloc(strlen(model.out) + strlen(more) + 1);
  cr_assert_not_null(text);
  sprintf(text, "%s%s", model.out, more);
  write_text(path, text);
  free(text);
  outcome_free(&model);
}

/* A path from the folder of the model. */
Test(start_from, the_file_may_say_so) {
  expect_done(SEAM("run", "double_pendulum", "--end", "1", "-o", "sub/whole"));
  write_model("sub/on.yaml", "start: {from: whole@0.5}\n");
  expect_done(SEAM("run", "sub/on.yaml", "--end", "1", "-o", "rest"));
  expect_done(SEAM("run", "sub/on.yaml", "--cosim", "--end", "0.5", "-o", "cut"));
  csv whole = csv_read("sub/whole/trajectory.csv");
  csv rest = csv_read("rest/trajectory.csv");
  csv cut = csv_read("cut/trajectory.csv");
  cr_expect_eq(csv_at(&rest, 0, "time"), 0.5);
  cr_expect_eq(csv_at(&cut, 0, "time"), 0);
  cr_expect_lt(distance(&whole, 50, &rest, "link2.phi"), 1e-7);
  cr_expect_lt(distance(&whole, 50, &cut, "link2.phi"), 1e-7);
  csv_free(&rest);
  outcome result = SEAM("run", "sub/on.yaml", "--from", "sub/whole@0.25", "--end", "1", "-o", "rest");
  cr_expect(has(result.err, "note: --from takes the place of 'start' in the file\n"), "%s", result.err);
  outcome_free(&result);
  rest = csv_read("rest/trajectory.csv");
  cr_expect_eq(csv_at(&rest, 0, "time"), 0.25);
  result = SEAM("sweep", "sub/on.yaml", "--vary", "bodies.link1.mass=1:2:2", "--end", "1", "--measure",
                "link2.phi.last", "-o", "swept");
  cr_expect_eq(result.exit_status, 0, "%s", result.err);
  outcome_free(&result);
  expect_refused(SEAM("export", "sub/on.yaml", "-o", "on.fmu"),
                 "sub/on.yaml: error: an FMU has no earlier results to start from: give coordinates and rates under "
                 "'start'");
  expect_refused(SEAM("run", "sub/on.yaml", "--end", "1", "-o", "sub/whole"),
                 "seam: the run starts from the results in sub/whole and would replace them");
  csv_free(&whole);
  csv_free(&rest);
  csv_free(&cut);
}

Test(start_from, cut_runs_count_time_from_zero) {
  expect_done(SEAM("run", "double_pendulum", "--end", "1", "-o", "whole"));
  outcome result = SEAM("run", "double_pendulum", "--cosim", "--from", "whole@0.5", "--end", "0.5", "-o", "cut");
  cr_expect(has(result.err, "with the state that the results have at t = 0.5 s"), "%s", result.err);
  outcome_free(&result);
  csv whole = csv_read("whole/trajectory.csv");
  csv cut = csv_read("cut/trajectory.csv");
  cr_expect_eq(csv_at(&cut, 0, "time"), 0);
  cr_expect_lt(distance(&whole, 50, &cut, "link2.phi"), 1e-7);
  csv_free(&whole);
  csv_free(&cut);
}

/* A spring draws the cart back: the controller holds it by its integral, which is 0 in the file. */
#define SERVO(equations)                                                                                               \
  "seam: 2\nbodies: {a: {mass: 1, inertia: 0.1, at: [0, 0]}, b: {mass: 1, inertia: 0.1, at: [1, 0]}}\n"                \
  "joints:\n  ga: {type: prismatic, bodies: [ground, a], at: [0, 0], axis: [1, 0]}\n"                                  \
  "  gb: {type: prismatic, bodies: [ground, b], at: [1, 0], axis: [1, 0]}\n"                                           \
  "forces:\n  s: {type: spring_damper, bodies: [a, b], at: [[0, 0], [1, 0]], stiffness: 100, damping: 2}\n"            \
  "  back: {type: spring_damper, bodies: [ground, a], at: [[0, 0], [0, 0]], axis: [1, 0], stiffness: 30}\n"            \
  "  push: {type: force, body: a, x: 0}\nsimulate: {end: 2, output_step: 0.01}\ncosim:\n"                              \
  "  subsystems:\n    left: [a]\n    right: [b]\n    c: " equations                                                    \
  "\n  signals: [{from: left.a.x, to: c.x, order: 1}, {from: left.a.vx, to: c.v, order: 1}, {from: c.f, to: "          \
  "left.push.fx, order: 1}]\n  macro_step: 1e-3\n  scheme: ff-k1\n"

static const char servo[] =
    SERVO("{inputs: [x, v], states: {i: 0}, rates: {i: 1 - x}, outputs: {f: 20*(1 - x) - 8*v + 10*i}}");

Test(start_from, equations_of_subsystems_go_on) {
  write_text("servo.yaml", servo);
  expect_done(SEAM("run", "servo.yaml", "-o", "whole"));
  expect_done(SEAM("run", "servo.yaml", "--cosim", "--from", "whole@1", "--end", "1", "-o", "cut"));
  csv whole = csv_read("whole/trajectory.csv");
  csv cut = csv_read("cut/trajectory.csv");
  csv signals = csv_read("cut/signals.csv");
  cr_expect_float_eq(csv_at(&signals, 0, "c.f"), csv_at(&whole, 100, "c.f"), 1e-9);
  cr_expect_lt(distance(&whole, 100, &cut, "a.x"), 1e-4);
  csv_free(&whole);
  csv_free(&cut);
  csv_free(&signals);
  expect_refused(SEAM("run", "servo.yaml", "--cosim", "--from", "cut@0.5", "--end", "1", "-o", "other"),
                 "there is no column 'c.i', a state of the model");
}

Test(start_from, equations_of_subsystems_begin_in_the_equilibrium) {
  write_text("servo.yaml", servo);
  outcome result = SEAM("run", "servo.yaml", "--cosim", "--set", "start=static", "-o", "cut");
  csv cut = csv_read("cut/trajectory.csv");
  for (size_t i = 0; i < cut.n_rows; i++)
    cr_expect_float_eq(csv_at(&cut, i, "a.x"), 1, 1e-8);
  csv_free(&cut);
  outcome_free(&result);
}

Test(start_from, sampled_equations_of_subsystems_cannot_begin_between_samples) {
  write_text("servo.yaml", SERVO("{sample: 0.01, inputs: [x, v], states: {i: 0}, updates: {i: i + 0.01*(1 - x)}, "
                                 "outputs: {f: 20*(1 - x) - 8*v + 10*i}}"));
  expect_done(SEAM("run", "servo.yaml", "-o", "whole"));
  expect_refused(SEAM("run", "servo.yaml", "--cosim", "--from", "whole@1", "--end", "1", "-o", "cut"),
                 "seam: 'c.i' is sampled, and a co-simulation cannot begin between its samples");
}

Test(start_from, such_a_run_can_be_resumed_to_the_byte) {
  expect_done(SEAM("run", "double_pendulum", "--end", "0.5", "-o", "first"));
  expect_done(SEAM("run", "double_pendulum", "--from", "first@0.33", "--end", "1", "--checkpoint", "0.3", "-o", "out"));
  char *whole = read_text("out/trajectory.csv");
  expect_done(SEAM("run", "--resume", "out/checkpoint.seam"));
  char *again = read_text("out/trajectory.csv");
  cr_expect_str_eq(whole, again);
  free(whole);
  free(again);
}

/* The check begins where the run did, with the equations' states too, and measures have errors. */
Test(start_from, such_a_run_is_judged_alike_when_resumed) {
  static const char *const models[] = {"four_bar_bushing", "motor_slider_crank"};
  static const char *const over_run[] = {"measures={m: {expression: 2*bar1.x, over_run: [rms]}}",
                                         "measures={m: {expression: 2*crank.x, over_run: [rms]}}"};
  static const char *const figures[] = {"/verdict/error/of_travel", "/measures/m/rms/value", "/measures/m/rms/error"};
  for (int i = 0; i < 4; i++) {
    const char *model = models[i % 2], *of_cosim = i < 2 ? "--cosim" : "--quiet";
    double whole[3];
    expect_done(SEAM("run", model, "--end", "0.3", "-o", "first"));
    expect_done(SEAM("run", model, of_cosim, "--from", "first", "--end", "0.55", "--set", over_run[i % 2],
                     "--checkpoint", "0.1", "-o", "out"));
    for (int k = 0; k < 3; k++)
      whole[k] = json_number_at("out/summary.json", figures[k]);
    expect_done(SEAM("run", "--resume", "out/checkpoint.seam"));
    for (int k = 0; k < 3; k++)
      cr_expect_eq(json_number_at("out/summary.json", figures[k]), whole[k], "%s %s %s", model, of_cosim, figures[k]);
    cr_expect_gt(whole[2], 0);
  }
}

Test(start_from, what_the_model_has_changed_is_said) {
  expect_done(SEAM("run", "slider_crank", "--end", "0.1", "-o", "out"));
  outcome same = SEAM("check", "slider_crank", "--from", "out", "--set", "simulate.end=2");
  cr_expect_not(has(same.err, "another model"), "%s", same.err);
  outcome_free(&same);
  outcome other =
      SEAM("check", "slider_crank", "--from", "out", "--set", "bodies.rod.mass=3", "--set", "gravity=[0, -1]");
  cr_expect(has(other.err, "note: the results are of another model: gravity ([0, -1], was [0, -9.81]), bodies.rod.mass "
                           "(3, was 1.5)\n"),
            "%s", other.err);
  outcome_free(&other);
  other = SEAM("check", "slider_crank", "--from", "out", "--set", "bodies.rod.mass=3", "--set", "bodies.crank.mass=3",
               "--set", "bodies.slider.mass=3", "--set", "bodies.slider.inertia=3");
  cr_expect(has(other.err, ", and 1 more\n"), "%s", other.err);
  outcome_free(&other);
}

Test(start_from, what_does_not_fit_is_refused) {
  expect_done(SEAM("run", "double_pendulum", "--end", "0.5", "-o", "results"));
  expect_refused(SEAM("run", "four_bar_bushing", "--from", "results"),
                 "results: error: these are results of another mechanism, with 'link1', 'link2'; start from results of "
                 "the same bodies");
  expect_refused(SEAM("run", "double_pendulum", "--from", "results@2", "-o", "out"),
                 "results: error: its rows are from 0 s to 0.5 s, without t = 2 s; give a time between them");
  expect_refused(SEAM("run", "double_pendulum", "--from", "results@later", "-o", "out"),
                 "seam: 'later' is not a time; write RESULTS@TIME, in s");
  expect_refused(SEAM("run", "double_pendulum", "--from", "results", "--end", "0.5", "-o", "out"),
                 "the run would begin at t = 0.5 s and end at 0.5 s; give a later end");
  expect_refused(SEAM("run", "double_pendulum", "--from", "results@0.2", "-o", "results"),
                 "seam: the run starts from the results in results and would replace them; give another folder by -o");
  expect_done(SEAM("run", "double_pendulum", "--end", "0.5", "--columns", "link1", "-o", "few"));
  expect_refused(SEAM("run", "double_pendulum", "--from", "few", "-o", "out"),
                 "few: error: there is no column 'link2.x', for body 'link2' of the model");
}

/* The usual folder is that of the model's name and overrides. */
Test(start_from, results_of_another_file_or_start_are_not_replaced_silently) {
  write_model("first.yaml", "");
  write_model("second.yaml", "");
  expect_done(SEAM("run", "first.yaml", "--end", "1"));
  outcome result = SEAM("run", "second.yaml", "--end", "1");
  cr_expect(has(result.err, "had results of another file of this name ('seam run first.yaml --end 1')"), "%s",
            result.err);
  outcome_free(&result);
  result = SEAM("run", "second.yaml", "--end", "1");
  cr_expect(!has(result.err, "had results"), "%s", result.err);
  outcome_free(&result);
  expect_done(SEAM("run", "second.yaml", "--end", "0.2", "-o", "whole"));
  result = SEAM("run", "second.yaml", "--end", "1", "--from", "whole@0.2");
  cr_expect(has(result.err, "had results of another start ('seam run second.yaml --end 1')"), "%s", result.err);
  outcome_free(&result);
}

/* Names have no longest length. */
Test(start_from, a_body_with_a_long_name) {
  enum { LENGTH = 600 };
  char name[LENGTH + 1] = {0};
  char text[LENGTH + 200];
  memset(name, 'b', LENGTH);
  snprintf(text, sizeof text,
           "seam: 2\nname: m\nsimulate: {end: 1, output_step: 0.5}\n"
           "bodies:\n  %s: {mass: 1, inertia: 1, velocity: [2, 0]}\n",
           name);
  write_text("long.yaml", text);
  expect_done(SEAM("run", "long.yaml", "-o", "first"));
  expect_done(SEAM("animate", "first", "-o", "first.svg"));
  expect_done(SEAM("run", "long.yaml", "--from", "first@0.5", "-o", "rest"));
  csv rest = csv_read("rest/trajectory.csv");
  cr_assert_eq(rest.n_rows, 2);
  cr_expect_float_eq(rest.values[rest.n_columns + 1], 2, 1e-9);
  csv_free(&rest);
}
