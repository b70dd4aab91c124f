/* Names and texts from outside are names and texts: no shell, no gnuplot and no other program reads them as commands,
 * wherever they come from. What would be run makes the file $TRACE. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/command.h"
#include "tests/support/run_results.h"

static char trace[4096];

/* Two programs in the scratch directory stand for ffmpeg and for gnuplot's films, so that the tests run where these are
 * missing: they write their input and their arguments. */
static void enter(void) {
  static const char ffmpeg[] = "#!/bin/sh\nfor last; do :; done\nprintf '%s\\n' \"$@\" > \"$GIVEN\"\ncat > \"$last\"\n";
  char path[4096], given[4096];
  enter_scratch();
  cr_assert_not_null(getcwd(path, sizeof path - 64));
  snprintf(trace, sizeof trace, "%.4000s/TRACE", path);
  snprintf(given, sizeof given, "%.4000s/given", path);
  setenv("TRACE", trace, 1);
  setenv("GIVEN", given, 1);
  cr_assert_eq(mkdir("bin", 0777), 0);
  write_text("bin/ffmpeg", ffmpeg);
  cr_assert_eq(chmod("bin/ffmpeg", 0755), 0);
  strcat(path, "/bin:");
  strncat(path, getenv("PATH"), sizeof path - strlen(path) - 1);
  setenv("PATH", path, 1);
}

TestSuite(names, .init = enter, .fini = leave_scratch, .timeout = 600);

/* Each is a word of a file's name: $TRACE stands for slashes. */
static const char *const words[] = {
    "$(touch $TRACE)",
    "`touch $TRACE`",
    "|touch $TRACE;echo ",
    ";touch $TRACE;",
    "&touch $TRACE&",
    "' touch $TRACE '",
    "\" touch $TRACE \"",
    "'; system 'touch $TRACE'; '",
    "\"; system(\"touch $TRACE\"); \"",
    "a\ntouch $TRACE\n",
    "a\nsystem 'touch $TRACE'\n",
    "-rf",

    "\\`touch $TRACE\\`",
    "%s%n",
    "@TRACE",
};
enum { N_WORDS = sizeof words / sizeof *words };

/* Without SEAM_LONG each word meets a third of the commands, and each command a third of the words. */
static bool is_left_out(size_t word, size_t command) {
  return getenv("SEAM_LONG") == NULL && (word + command) % 3 != 0;
}

static void expect_untouched(const char *what, const char *word) {
  cr_expect_not(file_exists(trace), "%s ran what is in '%s'", what, word);
  remove(trace);
}

/* Where a file is expected. */
static void expect_written(outcome result, const char *path, const char *word) {
  cr_expect(result.exit_status == 0 || result.exit_status == 3, "%s", result.err);
  cr_expect(file_exists(path), "'%s' was not written: %s", path, result.err);
  expect_untouched(path, word);
  outcome_free(&result);
}

static bool is_there(const char *program) {
  char line[64];
  snprintf(line, sizeof line, "command -v %s > bin/found", program);
  return system(line) == 0;
}

static const char model[] = "seam: 1\nname: \"%s\"\nbodies: {b: {mass: 1, inertia: 1, at: [0, 0], velocity: [1, 0]}}\n"
                            "simulate: {end: 0.1, output_step: 0.01}\n";

static void write_model(const char *path, const char *name) {
  char text[1024];
  snprintf(text, sizeof text, model, name);
  write_text(path, text);
}

/* Files and folders that -o names, and what is read. */
Test(names, files_are_files) {
  static const struct {
    const char *command, *ending;
    bool needs_gnuplot;
  } makes[] = {{"plot", ".gp", false},     {"animate", ".svg", false}, {"draw", ".svg", false},
               {"report", ".html", false}, {"animate", ".mp4", true},  {"plot", ".png", true},
               {"plot", ".svg", true},     {"plot", ".pdf", true},     {"animate", ".gif", true}};
  const bool has_gnuplot = is_there("gnuplot");
  write_model("m.yaml", "m");
  outcome run = expect_success(SEAM("run", "m.yaml", "-o", "results", "--quiet"));
  outcome_free(&run);
  for (size_t i = 0; i < N_WORDS; i++)
    for (size_t k = 0; k < sizeof makes / sizeof *makes; k++) {
      char path[256];
      const bool is_plot = strcmp(makes[k].command, "plot") == 0, is_drawn = strcmp(makes[k].command, "draw") == 0;
      snprintf(path, sizeof path, "%s%s", words[i], makes[k].ending);
      if (is_left_out(i, k) || (makes[k].needs_gnuplot && !has_gnuplot))
        continue;
      expect_written(is_plot                                   ? SEAM("plot", "results", "b.x", "-o", path)
                     : is_drawn                                ? SEAM("draw", "m.yaml", "-o", path)
                     : strcmp(makes[k].command, "report") == 0 ? SEAM("report", "results", "-o", path)
                                                               : SEAM("animate", "results", "--speed", "1", "-o", path),
                     path, words[i]);
    }
}

Test(names, folders_are_folders) {
  for (size_t i = 0; i < N_WORDS; i++) {
    char path[256], folder[256], picture[256];
    snprintf(path, sizeof path, "./%s.yaml", words[i]);
    snprintf(folder, sizeof folder, "./%s", words[i]);
    snprintf(picture, sizeof picture, "./%s/f.gif", words[i]);
    write_model(path, "m");
    outcome result = SEAM("run", path, "-o", words[i], "--quiet");
    cr_expect_eq(result.exit_status, 0, "%s", result.err);
    outcome_free(&result);
    const struct {
      const char *const arguments[9];
    } lines[] = {{{"seam", "check", path}},
                 {{"seam", "draw", path}},
                 {{"seam", "plot", folder, "b.x"}},
                 {{"seam", "plot", folder, folder, "b.y", "--over", "b.x"}},
                 {{"seam", "animate", folder, "--speed", "1", "-o", picture}},
                 {{"seam", "report", folder}},
                 {{"seam", "static", path, "-o", words[i]}},
                 {{"seam", "modes", path, "-o", words[i]}},
                 {{"seam", "sweep", path, "--vary", "bodies.b.mass=[1, 2]", "-o", words[i]}},
                 {{"seam", "export", path, "-o", path}},
                 {{"seam", "stability", "map", "--x", "lambda-r=-1:0:5", "-o", words[i]}}};
    for (size_t k = 0; k < sizeof lines / sizeof *lines; k++) {
      if (is_left_out(i, k))
        continue;
      result = run_seam(lines[k].arguments);
      cr_expect_neq(result.exit_status, -1);
      expect_untouched(lines[k].arguments[1], words[i]);
      outcome_free(&result);
    }
  }
}

/* What a model says of itself: its name, units, names of what it measures, and columns of results of others. */
Test(names, texts_are_texts) {
  for (size_t i = 0; i < N_WORDS; i++) {
    char quoted[512] = "", text[2048];
    size_t n = 0;
    for (const char *at = words[i]; *at != '\0'; at++) { /* as JSON has it */
      if (*at == '"' || *at == '\\')
        quoted[n++] = '\\';
      quoted[n++] = *at == '\n' ? '\\' : *at;
      if (*at == '\n')
        quoted[n++] = 'n';
    }
    snprintf(text, sizeof text,
             "seam: 1\nname: m\nbodies: {b: {mass: 1, inertia: 1, at: [0, 0], velocity: [1, 0]}}\n"
             "measures: {m: {expression: 2*b.x, unit: \"%s\"}}\nsimulate: {end: 0.1, output_step: 0.01}\n",
             quoted);
    write_text("m.yaml", text);
    outcome result = SEAM("run", "m.yaml", "-o", "results", "--quiet");
    cr_expect_eq(result.exit_status, 0, "%s", result.err);
    outcome_free(&result);
    static const char *const lines[][9] = {{"seam", "plot", "results", "m", "b.x"},
                                           {"seam", "plot", "results", "m", "-o", "a.pdf"},
                                           {"seam", "animate", "results", "--speed", "1", "-o", "a.gif"},
                                           {"seam", "animate", "results", "--speed", "1", "-o", "a.mp4"},
                                           {"seam", "report", "results"},
                                           {"seam", "sweep", "m.yaml", "--vary", "bodies.b.mass=[1, 2]", "-o", "s"},
                                           {"seam", "check", "m.yaml"},
                                           {"seam", "draw", "m.yaml"}};
    for (size_t k = 0; k < sizeof lines / sizeof *lines; k++) {
      if (is_left_out(i, k))
        continue;
      result = run_seam(lines[k]);
      cr_expect_neq(result.exit_status, -1);
      expect_untouched(lines[k][1], words[i]);
      outcome_free(&result);
    }
    snprintf(text, sizeof text, "time,\"%s\"\n0,1\n1,2\n",
             i == 6 || i == 8 ? "\"\"; system(\"\"touch $TRACE\"\"); \"\"" : words[i]);
    write_text("other.csv", text);
    result = SEAM("plot", "other.csv", i == 8 ? "\"; system(\"touch $TRACE\"); \"" : words[i], "-o", "./other.svg");
    expect_untouched("plot", words[i]);
    outcome_free(&result);
  }
}

/* Programs get names of ours alone. */
Test(names, programs_get_none_of_them) {
  if (!is_there("gnuplot"))
    cr_skip_test("app.names (gnuplot)");
  write_model("m.yaml", "m");
  outcome result = expect_success(SEAM("run", "m.yaml", "-o", "results", "--quiet"));
  outcome_free(&result);
  result = expect_success(SEAM("animate", "results", "-o", "mine.mp4"));
  outcome_free(&result);
  char *given = read_text("given");
  cr_expect(has(given, "image2pipe") && has(given, "\nfilm\n") && !has(given, "mine"), "%s", given);
  free(given);
  result = expect_success(SEAM("plot", "results", "b.x", "-o", "mine.svg"));
  outcome_free(&result);
  char *script = read_text("mine.gp");
  cr_expect(has(script, "set output 'plot.svg'") && !has(script, "mine"), "%s", script);
  free(script);
}

/* ---- What is made does not replace what it is made from ---- */

Test(names, no_model_is_replaced) {
  static const char *const lines[][9] = {
      {"seam", "report", "m.yaml", "-o", "m.yaml"},       {"seam", "draw", "m.yaml", "-o", "m.yaml"},
      {"seam", "animate", "m.yaml", "-o", "m.yaml"},      {"seam", "export", "m.yaml", "-o", "m.yaml"},
      {"seam", "plot", "results", "b.x", "-o", "m.yaml"}, {"seam", "report", "m.html", "-o", "m.html"},
      {"seam", "report", "m.html", "-o", "link.html"},    {"seam", "draw", "m.svg", "-o", "m.svg"},
      {"seam", "animate", "m.svg", "-o", "./m.svg"},      {"seam", "new", "m.yaml"}};
  static const char *const models[] = {"m.yaml", "m.html", "m.svg"};
  for (int i = 0; i < 3; i++)
    write_model(models[i], "m");
  cr_assert_eq(symlink("m.html", "link.html"), 0);
  outcome result = expect_success(SEAM("run", "m.yaml", "-o", "results", "--quiet"));
  outcome_free(&result);
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
    result = run_seam(lines[i]);
    cr_expect_eq(result.exit_status, 2, "%s %s", lines[i][1], lines[i][4]);
    outcome_free(&result);
    for (int k = 0; k < 3; k++) {
      write_model("wanted", "m");
      cr_expect(is_same_file(models[k], "wanted"), "%s replaced %s", lines[i][1], models[k]);
    }
  }
}
