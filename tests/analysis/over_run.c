/* Statistics over a run against closed forms: errors are within the uncertainty, and where rows do not suffice it says
 * so. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/results/over_run.h"
#include "tests/support/cut_run.h"
#include "tests/support/engine.h"
#include "tests/support/model_reader.h"

static const double pi = 3.14159265358979323846;

/* A measure of time alone, in rows. */
typedef struct sampled {
  seam_model_file *file;
  const mbs_model *model;
  mbs_workspace *workspace;
  mbs_state *state;
  seam_over_run *over_run;
} sampled;

static sampled sampled_create(const char *expression) {
  char text[300];
  seam_error error = {0};
  snprintf(text, sizeof text, "seam: 1\nbodies: {a: {mass: 1, inertia: 1}}\nmeasures: {f: \"%s\"}\n", expression);
  sampled s = {.file = read_model(text, NULL)};
  const mbs_quantity f = {MBS_MEASURES, 0, 0};
  s.model = seam_model_mechanism(s.file);
  s.workspace = new_workspace(s.model);
  s.state = new_state(s.model);
  cr_assert_eq(seam_over_run_create(s.model, &f, 1, &s.over_run, &error), SEAM_OK, "%s", error.message);
  return s;
}

static void add(sampled *s, double t) {
  s->state->t = t;
  seam_over_run_add(s->over_run, s->workspace, s->state);
}

static sampled sample(const char *expression, double end, int n) {
  sampled s = sampled_create(expression);
  for (int i = 0; i <= n; i++)
    add(&s, end * i / n);
  return s;
}

static void sampled_free(sampled *s) {
  seam_over_run_destroy(s->over_run);
  mbs_state_destroy(s->state);
  mbs_workspace_destroy(s->workspace);
  seam_model_file_destroy(s->file);
}

static seam_run_figure figure(const sampled *s, seam_statistic which) {
  return seam_over_run_of(s->over_run, 0, which);
}

/* The error is within the uncertainty, which lies between `least` and `largest`. */
static void expect_figure(const sampled *s, seam_statistic which, double exact, double least, double largest) {
  const seam_run_figure f = figure(s, which);
  cr_expect_leq(fabs(f.value - exact), f.uncertainty + 1e-14 * (1 + fabs(exact)),
                "statistic %d: %.15g of %.15g, open %g", (int)which, f.value, exact, f.uncertainty);
  cr_expect(f.uncertainty >= least && f.uncertainty <= largest, "statistic %d: open %g, not %g to %g", (int)which,
            f.uncertainty, least, largest);
}

Test(over_run, a_smooth_curve_is_known_closely) {
  sampled s = sample("2 + sin(t)", 10, 1000);
  const double integral = 20 + 1 - cos(10);
  const double square = 40 + 4 * (1 - cos(10)) + 5 - sin(20) / 4;
  expect_figure(&s, SEAM_INTEGRAL, integral, 1e-12, 1e-8);
  expect_figure(&s, SEAM_MEAN, integral / 10, 1e-13, 1e-9);
  expect_figure(&s, SEAM_RMS, sqrt(square / 10), 1e-13, 1e-8);
  expect_figure(&s, SEAM_MAX, 3, 1e-6, 1e-4);
  expect_figure(&s, SEAM_MIN, 1, 1e-6, 1e-4);
  cr_expect_float_eq(sin(figure(&s, SEAM_MAX).time), 1, 1e-4);
  cr_expect_float_eq(figure(&s, SEAM_MIN).time, 1.5 * pi, 0.006);
  cr_expect(isnan(figure(&s, SEAM_RMS).time));
  sampled_free(&s);
}

Test(over_run, cubics_are_exact) {
  for (int n = 4; n <= 7; n++) {
    sampled s = sample("1 - t + t^3", 2, n);
    cr_expect_float_eq(figure(&s, SEAM_INTEGRAL).value, 2 - 2 + 4, n % 2 == 0 ? 1e-14 : 0.02, "%d rows", n);
    cr_expect_leq(fabs(figure(&s, SEAM_INTEGRAL).value - 4), figure(&s, SEAM_INTEGRAL).uncertainty + 1e-14);
    sampled_free(&s);
  }
}

/* The tip lies in the middle between two rows. */
Test(over_run, a_kink_between_rows_shows) {
  sampled s = sample("1 - abs(t - 0.55)", 1, 10);
  expect_figure(&s, SEAM_MAX, 1, 0.0499, 0.0501);
  expect_figure(&s, SEAM_MIN, 0.45, 0, 1e-12);
  expect_figure(&s, SEAM_INTEGRAL, 1 - (0.55 * 0.55 + 0.45 * 0.45) / 2, 5e-4, 2e-2);
  sampled_free(&s);
}

/* Rows that do not resolve an oscillation: the integral of a curve between -1 and 1 over 10 s is open by seconds. */
Test(over_run, an_oscillation_that_rows_do_not_resolve_shows) {
  sampled s = sample("sin(2*pi*4.1*t)", 10, 100);
  expect_figure(&s, SEAM_INTEGRAL, (1 - cos(82 * pi)) / (8.2 * pi), 1, 20);
  expect_figure(&s, SEAM_RMS, sqrt(0.5 - sin(164 * pi) / (16.4 * pi) / 20), 0.02, 1);
  sampled_free(&s);
}

/* Up to nearly two rows a period: lines through rows bound nothing, but no row is what its neighbours predict. */
Test(over_run, extremes_that_rows_do_not_resolve_show) {
  for (int k = 5; k <= 38; k++) {
    char expression[64];
    snprintf(expression, sizeof expression, "sin(2*pi*%d*t/4.1 + 1)", k);
    sampled s = sample(expression, 1, 20);
    expect_figure(&s, SEAM_MAX, 1, 0, 3);
    expect_figure(&s, SEAM_MIN, -1, 0, 3);
    sampled_free(&s);
  }
}

/* All samples are alike: the curve comes back to the same place in each interval, or nearly so. */
Test(over_run, what_is_faster_than_samples_and_alike_in_all_shows) {
  static const char *const expressions[] = {"cos(2*pi*20*t)", "cos(2*pi*400*t)", "cos(2*pi*400.01*t)",
                                            "cos(2*pi*19.98*t)"};
  for (size_t i = 0; i < sizeof expressions / sizeof *expressions; i++) {
    sampled s = sample(expressions[i], 1, 20);
    expect_figure(&s, SEAM_MAX, 1, 0, 4);
    expect_figure(&s, SEAM_MIN, -1, 0.5, 4);
    expect_figure(&s, SEAM_INTEGRAL, 0, 0.5, 4);
    expect_figure(&s, SEAM_RMS, sqrt(0.5), 0.2, 4);
    sampled_free(&s);
  }
}

/* It may be anything there. */
Test(over_run, a_sample_that_is_not_finite_leaves_nothing_known) {
  sampled s = sample("1/if(abs(t - 0.5) < 0.01, 0, 1)", 1, 10);
  cr_expect(isnan(figure(&s, SEAM_MAX).uncertainty));
  cr_expect(isnan(figure(&s, SEAM_MIN).uncertainty));
  cr_expect_not(isfinite(figure(&s, SEAM_RMS).value));
  sampled_free(&s);
}

/* Rows 1 s apart, steps of `step` after the first sample: as many samples as there are, in whole groups. */
static int samples_to_second_row(double step) {
  sampled s = sampled_create("t^2");
  int n = 0;
  add(&s, 0);
  for (double t = 0; t < 1; n++) {
    t = seam_over_run_next(s.over_run, 1);
    add(&s, t);
    seam_over_run_note_step(s.over_run, ceil(t / step - 1e-9) * step);
  }
  cr_expect_float_eq(figure(&s, SEAM_INTEGRAL).value, 1.0 / 3, 1e-14);
  sampled_free(&s);
  return n;
}

Test(over_run, a_step_has_four_samples) {
  const int n = samples_to_second_row(0.05);
  cr_expect(n >= 4 * 20 - 1 && n <= 4 * 22, "%d samples", n);
  cr_expect_leq(samples_to_second_row(10), 8);
  sampled s = sampled_create("t");
  cr_expect_eq(seam_over_run_next(s.over_run, 1), 1);
  cr_expect_eq(seam_over_run_next(NULL, 1), 1);
  seam_over_run_note_step(s.over_run, 8);
  for (int i = 0; i <= 8; i++) {
    cr_expect_eq(seam_over_run_next(s.over_run, i), i, "rows are close enough");
    add(&s, i);
  }
  sampled_free(&s);
}

/* A step that ends at a switch may leave next to nothing; the next one ends behind the row. */
Test(over_run, a_step_of_next_to_nothing_is_not_taken_for_the_next_one) {
  sampled s = sampled_create("t^2");
  int n = 0;
  add(&s, 0);
  seam_over_run_note_step(s.over_run, 0.5);
  add(&s, 0.5);
  seam_over_run_note_step(s.over_run, 0.5 + 1e-14);
  for (double t = 0.5; t < 1; n++) {
    t = seam_over_run_next(s.over_run, 1);
    cr_assert_lt(n, 1000);
    add(&s, t);
  }
  cr_expect_gt(n, 8);
  sampled_free(&s);
}

Test(over_run, a_jump_shows) {
  sampled s = sample("if(t < 0.503, 0, 1)", 1, 100);
  expect_figure(&s, SEAM_INTEGRAL, 0.497, 2e-3, 3e-2);
  expect_figure(&s, SEAM_MAX, 1, 0, 1e-12);
  sampled_free(&s);
}

/* A step of height 2 at 0.5 in t^4, whose parts have this many intervals, the first of them another length: each part
 * is a smooth curve, and nothing is open of the jump. */
static void expect_no_jump(const char *expression, double exact, int n, double largest) {
  sampled s = sampled_create(expression);
  mbs_state *right = new_state(s.model);
  add(&s, 0);
  for (int i = 1; i < n; i++)
    add(&s, 0.5 * (i - 0.3) / (n - 0.3));
  s.state->t = right->t = 0.5;
  seam_over_run_jump(s.over_run, s.workspace, s.state, right);
  for (int i = 1; i <= n; i++)
    add(&s, 0.5 + 0.5 * (i - 0.3) / (n - 0.3));
  expect_figure(&s, SEAM_INTEGRAL, exact, 0, largest);
  expect_figure(&s, SEAM_MAX, 3, 0, 1e-12);
  mbs_state_destroy(right);
  sampled_free(&s);
}

Test(over_run, nothing_goes_across_a_jump_that_is_told) {
  for (int n = 2; n <= 9; n++) {
    expect_no_jump("t^4 + if(t < 0.5, 0, 2)", 1.2, n, 0.4 / (n * n));
    expect_no_jump("t + if(t < 0.5, 0, 2)", 1.5, n, 1e-14);
  }
}

/* It lasts for no time, but there it is, left of the time of the jump and right of it. */
Test(over_run, both_sides_of_a_jump_are_extremes) {
  sampled s = sampled_create("if(t < 0.5, 10*t, -10*t)");
  for (int i = 0; i <= 4; i++)
    add(&s, 0.11 * i);
  s.state->t = 0.5;
  seam_over_run_jump(s.over_run, s.workspace, s.state, s.state);
  for (int i = 0; i <= 4; i++)
    add(&s, 0.5 + 0.05 * i);
  cr_expect_float_eq(figure(&s, SEAM_MAX).value, 5, 1e-9);
  cr_expect_float_eq(figure(&s, SEAM_MAX).time, 0.5, 1e-9);
  cr_expect_float_eq(figure(&s, SEAM_MIN).value, -7, 1e-12);
  sampled_free(&s);
}

/* The uncertainty shows it. */
Test(over_run, a_jump_that_no_one_tells_stays_open) {
  sampled s = sample("t^4 + if(t < 0.5, 0, 2)", 1, 101);
  const seam_run_figure f = figure(&s, SEAM_INTEGRAL);
  cr_expect_gt(f.uncertainty, 1e-3);
  cr_expect_leq(fabs(f.value - 1.2), f.uncertainty);
  sampled_free(&s);
}

/* The end that is not a multiple of the output step, down to a tiny last interval. */
Test(over_run, the_last_interval_may_be_shorter) {
  for (int i = 1; i <= 12; i++) {
    const double part = pow(10, -i);
    sampled s = sampled_create("exp(-t)");
    for (int k = 0; k <= 100; k++)
      add(&s, 0.01 * k);
    add(&s, 1 + 0.01 * part);
    expect_figure(&s, SEAM_INTEGRAL, 1 - exp(-1 - 0.01 * part), 0, 1e-8);
    sampled_free(&s);
  }
}

Test(over_run, few_rows_say_so) {
  sampled s = sampled_create("3*t + 1");
  cr_expect(isnan(figure(&s, SEAM_MAX).value));
  add(&s, 0);
  cr_expect_eq(figure(&s, SEAM_MEAN).value, 1);
  cr_expect_eq(figure(&s, SEAM_RMS).value, 1);
  add(&s, 1);
  expect_figure(&s, SEAM_INTEGRAL, 2.5, 1, 2);
  add(&s, 1); /* not later: an extreme at most */
  expect_figure(&s, SEAM_INTEGRAL, 2.5, 1, 2);
  add(&s, 2);
  expect_figure(&s, SEAM_INTEGRAL, 8, 0, 1e-12);
  add(&s, 3);
  cr_expect(isnan(figure(&s, SEAM_MAX).uncertainty));
  add(&s, 4);
  expect_figure(&s, SEAM_MAX, 13, 0, 1e-12);
  cr_expect(isnan(seam_over_run_of(s.over_run, 1, SEAM_MAX).value));
  cr_expect(isnan(seam_over_run_of(NULL, 0, SEAM_MAX).value));
  sampled_free(&s);
}

/* At any row. */
Test(over_run, restored_it_goes_on_to_the_bit) {
  static const char *const curve = "sin(3*t) + abs(t - 1.234)";
  sampled whole = sample(curve, 2, 37);
  for (int at = 0; at <= 37; at++) {
    sampled first = sampled_create(curve);
    sampled second = sampled_create(curve);
    char image[2000];
    seam_over_run_note_step(first.over_run, 0.01 * at);
    const size_t size = seam_over_run_image_size(first.over_run);
    cr_assert_leq(size, sizeof image);
    for (int i = 0; i < at; i++)
      add(&first, 2.0 * i / 37);
    seam_over_run_save(first.over_run, image);
    cr_assert_eq(seam_over_run_restore(second.over_run, image, size, NULL), SEAM_OK);
    cr_expect_eq(seam_over_run_next(first.over_run, 3), seam_over_run_next(second.over_run, 3));
    for (int i = at; i <= 37; i++)
      add(&second, 2.0 * i / 37);
    for (seam_statistic k = 0; k < SEAM_N_STATISTICS; k++) {
      cr_expect_eq(figure(&second, k).value, figure(&whole, k).value);
      cr_expect_eq(figure(&second, k).uncertainty, figure(&whole, k).uncertainty);
    }
    cr_expect_eq(seam_over_run_restore(second.over_run, image, size - 1, NULL), SEAM_BAD_STATE);
    sampled_free(&first);
    sampled_free(&second);
  }
  sampled_free(&whole);
}

/* A body turns at a speed (rad/s): n samples, with probes between them. */
static sampled turn(double speed, double distance, int n) {
  sampled s = sampled_create("sin(a.phi + 1)");
  add(&s, 0);
  for (int i = 1; i <= n; i++) {
    s.state->t = seam_over_run_probe_time(s.over_run, i * distance);
    cr_assert(s.state->t > (i - 1) * distance && s.state->t < i * distance);
    s.state->q[2] = speed * s.state->t;
    seam_over_run_probe(s.over_run, s.workspace, s.state);
    s.state->q[2] = speed * i * distance;
    add(&s, i * distance);
  }
  return s;
}

Test(over_run, probes_see_what_comes_back_to_the_same_place) {
  for (int n = 4; n <= 400; n *= 10) {
    sampled s = turn(200 * pi, 0.01, n);
    expect_figure(&s, SEAM_MEAN, 0, 0.8, 3);
    expect_figure(&s, SEAM_RMS, sqrt(0.5), 0.1, 3);
    expect_figure(&s, SEAM_INTEGRAL, 0, 0.008 * n, 0.03 * n);
    if (n > 4) {
      expect_figure(&s, SEAM_MAX, 1, 0.1, 0.4);
      expect_figure(&s, SEAM_MIN, -1, 0, 6);
    }
    sampled_free(&s);
  }
}

Test(over_run, probes_of_a_smooth_curve_leave_little_open) {
  const double end = 10;
  sampled s = turn(1, end / 1000, 1000);
  expect_figure(&s, SEAM_MEAN, (cos(1) - cos(1 + end)) / end, 1e-13, 1e-9);
  expect_figure(&s, SEAM_RMS, sqrt(0.5 - (sin(2 + 2 * end) - sin(2)) / (4 * end)), 1e-13, 1e-8);
  expect_figure(&s, SEAM_MAX, 1, 1e-6, 1e-4);
  sampled_free(&s);
}

/* ---- Accelerations of a cut run: statistics at macro points, where a load is the same ---- */

#define LOADED(LOAD, REST)                                                                                             \
  "seam: 1\n"                                                                                                          \
  "bodies: {a: {mass: 2, inertia: 1}, b: {mass: 1, inertia: 1, at: [1, 0]}}\n"                                         \
  "joints: {rail: {type: prismatic, bodies: [ground, a], at: [0, 0], axis: [1, 0]}}\n"                                 \
  "forces:\n"                                                                                                          \
  "  s: {type: spring_damper, bodies: [ground, b], at: [[0, 0], [1, 0]], stiffness: 1}\n"                              \
  "  k: {type: spring_damper, bodies: [a, b], at: [[0, 0], [1, 0]], stiffness: 1e-3}\n"                                \
  "  f: {type: force, body: a, x: \"" LOAD "\", y: \"" LOAD "\"}\n"                                                    \
  "measures: {ax: a.ax, fy: rail.fy}\n"                                                                                \
  "simulate: {end: 1}\n"                                                                                               \
  "cosim: {macro_step: 0.01, scheme: ff-k1, subsystems: {A: [a], B: [b]" REST "}\n"

static void expect_covered(const char *text, double mean, double least, double most) {
  cut_run run = cut_run_begin(text, NULL);
  const mbs_model *model = seam_model_mechanism(run.file);
  const mbs_quantity quantities[2] = {{MBS_MEASURES, 0, 0}, {MBS_MEASURES, 1, 0}};
  mbs_state *scratch = new_state(model);
  seam_over_run *over_run = NULL;
  cr_assert_eq(seam_over_run_create(model, quantities, 2, &over_run, NULL), SEAM_OK);
  seam_over_run_add(over_run, run.ws, cosim_state(run.simulation));
  for (int i = 1; i <= 100; i++) {
    cut_run_advance(&run, 0.01, 1);
    seam_over_run_probe_cosim(over_run, run.simulation, run.ws, cosim_state(run.simulation)->t, scratch);
    seam_over_run_add(over_run, run.ws, cosim_state(run.simulation));
  }
  for (size_t i = 0; i < 2; i++) {
    const seam_run_figure f = seam_over_run_of(over_run, i, SEAM_MEAN);
    const double right = i == 0 ? mean / 2 : mean;
    cr_expect_lt(fabs(f.value - right), f.uncertainty + 1e-3, "%zu: %g +- %g, not %g", i, f.value, f.uncertainty,
                 right);
    cr_expect(f.uncertainty >= least && f.uncertainty <= most, "%zu: +- %g", i, f.uncertainty);
  }
  seam_over_run_destroy(over_run);
  mbs_state_destroy(scratch);
  cut_run_end(&run);
}

Test(over_run, accelerations_and_reactions_that_repeat_in_every_macro_step_are_open) {
  static const char load[] = LOADED("2.6 + 5*cos(200*pi*t + 3)", "}");
  expect_covered(load, 2.6, 2, 20);
}

/* What signals hold is known at macro points alone. */
Test(over_run, accelerations_under_signals_are_known) {
  static const char constant[] =
      LOADED("3", ", u: {inputs: [x], states: {s: 0}, rates: {s: x}, outputs: {f: 7 + s}}}, "
                  "signals: [{from: A.a.y, to: u.x}, {from: u.f, to: A.f.fx}, {from: u.f, to: A.f.fy}]");
  static const char repeating[] =
      LOADED("2.6 + 5*cos(200*pi*t + 3)", ", u: {inputs: [x], states: {s: 0}, rates: {s: x}, outputs: {f: 7 + s}}}, "
                                          "signals: [{from: A.a.y, to: u.x}, {from: u.f, to: A.f.fx}, "
                                          "{from: u.f, to: A.f.fy}]");
  expect_covered(constant, 10, 0, 1e-4);
  expect_covered(repeating, 9.6, 2, 20);
}
