/* Macro steps of a mechanism that follow from what the last one showed: by the local error, by energy, by prediction.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cosim/coupling/step_control.h"
#include "cosim/steps/simulation.h"
#include "tests/support/cosim_fixture.h"

/* The indicator's default control; `control` must outlive the run. */
static void control_by(cosim_fixture *p, cosim_step_control *control, cosim_step_indicator indicator,
                       double tolerance) {
  *control = cosim_default_step_control(indicator, tolerance);
  p->definition.step_control = control;
  p->definition.options.energy_scale = 1;
}

static void advance_controlled(cosim_fixture *p, double end) {
  seam_error error = {0};
  cr_assert_eq(cosim_advance_controlled(p->run, end, &error), SEAM_OK, "%s", error.message);
}

static bool is_before(const cosim_fixture *p, double end) { return cosim_state(p->run)->t < (1 - 1e-12) * end; }

static void run_to(cosim_fixture *p, double end) {
  while (is_before(p, end))
    advance_controlled(p, end);
}

static size_t n_steps(const cosim_fixture *p) { return cosim_statistics_of(p->run).macro_steps; }
static double last_length(const cosim_fixture *p) {
  double time[COSIM_MAX_HISTORY];
  cosim_master_past_points(p->run->engine->master, time);
  return -time[1];
}

/* ---- Error of positions: NRMSE (3.34) of all bodies' coordinates ---- */

enum { n_coordinates = 12 };

typedef struct position_error {
  deviation column[n_coordinates];
} position_error;

static void add_point(position_error *self, const mbs_state *state, const mbs_state *exact) {
  for (int i = 0; i < n_coordinates; i++)
    deviation_add(&self->column[i], state->q[i], exact->q[i]);
}

static double combined(const position_error *self) {
  double sum = 0;
  for (int i = 0; i < n_coordinates; i++)
    sum += pow(deviation_of(&self->column[i]), 2);
  return sqrt(sum);
}

/* Over macro points, and over a grid of 0.01 s. */
typedef struct errors {
  double at_points, on_grid;
  size_t macro_steps;
} errors;

typedef struct four_bar_run {
  cosim_fixture p;
  mbs_integrator *whole;
  mbs_state *exact, *between;
  position_error points, grid;
  int n_grid;
} four_bar_run;

static void add_grid(four_bar_run *self) {
  const double grid_step = 0.01;
  while ((self->n_grid + 1) * grid_step <= cosim_state(self->p.run)->t + 1e-12) {
    const double t = fmin(++self->n_grid * grid_step, cosim_state(self->p.run)->t);
    cr_assert_eq(mbs_integrator_advance(self->whole, t, self->exact, NULL), SEAM_OK);
    cosim_state_between(self->p.run, t, self->between);
    add_point(&self->grid, self->between, self->exact);
  }
}

/* The four-bar with bushing, ff-d-k2, stiffness 1e4, 10 s. */
static errors run_four_bar(double macro_step, const cosim_step_control *control) {
  const double end = 10;
  four_bar_run self = {.p = cosim_fixture_read("four_bar_bushing", (const char *const[]){"parameters.c=1e4", NULL})};
  self.p.definition.options.macro_step = macro_step;
  self.p.definition.step_control = control;
  use_scheme(&self.p, "ff-d-k2");
  start(&self.p);
  self.exact = new_state(self.p.model);
  self.between = new_state(self.p.model);
  self.whole = start_monolithic(&self.p, self.exact);
  while (is_before(&self.p, end)) {
    advance_controlled(&self.p, end);
    add_grid(&self);
    cr_assert_eq(mbs_integrator_advance(self.whole, cosim_state(self.p.run)->t, self.exact, NULL), SEAM_OK);
    add_point(&self.points, cosim_state(self.p.run), self.exact);
  }
  const errors found = {combined(&self.points), combined(&self.grid), n_steps(&self.p)};
  mbs_integrator_destroy(self.whole);
  mbs_state_destroy(self.exact);
  mbs_state_destroy(self.between);
  cosim_fixture_free(&self.p);
  return found;
}

static errors run_four_bar_controlled(double tolerance) {
  const cosim_step_control control = cosim_default_step_control(COSIM_ERROR_INDICATOR, tolerance);
  return run_four_bar(1e-3, &control);
}

/* The error of fixed steps grows with them: what more of them do not reach fewer do not. */
Test(control, an_error_of_1e_6_takes_less_than_a_third_of_the_fixed_macro_steps) {
  const errors controlled = run_four_bar_controlled(8e-7);
  cr_expect_leq(controlled.at_points, 1e-6, "%g", controlled.at_points);
  cr_expect_leq(controlled.on_grid, 1e-6, "%g", controlled.on_grid);
  for (size_t times = 1; times <= 3; times++) {
    const errors fixed = run_four_bar(10.0 / (double)(times * controlled.macro_steps), NULL);
    cr_expect_eq(fixed.macro_steps, times * controlled.macro_steps);
    cr_expect_gt(fmin(fixed.at_points, fixed.on_grid), 1e-6, "%zu macro steps: %g", fixed.macro_steps, fixed.at_points);
  }
}

Test(control, the_error_is_about_the_tolerance) {
  for (int power = 4; power <= 7; power++) {
    const double tolerance = pow(10, -power);
    const errors found = run_four_bar_controlled(tolerance);
    cr_expect(found.at_points < 2 * tolerance && found.at_points > tolerance / 10, "%g: %g", tolerance,
              found.at_points);
  }
}

/* ---- The exact solution ---- */

/* Two equal masses of 1 kg between three equal springs: x1 + x2 and x1 - x2 are apart. */
static double exact_two_masses(double c, double d, double t, double *v) {
  const double omega2[2] = {c, 3 * c};
  const double decay[2] = {d / 2, 3 * d / 2};
  double x = 0;
  *v = 0;
  for (int mode = 0; mode < 2; mode++) {
    const double omega = sqrt(omega2[mode] - decay[mode] * decay[mode]);
    const double fade = 0.5 * exp(-decay[mode] * t);
    x += fade * (cos(omega * t) + decay[mode] / omega * sin(omega * t));
    *v -= fade * omega2[mode] / omega * sin(omega * t);
  }
  return x;
}

/* Largest error of x1 over 0.5 s. */
static double error_of_two_masses(const char *scheme, double tolerance, size_t *n) {
  const char *const overrides[] = {"cosim.rtol=1e-11", "cosim.atol=1e-13", NULL};
  cosim_fixture p = cosim_fixture_read("two_mass_oscillator", overrides);
  cosim_step_control control;
  double largest = 0;
  control_by(&p, &control, COSIM_ERROR_INDICATOR, tolerance);
  use_scheme(&p, scheme);
  start(&p);
  while (is_before(&p, 0.5)) {
    double v;
    advance_controlled(&p, 0.5);
    const double x = exact_two_masses(1e3, 10, cosim_state(p.run)->t, &v);
    largest = fmax(largest, fabs(cosim_state(p.run)->q[0] - x));
    largest = fmax(largest, fabs(cosim_state(p.run)->v[0] - v) / sqrt(1e3));
  }
  *n = n_steps(&p);
  cosim_fixture_free(&p);
  return largest;
}

/* Tenfold tolerance: 10^(1/(k+2)) times the length; the error of a run loses one power of it. */
Test(control, two_masses_follow_the_exact_solution_as_the_order_says) {
  static const char *const schemes[] = {"ff-k1", "ff-k2", "ff-k3", "fd-k2", "dd-k2", "ff-d-k2", "ff-k2-implicit"};
  static const int order[] = {1, 2, 3, 2, 2, 2, 2};
  for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
    size_t n[2];
    const double coarse = error_of_two_masses(schemes[i], 1e-4, &n[0]);
    const double fine = error_of_two_masses(schemes[i], 1e-7, &n[1]);
    const double k = order[i];
    cr_expect_lt(coarse, 100 * 1e-4, "%s: %g", schemes[i], coarse);
    cr_expect_float_eq(log10(coarse / fine) / 3, (k + 1) / (k + 2), 0.25, "%s: %g, %g", schemes[i], coarse, fine);
    cr_expect_float_eq(log10((double)n[1] / (double)n[0]) / 3, 1 / (k + 2), 0.1, "%s: %zu, %zu", schemes[i], n[0],
                       n[1]);
  }
}

/* ---- Steps that are taken again ---- */

static void expect_same_bits_as_at_once(const char *model, const char *scheme, bool reuse, bool exact_history) {
  cosim_fixture controlled = cosim_fixture_read(model, NULL);
  cosim_fixture at_once = cosim_fixture_read(model, NULL);
  cosim_step_control control;
  use_scheme(&controlled, scheme);
  use_scheme(&at_once, scheme);
  controlled.definition.options.reuse = at_once.definition.options.reuse = reuse;
  controlled.definition.options.exact_history = at_once.definition.options.exact_history = exact_history;
  controlled.definition.options.macro_step = at_once.definition.options.macro_step = 2e-3;
  control_by(&controlled, &control, COSIM_ERROR_INDICATOR, 1e-6);
  start(&controlled);
  start(&at_once);
  size_t n = 0;
  for (; n < 200 && is_before(&controlled, 10); n++) {
    advance_controlled(&controlled, 10);
    cr_assert_eq(cosim_advance(at_once.run, last_length(&controlled), NULL), SEAM_OK);
    cr_assert(same_bits(cosim_state(controlled.run), cosim_state(at_once.run)), "%s, step %zu", scheme, n);
  }
  cr_expect_gt(cosim_statistics_of(controlled.run).repeated, 1, "%s", scheme);
  cr_expect_eq(n_steps(&controlled), n);
  cosim_fixture_free(&controlled);
  cosim_fixture_free(&at_once);
}

Test(control, a_step_that_was_taken_again_leaves_the_bits_of_one_taken_at_once) {
  expect_same_bits_as_at_once("four_bar_bushing", "ff-d-k2", false, false);
  expect_same_bits_as_at_once("four_bar_bushing", "dd-k2", false, true);
  expect_same_bits_as_at_once("four_bar_bushing", "ff-k2-update", false, false);
  expect_same_bits_as_at_once("double_pendulum", "ff-index2-k1", false, false);
  expect_same_bits_as_at_once("double_pendulum", "ff-projection-k2", false, false);
  expect_same_bits_as_at_once("four_bar_bushing", "ff-k2-implicit", true, false);
  expect_same_bits_as_at_once("double_pendulum", "ff-colloc-s3", false, false);
  expect_same_bits_as_at_once("four_bar_fixed", "ff-colloc-s2", false, false);
}

static void expect_image_to_go_on(const char *scheme) {
  cosim_fixture p = cosim_fixture_read("four_bar_bushing", NULL);
  cosim_step_control control;
  control_by(&p, &control, COSIM_ERROR_INDICATOR, 1e-5);
  use_scheme(&p, scheme);
  start(&p);
  run_to(&p, 0.1);
  const size_t size = cosim_image_size(p.run);
  char *image = malloc(size);
  cosim_save(p.run, image);
  run_to(&p, 1);
  const cosim_statistics first = cosim_statistics_of(p.run);
  mbs_state *end = new_state(p.model);
  mbs_state_copy(end, cosim_state(p.run));
  start(&p);
  cr_assert_eq(cosim_restore(p.run, image, size, NULL), SEAM_OK);
  run_to(&p, 1);
  const cosim_statistics second = cosim_statistics_of(p.run);
  cr_expect(same_bits(end, cosim_state(p.run)));
  cr_expect_eq(first.macro_steps, second.macro_steps);
  cr_expect_eq(first.repeated, second.repeated);
  cr_expect_eq(first.shortest, second.shortest);
  cr_expect_eq(first.longest, second.longest);
  control.tolerance *= 2;
  start(&p);
  cr_expect_eq(cosim_restore(p.run, image, size, NULL), SEAM_BAD_STATE);
  free(image);
  mbs_state_destroy(end);
  cosim_fixture_free(&p);
}

Test(control, an_image_goes_on_with_the_same_bits) {
  expect_image_to_go_on("ff-k2");
  expect_image_to_go_on("ff-colloc-s3");
}

/* ---- Uneven steps ---- */

/* After 2 s; the pattern's longest is the even one. */
static double error_of_pattern(const char *model, const char *scheme, const double *factor, int n, double H) {
  cosim_fixture p = cosim_fixture_read(model, NULL);
  p.definition.options.macro_step = H;
  use_scheme(&p, scheme);
  start(&p);
  for (int i = 0; is_before(&p, 2); i++)
    cr_assert_eq(cosim_advance(p.run, factor[i % n] * H, NULL), SEAM_OK);
  const double error = error_of(&p);
  cosim_fixture_free(&p);
  return error;
}

static void expect_as_good_uneven(const char *model, const char *scheme) {
  static const double even[] = {1};
  static const double uneven[] = {0.4, 0.6, 0.9, 1, 0.2, 0.3, 0.45, 0.65};
  const double H = 2e-3;
  const double best = error_of_pattern(model, scheme, even, 1, H);
  const double error = error_of_pattern(model, scheme, uneven, 8, H);
  cr_expect_leq(error, 1.5 * best + 1e-9, "%s: %g, with even steps %g", scheme, error, best);
}

Test(control, uneven_steps_stay_stable) {
  expect_as_good_uneven("four_bar_bushing", "fd-k1");
  expect_as_good_uneven("four_bar_bushing", "fd-d-k2");
  expect_as_good_uneven("four_bar_bushing", "dd-k1");
  expect_as_good_uneven("four_bar_bushing", "dd-k2");
  expect_as_good_uneven("four_bar_bushing", "dd-i-k1");
  expect_as_good_uneven("double_pendulum", "ff-index2-k1");
  expect_as_good_uneven("double_pendulum", "ff-index2-k2");
  expect_as_good_uneven("double_pendulum", "ff-baumgarte-k1");
  expect_as_good_uneven("double_pendulum", "fd-projection-k1");
}

Test(control, joints_are_controlled_too) {
  static const char *const schemes[] = {"ff-index2-k1",     "ff-index2-k1-implicit", "ff-index1-k1",
                                        "ff-projection-k2", "ff-baumgarte-k1",       "ff-weighted-k1"};
  for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
    cosim_fixture p = cosim_fixture_read("double_pendulum", NULL);
    cosim_step_control control;
    control_by(&p, &control, COSIM_ERROR_INDICATOR, 1e-5);
    use_scheme(&p, schemes[i]);
    start(&p);
    run_to(&p, 2);
    cr_expect_lt(error_of(&p), 1e-4, "%s: %g", schemes[i], error_of(&p));
    cr_expect_lt(n_steps(&p), 600, "%s: %zu", schemes[i], n_steps(&p));
    cosim_fixture_free(&p);
  }
}

/* ---- Explicit schemes ---- */

/* Error after 1 s; the indicator alone decides the lengths. */
static double error_without_going_back(const char *scheme, cosim_step_indicator indicator, double tolerance,
                                       double first_step) {
  cosim_fixture p = cosim_fixture_read("four_bar_bushing", NULL);
  cosim_step_control control;
  control_by(&p, &control, indicator, tolerance);
  control.follows_motion = false;
  p.definition.options.macro_step = first_step;
  use_scheme(&p, scheme);
  start(&p);
  run_to(&p, 1);
  const cosim_statistics s = cosim_statistics_of(p.run);
  cr_expect_eq(s.repeated, 0);
  cr_expect_gt(s.longest, 5 * s.shortest, "%s", scheme);
  const double error = error_of(&p);
  cosim_fixture_free(&p);
  return error;
}

/* Where the indicator lets explicit steps leave their bounds of stability for a while, the error depends on rounding:
 * the largest of several runs. */
static double largest_error(const char *scheme, cosim_step_indicator indicator, double tolerance) {
  double largest = 0;
  for (int i = 0; i < 5; i++)
    largest = fmax(largest, error_without_going_back(scheme, indicator, tolerance, (1 + 0.01 * i) * 1e-4));
  return largest;
}

static void expect_convergence(const char *scheme, cosim_step_indicator indicator, double tolerance) {
  const double coarse = largest_error(scheme, indicator, tolerance);
  const double fine = largest_error(scheme, indicator, tolerance / 100);
  cr_expect_lt(3 * fine, coarse, "%s: %g, %g", scheme, coarse, fine);
}

Test(control, energy_and_prediction_control_explicit_schemes) {
  expect_convergence("ff-k1-explicit", COSIM_ENERGY_INDICATOR, 1e-2);
  expect_convergence("fd-k1-explicit", COSIM_ENERGY_INDICATOR, 1e-2);
  expect_convergence("ff-k1-explicit", COSIM_PREDICTION_INDICATOR, 1e-2);
  expect_convergence("ff-k2-explicit", COSIM_PREDICTION_INDICATOR, 1e-2);
  expect_convergence("fd-k1-explicit", COSIM_PREDICTION_INDICATOR, 1e-2);
}

/* ---- Ends, bounds, refusals ---- */

Test(control, fixed_steps_end_at_the_end_without_a_sliver) {
  cosim_fixture p = cosim_fixture_read("four_bar_bushing", NULL);
  static const struct {
    double end;
    size_t n;
  } cases[] = {{0.01, 10}, {0.01025, 11}, {0.010005, 10}, {0.0005, 1}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    start(&p);
    run_to(&p, cases[i].end);
    cr_expect_eq(n_steps(&p), cases[i].n, "%g: %zu", cases[i].end, n_steps(&p));
    cr_expect_float_eq(cosim_state(p.run)->t, cases[i].end, 1e-15);
  }
  cosim_fixture_free(&p);
}

Test(control, an_end_on_the_way_costs_a_step_or_two) {
  size_t n[2];
  for (int stops = 0; stops < 2; stops++) {
    cosim_fixture p = cosim_fixture_read("four_bar_bushing", NULL);
    cosim_step_control control;
    control_by(&p, &control, COSIM_ERROR_INDICATOR, 1e-5);
    use_scheme(&p, "ff-k2");
    start(&p);
    for (int i = 1; i < 5 && stops; i++)
      run_to(&p, 0.4 * i);
    run_to(&p, 2);
    n[stops] = n_steps(&p);
    cosim_fixture_free(&p);
  }
  cr_expect_leq(n[1], n[0] + 8, "%zu, %zu", n[0], n[1]);
}

/* What made a step too long is not over after a shorter one. */
Test(control, after_a_repeated_step_the_length_does_not_grow) {
  cosim_fixture p = cosim_fixture_read("four_bar_bushing", NULL);
  cosim_step_control control;
  size_t n_watched = 0;
  control_by(&p, &control, COSIM_ERROR_INDICATOR, 1e-6);
  control.safety = 1;
  use_scheme(&p, "ff-k2");
  start(&p);
  while (cosim_state(p.run)->t < 2) {
    const size_t repeated = cosim_statistics_of(p.run).repeated;
    advance_controlled(&p, 10);
    const double length = last_length(&p);
    if (cosim_statistics_of(p.run).repeated == repeated)
      continue;
    cr_expect_leq(p.run->control.next, length * (1 + 1e-12), "%g after %g", p.run->control.next, length);
    n_watched++;
  }
  cr_expect_gt(n_watched, 5, "%zu", n_watched);
  cosim_fixture_free(&p);
}

Test(control, bounds_hold) {
  cosim_fixture p = cosim_fixture_read("four_bar_bushing", NULL);
  cosim_step_control control;
  control_by(&p, &control, COSIM_ERROR_INDICATOR, 1e-7);
  control.shortest = 1e-3;
  control.longest = 2e-3;
  p.definition.options.macro_step = 5e-3;
  start(&p);
  run_to(&p, 0.1);
  const cosim_statistics s = cosim_statistics_of(p.run);
  cr_expect_geq(s.shortest, 1e-3 / 2, "%g", s.shortest); /* the last two share what remains */
  cr_expect_leq(s.longest, 1.01 * 2e-3, "%g", s.longest);
  cosim_fixture_free(&p);
}

Test(control, an_indicator_that_is_no_number_shrinks_and_repetition_always_shortens) {
  cosim_step_control rule = cosim_default_step_control(COSIM_ERROR_INDICATOR, 1e-6);
  cr_expect_eq(cosim_step_after(&rule, NAN, 1), rule.shrinkage_limit);
  cr_expect_eq(cosim_repeated_length(&rule, NAN, 1), rule.shrinkage_limit);
  rule.safety = 1;
  cr_expect_lt(cosim_repeated_length(&rule, 1 + 1e-12, 1), 0.95);
}

/* A value that falls to zero is as far from its prediction as one that rises from it. */
Test(control, the_predictions_tolerance_is_relative_to_the_larger_of_the_two) {
  cosim_step_control rule = cosim_default_step_control(COSIM_PREDICTION_INDICATOR, 1e-3);
  rule.relative_weight = 0.5;
  cr_expect_float_eq(cosim_prediction_ratio(&rule, 0, 100), 100 / (1e-3 * 51), 1e-9);
  cr_expect_float_eq(cosim_prediction_ratio(&rule, 100, 0), 100 / (1e-3 * 51), 1e-9);
  cr_expect_float_eq(cosim_prediction_ratio(&rule, 3, -100), cosim_prediction_ratio(&rule, -100, 3), 1e-9);
}

Test(control, refusals_name_the_remedy) {
  cosim_fixture p = cosim_fixture_read("four_bar_bushing", NULL);
  cosim_step_control control;
  control_by(&p, &control, COSIM_ERROR_INDICATOR, 1e-5);
  use_scheme(&p, "ff-k1-explicit");
  expect_no_start(&p, "corrector");
  control.tolerance = 0;
  expect_no_start(&p, "tolerance must be positive");
  control_by(&p, &control, COSIM_ENERGY_INDICATOR, 1e-5);
  p.definition.options.energy_scale = 0;
  expect_no_start(&p, "an energy that typically passes");
  control_by(&p, &control, COSIM_PREDICTION_INDICATOR, 1e-5);
  control.shortest = 1;
  control.longest = 0.5;
  expect_no_start(&p, "not below the shortest");
  cosim_fixture_free(&p);
}

/* Fails at once; to go on it must be started again. */
static void expect_no_step(cosim_fixture *p, const char *part) {
  seam_error error = {0};
  start(p);
  cr_expect_eq(cosim_advance_controlled(p->run, 1, &error), SEAM_NOT_CONVERGED, "%s", error.message);
  cr_expect_not_null(strstr(error.message, part), "'%s' is not in '%s'", part, error.message);
  cr_expect_eq(cosim_state(p->run)->t, 0);
  cr_expect_eq(cosim_advance_controlled(p->run, 1, &error), SEAM_BAD_STATE);
  cr_expect_eq(cosim_advance_controlled(p->run, -1, &error), SEAM_BAD_INPUT);
}

Test(control, a_tolerance_out_of_reach_is_said) {
  const char *const overrides[] = {"parameters.cc=1e6", "parameters.x2=0.5", "parameters.v1=1", "parameters.v2=-1",
                                   NULL};
  cosim_fixture p = cosim_fixture_read("two_mass_oscillator", overrides);
  cosim_step_control control;
  control_by(&p, &control, COSIM_ERROR_INDICATOR, 1e-30);
  p.definition.options.integrator.atol = 1e-25;
  expect_no_step(&p, "raise this tolerance");
  cosim_fixture_free(&p);
}

/* What does not go back has a floor of its own, unless the shortest step is given. */
static void expect_floor(cosim_step_indicator indicator) {
  cosim_fixture p = cosim_fixture_read("two_mass_oscillator", NULL);
  cosim_step_control control;
  seam_error error = {0};
  control_by(&p, &control, indicator, 1e-25);
  start(&p);
  while (cosim_advance_controlled(p.run, 1, &error) == SEAM_OK)
    cr_assert_lt(n_steps(&p), 1000);
  cr_expect_eq(error.status, SEAM_NOT_CONVERGED);
  cr_expect_not_null(strstr(error.message, "take a larger 'tolerance', or set 'shortest'"), "%s", error.message);
  cr_expect_gt(cosim_state(p.run)->t, 0);
  cr_expect_eq(cosim_advance_controlled(p.run, 1, &error), SEAM_BAD_STATE);
  control.shortest = 1e-3 * p.definition.options.macro_step;
  start(&p);
  run_to(&p, 0.01);
  cr_expect_gt(n_steps(&p), 100);
  cosim_fixture_free(&p);
}

Test(control, by_energy_an_endless_number_of_steps_is_refused) { expect_floor(COSIM_ENERGY_INDICATOR); }
Test(control, by_prediction_an_endless_number_of_steps_is_refused) { expect_floor(COSIM_PREDICTION_INDICATOR); }

/* An output then counts as wrong by its whole change over the step. */
Test(control, a_prediction_that_is_the_last_value_is_named_as_the_cause_of_tiny_steps) {
  static const double tolerances[] = {1e-3, 1e-4}; /* no progress; too short */
  for (int i = 0; i < 2; i++) {
    cosim_fixture p = cosim_fixture_read("two_mass_oscillator", NULL);
    cosim_step_control control;
    seam_error error = {0};
    control_by(&p, &control, COSIM_PREDICTION_INDICATOR, tolerances[i]);
    control.prediction_order = 0;
    start(&p);
    while (cosim_advance_controlled(p.run, 0.5, &error) == SEAM_OK)
      cr_assert_lt(n_steps(&p), 10000);
    cr_expect_eq(error.status, SEAM_NOT_CONVERGED);
    cr_expect_not_null(strstr(error.message, "take a larger 'prediction_order', or a larger 'tolerance'"), "%s",
                       error.message);
    cosim_fixture_free(&p);
  }
}

Test(control, a_step_that_fails_however_short_is_said) {
  cosim_fixture p = cosim_fixture_read("double_pendulum", NULL);
  cosim_step_control control;
  control_by(&p, &control, COSIM_ERROR_INDICATOR, 1e-5);
  p.definition.options.implicit_tolerance = 1e-30;
  p.definition.options.implicit_iterations = 1;
  use_scheme(&p, "ff-index2-k1-implicit");
  expect_no_step(&p, "corrector still changes");
  cosim_fixture_free(&p);
}
