/* What the master does with parts that are unlike, that cannot do everything, or that fail. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/duffing.h"

static duffing_pair masses(void) {
  return (duffing_pair){.def = {{.name = "left", .m = 1, .c = 10, .e = 5, .d = 0.1, .x = 1, .v = -0.5},
                                {.name = "right", .m = 2, .c = 3, .e = 40, .d = 0.3, .x = -0.4, .v = 1}}};
}

static void take_steps(cosim_master *master, double H, int n) {
  seam_error error = {0};
  for (int i = 0; i < n; i++)
    cr_assert_eq(cosim_master_step(master, H, &error), SEAM_OK, "%s", error.message);
}

/* ---- Parts that cannot do everything ---- */

Test(parts, a_part_without_a_way_back_takes_explicit_steps) {
  const cosim_master_options options = cosim_default_master_options();
  duffing_pair plain = masses();
  duffing_pair pair = masses();
  pair.def[1].cannot_go_back = true;
  duffing_couple(&plain, "fd-k1-explicit", &options);
  duffing_couple(&pair, "fd-k1-explicit", &options);
  take_steps(plain.master, 0.02, 20);
  take_steps(pair.master, 0.02, 20);
  cr_expect_arr_eq(cosim_master_motions(pair.master, 0), cosim_master_motions(plain.master, 0),
                   2 * sizeof(cosim_motion));
  cosim_master_destroy(plain.master);
  cosim_master_destroy(pair.master);
}

/* Creates a master of a pair that must be refused. */
static seam_status refusal(duffing_pair *pair, cosim_cut *cuts, int n_cuts, const cosim_master_options *options,
                           seam_error *error) {
  cosim_part *parts[2] = {duffing_create(&pair->def[0]), duffing_create(&pair->def[1])};
  return cosim_master_create(parts, 2, cuts, n_cuts, options, &pair->master, error);
}

static cosim_cut cut_at(const char *name, const cosim_element *element, const char *scheme) {
  cosim_cut cut = {.name = name, .element = element, .side = {duffing_side(0), duffing_side(1)}};
  cr_assert_eq(cosim_scheme_for(scheme, element->n_rows > 0, &cut.scheme, NULL), SEAM_OK, "%s", scheme);
  return cut;
}

static void expect_refused(duffing_pair *pair, cosim_cut *cuts, int n_cuts, const char *message) {
  const cosim_master_options options = cosim_default_master_options();
  seam_error error = {0};
  cr_assert_eq(refusal(pair, cuts, n_cuts, &options, &error), SEAM_BAD_INPUT);
  cr_expect_not_null(strstr(error.message, message), "%s", error.message);
}

static const double stiffness = 20;
static const double damping = 0.5;

Test(parts, a_part_without_a_way_back_is_refused_where_there_is_a_corrector) {
  const cosim_linear_element spring = cosim_linear_element_of(1, &stiffness, &damping);
  duffing_pair pair = masses();
  pair.def[1].cannot_go_back = true;
  cosim_cut cut = cut_at("spring", &spring.base, "ff-k1");
  expect_refused(&pair, &cut, 1,
                 "subsystem 'right' cannot repeat a macro step: take explicit schemes at its couplings");
}

Test(parts, there_is_no_image_of_a_part_without_a_way_back) {
  const cosim_master_options options = cosim_default_master_options();
  duffing_pair pair = masses();
  pair.def[0].cannot_go_back = true;
  duffing_couple(&pair, "ff-k1-explicit", &options);
  double *image = calloc(cosim_master_image_size(pair.master), sizeof *image);
  seam_error error = {0};
  cosim_master_save_image(pair.master, image);
  cr_expect_eq(cosim_master_restore_image(pair.master, image, &error), SEAM_BAD_STATE);
  cr_expect_not_null(strstr(error.message, "subsystem 'left' cannot restore an earlier state"), "%s", error.message);
  free(image);
  cosim_master_destroy(pair.master);
}

/* One correction with differences differs by their error only. */
Test(parts, a_part_without_derivatives_steps_like_one_with_them) {
  static const char *const schemes[] = {"ff-k2", "fd-d-k1", "df-i-k2", "dd-k1"};
  for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
    const cosim_master_options options = cosim_default_master_options();
    duffing_pair with = masses();
    duffing_pair without = masses();
    without.def[0].has_no_derivatives = without.def[1].has_no_derivatives = true;
    duffing_couple(&with, schemes[i], &options);
    duffing_couple(&without, schemes[i], &options);
    take_steps(with.master, 0.02, 20);
    take_steps(without.master, 0.02, 20);
    const cosim_motion *a = cosim_master_motions(with.master, 0);
    const cosim_motion *b = cosim_master_motions(without.master, 0);
    for (int side = 0; side < 2; side++) {
      cr_expect_float_eq(a[side].x[0], b[side].x[0], 1e-7, "%s: %g", schemes[i], a[side].x[0] - b[side].x[0]);
      cr_expect_float_eq(a[side].v[0], b[side].v[0], 1e-6, "%s: %g", schemes[i], a[side].v[0] - b[side].v[0]);
    }
    cosim_master_destroy(with.master);
    cosim_master_destroy(without.master);
  }
}

/* ---- Parts that give no outputs inside of a step ---- */

/* Position and velocity of the first mass at t = 0.8 s. */
static cosim_motion reached(const char *scheme, double H, bool has_derivatives) {
  cosim_master_options options = cosim_default_master_options();
  duffing_pair pair = masses();
  pair.def[0].has_no_derivatives = pair.def[1].has_no_derivatives = !has_derivatives;
  duffing_couple(&pair, scheme, &options);
  take_steps(pair.master, H, (int)(0.8 / H + 0.5));
  const cosim_motion motion = cosim_master_motions(pair.master, 0)[0];
  cosim_master_destroy(pair.master);
  return motion;
}

/* A step of these is one of Runge and Kutta's from node to node. */
Test(parts, steps_divided_at_nodes_tend_to_the_same_motion) {
  static const char *const schemes[] = {"ff-colloc-s2", "ff-colloc-s3", "fd-colloc-s2",
                                        "df-colloc-s3", "dd-colloc-s2", "ff-colloc-s2-implicit"};
  const cosim_motion exact = reached("ff-i-k2-implicit", 0.0025, true);
  for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++)
    for (int d = 0; d < 2; d++) {
      const cosim_motion found = reached(schemes[i], 0.02, d == 0);
      cr_expect_float_eq(found.x[0], exact.x[0], 2e-6, "%s: %g", schemes[i], found.x[0] - exact.x[0]);
      cr_expect_float_eq(found.v[0], exact.v[0], 1e-5, "%s: %g", schemes[i], found.v[0] - exact.v[0]);
    }
}

Test(parts, a_part_without_a_way_back_does_not_collocate) {
  const cosim_linear_element spring = cosim_linear_element_of(1, &stiffness, &damping);
  duffing_pair pair = masses();
  pair.def[0].cannot_go_back = true;
  cosim_cut cut = cut_at("spring", &spring.base, "ff-colloc-s2");
  expect_refused(&pair, &cut, 1, "subsystem 'left' cannot repeat a macro step: take explicit schemes at its couplings");
}

/* ---- Couplings that are refused ---- */

/* An integral over the macro step is not that over the last part of it. */
Test(parts, integrals_of_divided_steps_are_refused) {
  const cosim_linear_element spring = cosim_linear_element_of(1, &stiffness, &damping);
  duffing_pair pair = masses();
  cosim_cut cuts[] = {cut_at("one", &spring.base, "ff-i-k1"), cut_at("two", &spring.base, "ff-colloc-s2")};
  expect_refused(&pair, cuts, 2,
                 "coupling 'one': its I-extension needs integrals over entire macro steps, but subsystem 'left' also "
                 "has a coupling with collocation");
  cuts[1] = cut_at("two", &spring.base, "ff-colloc-s1");
  const cosim_master_options options = cosim_default_master_options();
  cr_assert_eq(refusal(&pair, cuts, 2, &options, NULL), SEAM_OK, "one stage has no inner nodes");
  cosim_master_destroy(pair.master);
}

Test(parts, different_weights_are_refused) {
  const cosim_element joined = cosim_joined_element_of(1);
  duffing_pair pair = masses();
  cosim_cut cuts[] = {cut_at("one", &joined, "ff-weighted(a=1)-k0"), cut_at("two", &joined, "ff-weighted(a=2)-k0")};
  expect_refused(&pair, cuts, 2, "couplings 'one' and 'two' have different weights");
}

Test(parts, the_i_extension_needs_a_linear_law) {
  cosim_linear_element bent = cosim_linear_element_of(1, &stiffness, &damping);
  bent.base.is_affine = false;
  bent.base.length = bent.base.rate = 1;
  duffing_pair pair = masses();
  cosim_cut cut = cut_at("bent", &bent.base, "ff-i-k1");
  expect_refused(&pair, &cut, 1, "coupling 'bent': the I-extension needs a linear law");
}

Test(parts, a_projection_needs_somebody_who_projects) {
  const cosim_element joined = cosim_joined_element_of(1);
  duffing_pair pair = masses();
  cosim_cut cut = cut_at("bar", &joined, "ff-projection-k1");
  expect_refused(&pair, &cut, 1, "coupling 'bar': projection is not available here");
}

/* What is not there is not taken for zero. */
Test(parts, inputs_and_outputs_that_a_scheme_needs_must_exist) {
  const cosim_linear_element spring = cosim_linear_element_of(1, &stiffness, &damping);
  const cosim_element joined = cosim_joined_element_of(1);
  duffing_pair pair = masses();
  cosim_cut blind = cut_at("spring", &spring.base, "ff-d-k1");
  blind.side[1].acceleration = -1;
  expect_refused(&pair, &blind, 1,
                 "coupling 'spring': its scheme needs an output for the acceleration, which its side at subsystem "
                 "'right' does not name");
  cosim_cut deaf = cut_at("spring", &spring.base, "df-k1");
  deaf.side[0].velocity_input = -1;
  expect_refused(&pair, &deaf, 1,
                 "needs an input for the velocity of the other side, which its side at subsystem 'left' does not name");
  cosim_cut far = cut_at("spring", &spring.base, "ff-k1");
  far.side[0].position = duffing_outputs;
  expect_refused(&pair, &far, 1, "needs an output for the position, which its side at subsystem 'left' does not name");
  cosim_cut stiff = cut_at("bar", &joined, "fd-baumgarte-k0");
  expect_refused(&pair, &stiff, 1,
                 "needs an input for the acceleration, which its side at subsystem 'right' does not name");
}

Test(parts, a_coupling_joins_two_parts) {
  const cosim_linear_element spring = cosim_linear_element_of(1, &stiffness, &damping);
  duffing_pair pair = masses();
  cosim_cut cut = cut_at("loop", &spring.base, "ff-k1");
  cut.side[1].part = 0;
  expect_refused(&pair, &cut, 1, "coupling 'loop' joins a subsystem to itself");
}

/* ---- Steps that fail ---- */

/* Steps until one fails, with the parts as they are; the message. */
static seam_status fail(duffing_pair *pair, const char *scheme, int n_threads, seam_error *error) {
  cosim_master_options options = cosim_default_master_options();
  seam_status status = SEAM_OK;
  options.n_threads = n_threads;
  duffing_couple(pair, scheme, &options);
  for (int i = 0; i < 100 && status == SEAM_OK; i++)
    status = cosim_master_step(pair->master, 0.02, error);
  cosim_master_destroy(pair->master);
  return status;
}

Test(parts, an_error_carries_the_name_of_the_part) {
  static const char *const schemes[] = {"ff-k1", "fd-k1-explicit", "dd-k2-implicit"};
  for (int i = 0; i < 3; i++)
    for (int n_threads = 1; n_threads <= 2; n_threads++) {
      duffing_pair pair = masses();
      seam_error error = {0};
      pair.def[1].fails_at = 0.5;
      pair.def[0].has_no_derivatives = i == 2;
      cr_expect_eq(fail(&pair, schemes[i], n_threads, &error), SEAM_BAD_STATE);
      cr_expect_str_eq(error.message, "subsystem 'right': the spring broke");
    }
}

Test(parts, a_part_that_fails_without_a_message_has_the_text_of_its_status) {
  duffing_pair pair = masses();
  seam_error error = {0};
  pair.def[1].fails_at = 0.5;
  pair.def[1].is_silent = true;
  cr_expect_eq(fail(&pair, "fd-k1", 1, &error), SEAM_BAD_STATE);
  cr_expect(strncmp(error.message, "subsystem 'right': ", 19) == 0 &&
                strcmp(error.message + 19, seam_status_text(SEAM_BAD_STATE)) == 0,
            "%s", error.message);
}

Test(parts, outputs_that_are_not_finite_are_caught) {
  duffing_pair pair = masses();
  seam_error error = {0};
  pair.def[0].breaks_at = 0.5;
  cr_expect_eq(fail(&pair, "fd-k1", 1, &error), SEAM_NOT_FINITE);
  cr_expect_str_eq(error.message, "subsystem 'left': t = 0.5 s: its outputs are not finite");
}

/* Where differences are taken the outputs of the changed steps count as well. */
Test(parts, outputs_that_are_not_finite_are_caught_in_differences) {
  duffing_pair pair = masses();
  seam_error error = {0};
  pair.def[0].breaks_at = 0.5;
  pair.def[0].has_no_derivatives = true;
  cr_expect_eq(fail(&pair, "fd-k1", 1, &error), SEAM_NOT_FINITE);
}

Test(parts, an_unstable_coupling_ends_with_an_error) {
  duffing_pair pair = masses();
  seam_error error = {0};
  pair.def[0].c = pair.def[1].c = -1e4;
  pair.def[0].e = pair.def[1].e = 0;
  seam_status status = SEAM_OK;
  cosim_master_options options = cosim_default_master_options();
  duffing_couple(&pair, "dd-k1", &options);
  for (int i = 0; i < 2000 && status == SEAM_OK; i++)
    status = cosim_master_step(pair.master, 0.02, &error);
  cr_expect_eq(status, SEAM_NOT_FINITE, "%s", error.message);
  cosim_master_destroy(pair.master);
}

Test(parts, a_corrector_that_does_not_converge_names_the_coupling) {
  cosim_master_options options = cosim_default_master_options();
  duffing_pair pair = masses();
  seam_error error = {0};
  options.iterations = 2;
  options.tolerance = 1e-14;
  duffing_couple(&pair, "dd-k1-implicit", &options);
  cr_assert_eq(cosim_master_step(pair.master, 0.8, &error), SEAM_NOT_CONVERGED);
  cr_expect_not_null(
      strstr(error.message, "t = 0.8 s: coupling 'spring': the corrector still changes its variables by"), "%s",
      error.message);
  cr_expect_not_null(strstr(error.message, "after 2 iterations"), "%s", error.message);
  cosim_master_destroy(pair.master);
}
