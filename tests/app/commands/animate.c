/* `seam animate`: what moves is where the trajectory says. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/command.h"
#include "tests/support/xml.h"

TestSuite(animate, .init = enter_scratch, .fini = leave_scratch);

/* ---- What a browser computes ---- */

typedef struct transform {
  char type; /* of translate, rotate, scale: its first letter */
  double value[2];
} transform;

enum { MAX_DEPTH = 8 };

static const char *attribute(const char *element, const char *name) {
  const char *found = strstr(element, name);
  cr_assert_not_null(found, "%s", name);
  return found + strlen(name);
}

static void read_value(const char *text, double value[2]) {
  char *end = NULL;
  value[0] = strtod(text, &end);
  value[1] = *end == ',' ? strtod(end + 1, &end) : 0;
}

static const char *next_item(const char *text) { return text + strcspn(text, ";\"") + 1; }

/* Linear interpolation between key values, at a part of the duration. */
static void animate_value(const char *element, double part, double value[2]) {
  const char *values = attribute(element, " values=\"");
  const char *times = attribute(element, " keyTimes=\"");
  double before[2];
  double after[2];
  read_value(values, after);
  double start = strtod(times, NULL);
  cr_assert_eq(start, 0);
  for (;;) {
    memcpy(before, after, sizeof before);
    values = next_item(values);
    times = next_item(times);
    read_value(values, after);
    const double end = strtod(times, NULL);
    cr_assert_gt(end, start, "a key time comes twice");
    if (part <= end || end >= 1) {
      const double s = (part - start) / (end - start);
      for (int i = 0; i < 2; i++)
        value[i] = before[i] + s * (after[i] - before[i]);
      return;
    }
    start = end;
  }
}

static void apply(const transform *by, double point[2]) {
  const double x = point[0];
  const double turn = by->value[0] * acos(-1) / 180;
  if (by->type == 't') {
    point[0] += by->value[0];
    point[1] += by->value[1];
  } else if (by->type == 'r') {
    point[0] = cos(turn) * x - sin(turn) * point[1];
    point[1] = sin(turn) * x + cos(turn) * point[1];
  } else {
    point[0] = by->value[0] * x;
    point[1] = by->value[1] * point[1];
  }
}

/* Calls for the first point of each path of a class with its place at a part of the duration. */
static void visit_paths(const char *svg, const char *class, double part,
                        void (*visit)(void *, const char *path, const double at[2]), void *context) {
  transform open[MAX_DEPTH];
  int depth = 0;
  char wanted[64];
  snprintf(wanted, sizeof wanted, "<path class=\"%s\" d=\"M", class);
  for (const char *at = strchr(svg, '<'); at != NULL; at = strchr(at + 1, '<')) {
    if (strncmp(at, "<g ", 3) == 0) {
      cr_assert_lt(depth, MAX_DEPTH);
      const char *text = attribute(at, "transform=\"");
      open[depth].type = *text;
      read_value(strchr(text, '(') + 1, open[depth].value);
      depth++;
    } else if (strncmp(at, "</g>", 4) == 0)
      depth--;
    else if (strncmp(at, "<animateTransform ", 18) == 0)
      animate_value(at, part, open[depth - 1].value);
    else if (strncmp(at, wanted, strlen(wanted)) == 0) {
      double point[2];
      char *end = NULL;
      point[0] = strtod(at + strlen(wanted), &end);
      point[1] = strtod(end, &end);
      const double radius = *end == 'A' ? strtod(end + 1, NULL) : 0; /* a circle: its middle */
      point[0] -= radius;
      for (int i = depth - 1; i >= 0; i--)
        apply(&open[i], point);
      visit(context, at, point);
    }
  }
}

/* ---- Against the trajectory ---- */

typedef struct nearest_path {
  double at[2]; /* pixels */
  double distance;
} nearest_path;

static void keep_nearest(void *context, const char *path, const double at[2]) {
  (void)path;
  nearest_path *near = context;
  near->distance = fmin(near->distance, hypot(at[0] - near->at[0], at[1] - near->at[1]));
}

typedef struct pivots {
  double at[2][2];
  int n;
} pivots;

/* Triangles begin at their pivot; lines of the ground have no third point. */
static void keep_pivot(void *context, const char *path, const double at[2]) {
  pivots *found = context;
  const char *end = strchr(path, '>');
  if (end[-2] == 'Z' || end[-3] == 'Z')
    memcpy(found->at[found->n++ % 2], at, 2 * sizeof *at);
}

/* A row of trajectory.csv by its number; columns as in the head. */
static double cell(const char *csv, int row, const char *column) {
  int number = 0;
  const char *at = csv;
  for (size_t length = strlen(column); strncmp(at, column, length) != 0 || !strchr(",\n", at[length]); number++)
    at += strcspn(at, ",") + 1;
  at = csv;
  for (int i = 0; i <= row; i++)
    at = strchr(at, '\n') + 1;
  for (int i = 0; i < number; i++)
    at += strcspn(at, ",") + 1;
  return strtod(at, NULL);
}

/* Ends of the four bars of the four-bar, which are 1, 1, 1 and 2 m long: each has a pin there at that time, or its side
 * of the bushing. */
static void expect_pins(const char *svg, const char *csv, int row, int n_rows) {
  static const char *const bars[4] = {"bar1", "bar2", "bar3", "bar4"};
  static const double half[4] = {0.5, 0.5, 0.5, 1};
  pivots ground = {.n = 0};
  visit_paths(svg, "ground", 0, keep_pivot, &ground);
  cr_assert_eq(ground.n, 2);
  const double scale = fabs(ground.at[1][0] - ground.at[0][0]) / 2;
  const double *origin = ground.at[ground.at[0][0] < ground.at[1][0] ? 0 : 1];
  for (int i = 0; i < 4; i++) {
    char names[3][16];
    for (int k = 0; k < 3; k++)
      snprintf(names[k], sizeof names[k], "%s.%s", bars[i], k == 0 ? "x" : k == 1 ? "y" : "phi");
    const double phi = cell(csv, row, names[2]);
    const double x = cell(csv, row, names[0]) + half[i] * cos(phi);
    const double y = cell(csv, row, names[1]) + half[i] * sin(phi);
    nearest_path near = {{origin[0] + scale * x, origin[1] - scale * y}, INFINITY};
    visit_paths(svg, i == 1 ? "rubber" : "pin", (double)row / (n_rows - 1), keep_nearest, &near);
    cr_expect_lt(near.distance, 0.5, "%s is %g pixels from its place in row %d", bars[i], near.distance, row);
  }
}

Test(animate, pins_follow_the_trajectory_to_half_a_pixel) {
  outcome run = expect_success(SEAM("run", "four_bar_bushing", "--end", "5", "-o", "whole"));
  outcome drawn = expect_success(SEAM("animate", "whole", "-o", "moving.svg"));
  char *svg = read_text("moving.svg");
  char *csv = read_text("whole/trajectory.csv");
  cr_expect(xml_is_well_formed(svg));
  cr_expect_lt(strlen(svg), 200000);
  static const int rows[] = {0, 1, 123, 247, 391, 500};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    expect_pins(svg, csv, rows[i], 501);
  free(svg);
  free(csv);
  outcome_free(&run);
  outcome_free(&drawn);
}

/* Every row of a motion that jumps about is a key time. */
Test(animate, a_motion_may_need_all_its_rows) {
  write_text("shaken.yaml", "seam: 1\nbodies: {b: {mass: 1, inertia: 1}}\n"
                            "joints:\n"
                            "  rail: {type: prismatic, bodies: [ground, b], at: [0, 0], axis: [1, 0]}\n"
                            "  shaker: {type: motion, of: x, body: b, law: 100*sin(50*t)}\n"
                            "simulate: {end: 5, output_step: 0.05}\n");
  outcome drawn = expect_success(SEAM("animate", "shaken.yaml"));
  cr_expect(xml_is_well_formed(drawn.out));
  const char *times = attribute(drawn.out, " keyTimes=\"");
  size_t n = 1;
  for (const char *at = times; *at != '"'; at++)
    n += *at == ';';
  cr_expect_eq(n, 101);
  outcome_free(&drawn);
}

static void count_path(void *context, const char *path, const double at[2]) {
  (void)path;
  (void)at;
  ++*(size_t *)context;
}

Test(animate, a_ghost_shows_the_bodies_of_another_run) {
  outcome whole = expect_success(SEAM("run", "four_bar_bushing", "--end", "0.5", "-o", "whole"));
  outcome cut = expect_success(SEAM("run", "four_bar_bushing", "--cosim", "--end", "0.5", "-o", "cut"));
  outcome drawn = expect_success(SEAM("animate", "cut", "--ghost", "whole"));
  size_t n_ghosts = 0;
  visit_paths(drawn.out, "ghost", 0, count_path, &n_ghosts);
  cr_expect_eq(n_ghosts, 5); /* four bars and the legend */
  cr_expect(has(drawn.out, "y=\"36\">monolithic</text>"), "above the mechanism, far from the scale");
  cr_expect(has(drawn.out, ">ff-k1, H = 0.001 s</text>"));
  cr_expect(xml_is_well_formed(drawn.out));
  outcome_free(&whole);
  outcome_free(&cut);
  outcome_free(&drawn);
}

Test(animate, a_model_is_integrated_and_drawn_twice_alike) {
  outcome first = expect_success(SEAM("animate", "slider_crank", "--set", "simulate.end=1"));
  outcome second = expect_success(SEAM("animate", "slider_crank", "--set", "simulate.end=1"));
  cr_expect_str_eq(first.out, second.out);
  cr_expect(xml_is_well_formed(first.out));
  outcome_free(&first);
  outcome_free(&second);
}

Test(animate, what_has_no_motion_is_refused) {
  outcome run = expect_success(SEAM("run", "four_bar_bushing", "--end", "0.1", "-o", "whole"));
  outcome other = expect_success(SEAM("run", "double_pendulum", "--end", "0.1", "-o", "other"));
  expect_refused_untouched(SEAM("animate", "whole", "--from", "3"),
                           "whole: fewer than two rows are left to animate; check --from and --to\n");
  expect_refused_untouched(SEAM("animate", "whole", "--speed", "0"),
                           "seam: --speed takes a positive number: 0.1 is ten times slower\n");
  expect_refused_untouched(
      SEAM("animate", "results/nope"),
      "seam: 'results/nope' is neither a folder of results nor a file nor a model of the catalogue; "
      "'seam models' lists the catalogue\n");
  expect_refused_untouched(SEAM("animate", "whole", "--ghost", "other"),
                           "other: error: this is another mechanism than that of whole, as it has a body 'link1'; give "
                           "runs of the same bodies\n");
  outcome_free(&run);
  outcome_free(&other);
}

/* ---- Frames ---- */

static size_t count_in_file(const char *path, const void *bytes, size_t size) {
  FILE *file = fopen(path, "rb");
  cr_assert_not_null(file);
  static char all[20000000];
  const size_t n = fread(all, 1, sizeof all, file);
  fclose(file);
  size_t found = 0;
  for (size_t i = 0; i + size <= n; i++)
    found += memcmp(all + i, bytes, size) == 0;
  return found;
}

Test(animate, a_gif_has_twenty_frames_in_a_second) {
  outcome drawn =
      expect_success(SEAM("animate", "slider_crank", "--set", "simulate.end=0.5", "--speed", "1", "-o", "a.gif"));
  cr_expect_eq(count_in_file("a.gif", "GIF89a", 6), 1);
  static const unsigned char delay[] = {0x21, 0xf9, 0x04}; /* graphic control extension: one a frame */
  cr_expect_eq(count_in_file("a.gif", delay, sizeof delay), 11);
  outcome_free(&drawn);
}

/* A program of this name keeps what it is given. */
Test(animate, an_mp4_is_a_stream_of_pictures_for_ffmpeg) {
  char path[4096];
  char here[2048];
  mkdir("bin", 0777);
  write_text("bin/ffmpeg", "#!/bin/sh\nfor file; do :; done\nexec cat >\"$file\"\n");
  cr_assert_eq(chmod("bin/ffmpeg", 0777), 0);
  cr_assert_not_null(getcwd(here, sizeof here));
  snprintf(path, sizeof path, "%s/bin:%s", here, getenv("PATH"));
  setenv("PATH", path, 1);
  outcome drawn =
      expect_success(SEAM("animate", "slider_crank", "--set", "simulate.end=0.2", "--speed", "1", "-o", "a.mp4"));
  cr_expect_eq(count_in_file("a.mp4", "\x89PNG\r\n", 6), 6);
  outcome_free(&drawn);
}

Test(animate, what_is_missing_is_named) {
  setenv("PATH", "/nowhere", 1);
  expect_refused_untouched(SEAM("animate", "slider_crank", "--set", "simulate.end=0.1", "-o", "a.gif"),
                           "seam: gnuplot, which makes .gif, is not installed; install it, or write a .svg\n");
  expect_refused_untouched(SEAM("animate", "slider_crank", "-o", "a.avi"),
                           "seam: -o a.avi: an animation is a .svg, .gif or .mp4; end its name so\n");
  cr_expect_not(file_exists("a.gif"));
}

/* The model has no name but its file's. */
Test(animate, a_motion_that_goes_too_far_is_refused_with_its_time) {
  write_text("go.yaml", "seam: 1\nbodies:\n  a: {mass: 1, inertia: 1}\nforces:\n"
                        "  s: {type: force, body: a, x: 12e101*t}\nsimulate: {end: 1, output_step: 0.25}\n");
  static const char message[] = "body 'a' is farther than 1e+100 m at t = 0.5 s; animate the part before by --to TIME";
  outcome result = SEAM("animate", "go.yaml", "-o", "go.svg");
  cr_expect_eq(result.exit_status, 2);
  cr_expect(has(result.err, message), "%s", result.err);
  outcome_free(&result);
  result = SEAM("run", "go.yaml", "-o", "out");
  outcome_free(&result);
  result = SEAM("animate", "out", "-o", "go.svg");
  cr_expect(has(result.err, message), "%s", result.err);
  outcome_free(&result);
  cr_expect_not(file_exists("go.svg"));
}

/* A rotor of 10 rad/s. */
Test(animate, rows_that_are_too_far_apart_are_noted) {
  write_text("r.yaml", "seam: 2\nbodies: {a: {mass: 1, inertia: 1, rate: 10}}\nsimulate: {end: 2}\n");
  for (int i = 0; i < 2; i++) {
    outcome result = SEAM("run", "r.yaml", "--output-step", i == 0 ? "0.1" : "0.5", "-o", "r");
    outcome_free(&result);
    result = SEAM("animate", "r", "-o", "r.svg");
    cr_expect_eq(has(result.err, "note: 'a' turns by 5 rad between two rows of r"), i == 1, "%s", result.err);
    outcome_free(&result);
  }
}
