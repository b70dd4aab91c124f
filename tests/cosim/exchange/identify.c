/* Parts identified from their inputs and outputs: against their exact derivatives. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cosim/coupling/identify.h"
#include "cosim/parts/part.h"

/* An oscillator with two inputs, the outputs x and a force that has feed-through, and a constant load. */
static cosim_part *oscillator(double stiffness) {
  const double A[] = {0, 1, 0, -stiffness, -0.3, 1, 0, 0, 0};
  const double B[] = {0, 0, 1, 0.5, 0, 0};
  const double C[] = {1, 0, 0, stiffness, 0.3, 0};
  const double D[] = {0, 0, -stiffness, -0.3};
  const double start[] = {0.2, -0.1, 3};
  const cosim_linear_def def = {.n_states = 3, .n_inputs = 2, .n_outputs = 2, .A = A, .B = B, .C = C, .D = D};
  cosim_part *part = NULL;
  cr_assert_eq(cosim_linear_part_create(&def, &part, NULL), SEAM_OK);
  part->ops->restore(part, start);
  return part;
}

enum { order = 2 };
static const double H = 0.4;

/* A smooth motion: alone, it contains little information. */
static void fill_inputs(double t, cosim_signal inputs[2]) {
  for (int i = 0; i < 2; i++)
    inputs[i] = (cosim_signal){.n_pieces = 1, .c = {{sin(t + i), H * cos(t + i), -0.5 * H * H * sin(t + i)}}};
}

/* `n` steps from *t on; returns at which step the part became known, n when it did not. */
static int watch(cosim_identifier *identifier, cosim_part *part, int n, double *t) {
  int since = n;
  for (int step = 0; step < n; step++, *t += H) {
    cosim_signal inputs[2];
    double outputs[2];
    fill_inputs(*t, inputs);
    cosim_identifier_excite(identifier, inputs);
    const cosim_step over = {.t = *t, .H = H, .inputs = inputs};
    cr_assert_eq(part->ops->advance(part, &over, outputs, NULL, NULL), SEAM_OK);
    cosim_identifier_observe(identifier, H, inputs, outputs);
    if (since == n && cosim_identifier_is_identified(identifier))
      since = step;
  }
  return since;
}

static void expect_derivatives(const cosim_identifier *identifier, cosim_part *part, double accuracy) {
  cosim_seed seeds[2 * (order + 1)] = {0};
  double derivatives[4 * (order + 1)];
  double outputs[2];
  cosim_signal inputs[2];
  for (int i = 0; i < 2 * (order + 1); i++) {
    seeds[i] = (cosim_seed){.input = i / (order + 1), .signal = {.n_pieces = 1}};
    seeds[i].signal.c[0][i % (order + 1)] = 1;
  }
  fill_inputs(0, inputs);
  const cosim_step step = {.H = H, .inputs = inputs, .n_seeds = 2 * (order + 1), .seeds = seeds};
  cr_assert_eq(part->ops->advance(part, &step, outputs, derivatives, NULL), SEAM_OK);
  for (int i = 0; i < 2 * (order + 1); i++)
    for (int y = 0; y < 2; y++)
      cr_expect_float_eq(cosim_identifier_derivative(identifier, y, i / (order + 1), i % (order + 1)),
                         derivatives[2 * i + y], accuracy, "output %d, input %d, power %d", y, i / (order + 1),
                         i % (order + 1));
}

static cosim_identifier *identifier_of(int lags, double excitation) {
  cosim_model_based_def def = cosim_default_model_based_def();
  def.lags = lags;
  def.excitation = excitation;
  cosim_identifier *identifier = cosim_identifier_create(2, 2, order, &def);
  cr_assert_not_null(identifier);
  return identifier;
}

Test(identify, derivatives_are_exact) {
  double t = 0;
  cosim_part *part = oscillator(2);
  cosim_identifier *identifier = identifier_of(2, 1e-5);
  cr_expect_lt(watch(identifier, part, 60, &t), 40);
  cr_expect(!cosim_identifier_learns(identifier));
  expect_derivatives(identifier, part, 1e-6);
  cosim_identifier_destroy(identifier);
  cosim_part_destroy(part);
}

/* Columns that others imply take no part. */
Test(identify, more_lags_than_needed_do_no_harm) {
  double t = 0;
  cosim_part *part = oscillator(2);
  cosim_identifier *identifier = identifier_of(4, 1e-4);
  cr_expect_lt(watch(identifier, part, 100, &t), 100);
  expect_derivatives(identifier, part, 1e-5);
  cosim_identifier_destroy(identifier);
  cosim_part_destroy(part);
}

Test(identify, smooth_inputs_alone_do_not_tell) {
  double t = 0;
  cosim_part *part = oscillator(2);
  cosim_identifier *identifier = identifier_of(2, 0);
  cr_expect_eq(watch(identifier, part, 100, &t), 100);
  cosim_identifier_destroy(identifier);
  cosim_part_destroy(part);
}

Test(identify, excites_only_while_it_learns) {
  double t = 0;
  cosim_signal inputs[2];
  cosim_signal plain[2];
  cosim_part *part = oscillator(2);
  cosim_identifier *identifier = identifier_of(2, 1e-5);
  watch(identifier, part, 5, &t);
  fill_inputs(t, plain);
  memcpy(inputs, plain, sizeof plain);
  cosim_identifier_excite(identifier, inputs);
  cr_expect_neq(inputs[1].c[0][2], plain[1].c[0][2]);
  cr_expect_float_eq(inputs[1].c[0][2], plain[1].c[0][2], 1.1e-5);
  watch(identifier, part, 60, &t);
  memcpy(inputs, plain, sizeof plain);
  cosim_identifier_excite(identifier, inputs);
  cr_expect_eq(inputs[1].c[0][2], plain[1].c[0][2]);
  cosim_identifier_destroy(identifier);
  cosim_part_destroy(part);
}

/* Until the new ones predict well there are none. */
Test(identify, learns_anew_when_predictions_fail) {
  double t = 0;
  cosim_part *before = oscillator(2);
  cosim_part *after = oscillator(5);
  cosim_identifier *identifier = identifier_of(2, 1e-5);
  watch(identifier, before, 60, &t);
  cr_expect_lt(cosim_identifier_prediction_error(identifier), 1e-6);
  watch(identifier, after, 3, &t);
  cr_expect(cosim_identifier_learns(identifier));
  cr_expect(!cosim_identifier_is_identified(identifier));
  watch(identifier, after, 200, &t);
  cr_expect(!cosim_identifier_learns(identifier));
  expect_derivatives(identifier, after, 1e-4);
  cosim_identifier_destroy(identifier);
  cosim_part_destroy(before);
  cosim_part_destroy(after);
}

Test(identify, another_macro_step_is_another_part) {
  double t = 0;
  double outputs[2] = {1, 2};
  cosim_signal inputs[2];
  cosim_part *part = oscillator(2);
  cosim_identifier *identifier = identifier_of(2, 1e-5);
  watch(identifier, part, 60, &t);
  fill_inputs(t, inputs);
  cosim_identifier_observe(identifier, H / 2, inputs, outputs);
  cr_expect(!cosim_identifier_is_identified(identifier));
  cosim_identifier_destroy(identifier);
  cosim_part_destroy(part);
}

Test(identify, goes_on_to_the_bit_when_restored) {
  double t = 0;
  double z[3];
  cosim_part *part = oscillator(2);
  cosim_identifier *identifier = identifier_of(2, 1e-5);
  const size_t n = cosim_identifier_n_state(identifier);
  double *states = calloc(3 * n, sizeof *states);
  cr_assert_not_null(states);
  watch(identifier, part, 12, &t);
  part->ops->save(part, z);
  cosim_identifier_copy_state(identifier, &(cosim_image){.at = states, .saves = true});
  for (int run = 1; run <= 2; run++) {
    double from = t;
    part->ops->restore(part, z);
    cosim_identifier_copy_state(identifier, &(cosim_image){.at = states});
    watch(identifier, part, 50, &from);
    cosim_identifier_copy_state(identifier, &(cosim_image){.at = states + (size_t)run * n, .saves = true});
  }
  cr_expect_eq(memcmp(states + n, states + 2 * n, n * sizeof *states), 0);
  free(states);
  cosim_identifier_destroy(identifier);
  cosim_part_destroy(part);
}
