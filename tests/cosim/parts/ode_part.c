/* A part given by rates: error control over inputs with breaks, states that come back to the bit, rates that fail. */
#include "cosim/parts/part.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "cosim/parts/signal.h"

static int n_evaluations;

/* x' = u - x, s' = u */
static void follow(const void *context, double t, const double *x, const double *u, double *dx) {
  (void)context, (void)t;
  n_evaluations++;
  dx[0] = u[0] - x[0];
  dx[1] = u[0];
}

static void show(const void *context, double t, const double *x, const double *u, double *y) {
  (void)context, (void)t;
  y[0] = x[0];
  y[1] = x[1];
  y[2] = u[0];
}

static const double start[2] = {1, 0};

static cosim_part *create_with(cosim_ode_method method, double micro_step,
                               void (*rates)(const void *, double, const double *, const double *, double *)) {
  static const char *const states[] = {"x", "s"};
  const cosim_ode_def def = {.states = states,
                             .n_states = 2,
                             .n_integrals = 1,
                             .n_inputs = 1,
                             .n_outputs = 3,
                             .method = method,
                             .micro_step = micro_step,
                             .order = 8,
                             .rtol = 1e-10,
                             .atol = 1e-12,
                             .rates = rates,
                             .outputs = show,
                             .start = start};
  cosim_part *part = NULL;
  cr_assert_eq(cosim_ode_part_create(&def, &part, NULL), SEAM_OK);
  return part;
}

static cosim_part *create(void (*rates)(const void *, double, const double *, const double *, double *)) {
  return create_with(COSIM_ERROR_CONTROLLED, 0, rates);
}

/* 0 before τ = 1/3, then 3 (τ - 1/3) in powers from there. */
static const cosim_signal kinked = {.n_pieces = 2, .c = {{0}, {0, 3}}, .border = {1.0 / 3}};

Test(ode_part, steps_end_where_an_input_breaks) {
  cosim_part *part = create(follow);
  double y[3];
  n_evaluations = 0;
  cr_assert_eq(part->ops->advance(part, &(cosim_step){.H = 1, .inputs = &kinked}, y, NULL, NULL), SEAM_OK);
  const double at_kink = exp(-1.0 / 3);
  const double after = 2.0 / 3;
  const double expected = at_kink * exp(-after) + 3 * (after - 1 + exp(-after));
  cr_expect_float_eq(y[0], expected, 1e-10, "%.17g, not %.17g", y[0], expected);
  cr_expect_float_eq(y[1], 1.5 * after * after, 1e-14);
  cr_expect_float_eq(y[2], 2, 1e-15);
  cr_expect_lt(n_evaluations, 200, "%d", n_evaluations);
  part->ops->destroy(part);
}

/* Adams' formulas over two macro steps with the ramp u = τ: each begins at order 1 again. */
Test(ode_part, adams_follows_a_ramp_without_derivatives) {
  const cosim_signal ramp = {.n_pieces = 1, .c = {{0, 1}}};
  cosim_part *part = create_with(COSIM_ADAMS, 0, follow);
  double y[3];
  double x = 1;
  cr_expect_not(part->gives_derivatives);
  n_evaluations = 0;
  for (int step = 0; step < 2; step++) {
    x = (x + 1) * exp(-1);
    cr_assert_eq(part->ops->advance(part, &(cosim_step){.t = step, .H = 1, .inputs = &ramp}, y, NULL, NULL), SEAM_OK);
    cr_expect_float_eq(y[0], x, 1e-9, "%d: %.17g, not %.17g", step, y[0], x);
    cr_expect_float_eq(y[1], 0.5, 1e-9, "%d: %.17g", step, y[1]);
  }
  cr_expect_lt(n_evaluations, 600, "%d", n_evaluations);
  part->ops->destroy(part);
}

/* A ramp is u = 1 at the end of the step, wherever the method evaluates rates last. */
Test(ode_part, outputs_with_feed_through_belong_to_the_macro_point) {
  const cosim_signal ramp = {.n_pieces = 1, .c = {{0, 1}}};
  static const cosim_ode_method methods[] = {COSIM_MIDPOINT, COSIM_RUNGE_KUTTA, COSIM_ERROR_CONTROLLED};
  for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
    cosim_part *part = create_with(methods[i], 0.25, follow);
    double y[3];
    cr_assert_eq(part->ops->advance(part, &(cosim_step){.H = 1, .inputs = &ramp}, y, NULL, NULL), SEAM_OK);
    cr_expect_float_eq(y[2], 1, 1e-14, "%zu: %g", i, y[2]);
    part->ops->destroy(part);
  }
}

Test(ode_part, integrals_are_over_the_last_macro_step) {
  cosim_part *part = create(follow);
  const cosim_signal one = {.n_pieces = 1, .c = {{1}}};
  double y[3];
  for (int i = 0; i < 3; i++)
    cr_assert_eq(part->ops->advance(part, &(cosim_step){.t = i, .H = 1, .inputs = &one}, y, NULL, NULL), SEAM_OK);
  cr_expect_float_eq(y[1], 1, 1e-14);
  part->ops->destroy(part);
}

Test(ode_part, goes_back_to_the_bit) {
  cosim_part *part = create(follow);
  double state[8], first[3], again[3];
  cr_assert_leq(part->n_state, sizeof state / sizeof *state);
  cr_assert_eq(part->ops->advance(part, &(cosim_step){.H = 1, .inputs = &kinked}, first, NULL, NULL), SEAM_OK);
  part->ops->save(part, state);
  const cosim_step step = {.t = 1, .H = 0.7, .inputs = &kinked};
  cr_assert_eq(part->ops->advance(part, &step, first, NULL, NULL), SEAM_OK);
  part->ops->restore(part, state);
  cr_assert_eq(part->ops->advance(part, &step, again, NULL, NULL), SEAM_OK);
  cr_expect_arr_eq(first, again, sizeof first);
  part->ops->destroy(part);
}

static void fail(const void *context, double t, const double *x, const double *u, double *dx) {
  follow(context, t, x, u, dx);
  dx[0] = sqrt(0.5 - t);
}

Test(ode_part, names_the_state_whose_rate_is_not_finite) {
  cosim_part *part = create(fail);
  seam_error error = {0};
  double y[3];
  cr_expect_eq(part->ops->advance(part, &(cosim_step){.H = 1, .inputs = &kinked}, y, NULL, &error), SEAM_NOT_FINITE);
  cr_expect_not_null(strstr(error.message, "the rate of state 'x' is not finite"), "%s", error.message);
  part->ops->destroy(part);
}

/* ---- Micro steps without end ---- */

static void expect_limit(cosim_part *part, seam_status status, const char *said) {
  seam_error error = {0};
  double y[3];
  cr_expect_eq(part->ops->advance(part, &(cosim_step){.H = 1, .inputs = &kinked}, y, NULL, &error), status);
  cr_expect_not_null(strstr(error.message, said), "'%s' is not in '%s'", said, error.message);
  part->ops->destroy(part);
}

Test(ode_part, a_macro_step_has_so_many_micro_steps_at_most) {
  double y[3];
  cosim_part *part = create_with(COSIM_RUNGE_KUTTA, 1.0 / COSIM_MAX_MICRO_STEPS, follow);
  cr_expect_eq(part->ops->advance(part, &(cosim_step){.H = 1, .inputs = &kinked}, y, NULL, NULL), SEAM_OK);
  part->ops->destroy(part);
  n_evaluations = 0;
  expect_limit(create_with(COSIM_RUNGE_KUTTA, 1e-12, follow), SEAM_BAD_INPUT, "take a longer micro_step");
  cr_expect_eq(n_evaluations, 0);
}

/* Its direction changes 10^7 times. */
static void shake(const void *context, double t, const double *x, const double *u, double *dx) {
  follow(context, t, x, u, dx);
  dx[0] = 1e8 * sin(1e7 * t);
}

Test(ode_part, a_macro_step_has_so_many_micro_steps_under_error_control_too) {
  expect_limit(create(shake), SEAM_STEP_FAILED, "50000 micro steps did not reach the end of the macro step");
}

/* ---- Derivatives ---- */

/* q' = v, v' = -q^3 + u v, s = integral of q u; y = (q v, s, u^2) */
static void swing(const void *context, double t, const double *x, const double *u, double *dx) {
  (void)context, (void)t;
  dx[0] = x[1];
  dx[1] = -x[0] * x[0] * x[0] + u[0] * x[1];
  dx[2] = x[0] * u[0];
}

static void swing_along(const void *context, double t, const double *x, const double *u, const double *dx,
                        const double *du, double *change) {
  (void)context, (void)t;
  change[0] = dx[1];
  change[1] = -3 * x[0] * x[0] * dx[0] + u[0] * dx[1] + x[1] * du[0];
  change[2] = dx[0] * u[0] + x[0] * du[0];
}

static void show_swing(const void *context, double t, const double *x, const double *u, double *y) {
  (void)context, (void)t;
  y[0] = x[0] * x[1];
  y[1] = x[2];
  y[2] = u[0] * u[0];
}

static void show_swing_along(const void *context, double t, const double *x, const double *u, const double *dx,
                             const double *du, double *change) {
  (void)context, (void)t;
  change[0] = dx[0] * x[1] + x[0] * dx[1];
  change[1] = dx[2];
  change[2] = 2 * u[0] * du[0];
}

static cosim_part *create_swing(cosim_ode_method method) {
  static const double begin[3] = {1, 0.5, 0};
  const cosim_ode_def def = {.n_states = 3,
                             .n_integrals = 1,
                             .n_inputs = 1,
                             .n_outputs = 3,
                             .method = method,
                             .micro_steps = 4,
                             .order = 8,
                             .rtol = 1e-12,
                             .atol = 1e-12,
                             .rates = swing,
                             .outputs = show_swing,
                             .rates_along = swing_along,
                             .outputs_along = show_swing_along,
                             .start = begin};
  cosim_part *part = NULL;
  cr_assert_eq(cosim_ode_part_create(&def, &part, NULL), SEAM_OK);
  cr_assert(part->gives_derivatives);
  return part;
}

static void take(cosim_part *part, double shift, int n_seeds, double *y, double *derivatives) {
  static const cosim_seed seeds[2] = {{.signal = {.n_pieces = 1, .c = {{1}}}},
                                      {.signal = {.n_pieces = 2, .c = {{0, 1}, {0.5, -1}}}}};
  cosim_signal input = {.n_pieces = 2, .c = {{0.5}, {0.5}}};
  for (int p = 0; p < 2; p++) {
    input.c[p][0] += shift * seeds[1].signal.c[p][0];
    input.c[p][1] += shift * seeds[1].signal.c[p][1];
  }
  double state[8];
  part->ops->save(part, state);
  const cosim_step step = {.H = 1, .inputs = &input, .n_seeds = n_seeds, .seeds = seeds};
  cr_assert_eq(part->ops->advance(part, &step, y, derivatives, NULL), SEAM_OK);
  part->ops->restore(part, state);
}

/* Changes along the second of two seeds against central differences of the same method. */
Test(ode_part, derivatives_are_those_of_the_method) {
  const double delta = 1e-5;
  for (int m = COSIM_FORWARD_EULER; m <= COSIM_ERROR_CONTROLLED; m++) {
    cosim_part *part = create_swing((cosim_ode_method)m);
    double y[3], derivatives[6], plain[3], before[3], after[3];
    take(part, 0, 2, y, derivatives);
    take(part, 0, 0, plain, NULL);
    take(part, -delta, 0, before, NULL);
    take(part, delta, 0, after, NULL);
    cr_expect_arr_eq(y, plain, sizeof y, "method %d: seeds change nothing", m);
    for (int i = 0; i < 3; i++) {
      const double difference = (after[i] - before[i]) / (2 * delta);
      cr_expect_float_eq(derivatives[3 + i], difference, 1e-8, "method %d, output %d: %g, not %g", m, i,
                         derivatives[3 + i], difference);
    }
    part->ops->destroy(part);
  }
}

/* ---- Moments inside of a step ---- */

static const double inner[] = {0.1225, 0.5, 0.9};
enum { n_inner = 3, n_moments = 4 };

/* The input has a kink at the second node. */
static void take_moments(cosim_part *part, double shift, int n_seeds, double *y, double *derivatives) {
  static const cosim_seed seed = {.signal = {.n_pieces = 2, .c = {{0, 1}, {0.5, -1}}}};
  cosim_signal input = {.n_pieces = 2, .c = {{0.5, 1}, {1, -2}}};
  cosim_signal_add(&input, shift, &seed.signal);
  double state[8];
  part->ops->save(part, state);
  const cosim_step step = {
      .H = 1, .inputs = &input, .n_seeds = n_seeds, .seeds = &seed, .n_nodes = n_inner, .nodes = inner};
  cr_assert_eq(part->ops->advance(part, &step, y, derivatives, NULL), SEAM_OK);
  part->ops->restore(part, state);
}

Test(ode_part, derivatives_inside_of_a_step_are_those_of_the_method) {
  const double delta = 1e-5;
  for (int m = COSIM_FORWARD_EULER; m <= COSIM_ERROR_CONTROLLED; m++) {
    cosim_part *part = create_swing((cosim_ode_method)m);
    double y[3 * n_moments], derivatives[3 * n_moments], plain[3 * n_moments], before[3 * n_moments],
        after[3 * n_moments];
    take_moments(part, 0, 1, y, derivatives);
    take_moments(part, 0, 0, plain, NULL);
    take_moments(part, -delta, 0, before, NULL);
    take_moments(part, delta, 0, after, NULL);
    for (int i = 0; i < 3 * n_moments; i++) {
      const double difference = (after[i] - before[i]) / (2 * delta);
      cr_expect_float_eq(y[i], plain[i], 1e-9, "method %d: seeds change %d by %g", m, i, y[i] - plain[i]);
      cr_expect_float_eq(derivatives[i], difference, 1e-7, "method %d, moment %d, output %d: %g, not %g", m, i / 3,
                         i % 3, derivatives[i], difference);
    }
    part->ops->destroy(part);
  }
}

/* Outputs at a node are those at the end of a step to it. */
Test(ode_part, moments_inside_of_a_step_are_ends_of_shorter_ones) {
  cosim_part *part = create_swing(COSIM_ERROR_CONTROLLED);
  const cosim_signal input = {.n_pieces = 2, .c = {{0.5, 1}, {1, -2}}};
  double y[3 * n_moments], end[3], state[8];
  part->ops->save(part, state);
  take_moments(part, 0, 0, y, NULL);
  for (int k = 0; k < n_inner; k++) {
    const cosim_signal shorter = cosim_signal_between(&input, 0, inner[k]);
    const cosim_step step = {.H = inner[k], .inputs = &shorter};
    part->ops->restore(part, state);
    cr_assert_eq(part->ops->advance(part, &step, end, NULL, NULL), SEAM_OK);
    for (int i = 0; i < 3; i++)
      cr_expect_float_eq(y[3 * k + i], end[i], 1e-9, "node %d, output %d: %g, not %g", k, i, y[3 * k + i], end[i]);
  }
  part->ops->destroy(part);
}

/* ---- Refusals ---- */

static void expect_no_part(cosim_ode_def def, const char *why) {
  seam_error error = {0};
  cosim_part *part = NULL;
  cr_expect_eq(cosim_ode_part_create(&def, &part, &error), SEAM_BAD_INPUT);
  cr_expect(strstr(error.message, why) != NULL, "%s", error.message);
}

Test(ode_part, definitions_that_cannot_be_are_refused) {
  const cosim_ode_def good = {.n_states = 2,
                              .n_inputs = 1,
                              .n_outputs = 3,
                              .method = COSIM_ERROR_CONTROLLED,
                              .order = 5,
                              .rtol = 1e-8,
                              .atol = 1e-10,
                              .rates = follow,
                              .outputs = show,
                              .start = start};
  cosim_ode_def def = good;
  def.n_states = -1;
  expect_no_part(def, "-1 states");
  def = good, def.n_integrals = 3;
  expect_no_part(def, "3 integrals");
  def = good, def.rates = NULL;
  expect_no_part(def, "states need rates");
  def = good, def.outputs = NULL;
  expect_no_part(def, "outputs a function");
  def = good, def.method = (cosim_ode_method)9;
  expect_no_part(def, "no method 9");
  def = good, def.order = 3;
  expect_no_part(def, "order 3");
  def = good, def.rtol = 0;
  expect_no_part(def, "rtol 0");
  def = good, def.method = COSIM_MIDPOINT;
  expect_no_part(def, "give micro_steps");
  cr_expect_eq(cosim_ode_part_create(NULL, NULL, NULL), SEAM_BAD_INPUT);
}

/* ---- BDF ---- */

/* x' = -1e6 (x - u) beside y' = x, in which erk is limited by stability; s' = u. */
static void be_stiff(const void *context, double t, const double *x, const double *u, double *dx) {
  (void)context, (void)t;
  n_evaluations++;
  dx[0] = -1e6 * (x[0] - u[0]);
  dx[1] = x[0];
  dx[2] = u[0];
}

static void be_stiff_along(const void *context, double t, const double *x, const double *u, const double *dx,
                           const double *du, double *change) {
  (void)x, (void)u;
  be_stiff(context, t, dx, du, change);
}

static void show_all(const void *context, double t, const double *x, const double *u, double *y) {
  (void)context, (void)t, (void)u;
  memcpy(y, x, 3 * sizeof *y);
}

static void show_all_along(const void *context, double t, const double *x, const double *u, const double *dx,
                           const double *du, double *change) {
  (void)x, (void)u;
  show_all(context, t, dx, du, change);
}

/* x follows the ramp u = τ with a lag of 1e-6 s. */
Test(ode_part, bdf_takes_few_steps_where_rates_are_stiff) {
  static const double zero[3] = {0};
  const cosim_signal ramp = {.n_pieces = 1, .c = {{0, 1}}};
  for (int knows_derivatives = 0; knows_derivatives < 2; knows_derivatives++) {
    const cosim_ode_def def = {.n_states = 3,
                               .n_integrals = 1,
                               .n_inputs = 1,
                               .n_outputs = 3,
                               .method = COSIM_BDF,
                               .rtol = 1e-8,
                               .atol = 1e-10,
                               .rates = be_stiff,
                               .rates_along = knows_derivatives ? be_stiff_along : NULL,
                               .outputs = show_all,
                               .outputs_along = knows_derivatives ? show_all_along : NULL,
                               .start = zero};
    cosim_part *part = NULL;
    double y[3], again[3], state[16];
    cr_assert_eq(cosim_ode_part_create(&def, &part, NULL), SEAM_OK);
    cr_assert_leq(part->n_state, sizeof state / sizeof *state);
    cr_expect_not(part->gives_derivatives);
    part->ops->save(part, state);
    n_evaluations = 0;
    cr_assert_eq(part->ops->advance(part, &(cosim_step){.H = 1, .inputs = &ramp}, y, NULL, NULL), SEAM_OK);
    cr_expect_lt(n_evaluations, 2000, "%d", n_evaluations);
    cr_expect_float_eq(y[0], 1 - 1e-6, 1e-7);
    cr_expect_float_eq(y[1], 0.5 - 1e-6, 1e-6);
    cr_expect_float_eq(y[2], 0.5, 1e-6);
    part->ops->restore(part, state);
    cr_assert_eq(part->ops->advance(part, &(cosim_step){.H = 1, .inputs = &ramp}, again, NULL, NULL), SEAM_OK);
    cr_expect_arr_eq(y, again, sizeof y);
    part->ops->destroy(part);
  }
}
