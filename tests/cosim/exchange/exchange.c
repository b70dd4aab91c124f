/* Explicit exchange of signals: a source whose output is a polynomial in time, an echo that gives what its input is at
 * the end of its step, and two coupled equations. */
#include "cosim/coupling/exchange.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cosim/parts/part.h"
#include "cosim/parts/signal.h"
#include "tests/support/named_exchange.h"

static const char *const names_in[] = {"u"};
static const char *const names_out[] = {"y", "rate"};

/* ---- Parts ---- */

static void stay(const void *context, double t, const double *x, const double *u, double *dx) {
  (void)context;
  (void)t;
  (void)x;
  (void)u;
  dx[0] = 0;
}

/* (1 + t)^degree and its rate. */
static void give_power(const void *context, double t, const double *x, const double *u, double *y) {
  const int *degree = context;
  (void)x;
  (void)u;
  y[0] = pow(1 + t, *degree);
  y[1] = *degree * pow(1 + t, *degree - 1);
}

static cosim_part *create_source(const char *name, const int *degree) {
  const double zero = 0;
  const cosim_ode_def def = {.name = name,
                             .n_states = 1,
                             .n_outputs = 2,
                             .micro_steps = 1,
                             .context = degree,
                             .rates = stay,
                             .outputs = give_power,
                             .start = &zero};
  cosim_part *part = NULL;
  cr_assert_eq(cosim_ode_part_create(&def, &part, NULL), SEAM_OK);
  return part;
}

/* Nothing but advance and measure: it cannot go back. */
typedef struct echo {
  cosim_part base;
  double heard;
} echo;

/* NOLINTNEXTLINE(readability-non-const-parameter): the type is that of cosim_part_ops */
static seam_status hear(cosim_part *base, const cosim_step *step, double *outputs, double *derivatives,
                        seam_error *error) {
  echo *self = (echo *)base;
  (void)derivatives;
  self->heard = cosim_signal_value(&step->inputs[0], 1);
  outputs[0] = self->heard;
  return isfinite(self->heard) ? SEAM_OK : seam_fail(error, SEAM_BAD_INPUT, "cannot hear");
}

static void repeat(cosim_part *base, double *outputs) { outputs[0] = ((const echo *)base)->heard; }

static void destroy_echo(cosim_part *base) { free(base); }

static cosim_part *create_echo(void) {
  static const cosim_part_ops ops = {.advance = hear, .get_outputs = repeat, .destroy = destroy_echo};
  echo *self = calloc(1, sizeof *self);
  cr_assert_not_null(self);
  self->base = (cosim_part){.ops = &ops, .name = "echo", .n_inputs = 1, .n_outputs = 1};
  return &self->base;
}

/* Counts its steps; as an FMU with events it may change its output at any of them, and is never sampled.
 * NOLINTNEXTLINE(readability-non-const-parameter): the type is that of cosim_part_ops */
static seam_status count(cosim_part *base, const cosim_step *step, double *outputs, double *derivatives,
                         seam_error *error) {
  echo *self = (echo *)base;
  (void)step;
  (void)derivatives;
  (void)error;
  outputs[0] = ++self->heard;
  return SEAM_OK;
}

static double never(const cosim_part *base) {
  (void)base;
  return INFINITY;
}

static seam_status pass(cosim_part *base, double t, const double *inputs, seam_error *error) {
  (void)base;
  (void)t;
  (void)inputs;
  (void)error;
  return SEAM_OK;
}

static cosim_part *create_counter(void) {
  static const cosim_part_ops ops = {
      .advance = count, .get_outputs = repeat, .next_sample = never, .sample = pass, .destroy = destroy_echo};
  echo *self = calloc(1, sizeof *self);
  cr_assert_not_null(self);
  self->base = (cosim_part){.ops = &ops, .name = "source", .n_outputs = 1};
  return &self->base;
}

/* ---- A source and an echo ---- */

typedef struct wiring {
  int degree;
  int order;
  int steps_source, steps_echo;
  bool rate, smooth, gauss_seidel, counts;
} wiring;

static cosim_exchange *connect(const wiring *w) {
  const named_member members[2] = {{w->counts ? create_counter() : create_source("source", &w->degree), NULL, names_out,
                                    w->steps_source > 0 ? w->steps_source : 1},
                                   {create_echo(), names_in, names_out, w->steps_echo > 0 ? w->steps_echo : 1}};
  const cosim_connection_def link = {.from = "source.y",
                                     .to = "echo.u",
                                     .gain = 1,
                                     .order = w->order,
                                     .rate = w->rate ? "source.rate" : NULL,
                                     .rate_gain = 1,
                                     .smooth = w->smooth};
  const named_exchange def = {
      .members = members, .n_members = 2, .links = &link, .n_links = 1, .gauss_seidel = w->gauss_seidel};
  cosim_exchange *self = NULL;
  seam_error error = {0};
  /* NOLINTNEXTLINE(clang-analyzer-unix.Malloc): the exchange owns the parts */
  cr_assert_eq(named_exchange_create(&def, &self, &error), SEAM_OK, "%s", error.message);
  cosim_exchange_start(self, 0);
  return self;
}

/* Largest error of what the echo hears, once all macro points that the hold needs are known. */
static double hold_error(const wiring *w) {
  static const double H[4] = {0.1, 0.07, 0.12, 0.1};
  cosim_exchange *exchange = connect(w);
  double error = 0;
  for (int k = 0; k < 12; k++) {
    cr_assert_eq(cosim_exchange_advance(exchange, H[k % 4], NULL), SEAM_OK);
    if (k >= w->order)
      error = fmax(error, fabs(cosim_exchange_output(exchange, 1, 0) - pow(1 + exchange->t, w->degree)));
  }
  cosim_exchange_destroy(exchange);
  return error;
}

Test(exchange, hold_of_order_k_follows_polynomials_of_degree_k_over_unequal_steps) {
  for (int order = 0; order <= COSIM_MAX_HOLD; order++) {
    const wiring met = {.degree = order, .order = order};
    const wiring missed = {.degree = order + 1, .order = order};
    cr_expect_lt(hold_error(&met), 1e-11, "order %d: %g", order, hold_error(&met));
    cr_expect_gt(hold_error(&missed), 1e-6, "order %d: %g", order, hold_error(&missed));
  }
}

Test(exchange, macro_steps_of_parts_may_differ) {
  for (int order = 0; order <= COSIM_MAX_HOLD; order++) {
    const wiring slow = {.degree = order, .order = order, .steps_source = 2, .steps_echo = 3};
    const wiring fast = {.degree = order, .order = order, .steps_source = 7};
    cr_expect_lt(hold_error(&slow), 1e-10, "order %d: %g", order, hold_error(&slow));
    cr_expect_lt(hold_error(&fast), 1e-10, "order %d: %g", order, hold_error(&fast));
  }
}

Test(exchange, a_given_rate_extrapolates_linearly) {
  const wiring equal = {.degree = 1, .rate = true};
  const wiring faster = {.degree = 1, .rate = true, .steps_echo = 3};
  const wiring slower = {.degree = 1, .rate = true, .steps_source = 2, .steps_echo = 3};
  cr_expect_lt(hold_error(&equal), 1e-14);
  cr_expect_lt(hold_error(&faster), 1e-14);
  cr_expect_lt(hold_error(&slower), 1e-14);
}

Test(exchange, the_order_is_raised_as_points_become_known_or_are_remembered) {
  const wiring w = {.degree = 2, .order = 2};
  const double before[2][2] = {{0.81, 1.8}, {0.64, 1.6}};
  for (int known = 0; known <= 2; known++) {
    cosim_exchange *exchange = connect(&w);
    for (int i = 0; i < known; i++)
      cosim_exchange_remember(exchange, 0, -0.1 * (i + 1), before[i]);
    cr_assert_eq(cosim_exchange_advance(exchange, 0.1, NULL), SEAM_OK);
    const double expected[3] = {1, 1.19, 1.21};
    cr_expect_float_eq(cosim_exchange_output(exchange, 1, 0), expected[known], 1e-14);
    cosim_exchange_destroy(exchange);
  }
}

Test(exchange, later_parts_of_gauss_seidel_know_what_earlier_ones_have_reached) {
  const wiring w = {.degree = 3, .order = 1, .gauss_seidel = true};
  cr_expect_lt(hold_error(&w), 1e-14);
}

/* A receiver may not hear in its step what a source in discrete time says later. */
Test(exchange, outputs_in_discrete_time_are_not_read_before_they_change) {
  for (int steps = 1; steps <= 20; steps++) {
    const wiring w = {.gauss_seidel = true, .counts = true, .steps_source = steps};
    cosim_exchange *exchange = connect(&w);
    for (int round = 0; round < 3; round++) {
      cr_assert_eq(cosim_exchange_advance(exchange, 0.1, NULL), SEAM_OK);
      cr_expect_eq(cosim_exchange_output(exchange, 1, 0), round * steps, "%d steps, round %d: %g", steps, round,
                   cosim_exchange_output(exchange, 1, 0));
    }
    cosim_exchange_destroy(exchange);
  }
}

Test(exchange, smooth_switching_removes_jumps_of_value_and_slope) {
  for (int order = 0; order <= COSIM_MAX_HOLD; order++) {
    const wiring w = {.degree = 6, .order = order, .smooth = true};
    const wiring plain = {.degree = 6, .order = order};
    cosim_exchange *exchange = connect(&w);
    cosim_exchange *hard = connect(&plain);
    double end = 0;
    double slope = 0;
    for (int k = 0; k < 8; k++) {
      const double H = k % 2 == 0 ? 0.1 : 0.06;
      cr_assert_eq(cosim_exchange_advance(exchange, H, NULL), SEAM_OK);
      cr_assert_eq(cosim_exchange_advance(hard, H, NULL), SEAM_OK);
      const cosim_signal *held = &exchange->history[1].uncorrected[0];
      if (k > 0) {
        cr_expect_float_eq(cosim_signal_value(held, 0), end, 1e-12);
        cr_expect_float_eq(held->c[0][1] / H, slope, 1e-10);
      }
      cr_expect_float_eq(cosim_exchange_output(exchange, 1, 0), cosim_exchange_output(hard, 1, 0), 1e-12);
      end = cosim_signal_end(held);
      slope = cosim_signal_end_slope(held) / H;
    }
    cosim_exchange_destroy(exchange);
    cosim_exchange_destroy(hard);
  }
}

Test(exchange, links_into_one_input_add_up_with_their_gains) {
  const int degrees[2] = {1, 0};
  cosim_part *sources[2] = {create_source("a", &degrees[0]), create_source("b", &degrees[1])};
  const named_member members[3] = {
      {sources[0], NULL, names_out, 1}, {sources[1], NULL, names_out, 1}, {create_echo(), names_in, names_out, 1}};
  const cosim_connection_def links[2] = {{.from = "a.y", .to = "echo.u", .gain = 3, .order = 1},
                                         {.from = "b.y", .to = "echo.u", .gain = -2}};
  const named_exchange def = {.members = members, .n_members = 3, .links = links, .n_links = 2};
  cosim_exchange *exchange = NULL;
  /* NOLINTNEXTLINE(clang-analyzer-unix.Malloc): the exchange owns the parts */
  cr_assert_eq(named_exchange_create(&def, &exchange, NULL), SEAM_OK);
  cosim_exchange_start(exchange, 0);
  for (int k = 0; k < 3; k++)
    cr_assert_eq(cosim_exchange_advance(exchange, 0.5, NULL), SEAM_OK);
  cr_expect_float_eq(cosim_exchange_output(exchange, 2, 0), 3 * 2.5 - 2, 1e-14);
  cr_expect_float_eq(cosim_exchange_input(exchange, 2, 0), 3 * 2.5 - 2, 1e-14);
  cosim_exchange_destroy(exchange);
}

/* ---- Two equations x1' = x2, x2' = -x1, each integrated exactly ---- */

static cosim_part *create_integrator(const char *name, double gain, double start) {
  const double A = 0;
  const double C = 1;
  const double D = 0;
  const cosim_linear_def def = {
      .name = name, .n_states = 1, .n_inputs = 1, .n_outputs = 1, .A = &A, .B = &gain, .C = &C, .D = &D};
  cosim_part *part = NULL;
  cr_assert_eq(cosim_linear_part_create(&def, &part, NULL), SEAM_OK);
  part->ops->restore(part, &start);
  return part;
}

/* Error after 1 s in n rounds, with the exact past. */
static double rotation_error(int order, const int steps[2], int n) {
  const double H = 1.0 / n;
  const named_member members[2] = {{create_integrator("cosine", 1, 1), names_in, names_out, steps[0]},
                                   {create_integrator("sine", -1, 0), names_in, names_out, steps[1]}};
  const cosim_connection_def links[2] = {{.from = "cosine.y", .to = "sine.u", .gain = 1, .order = order},
                                         {.from = "sine.y", .to = "cosine.u", .gain = 1, .order = order}};
  const named_exchange def = {.members = members, .n_members = 2, .links = links, .n_links = 2};
  cosim_exchange *exchange = NULL;
  cr_assert_eq(named_exchange_create(&def, &exchange, NULL), SEAM_OK);
  cosim_exchange_start(exchange, 0);
  for (int i = 1; i <= COSIM_MAX_HOLD; i++)
    for (int p = 0; p < 2; p++) {
      const double t = -i * H / steps[p];
      const double past = p == 0 ? cos(t) : -sin(t);
      cosim_exchange_remember(exchange, p, t, &past);
    }
  for (int k = 0; k < n; k++)
    cr_assert_eq(cosim_exchange_advance(exchange, H, NULL), SEAM_OK);
  const double error =
      hypot(cosim_exchange_output(exchange, 0, 0) - cos(1), cosim_exchange_output(exchange, 1, 0) + sin(1));
  cosim_exchange_destroy(exchange);
  return error;
}

Test(exchange, errors_are_of_one_order_more_than_the_hold) {
  static const int rates[2][2] = {{1, 1}, {1, 3}};
  for (int r = 0; r < 2; r++)
    for (int order = 0; order <= COSIM_MAX_HOLD; order++) {
      const double found = log2(rotation_error(order, rates[r], 40) / rotation_error(order, rates[r], 80));
      cr_expect_float_eq(found, order + 1, 0.2, "order %d, steps %d and %d: %.3f", order, rates[r][0], rates[r][1],
                         found);
    }
}

/* ---- What is refused, and what fails ---- */

Test(exchange, a_part_that_cannot_go_back_runs_but_is_not_saved) {
  const wiring w = {.degree = 1};
  cosim_exchange *exchange = connect(&w);
  cr_assert_eq(cosim_exchange_advance(exchange, 1, NULL), SEAM_OK);
  cr_expect_eq(cosim_exchange_n_state(exchange), 0);
  cosim_exchange_destroy(exchange);
}

Test(exchange, a_part_that_fails_is_named) {
  const wiring w = {.degree = 1};
  const double heard[2] = {INFINITY, 0};
  cosim_exchange *exchange = connect(&w);
  seam_error error = {0};
  cosim_exchange_prescribe(exchange, 0, heard);
  cr_expect_eq(cosim_exchange_advance(exchange, 1, &error), SEAM_BAD_INPUT);
  cr_expect_str_eq(error.message, "subsystem 'echo': cannot hear");
  cosim_exchange_destroy(exchange);
}

Test(exchange, a_member_without_macro_steps_is_refused) {
  static const int degree = 1;
  const named_member member = {create_source("source", &degree), NULL, names_out, 0};
  cosim_exchange *exchange = NULL;
  seam_error error = {0};
  cr_expect_eq(named_exchange_create(&(named_exchange){.members = &member, .n_members = 1}, &exchange, &error),
               SEAM_BAD_INPUT);
  cr_expect_str_eq(error.message, "subsystem 'source': 'steps' is 0: take 1 or more");
}

Test(exchange, macro_steps_that_hardly_ever_end_together_are_refused) {
  static const int degree = 1;
  const named_member members[2] = {{create_source("source", &degree), NULL, names_out, 1000000},
                                   {create_echo(), names_in, names_out, 999999}};
  const named_exchange def = {.members = members, .n_members = 2};
  cosim_exchange *exchange = NULL;
  seam_error error = {0};
  cr_expect_eq(named_exchange_create(&def, &exchange, &error), SEAM_BAD_INPUT);
  cr_expect_not_null(strstr(error.message, "subsystem 'echo' takes 999999 macro steps in one macro step of 'cosim', so "
                                           "that macro steps of subsystems end at more than"),
                     "%s", error.message);
}
