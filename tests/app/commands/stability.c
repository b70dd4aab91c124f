/* `seam stability map`: files, panels, pictures, messages. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/command.h"

TestSuite(stability, .init = enter_scratch, .fini = leave_scratch);

#define MAP(...) SEAM("stability", "map", "--model", "constitutive", "--scheme", "ff-k1", __VA_ARGS__)

static size_t count_text(const char *text, const char *part) {
  size_t n = 0;
  for (const char *at = strstr(text, part); at; at = strstr(at + 1, part))
    n++;
  return n;
}

static bool gnuplot_exists(void) { return system("command -v gnuplot >/dev/null 2>&1") == 0; }

static void expect_picture(const char *name) {
  char path[64];
  if (!gnuplot_exists())
    return;
  snprintf(path, sizeof path, "%s.svg", name);
  cr_expect(file_exists(path));
  snprintf(path, sizeof path, "%s.png", name);
  cr_expect(file_exists(path));
  snprintf(path, sizeof path, "%s.pdf", name);
  cr_expect(file_exists(path));
}

Test(stability, a_map_is_a_table_and_a_picture) {
  outcome result = MAP("-o", "out");
  cr_expect_eq(result.exit_status, 0, "%s", result.err);
  cr_expect_str_eq(result.out,
                   "ff-k1: stable 1637 of 1681, unstable 44, undecided 0; without lambda-r = 0 stable 1602 of 1640, "
                   "unstable 38, undecided 0\n");
  cr_expect_str_empty(result.err);
  char *text = read_text("out/map.csv");
  cr_expect(has(text, "lambda-r,lambda-i,rho,uncertainty,verdict\n-2,0,0.335063725339"));
  cr_expect_eq(count_text(text, "\n"), 1682);
  cr_expect_eq(count_text(text, ",unstable\n"), 44);
  expect_picture("out/map");
  free(text);
  outcome_free(&result);
}

/* ---- The region that is filled ---- */

/* Loops of a data block, between two blank lines. Whether a ray to the right crosses them an odd number of times. */
static bool is_filled(const char *block, double x, double y) {
  bool inside = false;
  double before[2] = {NAN, NAN};
  for (const char *line = block; strncmp(line, "END", 3) != 0; line = strchr(line, '\n') + 1) {
    double at[2] = {NAN, NAN};
    if (*line != '\n')
      cr_assert_eq(sscanf(line, "%lf %lf", &at[0], &at[1]), 2, "%.40s", line);
    if ((at[1] > y) != (before[1] > y) && !isnan(at[1]) && !isnan(before[1]) &&
        x < at[0] + (before[0] - at[0]) * (y - at[1]) / (before[1] - at[1]))
      inside = !inside;
    memcpy(before, at, sizeof at);
  }
  return inside;
}

/* The points of the table are inside where they are stable; those on the sides are looked at a little inside. */
static void expect_filled(const char *table, const char *script, int panel, const double low[2], const double high[2]) {
  char name[32];
  snprintf(name, sizeof name, "$curve%d_0 << END\n", panel);
  const char *block = strstr(script, name);
  cr_assert_not_null(block, "%s", name);
  size_t n_filled = 0;
  for (const char *line = strchr(table, '\n') + 1; *line != '\0'; line = strchr(line, '\n') + 1) {
    double at[2];
    cr_assert_eq(sscanf(line, "%lf,%lf", &at[0], &at[1]), 2);
    for (int i = 0; i < 2; i++)
      at[i] += 1e-5 * (high[i] - low[i]) * ((at[i] <= low[i]) - (at[i] >= high[i]));
    const bool is_stable = strncmp(strchr(line, '\n') - strlen(",stable"), ",stable", strlen(",stable")) == 0;
    cr_assert_eq(is_filled(block + strlen(name), at[0], at[1]), is_stable, "%.60s", line);
    n_filled += is_stable;
  }
  cr_expect_gt(n_filled, 0);
}

Test(stability, the_filled_region_of_a_map_holds_the_stable_points_alone) {
  outcome result = MAP("-o", "out");
  char *table = read_text("out/map.csv");
  char *script = read_text("out/map.gp");
  expect_filled(table, script, 0, (const double[]){-2, 0}, (const double[]){0, 10});
  free(table);
  free(script);
  outcome_free(&result);
}

#define PANELS(...)                                                                                                    \
  SEAM("stability", "map", "--model", "constraint", "--schemes",                                                       \
       "ff-baumgarte(index=1,mu=1)-k1,ff-baumgarte(index=1,mu=1)-k2", "--y", "lambda-i=0:2:41", "--row",               \
       "alpha-m21=1", "--row", "alpha-m21=10,alpha-r21=2", "-o", "out", __VA_ARGS__)

Test(stability, the_filled_regions_of_panels_hold_the_stable_points_alone) {
  outcome result = PANELS(NULL);
  char *script = read_text("out/map.gp");
  for (int panel = 0; panel < 4; panel++) {
    char path[32];
    snprintf(path, sizeof path, "out/panel-%02d.csv", panel + 1);
    char *table = read_text(path);
    expect_filled(table, script, panel, (const double[]){-2, 0}, (const double[]){0, 2});
    free(table);
  }
  cr_expect(has(script, "set title 'ff-baumgarte(index=1,mu=1)-k2'"), "%s", strstr(script, "set title"));
  cr_expect(has(script, "'{/:Bold Stability of the constraint test model}'"));
  expect_picture("out/map");
  free(script);
  outcome_free(&result);
}

/* A row of panels for each --row, and what panels.csv counts is what their tables hold. */
Test(stability, schemes_and_rows_are_panels) {
  outcome result = PANELS("--columns", "2");
  cr_expect_eq(result.exit_status, 0, "%s", result.err);
  cr_expect_eq(count_text(result.out, "\n"), 4);
  cr_expect(has(result.out, "ff-baumgarte(index=1,mu=1)-k2  alpha-m21=10,alpha-r21=2: stable "), "%s", result.out);
  cr_expect(!file_exists("out/panel-05.csv"));
  char *counts = read_text("out/panels.csv");
  char *table = read_text("out/panel-03.csv");
  const char *row = strstr(counts, "\n3,\"ff-baumgarte(index=1,mu=1)-k1\",,,10,2,1,");
  cr_assert_not_null(row, "%s", counts);
  int all = 0;
  int stable = 0;
  cr_assert_eq(sscanf(strstr(row, ",10,2,1,"), ",10,2,1,%d,%d", &all, &stable), 2);
  cr_expect_eq(all, 1681);
  cr_expect_eq(stable, count_text(table, ",stable\n"));
  free(counts);
  free(table);
  outcome_free(&result);
}

Test(stability, axes_and_parameters_are_free) {
  outcome result = MAP("--x", "alpha-m21=1:4:4", "--y", "alpha-ic1=2:3:2", "--set", "lambda-r=-0.5", "--set",
                       "lambda-i=2", "--rho", "--threads", "1");
  cr_expect_eq(result.exit_status, 0, "%s", result.err);
  char *text = read_text("results/map/map.csv");
  cr_expect_eq(count_text(text, "\n"), 9);
  cr_expect(has(text, "alpha-m21,alpha-ic1,rho"));
  cr_expect(has(text, "\n3,2,"));
  free(text);
  outcome_free(&result);
}

Test(stability, without_gnuplot_the_table_stays) {
  setenv("PATH", "/nowhere", 1);
  outcome result = MAP("-o", "out", "--x", "lambda-r=-1:0:3", "--y", "lambda-i=0:1:3");
  cr_expect_eq(result.exit_status, 0);
  cr_expect(has(result.err, "gnuplot is not installed"), "%s", result.err);
  cr_expect(file_exists("out/map.csv"));
  cr_expect(file_exists("out/map.gp"));
  outcome_free(&result);
}

static void expect_refused(outcome result, const char *why) {
  cr_expect_eq(result.exit_status, 2);
  cr_expect(has(result.err, why), "%s", result.err);
  cr_expect_str_empty(result.out);
  outcome_free(&result);
}

Test(stability, wrong_maps_are_refused) {
  expect_refused(MAP("--x", "lambda-r"), "NAME=");
  expect_refused(MAP("--x", "lambda-r=-1:0"), "FROM:TO:COUNT");
  expect_refused(MAP("--x", "alpha=0:1:3"), "alpha-m21");
  expect_refused(MAP("--x", "lambda-r=0:1:1"), "2 to 100000");
  expect_refused(MAP("--set", "lambda-r=1"), "axis");
  expect_refused(MAP("--set", "alpha-m21=x"), "seam: --set alpha-m21=x: write NAME=NUMBER, as in --set alpha-m21=1");
  expect_refused(MAP("--set", "alpha-m21=-1"), "positive");
  expect_refused(MAP("--threads", "0"), "1 to 1024");
  expect_refused(MAP("--x", "lambda-r=-2:0:10000", "--y", "lambda-i=0:2:10000"), "at most 1e+07 points");
  expect_refused(MAP("--lambda=0,1"), "unknown option '--lambda'");
  expect_refused(
      MAP("--oracle"),
      "seam: there is no option '--oracle' any more; points that double precision cannot decide count as undecided");
  expect_refused(SEAM("stability", "map", "--model", "constitutive"), "a scheme is needed");
  expect_refused(SEAM("stability", "map", "--scheme", "ff-k1"), "a model is needed");
  expect_refused(SEAM("stability", "map", "--model", "x", "--scheme", "ff-k1"), "constitutive");
  expect_refused(SEAM("stability", "area"), "unknown command 'stability area'");
  expect_refused(SEAM("stability", "mine.yaml"), "did you mean 'seam stability model mine.yaml'?");
  expect_refused(SEAM("stability"), "too few arguments");
  expect_refused(MAP("--set", "alpha-m21=1,alpha-r21=2"), "or --row for several");
  expect_refused(MAP("--row", "alpha-m21=1,alpha-r21"),
                 "seam: --row alpha-r21: write NAME=NUMBER, as in --row alpha-r21=1");
  expect_refused(MAP("--row", "lambda-r=1"), "this is an axis of the map");
  expect_refused(MAP("--columns", "0"), "--columns");
  expect_refused(MAP("--together", "--rho"), "leave out --rho and --columns");
  expect_refused(MAP("--accuracy", "0"), "--accuracy");
  expect_refused(MAP("--accuracy", "0.01"), "give a positive limit, and only for the model mbcorr");
}

/* Each has its own page, with its own options only. */
Test(stability, every_command_has_its_help) {
  static const struct {
    const char *command, *has, *has_not;
  } rows[] = {{"point", "--hold ORDER", "--rho"},
              {"map", "--x NAME=FROM:TO:COUNT[:log]", "--lambda"},
              {"model", "--along", "--rho"}};
  outcome list = SEAM("stability", "--help");
  cr_expect_eq(list.exit_status, 0);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    outcome page = SEAM("stability", rows[i].command, "--help");
    outcome same = SEAM("help", "stability", rows[i].command);
    cr_expect_eq(page.exit_status, 0);
    cr_expect(has(list.out, rows[i].command), "%s", list.out);
    cr_expect(has(page.out, rows[i].has) && !has(page.out, rows[i].has_not), "%s", page.out);
    cr_expect_str_eq(page.out, same.out);
    outcome_free(&page);
    outcome_free(&same);
  }
  outcome_free(&list);
}

Test(stability, a_point_has_its_verdict) {
  outcome result = SEAM("stability", "point", "--model", "constitutive", "--scheme", "ff-d-k2", "--lambda=-0.5,2");
  cr_expect_eq(result.exit_status, 0, "%s", result.err);
  cr_expect_eq(strncmp(result.out, "rho 0.", 6), 0);
  cr_expect(has(result.out, "\nstable; "));
  outcome_free(&result);
}

/* ---- Options of methods ---- */

#define POINT(...) SEAM("stability", "point", "--model", "constraint", "--lambda=-0.5,1", __VA_ARGS__)

static void expect_same(outcome with_options, outcome with_brackets) {
  cr_expect_eq(with_options.exit_status, 0, "%s", with_options.err);
  cr_expect_str_eq(with_options.out, with_brackets.out);
  outcome_free(&with_options);
  outcome_free(&with_brackets);
}

Test(stability, options_complete_the_name_of_a_scheme) {
  expect_same(POINT("--scheme", "ff-baumgarte-k1", "--mu", "5", "--index", "2"),
              POINT("--scheme", "ff-baumgarte(index=2,mu=5)-k1"));
  expect_same(POINT("--scheme", "fd-baumgarte-k0-implicit", "--mu-physical", "0.25"),
              POINT("--scheme", "fd-baumgarte(mu_physical=0.25)-k0-implicit"));
  expect_same(POINT("--scheme", "ff-weighted-k2", "--b", "5", "--a", "2.5"),
              POINT("--scheme", "ff-weighted(a=2.5,b=5)-k2"));
}

Test(stability, options_of_other_methods_are_refused) {
  expect_refused(POINT("--scheme", "ff-projection-k1", "--mu", "5"), "does not take --mu, which is for baumgarte");
  expect_refused(POINT("--scheme", "ff-baumgarte-k1", "--a", "5"), "does not take --a, which is for weighted");
  expect_refused(POINT("--scheme", "ff-baumgarte(mu=5)-k1", "--index", "2"), "put index=2 there");
  expect_refused(POINT("--scheme", "ff-baumgarte-k1", "--mu", "1", "--mu-physical", "1"), "leave one out");
  expect_refused(POINT("--scheme", "ff-baumgarte-k1", "--mu", "five"), "--mu 'five' is not a number");
  expect_refused(POINT("--scheme", "ff-baumgarte-k1", "--index", "4"), "index must be 1, 2 or 3");
  expect_refused(SEAM("stability", "point", "--model", "constitutive", "--scheme", "ff-k1", "--mu", "1"),
                 "does not take --mu");
}

/* ---- [Haid]'s oscillator ---- */

#define MBCORR(...) SEAM("stability", "point", "--model", "mbcorr", __VA_ARGS__)

Test(stability, a_point_of_mbcorr) {
  outcome result = MBCORR("--ck", "1e5", "--dk", "1000", "--macro-step", "1e-4", "--hold", "1", "--corrected");
  cr_expect_eq(result.exit_status, 0, "%s", result.err);
  cr_expect(has(result.out, "rho 0.99506351472"), "%s", result.out);
  cr_expect(has(result.out, "stable"));
  cr_expect(has(result.out, "order 1 and model-based correction"));
  outcome_free(&result);
}

Test(stability, mbcorr_takes_only_its_options) {
  expect_refused(MBCORR("--ck", "1"), "--ck C --dk D");
  expect_refused(MBCORR("--ck", "1", "--dk", "1"), "--macro-step H");
  expect_refused(MBCORR("--ck", "1", "--dk", "1", "--macro-step", "1", "--hold", "5"), "from 0 to 4");
  expect_refused(MBCORR("--lambda", "1,2"), "does not take --lambda");
  expect_refused(SEAM("stability", "point", "--model", "constraint", "--hold", "1"), "does not take --hold");
}

Test(stability, a_map_of_mbcorr_is_geometric) {
  outcome result = SEAM("stability", "map", "--model", "mbcorr", "--scheme", "hold0-corrected", "--y",
                        "macro-step=1e-5:1e-3:3:log", "-o", "out");
  cr_expect_eq(result.exit_status, 0, "%s", result.err);
  char *text = read_text("out/map.csv");
  cr_expect(has(text, "ck,macro-step,rho"));
  cr_expect(has(text, "\n10000000000,0.0001"), "%s", text);
  cr_expect_eq(count_text(text, "\n"), 124);
  expect_picture("out/map");
  free(text);
  outcome_free(&result);
}

#define MBCORR_MAP(...)                                                                                                \
  SEAM("stability", "map", "--model", "mbcorr", "--x", "ck=1:1e8:5:log", "--y", "dk=1:1e4:3:log", "-o", "out",         \
       __VA_ARGS__)

/* At 3.16e-4 s a hold of order 0 is accurate with the correction alone. */
Test(stability, a_map_of_errors_has_the_accurate_points) {
  outcome result = MBCORR_MAP("--schemes", "hold0,hold0-corrected", "--accuracy", "0.01", "--set", "macro-step=3e-4");
  cr_expect_eq(result.exit_status, 0, "%s", result.err);
  cr_expect(has(result.out, "hold0: accurate 0 of 15, inaccurate 15, undecided 0"), "%s", result.out);
  char *counts = read_text("out/panels.csv");
  char *table = read_text("out/panel-02.csv");
  char *script = read_text("out/map.gp");
  cr_expect(has(counts, ",points,accurate,inaccurate,undecided,"));
  cr_expect(has(table, "ck,dk,error,uncertainty,verdict\n"));
  cr_expect_gt(count_text(table, ",accurate\n"), 3);
  cr_expect(has(script, "{/:Bold Accuracy of the mbcorr test model}"));
  cr_expect(has(script, "line: error = 0.01"));
  free(counts);
  free(table);
  free(script);
  outcome_free(&result);
}

/* One picture for each scheme, a line for each row, one legend. */
Test(stability, limits_of_rows_are_lines_of_one_picture) {
  outcome result =
      MBCORR_MAP("--schemes", "hold0,hold1", "--row", "macro-step=1e-3", "--row", "macro-step=1e-4", "--together");
  cr_expect_eq(result.exit_status, 0, "%s", result.err);
  char *script = read_text("out/map.gp");
  const size_t n_drawn = count_text(script, "set multiplot layout 1,2 ");
  cr_expect_gt(n_drawn, 0);
  cr_expect_eq(count_text(script, "with lines linetype 2 title"), 2 * n_drawn);
  cr_expect_eq(count_text(script, "= 0.001 s'"), n_drawn);
  cr_expect(!has(script, "$curve2_"));
  cr_expect(file_exists("out/panel-04.csv"));
  expect_picture("out/map");
  free(script);
  outcome_free(&result);
}
