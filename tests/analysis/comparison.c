/* Co-simulated runs beside monolithic ones, by what must come out. */
#include <criterion/criterion.h>
#include <math.h>
#include <seam/analysis.h>
#include <seam/models.h>

#include "tests/support/engine.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- A model of the catalogue, assembled ---- */

typedef struct fixture {
  seam_model_file *file;
  const mbs_model *model;
  const cosim_builder *builder;
  mbs_state *state;
} fixture;

/* A model of the catalogue by its name, or a text. */
static fixture open_model(const char *name, const char *const *overrides, size_t n_overrides) {
  const char *const known = seam_catalogue_text(name);
  const char *const text = known != NULL ? known : name;
  fixture f = {0};
  seam_error error = {0};
  cr_assert_eq(seam_model_file_parse(name, text, strlen(text), overrides, n_overrides, &f.file, &error), SEAM_OK, "%s",
               error.message);
  f.model = seam_model_mechanism(f.file);
  f.builder = seam_model_cosim(f.file);
  f.state = new_state(f.model);
  mbs_workspace *workspace = new_workspace(f.model);
  cr_assert_eq(mbs_assemble(workspace, f.state, NULL, NULL, &error), SEAM_OK, "%s", error.message);
  mbs_workspace_destroy(workspace);
  return f;
}

static void close_model(fixture *f) {
  mbs_state_destroy(f->state);
  seam_model_file_destroy(f->file);
}

static seam_reference *refer(const fixture *f, double macro_step, double end) {
  seam_reference *reference = NULL;
  seam_error error = {0};
  const seam_status status = seam_reference_create(f->model, f->state, &seam_model_simulation(f->file)->integrator,
                                                   macro_step, end, NULL, &reference, &error);
  cr_assert_eq(status, SEAM_OK, "%s", error.message);
  return reference;
}

static seam_comparison *compare(const fixture *f, const seam_reference *reference, const char *scheme) {
  cosim_builder *builder = NULL;
  seam_comparison *result = NULL;
  seam_error error = {0};
  cr_assert_eq(cosim_builder_copy(f->builder, &builder, NULL), SEAM_OK);
  cr_assert_eq(cosim_use_scheme(builder, scheme, &error), SEAM_OK, "%s", error.message);
  cr_assert_eq(seam_comparison_create(reference, builder, NULL, NULL, &result, &error), SEAM_OK, "%s", error.message);
  cosim_builder_destroy(builder);
  return result;
}

/* ---- Runs ---- */

/* The smaller the macro step, the nearer: order 2 of ff-k1. */
Test(comparison, errors_fall_with_the_macro_step) {
  fixture f = open_model("four_bar_bushing", NULL, 0);
  double H[3] = {4e-3, 2e-3, 1e-3};
  double errors[3];
  for (int i = 0; i < 3; i++) {
    seam_reference *reference = refer(&f, H[i], 0.2);
    seam_comparison *run = compare(&f, reference, "ff-k1");
    cr_expect(run->outcome == SEAM_RUN_FINISHED && run->word == SEAM_WORD_ACCURATE);
    cr_expect_eq(run->macro_steps, (size_t)lround(0.2 / H[i]));
    cr_expect_float_eq(run->time, 0.2, 1e-12);
    errors[i] = run->error_position;
    seam_comparison_destroy(run);
    seam_reference_destroy(reference);
  }
  cr_expect_float_eq(seam_orders_fit(H, errors, NULL, 3).all.slope, 2, 0.1);
  close_model(&f);
}

/* Equation 3.34: the root of the sum over all columns that move. */
Test(comparison, the_error_of_a_run_is_that_of_its_columns) {
  fixture f = open_model("four_bar_bushing", NULL, 0);
  seam_reference *reference = refer(&f, 1e-3, 0.1);
  seam_comparison *run = compare(&f, reference, "ff-k0");
  const size_t n = 3 * mbs_n_bodies(f.model);
  double sum[2] = {0};
  for (size_t i = 0; i < 2 * n; i++) {
    cr_expect_gt(run->columns[i].largest, 0);
    sum[i / n] += run->columns[i].nrmse * run->columns[i].nrmse;
  }
  cr_expect_float_eq(run->error_position, sqrt(sum[0]), 1e-15);
  cr_expect_float_eq(run->error_velocity, sqrt(sum[1]), 1e-15);
  seam_comparison_destroy(run);
  seam_reference_destroy(reference);
  close_model(&f);
}

/* The oscillators move along x only: y and φ have no error to be normalised. */
/* Those of measures that are coordinates are those of the coordinates; twice a coordinate is off by twice as much. */
Test(comparison, measures_have_errors) {
  const char *overrides[] = {"measures={x: bar1.x, twice: 2*bar1.x + t, tip: {point: {bar1: [0, 0]}}}"};
  fixture f = open_model("four_bar_bushing", overrides, 1);
  seam_reference *reference = refer(&f, 1e-3, 0.1);
  seam_comparison *run = compare(&f, reference, "ff-k0");
  const size_t n = 6 * mbs_n_bodies(f.model);
  mbs_quantity list[16];
  cr_assert_eq(seam_measured_quantities(f.model, NULL), 9);
  seam_measured_quantities(f.model, list);
  cr_expect_eq(run->columns[n].largest, run->columns[0].largest);
  cr_expect_eq(run->columns[n].nrmse, run->columns[0].nrmse);
  cr_expect_float_eq(run->columns[n + 1].largest, 2 * run->columns[0].largest, 1e-15);
  cr_expect_str_eq(mbs_quantity_of(f.model, list[4]).name, "vx");
  cr_expect_eq(run->columns[n + 4].largest, run->columns[n / 2].largest);
  seam_comparison_destroy(run);
  seam_reference_destroy(reference);
  close_model(&f);
}

Test(comparison, columns_that_do_not_move_have_no_error) {
  fixture f = open_model("two_mass_oscillator", NULL, 0);
  seam_reference *reference = refer(&f, 1e-3, 0.1);
  seam_comparison *run = compare(&f, reference, "ff-k1");
  cr_expect(isfinite(run->columns[0].nrmse));
  cr_expect(isnan(run->columns[1].nrmse) && isnan(run->columns[2].nrmse));
  cr_expect(isfinite(run->error_position));
  seam_comparison_destroy(run);
  seam_reference_destroy(reference);
  close_model(&f);
}

Test(comparison, the_textbook_and_the_mechanism_have_the_same_error) {
  fixture f = open_model("two_mass_oscillator", NULL, 0);
  seam_reference *reference = refer(&f, 1e-3, SEAM_TEST_MODEL_END);
  seam_comparison *run = compare(&f, reference, "ff-k1");
  seam_test_errors exact;
  cr_assert_eq(seam_constitutive_errors("ff-k1", false, 1e-3, &exact, NULL), SEAM_OK);
  cr_expect_float_eq(run->error_position, exact.global_position, 1e-6 * exact.global_position);
  cr_expect_float_eq(run->error_velocity, exact.global_velocity, 1e-6 * exact.global_velocity);
  seam_comparison_destroy(run);
  seam_reference_destroy(reference);
  close_model(&f);
}

Test(comparison, residuals_are_those_that_the_scheme_leaves) {
  fixture f = open_model("double_pendulum", NULL, 0);
  seam_reference *reference = refer(&f, 1e-3, 0.1);
  seam_comparison *loose = compare(&f, reference, "ff-baumgarte-k0");
  seam_comparison *tight = compare(&f, reference, "ff-index1-k1");
  cr_expect_gt(loose->max_g, 1e-9);
  cr_expect_gt(loose->max_gdd, 1e-4);
  cr_expect_lt(tight->max_g, 1e-12);
  cr_expect_lt(tight->max_gd, 1e-12);
  cr_expect_lt(tight->max_gdd, 1e-8);
  cr_expect_lt(tight->energy_drift, 1e-8);
  seam_comparison_destroy(loose);
  seam_comparison_destroy(tight);
  seam_reference_destroy(reference);
  close_model(&f);
}

/* Largest |g|, |g'|, |g''| at the macro points of the run that compare() makes. */
static void largest_residuals(const fixture *f, const char *scheme, double H, double end, double largest[3]) {
  cosim_builder *builder = NULL;
  cosim_simulation *run = NULL;
  cr_assert_eq(cosim_builder_copy(f->builder, &builder, NULL), SEAM_OK);
  cr_assert_eq(cosim_use_scheme(builder, scheme, NULL), SEAM_OK);
  cr_assert_eq(cosim_create(builder, &run, NULL), SEAM_OK);
  cr_assert_eq(cosim_start(run, f->state, NULL), SEAM_OK);
  for (int step = 0; step < lround(end / H); step++) {
    double level[3][3];
    cr_assert_eq(cosim_advance(run, H, NULL), SEAM_OK);
    for (size_t k = 0; k < cosim_n_couplings(run); k++) {
      const size_t n = cosim_coupling_residuals(run, k, level[0], level[1], level[2]);
      for (size_t i = 0; i < 3 * n; i++)
        largest[i / n] = fmax(largest[i / n], fabs(level[i / n][i % n]));
    }
  }
  cosim_destroy(run);
  cosim_builder_destroy(builder);
}

Test(comparison, every_level_of_the_residuals_has_its_own_figure) {
  fixture f = open_model("double_pendulum", NULL, 0);
  seam_reference *reference = refer(&f, 1e-3, 0.1);
  seam_comparison *run = compare(&f, reference, "ff-baumgarte-k0");
  double largest[3] = {0};
  largest_residuals(&f, "ff-baumgarte-k0", 1e-3, 0.1, largest);
  cr_expect_eq(run->max_g, largest[0]);
  cr_expect_eq(run->max_gd, largest[1]);
  cr_expect_eq(run->max_gdd, largest[2]);
  cr_expect(largest[0] < largest[1] && largest[1] < largest[2]);
  seam_comparison_destroy(run);
  seam_reference_destroy(reference);
  close_model(&f);
}

Test(comparison, the_last_macro_step_may_be_shorter) {
  fixture f = open_model("double_pendulum", NULL, 0);
  seam_reference *reference = refer(&f, 3e-3, 0.01);
  seam_comparison *run = compare(&f, reference, "ff-index2-k1");
  cr_expect_eq(run->macro_steps, 4);
  cr_expect_float_eq(run->time, 0.01, 1e-15);
  cr_expect_lt(run->error_position, 1e-6);
  seam_comparison_destroy(run);
  seam_reference_destroy(reference);
  close_model(&f);
}

/* ---- Verdicts ---- */

Test(comparison, a_run_that_blows_up_is_a_result) {
  fixture f = open_model("double_pendulum", NULL, 0);
  seam_reference *reference = refer(&f, 1e-3, 0.3);
  seam_comparison *run = compare(&f, reference, "ff-weighted-k2");
  cr_expect_neq(run->outcome, SEAM_RUN_FINISHED);
  cr_expect_eq(run->word, SEAM_WORD_NOT_CHECKED);
  cr_expect(run->time > 0.1 && run->time < 0.25, "blows up at 0.18 s, not at %g", run->time);
  cr_expect(isnan(run->error_position) && isnan(run->error_velocity));
  cr_expect_null(run->columns);
  cr_expect_not_null(strstr(run->why, "t = 0.1"), "%s", run->why);
  seam_comparison_destroy(run);
  seam_reference_destroy(reference);
  close_model(&f);
}

/* Displacement-driven sides with k = 0 carry negative damping: the run reaches its end, far off. */
Test(comparison, a_run_that_is_far_off_is_wrong) {
  fixture f = open_model("four_bar_bushing", NULL, 0);
  seam_reference *reference = refer(&f, 2e-3, 3);
  seam_comparison *run = compare(&f, reference, "dd-k0");
  cr_expect_eq(run->outcome, SEAM_RUN_FINISHED);
  cr_expect_str_eq(seam_comparison_text(run), "wrong");
  cr_expect_gt(run->error_position, 0.1);
  cr_expect_gt(run->error.of_travel, 0.1);
  seam_comparison_destroy(run);
  seam_reference_destroy(reference);
  close_model(&f);
}

/* A heavy body pulls a light one. With the forces on the wrong side the light one shakes at 127 times its speed, so
 * little that its position hides it. */
static const char *const heavy_and_light =
    "seam: 1\nbodies:\n  heavy: {mass: 100, inertia: 1, at: [0, 0], velocity: [1, 0]}\n"
    "  light: {mass: 0.1, inertia: 1, at: [1, 0]}\n"
    "joints:\n  h: {type: prismatic, bodies: [ground, heavy], at: [0, 0], axis: [1, 0]}\n"
    "  l: {type: prismatic, bodies: [ground, light], at: [1, 0], axis: [1, 0]}\n"
    "forces: {sp: {type: spring_damper, bodies: [heavy, light], at: [[0, 0], [1, 0]], axis: [1, 0], stiffness: 1e4, "
    "damping: 1}}\n"
    "simulate: {end: 1}\ncosim: {subsystems: {H: [heavy], L: [light]}, macro_step: 1e-3, scheme: ff-k1}\n";

static void expect_word(const fixture *f, const seam_reference *reference, const char *scheme, seam_word word,
                        const char *quantity) {
  seam_comparison *run = compare(f, reference, scheme);
  cr_expect_eq(run->outcome, SEAM_RUN_FINISHED);
  cr_expect_eq(run->word, word, "%s: %s, %g", scheme, seam_comparison_text(run), run->error.of_travel);
  if (quantity != NULL)
    cr_expect_str_eq(run->error.quantity, quantity);
  seam_comparison_destroy(run);
}

Test(comparison, velocities_count) {
  fixture f = open_model(heavy_and_light, NULL, 0);
  seam_reference *reference = refer(&f, 1e-3, 1);
  expect_word(&f, reference, "fd-k0-explicit", SEAM_WORD_WRONG, NULL);
  expect_word(&f, reference, "ff-colloc-s3", SEAM_WORD_ACCURATE, NULL);
  seam_reference_destroy(reference);
  close_model(&f);
}

/* Two bodies glide at 1 m/s: the rounding of a constant velocity is not a motion, but to lose the velocity is wrong. */
static const char *const gliding =
    "seam: 1\nbodies:\n  a: {mass: 1, inertia: 1, at: [0, 0], velocity: [1, 0]}\n"
    "  b: {mass: 1, inertia: 1, at: [1, 0], velocity: [1, 0]}\n"
    "forces: {k: {type: spring_damper, bodies: [a, b], at: [[0, 0], [1, 0]], axis: [1, 0], stiffness: 1, damping: 1}}\n"
    "simulate: {end: 20}\n"
    "cosim: {subsystems: {l: [a], r: [b]}, macro_step: 0.1, scheme: ff-k0, integrator: rk4, micro_step: 1e-2}\n";

Test(comparison, constant_velocities_have_no_ratio) {
  fixture f = open_model(gliding, NULL, 0);
  seam_reference *reference = refer(&f, 0.1, 20);
  seam_comparison *run = compare(&f, reference, "ff-k0");
  cr_expect_eq(run->word, SEAM_WORD_ACCURATE, "%s", run->why);
  cr_expect(isnan(run->error_velocity));
  cr_expect_lt(run->error_position, 1e-9);
  seam_comparison_destroy(run);
  expect_word(&f, reference, "fd-k0-explicit", SEAM_WORD_WRONG, NULL);
  seam_reference_destroy(reference);
  close_model(&f);
}

/* ---- The reference ---- */

/* Springs to the ground; between the bodies there is next to nothing. Co-simulated at 1e-13 they move exactly, so that
 * the error is the reference's: of its 1e-6, not of the file's 1e-4. */
static const char *const alone =
    "seam: 1\nbodies:\n  a: {mass: 1, inertia: 1, at: [1, 0]}\n  b: {mass: 1, inertia: 1, at: [2, 0]}\n"
    "forces:\n  s: {type: spring_damper, bodies: [ground, a], at: [[-1, 0], [1, 0]], axis: [1, 0], length: 1.9, "
    "stiffness: 100}\n"
    "  t: {type: spring_damper, bodies: [ground, b], at: [[-1, 0], [2, 0]], axis: [1, 0], length: 2.9, stiffness: "
    "144}\n"
    "  k: {type: spring_damper, bodies: [a, b], at: [[1, 0], [2, 0]], axis: [1, 0], stiffness: 1e-13}\n"
    "simulate: {end: 10, rtol: 1e-4, atol: 1e-6}\n"
    "cosim: {subsystems: {l: [a], r: [b]}, macro_step: 0.01, scheme: ff-k0, rtol: 1e-13, atol: 1e-15}\n";

Test(comparison, the_reference_is_100_times_tighter_than_the_file) {
  fixture f = open_model(alone, NULL, 0);
  seam_reference *reference = refer(&f, 0.01, 10);
  seam_comparison *run = compare(&f, reference, "ff-k0");
  cr_expect(run->error_position > 1e-9 && run->error_position < 3e-6, "%.2e", run->error_position);
  seam_comparison_destroy(run);
  seam_reference_destroy(reference);
  close_model(&f);
}

Test(comparison, a_reference_that_another_run_confirms_judges) {
  fixture f = open_model("four_bar_bushing", NULL, 0);
  seam_agreement agreement;
  seam_reference *reference = refer(&f, 1e-3, 0.2);
  cr_expect_eq(seam_reference_check(reference, NULL, &agreement, NULL), SEAM_OK);
  cr_expect_lt(agreement.share, 1e-7);
  cr_expect_str_eq(agreement.why, "");
  expect_word(&f, reference, "ff-k1", SEAM_WORD_ACCURATE, NULL);
  seam_reference_destroy(reference);
  close_model(&f);
}

/* Without damping the pendulum is chaotic: what the tolerances leave grows until nothing is known. */
Test(comparison, a_reference_that_another_run_contradicts_judges_nothing) {
  const char *const overrides[] = {"parameters.d=0", "simulate.rtol=1e-4", "simulate.atol=1e-4"};
  fixture f = open_model("double_pendulum", overrides, 3);
  seam_reference *reference = refer(&f, 0.01, 60);
  seam_error error = {0};
  cr_expect_eq(seam_reference_check(reference, NULL, NULL, &error), SEAM_WRONG);
  cr_expect_not_null(strstr(error.message, "errors cannot be judged"), "%s", error.message);
  seam_comparison *run = compare(&f, reference, "ff-index2-k1");
  cr_expect_eq(run->word, SEAM_WORD_NOT_CHECKED);
  cr_expect(isnan(run->error_position) && isnan(run->error_velocity));
  seam_comparison_destroy(run);
  seam_reference_destroy(reference);
  close_model(&f);
}

/* ---- Schemes ---- */

/* A co-simulation that is a reference stores signals too: more numbers at each of its points than a monolithic one. */
Test(comparison, a_reference_with_many_signals_has_all_its_points) {
  char text[8000] =
      "seam: 2\nname: masses\n"
      "bodies:\n  a: {mass: 1, inertia: 1, at: [0, 0]}\n  b: {mass: 1, inertia: 1, at: [1, 0], velocity: [1, 0]}\n"
      "forces:\n  s: {type: spring_damper, bodies: [a, b], at: [[0, 0], [1, 0]], stiffness: 10}\n"
      "cosim:\n  macro_step: 1e-4\n  scheme: ff-k0-explicit\n  subsystems:\n    one: {bodies: [a]}\n"
      "    two: {bodies: [b]}\n";
  for (int i = 0; i < 180; i++) {
    const size_t n = strlen(text);
    if (i % 90 == 0)
      snprintf(text + n, sizeof text - n, "    many%d:\n      states: {x: 1}\n      rates: {x: -x}\n      outputs:\n",
               i);
    snprintf(text + strlen(text), sizeof text - strlen(text), "        y%d: x\n", i);
  }
  fixture f = open_model(text, NULL, 0);
  seam_reference *reference = NULL;
  seam_error error = {0};
  cr_assert_eq(seam_reference_of_run(f.builder, f.state, &seam_model_simulation(f.file)->integrator, 1e-4, 1e-4, 0.99,
                                     NULL, &reference, &error),
               SEAM_OK, "%s", error.message);
  seam_comparison *itself = compare(&f, reference, "ff-k0-explicit");
  cr_expect_eq(itself->outcome, SEAM_RUN_FINISHED);
  cr_expect_lt(itself->error_position, 1e-12);
  seam_comparison_destroy(itself);
  seam_reference_destroy(reference);
  close_model(&f);
}

Test(comparison, all_schemes_have_names) {
  seam_scheme_name names[64];
  cr_expect_eq(seam_scheme_names(false, names, 64), 60);
  cr_expect_str_eq(names[0].text, "ff-k0");
  cr_expect_str_eq(names[59].text, "dd-colloc-s5");
  cr_expect_eq(seam_scheme_names(true, names, 64), 56);
  cr_expect_str_eq(names[0].text, "ff-baumgarte-k0");
  cr_expect_str_eq(names[55].text, "dd-colloc-s5");
}

Test(comparison, a_scheme_replaces_those_of_its_kind) {
  const char *const overrides[] = {"cosim.couplings={M: {scheme: fd-k2}}"};
  fixture f = open_model("four_bar_bushing", overrides, 1);
  cosim_builder *builder = NULL;
  cr_assert_eq(cosim_builder_copy(f.builder, &builder, NULL), SEAM_OK);
  cr_assert_eq(cosim_builder_definition(builder)->n_coupling_options, 1);
  cr_assert_eq(cosim_use_scheme(builder, "ff-d-k2", NULL), SEAM_OK);
  cr_expect_str_eq(cosim_builder_definition(builder)->options.constitutive_scheme, "ff-d-k2");
  cr_expect_eq(cosim_builder_definition(builder)->n_coupling_options, 0);
  cr_expect_eq(cosim_builder_definition(f.builder)->n_coupling_options, 1, "a copy does not change what was copied");
  cosim_builder_destroy(builder);
  close_model(&f);
}

Test(comparison, a_scheme_needs_a_coupling_of_its_kind) {
  fixture f = open_model("four_bar_bushing", NULL, 0);
  cosim_builder *builder = NULL;
  seam_error error = {0};
  cr_assert_eq(cosim_builder_copy(f.builder, &builder, NULL), SEAM_OK);
  cr_expect(cosim_has_couplings(builder, false));
  cr_expect_not(cosim_has_couplings(builder, true));
  cr_expect_eq(cosim_use_scheme(builder, "ff-index2-k1", &error), SEAM_BAD_INPUT);
  cr_expect_not_null(strstr(error.message, "coupling 'M': this is a force element: take ff-k1"));
  cr_expect_eq(cosim_use_scheme(builder, "nothing", &error), SEAM_BAD_INPUT);
  cr_expect_not_null(strstr(error.message, "expected a decomposition"));
  cosim_builder_destroy(builder);
  close_model(&f);
}

/* ---- Ends ---- */

static bool stop_halfway(void *context, double t) {
  (void)context;
  return t > 0.0505;
}

Test(comparison, an_interrupt_ends_the_run) {
  const seam_interrupt interrupt = {.is_requested = stop_halfway};
  fixture f = open_model("double_pendulum", NULL, 0);
  seam_reference *reference = refer(&f, 1e-3, 0.1);
  seam_reference *none = NULL;
  seam_comparison *run = NULL;
  seam_error error = {0};
  cr_expect_eq(seam_comparison_create(reference, f.builder, &interrupt, NULL, &run, &error), SEAM_INTERRUPTED);
  cr_expect_null(run);
  cr_expect_not_null(strstr(error.message, "t = 0.051 s"), "%s", error.message);
  cr_expect_eq(seam_reference_create(f.model, f.state, &seam_model_simulation(f.file)->integrator, 1e-3, 0.1,
                                     &interrupt, &none, &error),
               SEAM_INTERRUPTED);
  cr_expect_null(none);
  seam_reference_destroy(reference);
  close_model(&f);
}

typedef struct seen {
  size_t n;
  double last, largest; /* time; difference between times and those of the states */
  double fails_at;
} seen;

static seam_status look(void *context, const cosim_simulation *simulation, double t, seam_error *error) {
  seen *points = context;
  points->n++;
  points->last = t;
  points->largest = fmax(points->largest, fabs(cosim_state(simulation)->t - t));
  return t < points->fails_at ? SEAM_OK : seam_fail(error, SEAM_NO_FILE, "no room");
}

Test(comparison, an_observer_sees_every_macro_point) {
  fixture f = open_model("double_pendulum", NULL, 0);
  seam_reference *reference = refer(&f, 3e-3, 0.1);
  seam_comparison *run = NULL;
  seam_error error = {0};
  seen points = {.fails_at = INFINITY};
  const seam_observer observer = {look, &points};
  cr_assert_eq(seam_comparison_create(reference, f.builder, NULL, &observer, &run, &error), SEAM_OK);
  cr_expect_eq(points.n, 1 + 34);
  cr_expect_eq(points.last, 0.1);
  cr_expect_lt(points.largest, 1e-15);
  cr_expect_eq(cosim_state(run->simulation)->t, run->time);
  seam_comparison_destroy(run);

  run = NULL;
  points = (seen){.fails_at = 0.05};
  cr_expect_eq(seam_comparison_create(reference, f.builder, NULL, &observer, &run, &error), SEAM_NO_FILE);
  cr_expect_null(run);
  cr_expect_eq(points.n, 1 + 17);
  cr_expect_str_eq(error.message, "no room");
  seam_reference_destroy(reference);
  close_model(&f);
}

Test(comparison, times_must_be_positive) {
  fixture f = open_model("double_pendulum", NULL, 0);
  const mbs_integrator_options *options = &seam_model_simulation(f.file)->integrator;
  const double bad[][2] = {{0, 1}, {-1e-3, 1}, {NAN, 1}, {1e-3, 0}, {1e-3, NAN}, {1e-3, INFINITY}, {1e-12, 1}, {2, 1}};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    seam_reference *none = NULL;
    cr_expect_eq(seam_reference_create(f.model, f.state, options, bad[i][0], bad[i][1], NULL, &none, NULL),
                 SEAM_BAD_INPUT);
  }
  close_model(&f);
}
