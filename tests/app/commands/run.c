/* `seam run`: what a run leaves behind. */
#include <criterion/criterion.h>
#include <math.h>
#include <seam/models.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/number.h"
#include "tests/support/command.h"
#include "tests/support/run_results.h"

TestSuite(run, .init = enter_scratch, .fini = leave_scratch);

static void expect_done(outcome result) {
  cr_assert_eq(result.exit_status, 0, "%s", result.err);
  cr_expect(*result.out == '\0' || strncmp(result.out, "verdict: ", 9) == 0, "%s", result.out);
  outcome_free(&result);
}

static void expect_text(const char *path, const char *place, const char *text) {
  char *found = json_at(path, place);
  cr_assert_not_null(found, "no %s", place);
  cr_expect_str_eq(found, text);
  free(found);
}

Test(run, results_go_to_the_models_name) {
  write_text("short.yaml", "seam: 1\nbodies: {a: {mass: 1, inertia: 1}}\nsimulate: {end: 0.1}\n");
  outcome run = expect_success(SEAM("run", "short.yaml"));
  cr_expect_str_eq(run.wrote, "wrote results/short/run/trajectory.csv, summary.json\n");
  cr_expect(file_exists("results/short/run/trajectory.csv") && file_exists("results/short/run/summary.json"));
  outcome_free(&run);
}

Test(run, many_rows_are_said_before_they_are_written) {
  write_text("long.yaml", "seam: 1\nbodies: {a: {mass: 1, inertia: 1}}\nforces: {f: {type: force, body: a, x: 1}}\n"
                          "simulate: {end: 0.1, output_step: 9e-9}\n");
  int ends[2];
  char said[128] = "";
  cr_assert_eq(pipe(ends), 0);
  const pid_t child =
      start_command((const char *const[]){"seam", "run", "long.yaml", "--check", "never", NULL}, ends[1]);
  cr_assert_gt(read(ends[0], said, sizeof said - 1), 0);
  kill(child, SIGKILL);
  cr_expect_eq(wait_command(child), -1);
  cr_expect(has(said, "note: the run will write 1.11e+07 rows, about "), "%s", said);
}

/* Overrides, of options of their own too, in their order; a checksum stands for what a name cannot hold. */
Test(run, other_parameters_have_folders_of_their_own) {
  write_text("short.yaml", "seam: 1\nbodies: {a: {mass: 1, inertia: 1}}\nsimulate: {end: 0.1}\n");
  outcome run = expect_success(SEAM("run", "short.yaml", "--set", "bodies.a.mass=2", "--end", "0.2"));
  cr_expect_str_eq(run.wrote, "wrote results/short/run-a.mass=2-end=0.2/trajectory.csv, summary.json\n");
  outcome_free(&run);
  outcome first = expect_success(SEAM("run", "short.yaml", "--set", "bodies.a.at=[1,+2]"));
  outcome second = expect_success(SEAM("run", "short.yaml", "--set", "bodies.a.at=[1,-2]"));
  cr_expect(strcmp(first.wrote, second.wrote) != 0, "%s", first.wrote);
  outcome_free(&first);
  outcome_free(&second);
}

Test(run, every_model_of_the_catalogue_runs) {
  for (size_t i = 0; i < seam_catalogue_size(); i++) {
    const char *name = seam_catalogue_name(i);
    outcome result = SEAM("run", name, "--end", "0.05", "-o", "all");
    const bool is_whole = has(seam_catalogue_text(name), "bodies:") || result.exit_status == 0;
    cr_expect_eq(result.exit_status, is_whole ? 0 : 2, "%s: %s", name, result.err);
    cr_expect(is_whole || has(result.err, "restart at every macro step: use 'seam run --cosim'"), "%s: %s", name,
              result.err);
    outcome_free(&result);
  }
}

/* x'' = -4 x, of `equations`, and of two subsystems with signals. */
Test(run, equations_need_no_bodies) {
  static const char *const of[] = {"equations:\n  a: {states: {x: 1, v: 0}, rates: {x: v, v: -4*x}}\n",
                                   "cosim:\n  macro_step: 0.01\n  subsystems:\n"
                                   "    a: {inputs: [f], states: {x: 1, v: 0}, rates: {x: v, v: f}, outputs: {y: x}}\n"
                                   "    b: {inputs: [y], outputs: {f: -4*y}}\n"
                                   "  signals: [{from: a.y, to: b.y}, {from: b.f, to: a.f}]\n"};
  for (int i = 0; i < 2; i++) {
    char text[512];
    snprintf(text, sizeof text, "seam: 2\nname: free\nsimulate: {end: 1, output_step: 0.1}\n%s", of[i]);
    write_text("free.yaml", text);
    expect_done(SEAM("run", "free.yaml", "-o", "out"));
    csv table = csv_read("out/trajectory.csv");
    cr_expect_eq(strncmp(table.header, "time,a.x,a.v", 12), 0, "%s", table.header);
    cr_expect_float_eq(csv_at(&table, table.n_rows - 1, "a.x"), cos(2), 1e-7);
    csv_free(&table);
  }
  expect_done(SEAM("report", "out", "-o", "page.html"));
  expect_refused_untouched(SEAM("animate", "out", "-o", "a.svg"), "this command needs bodies");
}

Test(run, columns_are_time_bodies_reactions_energies) {
  expect_done(SEAM("run", "slider_crank", "--end", "0.1", "-o", "out"));
  csv table = csv_read("out/trajectory.csv");
  cr_expect_eq(strncmp(table.header, "time,", 5), 0);
  const char *energies = ",energy.kinetic,energy.potential,energy.total,energy.dissipated,energy.driven";
  const size_t length = strlen(energies);
  cr_expect_str_eq(table.header + strlen(table.header) - length, energies);
  csv_free(&table);
}

Test(run, columns_follow_the_file) {
  write_text("m.yaml", "seam: 1\ngravity: [0, -10]\nbodies:\n  b: {mass: 2, inertia: 1, at: [1, 0]}\njoints:\n"
                       "  A: {type: revolute, bodies: [ground, b], at: [0, 0]}\nsimulate: {end: 1}\n");
  expect_done(SEAM("run", "m.yaml", "-o", "out"));
  csv table = csv_read("out/trajectory.csv");
  cr_expect_str_eq(table.header, "time,b.x,b.y,b.phi,b.vx,b.vy,b.omega,A.fx,A.fy,A.torque,energy.kinetic,"
                                 "energy.potential,energy.total,energy.dissipated,energy.driven");
  csv_free(&table);
}

/* p₂ - p₁ = 8829 N / 65 cm² where the crane rests at the start. */
Test(run, states_of_force_elements_follow_the_reactions) {
  expect_done(SEAM("run", "hydraulic_crane", "--end", "0.1", "-o", "out"));
  csv table = csv_read("out/trajectory.csv");
  cr_expect_not_null(strstr(table.header, ",link2.torque,lift.p1,lift.p2,lift.force,energy.kinetic,"));
  const double thrust = csv_at(&table, 0, "lift.force");
  cr_expect_float_eq(thrust, 8829, 1e-9);
  cr_expect_float_eq(65e-4 * (csv_at(&table, 0, "lift.p2") - csv_at(&table, 0, "lift.p1")), thrust, 1e-9);
  csv_free(&table);
}

/* A rod-like body held at its end and let go: phi'' = -m g l / (J + m l²), and the joint pulls the ground (its first
 * body) down with m (g - l |phi''|). */
Test(run, a_reaction_acts_on_the_first_body) {
  write_text("m.yaml", "seam: 1\ngravity: [0, -10]\nbodies:\n  b: {mass: 2, inertia: 1, at: [1, 0]}\njoints:\n"
                       "  A: {type: revolute, bodies: [ground, b], at: [0, 0]}\nsimulate: {end: 1}\n");
  expect_done(SEAM("run", "m.yaml", "-o", "out"));
  csv table = csv_read("out/trajectory.csv");
  const double alpha = 2.0 * 10 * 1 / (1 + 2.0);
  cr_expect_float_eq(csv_at(&table, 0, "A.fy"), -2 * (10 - alpha), 1e-9);
  cr_expect_float_eq(csv_at(&table, 0, "A.torque"), 0, 1e-9);
  csv_free(&table);
}

Test(run, rows_stand_at_multiples_of_the_output_step) {
  expect_done(SEAM("run", "double_pendulum", "--end", "0.3", "--output-step", "0.1", "-o", "out"));
  csv table = csv_read("out/trajectory.csv");
  const double times[] = {0, 0.1, 2 * 0.1, 0.3};
  cr_assert_eq(table.n_rows, 4, "0.3/0.1 rounds to less than 3: no row twice");
  for (size_t i = 0; i < 4; i++)
    cr_expect_eq(csv_at(&table, i, "time"), times[i]);
  csv_free(&table);
}

Test(run, the_last_row_stands_at_the_end) {
  expect_done(SEAM("run", "double_pendulum", "--end", "0.25", "--output-step", "0.1", "-o", "out"));
  csv table = csv_read("out/trajectory.csv");
  cr_assert_eq(table.n_rows, 4);
  cr_expect_eq(csv_at(&table, 2, "time"), 0.2);
  cr_expect_eq(csv_at(&table, 3, "time"), 0.25);
  csv_free(&table);
}

Test(run, rows_do_not_depend_on_the_output_step) {
  expect_done(SEAM("run", "double_pendulum", "--end", "0.5", "--output-step", "0.5", "-o", "few"));
  expect_done(SEAM("run", "double_pendulum", "--end", "0.5", "--output-step", "0.125", "-o", "many"));
  csv few = csv_read("few/trajectory.csv");
  csv many = csv_read("many/trajectory.csv");
  cr_assert_eq(few.n_columns, many.n_columns);
  const size_t n = few.n_columns;
  cr_expect_arr_eq(few.values + (few.n_rows - 1) * n, many.values + (many.n_rows - 1) * n, n * sizeof(double));
  csv_free(&few);
  csv_free(&many);
}

Test(run, again_gives_the_same_bytes) {
  expect_done(SEAM("run", "four_bar_bushing", "--end", "0.5", "-o", "first"));
  expect_done(SEAM("run", "four_bar_bushing", "--end", "0.5", "-o", "second"));
  char *first = read_text("first/trajectory.csv");
  char *second = read_text("second/trajectory.csv");
  cr_expect_str_eq(first, second);
  free(first);
  free(second);
}

Test(run, angles_are_not_wrapped) {
  write_text("m.yaml", "seam: 1\nbodies:\n  b: {mass: 1, inertia: 1, at: [0, 0], rate: 10}\nsimulate: {end: 2}\n");
  expect_done(SEAM("run", "m.yaml", "-o", "out"));
  csv table = csv_read("out/trajectory.csv");
  cr_expect_float_eq(csv_at(&table, table.n_rows - 1, "b.phi"), 20, 1e-9);
  csv_free(&table);
}

/* Each is the text that Seam writes for the number it reads as. */
Test(run, numbers_have_no_more_digits_than_they_need) {
  expect_done(SEAM("run", "double_pendulum", "--end", "0.3", "--output-step", "0.1", "-o", "out"));
  char *text = read_text("out/trajectory.csv");
  cr_expect(has(text, "\n0.1,"));
  cr_expect(has(text, "\n0.2,"));
  for (char *number = strtok(strchr(text, '\n'), ",\n"); number != NULL; number = strtok(NULL, ",\n")) {
    char again[SHORTEST_ROOM];
    *shortest_write(again, strtod(number, NULL)) = '\0';
    cr_expect_str_eq(again, number);
  }
  free(text);
}

Test(run, shorthands_equal_set) {
  expect_done(SEAM("run", "double_pendulum", "--end=0.1", "--rtol=1e-6", "--order", "5", "-o", "short"));
  expect_done(SEAM("run", "double_pendulum", "--set", "simulate.end=0.1", "--set", "simulate.rtol=1e-6", "--set",
                   "simulate.order=5", "-o", "long"));
  char *first = read_text("short/trajectory.csv");
  char *second = read_text("long/trajectory.csv");
  cr_expect_str_eq(first, second);
  free(first);
  free(second);
}

Test(run, set_changes_a_parameter) {
  expect_done(SEAM("run", "pendulum_chain", "--set", "parameters.N=2", "--end", "0.01", "-o", "out"));
  csv table = csv_read("out/trajectory.csv");
  cr_expect_eq(table.n_columns, 1 + 2 * 6 + 2 * 3 + 5);
  csv_free(&table);
}

Test(run, the_last_of_equal_options_counts) {
  expect_done(SEAM("run", "double_pendulum", "--end", "5", "--end", "0.1", "-o", "one", "-o", "two"));
  cr_expect_not(file_exists("one"));
  csv table = csv_read("two/trajectory.csv");
  cr_expect_eq(csv_at(&table, table.n_rows - 1, "time"), 0.1);
  csv_free(&table);
}

Test(run, the_summary_is_json_with_the_course_of_the_run) {
  expect_done(SEAM("run", "four_bar_bushing", "--end", "0.2", "-o", "out"));
  const char *path = "out/summary.json";
  expect_text(path, "/verdict/status", "done");
  expect_text(path, "/verdict/message", "");
  expect_text(path, "/versions/seam", seam_version());
  expect_text(path, "/arguments/1", "four_bar_bushing");
  expect_text(path, "/overrides/0", "simulate.end=0.2");
  expect_text(path, "/model/name", "four_bar_bushing");
  cr_expect_eq(json_number_at(path, "/verdict/exit_status"), 0);
  cr_expect_eq(json_number_at(path, "/verdict/time"), 0.2);
  cr_expect_gt(json_number_at(path, "/statistics/steps"), 0);
  cr_expect_gt(json_number_at(path, "/statistics/evaluations"), 0);
  cr_expect_gt(json_number_at(path, "/statistics/wall_s"), 0);
  cr_expect_lt(json_number_at(path, "/residuals/g/largest"), 1e-10);
  cr_expect_lt(json_number_at(path, "/residuals/gd/largest"), 1e-10);
  cr_expect_lt(json_number_at(path, "/energy/relative_imbalance"), 1e-6);
}

Test(run, the_summary_is_json_whatever_the_arguments_hold) {
  expect_done(SEAM("run", "double_pendulum", "--end", "0.01", "-o", "o\"\\\x01\xff\xc3\xa9"));
  char *text = json_at("o\"\\\x01\xff\xc3\xa9/summary.json", "/arguments/5");
  cr_expect_str_eq(text, "o\"\\\x01\xef\xbf\xbd\xc3\xa9");
  free(text);
}

Test(run, the_directory_is_made_with_its_parents) {
  expect_done(SEAM("run", "double_pendulum", "--end", "0.1", "-o", "a/b//c/"));
  cr_expect(file_exists("a/b/c/trajectory.csv"));
}

Test(run, the_end_message_goes_to_stderr) {
  outcome result = SEAM("run", "double_pendulum", "--end", "0.1", "-o", "out");
  cr_expect_eq(strncmp(result.err, "double_pendulum: ", 17), 0, "%s", result.err);
  cr_expect_str_eq(result.wrote, "wrote out/trajectory.csv, summary.json\n");
  cr_expect(has(result.err, "to t = 0.1 s"), "%s", result.err);
  cr_expect_not(has(result.err, "\r"), "a progress line that is not on a terminal");
  outcome_free(&result);
}

Test(run, quiet_prints_nothing) {
  outcome result = SEAM("run", "double_pendulum", "--end", "0.1", "--quiet");
  cr_expect_eq(result.exit_status, 0);
  cr_expect_str_empty(result.out);
  cr_expect_str_empty(result.err);
  outcome_free(&result);
}

Test(run, verbose_prints_steps_and_residuals) {
  outcome result = SEAM("run", "double_pendulum", "--end", "0.1", "--verbose");
  cr_expect(has(result.err, "rejected steps: "));
  cr_expect(has(result.err, "largest constraint residual: "));
  outcome_free(&result);
}

Test(run, nothing_temporary_is_left) {
  expect_done(SEAM("run", "double_pendulum", "--end", "0.1", "-o", "out"));
  cr_expect_eq(remove("out/trajectory.csv"), 0);
  cr_expect_eq(remove("out/summary.json"), 0);
  cr_expect_eq(remove("out"), 0, "the directory held more than the two files");
}

Test(run, every_integrator_runs) {
  static const char *const adaptive[] = {"erk", "radau", "ida", "cvode"};
  static const char *const fixed[] = {"radau", "euler", "symplectic_euler", "rk2", "rk4"};
  for (size_t i = 0; i < sizeof adaptive / sizeof *adaptive; i++)
    expect_done(SEAM("run", "slider_crank", "--end", "0.05", "--integrator", adaptive[i], "-o", "out"));
  for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
    expect_done(SEAM("run", "slider_crank", "--end", "0.05", "--integrator", fixed[i], "--set", "simulate.step=1e-3",
                     "--check", "never", "-o", "out"));
}

Test(run, an_integrator_without_its_step_is_refused) {
  outcome result = SEAM("run", "slider_crank", "--integrator", "rk4", "-o", "out");
  cr_expect_eq(result.exit_status, 2);
  cr_expect(has(result.err, "takes fixed steps only"), "%s", result.err);
  outcome_free(&result);
}

Test(run, an_adaptive_integrator_takes_no_step) {
  outcome result = SEAM("run", "slider_crank", "--integrator", "ida", "--set", "simulate.step=1e-3", "-o", "out");
  cr_expect_eq(result.exit_status, 2);
  cr_expect(has(result.err, "chooses its own steps"), "%s", result.err);
  outcome_free(&result);
}

/* Two hinges of a door share its weight: columns of the reactions of both. */
Test(run, redundant_joints_share_their_reaction) {
  write_text("m.yaml", "seam: 1\ngravity: [0, -10]\nbodies:\n  b: {mass: 2, inertia: 1, at: [0, -1]}\njoints:\n"
                       "  A: {type: revolute, bodies: [b, ground], at: [0, 0]}\n"
                       "  B: {type: revolute, bodies: [b, ground], at: [0, 0]}\nsimulate: {end: 1}\n");
  expect_done(SEAM("run", "m.yaml", "-o", "out"));
  csv table = csv_read("out/trajectory.csv");
  cr_expect_float_eq(csv_at(&table, table.n_rows - 1, "A.fy"), 10, 1e-12);
  cr_expect_float_eq(csv_at(&table, table.n_rows - 1, "B.fy"), 10, 1e-12);
  csv_free(&table);
}

/* Steps look for contacts on their way; a body in free fall takes the longest ones. */
Test(run, contacts_are_found_without_a_note) {
  write_text(
      "m.yaml",
      "seam: 1\nbodies:\n  b: {mass: 2, inertia: 1, at: [0, 1], velocity: [0, -1]}\nforces:\n"
      "  floor: {type: contact, bodies: [ground, b], at: [[0, 0], [0, 1]], line: [1, 0], radius: 0.2, stiffness: "
      "1e4}\nsimulate: {end: 2}\n");
  outcome result = SEAM("run", "m.yaml", "-o", "out");
  cr_expect_eq(result.exit_status, 0);
  cr_expect(!has(result.err, "note:"), "%s", result.err);
  outcome_free(&result);
  csv table = csv_read("out/trajectory.csv");
  cr_expect_float_eq(csv_at(&table, table.n_rows - 1, "b.vy"), 1, 1e-6, "it came back");
  csv_free(&table);
}

/* A rate that the joints contradict is spread over the mechanism: another start than the file's. */
Test(run, velocities_that_assembly_changed_are_said) {
  static const char text[] = "seam: 1\nbodies:\n  b: {mass: 2, inertia: 1, at: [0, -1], rate: %s}\njoints:\n"
                             "  A: {type: revolute, bodies: [b, ground], at: [0, 0]}\nsimulate: {end: 1}\n";
  char model[256];
  snprintf(model, sizeof model, text, "3");
  write_text("m.yaml", model);
  outcome result = SEAM("run", "m.yaml", "-o", "out");
  cr_expect_eq(result.exit_status, 0);
  cr_expect(has(result.err, "note: assembly changed what the file says, most of all b.omega from 3 to "), "%s",
            result.err);
  outcome_free(&result);
  char *summary = read_text("out/summary.json");
  cr_expect(has(summary, "\"coordinate\": \"omega\""), "%s", summary);
  free(summary);
  snprintf(model, sizeof model, text, "3, velocity: [3, 0]");
  write_text("m.yaml", model);
  result = SEAM("run", "m.yaml", "-o", "out");
  cr_expect_not(has(result.err, "assembly changed"), "%s", result.err);
  outcome_free(&result);
  snprintf(model, sizeof model, text, "0");
  write_text("m.yaml", model);
  result = SEAM("run", "m.yaml", "-o", "out", "--set", "start={A.omega: -3}");
  cr_expect_not(has(result.err, "assembly changed"), "what is prescribed is no change: %s", result.err);
  outcome_free(&result);
}

/* ---- Statistics over a run ---- */

/* Its speed is 2 pi cos(20 pi t): equal at all rows, five periods apart. The far body hardly pulls. */
static void write_oscillator(void) {
  write_text("m.yaml",
             "seam: 1\ngravity: [0, 0]\npoints: {O: [0, 0], P: [1, 0], Q: [3, 0]}\n"
             "bodies: {m: {mass: 1, inertia: 1, at: P, velocity: [2*pi, 0]}, far: {mass: 1, inertia: 1, at: Q}}\n"
             "joints: {rail: {type: prismatic, bodies: [ground, m], at: P, axis: [1, 0]}}\n"
             "forces:\n"
             "  s: {type: spring_damper, bodies: [ground, m], at: [O, P], stiffness: (20*pi)^2}\n"
             "  soft: {type: spring_damper, bodies: [m, far], at: [P, Q], stiffness: 1e-6}\n"
             "measures:\n"
             "  speed: {expression: m.vx, unit: m/s, over_run: [min, max, mean, integral, rms]}\n"
             "simulate: {end: 1, output_step: 0.5}\ncosim: {subsystems: {one: [m], two: [far]}, macro_step: 1e-3, "
             "scheme: ff-k1}\n");
}

static void expect_speed(const char *figure, double exact, double largest) {
  char path[100];
  sprintf(path, "/measures/speed/%s/value", figure);
  const double value = json_number_at("out/summary.json", path);
  sprintf(path, "/measures/speed/%s/uncertainty", figure);
  const double open = json_number_at("out/summary.json", path);
  cr_expect_leq(fabs(value - exact), open + 1e-6, "%s: %.15g, open %g", figure, value, open);
  cr_expect_leq(open, largest, "%s: open %g", figure, open);
}

static void expect_oscillation(outcome run) {
  const double largest = 2 * acos(-1);
  cr_assert_eq(run.exit_status, 0, "%s", run.err);
  expect_speed("max", largest, 0.2);
  expect_speed("min", -largest, 0.2);
  expect_speed("mean", 0, 0.01);
  expect_speed("integral", 0, 0.01);
  expect_speed("rms", largest / sqrt(2), 0.01);
  outcome_free(&run);
}

Test(run, statistics_see_what_happens_between_rows) {
  static const char *const methods[] = {"erk", "radau", "ida", "cvode"};
  write_oscillator();
  for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
    expect_oscillation(SEAM("run", "m.yaml", "-o", "out", "--rtol", "1e-11", "--integrator", methods[i]));
  expect_oscillation(SEAM("run", "m.yaml", "-o", "out", "--integrator", "rk4", "--step", "5e-4"));
  expect_oscillation(SEAM("run", "m.yaml", "-o", "out", "--cosim"));
}

/* The error of a figure is what it is, but for the error of the check. */
static void expect_true_error(const char *path, double exact) {
  char value[100], error[100];
  sprintf(value, "%s/value", path);
  sprintf(error, "%s/error", path);
  const double off = fabs(json_number_at("out/summary.json", value) - exact);
  const double said = json_number_at("out/summary.json", error);
  cr_expect(said >= off / 1.05 && said <= 1.05 * off, "%s is %g off, said %g", path, off, said);
}

/* Steps are so long that the motion is wrong, which samples of it do not show. */
Test(run, figures_say_their_true_error) {
  const double largest = 2 * acos(-1);
  write_oscillator();
  expect_done(SEAM("run", "m.yaml", "-o", "out", "--integrator", "rk4", "--step", "0.005", "--accept-wrong"));
  expect_true_error("/measures/speed/rms", largest / sqrt(2));
  expect_true_error("/measures/speed/min", -largest);
  const char *const measure = "measures={m: {expression: bar1.omega*bar4.x, over_run: [max, rms]}}";
  expect_done(SEAM("run", "four_bar_bushing", "--end", "1", "--rtol", "1e-12", "-o", "exact", "--set", measure));
  expect_done(SEAM("run", "four_bar_bushing", "--end", "1", "--cosim", "--macro-step", "5e-3", "-o", "out", "--set",
                   measure, "--accept-wrong"));
  expect_true_error("/measures/m/max", json_number_at("exact/summary.json", "/measures/m/max/value"));
  expect_true_error("/measures/m/rms", json_number_at("exact/summary.json", "/measures/m/rms/value"));
}

/* A block is pushed from rest against hard friction: 5 N - 2 N move 1 kg from the first moment on. */
Test(run, figures_know_the_friction_at_the_start) {
  write_text(
      "pushed.yaml",
      "seam: 2\nbodies: {block: {mass: 1, inertia: 0.1}}\n"
      "joints: {guide: {type: prismatic, bodies: [ground, block], at: [0, 0], axis: [1, 0],\n"
      "  friction: {coefficient: 0.2, preload: 10, hard: true}}}\nforces: {push: {type: force, body: block, x: 5}}\n"
      "measures: {a: {expression: block.ax, over_run: [max]}, f: {expression: guide.friction, over_run: [max]}}\n"
      "simulate: {end: 1}\n");
  expect_done(SEAM("run", "pushed.yaml", "-o", "out"));
  cr_expect_float_eq(json_number_at("out/summary.json", "/measures/a/max/value"), 3, 1e-14);
  cr_expect_lt(json_number_at("out/summary.json", "/measures/a/max/error"), 1e-14);
  cr_expect_float_eq(json_number_at("out/summary.json", "/measures/f/max/value"), -2, 1e-14);
  cr_expect_lt(json_number_at("out/summary.json", "/measures/f/max/error"), 1e-14);
}

/* A ball falls 1 m and ends the run at its second impact, which counts: (1 + e)(1 + e) sqrt(2 g) of impulse with e =
 * 0.5. */
Test(run, figures_know_the_jump_at_which_an_event_ends_the_run) {
  write_text("ball.yaml",
             "seam: 2\ngravity: [0, -9.81]\nbodies: {ball: {mass: 1, inertia: 0.1, at: [0, 1]}}\n"
             "forces: {floor: {type: contact, bodies: [ground, ball], at: {ground: [0, 0], ball: [0, 0]},\n"
             "  line: [1, 0], hard: true, restitution: 0.5}}\nstop: floor.impacts > 1.5\n"
             "measures: {p: {expression: floor.impulse, over_run: [max]}}\nsimulate: {end: 3}\n");
  expect_done(SEAM("run", "ball.yaml", "-o", "out"));
  cr_expect_float_eq(json_number_at("out/summary.json", "/measures/p/max/value"), 2.25 * sqrt(2 * 9.81), 1e-9);
  cr_expect_lt(json_number_at("out/summary.json", "/measures/p/max/error"), 1e-9);
}

Test(run, statistics_do_not_change_rows) {
  static const char *const methods[] = {"erk", "radau", "ida", "cvode", "rk4"};
  for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
    const char *step = strcmp(methods[i], "rk4") == 0 ? "1e-3" : "adaptive";
    expect_done(SEAM("run", "slider_crank", "--end", "1", "--output-step", "0.07", "--integrator", methods[i], "--step",
                     step, "-o", "one", "--set", "measures={m: {expression: main.fx^2}}"));
    expect_done(SEAM("run", "slider_crank", "--end", "1", "--output-step", "0.07", "--integrator", methods[i], "--step",
                     step, "-o", "two", "--set", "measures={m: {expression: main.fx^2, over_run: [max]}}"));
    char *one = read_text("one/trajectory.csv");
    char *two = read_text("two/trajectory.csv");
    cr_expect_str_eq(one, two, "%s", methods[i]);
    free(one);
    free(two);
  }
}

Test(run, statistics_are_printed) {
  write_oscillator();
  outcome run = SEAM("run", "m.yaml", "-o", "out", "--output-step", "0.0125");
  cr_expect(has(run.err, "\n  speed max: 6.28319 m/s at t = 0 s, error "), "%s", run.err);
  cr_expect(has(run.err, "\n  speed integral: "), "%s", run.err);
  cr_expect(has(run.err, " m/s*s, error "), "%s", run.err);
  cr_expect(has(run.err, "\n  speed rms: 4.44"), "%s", run.err);
  outcome_free(&run);
  run = SEAM("run", "m.yaml", "-o", "out", "--output-step", "0.0125", "--check", "never");
  cr_expect(has(run.err, " m/s*s, error not checked\n"), "%s", run.err);
  expect_text("out/summary.json", "/measures/speed/max/error", "null");
  outcome_free(&run);
  run = SEAM("run", "m.yaml", "-o", "out", "--quiet");
  cr_expect_str_empty(run.err);
  outcome_free(&run);
}

/* A curve of time that steps do not follow: 1 s long ones, of a body at rest, and 50.3 Hz. */
Test(run, a_note_names_the_figure_that_is_most_open) {
  const char *const measures = "measures={wave: {expression: sin(2*pi*50.3*t), over_run: [max, mean]},"
                               " slow: {expression: t, over_run: [max]},"
                               " noise: {expression: 1e-14*sin(1e5*t), over_run: [max]}}";
  outcome run =
      SEAM("run", "four_bar_bushing", "--end", "1", "--output-step", "0.1", "--check", "never", "--set", measures);
  cr_expect(has(run.err, "note: rows are too far apart for the m"), "%s", run.err);
  cr_expect(has(run.err, " of 'wave', so that "), "%s", run.err);
  outcome_free(&run);
  run = SEAM("run", "four_bar_bushing", "--end", "1", "--output-step", "0.1", "--check", "never", "--set",
             "measures={saw: {expression: 'atan2(sin(30*t), cos(30*t))', over_run: [max]}}");
  cr_expect(has(run.err, " of 'saw', so that 100 % of the value is uncertain"), "%s", run.err);
  outcome_free(&run);
  run = SEAM("run", "four_bar_bushing", "--end", "1", "--output-step", "0.1", "--check", "never", "--set",
             "measures={noise: {expression: 1e-14*sin(1e5*t), over_run: [max, mean]}}");
  cr_expect_not(has(run.err, "note: rows"), "%s", run.err);
  outcome_free(&run);
}

/* ---- What is not finite ---- */

Test(run, an_expression_that_is_not_finite_ends_the_run) {
  outcome run =
      SEAM("run", "double_pendulum", "--output-step", "0.1", "-o", "out", "--set", "measures={late: sqrt(0.55 - t)}");
  cr_expect_eq(run.exit_status, 1);
  cr_expect(has(run.err, "t = 0.6 s: late is not finite; guard the measure by if()"), "%s", run.err);
  cr_expect_eq(json_number_at("out/summary.json", "/verdict/rows"), 6);
  cr_expect_eq(json_number_at("out/summary.json", "/verdict/time"), 0.5);
  outcome_free(&run);
}

/* Between rows alone: the run goes on, and nothing is known of the largest. */
Test(run, a_sample_that_is_not_finite_is_no_figure) {
  write_oscillator();
  outcome run = SEAM("run", "m.yaml", "-o", "out", "--set", "measures.speed={expression: sqrt(m.vx), over_run: [max]}");
  cr_expect_eq(run.exit_status, 0, "%s", run.err);
  cr_expect(has(run.err, "  speed max: 2.50663 at t = 0 s, error not known\n"), "%s", run.err);
  cr_expect(has(run.err, "the max of 'speed', or it has a pole, so that the uncertainty of the value is unknown"), "%s",
            run.err);
  expect_text("out/summary.json", "/measures/speed/max/uncertainty", "null");
  outcome_free(&run);
}

/* The mass is too heavy for the oil: its pressure grows without bound near the end, and so do the errors of steps. */
Test(run, a_piston_at_its_end_is_named) {
  write_text("piston.yaml", "seam: 2\nsimulate: {end: 4, output_step: 0.01}\nparameters: {M: 1e6, V: 0.5}\n"
                            "bodies:\n  b: {mass: M, inertia: 1, at: [1, 0], velocity: [V, 0]}\n"
                            "joints:\n  g: {type: prismatic, bodies: [ground, b], at: [1, 0], axis: [1, 0]}\n"
                            "forces:\n  h: {type: hydraulic_cylinder, bodies: [ground, b], at: [[0, 0], [1, 0]],\n"
                            "    areas: [2.14e-4, 1.47e-4], cylinder_length: 1, dissipation: 0.3, discharge: 0.67,\n"
                            "    density: 850, pump: 5.37e6, tank: 1e5, bulk: [6.53e-10, -1.19e-18],\n"
                            "    valve_area: 3.46e-5, spool: 0}\n");
  const char *const method[] = {"erk", "radau"}, *const set[] = {"parameters.V=0.5", "parameters.V=2"};
  for (int i = 0; i < 4; i++) {
    outcome run =
        SEAM("run", "piston.yaml", "--integrator", method[i % 2], "--set", set[i / 2], "--check", "never", "-o", "out");
    cr_expect_eq(run.exit_status, 1);
    cr_expect(has(run.err, "force 'h': its piston is at the end of its cylinder"), "%s", run.err);
    outcome_free(&run);
  }
}
