/* The master at two masses on hardening springs, written as a user writes subsystems: what correctors find, orders of
 * exchange, images, refusals. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/duffing.h"
#include "tests/support/mass_chain.h"

static const duffing_def first = {.name = "first", .m = 1, .c = 10, .e = 5, .d = 0.1, .x = 1, .v = -0.5};
static const duffing_def second = {.name = "second", .m = 2, .c = 3, .e = 40, .d = 0.3, .x = -0.4, .v = 1};

static duffing_pair masses(void) { return (duffing_pair){.def = {first, second}}; }

static void take_steps(cosim_master *master, double H, int n) {
  seam_error error = {0};
  for (int i = 0; i < n; i++)
    cr_assert_eq(cosim_master_step(master, H, &error), SEAM_OK, "%s", error.message);
}

/* ---- What a step finds ---- */

static void run_oscillators(const mass_chain_def *def, const cosim_master_options *options, double *state) {
  mass_chain *net = mass_chain_create(def, options, 0.02);
  take_steps(mass_chain_master(net), 0.02, 25);
  mass_chain_state(net, state);
  mass_chain_destroy(net);
}

static mass_chain_def row_of(const char *spring, const char *bar) {
  return (mass_chain_def){.n_masses = 3,
                          .n_bars = 2,
                          .mass = {{1, 10, 0.2, 1, 0}, {2, 4, 0.5, 0.3, -1}, {3, 25, 0.1, -0.5, 0.4}},
                          .bar = {{{0, 1}, false, 30, 0.5, spring}, {{2, 1}, true, 0, 0, bar}}};
}

static void expect_equal_states(const double *a, const double *b, double tolerance, const char *what) {
  for (int i = 0; i < 6; i++)
    cr_expect_float_eq(a[i], b[i], tolerance, "%s: state %d", what, i);
}

/* On linear systems the first increment is the last one, and derivatives do not change. */
Test(master, implicit_is_semi_implicit_on_linear_systems) {
  static const char *const schemes[][4] = {
      {"ff-k1", "ff-index2-k1", "ff-k1-implicit", "ff-index2-k1-implicit"},
      {"fd-d-k2", "ff-weighted-k0", "fd-d-k2-implicit", "ff-weighted-k0-implicit"},
      {"dd-i-k1", "fd-baumgarte-k1", "dd-i-k1-implicit", "fd-baumgarte-k1-implicit"},
      {"ff-d-k0", "dd-projection-k1", "ff-d-k0-implicit", "dd-projection-k1-implicit"}};
  for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
    const mass_chain_def semi = row_of(schemes[i][0], schemes[i][1]);
    const mass_chain_def implicit = row_of(schemes[i][2], schemes[i][3]);
    cosim_master_options options = cosim_default_master_options();
    double expected[2 * MAX_MASSES];
    double found[2 * MAX_MASSES];
    run_oscillators(&semi, &options, expected);
    run_oscillators(&implicit, &options, found);
    expect_equal_states(found, expected, 1e-11, schemes[i][2]);
    options.reuse = true;
    run_oscillators(&implicit, &options, found);
    expect_equal_states(found, expected, 1e-11, schemes[i][2]);
    run_oscillators(&semi, &options, found);
    expect_equal_states(found, expected, 1e-11, schemes[i][0]);
  }
}

Test(master, differences_are_derivatives_on_linear_systems) {
  const mass_chain_def def = row_of("fd-d-k2", "ff-index1-k1");
  cosim_master_options options = cosim_default_master_options();
  double expected[2 * MAX_MASSES];
  double found[2 * MAX_MASSES];
  run_oscillators(&def, &options, expected);
  options.differences = true;
  run_oscillators(&def, &options, found);
  expect_equal_states(found, expected, 1e-9, "differences");
}

Test(master, an_implicit_step_meets_the_law_of_the_spring) {
  const cosim_master_options options = cosim_default_master_options();
  duffing_pair pair = masses();
  duffing_couple(&pair, "ff-k1-implicit", &options);
  take_steps(pair.master, 0.05, 10);
  const cosim_motion *m = cosim_master_motions(pair.master, 0);
  double wrench[COSIM_MAX_FORCES];
  cosim_master_wrench(pair.master, 0, wrench);
  cr_expect_float_eq(wrench[0], 20 * (m[1].x[0] - m[0].x[0]) + 0.5 * (m[1].v[0] - m[0].v[0]), 1e-9);
  cosim_master_destroy(pair.master);
}

/* Implicit steps do not depend on how their derivatives are found. */
Test(master, implicit_steps_by_derivatives_by_differences_and_with_reuse_agree) {
  cosim_master_options options = cosim_default_master_options();
  double expected[4];
  double found[4];
  for (int variant = 0; variant < 4; variant++) {
    options.differences = variant == 1;
    options.reuse = variant == 2;
    duffing_pair pair = masses();
    pair.def[1].has_no_derivatives = variant == 3;
    duffing_couple(&pair, "fd-k2-implicit", &options);
    take_steps(pair.master, 0.05, 20);
    const cosim_motion *m = cosim_master_motions(pair.master, 0);
    const double state[] = {m[0].x[0], m[0].v[0], m[1].x[0], m[1].v[0]};
    memcpy(variant == 0 ? expected : found, state, sizeof state);
    for (int i = 0; i < 4 && variant > 0; i++)
      cr_expect_float_eq(found[i], expected[i], 1e-8, "variant %d, state %d", variant, i);
    cosim_master_destroy(pair.master);
  }
}

/* Reuse saves refreshes, and nothing else is lost than increments. */
Test(master, reuse_finds_fewer_matrices) {
  cosim_master_options options = cosim_default_master_options();
  options.reuse = true;
  duffing_pair pair = masses();
  duffing_couple(&pair, "ff-k2-implicit", &options);
  take_steps(pair.master, 0.01, 100);
  const cosim_master_statistics count = pair.master->count;
  cr_expect_eq(count.steps, 100);
  cr_expect_geq(count.corrections, 100);
  cr_expect_lt(count.refreshes, 30);
  cosim_master_destroy(pair.master);
}

/* ---- Uneven macro steps ---- */

/* Stands where a polynomial of the time says, whatever drives it, and keeps the worst error of its inputs. */
typedef struct clock_part {
  cosim_part base;
  double t, worst;
  int degree;
  double lag; /* of the partner */
} clock_part;

static double power(double t, int degree) { return pow(t + 0.3, degree); }

static void clock_measure(cosim_part *base, double *outputs) {
  const clock_part *self = (const clock_part *)base;
  outputs[0] = power(self->t + self->lag, self->degree);
  outputs[1] = power(2 * self->t + self->lag, self->degree);
}

/* The velocity changes at another rate, so that position and velocity are distinguishable. */
static seam_status clock_advance(cosim_part *base, const cosim_step *step, double *outputs, double *derivatives,
                                 seam_error *error) {
  clock_part *self = (clock_part *)base;
  (void)error;
  for (int i = 0; i < step->n_seeds * base->n_outputs; i++)
    derivatives[i] = 0;
  for (int i = 0; i <= 4; i++) {
    const double t = step->t + step->H * i / 4;
    const double position = cosim_signal_value(&step->inputs[0], i / 4.0);
    const double velocity = cosim_signal_value(&step->inputs[1], i / 4.0);
    self->worst = fmax(self->worst, fabs(position - power(t + 1 - self->lag, self->degree)));
    self->worst = fmax(self->worst, fabs(velocity - power(2 * t + 1 - self->lag, self->degree)));
  }
  self->t = step->t + step->H;
  clock_measure(base, outputs);
  return SEAM_OK;
}

static void clock_destroy(cosim_part *base) { (void)base; }

/* Worst error of the inputs once the past is complete: dd, both receive polynomials of the degree. */
static double worst_error(const char *scheme, int degree, bool gauss_seidel) {
  static const cosim_part_ops ops = {.advance = clock_advance, .get_outputs = clock_measure, .destroy = clock_destroy};
  static const double H[] = {1, 0.5, 0.7, 0.7, 0.7, 0.7, 1, 0.2, 0.9};
  const double none = 0;
  clock_part clock[2] = {{.degree = degree}, {.degree = degree, .lag = 1}};
  cosim_part *parts[2] = {&clock[0].base, &clock[1].base};
  const cosim_linear_element spring = cosim_linear_element_of(1, &none, &none);
  cosim_cut cut = {.name = "clocks", .element = &spring.base};
  cosim_master_options options = cosim_default_master_options();
  cosim_master *master = NULL;
  options.gauss_seidel = gauss_seidel;
  cr_assert_eq(cosim_scheme_for(scheme, false, &cut.scheme, NULL), SEAM_OK);
  for (int side = 0; side < 2; side++) {
    clock[side].base = (cosim_part){.ops = &ops, .name = "clock", .n_inputs = 2, .n_outputs = 2};
    cut.side[side] = (cosim_side){side, -1, 0, 1, -1, 0, 1, -1, -1, -1};
  }
  cr_assert_eq(cosim_master_create(parts, 2, &cut, 1, &options, &master, NULL), SEAM_OK);
  for (int i = 0; i < 9; i++) {
    if (i <= degree)
      clock[0].worst = clock[1].worst = 0; /* the past is still too short */
    take_steps(master, H[i], 1);
  }
  cosim_master_destroy(master);
  return fmax(clock[0].worst, clock[1].worst);
}

Test(master, polynomials_are_told_exactly_through_uneven_macro_steps) {
  static const char *const schemes[] = {"dd-k0-explicit", "dd-k1-explicit", "dd-k2-explicit", "dd-k3-explicit"};
  for (int k = 0; k < 4; k++)
    for (int in_order = 0; in_order < 2; in_order++) {
      cr_expect_lt(worst_error(schemes[k], k, in_order), 1e-10, "%s", schemes[k]);
      cr_expect_gt(worst_error(schemes[k], k + 1, in_order), 1e-3, "%s", schemes[k]);
    }
}

/* A past that is given has the distance of the first step, however long the later ones are. */
Test(master, uneven_macro_steps_keep_the_order) {
  const mass_chain_def def = row_of("ff-k2", "ff-index2-k2");
  const cosim_master_options options = cosim_default_master_options();
  double error[2];
  for (int fine = 0; fine < 2; fine++) {
    const double H = fine ? 0.005 : 0.01;
    mass_chain *net = mass_chain_create(&def, &options, H);
    double state[2 * MAX_MASSES];
    double exact[2 * MAX_MASSES];
    take_steps(mass_chain_master(net), H, 1);
    for (int i = 0; i < (fine ? 20 : 10); i++) {
      take_steps(mass_chain_master(net), 0.5 * H, 1);
      take_steps(mass_chain_master(net), 1.7 * H, 1);
    }
    mass_chain_state(net, state);
    mass_chain_exact(net, mass_chain_master(net)->t, exact);
    error[fine] = 0;
    for (int i = 0; i < 6; i++)
      error[fine] = fmax(error[fine], fabs(state[i] - exact[i]));
    mass_chain_destroy(net);
  }
  cr_expect_gt(log2(error[0] / error[1]), 2.7, "order %g", log2(error[0] / error[1]));
}

/* ---- Gauss and Seidel ---- */

/* Two values newest first, carried to τ = 0 .. 1: extrapolated, or interpolated to a new one. */
static cosim_signal line_through(double at_0, double at_1) {
  return (cosim_signal){.n_pieces = 1, .c = {{at_0, at_1 - at_0}}};
}

/* Two masses, k = 1, the first before the second: the loop that one would write for this one case. `by`: what drives
 * each of them, f or d. */
static void hand_written(const char *by, int n, double H, double state[2][2]) {
  duffing_pair pair = masses();
  double old[2][2] = {{0}};
  double old_force = 0;
  for (int side = 0; side < 2; side++) {
    pair.def[side].cc = by[side] == 'd' ? 20 : 0;
    pair.def[side].dc = by[side] == 'd' ? 0.5 : 0;
  }
  for (int side = 0; side < 2; side++) {
    state[side][0] = pair.def[side].x;
    state[side][1] = pair.def[side].v;
  }
  for (int i = 0; i < n; i++) {
    const cosim_signal zero = {.n_pieces = 1};
    cosim_signal inputs[2][duffing_inputs] = {{zero, zero, zero}, {zero, zero, zero}};
    double begin[2][2];
    memcpy(begin, state, sizeof begin);
    const double force = 20 * (state[1][0] - state[0][0]) + 0.5 * (state[1][1] - state[0][1]);
    if (by[0] == 'f')
      inputs[0][duffing_force] = line_through(force, i == 0 ? force : 2 * force - old_force);
    else
      for (int j = 0; j < 2; j++)
        inputs[0][duffing_position + j] = line_through(state[1][j], i == 0 ? state[1][j] : 2 * state[1][j] - old[1][j]);
    duffing_step(&pair.def[0], &(cosim_step){.t = i * H, .H = H, .inputs = inputs[0]}, state[0]);
    const double *x = state[0];
    const double far[2] = {cosim_signal_end(&inputs[0][duffing_position]),
                           cosim_signal_end(&inputs[0][duffing_position + 1])};
    if (by[1] == 'f')
      inputs[1][duffing_force] = line_through(-force, -20 * (far[0] - x[0]) - 0.5 * (far[1] - x[1]));
    for (int j = 0; j < 2 && by[1] == 'd'; j++)
      inputs[1][duffing_position + j] = line_through(begin[0][j], x[j]);
    duffing_step(&pair.def[1], &(cosim_step){.t = i * H, .H = H, .inputs = inputs[1]}, state[1]);
    memcpy(old, begin, sizeof old);
    old_force = force;
  }
}

static void expect_hand_written(const char *scheme) {
  cosim_master_options options = cosim_default_master_options();
  double expected[2][2];
  options.gauss_seidel = true;
  duffing_pair pair = masses();
  duffing_couple(&pair, scheme, &options);
  take_steps(pair.master, 0.02, 30);
  hand_written(scheme, 30, 0.02, expected);
  const cosim_motion *m = cosim_master_motions(pair.master, 0);
  for (int side = 0; side < 2; side++) {
    cr_expect_float_eq(m[side].x[0], expected[side][0], 1e-12, "%s", scheme);
    cr_expect_float_eq(m[side].v[0], expected[side][1], 1e-12, "%s", scheme);
  }
  cosim_master_destroy(pair.master);
}

Test(master, gauss_seidel_is_the_loop_one_would_write) {
  expect_hand_written("fd-k1-explicit");
  expect_hand_written("df-k1-explicit");
  expect_hand_written("dd-k1-explicit");
}

/* Correctors find the same root from either prediction. */
Test(master, gauss_seidel_changes_no_implicit_step) {
  cosim_master_options options = cosim_default_master_options();
  duffing_pair jacobi = masses();
  duffing_couple(&jacobi, "dd-d-k1-implicit", &options);
  options.gauss_seidel = true;
  duffing_pair in_order = masses();
  duffing_couple(&in_order, "dd-d-k1-implicit", &options);
  take_steps(jacobi.master, 0.02, 30);
  take_steps(in_order.master, 0.02, 30);
  const cosim_motion *a = cosim_master_motions(jacobi.master, 0);
  const cosim_motion *b = cosim_master_motions(in_order.master, 0);
  for (int side = 0; side < 2; side++) {
    cr_expect_float_eq(a[side].x[0], b[side].x[0], 1e-8);
    cr_expect_float_eq(a[side].v[0], b[side].v[0], 1e-8);
  }
  cosim_master_destroy(jacobi.master);
  cosim_master_destroy(in_order.master);
}

/* ---- Images ---- */

static double *image_of(const cosim_master *master) {
  double *image = calloc(cosim_master_image_size(master), sizeof *image);
  cr_assert_not_null(image);
  cosim_master_save_image(master, image);
  return image;
}

static void expect_same_image(const cosim_master *master, const double *expected, const char *what) {
  double *image = image_of(master);
  cr_expect_arr_eq(image, expected, cosim_master_image_size(master) * sizeof *image, "%s", what);
  free(image);
}

static void expect_image_to_repeat(const char *scheme, cosim_master_options options, int n_before) {
  duffing_pair pair = masses();
  duffing_couple(&pair, scheme, &options);
  duffing_pair fresh = masses();
  duffing_couple(&fresh, scheme, &options);
  take_steps(pair.master, 0.03, n_before);
  double *middle = image_of(pair.master);
  cosim_snapshot now;
  cosim_master_snapshot(pair.master, 0, &now);
  take_steps(pair.master, 0.03, 3);
  take_steps(pair.master, 0.05, 3);
  double *end = image_of(pair.master);
  cosim_master *const masters[] = {pair.master, fresh.master};
  for (int i = 0; i < 2; i++) {
    cr_assert_eq(cosim_master_restore_image(masters[i], middle, NULL), SEAM_OK);
    expect_same_image(masters[i], middle, scheme);
    cr_expect_arr_eq(cosim_master_motions(masters[i], 0), now.motion, sizeof now.motion, "%s", scheme);
    take_steps(masters[i], 0.03, 3);
    take_steps(masters[i], 0.05, 3);
    expect_same_image(masters[i], end, scheme);
  }
  free(middle);
  free(end);
  cosim_master_destroy(pair.master);
  cosim_master_destroy(fresh.master);
}

Test(master, save_step_restore_step_repeats_to_the_bit) {
  static const char *const schemes[] = {"ff-k0",   "fd-k3",          "dd-k3-explicit", "ff-d-k2-implicit",
                                        "df-i-k1", "dd-k1-implicit", "ff-k2-implicit"};
  for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++)
    for (int variant = 0; variant < 4; variant++)
      for (int n_before = 0; n_before < 8; n_before++) {
        cosim_master_options options = cosim_default_master_options();
        options.reuse = variant % 2 == 1;
        options.differences = variant / 2 == 1;
        expect_image_to_repeat(schemes[i], options, n_before);
      }
}

/* After a step that failed the image of the point before leads on as if nothing had happened. */
Test(master, an_image_heals_a_failed_step) {
  cosim_master_options options = cosim_default_master_options();
  options.iterations = 3;
  duffing_pair pair = masses();
  duffing_couple(&pair, "fd-k1-implicit", &options);
  take_steps(pair.master, 0.02, 5);
  double *before = image_of(pair.master);
  take_steps(pair.master, 0.02, 1);
  double *after = image_of(pair.master);
  cr_assert_eq(cosim_master_restore_image(pair.master, before, NULL), SEAM_OK);
  cr_assert_neq(cosim_master_step(pair.master, 30, NULL), SEAM_OK);
  cr_assert_eq(cosim_master_restore_image(pair.master, before, NULL), SEAM_OK);
  take_steps(pair.master, 0.02, 1);
  expect_same_image(pair.master, after, "after a failure");
  free(before);
  free(after);
  cosim_master_destroy(pair.master);
}

/* The state of the recurrence alone decides a step, whatever the master did before. */
Test(master, the_state_of_the_recurrence_decides_a_step) {
  const cosim_master_options options = cosim_default_master_options();
  duffing_pair one = masses();
  duffing_couple(&one, "fd-k3", &options);
  duffing_pair other = masses();
  duffing_couple(&other, "fd-k3", &options);
  const size_t n = cosim_master_n_state(one.master);
  double state[40];
  double found[40];
  cr_assert_leq(n, 40);
  for (size_t i = 0; i < n; i++)
    state[i] = 0.1 * cos((double)i);
  take_steps(other.master, 0.03, 2);
  cosim_master_restore(one.master, state);
  cosim_master_restore(other.master, state);
  take_steps(one.master, 0.03, 1);
  take_steps(other.master, 0.03, 1);
  cosim_master_save(one.master, state);
  cosim_master_save(other.master, found);
  cr_expect_arr_eq(state, found, n * sizeof *state);
  cosim_master_destroy(one.master);
  cosim_master_destroy(other.master);
}
