/* Events of a run: its end, events.csv, summary.json, what it prints; interrupted, resumed and failed runs. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/command.h"
#include "tests/support/run_results.h"

TestSuite(events, .init = enter_scratch, .fini = leave_scratch);

#define BALL(more)                                                                                                     \
  "seam: 1\n"                                                                                                          \
  "name: ball\n"                                                                                                       \
  "gravity: [0, -9.81]\n"                                                                                              \
  "bodies: {ball: {mass: 1, inertia: 1, at: [0, 2]}}\n"                                                                \
  "simulate: {end: 5, output_step: 0.1}\n" more

static const double fall = 0.63855085681410067; /* sqrt(2 * 2 / 9.81) */

static void expect_end(const char *folder, double t) {
  char path[64];
  snprintf(path, sizeof path, "%s/trajectory.csv", folder);
  csv rows = csv_read(path);
  cr_expect_float_eq(csv_at(&rows, rows.n_rows - 1, "time"), t, 1e-10);
  cr_expect_float_eq(csv_at(&rows, rows.n_rows - 1, "ball.y"), 0, 1e-13);
  cr_expect_lt(csv_at(&rows, rows.n_rows - 2, "time"), t);
  csv_free(&rows);
}

Test(events, a_stop_ends_the_run_where_it_happens) {
  write_text("ball.yaml", BALL("stop: ball.y < 0\n"));
  outcome result = expect_success(SEAM("run", "ball.yaml", "-o", "out"));
  cr_expect(has(result.err, "ball: 8 rows to t = 0.638550857 s, where 'stop' ended the run; "), "%s", result.err);
  cr_expect(has(result.err, "\n  event 'stop': at t = 0.638550857 s\n"), "%s", result.err);
  outcome_free(&result);
  expect_end("out", fall);
  char *event = json_at("out/summary.json", "/ended/event");
  cr_expect_str_eq(event, "stop");
  free(event);
  cr_expect_float_eq(json_number_at("out/summary.json", "/ended/t"), fall, 1e-10);
  cr_expect_float_eq(json_number_at("out/summary.json", "/verdict/time"), fall, 1e-10);
  cr_expect_eq(json_number_at("out/summary.json", "/events/stop/count"), 1);
}

/* Rows before the stop are those of the run without it. */
Test(events, a_stop_changes_no_row_before_it) {
  write_text("ball.yaml", BALL("stop: ball.y < 0\n"));
  write_text("free.yaml", BALL(""));
  outcome result = expect_success(SEAM("run", "ball.yaml", "-o", "stopped", "--quiet"));
  outcome_free(&result);
  result = expect_success(SEAM("run", "free.yaml", "-o", "free", "--quiet"));
  outcome_free(&result);
  char *stopped = read_text("stopped/trajectory.csv");
  char *free_run = read_text("free/trajectory.csv");
  char *last = strrchr(stopped, '\n');
  *last = '\0';
  last = strrchr(stopped, '\n');
  cr_expect_eq(strncmp(stopped, free_run, (size_t)(last - stopped)), 0);
  cr_expect_not(file_exists("free/events.csv"));
  cr_expect_null(json_at("free/summary.json", "/ended/event"));
  free(stopped);
  free(free_run);
}

Test(events, events_have_rows_with_all_columns) {
  write_text("ball.yaml", BALL("events: {low: {when: ball.y - 1}, later: \"ball.vy < -10\", never: \"ball.y > 3\"}\n"));
  outcome result = expect_success(SEAM("run", "ball.yaml", "-o", "out", "--columns", "ball", "--format", "npy"));
  cr_expect(has(result.err, "\n  event 'low': at t = 0.451523641 s\n  event 'later': at t = 1.01936799 s\n"
                            "  event 'never': never\n"),
            "%s", result.err);
  outcome_free(&result);
  char *text = read_text("out/events.csv");
  cr_expect(has(text, "event,direction,time,ball.x,ball.y,"), "%s", text);
  cr_expect(has(text, "\nlow,falling,0.45152364098573"), "%s", text);
  cr_expect(has(text, "\nlater,rising,1.0193679918450"), "%s", text);
  free(text);
  cr_expect_not(file_exists("out/events.npy"));
  cr_expect_eq(json_number_at("out/summary.json", "/events/never/count"), 0);
  char *unit = json_at("out/summary.json", "/columns/events/ball.vy/unit");
  cr_expect_str_eq(unit, "m/s");
  free(unit);
}

#define PENDULUM(more)                                                                                                 \
  "seam: 1\n"                                                                                                          \
  "name: pendulum\n"                                                                                                   \
  "gravity: [0, -9.81]\n"                                                                                              \
  "bodies: {rod: {rod: [[0, 0], [1, 0]], mass: 1}}\n"                                                                  \
  "joints: {A: {type: revolute, bodies: [ground, rod], at: [0, 0]}}\n"                                                 \
  "simulate: {end: 9, output_step: 0.1}\n" more

/* The files of the run that was resumed from its last checkpoint are those of the run that went on. */
Test(events, a_resumed_run_has_the_same_events_to_the_byte) {
  static const char *const methods[] = {"erk", "radau", "ida", "cvode"};
  static const char *const tables[] = {"trajectory", "events"};
  write_text("model.yaml", PENDULUM("events: {hangs: rod.x, pull: \"A.fy > 12\"}\nstop: \"time > 8.123\"\n"));
  for (int i = 0; i < 4; i++) {
    outcome result = expect_success(
        SEAM("run", "model.yaml", "-o", "out", "--quiet", "--integrator", methods[i], "--checkpoint", "2.3"));
    outcome_free(&result);
    char *whole[2];
    for (int k = 0; k < 2; k++)
      whole[k] = read_text(k == 0 ? "out/trajectory.csv" : "out/events.csv");
    result = expect_success(SEAM("run", "--resume", "out/checkpoint.seam", "--quiet"));
    outcome_free(&result);
    for (int k = 0; k < 2; k++) {
      char *again = read_text(k == 0 ? "out/trajectory.csv" : "out/events.csv");
      cr_expect_str_eq(again, whole[k], "%s: %s", methods[i], tables[k]);
      free(again);
      free(whole[k]);
    }
    cr_expect_eq(json_number_at("out/summary.json", "/events/hangs/count"), 8, "%s", methods[i]);
    cr_expect_float_eq(json_number_at("out/summary.json", "/ended/t"), 8.123, 1e-12, "%s", methods[i]);
  }
}

Test(events, a_condition_without_a_value_ends_the_run_with_status_1_and_keeps_its_rows) {
  write_text("ball.yaml", BALL("events: {deep: sqrt(ball.y), low: {when: ball.y - 1}}\n"));
  outcome result = SEAM("run", "ball.yaml", "-o", "out");
  cr_expect_eq(result.exit_status, 1);
  cr_expect(has(result.err, "s: the condition of event 'deep' is -nan: write a condition that is finite everywhere"),
            "%s", result.err);
  outcome_free(&result);
  char *text = read_text("out/events.csv");
  cr_expect(has(text, "\nlow,falling,0.45152364098573"), "%s", text);
  free(text);
  cr_expect_gt(json_number_at("out/summary.json", "/verdict/time"), 0.55);
}

/* Each run of a sweep ends where its own stop happens. */
Test(events, runs_of_a_sweep_are_stopped) {
  write_text("model.yaml", "seam: 1\n"
                           "name: falls\n"
                           "gravity: [0, -9.81]\n"
                           "parameters: {h: 1}\n"
                           "bodies: {ball: {mass: 1, inertia: 1, at: [0, h]}}\n"
                           "measures: {clock: t}\n"
                           "stop: ball.y < 0\n"
                           "simulate: {end: 5, output_step: 0.1}\n");
  outcome result = expect_success(
      SEAM("sweep", "model.yaml", "--vary", "parameters.h=1:4:4", "--measure", "clock.last", "-o", "out", "--quiet"));
  outcome_free(&result);
  csv rows = csv_read("out/sweep.csv");
  cr_assert_eq(rows.n_rows, 4);
  for (size_t i = 0; i < 4; i++)
    cr_expect_float_eq(csv_at(&rows, i, "clock.last"), sqrt(2 * (double)(i + 1) / 9.81), 1e-10);
  csv_free(&rows);
}

/* ---- Co-simulated ---- */

#define CROSSING "--set", "stop={when: bar4.vx, after: 1, direction: rising}", "--set", "events={zero: bar4.vx}"

/* The whole's. */
static const double crossing = 1.0418855700695;

/* The macro step that holds the event ends there: its last row, and that of its couplings, have the condition at zero.
 */
Test(events, a_macro_step_ends_at_a_stop) {
  static const struct {
    const char *scheme;
    double within;
  } runs[] = {{"ff-colloc-s3", 1e-9}, {"ff-d-k2", 1e-9}, {"ff-k1", 1e-6}, {"fd-k1-exchange", 1e-3}, {"dd-k1", 1e-4}};
  for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
    outcome result =
        expect_success(SEAM("run", "four_bar_bushing", "--cosim", "--scheme", runs[i].scheme, "--macro-step", "1e-3",
                            "--end", "2", "-o", "out", "--accept-suspect", CROSSING));
    cr_expect(has(result.err, ", where 'stop' ended the run; "), "%s", result.err);
    cr_expect(has(result.err, "\n  event 'zero': 2 times"), "%s: %s", runs[i].scheme, result.err);
    outcome_free(&result);
    csv rows = csv_read("out/trajectory.csv");
    csv couplings = csv_read("out/couplings.csv");
    const double t = csv_at(&rows, rows.n_rows - 1, "time");
    cr_expect_float_eq(t, crossing, runs[i].within, "%s: %.17g", runs[i].scheme, t);
    cr_expect_float_eq(csv_at(&rows, rows.n_rows - 1, "bar4.vx"), 0, 1e-11);
    cr_expect_eq(csv_at(&couplings, couplings.n_rows - 1, "time"), t);
    cr_expect_eq(json_number_at("out/summary.json", "/ended/t"), t);
    cr_expect_eq(json_number_at("out/summary.json", "/cosim/repeated"), 1);
    csv_free(&rows);
    csv_free(&couplings);
  }
}

/* As accurate as the scheme: times of events converge to that of the whole at its order. */
Test(events, times_of_a_co_simulated_run_converge_to_those_of_the_whole) {
  double error[2];
  for (int i = 0; i < 2; i++) {
    outcome result = expect_success(SEAM("run", "four_bar_bushing", "--cosim", "--scheme", "ff-k1", "--macro-step",
                                         i == 0 ? "2e-3" : "1e-3", "--end", "1.5", "-o", "out", "--quiet", "--set",
                                         "events={zero: {when: bar4.vx, after: 1}}"));
    outcome_free(&result);
    error[i] = fabs(json_number_at("out/summary.json", "/events/zero/first") - crossing);
    cr_expect_eq(json_number_at("out/summary.json", "/events/zero/count"), 1);
  }
  cr_expect_float_eq(log2(error[0] / error[1]), 2, 0.2, "%g, %g", error[0], error[1]);
}

/* x of d is 1 - e^-t. c counts its samples, n at the beginning of the k-th being k. */
#define OBSERVED                                                                                                       \
  "seam: 1\n"                                                                                                          \
  "bodies: {b: {mass: 1, inertia: 1}}\n"                                                                               \
  "joints: {rail: {type: prismatic, bodies: [ground, b], at: [0, 0], axis: [1, 0]}}\n"                                 \
  "forces: {drive: {type: force, body: b, x: 0}}\n"                                                                    \
  "simulate: {end: 2, output_step: 0.1, rtol: 1e-11, atol: 1e-12}\n"                                                   \
  "events:\n"                                                                                                          \
  "  low: d.F < 0.5\n"                                                                                                 \
  "  state: d.x > 0.3\n"                                                                                               \
  "  matrix: l.z > 0.3\n"                                                                                              \
  "  counted: c.n >= 3.5\n"                                                                                            \
  "  held: c.y > 0.2\n"                                                                                                \
  "  both: d.x + b.x > 0.5\n"                                                                                          \
  "cosim:\n"                                                                                                           \
  "  macro_step: 0.01\n"                                                                                               \
  "  subsystems:\n"                                                                                                    \
  "    p: [b]\n"                                                                                                       \
  "    d: {inputs: [u], states: {x: 0}, rates: {x: 1 - x}, outputs: {F: 1 - x}}\n"                                     \
  "    l: {states: {z: 0, one: 1}, linear: {A: [[-1, 1], [0, 0]], C: [[1, 0]]}, outputs: [y]}\n"                       \
  "    c: {sample: 0.1, inputs: [x], states: {n: 0}, updates: {n: n + 1}, outputs: {y: x}}\n"                          \
  "  signals:\n"                                                                                                       \
  "    - {from: b.x, to: d.u, order: 2}\n"                                                                             \
  "    - {from: b.x, to: c.x}\n"                                                                                       \
  "    - {from: d.F, to: p.drive.fx, order: 2}\n"

static double time_of(const char *folder, const char *event) {
  char path[64];
  char place[64];
  snprintf(path, sizeof path, "%s/summary.json", folder);
  snprintf(place, sizeof place, "/events/%s/first", event);
  return json_number_at(path, place);
}

Test(events, conditions_name_equations_of_subsystems_whole_and_cut) {
  static const struct {
    const char *name;
    double near; /* s: between macro points what a subsystem has is a straight line, H^2/8 of its second rate */
  } events[] = {{"low", 3e-5}, {"state", 3e-5}, {"matrix", 3e-5}, {"counted", 1e-12}, {"held", 1e-12}, {"both", 1e-4}};
  write_text("observed.yaml", OBSERVED);
  outcome result = expect_success(SEAM("run", "observed.yaml", "-o", "whole", "--quiet"));
  outcome_free(&result);
  result = expect_success(SEAM("run", "observed.yaml", "--cosim", "-o", "cut", "--quiet"));
  outcome_free(&result);
  for (size_t i = 0; i < sizeof events / sizeof *events; i++)
    cr_expect_float_eq(time_of("cut", events[i].name), time_of("whole", events[i].name), events[i].near,
                       "%s: %.15g, %.15g", events[i].name, time_of("cut", events[i].name),
                       time_of("whole", events[i].name));
  cr_expect_float_eq(time_of("whole", "state"), -log(0.7), 1e-9);
  cr_expect_float_eq(time_of("whole", "counted"), 0.3, 1e-12); /* the fourth sample */
}

/* Where steps can be repeated one ends at the event, whatever the straight line says. */
Test(events, a_macro_step_ends_at_a_stop_by_equations_of_a_subsystem) {
  write_text("observed.yaml", OBSERVED);
  outcome result =
      expect_success(SEAM("run", "observed.yaml", "--cosim", "-o", "cut", "--set", "stop=d.x > 0.3", "--quiet"));
  outcome_free(&result);
  cr_expect_float_eq(json_number_at("cut/summary.json", "/ended/t"), -log(0.7), 1e-9);
  result = expect_success(SEAM("run", "observed.yaml", "--cosim", "-o", "cut", "--set", "stop=c.n >= 3.5", "--quiet"));
  outcome_free(&result);
  cr_expect_float_eq(json_number_at("cut/summary.json", "/ended/t"), 0.3, 1e-9);
}

Test(events, a_resumed_co_simulation_has_the_same_events_to_the_byte) {
  static const char *const tables[] = {"out/trajectory.csv", "out/couplings.csv", "out/events.csv"};
  outcome result = expect_success(SEAM("run", "four_bar_bushing", "--cosim", "--scheme", "ff-colloc-s3", "--macro-step",
                                       "1e-2", "--end", "2", "-o", "out", "--checkpoint", "0.4", "--quiet", CROSSING));
  outcome_free(&result);
  char *whole[3];
  for (int k = 0; k < 3; k++)
    whole[k] = read_text(tables[k]);
  result = expect_success(SEAM("run", "--resume", "out/checkpoint.seam", "--quiet"));
  outcome_free(&result);
  for (int k = 0; k < 3; k++) {
    char *again = read_text(tables[k]);
    cr_expect_str_eq(again, whole[k], "%s", tables[k]);
    free(again);
    free(whole[k]);
  }
}

Test(events, compare_and_converge_end_where_the_whole_is_stopped) {
  outcome result = expect_success(SEAM("compare", "four_bar_bushing", "--schemes", "ff-k1", "--macro-step", "2e-3",
                                       "--end", "2", "-o", "out", "--keep", CROSSING));
  cr_expect(has(result.err, "all runs end at t = 1.04188557 s, where event 'stop' stops the monolithic run\n"), "%s",
            result.err);
  cr_expect(has(result.out, "four_bar_bushing: 1.04188557 s with a macro step of 0.002 s"), "%s", result.out);
  outcome_free(&result);
  csv rows = csv_read("out/ff-k1/trajectory.csv");
  cr_expect_float_eq(csv_at(&rows, rows.n_rows - 1, "time"), crossing, 1e-9);
  csv_free(&rows);
  result = expect_success(SEAM("converge", "four_bar_bushing", "--schemes", "ff-k1", "--macro-steps", "4e-3:2e-3:2",
                               "--end", "2", "-o", "out", CROSSING));
  cr_expect(has(result.err, "runs end at t = 1.04188557 s"), "%s", result.err);
  cr_expect(has(result.out, "0.00400725"), "%s", result.out);
  outcome_free(&result);
}

/* ---- Impacts of hard contacts ---- */

#define HARD_BALL(restitution, more)                                                                                   \
  "seam: 1\n"                                                                                                          \
  "name: ball\n"                                                                                                       \
  "gravity: [0, -10]\n"                                                                                                \
  "bodies: {ball: {mass: 2, inertia: 1, at: [0, 1.1]}}\n"                                                              \
  "forces: {floor: {type: contact, bodies: [ground, ball], at: [[0, 0], [0, 1.1]], line: [1, 0], radius: 0.1,\n"       \
  "  hard: true, restitution: " restitution "}}\n"                                                                     \
  "simulate: {end: 3, output_step: 0.1}\n" more

Test(events, impacts_have_rows_with_their_impulses_and_a_summary) {
  const double fall_time = sqrt(0.2);
  const double speed = sqrt(20);
  write_text("ball.yaml", HARD_BALL("0.5", "events: {high: {when: ball.y - 0.6}}\n"));
  outcome result = expect_success(SEAM("run", "ball.yaml", "-o", "out"));
  cr_expect(has(result.err, "\n  impacts of 'floor': 20 times, first at t = 0.447213595 s, last at t = 1.341639"), "%s",
            result.err);
  cr_expect(has(result.err, "; they took 20 J\n"), "%s", result.err);
  outcome_free(&result);
  char *text = read_text("out/events.csv");
  cr_expect(has(text, "event,direction,impulse,friction_impulse,energy_lost,time,ball.x,"), "%s", text);
  cr_expect(has(text, "\nhigh,falling,,,,0.316227766016"), "%s", text);
  const char *row = strstr(text, "\nfloor,impact,");
  cr_assert_not_null(row, "%s", text);
  double impulse = 0;
  double rub = 0;
  double loss = 0;
  double time = 0;
  double rate = 0;
  cr_assert_eq(sscanf(row, "\nfloor,impact,%lf,%lf,%lf,%lf,%*f,%*f,%*f,%*f,%lf", &impulse, &rub, &loss, &time, &rate),
               5);
  cr_expect_float_eq(impulse, 3 * speed, 1e-8);
  cr_expect_eq(rub, 0);
  cr_expect_float_eq(loss, 15, 1e-8);
  cr_expect_float_eq(time, fall_time, 1e-10);
  free(text);
  cr_expect_float_eq(rate, speed / 2, 1e-9, "the row is behind the impact");
  cr_expect_eq(json_number_at("out/summary.json", "/impacts/floor/count"), 20);
  cr_expect_float_eq(json_number_at("out/summary.json", "/impacts/floor/first"), fall_time, 1e-10);
  cr_expect_float_eq(json_number_at("out/summary.json", "/impacts/floor/impulse"), 6 * speed, 1e-3);
  cr_expect_float_eq(json_number_at("out/summary.json", "/impacts/floor/energy_lost"), 20, 1e-8);
  cr_expect_eq(json_number_at("out/summary.json", "/events/high/count"), 1);
}

Test(events, thousands_of_impacts_are_counted_and_a_thousand_listed) {
  write_text("ball.yaml", HARD_BALL("1", ""));
  outcome result = expect_success(SEAM("run", "ball.yaml", "-o", "out", "--end", "1000", "--output-step", "100",
                                       "--columns", "time,floor.impacts"));
  cr_expect(has(result.err, "; events.csv has the first 1000\n"), "%s", result.err);
  outcome_free(&result);
  char *text = read_text("out/events.csv");
  size_t n_lines = 0;
  for (const char *at = text; *at != '\0'; at++)
    n_lines += *at == '\n';
  cr_expect_eq(n_lines, 1001);
  free(text);
  const double count = json_number_at("out/summary.json", "/impacts/floor/count");
  cr_expect_float_eq(count, 1118, 1);
  csv rows = csv_read("out/trajectory.csv");
  cr_expect_eq(csv_at(&rows, rows.n_rows - 1, "floor.impacts"), count);
  csv_free(&rows);
}

Test(events, a_resumed_run_has_the_same_impacts_to_the_byte) {
  write_text("ball.yaml", HARD_BALL("0.8", "events: {high: {when: ball.y - 0.3}}\n"));
  outcome result = expect_success(SEAM("run", "ball.yaml", "-o", "out", "--quiet", "--checkpoint", "1.7"));
  outcome_free(&result);
  char *whole = read_text("out/events.csv");
  result = expect_success(SEAM("run", "--resume", "out/checkpoint.seam", "--quiet"));
  outcome_free(&result);
  char *again = read_text("out/events.csv");
  cr_expect_str_eq(again, whole);
  cr_expect_gt(json_number_at("out/summary.json", "/impacts/floor/count"), 5);
  free(again);
  free(whole);
}

/* Subsystems may repeat steps, and do not report: their impacts are counted. */
Test(events, impacts_inside_subsystems_are_counted) {
  write_text("cut.yaml",
             "seam: 1\nname: cut\ngravity: [0, -10]\n"
             "bodies: {a: {mass: 2, inertia: 0.1, at: [0, 0.3]}, b: {mass: 1, inertia: 0.1, at: [0, 1.3]}}\n"
             "forces:\n"
             "  c: {type: contact, bodies: [ground, a], at: {ground: [0, 0], a: [0, 0]}, line: [1, 0],\n"
             "    radius: 0.1, hard: true, restitution: 0.4}\n"
             "  k: {type: bushing, bodies: [a, b], at: [0, 0.8], stiffness: [9, 9, 9], damping: [1, 1, 1]}\n"
             "simulate: {end: 0.3, output_step: 0.0031}\n"
             "cosim: {subsystems: {l: [a], r: [b]}, macro_step: 2e-3, scheme: ff-colloc-s3}\n");
  outcome result = expect_success(
      SEAM("run", "cut.yaml", "--cosim", "--accept-wrong", "-o", "out", "--columns", "time,c.impulse,c.impacts"));
  cr_expect(has(result.err, "\n  impacts of 'c': "), "%s", result.err);
  outcome_free(&result);
  cr_expect_not(file_exists("out/events.csv"));
  const double count = json_number_at("out/summary.json", "/impacts/c/count");
  cr_expect_geq(count, 1);
  csv rows = csv_read("out/trajectory.csv");
  for (size_t i = 1; i < rows.n_rows; i++)
    cr_expect_geq(csv_at(&rows, i, "c.impulse"), csv_at(&rows, i - 1, "c.impulse"), "row %zu", i);
  cr_expect_eq(csv_at(&rows, rows.n_rows - 1, "c.impacts"), count);
  csv_free(&rows);
  outcome whole = expect_success(SEAM("run", "cut.yaml", "-o", "whole", "--quiet"));
  outcome_free(&whole);
  cr_expect_eq(json_number_at("whole/summary.json", "/impacts/c/count"), count);
  cr_expect_float_eq(json_number_at("whole/summary.json", "/impacts/c/impulse"),
                     json_number_at("out/summary.json", "/impacts/c/impulse"), 1e-3);
}

/* x = L cos 3t/T: seven passages of L/2 and three rises of the speed above 1.5 L/T in 7 T. */
Test(events, conditions_are_met_in_any_units) {
  static const char *const units[][2] = {{"1", "1"}, {"1e-12", "1"}, {"1e-12", "1e6"}, {"1e6", "1e-9"}};
  for (size_t u = 0; u < sizeof units / sizeof *units; u++) {
    char text[600];
    snprintf(text, sizeof text,
             "seam: 2\nparameters: {L: %s, T: %s}\nbodies: {b: {mass: 1, inertia: 0, at: [L, 0]}}\n"
             "forces: {s: {type: spring_damper, bodies: [ground, b], at: [[0, 0], [L, 0]], axis: [1, 0], length: 0, "
             "stiffness: 9/T^2}}\nevents: {half: {when: \"b.x - 0.5*L\"}, fast: {when: \"b.vx > 1.5*L/T\"}}\n"
             "simulate: {end: 7*T, output_step: T/10}\n",
             units[u][0], units[u][1]);
    write_text("units.yaml", text);
    outcome run = SEAM("run", "units.yaml", "-o", "out", "--quiet");
    cr_expect_eq(run.exit_status, 0, "%s", run.err);
    outcome_free(&run);
    cr_expect_eq(json_number_at("out/summary.json", "/events/half/count"), 7, "%s", text);
    cr_expect_eq(json_number_at("out/summary.json", "/events/fast/count"), 3, "%s", text);
    const double first = json_number_at("out/summary.json", "/events/half/first") / strtod(units[u][1], NULL);
    cr_expect_float_eq(first, acos(0.5) / 3, 1e-8, "off by %g\n%s", first - acos(0.5) / 3, text);
  }
}
