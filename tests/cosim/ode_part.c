/* A part given by rates: error control over inputs with breaks, states that come back to the bit, rates that fail. */
#include "cosim/ode_part.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

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

static cosim_part *create(void (*rates)(const void *, double, const double *, const double *, double *)) {
  static const char *const states[] = {"x", "s"};
  const cosim_ode_def def = {.states = states,
                             .n_states = 2,
                             .n_integrals = 1,
                             .n_inputs = 1,
                             .n_outputs = 3,
                             .method = cosim_error_controlled,
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
