/* Studies of schemes over macro steps, and which one is recommended. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include <seam/analysis.h>
#include <seam/models.h>

#include "tests/support/cosim_fixture.h"

enum { N_STEPS = 21 };

/* At rest in its equilibrium. */
static cosim_fixture open_model(void) {
  cosim_fixture f = cosim_fixture_read("four_bar_bushing", NULL);
  seam_error error = {0};
  cr_assert_eq(mbs_find_equilibrium(f.workspace, f.state, NULL, NULL, &error), SEAM_OK, "%s", error.message);
  return f;
}

static seam_linearised *linearise(const cosim_fixture *f, const char *scheme) {
  cosim_builder *builder = NULL;
  seam_linearised *linear = NULL;
  seam_error error = {0};
  cr_assert_eq(cosim_builder_copy(seam_model_cosim(f->file), &builder, &error), SEAM_OK, "%s", error.message);
  cr_assert_eq(cosim_use_scheme(builder, scheme, &error), SEAM_OK, "%s", error.message);
  cr_assert_eq(seam_linearised_create(f->state, builder, &linear, &error), SEAM_OK, "%s", error.message);
  cosim_builder_destroy(builder);
  return linear;
}

Test(study, finds_the_largest_macro_step_that_is_accurate_enough) {
  cosim_fixture f = open_model();
  seam_linearised *linear = linearise(&f, "ff-k1");
  seam_scheme_point points[N_STEPS];
  double errors[N_STEPS];
  seam_scheme_study study;
  seam_error error = {0};
  cr_assert_eq(seam_linearised_study(linear, 1e-3, 1e-1, N_STEPS, 1e-4, NULL, points, errors, &study, &error), SEAM_OK,
               "%s", error.message);
  cr_expect(study.is_stable && study.has_error);
  cr_expect_eq(study.n_unknowns, 3);
  cr_expect_leq(study.error, 1e-4);
  for (size_t i = 0; i < N_STEPS; i++) {
    cr_expect_eq(points[i].verdict == SEAM_UNSTABLE, isnan(errors[i]), "H = %g", points[i].macro_step);
    cr_expect(points[i].macro_step <= study.macro_step || !(errors[i] <= 1e-4), "H = %g", points[i].macro_step);
  }
  cr_assert_eq(study.n_intervals, 1);
  cr_expect_float_eq(study.interval[0].to, 0.0413, 1e-4);
  seam_linearised_destroy(linear);
  cosim_fixture_free(&f);
}

static seam_scheme_study study_of(const char *scheme, double from, double to, double wanted) {
  cosim_fixture f = open_model();
  seam_linearised *linear = linearise(&f, scheme);
  seam_scheme_point points[N_STEPS];
  double errors[N_STEPS];
  seam_scheme_study study;
  seam_error error = {0};
  cr_assert_eq(seam_linearised_study(linear, from, to, N_STEPS, wanted, NULL, points, errors, &study, &error), SEAM_OK,
               "%s", error.message);
  seam_linearised_destroy(linear);
  cosim_fixture_free(&f);
  return study;
}

/* The slowest mode has 0.47 Hz. */
Test(study, a_period_takes_ten_macro_steps) {
  const seam_scheme_study study = study_of("ff-colloc-s2", 0.1, 1, 1);
  cr_expect_leq(study.macro_step, 0.2126);
  cr_expect_geq(study.macro_step, 0.2126 / 1.13);
  const seam_scheme_study beyond = study_of("ff-colloc-s2", 0.3, 1, 1);
  cr_expect(beyond.has_error && isnan(beyond.macro_step));
}

/* Of 20000 macro steps a period it is 3e-8, of some hundred 1e-10. */
Test(study, rounding_of_short_macro_steps_is_not_in_the_way) {
  const seam_scheme_study study = study_of("fd-colloc-s5", 1e-4, 1e-1, 1e-9);
  cr_expect_gt(study.macro_step, 1e-2);
  cr_expect_leq(study.error, 1e-9);
}

static bool at_once(void *context, double H) {
  (void)context;
  return H > 0;
}

Test(study, can_be_interrupted) {
  cosim_fixture f = open_model();
  seam_linearised *linear = linearise(&f, "ff-k1");
  const seam_interrupt interrupt = {.is_requested = at_once};
  seam_scheme_point points[2];
  double errors[2];
  seam_scheme_study study;
  cr_expect_eq(seam_linearised_study(linear, 1e-3, 1e-2, 2, 1e-4, &interrupt, points, errors, &study, NULL),
               SEAM_INTERRUPTED);
  seam_linearised_destroy(linear);
  cosim_fixture_free(&f);
}

/* Larger macro steps first, then fewer unknowns, then steps that are not repeated, then smaller errors; else the first
 * reason against any. */
Test(study, recommends_the_largest_macro_step) {
  cosim_fixture f = open_model();
  const seam_scheme_study studies[] = {
      {.is_stable = true, .has_error = true, .macro_step = 1e-3, .error = 1e-6},
      {.is_stable = true, .has_error = true, .macro_step = 2e-3, .error = 9e-5},
      {.is_stable = true, .has_error = true, .macro_step = 2e-3, .error = 5e-5},
      {.is_stable = true, .has_error = true, .macro_step = NAN, .error = NAN},
      {.is_stable = true, .macro_step = NAN, .error = NAN},
      {.macro_step = NAN, .error = NAN},
  };
  const seam_recommendation best = seam_recommend(f.model, f.state, false, studies, 6);
  cr_expect_eq(best.advice, SEAM_TAKE_SCHEME);
  cr_expect_eq(best.scheme, 2);
  const seam_scheme_study costs[] = {
      {.is_stable = true, .has_error = true, .macro_step = 2e-3, .error = 5e-5, .n_unknowns = 6},
      {.is_stable = true, .has_error = true, .macro_step = 2e-3, .error = 9e-5, .n_unknowns = 4}};
  cr_expect_eq(seam_recommend(f.model, f.state, false, costs, 2).scheme, 1);
  const seam_scheme_study passes[] = {
      {.is_stable = true, .has_error = true, .macro_step = 2e-3, .error = 5e-5, .n_unknowns = 4, .repeats = true},
      {.is_stable = true, .has_error = true, .macro_step = 2e-3, .error = 9e-5, .n_unknowns = 4}};
  cr_expect_eq(seam_recommend(f.model, f.state, false, passes, 2).scheme, 1);
  cr_expect_eq(seam_recommend(f.model, f.state, false, studies + 3, 3).advice, SEAM_NONE_ACCURATE);
  cr_expect_eq(seam_recommend(f.model, f.state, false, studies + 4, 2).advice, SEAM_NO_PREDICTION);
  cr_expect_eq(seam_recommend(f.model, f.state, false, studies + 5, 1).advice, SEAM_NONE_STABLE);
  cr_expect_eq(seam_recommend(f.model, f.state, true, studies, 6).advice, SEAM_DIRECTION_TURNS);
  f.state->v[0] = 1;
  const seam_recommendation none = seam_recommend(f.model, f.state, true, studies, 6);
  cr_expect_eq(none.advice, SEAM_STATE_MOVES);
  cr_expect_eq(none.scheme, SEAM_NONE);
  cosim_fixture_free(&f);
}

/* What rounding leaves of an oscillation without damping is not growth. */
Test(study, growth_is_that_of_the_fastest_growing_mode) {
  seam_mode mode[] = {{.s = {1e-13, 10}}, {.s = {0.5, 3}}, {.s = {0.25, 0}}, {.s = {7, 0}, .neutral = true}};
  const seam_modes all = {.n = 4, .mode = mode};
  const seam_modes first = {.n = 1, .mode = mode};
  cr_expect_eq(seam_modes_growth(&all), 0.5);
  cr_expect_eq(seam_modes_growth(&first), 0);
}
