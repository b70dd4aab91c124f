/* The integrator of mechanisms: times, saved states, and what is refused. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mbs/model/workspace.h"
#include "mbs/stages/stages.h"
#include "tests/support/mechanisms.h"

static const int orders[] = {4, 5, 8};
enum { n_orders = sizeof orders / sizeof *orders };

/* ---- Times ---- */

static bool same_state(const mbs_state *a, const mbs_state *b) {
  return a->t == b->t && memcmp(a->q, b->q, a->n_values * sizeof *a->q) == 0;
}

Test(integrator, times_asked_for_change_no_bit_of_the_end) {
  for (int k = 0; k < n_orders; k++) {
    mechanism asked = four_bar_fixed();
    mechanism unasked = four_bar_fixed();
    mechanism_assemble(&asked);
    mechanism_assemble(&unasked);
    mbs_integrator *first = mechanism_start(&asked, orders[k], 1e-8, 0);
    mbs_integrator *second = mechanism_start(&unasked, orders[k], 1e-8, 0);
    for (int i = 1; i < 70; i++)
      mechanism_advance(&asked, first, 0.0123 * i);
    mechanism_advance(&asked, first, 1);
    mechanism_advance(&unasked, second, 1);
    cr_expect(same_state(asked.state, unasked.state), "order %d", orders[k]);
    mbs_integrator_destroy(first);
    mbs_integrator_destroy(second);
    mechanism_free(&asked);
    mechanism_free(&unasked);
  }
}

enum { MAX_ENDS = 20000 };
typedef struct step_ends {
  double t[MAX_ENDS];
  int n;
} step_ends;

static bool note_end(void *context, double t) {
  step_ends *ends = context;
  cr_assert_lt(ends->n, MAX_ENDS);
  ends->t[ends->n++] = t;
  return false;
}

/* By erk of an order or, where that is 0, another method. */
static mbs_integrator *start(mechanism *m, const char *method, int order, double rtol) {
  return order > 0 ? mechanism_start(m, order, rtol, 0) : mechanism_start_by(m, method, rtol, 0);
}

static void find_ends(mechanism (*make)(void), const char *method, int order, double rtol, double end,
                      step_ends *ends) {
  mechanism m = make();
  mechanism_assemble(&m);
  mbs_integrator *integrator = start(&m, method, order, rtol);
  ends->n = 0;
  mbs_integrator_set_interrupt(integrator, note_end, ends);
  mbs_integrator_set_stop(integrator, end);
  mechanism_advance(&m, integrator, end);
  (void)note_end(ends, end);
  mbs_integrator_destroy(integrator);
  mechanism_free(&m);
}

/* Largest differences of poses and of multipliers between two states. */
static void raise_errors(const mbs_model *model, const mbs_state *a, const mbs_state *b, double errors[2]) {
  for (size_t i = 0; i < 3 * mbs_n_bodies(model); i++)
    errors[0] = fmax(errors[0], fabs(a->q[i] - b->q[i]));
  for (size_t i = 0; i < mbs_n_constraints(model); i++)
    errors[1] = fmax(errors[1], fabs(a->lambda[i] - b->lambda[i]));
}

/* Over 2 s, the largest errors of poses and of multipliers at three places inside steps are at most twice those at
 * their ends. */
static void expect_accurate_rows(mechanism (*make)(void), const char *method, int order, double rtol) {
  static step_ends ends;
  double error[2][2] = {{0}}; /* inside, ends; of poses, multipliers */
  find_ends(make, method, order, rtol, 2, &ends);
  mechanism m = make();
  mechanism exact = make();
  mechanism_assemble(&m);
  mechanism_assemble(&exact);
  mbs_integrator *integrator = start(&m, method, order, rtol);
  mbs_integrator *reference = mechanism_start(&exact, 8, 1e-13, 0);
  mbs_integrator_set_stop(integrator, 2);
  for (int k = 1; k <= 4 * (ends.n - 1); k++) {
    const double *end = ends.t + (k + 3) / 4 - 1;
    if (end[1] <= end[0])
      continue;
    const double t = k % 4 == 0 ? end[1] : end[0] + 0.25 * (k % 4) * (end[1] - end[0]);
    mechanism_advance(&m, integrator, t);
    mbs_integrator_set_stop(reference, t);
    mechanism_advance(&exact, reference, t);
    raise_errors(m.model, m.state, exact.state, error[k % 4 == 0]);
  }
  for (int i = 0; i < 2; i++)
    cr_expect_lt(error[0][i], (2 + i) * error[1][i], "%s %d, rtol %g: %.1e, at ends %.1e", method, order, rtol,
                 error[0][i], error[1][i]);
  mbs_integrator_destroy(integrator);
  mbs_integrator_destroy(reference);
  mechanism_free(&m);
  mechanism_free(&exact);
}

Test(integrator, states_between_steps_are_as_accurate_as_steps) {
  for (int k = 0; k < n_orders; k++)
    for (int j = 0; j < 2; j++) {
      const double rtol = j == 0 ? 1e-6 : 1e-7;
      expect_accurate_rows(four_bar_bushing, "erk", orders[k], rtol);
      expect_accurate_rows(four_bar_fixed, "erk", orders[k], rtol);
      expect_accurate_rows(double_pendulum, "erk", orders[k], rtol);
    }
}

Test(integrator, states_between_steps_of_implicit_methods_are_as_accurate_as_steps) {
  static const char *const methods[] = {"radau", "ida", "cvode"};
  for (int k = 0; k < 3; k++) {
    expect_accurate_rows(four_bar_bushing, methods[k], 0, 1e-7);
    expect_accurate_rows(four_bar_fixed, methods[k], 0, 1e-7);
    expect_accurate_rows(double_pendulum, methods[k], 0, 1e-7);
  }
}

/* Forces and accelerations inside a step are those of the state there, whatever they were found from. */
Test(integrator, accelerations_inside_steps_belong_to_the_state) {
  static const double tolerances[] = {1e-3, 1e-6, 1e-9};
  for (int k = 0; k < 3; k++) {
    mechanism m = four_bar_fixed();
    mechanism_assemble(&m);
    mbs_state *again = new_state(m.model);
    mbs_integrator *integrator = mechanism_start(&m, 8, tolerances[k], 0);
    mbs_integrator_set_stop(integrator, 2);
    for (int i = 1; i <= 200; i++) {
      mechanism_advance(&m, integrator, 0.01 * i);
      mbs_state_copy(again, m.state);
      cr_assert_eq(mbs_evaluate(m.ws, again, NULL), SEAM_OK);
      double differences[2] = {0};
      raise_errors(m.model, m.state, again, differences);
      cr_expect_lt(differences[1], 1e-9, "rtol %g, t = %g s: %.1e N", tolerances[k], m.state->t, differences[1]);
      for (size_t j = 0; j < 3 * mbs_n_bodies(m.model); j++)
        cr_expect_float_eq(m.state->a[j], again->a[j], 1e-9);
    }
    mbs_integrator_destroy(integrator);
    mbs_state_destroy(again);
    mechanism_free(&m);
  }
}

/* By the largest residual projection judges whether the constraints hold. */
Test(integrator, a_residual_that_is_not_a_number_stays_the_largest) {
  mechanism m = four_bar_fixed();
  mechanism_assemble(&m);
  double *x = calloc(mbs_n_constraints(m.model), sizeof *x);
  x[0] = NAN;
  x[1] = -2;
  cr_expect(isnan(mbs_largest_row(m.ws, x)));
  x[0] = 1;
  cr_expect_eq(mbs_largest_row(m.ws, x), 2);
  free(x);
  mechanism_free(&m);
}

Test(integrator, two_in_turn_do_not_disturb_each_other) {
  mechanism alone = double_pendulum();
  mechanism one = double_pendulum();
  mechanism other = chain(3);
  mechanism_assemble(&alone);
  mechanism_assemble(&one);
  mechanism_assemble(&other);
  mbs_integrator *of_alone = mechanism_start(&alone, 8, 1e-9, 0);
  mbs_integrator *of_one = mechanism_start(&one, 8, 1e-9, 0);
  mbs_integrator *of_other = mechanism_start(&other, 5, 1e-6, 0);
  for (int i = 1; i <= 20; i++) {
    mechanism_advance(&one, of_one, 0.1 * i);
    mechanism_advance(&other, of_other, 0.05 * i);
  }
  mechanism_advance(&alone, of_alone, 2);
  cr_expect(same_state(alone.state, one.state));
  mbs_integrator_destroy(of_alone);
  mbs_integrator_destroy(of_one);
  mbs_integrator_destroy(of_other);
  mechanism_free(&alone);
  mechanism_free(&one);
  mechanism_free(&other);
}

/* Two states of one model under two integrators. */
Test(integrator, a_model_serves_several_states) {
  mechanism m = double_pendulum();
  mechanism_assemble(&m);
  mbs_state *second = new_state(m.model);
  mbs_state_copy(second, m.state);
  mbs_integrator *one = mechanism_start(&m, 8, 1e-9, 0);
  mbs_integrator *two = mechanism_start(&m, 8, 1e-9, 0);
  for (int i = 1; i <= 10; i++) {
    mechanism_advance(&m, one, 0.1 * i);
    cr_assert_eq(mbs_integrator_advance(two, 0.1 * i, second, NULL), SEAM_OK);
    cr_assert(same_state(m.state, second));
  }
  mbs_integrator_destroy(one);
  mbs_integrator_destroy(two);
  mbs_state_destroy(second);
  mechanism_free(&m);
}

Test(integrator, a_start_forgets_what_was_before) {
  mechanism m = double_pendulum();
  mechanism_assemble(&m);
  mbs_state *start = new_state(m.model);
  mbs_state *first = new_state(m.model);
  mbs_state_copy(start, m.state);
  mbs_integrator *integrator = mechanism_start(&m, 8, 1e-9, 0);
  mechanism_advance(&m, integrator, 1);
  mbs_state_copy(first, m.state);
  cr_assert_eq(mbs_integrator_start(integrator, start, NULL), SEAM_OK);
  mechanism_advance(&m, integrator, 1);
  cr_expect(same_state(first, m.state));
  mbs_state_destroy(start);
  mbs_state_destroy(first);
  mbs_integrator_destroy(integrator);
  mechanism_free(&m);
}

/* ---- Saving and restoring ---- */

static void *saved(const mbs_integrator *integrator) {
  void *image = malloc(mbs_integrator_image_size(integrator));
  cr_assert_not_null(image);
  mbs_integrator_save(integrator, image);
  return image;
}

static void expect_same_bits(int order, double step) {
  mechanism m = four_bar_bushing();
  mechanism_assemble(&m);
  mbs_state *first = new_state(m.model);
  mbs_integrator *integrator = mechanism_start(&m, order, 1e-8, step);
  mechanism_advance(&m, integrator, 0.517);
  void *image = saved(integrator);
  mechanism_advance(&m, integrator, 1);
  mbs_state_copy(first, m.state);
  cr_assert_eq(mbs_integrator_restore(integrator, image, mbs_integrator_image_size(integrator), NULL), SEAM_OK);
  mechanism_advance(&m, integrator, 1);
  cr_expect(same_state(first, m.state), "order %d, step %g", order, step);
  free(image);
  mbs_integrator_destroy(integrator);
  mbs_state_destroy(first);
  mechanism_free(&m);
}

Test(integrator, restored_adaptive_runs_repeat_to_the_bit) {
  for (int k = 0; k < n_orders; k++)
    expect_same_bits(orders[k], 0);
}

Test(integrator, restored_fixed_runs_repeat_to_the_bit) {
  for (int k = 0; k < n_orders; k++)
    expect_same_bits(orders[k], 0.004);
}

Test(integrator, macro_steps_taken_again_repeat_to_the_bit) {
  mechanism m = four_bar_bushing();
  mechanism_assemble(&m);
  mbs_state *first = new_state(m.model);
  mbs_integrator *integrator = mechanism_start(&m, 8, 1e-8, 0);
  for (int i = 1; i <= 20; i++) {
    void *image = saved(integrator);
    mbs_integrator_set_stop(integrator, 0.01 * i);
    mechanism_advance(&m, integrator, 0.01 * i);
    mbs_state_copy(first, m.state);
    cr_assert_eq(mbs_integrator_restore(integrator, image, mbs_integrator_image_size(integrator), NULL), SEAM_OK);
    mbs_integrator_set_stop(integrator, 0.01 * i);
    mechanism_advance(&m, integrator, 0.01 * i);
    cr_assert(same_state(first, m.state), "macro step %d", i);
    free(image);
  }
  mbs_integrator_destroy(integrator);
  mbs_state_destroy(first);
  mechanism_free(&m);
}

Test(integrator, an_image_of_another_method_is_refused) {
  mechanism m = chain(3);
  mbs_integrator *of_order_4 = mechanism_integrator(&m, 4, 1e-8, 0.1);
  mbs_integrator *classical = mechanism_start_by(&m, "rk4", 1e-8, 0.1);
  void *image = saved(of_order_4);
  const size_t size = mbs_integrator_image_size(of_order_4);
  cr_assert_eq(size, mbs_integrator_image_size(classical));
  cr_expect_eq(mbs_integrator_restore(classical, image, size, NULL), SEAM_BAD_STATE);
  free(image);
  mbs_integrator_destroy(of_order_4);
  mbs_integrator_destroy(classical);
  mechanism_free(&m);
}

Test(integrator, an_image_of_another_model_is_refused) {
  mechanism m = chain(3);
  mechanism n = double_pendulum();
  seam_error error = {0};
  mbs_integrator *of_m = mechanism_integrator(&m, 8, 1e-8, 0);
  mbs_integrator *of_n = mechanism_integrator(&n, 8, 1e-8, 0);
  void *image = saved(of_n);
  cr_expect_eq(mbs_integrator_restore(of_m, image, mbs_integrator_image_size(of_n), &error), SEAM_BAD_STATE);
  cr_expect_not_null(strstr(error.message, "another model"));
  free(image);
  mbs_integrator_destroy(of_m);
  mbs_integrator_destroy(of_n);
  mechanism_free(&m);
  mechanism_free(&n);
}

Test(integrator, a_torn_image_is_refused) {
  mechanism m = chain(3);
  mbs_integrator *integrator = mechanism_integrator(&m, 8, 1e-8, 0);
  const size_t size = mbs_integrator_image_size(integrator);
  char *image = saved(integrator);
  cr_expect_eq(mbs_integrator_restore(integrator, image, size - 1, NULL), SEAM_BAD_STATE);
  cr_expect_eq(mbs_integrator_restore(integrator, image, 0, NULL), SEAM_BAD_STATE);
  cr_expect_eq(mbs_integrator_restore(integrator, NULL, size, NULL), SEAM_BAD_INPUT);
  for (size_t i = 0; i < size; i++) {
    image[i] = (char)(image[i] ^ 1 << i % 8);
    cr_expect_eq(mbs_integrator_restore(integrator, image, size, NULL), SEAM_BAD_STATE, "byte %zu", i);
    image[i] = (char)(image[i] ^ 1 << i % 8);
  }
  cr_expect_eq(mbs_integrator_restore(integrator, image, size, NULL), SEAM_OK);
  free(image);
  mbs_integrator_destroy(integrator);
  mechanism_free(&m);
}

/* ---- Failures ---- */

/* A force that is not finite from 0.5 s on. */
static double square_root(const void *data, const double x[2]) {
  (void)data;
  return sqrt(0.5 - x[0]);
}

Test(integrator, what_is_not_finite_is_named_with_its_time) {
  const char *bodies[2];
  mbs_builder *builder = new_builder();
  add_body(builder, "b", 1, 1, (double[3]){0, 0, 0});
  mbs_force_def force = force_between("push", MBS_POINT_FORCE, bodies, "b", NULL, (double[2]){0, 0});
  force.law.value = square_root;
  add_force(builder, &force);
  mechanism m = mechanism_build(builder);
  mechanism_assemble(&m);
  mbs_integrator *integrator = mechanism_start(&m, 8, 1e-8, 0);
  cr_expect_eq(mbs_integrator_advance(integrator, 1, m.state, &m.error), SEAM_NOT_FINITE);
  cr_expect_not_null(strstr(m.error.message, "'push'"), "%s", m.error.message);
  cr_expect_not_null(strstr(m.error.message, "t = 0.5"), "%s", m.error.message);
  cr_expect_float_eq(m.state->t, 0.5, 1e-9);
  cr_expect(isfinite(m.state->q[0]) && isfinite(m.state->a[0]));
  mbs_integrator_destroy(integrator);
  mechanism_free(&m);
}

/* Three rods stretched between pivots: the loop loses a constraint there. */
Test(integrator, a_singular_start_is_refused) {
  mbs_builder *builder = new_builder();
  add_rod(builder, "left", (double[2]){0, 0}, (double[2]){1, 0}, 1);
  add_rod(builder, "middle", (double[2]){1, 0}, (double[2]){2, 0}, 1);
  add_rod(builder, "right", (double[2]){2, 0}, (double[2]){3, 0}, 1);
  add_joint(builder, "A", MBS_REVOLUTE, "ground", "left", (double[2]){0, 0});
  add_joint(builder, "P", MBS_REVOLUTE, "left", "middle", (double[2]){1, 0});
  add_joint(builder, "Q", MBS_REVOLUTE, "middle", "right", (double[2]){2, 0});
  add_joint(builder, "B", MBS_REVOLUTE, "ground", "right", (double[2]){3, 0});
  mechanism m = mechanism_build(builder);
  mbs_integrator *integrator = mechanism_integrator(&m, 8, 1e-8, 0);
  cr_expect_eq(mbs_integrator_start(integrator, m.state, &m.error), SEAM_SINGULAR);
  cr_expect_not_null(strstr(m.error.message, "joint '"), "%s", m.error.message);
  mbs_integrator_destroy(integrator);
  mechanism_free(&m);
}

/* Steps of half a turn throw the bodies too far off their joints. */
Test(integrator, steps_that_lose_a_joint_end_the_run_with_its_name) {
  mechanism m = chain(2);
  mechanism_assemble(&m);
  mbs_integrator *integrator = mechanism_start(&m, 4, 1e-8, 2);
  cr_expect_eq(mbs_integrator_advance(integrator, 10, m.state, &m.error), SEAM_CONSTRAINT_LOST);
  cr_expect_not_null(strstr(m.error.message, "cannot be met"), "%s", m.error.message);
  cr_expect_eq(m.state->t, 0);
  mbs_integrator_destroy(integrator);
  mechanism_free(&m);
}

/* ---- Options ---- */

Test(integrator, defaults_set_every_option) {
  const mbs_integrator_options options = mbs_default_integrator_options();
  cr_expect_neq(options.cookie, 0);
  cr_expect_str_eq(options.method, "erk");
  cr_expect_eq(options.order, 8);
  cr_expect_eq(options.rtol, 1e-8);
  cr_expect_eq(options.atol, 0);
  cr_expect_eq(options.step, 0);
  cr_expect_eq(options.largest_step, INFINITY);
}

static mbs_integrator_options options;
static mechanism of_options;

static void set_up(void) {
  options = mbs_default_integrator_options();
  of_options = chain(2);
}

static void tear_down(void) { mechanism_free(&of_options); }

TestSuite(integrator, .init = set_up, .fini = tear_down);

static void expect_refused(const char *words) {
  seam_error error = {0};
  mbs_integrator *integrator = NULL;
  cr_expect_eq(mbs_integrator_create(of_options.model, &options, &integrator, &error), SEAM_BAD_INPUT);
  cr_expect_not_null(strstr(error.message, words), "'%s' is not in: %s", words, error.message);
  cr_expect_null(integrator);
}

Test(integrator, defaults_are_accepted) {
  mbs_integrator *integrator = NULL;
  cr_expect_eq(mbs_integrator_create(of_options.model, &options, &integrator, NULL), SEAM_OK);
  mbs_integrator_destroy(integrator);
}

Test(integrator, uninitialised_options_are_refused) {
  options = (mbs_integrator_options){.method = "erk", .order = 8, .rtol = 1e-8, .atol = 1e-8, .largest_step = 1};
  expect_refused("not initialised");
}

Test(integrator, an_unknown_method_is_refused) {
  options.method = "simpson";
  expect_refused(
      "integrator 'simpson' is unknown: take one of erk, radau, ida, cvode, euler, symplectic_euler, rk2, rk4");
}

Test(integrator, no_method_is_refused) {
  options.method = NULL;
  expect_refused("is unknown");
}

static const char *const adaptive_only[] = {"ida", "cvode"};
static const char *const fixed_only[] = {"euler", "symplectic_euler", "rk2", "rk4"};

Test(integrator, a_fixed_step_of_an_adaptive_method_is_refused) {
  options.step = 0.01;
  for (size_t i = 0; i < sizeof adaptive_only / sizeof *adaptive_only; i++) {
    options.method = adaptive_only[i];
    expect_refused("chooses its own steps");
    expect_refused(adaptive_only[i]);
  }
}

Test(integrator, adaptive_steps_of_a_fixed_step_method_are_refused) {
  for (size_t i = 0; i < sizeof fixed_only / sizeof *fixed_only; i++) {
    options.method = fixed_only[i];
    expect_refused("takes fixed steps only");
    expect_refused(fixed_only[i]);
  }
}

static void expect_accepted(const char *method, double step) {
  mbs_integrator *integrator = NULL;
  options.method = method;
  options.step = step;
  cr_expect_eq(mbs_integrator_create(of_options.model, &options, &integrator, NULL), SEAM_OK, "%s", method);
  mbs_integrator_destroy(integrator);
}

Test(integrator, every_method_is_accepted_with_its_steps) {
  expect_accepted("erk", 0);
  expect_accepted("erk", 0.01);
  expect_accepted("radau", 0);
  expect_accepted("radau", 0.01);
  for (size_t i = 0; i < sizeof adaptive_only / sizeof *adaptive_only; i++)
    expect_accepted(adaptive_only[i], 0);
  for (size_t i = 0; i < sizeof fixed_only / sizeof *fixed_only; i++)
    expect_accepted(fixed_only[i], 0.01);
}

Test(integrator, an_unknown_order_is_refused) {
  options.order = 7;
  expect_refused("order 7");
}

Test(integrator, a_relative_tolerance_of_zero_is_refused) {
  options.rtol = 0;
  expect_refused("rtol is 0");
}

Test(integrator, a_relative_tolerance_of_one_is_refused) {
  options.rtol = 1;
  expect_refused("rtol is 1");
}

Test(integrator, a_tolerance_that_is_no_number_is_refused) {
  options.rtol = NAN;
  expect_refused("rtol is nan");
}

Test(integrator, a_negative_absolute_tolerance_is_refused) {
  options.atol = -1;
  expect_refused("atol -1");
}

Test(integrator, a_negative_step_is_refused) {
  options.step = -0.1;
  expect_refused("step is -0.1");
}

Test(integrator, a_largest_step_of_zero_is_refused) {
  options.largest_step = 0;
  expect_refused("largest_step 0");
}

/* ---- Where states are read ---- */

enum { MAX_READ = 64 };

/* Residuals and reactions; returns how many. */
static size_t read_all(mbs_workspace *ws, const mbs_model *model, const mbs_state *state, double values[MAX_READ]) {
  const size_t n_rows = mbs_n_constraints(model);
  cr_assert_leq(3 * n_rows + 3 * mbs_n_joints(model), MAX_READ);
  mbs_residuals(ws, state, values, values + n_rows, values + 2 * n_rows);
  for (size_t j = 0; j < mbs_n_joints(model); j++)
    mbs_reaction(ws, state, j, values + 3 * n_rows + 3 * j);
  return 3 * n_rows + 3 * mbs_n_joints(model);
}

static void expect_same_reading(const mechanism *m, mbs_workspace *reader, const mbs_state *state) {
  double read[MAX_READ];
  double expected[MAX_READ];
  mbs_workspace *fresh = NULL;
  cr_assert_eq(mbs_workspace_create(m->model, &fresh, NULL), SEAM_OK);
  const size_t n = read_all(fresh, m->model, state, expected);
  read_all(reader, m->model, state, read);
  cr_expect_arr_eq(read, expected, n * sizeof *read, "t = %g", state->t);
  mbs_workspace_destroy(fresh);
}

/* As it was returned, moved by little, and as it was returned again. */
static void read_behind(mechanism m, const char *method, int order) {
  mbs_workspace *reader = NULL;
  mechanism_assemble(&m);
  cr_assert_eq(mbs_workspace_create(m.model, &reader, NULL), SEAM_OK);
  mbs_state *moved = new_state(m.model);
  mbs_integrator *integrator = start(&m, method, order, 1e-6);
  mbs_integrator_set_reader(integrator, reader);
  mbs_integrator_set_stop(integrator, 1);
  for (int i = 1; i <= 20; i++) {
    mechanism_advance(&m, integrator, 0.05 * i);
    mbs_state_copy(moved, m.state);
    expect_same_reading(&m, reader, m.state);
    moved->q[i % 6] += 1e-9;
    expect_same_reading(&m, reader, moved);
    moved->q[i % 6] = m.state->q[i % 6];
    moved->t += 1e-6;
    expect_same_reading(&m, reader, moved);
    moved->t = m.state->t;
    moved->v[i % 6] = -moved->v[i % 6];
    expect_same_reading(&m, reader, moved);
    expect_same_reading(&m, reader, m.state);
  }
  mbs_integrator_destroy(integrator);
  mbs_state_destroy(moved);
  mbs_workspace_destroy(reader);
  mechanism_free(&m);
}

Test(integrator, a_state_reads_the_same_where_the_integrator_left_what_it_evaluated) {
  read_behind(four_bar_fixed(), "erk", 8);
  read_behind(four_bar_bushing(), "erk", 5);
  read_behind(double_pendulum(), "erk", 8);
  read_behind(four_bar_bushing(), "radau", 0);
  read_behind(four_bar_fixed(), "ida", 0);
  read_behind(driven_slider_crank(), "erk", 8);
}
