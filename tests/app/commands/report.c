/* `seam report`: the page is whole, holds the numbers of the runs, and refuses what it cannot vouch for. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/json.h"
#include "tests/support/command.h"
#include "tests/support/run_results.h"

TestSuite(report, .init = enter_scratch, .fini = leave_scratch);

/* ---- Reading a page ---- */

typedef struct page {
  char *text;
  char *data; /* in `memory` */
  arena memory;
  const json_node *runs;
} page;

static page page_read(const char *path) {
  static const char begin[] = "<script type=\"application/json\" id=\"report-data\">";
  page made = {.text = read_text(path)};
  json_failure failure = {0};
  const char *at = strstr(made.text, begin);
  cr_assert_not_null(at);
  at += strlen(begin);
  made.data = arena_text(&made.memory, at, (size_t)(strstr(at, "</script>") - at));
  const json_node *root = NULL;
  cr_assert(json_parse(made.data, &made.memory, &root, &failure), "%s", failure.what);
  made.runs = json_get(root, "runs");
  return made;
}

static void page_free(page *self) {
  arena_release(&self->memory);
  free(self->text);
}

static const json_node *run_named(const page *self, const char *name) {
  const json_node *run = self->runs->first;
  while (run != NULL && strcmp(json_text(run, "name"), name) != 0)
    run = run->next;
  cr_assert_not_null(run, "no run '%s'", name);
  return run;
}

static unsigned value_of(char digit) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  return (unsigned)(strchr(digits, digit) - digits);
}

typedef struct list {
  size_t n;
  double *values;
} list;

/* Bytes of a float or double, which come in the order of this machine. */
static list decode(const json_node *array) {
  const bool is_single = json_text(array, "f4") != NULL;
  const char *text = json_text(array, is_single ? "f4" : "f8");
  cr_assert_not_null(text);
  const size_t length = strlen(text);
  const size_t size =
      length / 4 * 3 - (length > 0 && text[length - 1] == '=') - (length > 0 && text[length - 2] == '=');
  unsigned char *bytes = malloc(length / 4 * 3 + 1);
  for (size_t i = 0; i < length; i += 4) {
    unsigned word = 0;
    for (size_t k = 0; k < 4; k++)
      word = word << 6 | (text[i + k] == '=' ? 0 : value_of(text[i + k]));
    for (size_t k = 0; k < 3; k++)
      bytes[i / 4 * 3 + k] = (unsigned char)(word >> (16 - 8 * k));
  }
  list made = {.n = size / (is_single ? sizeof(float) : sizeof(double))};
  made.values = malloc((made.n + 1) * sizeof *made.values);
  for (size_t i = 0; i < made.n; i++) {
    float single = 0;
    if (is_single)
      memcpy(&single, bytes + i * sizeof single, sizeof single);
    else
      memcpy(&made.values[i], bytes + i * sizeof(double), sizeof(double));
    if (is_single)
      made.values[i] = (double)single;
  }
  free(bytes);
  return made;
}

static const json_node *column_named(const json_node *run, const char *name) {
  const json_node *at = json_get(run, "columns")->first;
  while (at != NULL && strcmp(json_text(at, "name"), name) != 0)
    at = at->next;
  cr_assert_not_null(at, "no column '%s'", name);
  return at;
}

static list column_of(const json_node *run, const char *name, const char *what) {
  return decode(json_get(column_named(run, name), what));
}

static list pose_of(const json_node *run, size_t body, const char *coordinate) {
  const json_node *at = json_get(json_get(run, "frames"), "bodies")->first;
  for (; body > 0; body--)
    at = at->next;
  return decode(json_get(at, coordinate));
}

static size_t count(const char *text, const char *part) {
  size_t n = 0;
  for (const char *at = strstr(text, part); at != NULL; at = strstr(at + 1, part))
    n++;
  return n;
}

static void expect_done(outcome result) {
  expect_success(result);
  outcome_free(&result);
}

static void replace(const char *path, const char *old, const char *new) {
  char *text = read_text(path);
  char *at = strstr(text, old);
  cr_assert_not_null(at, "%s", old);
  char *made = malloc(strlen(text) + strlen(new) + 1);
  sprintf(made, "%.*s%s%s", (int)(at - text), text, new, at + strlen(old));
  write_text(path, made);
  free(made);
  free(text);
}

static void expect_exit(outcome result, int exit_status) {
  cr_expect_eq(result.exit_status, exit_status, "%d: %s", result.exit_status, result.err);
  outcome_free(&result);
}

static double extreme(const list *values, double sign) {
  double largest = -INFINITY;
  for (size_t i = 0; i < values->n; i++)
    largest = fmax(largest, sign * values->values[i]);
  return sign * largest;
}

/* ---- The page ---- */

/* The four-bar with all that its file says. dygraphs can load data by XMLHttpRequest, which the policy forbids. */
Test(report, the_page_of_the_four_bar_is_self_contained_and_small) {
  static const char *const loads[] = {
      " src=",   "@import", "url(", "fetch(", "importScripts", "WebSocket", "<link rel=\"stylesheet\"",
      "<iframe", "<img"};
  expect_done(SEAM("report", "four_bar_bushing", "-o", "four_bar.html"));
  struct stat found;
  cr_assert_eq(stat("four_bar.html", &found), 0);
  cr_expect_lt(found.st_size, 2000000);
  char *text = read_text("four_bar.html");
  for (size_t i = 0; i < sizeof loads / sizeof *loads; i++)
    cr_expect_not(has(text, loads[i]), "%s", loads[i]);
  cr_expect(has(text, "default-src 'none'"), "the browser is asked to load nothing");
  cr_expect_not(has(text, "@{"), "all slots are filled");
  cr_expect(has(text, "Permission is hereby granted"), "the licence of dygraphs");
  cr_expect(has(text, "seam report four_bar_bushing -o four_bar.html"));
  cr_expect(has(text, "Planar four-bar mechanism whose middle bar"), "the model file, with its comments");
  cr_expect(has(text, "interpolated, not checked"));
  free(text);
}

Test(report, the_same_runs_give_the_same_bytes) {
  expect_done(SEAM("report", "double_pendulum", "--end", "0.5", "-o", "a.html"));
  expect_done(SEAM("report", "results/double_pendulum/report-end=0.5", "-o", "b.html"));
  expect_done(SEAM("report", "results/double_pendulum/report-end=0.5", "-o", "b.html"));
  page a = page_read("a.html");
  page b = page_read("b.html");
  cr_expect_str_eq(a.data, b.data);
  page_free(&a);
  page_free(&b);
}

/* The rods of the four-bar are one metre long: their pins coincide in what is drawn. */
Test(report, drawn_poses_close_the_joints) {
  expect_done(SEAM("report", "four_bar_fixed", "--end", "1", "-o", "x.html"));
  page made = page_read("x.html");
  const json_node *run = run_named(&made, "monolithic");
  list q[6];
  for (size_t i = 0; i < 6; i++)
    q[i] = pose_of(run, i / 3, (const char *const[]){"x", "y", "phi"}[i % 3]);
  cr_assert_eq(q[0].n, 101);
  double largest = 0;
  for (size_t k = 0; k < q[0].n; k++) {
    const double pin[2] = {q[0].values[k] + cos(q[2].values[k]) / 2, q[1].values[k] + sin(q[2].values[k]) / 2};
    const double other[2] = {q[3].values[k] - cos(q[5].values[k]) / 2, q[4].values[k] - sin(q[5].values[k]) / 2};
    largest = fmax(largest, hypot(pin[0] - other[0], pin[1] - other[1]));
  }
  cr_expect_lt(largest, 1e-6, "single precision");
  for (size_t i = 0; i < 6; i++)
    free(q[i].values);
  page_free(&made);
}

Test(report, columns_are_those_of_the_tables) {
  expect_done(SEAM("report", "four_bar_bushing", "--end", "1", "-o", "x.html"));
  page made = page_read("x.html");
  csv cut = csv_read("results/four_bar_bushing/report-end=1/ff-k1/trajectory.csv");
  csv couplings = csv_read("results/four_bar_bushing/report-end=1/ff-k1/couplings.csv");
  csv whole = csv_read("results/four_bar_bushing/report-end=1/monolithic/trajectory.csv");
  const json_node *run = run_named(&made, "ff-k1");
  list omega = column_of(run, "bar3.omega", "values");
  list lambda = column_of(run, "M.lambda_x", "values");
  list difference = column_of(run, "bar3.omega", "difference");
  cr_assert_eq(omega.n, cut.n_rows);
  cr_assert_eq(lambda.n, couplings.n_rows);
  for (size_t k = 0; k < cut.n_rows; k++) {
    const double value = csv_at(&cut, k, "bar3.omega");
    const double apart = value - csv_at(&whole, k, "bar3.omega");
    cr_expect_float_eq(omega.values[k], value, 1e-7 * fabs(value));
    cr_expect_float_eq(difference.values[k], apart, 1e-7 * fabs(apart), "formed before digits are lost");
  }
  for (size_t k = 0; k < couplings.n_rows; k++)
    cr_expect_float_eq(lambda.values[k], csv_at(&couplings, k, "M.lambda_x"), 1e-6);
  cr_expect_str_eq(json_text(column_named(run, "M.lambda_x"), "unit"), "N");
  cr_expect_str_eq(json_text(column_named(run, "A.fx"), "unchecked"), "interpolated, not checked");
  cr_expect_null(json_text(column_named(run, "bar1.x"), "unchecked"));
  cr_expect_null(json_get(column_named(run_named(&made, "monolithic"), "bar1.x"), "difference"));
  free(omega.values);
  free(lambda.values);
  free(difference.values);
  csv_free(&cut);
  csv_free(&couplings);
  csv_free(&whole);
  page_free(&made);
}

/* What measures make of forces between macro points is not checked either. */
Test(report, measures_are_known_as_such) {
  outcome printed = expect_success(SEAM("models", "four_bar_bushing"));
  char *model = malloc(strlen(printed.out) + 128);
  cr_assert_not_null(model);
  sprintf(model, "%s\nmeasures:\n  half: bar2.x/2\n  pull: {expression: A.fx - 1, unit: N}\n", printed.out);
  write_text("m.yaml", model);
  expect_done(SEAM("report", "m.yaml", "--end", "0.1", "-o", "x.html"));
  page made = page_read("x.html");
  const json_node *run = run_named(&made, "ff-k1");
  cr_expect_not_null(json_get(column_named(run, "half"), "isMeasure"));
  cr_expect_null(json_get(column_named(run, "bar2.x"), "isMeasure"));
  cr_expect_not_null(json_text(column_named(run, "pull"), "unchecked"));
  cr_expect_null(json_text(column_named(run_named(&made, "monolithic"), "pull"), "unchecked"));
  page_free(&made);
  outcome_free(&printed);
  free(model);
}

/* A body at 2 m/s covers 1 m in 0.5 s, which its mean shows; an uncertainty that is null is unknown. */
Test(report, figures_over_the_run_are_those_of_the_summary) {
  write_text("m.yaml", "seam: 1\nname: m\nbodies:\n  a: {mass: 1, inertia: 1, at: [0, 0], velocity: [2, 0]}\n"
                       "measures:\n  way: {expression: a.x, unit: m, over_run: [max, mean, integral]}\n"
                       "simulate: {end: 0.5, output_step: 0.1}\n");
  expect_done(SEAM("run", "m.yaml", "-o", "r"));
  expect_done(SEAM("report", "r", "-o", "x.html"));
  char *text = read_text("x.html");
  cr_expect(has(text, "<tr><th scope=\"row\">way</th><td>max</td><td class=\"number\">1</td><td>m</td><td "
                      "class=\"number\">0.5</td>"));
  cr_expect(has(text, "<td>mean</td><td class=\"number\">0.5</td><td>m</td><td class=\"number\"></td>"));
  cr_expect(has(text, "<td>integral</td><td class=\"number\">0.25</td><td>m s</td>"));
  cr_expect_not(has(text, ">unknown</td>"));
  free(text);
  replace("r/summary.json", "\"uncertainty\": ", "\"uncertainty\": null, \"was\": ");
  expect_done(SEAM("report", "r", "-o", "x.html"));
  text = read_text("x.html");
  cr_expect_eq(count(text, ">unknown</td>"), 1);
  free(text);
}

/* Above all else, as the summaries of the runs have it. */
Test(report, the_error_of_each_run_stands_at_the_top) {
  expect_done(SEAM("report", "four_bar_bushing", "--end", "1", "--schemes", "ff-k0,ff-k1", "-o", "x.html"));
  char *text = read_text("x.html");
  const char *table = strstr(text, "<table id=\"verdicts\">");
  cr_assert_not_null(table);
  cr_expect(table < strstr(text, "id=\"motion\""));
  cr_expect_eq(count(text, "<span class=\"badge\">accurate</span></td>"), 3);
  for (int i = 0; i < 2; i++) {
    char path[80], row[200];
    const char *name = i == 0 ? "ff-k0" : "ff-k1";
    snprintf(path, sizeof path, "results/four_bar_bushing/report-end=1/%s/summary.json", name);
    const double share = json_number_at(path, "/verdict/error/of_travel");
    snprintf(row, sizeof row,
             "<a href=\"#runs\">%s</a></th><td><span class=\"badge\">accurate</span></td><td "
             "class=\"number\">%.2g&nbsp;%%</td>",
             name, 100 * share);
    cr_expect(has(table, row), "%s", row);
  }
  free(text);
}

/* Ends of elements and what they are called; the ground does not move. */
Test(report, points_that_leave_trails_have_names) {
  expect_done(SEAM("report", "four_bar_bushing", "--end", "0.1", "-o", "x.html"));
  page made = page_read("x.html");
  static const char *const names[] = {"A", "P", "Q", "B", "M at bar2", "M at bar3"};
  const json_node *at = json_get(run_named(&made, "monolithic"), "points")->first;
  size_t n = 0;
  for (; at != NULL; at = at->next, n++)
    cr_expect(n < 6 && strcmp(json_text(at, "name"), names[n]) == 0 && json_value(at, "body") >= 0, "%s",
              json_text(at, "name"));
  cr_expect_eq(n, 6);
  page_free(&made);
}

/* Arrows begin where the bushing is: half a metre along each of its bars. */
Test(report, equations_and_events_are_listed_with_their_text) {
  expect_done(SEAM("report", "motor_slider_crank", "--end", "0.02", "--set",
                   "events={fast: crank.omega > 1, late: {when: t > 0.01}}", "-o", "page.html"));
  char *text = read_text("page.html");
  const char *section = strstr(text, "<section id=\"equations\"");
  cr_assert_not_null(section);
  cr_expect_not_null(strstr(section, "<th scope=\"row\">motor</th><td>rates</td><td>i</td><td><code>(U - R*i - "
                                     "k*omega)/L</code></td>"));
  cr_expect_not_null(
      strstr(section, "<th scope=\"row\">fast</th><td></td><td></td><td><code>crank.omega &gt; 1</code>"));
  cr_expect_not_null(strstr(section, "<td>when</td><td></td><td><code>t &gt; 0.01</code>"));
  cr_expect_null(strstr(section, "<th scope=\"row\">mechanism</th>"), "it has bodies");
  free(text);
}

Test(report, forces_act_at_the_markers_of_the_cut) {
  expect_done(SEAM("report", "four_bar_bushing", "--end", "0.1", "-o", "x.html"));
  page made = page_read("x.html");
  const json_node *cut = json_get(run_named(&made, "ff-k1"), "cuts")->first;
  cr_expect_str_eq(json_text(cut, "name"), "M");
  const json_node *end = json_get(cut, "ends")->first;
  cr_expect_eq(json_value(end, "body"), 1);
  cr_expect_float_eq(json_get(end, "at")->first->number, 0.5, 1e-12);
  cr_expect_eq(json_value(end->next, "body"), 2);
  cr_expect_float_eq(json_get(end->next, "at")->first->number, -0.5, 1e-12);
  cr_expect_null(json_get(run_named(&made, "monolithic"), "cuts")->first);
  page_free(&made);
}

Test(report, long_tables_keep_their_extremes_and_say_that_rows_are_missing) {
  expect_done(SEAM("report", "double_pendulum", "--end", "5", "--output-step", "1e-4", "-o", "x.html"));
  page made = page_read("x.html");
  const json_node *run = run_named(&made, "monolithic");
  csv whole = csv_read("results/double_pendulum/report-end=5-output_step=1e-4/monolithic/trajectory.csv");
  cr_assert_eq(whole.n_rows, 50001);
  cr_expect_eq(json_value(column_named(run, "link2.vx"), "rows"), 50001);
  cr_expect_eq(json_value(json_get(run, "frames"), "rows"), 50001);
  list shown = column_of(run, "link2.vx", "values");
  list time = column_of(run, "link2.vx", "time");
  cr_expect_lt(shown.n, 5000);
  cr_assert_eq(shown.n, time.n);
  double high = -INFINITY;
  double low = INFINITY;
  for (size_t k = 0; k < whole.n_rows; k++) {
    high = fmax(high, csv_at(&whole, k, "link2.vx"));
    low = fmin(low, csv_at(&whole, k, "link2.vx"));
  }
  cr_expect_float_eq(extreme(&shown, 1), high, 1e-6);
  cr_expect_float_eq(extreme(&shown, -1), low, 1e-6);
  cr_expect_float_eq(time.values[0], 0, 0);
  cr_expect_float_eq(time.values[time.n - 1], 5, 1e-6);
  free(shown.values);
  free(time.values);
  csv_free(&whole);
  page_free(&made);
}

/* ---- Texts of others ---- */

Test(report, texts_of_the_model_and_of_paths_stay_texts) {
  write_text("m.yaml", "# </pre></script><script>alert(1)</script><!-- & 'quoted' \"twice\"\n"
                       "seam: 1\nname: m\nbodies:\n  a: {mass: 1, inertia: 1, at: [0, 0], velocity: [1, 0]}\n"
                       "simulate: {end: 1, output_step: 0.1}\n");
  expect_done(SEAM("report", "m.yaml", "-o", "<script>alert(2).html"));
  char *text = read_text("<script>alert(2).html");
  cr_expect(
      has(text, "&lt;/pre&gt;&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;&lt;!-- &amp; &#39;quoted&#39;"));
  cr_expect_not(has(text, "<script>alert"));
  cr_expect_eq(count(text, "<script"), 3, "the data, dygraphs and the page's own");
  cr_expect_eq(count(text, "</script>"), 3);
  free(text);
  cr_assert_eq(rename("results/m/report/monolithic", "a<b>&\"'"), 0);
  expect_done(SEAM("report", "a<b>&\"'", "-o", "x.html"));
  text = read_text("x.html");
  cr_expect(has(text, "a&lt;b&gt;&amp;&quot;&#39;"));
  cr_expect_not(has(text, "a<b>"));
  free(text);
}

/* ---- What cannot be relied on ---- */

Test(report, its_exit_status_is_that_of_the_worst_run) {
  static const char *const folders[] = {"done", "suspect", "interrupted"};
  for (size_t i = 0; i < 3; i++) {
    char path[64];
    char status[64];
    expect_done(SEAM("run", "double_pendulum", "--end", "0.1", "-o", folders[i]));
    snprintf(path, sizeof path, "%s/summary.json", folders[i]);
    snprintf(status, sizeof status, "\"status\": \"%s\"", folders[i]);
    replace(path, "\"status\": \"done\"", status);
  }
  expect_exit(SEAM("report", "done", "-o", "x.html"), 0);
  expect_exit(SEAM("report", "suspect", "done", "-o", "x.html"), 3);
  expect_exit(SEAM("report", "interrupted", "-o", "x.html"), 1);
  expect_exit(SEAM("report", "done", "interrupted", "suspect", "-o", "x.html"), 1);
}

Test(report, a_wrong_run_is_shown_as_one) {
  expect_done(SEAM("run", "double_pendulum", "--end", "0.5", "-o", "r"));
  expect_done(SEAM("report", "r", "-o", "good.html"));
  char *good = read_text("good.html");
  cr_expect_not(has(good, "Not all of these numbers can be relied on"));
  cr_expect_not(has(good, "<tr class=\"is-bad\">"));
  cr_expect(has(good, "accurate: link"));
  free(good);
  replace("r/summary.json", "\"word\": \"accurate\"", "\"word\": \"wrong\"");
  replace("r/summary.json", "\"message\": \"\"", "\"message\": \"energy is <lost>\"");
  replace("r/summary.json", "\"made\": ", "\"made\": -1e9, \"was\": ");
  expect_exit(SEAM("report", "r", "-o", "bad.html"), 3);
  char *bad = read_text("bad.html");
  cr_expect(has(bad, "Not all of these numbers can be relied on"));
  cr_expect(has(bad, "energy is &lt;lost&gt;"));
  cr_expect(has(bad, "out of bounds"), "whatever the sign of the figure");
  cr_expect(has(bad, "\"name\": \"monolithic (wrong)\""), "its name says it in plots too");
  free(bad);
}

Test(report, a_run_of_version_0_2_keeps_its_word) {
  expect_done(SEAM("run", "double_pendulum", "--end", "0.5", "-o", "r"));
  replace("r/summary.json", "\"status\": \"done\"", "\"status\": \"suspect\"");
  replace("r/summary.json", "\"word\": \"accurate\",", "");
  expect_exit(SEAM("report", "r", "-o", "x.html"), 3);
  char *text = read_text("x.html");
  cr_expect(has(text, "\"name\": \"monolithic (suspect)\""));
  free(text);
}

Test(report, what_was_not_checked_says_so) {
  expect_done(SEAM("run", "double_pendulum", "--end", "0.5", "--check", "never", "-o", "r"));
  expect_done(SEAM("report", "r", "-o", "x.html"));
  char *text = read_text("x.html");
  cr_expect(has(text, "not checked: it was not asked for"));
  cr_expect(has(text, "<td>not checked</td>"));
  free(text);
}

static double box_width(const json_node *run) {
  const json_node *low = json_get(json_get(run, "scene"), "box")->first;
  return low->next->first->number - low->first->number;
}

/* A disc hangs on a rod by a spring, which the cut makes unstable: it flies away. The picture is about the mechanism,
 * and the page says when the disc leaves it. */
static const char *const swing =
    "seam: 1\nname: swing\ngravity: [0, -9.81]\n"
    "points: {A: [0, 0], B: [1, 0], C: [1, -0.5]}\n"
    "bodies:\n  rod: {rod: [A, B], mass: 1}\n  disc: {mass: 0.5, inertia: 0.01, at: C}\n"
    "joints:\n  A: {type: revolute, bodies: [ground, rod], at: A}\n"
    "forces:\n  spring: {type: spring_damper, bodies: [rod, disc], at: [B, C], stiffness: 200, damping: 0.5}\n"
    "simulate: {end: 3, output_step: 0.01}\n"
    "cosim: {subsystems: {above: [rod], below: [disc]}, macro_step: 0.5, scheme: ff-k1}\n";

Test(report, a_run_that_goes_astray_does_not_set_the_size) {
  write_text("swing.yaml", swing);
  outcome result = SEAM("report", "swing.yaml", "-o", "x.html");
  cr_assert(result.exit_status == 3 || result.exit_status == 1, "%s", result.err);
  outcome_free(&result);
  page made = page_read("x.html");
  const json_node *whole = made.runs->first;
  const json_node *cut = whole->next;
  list x = pose_of(cut, 1, "x");
  const double astray = json_value(cut, "astray");
  const double units = json_value(json_get(cut, "scene"), "unit") / json_value(json_get(whole, "scene"), "unit");
  cr_expect_gt(extreme(&x, 1) - extreme(&x, -1), 10 * box_width(whole), "it does go astray");
  cr_expect_lt(box_width(cut), 4 * box_width(whole));
  cr_expect(units > 0.5 && units < 4, "symbols of %g times the size", units);
  cr_expect(astray > 0 && astray <= json_value(cut, "end"), "%g", astray);
  cr_expect_null(json_get(whole, "astray"));
  free(x.values);
  page_free(&made);
  result = SEAM("report", "results/swing/report/ff-k1", "-o", "alone.html");
  outcome_free(&result);
  made = page_read("alone.html");
  cr_expect_not(isnan(json_value(made.runs->first, "astray")));
  page_free(&made);
}

/* base64 of "<?xml". */
Test(report, studies_show_their_pictures) {
  expect_done(SEAM("converge", "four_bar_bushing", "--quiet", "--end", "0.05", "--schemes", "ff-k1", "--macro-steps",
                   "4e-3:2e-3:2", "--report", "-o", "c"));
  char *text = read_text("c/report.html");
  const char *picture = strstr(text, "src=\"data:image/svg+xml;base64,PD94bW");
  cr_expect(!file_exists("c/converge.svg") || (picture != NULL && picture < strstr(text, "<section id=\"studies\">")));
  free(text);
}

Test(report, studies_of_another_model_are_marked) {
  expect_done(
      SEAM("run", "four_bar_bushing", "--check", "never", "--quiet", "--set", "simulate.end=0.1", "-o", "all/run"));
  for (int i = 0; i < 2; i++)
    expect_done(SEAM("compare", "four_bar_bushing", "--quiet", "--end", "0.1", "-o", i == 0 ? "all/same" : "all/soft",
                     "--set", i == 0 ? "parameters.c=1e3" : "parameters.c=5e2"));
  expect_done(SEAM("report", "all", "-o", "x.html"));
  char *text = read_text("x.html");
  cr_expect_eq(count(text, "Of another model</strong> than the run monolithic: "), 2, "of compare.csv and errors.csv");
  cr_expect(has(text, "(500, was 1000)"));
  free(text);
}

/* An unstable scheme keeps the picture of the whole, and is marked in the table. */
Test(report, compare_shows_unstable_schemes_as_such) {
  outcome result = SEAM("compare", "four_bar_bushing", "--schemes", "ff-k1,ff-k2-explicit", "--macro-step", "0.02",
                        "--end", "1", "--report", "-o", "c");
  cr_expect_eq(result.exit_status, 0, "%s", result.err);
  cr_expect(has(result.wrote, "c/report.html\n"), "%s", result.wrote);
  outcome_free(&result);
  page made = page_read("c/report.html");
  cr_expect_str_eq(json_text(made.runs->first, "name"), "monolithic");
  cr_expect_not_null(run_named(&made, "ff-k2-explicit (unstable)"));
  cr_expect(has(made.text, "<h2>Comparison</h2>"));
  cr_expect(has(made.text, "<tr class=\"is-bad\"><td>ff-k2-explicit</td>"));
  cr_expect(has(made.text, "Not all of these numbers can be relied on"));
  page_free(&made);
}

Test(report, studies_are_shown_without_runs) {
  expect_done(SEAM("converge", "four_bar_bushing", "--schemes", "ff-k1", "--macro-steps", "1e-2:2.5e-3:3", "--end",
                   "0.5", "--report", "-o", "c"));
  expect_done(SEAM("stability", "model", "four_bar_bushing", "--schemes", "ff-k1", "--report", "-o", "s"));
  char *text = read_text("c/report.html");
  cr_expect(has(text, "<h2>Convergence</h2>"));
  cr_expect(has(text, "<h2>Orders</h2>"));
  cr_expect(has(text, "\"runs\": ["));
  free(text);
  text = read_text("s/report.html");
  cr_expect(has(text, "<h2>Stability</h2>"));
  char *points = read_text("s/stability.csv");
  cr_expect_eq(count(text, "<tr class=\"is-bad\">"), count(points, ",unstable,"));
  cr_expect_gt(count(points, ",stable,"), 0);
  free(points);
  free(text);
}

/* ---- What is refused ---- */

static void expect_refused(outcome result, const char *message) {
  cr_expect_eq(result.exit_status, 2, "%s", result.err);
  cr_expect(has(result.err, message), "'%s' is not in: %s", message, result.err);
  cr_expect_not(file_exists("x.html"), "nothing is written");
  outcome_free(&result);
}

Test(report, inputs_that_are_missing_are_named) {
  cr_assert_eq(mkdir("empty", 0777), 0);
  expect_refused(SEAM("report", "empty", "-o", "x.html"),
                 "empty: error: there are no results in it; give a folder that");
  expect_refused(SEAM("report", "four_bar_fixd", "-o", "x.html"), "did you mean 'four_bar_fixed'");
  expect_refused(SEAM("report", "four_bar_fixed", "empty", "-o", "x.html"),
                 "'four_bar_fixed' is not a folder of results");
  expect_refused(SEAM("report", "empty", "--schemes", "ff-k1", "-o", "x.html"), "are for runs of a MODEL");
  expect_refused(SEAM("report", "four_bar_bushing", "--schemes", "ff-k9", "-o", "x.html"), "ff-k9");
  expect_refused(SEAM("report", "results/nope", "-o", "x.html"),
                 "seam: 'results/nope' is neither a folder of results nor a file nor a model of the catalogue");
  write_text("file", "");
  expect_refused(SEAM("report", "double_pendulum", "--end", "0.1", "--quiet", "-o", "file/x.html"),
                 "file: this is not a directory");
  cr_expect_not(file_exists("results/double_pendulum/report/monolithic/summary.json"), "it ran for nothing");
}

Test(report, runs_of_other_mechanisms_are_refused) {
  expect_done(SEAM("run", "double_pendulum", "--end", "0.1", "-o", "a"));
  expect_done(SEAM("run", "slider_crank", "--end", "0.1", "-o", "b"));
  expect_done(SEAM("run", "double_pendulum", "--end", "0.1", "--set", "bodies.link1.mass=3", "-o", "c"));
  expect_refused(SEAM("report", "a", "b", "-o", "x.html"),
                 "b: error: this mechanism differs from that of a: it has a body '");
  expect_done(SEAM("report", "a", "c", "-o", "y.html"));
}

Test(report, broken_results_are_refused) {
  expect_done(SEAM("run", "double_pendulum", "--end", "0.5", "-o", "r"));
  char *summary = read_text("r/summary.json");
  char *table = read_text("r/trajectory.csv");
  replace("r/summary.json", "\"rows\": 51", "\"rows\": 52");
  expect_refused(SEAM("report", "r", "-o", "x.html"), "has 51 rows, but 52 in summary.json beside it");
  write_text("r/summary.json", "{}");
  expect_refused(SEAM("report", "r", "-o", "x.html"), "summary.json has no verdict; run the model again");
  write_text("r/summary.json", "{");
  expect_refused(SEAM("report", "r", "-o", "x.html"), "not JSON");
  cr_assert_eq(remove("r/summary.json"), 0);
  expect_refused(SEAM("report", "r", "-o", "x.html"),
                 "there is no summary.json, probably because the run has not ended");
  write_text("r/summary.json", summary);
  replace("r/trajectory.csv", "\n0.1,", "\n0.3,");
  expect_refused(SEAM("report", "r", "-o", "x.html"), "its times do not increase");
  write_text("r/trajectory.csv", table);
  replace("r/trajectory.csv", "\n0.1,", "\n0.1,nan,");
  expect_refused(SEAM("report", "r", "-o", "x.html"), "trajectory.csv:12");
  free(summary);
  free(table);
}
