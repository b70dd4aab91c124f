/* What a program may do wrong with analyses and tables: status and words of each refusal, and answers of functions that
 * return no status. */
#include <criterion/criterion.h>
#include <math.h>

#include <seam/analysis.h>
#include <seam/results.h>
#include <seam/verdict.h>

#include "tests/support/cosim_fixture.h"
#include "tests/support/mechanisms.h"
#include "tests/support/misuse.h"

static seam_error error;
static cosim_fixture p;
static cosim_builder *builder;
static mechanism other;

static void set_up(void) {
  p = cosim_fixture_read("double_pendulum", NULL);
  start(&p);
  cr_assert_eq(cosim_builder_of(p.model, &p.definition, &builder, &error), SEAM_OK);
  other = four_bar_fixed();
  mechanism_assemble(&other);
}

static void tear_down(void) {
  mechanism_free(&other);
  cosim_builder_destroy(builder);
  cosim_fixture_free(&p);
}

TestSuite(misuse, .init = set_up, .fini = tear_down);

static const seam_test_model model = {-0.1, 1, 1, 1, 1, 1, 1};
static const seam_mbcorr_model mbcorr = {1e6, 1, 1e-4};

#define EXPECT(call, function, argument)                                                                               \
  expect_refused(call, SEAM_BAD_INPUT, function "(): its argument '" argument "' is NULL", &error)

Test(misuse, arguments_of_textbook_models_are_named) {
  seam_stability_point point;
  seam_mbcorr_nrmse nrmse;
  seam_test_errors errors;
  seam_map map;
  seam_map_point points[1];
  int index = 0;
  EXPECT(seam_constitutive_stability(NULL, "ff-k1", &point, &error), "seam_constitutive_stability", "parameters");
  EXPECT(seam_constitutive_stability(&model, NULL, &point, &error), "seam_constitutive_stability", "scheme");
  EXPECT(seam_constraint_stability(&model, "ff-index2-k1", NULL, &error), "seam_constraint_stability", "point");
  EXPECT(seam_mbcorr_stability(&mbcorr, NULL, &point, &error), "seam_mbcorr_stability", "scheme");
  EXPECT(seam_mbcorr_errors(NULL, "hold1", &nrmse, &error), "seam_mbcorr_errors", "model");
  EXPECT(seam_constitutive_errors(NULL, false, 0.1, &errors, &error), "seam_constitutive_errors", "scheme");
  EXPECT(seam_constraint_errors("ff-index2-k1", false, 0.1, NULL, &error), "seam_constraint_errors", "errors");
  EXPECT(seam_map_default(NULL, &map, &error), "seam_map_default", "model");
  EXPECT(seam_map_parameter("constitutive", NULL, &index, &error), "seam_map_parameter", "name");
  EXPECT(seam_map_stability(NULL, NULL, &error), "seam_map_stability", "map");
  EXPECT(seam_stability_map(NULL, points, NULL, NULL, &error), "seam_stability_map", "map");
  cr_assert_eq(seam_map_default("constitutive", &map, &error), SEAM_OK);
  EXPECT(seam_stability_map(&map, points, NULL, NULL, &error), "seam_stability_map", "map->scheme");
}

Test(misuse, arguments_of_analyses_are_named) {
  const mbs_integrator_options options = mbs_default_integrator_options();
  seam_growth growth = {0};
  seam_modes *modes = NULL;
  seam_reference *reference = NULL;
  seam_comparison *comparison = NULL;
  seam_linearised *linearised = NULL;
  seam_table *table = NULL;
  seam_run_verdict verdict;
  seam_trial trial;
  seam_trial_def def = {.model = p.model, .start = p.state, .integrator = &options, .builder = NULL};
  EXPECT(seam_modes_create(NULL, p.state, &modes, &error), "seam_modes_create", "model");
  EXPECT(seam_modes_create(p.model, p.state, NULL, &error), "seam_modes_create", "modes");
  EXPECT(seam_reference_create(p.model, p.state, NULL, 0.1, 1, NULL, &reference, &error), "seam_reference_create",
         "options");
  EXPECT(seam_reference_check(NULL, NULL, NULL, &error), "seam_reference_check", "self");
  EXPECT(seam_comparison_create(NULL, builder, NULL, NULL, &comparison, &error), "seam_comparison_create", "reference");
  EXPECT(seam_try_macro_step(NULL, &trial, &error), "seam_try_macro_step", "def");
  EXPECT(seam_try_macro_step(&def, &trial, &error), "seam_try_macro_step", "def->builder");
  EXPECT(seam_scheme_check(p.state, NULL, NULL, &error), "seam_scheme_check", "builder");
  EXPECT(seam_linearised_check(NULL, &error), "seam_linearised_check", "builder");
  EXPECT(seam_linearised_create(p.state, NULL, &linearised, &error), "seam_linearised_create", "builder");
  EXPECT(seam_linearised_stability(NULL, 0.1, NULL, &error), "seam_linearised_stability", "self");
  EXPECT(seam_linearised_error(NULL, 0.1, NULL, &error), "seam_linearised_error", "self");
  EXPECT(seam_run_judge(NULL, p.model, true, NULL, NULL, NULL, 0, &verdict, &error), "seam_run_judge", "record");
  EXPECT(seam_growth_check(&growth, p.model, p.state, NULL, 0, 1, &error), "seam_growth_check", "simulation");
  EXPECT(seam_trajectory_table_create(p.model, NULL, &error), "seam_trajectory_table_create", "created");
  EXPECT(seam_couplings_table_create(p.model, NULL, &table, &error), "seam_couplings_table_create", "simulation");
  EXPECT(seam_signals_table_create(NULL, &table, &error), "seam_signals_table_create", "simulation");
  EXPECT(seam_table_use_identifiers(NULL, &error), "seam_table_use_identifiers", "self");
  EXPECT(seam_trajectory_row(NULL, p.workspace, p.state, NULL, &error), "seam_trajectory_row", "table");
}

Test(misuse, states_of_another_model_are_refused) {
  const char *words = "the state belongs to another model";
  const mbs_integrator_options options = mbs_default_integrator_options();
  seam_growth growth = {0};
  seam_modes *modes = NULL;
  seam_reference *reference = NULL;
  seam_linearised *linearised = NULL;
  seam_table *table = NULL;
  double row[100];
  expect_refused(seam_modes_create(p.model, other.state, &modes, &error), SEAM_BAD_INPUT, words, &error);
  expect_refused(seam_reference_create(p.model, other.state, &options, 0.1, 1, NULL, &reference, &error),
                 SEAM_BAD_INPUT, words, &error);
  expect_refused(seam_linearised_create(other.state, builder, &linearised, &error), SEAM_BAD_INPUT, words, &error);
  expect_refused(seam_scheme_check(other.state, builder, NULL, &error), SEAM_BAD_INPUT, words, &error);
  expect_refused(seam_growth_check(&growth, p.model, other.state, p.run, 0, 1, &error), SEAM_BAD_INPUT, words, &error);
  expect_refused(seam_couplings_table_create(other.model, p.run, &table, &error), SEAM_BAD_INPUT, words, &error);
  cr_assert_eq(seam_trajectory_table_create(p.model, &table, &error), SEAM_OK);
  expect_refused(seam_trajectory_row(table, p.workspace, other.state, row, &error), SEAM_BAD_INPUT, words, &error);
  seam_table_destroy(table);
}

Test(misuse, macro_steps_of_a_linearisation_are_positive) {
  const double lengths[] = {0, -1, NAN, INFINITY};
  seam_linearised *linearised = NULL;
  seam_scheme_point point;
  double relative;
  size_t n;
  cosim_use_scheme(builder, "ff-index2-k1", &error);
  cr_assert_eq(mbs_find_equilibrium(p.workspace, p.state, NULL, NULL, &error), SEAM_OK, "%s", error.message);
  cr_assert_eq(seam_linearised_create(p.state, builder, &linearised, &error), SEAM_OK, "%s", error.message);
  for (int i = 0; i < 4; i++) {
    expect_refused(seam_linearised_stability(linearised, lengths[i], &point, &error), SEAM_BAD_INPUT,
                   "positive and finite", &error);
    expect_refused(seam_linearised_error(linearised, lengths[i], &relative, &error), SEAM_BAD_INPUT,
                   "positive and finite", &error);
  }
  expect_refused(seam_linearised_intervals(linearised, 0.1, 1, 3, NULL, NULL, 4, &n, &error), SEAM_BAD_INPUT,
                 "its list 'intervals' is NULL", &error);
  seam_linearised_destroy(linearised);
}

Test(misuse, nothing_is_known_of_nothing) {
  double row[1];
  seam_run_record_add(NULL, p.model, p.workspace, p.state, row);
  cr_expect(isnan(seam_run_record_exchange(NULL)));
  cr_expect(isnan(seam_modes_growth(NULL)) && isnan(seam_linearised_growth(NULL)) && isnan(seam_reference_cpu(NULL)));
  cr_expect_null(seam_verdict_text((seam_verdict)9));
  cr_expect_null(seam_word_text((seam_word)9));
  cr_expect_null(seam_truth_text((seam_truth)9));
  cr_expect_null(seam_comparison_text(NULL));
  cr_expect_eq(seam_verdict_say(NULL, NULL, 0), 0);
  cr_expect_null(seam_map_parameter_name(NULL, 0));
  cr_expect_null(seam_map_parameter_name("constitutive", 1000));
  cr_expect_eq(seam_stability_verdict(NULL), SEAM_UNDECIDED);
  cr_expect_eq(seam_orders_fit(NULL, NULL, NULL, 3).all.n, 0);
  cr_expect_gt(seam_scheme_names(false, NULL, 1000), 10);
  cr_expect_eq(seam_recommend(p.model, other.state, false, NULL, 3).scheme, SEAM_NONE);
  cr_expect_eq(seam_table_n_columns(NULL), 0);
  cr_expect_null(seam_table_column(NULL, 0));
  cr_expect_eq(seam_table_find(NULL, "x"), SEAM_NONE);
  seam_couplings_row(NULL, 0, row);
  seam_signals_row(NULL, 0, row);
  cr_expect_eq(seam_interface_energy_of(NULL).created, 0);
  cr_expect_str_eq(seam_status_text((seam_status)99), "unknown status");
  cr_expect_eq(seam_status_exit((seam_status)-1), 1);
}

static void hear(void *context, const char *note) {
  (void)note;
  ++*(int *)context;
}

Test(misuse, no_run_has_no_notes) {
  int n = 0;
  cosim_note_run(NULL, NULL, NULL, hear, &n);
  cosim_note_run(NULL, NULL, NULL, NULL, NULL);
  cr_expect_eq(n, 0);
}

Test(misuse, columns_beyond_the_last_do_not_exist) {
  seam_table *table = NULL;
  cr_assert_eq(seam_trajectory_table_create(p.model, &table, &error), SEAM_OK);
  cr_expect_null(seam_table_column(table, seam_table_n_columns(table)));
  cr_expect_null(seam_table_column(table, SEAM_NONE));
  cr_expect_eq(seam_table_find(table, NULL), SEAM_NONE);
  seam_table_destroy(table);
}
