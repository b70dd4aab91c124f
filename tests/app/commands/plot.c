/* Pictures of results: scripts of known tables, gnuplot's files, what is refused. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tests/support/command.h"

TestSuite(plot, .init = enter_scratch, .fini = leave_scratch);

static const char *const table = "time,disc.x,disc.y,disc.omega,rod.x\n"
                                 "0,1,-0.5,0,0.5\n"
                                 "0.5,1.5,-1,2,0.25\n"
                                 "1,1,0.25,-2,0.125\n";

/* Columns of the fixtures: name, element, quantity, unit. */
static const char *const known[][4] = {{"time", "time", "", "s"},
                                       {"disc.x", "disc", "x", "m"},
                                       {"disc.y", "disc", "y", "m"},
                                       {"disc.omega", "disc", "omega", "rad/s"},
                                       {"rod.x", "rod", "x", "m"}};

static void add_column(char *text, const char *name, size_t length) {
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (strlen(known[i][0]) == length && strncmp(known[i][0], name, length) == 0)
      sprintf(text + strlen(text),
              "\"%s\": {\"element\": \"%s\", \"quantity\": \"%s\", \"unit\": \"%s\", \"meaning\": \"\"}", known[i][0],
              known[i][1], known[i][2], known[i][3]);
}

/* A summary of these rows: of a run that ended so, of a model with this parameter. */
static void write_summary(const char *folder, const char *rows, const char *status, int k) {
  char path[64];
  char text[4096] = "{\"columns\": {\"trajectory\": {";
  size_t n_rows = 0;
  for (const char *at = strchr(rows, '\n') + 1; *at != '\0'; at = strchr(at, '\n') + 1)
    n_rows++;
  for (const char *at = rows; *at != '\n'; at += *at == ',') {
    const size_t length = strcspn(at, ",\n");
    add_column(text, at, length);
    at += length;
    sprintf(text + strlen(text), "%s", *at == ',' ? ", " : "");
  }
  sprintf(text + strlen(text),
          "}},\n\"verdict\": {\"status\": \"%s\", \"message\": \"energy is lost\", \"rows\": %zu},\n"
          "\"cosim\": {\"macro_step\": 0.001, \"couplings\": {\"spring\": {\"scheme\": \"ff-k1\"}}},\n"
          "\"model\": {\"name\": \"swing_2\", \"parameters\": {\"L\": 1, \"k\": %d}}}\n",
          status, n_rows, k);
  snprintf(path, sizeof path, "%s/summary.json", folder);
  write_text(path, text);
}

static void write_results(const char *folder, const char *rows) {
  char path[64];
  mkdir(folder, 0777);
  snprintf(path, sizeof path, "%s/trajectory.csv", folder);
  write_text(path, rows);
  write_summary(folder, rows, "done", 200);
}

static void expect_in_script(const char *path, const char *const parts[]) {
  char *script = read_text(path);
  for (; *parts != NULL; parts++)
    cr_expect(has(script, *parts), "'%s' is not in: %s", *parts, strstr(script, "$curve"));
  free(script);
}
#define EXPECT_IN_SCRIPT(path, ...) expect_in_script(path, (const char *const[]){__VA_ARGS__, NULL})

static void expect_done(outcome result) {
  result = expect_success(result);
  cr_expect_str_empty(result.out);
  cr_expect_str_empty(result.err);
  outcome_free(&result);
}

static void expect_refused(outcome result, const char *message) {
  cr_expect_eq(result.exit_status, 2);
  cr_expect_str_eq(result.err, message);
  outcome_free(&result);
}

/* ---- Scripts ---- */

Test(plot, columns_over_time_in_a_panel_for_each_unit) {
  write_results("out", table);
  expect_done(SEAM("plot", "out", "disc.x", "rod.x", "disc.omega", "-o", "p.gp"));
  EXPECT_IN_SCRIPT("p.gp", "$curve0_0 << END\n0 1\n0.5 1.5\n1 1\nEND\n",
                   "$curve0_1 << END\n0 0.5\n0.5 0.25\n1 0.125\nEND\n", "$curve1_0 << END\n0 0\n0.5 2\n1 -2\nEND\n");
  EXPECT_IN_SCRIPT("p.gp", "set xrange [0:1]", "$curve1_0 using 1:2");
  cr_expect_not(file_exists("p.png"));
  expect_done(SEAM("plot", "out/", "disc.x", "rod.x", "disc.omega", "-o", "p.svg"));
  EXPECT_IN_SCRIPT("p.gp", "set multiplot layout 2,1", "'{/:Bold swing\\_2, ff-k1, }{/:Italic H}{/:Bold  = 0.001 s}'",
                   "'L = 1, k = 200'", "set xlabel '{/:Italic t} / s'", "set ylabel '{/:Italic x} / m'",
                   "title '{/:Italic x}_{disc}'", "title '{/:Italic x}_{rod}'",
                   "set ylabel '{/:Italic ω}_{disc} / (rad/s)'", "set xrange [0:1]");
}

/* The first of a name has it; another axis has no times. */
Test(plot, events_of_one_run_are_marked_over_time) {
  write_results("swing", table);
  write_text("swing/events.csv", "event,direction,time,disc.x\n"
                                 "low,falling,0.25,1\n"
                                 "high,rising,0.5,2\n"
                                 "low,falling,0.75,1\n");
  outcome result = SEAM("plot", "swing", "disc.x", "disc.omega", "-o", "over_time.gp");
  cr_expect_eq(result.exit_status, 0, "%s", result.err);
  outcome_free(&result);
  char *script = read_text("over_time.gp");
  cr_expect(has(script, "set arrow from first 0.25, graph 0 to first 0.25, graph 1 nohead"), "%s", script);
  cr_expect(has(script, "set label 'high' at first 0.5, graph 0.98 right rotate by 90"), "%s", script);
  cr_expect(has(script, "set arrow from first 0.75, "), "%s", script);
  cr_expect_not(has(script, "set label 'low' at first 0.75"), "%s", script);
  free(script);
  write_text("swing/events.csv", "event,direction,impulse,friction_impulse,energy_lost,time,disc.x\n"
                                 "high,rising,,,,0.5,2\n"
                                 "floor,impact,3,0.5,2,0.75,1\n");
  result = SEAM("plot", "swing", "disc.x", "disc.omega", "-o", "over_time.gp");
  outcome_free(&result);
  script = read_text("over_time.gp");
  cr_expect(has(script, "set label 'high' at first 0.5, "), "%s", script);
  cr_expect(has(script, "set label 'floor' at first 0.75, "), "%s", script);
  free(script);
  result = SEAM("plot", "swing", "disc.y", "--over", "disc.x", "-o", "over.gp");
  outcome_free(&result);
  script = read_text("over.gp");
  cr_expect_not(has(script, "set arrow"), "%s", script);
  free(script);
  write_text("swing/events.csv", "time,event\n");
  result = SEAM("plot", "swing", "disc.x", "-o", "over_time.gp");
  cr_expect_eq(result.exit_status, 2);
  cr_expect(has(result.err, "swing/events.csv: error: this is not a table of events"), "%s", result.err);
  outcome_free(&result);
}

Test(plot, a_column_over_another) {
  write_results("out", table);
  expect_done(SEAM("plot", "out", "disc.y", "--over", "disc.x", "-o", "new/folder/p.svg"));
  EXPECT_IN_SCRIPT("new/folder/p.gp", "$curve0_0 << END\n1 -0.5\n1.5 -1\n1 0.25\nEND\n",
                   "set xlabel '{/:Italic x}_{disc} / m'", "set ylabel '{/:Italic y}_{disc} / m'");
}

/* A path that is three times as high as wide: two labels of five letters stand side by side below it. */
Test(plot, labels_of_a_narrow_picture_have_room) {
  write_results("out", "time,disc.x,disc.y\n0,0.1001,0\n1,0.1041,0.02\n");
  expect_done(SEAM("plot", "out", "disc.y", "--over", "disc.x", "-o", "p.svg"));
  EXPECT_IN_SCRIPT("p.gp", "set xtics 0.1,0.004\n");
  write_results("out", "time,disc.x,disc.y\n0,0.1001,0\n1,0.1041,0.002\n");
  expect_done(SEAM("plot", "out", "disc.y", "--over", "disc.x", "-o", "wide.svg"));
  EXPECT_IN_SCRIPT("wide.gp", "set xtics 0.001\n");
}

Test(plot, several_results_beside_each_other) {
  write_results("one", table);
  write_results("other", "time,disc.x\n0,1\n2,3\n");
  expect_done(SEAM("plot", "one", "other/trajectory.csv", "disc.x", "-o", "p.svg"));
  EXPECT_IN_SCRIPT("p.gp", "$curve0_0 << END\n0 1\n0.5 1.5\n1 1\nEND\n", "$curve0_1 << END\n0 1\n2 3\nEND\n",
                   "title 'one'", "title 'trajectory'", "set xrange [0:2]");
}

Test(plot, differences) {
  write_results("one", table);
  write_results("other", "disc.x,time\n0.5,0\n1,0.5000000000000001\n");
  outcome result = expect_success(SEAM("plot", "one", "disc.x", "--minus", "other", "-o", "p.svg"));
  cr_expect_str_eq(result.err, "note: differences end with the run that ends first\n");
  outcome_free(&result);
  EXPECT_IN_SCRIPT("p.gp", "$curve0_0 << END\n0 0.5\n0.5 0.5\nEND\n", "set ylabel 'Δ{/:Italic x}_{disc} / m'");
}

Test(plot, logarithms_are_those_of_magnitudes) {
  write_results("out", table);
  outcome result = expect_success(SEAM("plot", "out", "disc.y", "disc.omega", "--log", "xy", "-o", "p.svg"));
  cr_expect_str_eq(result.err, "note: 2 points have no logarithm and are not drawn\n");
  outcome_free(&result);
  result = expect_success(SEAM("plot", "out", "disc.omega", "--log", "y", "-o", "one.svg"));
  cr_expect_str_eq(result.err, "note: 1 point has no logarithm and is not drawn\n");
  outcome_free(&result);
  EXPECT_IN_SCRIPT("p.gp", "$curve0_0 << END\n0.5 1\n1 0.25\nEND\n", "$curve1_0 << END\n0.5 2\n1 2\nEND\n",
                   "set logscale x\n", "set logscale y\n", "set ylabel '|{/:Italic y}_{disc}| / m'");
}

/* Parameters: what all share is in the title, what distinguishes runs in the legend. */
Test(plot, runs_of_other_parameters_are_distinguished) {
  write_results("soft", table);
  write_results("stiff", table);
  write_summary("stiff", table, "done", 3000);
  expect_done(SEAM("plot", "soft", "stiff", "disc.y", "-o", "p.svg"));
  EXPECT_IN_SCRIPT("p.gp", "'L = 1'", "title 'soft (k = 200)'", "title 'stiff (k = 3000)'");
  expect_done(SEAM("plot", "soft", "disc.y", "--minus", "stiff", "-o", "p.svg"));
  EXPECT_IN_SCRIPT("p.gp", "'L = 1'", "title 'soft (k = 200) − stiff (k = 3000)'");
}

Test(plot, runs_that_are_not_done_are_marked) {
  static const char *const marks[][2] = {{"suspect", "suspect"},
                                         {"interrupted", "interrupted"},
                                         {"the co-simulation became unstable", "unstable"},
                                         {"the integrator's step size became too small", "failed"}};
  write_results("good", table);
  write_results("bad", table);
  for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
    char said[128];
    char title[128];
    write_summary("bad", table, marks[i][0], 200);
    outcome result = expect_success(SEAM("plot", "good", "bad", "disc.y", "-o", "p.svg"));
    snprintf(said, sizeof said, "note: bad is %s; its run said 'energy is lost'\n", marks[i][1]);
    cr_expect_str_eq(result.err, said);
    snprintf(title, sizeof title, "title 'bad (%s)'", marks[i][1]);
    EXPECT_IN_SCRIPT("p.gp", "title 'good'", title);
    outcome_free(&result);
  }
  outcome result = expect_success(SEAM("plot", "bad", "disc.y", "-o", "p.svg"));
  EXPECT_IN_SCRIPT("p.gp", "{/:Bold  = 0.001 s, failed}");
  outcome_free(&result);
  cr_assert_eq(remove("bad/summary.json"), 0);
  result = expect_success(SEAM("plot", "bad", "disc.y", "-o", "p.svg"));
  cr_expect(has(result.err, "note: bad has no summary.json; its run did not end"), "%s", result.err);
  outcome_free(&result);
}

static bool gnuplot_exists(void) { return system("command -v gnuplot >/dev/null 2>&1") == 0; }

/* Text of users reaches gnuplot in single quotes, where nothing is executed. */
Test(plot, names_are_not_executed) {
  write_text("a'`touch ran`.csv", "time,it's_`touch ran`\n0,1\n1,2\n");
  expect_done(SEAM("plot", "a'`touch ran`.csv", "it's_`touch ran`", "-o", "p'`touch ran`.svg"));
  cr_expect_not(file_exists("ran"));
  EXPECT_IN_SCRIPT("p'`touch ran`.gp", "set ylabel 'it''s\\_`touch ran`'", "set output 'plot.svg'");
  cr_expect(file_exists("p'`touch ran`.svg") || !gnuplot_exists());
}

/* ---- gnuplot ---- */

static void expect_begins(const char *path, const char *bytes, size_t n) {
  char found[8] = "";
  FILE *file = fopen(path, "rb");
  cr_assert_not_null(file, "%s", path);
  cr_expect_eq(fread(found, 1, n, file), n);
  cr_expect_eq(memcmp(found, bytes, n), 0, "%s", path);
  fclose(file);
}

Test(plot, pictures_in_all_formats) {
  write_results("out", table);
  expect_done(SEAM("plot", "out", "disc.x"));
  expect_done(SEAM("plot", "out", "disc.x", "-o", "out/a.svg"));
  expect_done(SEAM("plot", "out", "disc.x", "-o", "a.pdf"));
  if (!gnuplot_exists())
    return;
  expect_begins("out/plot.png", "\x89PNG", 4);
  expect_begins("out/a.svg", "<?xml", 5);
  expect_begins("a.pdf", "%PDF", 4);
}

Test(plot, curves_of_one_point_and_of_one_value) {
  write_results("out", "time,disc.x\n0,1\n");
  expect_done(SEAM("plot", "out", "disc.x", "-o", "p.png"));
  write_results("out", "time,disc.x\n0,0\n1,0\n");
  expect_done(SEAM("plot", "out", "disc.x", "-o", "p.png"));
}

Test(plot, without_gnuplot_the_script_stays) {
  write_results("out", table);
  setenv("PATH", "/nowhere", 1);
  outcome result = expect_success(SEAM("plot", "out", "disc.x"));
  cr_expect(has(result.err, "gnuplot is not installed"), "%s", result.err);
  cr_expect(file_exists("out/plot.gp"));
  outcome_free(&result);
}

/* ---- Without columns ---- */

Test(plot, the_columns_there_are) {
  write_results("out", table);
  outcome result = expect_success(SEAM("plot", "out"));
  cr_expect(has(result.out, "out/trajectory.csv: 3 rows\n  time                      s       \n"), "%s", result.out);
  cr_expect(has(result.out, "  disc.omega                rad/s   \n"), "%s", result.out);
  outcome_free(&result);
}

/* ---- What is refused ---- */

Test(plot, columns_that_are_not_there) {
  write_results("out", table);
  expect_refused(SEAM("plot", "out", "disk.x"), "out: error: there is no column 'disk.x'; did you mean 'disc.x'?\n");
  expect_refused(SEAM("plot", "out", "disc.x", "--over", "rot.x"),
                 "out: error: there is no column 'rot.x'; did you mean 'rod.x'?\n");
  expect_refused(SEAM("plot", "out", "disc.x", "results/none"),
                 "seam: there are no results 'results/none'; give a folder that 'seam run' wrote\n");
  expect_refused(
      SEAM("plot", "disc.x", "out"),
      "seam: 'disc.x' is neither a folder of results nor a table (csv, npy); results come first, as in 'seam "
      "plot results/NAME COLUMN'\n");
}

Test(plot, columns_that_are_elsewhere) {
  outcome run =
      expect_success(SEAM("run", "four_bar_bushing", "--cosim", "--scheme", "ff-k1", "--end", "0.1", "-o", "out"));
  outcome_free(&run);
  expect_refused(SEAM("plot", "out", "bar1.x", "--over", "M.lambda_x"),
                 "out/trajectory.csv: error: column 'M.lambda_x' is not in this table, but in out/couplings.csv; take "
                 "both columns from one table\n");
  expect_refused(SEAM("plot", "out", "bar1.ax"),
                 "out: error: there is no column 'bar1.ax'; the model offers it, so run it again with --columns "
                 "default,bar1.ax\n");
}

Test(plot, a_name_that_is_a_column_and_a_folder) {
  write_results("out", table);
  write_results("disc.x", table);
  expect_refused(SEAM("plot", "out", "disc.x"),
                 "seam: 'disc.x' is both a column of out and results in this folder; write ./disc.x for the results, "
                 "or plot the column from another folder\n");
  expect_done(SEAM("plot", "out", "./disc.x", "rod.x", "-o", "p.svg"));
}

Test(plot, tables_of_another_run_than_the_summary) {
  write_results("out", table);
  write_text("out/trajectory.csv", "time,disc.x,disc.y,disc.omega,rod.x\n0,1,-0.5,0,0.5\n");
  expect_refused(SEAM("plot", "out", "disc.x"),
                 "out/trajectory.csv: error: the table has 1 rows, but 3 in summary.json beside it, so the two files "
                 "are of different runs; run the model again\n");
  write_text("out/trajectory.csv", "time,disc.x,hub.y,disc.omega,rod.x\n0,1,2,3,4\n1,1,2,3,4\n2,1,2,3,4\n");
  expect_refused(SEAM("plot", "out", "disc.x"),
                 "out/trajectory.csv: error: column 3 is 'hub.y', but 'disc.y' in summary.json beside this table, so "
                 "the two files are of different runs; run the model again, or copy the table to another folder\n");
  write_text("out/trajectory.csv",
             "time,disc.x,disc.y,disc.omega,rod.x,rod.y\n0,1,2,3,4,5\n1,1,2,3,4,5\n2,1,2,3,4,5\n");
  outcome longer = SEAM("plot", "out", "disc.x");
  cr_expect_eq(longer.exit_status, 2);
  cr_expect(has(longer.err, "column 6 is 'rod.y', but 'nothing' in summary.json beside this table"), "%s", longer.err);
  outcome_free(&longer);
  write_text("out/trajectory.csv", "time,disc.x\n0,1\n1,2\n2,3\n");
  expect_refused(SEAM("plot", "out/trajectory.csv", "disc.x"),
                 "out/trajectory.csv: error: column 3 is 'nothing', but 'disc.y' in summary.json beside this table, so "
                 "the two files are of different runs; run the model again, or copy the table to another folder\n");
}

Test(plot, differences_at_other_times) {
  write_results("one", table);
  write_results("other", "time,disc.x\n0,1\n0.4,2\n1,3\n");
  expect_refused(SEAM("plot", "one", "disc.x", "--minus", "other"),
                 "one: error: row 2 is at t = 0.5 s, but in other at 0.4 s, so that no difference of 'disc.x' can be "
                 "drawn; run both with the same --output-step\n");
}

Test(plot, tables_and_options_that_are_wrong) {
  write_results("out", table);
  write_results("none", "time,disc.x\n");
  expect_refused(SEAM("plot", "none", "disc.x"),
                 "none: error: column 'disc.x' has nothing to draw; there are no rows, so run the model again\n");
  expect_refused(SEAM("plot", "out", "disc.x", "-o", "p.jpg"),
                 "seam: -o p.jpg: the name of a picture must end with .png, .svg, .pdf or .gp\n");
  expect_refused(SEAM("plot", "out", "disc.x", "--log", "z"), "seam: --log must be x, y or xy, but is 'z'\n");
  write_results("out", "time,disc.x\n0,1\n1,nan\n");
  expect_refused(SEAM("plot", "out", "disc.x"),
                 "out/trajectory.csv:3: error: 'nan' in column 'disc.x' is not a finite number\n");
}

Test(plot, identifiers_are_found_by_their_names_with_dots) {
  outcome run = expect_success(SEAM("run", "double_pendulum", "--end", "0.1", "--names", "underscore", "-o", "out"));
  outcome_free(&run);
  outcome models = expect_success(SEAM("plot", "out"));
  cr_expect(has(models.out, "energy_total"), "%s", models.out);
  outcome_free(&models);
  expect_done(SEAM("plot", "out", "energy.total", "-o", "p.gp"));
  EXPECT_IN_SCRIPT("p.gp", "$curve0_0");
}
