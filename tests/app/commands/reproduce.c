/* `seam reproduce`: the published figures that take a moment, and what a description can say. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/command.h"

/* Pictures have suites of their own. */
static void enter(void) {
  enter_scratch();
  setenv("PATH", "/nowhere", 1);
}

TestSuite(reproduce, .init = enter, .fini = leave_scratch);

/* ---- The papers ---- */

/* Returns the number before these words of a line, which leaves out what it has none of. */
static size_t number_before(const char *line, const char *words) {
  const char *at = strstr(line, words);
  while (at != NULL && at > line && at[-1] >= '0' && at[-1] <= '9')
    at--;
  return at != NULL ? strtoul(at, NULL, 10) : 0;
}

/* Status 3 says that a number is not as its description has it. */
Test(reproduce, figures_are_as_their_descriptions_say) {
  const bool is_long = getenv("SEAM_LONG") != NULL;
  outcome result = SEAM("reproduce", is_long ? "--all" : "--quick");
  cr_expect_eq(result.exit_status, 0, "%s", strstr(result.out, "otherwise"));
  const char *sum = strstr(result.out, " figures and tables in ");
  cr_assert_not_null(sum, "%s", result.out);
  while (sum > result.out && sum[-1] != '\n')
    sum--;
  const size_t printed = number_before(sum, " printed numbers");
  const size_t to_a_unit = number_before(sum, " within a unit");
  cr_expect_geq(number_before(sum, " figures"), is_long ? 90 : 25, "%s", sum);
  cr_expect_geq(printed, 100);
  cr_expect_geq(to_a_unit, printed * 9 / 10, "%s", sum);
  cr_expect_eq(to_a_unit + number_before(sum, " in their band") + number_before(sum, " differ"), printed, "%s", sum);
  cr_expect(file_exists("results/reproduce/li/report.html"));
  outcome_free(&result);
}

Test(reproduce, the_list_has_all_sources_and_their_claims) {
  static const char *const parts[] = {"balance  7",    "ecco     table-III", "energy   27",
                                      "li       4.14", "mbcorr   5",         "D with k = 2 is stable everywhere"};
  outcome result = SEAM("reproduce");
  cr_expect_eq(result.exit_status, 0, "%s", result.err);
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    cr_expect(has(result.out, parts[i]), "%s", parts[i]);
  cr_expect(strstr(result.out, "li       3.9 ") < strstr(result.out, "li       3.11"), "3.9 comes before 3.11");
  outcome_free(&result);
}

/* A description that is printed is one that can be read. */
Test(reproduce, a_description_is_a_start_for_another) {
  outcome shown = SEAM("reproduce", "li", "3.19", "--show");
  cr_expect_eq(shown.exit_status, 0, "%s", shown.err);
  write_text("mine.yaml", shown.out);
  outcome result = SEAM("reproduce", "mine.yaml", "-o", "out");
  cr_expect_eq(result.exit_status, 0, "%s", result.err);
  cr_expect(file_exists("out/file/mine/orders/orders.csv") && file_exists("out/file/mine/values.csv"));
  outcome_free(&shown);
  outcome_free(&result);
}

/* ---- What a description says ---- */

#define HEAD "what: a test\nstudies:\n  swing: {command: run, model: double_pendulum, end: 0.5, check: never}\n"
#define PHI "tables:\n  t:\n    column: link1.phi\n"

/* *out: NULL or an allocated text, which is replaced. */
static int status_of(const char *text, char **out) {
  write_text("d.yaml", text);
  outcome result = SEAM("reproduce", "d.yaml", "-o", "out");
  const int exit_status = result.exit_status;
  if (out != NULL) {
    free(*out);
    *out = strdup(*result.err != '\0' && exit_status == 2 ? result.err : result.out);
  }
  outcome_free(&result);
  return exit_status;
}

/* link1.phi begins at pi/4 = 0.78540. */
Test(reproduce, a_printed_number_holds_to_a_unit_of_its_last_digit) {
  char *out = NULL;
  cr_expect_eq(status_of(HEAD PHI "    rows: {a: {take: first, printed: 0.7854}}\n", &out), 0);
  cr_expect(has(out, "all digits"), "%s", out);
  cr_expect_eq(status_of(HEAD PHI "    rows: {a: {take: first, printed: 0.786}}\n", &out), 0);
  cr_expect(has(out, "within a unit of the last digit"), "%s", out);
  cr_expect_eq(status_of(HEAD PHI "    rows: {a: {take: first, printed: 0.787}}\n", &out), 3);
  cr_expect(has(out, "differs by 0.2 %; the description says otherwise"), "%s", out);
  cr_expect_eq(status_of(HEAD PHI "    rows: {a: {take: first, printed: 0.787, within: 0.01}}\n", NULL), 0);
  cr_expect_eq(status_of(HEAD PHI "    rows: {a: {take: first, printed: 0.787, within: 0.001}}\n", NULL), 3);
  free(out);
}

Test(reproduce, what_is_known_to_differ_must_differ) {
  cr_expect_eq(status_of(HEAD PHI "    rows: {a: {take: first, printed: 0.9, differs: a misprint}}\n", NULL), 0);
  cr_expect_eq(status_of(HEAD PHI "    rows: {a: {take: first, printed: 0.7854, differs: a misprint}}\n", NULL), 3);
}

Test(reproduce, claims_compare_rows) {
  static const char rows[] = HEAD PHI "    rows:\n      most: {take: max}\n      least: {take: min, %s: most}\n";
  char text[512];
  snprintf(text, sizeof text, rows, "below");
  cr_expect_eq(status_of(text, NULL), 0);
  snprintf(text, sizeof text, rows, "above");
  cr_expect_eq(status_of(text, NULL), 3);
}

/* Columns, a place in time, a difference from another study with a factor, a division. */
Test(reproduce, numbers_are_found_where_the_description_says) {
  char *out = NULL;
  cr_expect_eq(status_of(HEAD "  still: {command: run, model: double_pendulum, end: 0.5, check: never,\n"
                              "          set: {gravity: [0, 0]}}\n"
                              "tables:\n  t:\n    of: swing\n    columns:\n"
                              "      phi: {column: link1.phi, at: 0}\n"
                              "      twice: {column: link1.phi, minus: {of: still, times: -1}, at: 0}\n"
                              "      half: {column: link1.phi, take: first, divide: 2}\n"
                              "      mean: {of: still, column: link1.phi, take: mean}\n"
                              "    rows: {a: {printed: [0.7854, 1.5708, 0.3927, 0.7854]}}\n",
                         &out),
               0, "%s", out);
  free(out);
}

/* Euler's method: half the step, half the error. */
Test(reproduce, orders_follow_from_two_rows) {
  char text[1024];
  snprintf(text, sizeof text,
           "what: a test\nstudies:\n"
           "  exact: {command: run, model: two_mass_oscillator, end: 0.1, check: never}\n"
           "  h1: {command: run, model: two_mass_oscillator, end: 0.1, check: never, integrator: euler, step: 2e-4}\n"
           "  h2: {command: run, model: two_mass_oscillator, end: 0.1, check: never, integrator: euler, step: 1e-4}\n"
           "tables:\n  t:\n    column: m1.x\n    minus: {of: exact}\n    magnitude: true\n    take: max\n"
           "    rows: {h1: {of: h1}, h2: {of: h2, order_from: h1, printed: 1.0}}\n");
  cr_expect_eq(status_of(text, NULL), 0);
}

/* ---- What is refused ---- */

static void refuse(const char *text, const char *message) {
  char *out = NULL;
  cr_expect_eq(status_of(text, &out), 2, "%s", out);
  cr_expect(has(out, message), "%s\n%s", message, out);
  free(out);
}

Test(reproduce, wrong_descriptions_are_refused) {
  refuse("[1]\n", "it is not a map");
  refuse("what: x\nstudies: {}\n", "at least one study is needed");
  refuse("what: x\nclaims: y\nstudies: {}\n", "unknown key; did you mean 'claim'?");
  refuse("studies: {a: {command: check}}\n", "what: it is missing");
  refuse("what: x\nstudies: {a: {model: double_pendulum}}\n", "a: it needs a command of Seam");
  refuse("what: x\nstudies: {a: {command: fly}}\n", "there is no 'fly'");
  refuse("what: x\nstudies: {a: {command: run, model: double_pendulum, ned: 1}}\n",
         "a: 'ned' is not an option of 'seam run'; did you mean 'end'?");
  refuse("what: x\nstudies: {a: {command: run, model: nothing}}\n", "'seam run' ended with the status 2, not 0");
  refuse(HEAD "tables: {t: {column: link1.phi}}\n", "a table needs 'rows:'");
  refuse(HEAD PHI "    rows: {a: {printed: 1}}\n", "51 rows fit, but one is needed; add 'where:', or 'take:'");
  refuse(HEAD PHI "    rows: {a: {printed: 1, take: middle}}\n", "'middle' is none of last, first");
  refuse(HEAD PHI "    rows: {a: {printed: 1, take: last, of: other}}\n", "there is no study 'other'");
  refuse(HEAD "tables: {t: {column: link9.phi, rows: {a: {printed: 1, take: last}}}}\n", "no column 'link9.phi'");
  refuse(HEAD PHI "    rows: {a: {above: b, take: last}}\n", "'b' is neither a number nor a row");
  refuse(HEAD PHI "    rows: {a: {printed: 1, take: last, where: {nought: 1}}}\n", "the table has no column 'nought'");
}

Test(reproduce, unknown_figures_are_refused) {
  outcome source = SEAM("reproduce", "lee");
  cr_expect_eq(source.exit_status, 2);
  cr_expect(has(source.err, "there is no source 'lee'; 'seam reproduce' lists all"), "%s", source.err);
  outcome figure = SEAM("reproduce", "mbcorr", "44");
  cr_expect_eq(figure.exit_status, 2);
  cr_expect(has(figure.err, "there is no figure or table '44' of mbcorr"), "%s", figure.err);
  cr_expect(has(figure.err, "there are: 4 5"), "%s", figure.err);
  outcome_free(&source);
  outcome_free(&figure);
}
