/* Model-based correction in the exchange: the nonlinear damper of [Haid] 5 against independent data, what it is
 * worth, parts that give no derivatives, refusals. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cosim/coupling/exchange.h"
#include "tests/support/named_exchange.h"
#include "tests/support/nonlinear_damper.h"

/* ---- The oscillator with the nonlinear damper ---- */

static const double H = 1e-3;
enum { n_steps = 300 };

static cosim_exchange *join(cosim_part *first, cosim_part *second, int hold, cosim_correction *correction) {
  static const char *const force[] = {"F"};
  static const char *const motion[] = {"s", "v"};
  const named_member members[] = {{first, force, motion, 1}, {second, motion, force, 1}};
  const cosim_connection_def links[] = {{.from = "2.F", .to = "1.F", .gain = 1, .order = hold},
                                        {.from = "1.s", .to = "2.s", .gain = 1, .order = hold},
                                        {.from = "1.v", .to = "2.v", .gain = 1, .order = hold}};
  const named_exchange def = {.members = members,
                              .n_members = 2,
                              .links = links,
                              .n_links = 3,
                              .corrections = &correction,
                              .n_corrections = correction != NULL};
  cosim_exchange *exchange = NULL;
  seam_error error = {0};
  cr_assert_eq(named_exchange_create(&def, &exchange, &error), SEAM_OK, "%s", error.message);
  return exchange;
}

static cosim_correction *correction_of(double alpha, double tolerance) {
  cosim_model_based_def def = cosim_default_model_based_def();
  cosim_correction *correction = NULL;
  def.alpha = alpha;
  def.tolerance = tolerance;
  cr_assert_eq(cosim_model_based_correction_create(&def, &correction, NULL), SEAM_OK);
  return correction;
}

/* With the exact past. */
static void begin(cosim_exchange *exchange, double exponent, const double start[4]) {
  double x[4];
  double y[3];
  memcpy(x, start, sizeof x);
  cosim_exchange_start(exchange, 0);
  for (int i = 0; i < COSIM_MAX_PAST; i++) {
    damper_outputs(exponent, x, y);
    for (int p = 0; p < 2; p++)
      if (i == 0)
        cosim_exchange_prescribe(exchange, p, y + 2 * p);
      else
        cosim_exchange_remember(exchange, p, -i * H, y + 2 * p);
    damper_advance(exponent, -H, x);
  }
}

/* Normalised root mean square error of the three outputs from step `from` on ([Haid] eq. 33); infinite when they
 * overflow. */
static double error_of(cosim_exchange *exchange, double exponent, const double start[4], int from) {
  double x[4];
  double square[3] = {0};
  double mean[3] = {0};
  double spread[3] = {0};
  double sum = 0;
  memcpy(x, start, sizeof x);
  begin(exchange, exponent, start);
  for (int step = 1; step <= n_steps; step++) {
    double y[3];
    if (cosim_exchange_advance(exchange, H, NULL) != SEAM_OK)
      return INFINITY;
    damper_advance(exponent, H, x);
    damper_outputs(exponent, x, y);
    for (int i = 0; i < 3; i++) {
      const double distance = y[i] - mean[i];
      mean[i] += distance / step;
      spread[i] += distance * (y[i] - mean[i]);
      if (step > from)
        square[i] += pow(cosim_exchange_output(exchange, i / 2, i % 2) - y[i], 2);
    }
  }
  for (int i = 0; i < 3; i++)
    sum += square[i] / spread[i] / 3;
  return sqrt(sum);
}

static double error_with(double exponent, const double start[4], int hold, bool corrected,
                         damper_derivatives derivatives) {
  cosim_exchange *exchange = join(first_mass(start), damper_part(exponent, derivatives, start + 2), hold,
                                  corrected ? correction_of(1, 1e-4) : NULL);
  const double error = error_of(exchange, exponent, start, 0);
  cosim_exchange_destroy(exchange);
  return error;
}

/* ---- A past that is not known ---- */

/* Outputs after one step from a start of which nothing earlier is known. */
static void first_step(int hold, double outputs[3]) {
  const double start[4] = {1e-2, 1, 0, -1};
  double y[3];
  cosim_exchange *exchange = join(first_mass(start), damper_part(1.5, along, start + 2), hold, correction_of(1, 1e-4));
  damper_outputs(1.5, start, y);
  cosim_exchange_start(exchange, 0);
  for (int p = 0; p < 2; p++)
    cosim_exchange_prescribe(exchange, p, y + 2 * p);
  cr_assert_eq(cosim_exchange_advance(exchange, H, NULL), SEAM_OK);
  for (int i = 0; i < 3; i++)
    outputs[i] = cosim_exchange_output(exchange, i / 2, i % 2);
  cosim_exchange_destroy(exchange);
}

Test(model_based, without_a_past_the_first_step_is_of_order_0) {
  double least[3];
  first_step(0, least);
  for (int hold = 1; hold <= COSIM_MAX_HOLD; hold++) {
    double outputs[3];
    first_step(hold, outputs);
    cr_expect_arr_eq(outputs, least, sizeof least, "hold %d: %g, not %g", hold, outputs[0], least[0]);
  }
}

/* ---- Data ---- */

static const struct beginning {
  const char *name;
  double x[4];
} beginnings[] = {
    {"v=1;s=1e-3", {1e-3, 1, 1e-3, 1}},
    {"v=10;s=1e-2", {1e-2, 10, 1e-2, 10}},
    {"v1=1;v2=-1", {0, 1, 0, -1}},
    {"s1=0.01", {1e-2, 0, 0, 0}},
};

static const double *beginning_of(const char *name) {
  for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
    if (strcmp(beginnings[i].name, name) == 0)
      return beginnings[i].x;
  cr_assert_fail("%s", name);
  return NULL;
}

/* The data have 8 digits and call infinite what overflows on the way. */
Test(model_based, nonlinear_damper) {
  FILE *file = fopen(SEAM_SOURCE_DIR "/tests/data/mbcorr_nonlinear.csv", "r");
  char line[128];
  int n = 0;
  cr_assert_not_null(file);
  cr_assert_not_null(fgets(line, sizeof line, file));
  for (; fgets(line, sizeof line, file) != NULL; n++) {
    char beginning[16];
    char method[4];
    double exponent = 0;
    double expected = 0;
    int corrected = 0;
    cr_assert_eq(sscanf(line, "%15[^,],%lf,%3[^,],%d,%lf", beginning, &exponent, method, &corrected, &expected), 5);
    const int hold = method[0] == 'Z' ? 0 : method[0] == 'F' ? 1 : 2;
    const double error = error_with(exponent, beginning_of(beginning), hold, corrected, frozen);
    cr_expect(isinf(expected) ? error > 1e10 : fabs(error - expected) < 2e-6 * expected, "%s: %.8g instead of %.8g",
              line, error, expected);
  }
  fclose(file);
  cr_expect_eq(n, 120);
}

/* Derivatives along the step are those of the step that was taken. */
Test(model_based, derivatives_along_the_step_are_better_than_frozen_ones) {
  static const double exponents[] = {1.25, 1.5, 1.75, 2};
  for (int i = 0; i < 4; i++)
    for (int hold = 0; hold <= 2; hold++)
      cr_expect_lt(error_with(exponents[i], beginnings[0].x, hold, true, along),
                   0.95 * error_with(exponents[i], beginnings[0].x, hold, true, frozen), "exponent %g, hold %d",
                   exponents[i], hold);
}

/* ---- The parts of the correction ---- */

static double error_with_alpha(double alpha) {
  const double *start = beginnings[0].x;
  cosim_exchange *exchange = join(first_mass(start), damper_part(1, along, start + 2), 0, correction_of(alpha, 1e-4));
  const double error = error_of(exchange, 1, start, 0);
  cosim_exchange_destroy(exchange);
  return error;
}

Test(model_based, outputs_and_states_both_count) {
  const double plain = error_with(1, beginnings[0].x, 0, false, along);
  const double outputs_only = error_with_alpha(0);
  cr_expect_lt(outputs_only, 0.3 * plain);
  cr_expect_lt(error_with_alpha(1), 0.3 * outputs_only);
}

Test(model_based, alpha_zero_leaves_inputs_alone) {
  const double *start = beginnings[0].x;
  cosim_correction *correction = correction_of(0, 1e-4);
  cosim_exchange *exchange = join(first_mass(start), damper_part(1, along, start + 2), 1, correction);
  error_of(exchange, 1, start, 0);
  cr_expect_eq(*cosim_model_based_offset(correction, 0), 0);
  cosim_exchange_destroy(exchange);
}

/* The first offset is alpha times that of alpha = 1, as no offset was there before: also above 1 ([Haid] 2.2). */
static double first_offset(double alpha) {
  const double *start = beginnings[0].x;
  cosim_correction *correction = correction_of(alpha, 1e-4);
  cosim_exchange *exchange = join(first_mass(start), damper_part(1, along, start + 2), 0, correction);
  begin(exchange, 1, start);
  cr_assert_eq(cosim_exchange_advance(exchange, H, NULL), SEAM_OK);
  const double offset = *cosim_model_based_offset(correction, 0);
  cosim_exchange_destroy(exchange);
  return offset;
}

Test(model_based, alpha_may_be_above_one) {
  const double usual = first_offset(1);
  cr_expect_neq(usual, 0);
  cr_expect_float_eq(first_offset(1.5), 1.5 * usual, 1e-13 * fabs(usual));
  cr_expect_float_eq(first_offset(0.25), 0.25 * usual, 1e-13 * fabs(usual));
}

/* Largest distance of s1 from the whole oscillator's, after macro steps of H/10 and H/20 in turn. */
static double error_with_changing_steps(int hold, bool corrected) {
  const double *start = beginnings[0].x;
  double x[4];
  double largest = 0;
  cosim_exchange *exchange =
      join(first_mass(start), damper_part(1, along, start + 2), hold, corrected ? correction_of(1, 1e-4) : NULL);
  memcpy(x, start, sizeof x);
  begin(exchange, 1, start);
  for (int step = 0; step < n_steps; step++) {
    const double dt = step % 2 == 0 ? H / 10 : H / 20;
    cr_assert_eq(cosim_exchange_advance(exchange, dt, NULL), SEAM_OK);
    damper_advance(1, dt, x);
    largest = fmax(largest, fabs(cosim_exchange_output(exchange, 0, 0) - x[0]));
  }
  cosim_exchange_destroy(exchange);
  return largest;
}

Test(model_based, macro_steps_may_change) {
  for (int hold = 0; hold <= 3; hold++)
    cr_expect_lt(error_with_changing_steps(hold, true), 0.1 * error_with_changing_steps(hold, false), "hold %d", hold);
}

/* ---- Parts that give no derivatives ---- */

/* From step `from` on; `known` says whether both are, in the end. */
static double error_of_black_boxes(double exponent, int hold, int from, bool *known) {
  const double *start = beginnings[0].x;
  cosim_part *first = first_mass(start);
  first->gives_derivatives = false;
  cosim_correction *correction = correction_of(1, 1e-4);
  cosim_exchange *exchange = join(first, damper_part(exponent, none, start + 2), hold, correction);
  const double error = error_of(exchange, exponent, start, from);
  *known = cosim_model_based_is_identified(correction, 0) && cosim_model_based_is_identified(correction, 1);
  cosim_exchange_destroy(exchange);
  return error;
}

/* What was missed before decays as the oscillation does. */
Test(model_based, black_boxes_are_learnt) {
  for (int hold = 0; hold <= 2; hold++) {
    bool known = false;
    const double plain = error_with(1, beginnings[0].x, hold, false, none);
    cr_expect_lt(error_of_black_boxes(1, hold, 0, &known), 0.9 * plain, "hold %d", hold);
    cr_expect(known);
    cr_expect_lt(error_of_black_boxes(1, hold, 100, &known), 0.1 * plain, "hold %d", hold);
  }
}

/* A damper whose damping changes by orders of magnitude within a step. */
Test(model_based, what_cannot_be_learnt_is_left_alone) {
  for (int hold = 0; hold <= 2; hold++) {
    bool known = true;
    const double plain = error_with(2, beginnings[0].x, hold, false, none);
    cr_expect_float_eq(error_of_black_boxes(2, hold, 0, &known), plain, 1e-3 * plain, "hold %d", hold);
    cr_expect(!known);
  }
}

/* ---- States ---- */

static void expect_same_bits(cosim_part *first, cosim_part *second, const double *start) {
  cosim_exchange *exchange = join(first, second, 1, correction_of(1, 1e-4));
  const size_t n = cosim_exchange_n_state(exchange);
  double *states = calloc(3 * n, sizeof *states);
  cr_assert_not_null(states);
  cr_assert_gt(n, 0);
  begin(exchange, 1, start);
  for (int step = 0; step < 10; step++)
    cr_assert_eq(cosim_exchange_advance(exchange, H, NULL), SEAM_OK);
  cosim_exchange_save(exchange, states);
  for (size_t run = 1; run <= 2; run++) {
    cosim_exchange_restore(exchange, states);
    for (int step = 0; step < 30; step++)
      cr_assert_eq(cosim_exchange_advance(exchange, H, NULL), SEAM_OK);
    cosim_exchange_save(exchange, states + run * n);
  }
  cr_expect_eq(memcmp(states + n, states + 2 * n, n * sizeof *states), 0);
  free(states);
  cosim_exchange_destroy(exchange);
}

Test(model_based, goes_on_to_the_bit_when_restored) {
  const double *start = beginnings[0].x;
  expect_same_bits(first_mass(start), damper_part(1.5, along, start + 2), start);
  cosim_part *learnt = first_mass(start);
  learnt->gives_derivatives = false;
  expect_same_bits(learnt, damper_part(1, along, start + 2), start);
}

/* Corrections in force are those of the last step, for its length: they are rescaled when the length changes. */
Test(model_based, a_restored_one_knows_the_length_of_the_step_before) {
  const double *start = beginnings[0].x;
  cosim_exchange *exchange = join(first_mass(start), damper_part(1.5, along, start + 2), 1, correction_of(1, 1e-4));
  const size_t n = cosim_exchange_n_state(exchange);
  double *states = calloc(3 * n, sizeof *states);
  cr_assert_not_null(states);
  begin(exchange, 1, start);
  for (int step = 0; step < 10; step++)
    cr_assert_eq(cosim_exchange_advance(exchange, H, NULL), SEAM_OK);
  cosim_exchange_save(exchange, states);
  for (size_t run = 1; run <= 2; run++) {
    cosim_exchange_restore(exchange, states);
    cr_assert_eq(cosim_exchange_advance(exchange, H / 4, NULL), SEAM_OK);
    cosim_exchange_save(exchange, states + run * n);
  }
  cr_expect_eq(memcmp(states + n, states + 2 * n, n * sizeof *states), 0);
  free(states);
  cosim_exchange_destroy(exchange);
}

/* ---- Refused ---- */

static void expect_refused(const cosim_connection_def links[2], int steps, bool gauss_seidel, const char *says) {
  static const char *const force[] = {"F"};
  static const char *const motion[] = {"s", "v"};
  const double *start = beginnings[0].x;
  const named_member members[] = {{first_mass(start), force, motion, 1},
                                  {damper_part(1, along, start + 2), motion, force, steps}};
  cosim_correction *correction = correction_of(1, 1e-4);
  const named_exchange def = {.members = members,
                              .n_members = 2,
                              .links = links,
                              .n_links = 2,
                              .corrections = &correction,
                              .n_corrections = 1,
                              .gauss_seidel = gauss_seidel};
  cosim_exchange *exchange = NULL;
  seam_error error = {0};
  cr_expect_eq(named_exchange_create(&def, &exchange, &error), SEAM_BAD_INPUT);
  cr_expect(strstr(error.message, says) != NULL, "%s", error.message);
}

Test(model_based, what_it_cannot_correct_is_refused) {
  const cosim_connection_def plain[] = {{.from = "1.s", .to = "2.s", .gain = 1},
                                        {.from = "1.v", .to = "2.v", .gain = 1}};
  const cosim_connection_def smooth[] = {{.from = "1.s", .to = "2.s", .gain = 1, .smooth = true}, plain[1]};
  const cosim_connection_def rate[] = {{.from = "1.s", .to = "2.s", .gain = 1, .rate = "1.v"}, plain[1]};
  const cosim_connection_def mixed[] = {{.from = "1.s", .to = "2.s", .gain = 1, .order = 1},
                                        {.from = "1.v", .to = "2.s", .gain = 1, .order = 2}};
  expect_refused(plain, 1, true, "jacobi");
  expect_refused(plain, 2, false, "'2' takes 2 in a common one");
  expect_refused(smooth, 1, false, "2.s: the model-based correction");
  expect_refused(rate, 1, false, "leave out 'rate'");
  expect_refused(mixed, 1, false, "order 1 and 2 drive this input");
}

static void expect_bad(cosim_model_based_def def, const char *says) {
  cosim_correction *correction = NULL;
  seam_error error = {0};
  cr_expect_eq(cosim_model_based_correction_create(&def, &correction, &error), SEAM_BAD_INPUT);
  cr_expect_null(correction);
  cr_expect(strstr(error.message, says) != NULL, "%s", error.message);
}

Test(model_based, definitions_are_checked) {
  cosim_model_based_def def = cosim_default_model_based_def();
  static const double bad[] = {-0.1, 2.1, NAN, INFINITY};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    def.alpha = bad[i];
    expect_bad(def, "'alpha' is");
  }
  def = cosim_default_model_based_def();
  def.lags = 0;
  expect_bad(def, "'lags' is 0: take 1 to 100");
  def.lags = 101;
  expect_bad(def, "'lags' is 101");
  def = cosim_default_model_based_def();
  def.tolerance = 0;
  expect_bad(def, "'tolerance' is 0: take more than 0, at most 1");
  def = cosim_default_model_based_def();
  def.memory = 1.01;
  expect_bad(def, "'memory' is 1.01");
  def = cosim_default_model_based_def();
  def.excitation = -1e-5;
  expect_bad(def, "'excitation' is -1e-05: take 0 to 1");
}

/* ---- Imperfect knowledge ---- */

/* x' = a x + u, y = x. */
static cosim_part *decaying(const double *a, double start) {
  static const double one = 1;
  static const double zero = 0;
  const cosim_linear_def def = {.n_states = 1, .n_inputs = 1, .n_outputs = 1, .A = a, .B = &one, .C = &one, .D = &zero};
  cosim_part *part = NULL;
  cr_assert_eq(cosim_linear_part_create(&def, &part, NULL), SEAM_OK);
  part->ops->restore(part, &start);
  return part;
}

/* Length of a macro step. */
static double length_of(int step, double change) { return H * (1 + change * (step % 3)); }

/* (16), (18), (21) to (23) of [Haid] with K_y = factor G, two such parts, u1 = -y2, u2 = y1, holds of order 0 or 1, and
 * steps of different lengths: the line goes through both last values at their times, and the constant offset returns
 * the integral that w misses, the polynomial 1 at the end and 0 at the last one or two macro points. */
static void correct_with(double factor, int order, double change, const double a[2], double x[2], int n) {
  double y[2] = {x[0], x[1]};
  double before[2] = {0};
  double missed[2] = {0}; /* integral to be returned */
  for (int step = 0; step < n; step++) {
    const double h = length_of(step, change);
    const bool is_line = order == 1 && step > 0;
    const double last = is_line ? length_of(step - 1, change) / h : 1;
    const double beta = is_line ? (1.0 / 3 + last / 2) / (1 + last) : 0.5;
    const double slope[2] = {is_line ? (y[0] - before[0]) / last : 0, is_line ? (y[1] - before[1]) / last : 0};
    const double held[2] = {-y[1], y[0]};
    const double rise[2] = {-slope[1], slope[0]};
    double K[2];
    double right[2];
    for (int i = 0; i < 2; i++) {
      const double by_constant = expm1(a[i] * h) / a[i];
      const double by_line = (expm1(a[i] * h) - a[i] * h) / (a[i] * a[i] * h);
      x[i] = exp(a[i] * h) * x[i] + by_constant * (held[i] + missed[i] / h) + by_line * rise[i];
      K[i] = factor * (is_line ? by_line : by_constant);
      right[i] = x[i] - K[i] * (held[i] + rise[i]) - factor * by_constant * missed[i] / h;
    }
    memcpy(before, y, sizeof y);
    y[0] = (right[0] - K[0] * right[1]) / (1 + K[0] * K[1]);
    y[1] = right[1] + K[1] * y[0];
    missed[0] = h * beta * (-y[1] - held[0] - rise[0]);
    missed[1] = h * beta * (y[0] - held[1] - rise[1]);
  }
  memcpy(x, y, sizeof y);
}

static void expect_equations(double factor, int order, double change) {
  static const char *const in[] = {"u"};
  static const char *const out[] = {"y"};
  static const double a[2] = {-200, -500};
  double x[2] = {1, 2};
  cosim_model_based_def def = cosim_default_model_based_def();
  cosim_correction *correction = NULL;
  def.knowledge = factor;
  cr_assert_eq(cosim_model_based_correction_create(&def, &correction, NULL), SEAM_OK);
  cosim_part *first = decaying(&a[0], x[0]);
  cosim_part *second = decaying(&a[1], x[1]);
  first->name = "1";
  second->name = "2";
  const named_member members[] = {{first, in, out, 1}, {second, in, out, 1}};
  const cosim_connection_def links[] = {{.from = "2.y", .to = "1.u", .gain = -1, .order = order},
                                        {.from = "1.y", .to = "2.u", .gain = 1, .order = order}};
  const named_exchange joined = {
      .members = members, .n_members = 2, .links = links, .n_links = 2, .corrections = &correction, .n_corrections = 1};
  cosim_exchange *exchange = NULL;
  cr_assert_eq(named_exchange_create(&joined, &exchange, NULL), SEAM_OK);
  cosim_exchange_start(exchange, 0);
  for (int step = 0; step < 10; step++)
    cr_assert_eq(cosim_exchange_advance(exchange, length_of(step, change), NULL), SEAM_OK);
  correct_with(factor, order, change, a, x, 10);
  for (int p = 0; p < 2; p++)
    cr_expect_float_eq(cosim_exchange_output(exchange, p, 0), x[p], 1e-13,
                       "K = %g G, order %d, change %g: %.15g, not %.15g", factor, order, change,
                       cosim_exchange_output(exchange, p, 0), x[p]);
  cosim_exchange_destroy(exchange);
}

Test(model_based, imperfect_knowledge_is_a_factor_of_the_derivatives) {
  for (int i = 0; i < 3; i++)
    expect_equations(0.5 + 0.5 * i, 0, 0);
}

/* Step control changes the length of every step. */
Test(model_based, steps_of_different_lengths_follow_the_equations) {
  for (int order = 0; order < 2; order++) {
    expect_equations(1, order, 0);
    expect_equations(1, order, 0.7);
    expect_equations(1, order, -0.3);
  }
}
