/* Co-simulated runs as a user makes them. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/command.h"
#include "tests/support/run_results.h"

TestSuite(cosim, .init = enter_scratch, .fini = leave_scratch);

static void expect_done(outcome run) {
  cr_expect_eq(run.exit_status, 0, "%s", run.err);
  outcome_free(&run);
}

static void expect_failure(outcome run, int exit_status, const char *part) {
  cr_expect_eq(run.exit_status, exit_status, "%s", run.err);
  cr_expect(has(run.err, part), "'%s' is not in '%s'", part, run.err);
  outcome_free(&run);
}

Test(cosim, every_model_of_the_catalogue_with_a_cut_runs) {
  outcome list = SEAM("models");
  char *rest = NULL;
  int n = 0;
  for (char *line = strtok_r(list.out, "\n", &rest); line != NULL; line = strtok_r(NULL, "\n", &rest)) {
    line[strcspn(line, " ")] = '\0';
    outcome text = SEAM("models", line);
    if (has(text.out, "\ncosim:") && has(text.out, "\nsimulate:")) {
      expect_done(SEAM("run", line, "--cosim", "--end", "0.05", "--output-step", "0.01", "--check", "never"));
      n++;
    }
    outcome_free(&text);
  }
  cr_expect_geq(n, 7);
  outcome_free(&list);
}

Test(cosim, rows_stand_at_output_times_and_couplings_at_macro_points) {
  expect_done(SEAM("run", "four_bar_fixed", "--cosim", "--end", "0.1", "--output-step", "0.003", "--macro-step",
                   "0.004", "-o", "out"));
  csv rows = csv_read("out/trajectory.csv");
  csv couplings = csv_read("out/couplings.csv");
  cr_assert_eq(rows.n_rows, 35);
  cr_assert_eq(couplings.n_rows, 26);
  for (size_t i = 0; i < 34; i++)
    cr_expect_eq(csv_at(&rows, i, "time"), (double)i * 0.003);
  cr_expect_eq(csv_at(&rows, 34, "time"), 0.1);
  for (size_t i = 0; i < 26; i++)
    cr_expect_float_eq(csv_at(&couplings, i, "time"), (double)i * 0.004, 1e-15);
  csv_free(&rows);
  csv_free(&couplings);
}

/* A co-simulated run leaves the monolithic one alone; the folder is a plain name, whatever the scheme's options. */
Test(cosim, the_usual_directory_says_the_scheme) {
  static const char *const rows[][3] = {
      {"four_bar_bushing", NULL, "results/four_bar_bushing/run-ff-k1-end=0.01/trajectory.csv"},
      {"four_bar_bushing", "ff-d-k2", "results/four_bar_bushing/run-ff-d-k2-end=0.01/couplings.csv"},
      {"double_pendulum", "ff-weighted(a=1,b=0.5)-k1",
       "results/double_pendulum/run-ff-weighted-a1-b0.5-k1-end=0.01/couplings.csv"},
      {"quarter_car_signals_1", NULL, "results/quarter_car_signals_1/run-exchange-end=0.01/signals.csv"}};
  expect_done(SEAM("run", "four_bar_bushing", "--end", "0.05"));
  char *whole = read_text("results/four_bar_bushing/run-end=0.05/trajectory.csv");
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    outcome run = SEAM("run", rows[i][0], "--cosim", "--check", "never", "--end", "0.01",
                       rows[i][1] != NULL ? "--scheme" : NULL, rows[i][1]);
    cr_expect_eq(run.exit_status, 0, "%s", run.err);
    cr_expect(file_exists(rows[i][2]), "%s", rows[i][2]);
    cr_expect(has(run.wrote, "wrote results/"), "%s", run.wrote);
    outcome_free(&run);
  }
  outcome both = expect_success(SEAM("run", "four_bar_bushing", "--cosim", "--end", "0.01", "--set",
                                     "cosim.subsystems={a: [bar1], b: [bar2], c: [bar3, bar4]}", "--set",
                                     "cosim.scheme={constitutive: ff-d-k1, constraint: ff-index2-k1}"));
  cr_expect(has(both.wrote, "wrote results/four_bar_bushing/run-file-end=0.01-subsystems="), "%s", both.wrote);
  outcome_free(&both);
  char *still = read_text("results/four_bar_bushing/run-end=0.05/trajectory.csv");
  cr_expect_str_eq(whole, still);
  free(whole);
  free(still);
}

/* The kink, 1e-7 s before a macro point, is one of the points; the grid stays. */
Test(cosim, a_kink_close_to_a_macro_point_has_a_row_of_its_own) {
  write_text("kink.yaml", "seam: 1\nname: kink\n"
                          "bodies: {a: {mass: 1, inertia: 1}, b: {mass: 1, inertia: 1, at: [1, 0]}}\n"
                          "joints: {B: {type: revolute, bodies: [a, b], at: [0.5, 0]}}\n"
                          "forces: {p: {type: force, body: b, y: \"if(t < 0.0199999, 10, -7)\"}}\n"
                          "simulate: {end: 0.04, output_step: 0.01}\n"
                          "cosim: {subsystems: {l: [a], r: [b]}, macro_step: 0.01, scheme: ff-colloc-s3}\n");
  expect_done(SEAM("run", "kink.yaml", "--cosim", "-o", "out"));
  static const double times[] = {0, 0.01, 0.0199999, 0.02, 0.03, 0.04};
  csv rows = csv_read("out/trajectory.csv");
  csv couplings = csv_read("out/couplings.csv");
  cr_assert_eq(rows.n_rows, 5);
  cr_assert_eq(couplings.n_rows, 6);
  for (size_t i = 0; i < 6; i++)
    cr_expect_float_eq(csv_at(&couplings, i, "time"), times[i], 1e-15);
  csv_free(&rows);
  csv_free(&couplings);
}

/* The last macro step is shorter where the end is not a multiple of it. */
Test(cosim, the_run_ends_at_the_end_time) {
  expect_done(SEAM("run", "four_bar_bushing", "--cosim", "--end", "0.1", "--macro-step", "0.003", "-o", "out"));
  csv couplings = csv_read("out/couplings.csv");
  cr_expect_eq(couplings.n_rows, 35);
  cr_expect_eq(csv_at(&couplings, 34, "time"), 0.1);
  csv_free(&couplings);
}

Test(cosim, a_run_follows_the_monolithic_one) {
  expect_done(SEAM("run", "four_bar_fixed", "--cosim", "--end", "0.5", "-o", "co"));
  expect_done(SEAM("run", "four_bar_fixed", "--end", "0.5", "-o", "mono"));
  csv co = csv_read("co/trajectory.csv");
  csv mono = csv_read("mono/trajectory.csv");
  cr_assert_str_eq(co.header, mono.header);
  cr_assert_eq(co.n_rows, mono.n_rows);
  for (size_t i = 0; i < co.n_rows * co.n_columns; i++)
    cr_expect_float_eq(co.values[i], mono.values[i], 1e-3);
  cr_expect_eq(csv_at(&co, 0, "M.fx"), csv_at(&mono, 0, "M.fx"));
  csv_free(&co);
  csv_free(&mono);
}

Test(cosim, the_table_of_couplings_has_forces_and_residuals) {
  expect_done(SEAM("run", "double_pendulum", "--cosim", "--end", "0.2", "-o", "out"));
  csv couplings = csv_read("out/couplings.csv");
  csv rows = csv_read("out/trajectory.csv");
  cr_expect_str_eq(strtok(couplings.header, "\n"),
                   "time,elbow.lambda_x,elbow.lambda_y,elbow.lambda_phi,elbow.g_x,elbow.g_y,elbow.gd_x,elbow.gd_y,"
                   "elbow.gdd_x,elbow.gdd_y,elbow.residual_power,elbow.residual_energy,elbow.created_energy");
  for (size_t i = 0; i < couplings.n_rows; i++) {
    const double *row = couplings.values + i * couplings.n_columns;
    cr_expect_lt(fabs(row[4]) + fabs(row[5]), 1e-12);
    cr_expect_lt(fabs(row[6]) + fabs(row[7]), 1e-11);
    cr_expect_eq(row[3], 0);
  }
  for (size_t i = 0; i < rows.n_rows; i++)
    cr_expect_float_eq(csv_at(&rows, i, "elbow.fx"), couplings.values[10 * i * couplings.n_columns + 1], 1e-12);
  csv_free(&couplings);
  csv_free(&rows);
}

Test(cosim, the_summary_has_schemes_counts_and_residuals) {
  expect_done(SEAM("run", "double_pendulum", "--cosim", "--scheme", "ff-projection-k2", "--end", "0.2", "-o", "out"));
  char *scheme = json_at("out/summary.json", "/cosim/couplings/elbow/scheme");
  char *kind = json_at("out/summary.json", "/cosim/couplings/elbow/kind");
  cr_expect_str_eq(scheme, "ff-projection-k2");
  cr_expect_str_eq(kind, "constraint");
  cr_expect_eq(json_number_at("out/summary.json", "/cosim/macro_step"), 1e-3);
  cr_expect_eq(json_number_at("out/summary.json", "/cosim/macro_steps"), 200);
  cr_expect_eq(json_number_at("out/summary.json", "/cosim/corrections"), 200);
  cr_expect_lt(json_number_at("out/summary.json", "/cosim/couplings/elbow/g/largest"), 1e-12);
  cr_expect_gt(json_number_at("out/summary.json", "/cosim/couplings/elbow/gdd/largest"), 0);
  free(scheme);
  free(kind);
}

/* The energy gained in trajectory.csv is the one created in couplings.csv and in the summary. */
Test(cosim, energy_that_couplings_create_is_reported) {
  expect_done(SEAM("run", "four_bar_bushing", "--cosim", "--scheme", "dd-k1-explicit", "--end", "0.2", "--output-step",
                   "0.01", "-o", "out", "--rtol", "1e-11"));
  csv rows = csv_read("out/trajectory.csv");
  csv couplings = csv_read("out/couplings.csv");
  double first = 0;
  double largest = 0;
  for (size_t i = 0; i < rows.n_rows; i++) {
    const double balance =
        csv_at(&rows, i, "energy.total") + csv_at(&rows, i, "energy.dissipated") - csv_at(&rows, i, "energy.driven");
    first = i == 0 ? balance : first;
    cr_expect_float_eq(csv_at(&couplings, 10 * i, "M.created_energy"), balance - first, 1e-10);
  }
  for (size_t i = 0; i < couplings.n_rows; i++)
    largest = fmax(largest, fabs(csv_at(&couplings, i, "M.residual_power")));
  static const char *const places[] = {"couplings/M", "total"};
  for (size_t i = 0; i < 2; i++) {
    char place[64];
    snprintf(place, sizeof place, "/cosim/%s/residual_energy", places[i]);
    cr_expect_eq(json_number_at("out/summary.json", place), csv_at(&couplings, 200, "M.residual_energy"));
    snprintf(place, sizeof place, "/cosim/%s/residual_power/largest", places[i]);
    cr_expect_eq(json_number_at("out/summary.json", place), largest);
    snprintf(place, sizeof place, "/cosim/%s/residual_power/time", places[i]);
    cr_expect_gt(json_number_at("out/summary.json", place), 0);
  }
  cr_expect_gt(fabs(csv_at(&couplings, 200, "M.residual_energy")), 1e-6);
  cr_expect_not(file_exists("out/signals.csv"));
  csv_free(&rows);
  csv_free(&couplings);
}

/* An oscillator whose spring is a held signal: no coupling is to blame. */
static void write_held_spring(void) {
  write_text("held.yaml", "seam: 1\nbodies: {b: {mass: 1, inertia: 1, at: [1, 0]}}\n"
                          "joints: {g: {type: prismatic, bodies: [ground, b], at: [0, 0], axis: [1, 0]}}\n"
                          "forces: {f: {type: force, body: b, x: c.u, y: 0}}\n"
                          "equations: {c: {inputs: {x: b.x}, outputs: {u: -25*x}}}\n"
                          "simulate: {end: 10, output_step: 0.1}\n"
                          "cosim: {subsystems: {P: [b], C: {equations: [c], signal_order: 0}}, macro_step: 0.2}\n");
}

/* The integrators create the energy that the whole gains and no coupling creates. It halves with the steps of Euler's
 * method, and is round-off with an accurate integrator. */
Test(cosim, the_energy_that_integrators_create_is_told_apart) {
  static const char *const steps[] = {"cosim.micro_step=1e-4", "cosim.micro_step=5e-5"};
  double integration[2];
  for (int i = 0; i < 2; i++) {
    expect_done(SEAM("run", "four_bar_bushing", "--cosim", "--end", "0.5", "--check", "never", "-o", "out", "--set",
                     "cosim.integrator=symplectic_euler", "--set", steps[i]));
    csv rows = csv_read("out/trajectory.csv");
    double balance[2];
    for (int end = 0; end < 2; end++) {
      const size_t row = end == 0 ? 0 : rows.n_rows - 1;
      balance[end] = csv_at(&rows, row, "energy.total") + csv_at(&rows, row, "energy.dissipated") -
                     csv_at(&rows, row, "energy.driven");
    }
    integration[i] = json_number_at("out/summary.json", "/cosim/total/integration_energy");
    cr_expect_float_eq(integration[i] + json_number_at("out/summary.json", "/cosim/total/created_energy"),
                       balance[1] - balance[0], 1e-12);
    csv_free(&rows);
  }
  cr_expect_float_eq(integration[0] / integration[1], 2, 0.05);
  expect_done(SEAM("run", "four_bar_bushing", "--cosim", "--end", "0.5", "--check", "never", "-o", "out"));
  cr_expect_lt(fabs(json_number_at("out/summary.json", "/cosim/total/integration_energy")),
               1e-6 * fabs(integration[0]));
}

Test(cosim, an_unstable_run_of_signals_alone_says_so) {
  write_held_spring();
  expect_failure(SEAM("run", "held.yaml", "--cosim", "-o", "out"), 1,
                 "above the bound 5e+03 that the start of the run gives; signals are extrapolated over macro steps "
                 "that are too long: take a smaller macro step");
}

Test(cosim, an_unstable_run_says_when_where_and_what_helps) {
  expect_failure(SEAM("run", "four_bar_bushing", "--cosim", "--scheme", "ff-k2", "--macro-step", "5e-3", "--set",
                      "parameters.c=1e5", "-o", "out"),
                 1, "unstable");
  char *message = json_at("out/summary.json", "/verdict/message");
  cr_expect(has(message, "t = 0."), "%s", message);
  cr_expect(has(message, "coupling 'M' (ff-k2)") || has(message, "subsystem '"), "%s", message);
  cr_expect(has(message, "take a smaller macro step"), "%s", message);
  cr_expect_eq(json_number_at("out/summary.json", "/verdict/exit_status"), 1);
  csv rows = csv_read("out/trajectory.csv");
  csv couplings = csv_read("out/couplings.csv");
  cr_expect_gt(rows.n_rows, 1);
  cr_expect_gt(couplings.n_rows, 5);
  csv_free(&rows);
  csv_free(&couplings);
  free(message);
}

Test(cosim, impossible_runs_are_refused_and_touch_nothing) {
  expect_failure(SEAM("run", "four_bar_bushing", "--cosim", "--scheme", "ff-kk"), 2, "expected a method");
  expect_failure(SEAM("run", "four_bar_bushing", "--cosim", "--scheme", "ff-coloc-s3"), 2,
                 "'ff-coloc-s3' is not the name of a scheme: there is no method 'coloc'; did you mean 'ff-colloc-s3'?");
  expect_failure(SEAM("run", "four_bar_bushing", "--cosim", "--scheme", "ff-k9"), 2, "k0 to k3");
  expect_failure(SEAM("run", "four_bar_bushing", "--cosim", "--scheme", "ff-index2-k1"), 2, "for joints");
  expect_failure(SEAM("run", "double_pendulum", "--cosim", "--scheme", "dd-projection-k1"), 2, "joint 'elbow'");
  static const char *const tiny[] = {"1e-300", "1e-19", "1e-9"};
  for (size_t i = 0; i < sizeof tiny / sizeof *tiny; i++)
    expect_failure(SEAM("run", "four_bar_bushing", "--cosim", "--end", "5", "--macro-step", tiny[i]), 2,
                   "a run of 5 s needs more than 1e+08 macro steps");
  static const char *const no_lengths[] = {"0", "-1", "nan", "inf", "1e999", ".inf", ".nan"};
  for (size_t i = 0; i < sizeof no_lengths / sizeof *no_lengths; i++)
    expect_failure(SEAM("run", "four_bar_bushing", "--cosim", "--macro-step", no_lengths[i]), 2, "macro_step");
  expect_failure(
      SEAM("run", "four_bar_bushing", "--cosim", "--end", "5", "--macro-step", "10"), 2,
      "macro step of 10 s is longer than the run of 5 s: take a smaller one (cosim.macro_step, --macro-step)");
  write_text("whole.yaml", "seam: 1\nbodies: {a: {mass: 1, inertia: 1}}\nsimulate: {end: 1}\n");
  expect_failure(SEAM("run", "whole.yaml", "--cosim"), 2, "add 'cosim:");
  cr_expect_not(file_exists("results"));
}

/* Of the macro points in couplings.csv. */
static void expect_lengths(const char *table, const char *summary) {
  csv points = csv_read(table);
  double shortest = INFINITY;
  double longest = 0;
  for (size_t i = 1; i < points.n_rows; i++) {
    const double H = csv_at(&points, i, "time") - csv_at(&points, i - 1, "time");
    shortest = fmin(shortest, H);
    longest = fmax(longest, H);
  }
  const double end = csv_at(&points, points.n_rows - 1, "time");
  cr_expect_float_eq(json_number_at(summary, "/cosim/shortest"), shortest, 1e-12);
  cr_expect_float_eq(json_number_at(summary, "/cosim/longest"), longest, 1e-12);
  cr_expect_float_eq(json_number_at(summary, "/cosim/mean"), end / (double)(points.n_rows - 1), 1e-12);
  csv_free(&points);
}

Test(cosim, the_summary_says_how_macro_steps_were_controlled) {
  write_without_macro_step("free.yaml", "four_bar_bushing");
  expect_done(SEAM("run", "free.yaml", "--cosim", "--end", "1", "--set", "cosim.scheme=ff-colloc-s2", "-o", "free"));
  char *method = json_at("free/summary.json", "/cosim/step_control/method");
  cr_expect_str_eq(method, "error");
  cr_expect_eq(json_number_at("free/summary.json", "/cosim/step_control/tolerance"), 1e-6);
  cr_expect_eq(json_number_at("free/summary.json", "/cosim/step_control/longest"), 0.05);
  expect_lengths("free/couplings.csv", "free/summary.json");
  expect_done(SEAM("run", "four_bar_bushing", "--cosim", "--end", "1", "--set", "cosim.scheme=ff-colloc-s2", "--set",
                   "cosim.step_control.method=error", "-o", "begun"));
  cr_expect_eq(json_number_at("begun/summary.json", "/cosim/step_control/first"), 1e-3);
  expect_done(SEAM("run", "four_bar_bushing", "--cosim", "--end", "0.1", "-o", "fixed"));
  cr_expect_null(json_at("fixed/summary.json", "/cosim/step_control/method"));
  expect_lengths("fixed/couplings.csv", "fixed/summary.json");
  free(method);
}

Test(cosim, a_scheme_without_collocation_needs_what_the_file_leaves_out) {
  write_without_macro_step("free.yaml", "four_bar_bushing");
  expect_failure(SEAM("run", "free.yaml", "--cosim", "--set", "cosim.scheme=ff-colloc-s3", "--scheme", "ff-k1"), 2,
                 "--scheme: error: scheme 'ff-k1' needs 'macro_step', which the file does not give: add --set "
                 "cosim.macro_step=VALUE\n");
  expect_failure(SEAM("run", "four_bar_bushing", "--cosim", "--set", "cosim.scheme=ff-colloc-s3", "--set",
                      "cosim.step_control.method=error", "--scheme", "ff-d-k2"),
                 2, "'ff-d-k2' needs 'step_control.tolerance'");
  cr_expect_not(file_exists("results"));
  expect_done(SEAM("run", "free.yaml", "--cosim", "--set", "cosim.scheme=ff-colloc-s3", "--scheme", "ff-k1",
                   "--macro-step", "1e-3", "--end", "0.1", "-o", "fixed"));
  cr_expect_eq(json_number_at("fixed/summary.json", "/cosim/macro_steps"), 100);
  expect_done(SEAM("run", "free.yaml", "--cosim", "--set", "cosim.scheme=ff-colloc-s3", "--scheme", "ff-colloc-s1",
                   "--end", "0.1", "-o", "other"));
  cr_expect_eq(json_number_at("other/summary.json", "/cosim/step_control/tolerance"), 1e-6);
}

Test(cosim, refused_prescriptions_name_collocation) {
  expect_failure(SEAM("run", "four_bar_fixed", "--cosim", "--scheme", "dd-colloc-s2"), 2,
                 "take a force/force scheme, or prescribe on the other side (ff-colloc-s3, ff-index2-k1");
  expect_failure(SEAM("run", "pendulum_chain", "--cosim", "--scheme", "dd-colloc-s2", "--end", "0.1"), 1,
                 "the scheme prescribes accelerations of subsystems, which may be singular although the undivided "
                 "mechanism is not: take a force/force scheme such as ff-colloc-s3\n");
  expect_done(SEAM("run", "four_bar_fixed", "--cosim", "--scheme", "ff-colloc-s3", "--end", "0.1"));
  expect_done(SEAM("run", "pendulum_chain", "--cosim", "--scheme", "ff-colloc-s3", "--end", "0.1"));
}

Test(cosim, threads_do_not_change_a_byte) {
  expect_done(SEAM("run", "four_bar_bushing", "--cosim", "--end", "0.1", "--threads", "1", "-o", "one"));
  expect_done(SEAM("run", "four_bar_bushing", "--cosim", "--end", "0.1", "--threads", "3", "-o", "three"));
  char *one = read_text("one/trajectory.csv");
  char *three = read_text("three/trajectory.csv");
  cr_expect_str_eq(one, three);
  free(one);
  free(three);
}

Test(cosim, a_monolithic_run_leaves_no_couplings_of_an_older_one) {
  expect_done(SEAM("run", "four_bar_bushing", "--cosim", "--end", "0.01", "-o", "out"));
  cr_expect(file_exists("out/couplings.csv"));
  expect_done(SEAM("run", "four_bar_bushing", "--end", "0.01", "-o", "out"));
  cr_expect_not(file_exists("out/couplings.csv"));
}
