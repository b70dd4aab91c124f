/* `reference:` names the whole of a file in which an FMU takes the place of bodies: compare and converge measure
 * against it, body by body, and what does not fit is refused. The FMU is the right half of four_bar_bushing. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <seam/models.h>

#include "tests/support/command.h"

TestSuite(reference, .init = enter_scratch, .fini = leave_scratch);

/* The left half. %s: the name of bar 2, more keys of `cosim`. */
static const char half[] = "forces:\n"
                           "  hook: {type: force, body: %s, at: M, x: 0, y: 0}\n"
                           "  air: {type: viscous, bodies: [bar1, %s], damping: [0.1, 0.1, 0]}\n"
                           "simulate: {end: 0.2, output_step: 0.01}\n"
                           "cosim:\n"
                           "  macro_step: 1e-3\n"
                           "  scheme: ff-k1\n"
                           "%s"
                           "  subsystems:\n"
                           "    left: [bar1, %s]\n"
                           "    right: {fmu: right.fmu}\n"
                           "  couplings:\n"
                           "    M:\n"
                           "      sides:\n"
                           "        - {marker: left.hook}\n"
                           "        - {subsystem: right, force: [M.fx, M.fy, M.torque], position: [M.x, M.y, M.phi],\n"
                           "           velocity: [M.vx, M.vy, M.omega], acceleration: [M.ax, M.ay, M.alpha]}\n"
                           "      stiffness: [1e3, 1e3, 1e3]\n"
                           "      damping: [10, 10, 10]\n";

static const char bodies[] = "bodies:\n  %s: {rod: [P, M], mass: 1}\n  bar1: {rod: [A, P], mass: 1%s}\n"
                             "joints:\n  A: {type: revolute, bodies: [ground, bar1], at: A}\n"
                             "  P: {type: revolute, bodies: [bar1, %s], at: P}\n";

/* Parameters and points are those of the whole. */
static void write_half(const char *bar2, const char *more_of_bar1, const char *more) {
  const char *whole = seam_catalogue_text("four_bar_bushing");
  const char *begin = strstr(whole, "seam: 2"), *end = strstr(whole, "bodies:");
  char text[8192], own[1024], rest[2048];
  snprintf(own, sizeof own, bodies, bar2, more_of_bar1, bar2);
  snprintf(rest, sizeof rest, half, bar2, bar2, more, bar2);
  snprintf(text, sizeof text, "%.*s%s%s", (int)(end - begin), begin, own, rest);
  write_text("half.yaml", text);
}

static void write_all(void) {
  write_text("whole.yaml", seam_catalogue_text("four_bar_bushing"));
  outcome made = expect_success(SEAM("export", "whole.yaml", "--subsystem", "right", "-o", "right.fmu"));
  outcome_free(&made);
}

/* A number of the row of a scheme. */
static double number_in(const char *path, const char *row, int column) {
  char *text = read_text(path);
  const char *at = strstr(text, row);
  cr_assert_not_null(at, "%s in %s", row, text);
  for (int i = 0; i < column; i++)
    at = strchr(at, ',') + 1;
  const double number = strtod(at, NULL);
  free(text);
  return number;
}

/* Errors of single columns are those of the whole file cut there, since both are one co-simulation. */
Test(reference, compare_measures_against_the_whole) {
  write_all();
  write_half("bar2", "", "  reference: whole.yaml\n");
  outcome part = expect_success(SEAM("compare", "half.yaml", "--schemes", "ff-k1,ff-k2", "-o", "part"));
  cr_expect(has(part.err, "note: no errors are computed for bodies that only the reference has: bar3, bar4\n"), "%s",
            part.err);
  outcome all = expect_success(SEAM("compare", "whole.yaml", "--end", "0.2", "--set", "cosim.macro_step=1e-3",
                                    "--schemes", "ff-k1,ff-k2", "-o", "all", "--quiet"));
  static const char *const rows[] = {"\nff-k1,bar1.phi", "\nff-k1,bar2.omega", "\nff-k2,bar2.x"};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const double expected = number_in("all/errors.csv", rows[i], 2);
    cr_expect_gt(expected, 1e-9);
    cr_expect_float_eq(number_in("part/errors.csv", rows[i], 2), expected, 0.02 * expected, "%s: %g, %g", rows[i],
                       number_in("part/errors.csv", rows[i], 2), expected);
  }
  char *text = read_text("part/compare.csv");
  const char *row = strstr(text, "\nff-k1,");
  cr_assert_not_null(row, "%s", text);
  const char *word = strchr(row + strlen("\nff-k1,"), ',');
  cr_expect(strncmp(word, ",accurate,", strlen(",accurate,")) == 0, "%s", text);
  free(text);
  text = read_text("part/errors.csv");
  cr_expect_not(has(text, "bar3"));
  free(text);
  outcome_free(&part);
  outcome_free(&all);
}

/* ff-k1 is of order 2. */
Test(reference, converge_finds_the_order) {
  write_all();
  write_half("bar2", "", "  reference: whole.yaml\n");
  outcome run = expect_success(SEAM("converge", "half.yaml", "--macro-steps", "2e-3:5e-4:3", "-o", "out", "--quiet"));
  const double coarse = number_in("out/converge.csv", ",0.002,", 3),
               fine = number_in("out/converge.csv", ",0.0005,", 3);
  cr_expect_float_eq(log2(coarse / fine) / 2, 2, 0.3, "%g, %g", coarse, fine);
  outcome_free(&run);
}

/* Without the whole errors are those against an eighth of the shortest macro step: of order 2 they are 1 - 1/64 of the
 * true ones at least. */
Test(reference, without_one_a_scheme_converges_to_itself) {
  write_all();
  write_half("bar2", "", "");
  outcome own = expect_success(SEAM("converge", "half.yaml", "--macro-steps", "2e-3:5e-4:3", "-o", "own"));
  cr_expect(has(own.err, "note: the model cannot run without co-simulation, because the equations of the FMU 'right' "
                         "are not known; so the reference is a run of the same scheme with a macro step of 6.25e-05 s, "
                         "which hides errors that all runs have in common;"),
            "%s", own.err);
  write_half("bar2", "", "  reference: whole.yaml\n");
  outcome run = expect_success(SEAM("converge", "half.yaml", "--macro-steps", "2e-3:5e-4:3", "-o", "out", "--quiet"));
  static const char *const rows[] = {",0.002,", ",0.001,", ",0.0005,"};
  for (int i = 0; i < 3; i++) {
    const double error = number_in("out/converge.csv", rows[i], 3);
    cr_expect_float_eq(number_in("own/converge.csv", rows[i], 3), error, 0.03 * error, "%g %g",
                       number_in("own/converge.csv", rows[i], 3), error);
  }
  outcome_free(&own);
  outcome_free(&run);
}

static void expect_refused(const char *setting, const char *message) {
  outcome run = setting == NULL ? SEAM("compare", "half.yaml", "-o", "out")
                                : SEAM("compare", "half.yaml", "-o", "out", "--set", setting);
  cr_expect_eq(run.exit_status, 2);
  cr_expect_str_eq(run.err, message);
  outcome_free(&run);
}

Test(reference, what_does_not_fit_is_refused) {
  write_all();
  write_half("bar2", "", "");
  expect_refused(
      NULL, "seam: the model cannot run without co-simulation, because the equations of the FMU 'right' are not "
            "known: use 'seam run --cosim', or name a file with the undivided mechanism, cosim: {reference: FILE}\n");
  write_half("bar2", "", "  reference: whole.yaml\n");
  expect_refused("parameters.d=20", "seam: --set parameters.d=20 changes this file, but not its reference "
                                    "'whole.yaml': write the value into both files\n");
  expect_refused("cosim.reference=none.yaml", "none.yaml: error: cannot open the file: No such file or directory\n");
  write_half("second", "", "  reference: whole.yaml\n");
  expect_refused(NULL,
                 "seam: the reference 'whole.yaml' has no body 'second': give bodies the same names in both files\n");
  write_half("bar2", ", rate: 0.5", "  reference: whole.yaml\n");
  outcome run = SEAM("compare", "half.yaml", "-o", "out");
  cr_expect_eq(run.exit_status, 2);
  cr_expect(has(run.err, "seam: bar2.vx begins at "), "%s", run.err);
  cr_expect(has(run.err, ", but in the reference 'whole.yaml' at 0: give both files the same start\n"), "%s", run.err);
  outcome_free(&run);
}

Test(reference, one_that_shares_nothing_is_refused) {
  write_all();
  outcome run = SEAM("compare", "two_component_linear", "--set", "cosim.reference=whole.yaml", "-o", "out");
  cr_expect_eq(run.exit_status, 2);
  cr_expect(has(run.err, "the reference has none of the bodies, states, measures and signals of this model: give them "
                         "the same names in both models\n"),
            "%s", run.err);
  outcome_free(&run);
}
