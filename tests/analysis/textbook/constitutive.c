/* Propagation matrices and spectral radii of the linear test model against data computed independently, and by physics.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "tests/support/textbook_fixture.h"

/* ---- Data ---- */

static double tolerance_at(const seam_test_model *model, double expected) {
  (void)model;
  return 1e-9 * expected;
}

Test(constitutive, spectral_radii_of_all_schemes) {
  expect_radii("li_points_constitutive.csv", 1680, false, tolerance_at);
}

Test(constitutive, whole_maps) {
  static double Phi[LARGEST_STATE * LARGEST_STATE];
  FILE *file = data_open("li_phi_constitutive.csv");
  int n_maps = 0;
  for (data_row row; data_next(file, &row); n_maps++) {
    double x[7];
    for (int i = 0; i < 7; i++)
      x[i] = data_number(&row, 1 + i);
    const seam_test_model model = {x[0], x[1], x[2], x[3], x[4], x[5], x[6]};
    const int n = (int)propagation_matrix(&model, false, row.word[0], Phi);
    cr_assert_eq(n, (int)data_number(&row, 8), "%s", row.word[0]);
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        const double expected = data_number(&row, 9 + i * n + j);
        cr_expect_float_eq(Phi[i + j * n], expected, 1e-12 * fmax(1, fabs(expected)), "%s: (%d, %d)", row.word[0], i,
                           j);
      }
  }
  fclose(file);
  cr_expect_eq(n_maps, 42);
}

/* ---- Physics ---- */

static const seam_test_model generic = {-0.3, 1.2, 2.5, 1.4, 0.6, 1.7, 2.2};

Test(constitutive, a_step_is_linear) {
  analysis_test_model *coupled = couple_test_model(&generic, false, "fd-d-k2");
  cosim_master *master = analysis_test_model_master(coupled);
  double a[LARGEST_STATE] = {1, 2, -1, 0.5, 0.3, -0.2, 0.1, 0.7};
  double b[LARGEST_STATE] = {0};
  const size_t n = cosim_master_n_state(master);
  cosim_master_restore(master, a);
  cr_assert_eq(cosim_master_step(master, 1, NULL), SEAM_OK);
  cosim_master_save(master, b);
  for (size_t i = 0; i < n; i++)
    a[i] *= -3;
  cosim_master_restore(master, a);
  cr_assert_eq(cosim_master_step(master, 1, NULL), SEAM_OK);
  cosim_master_save(master, a);
  for (size_t i = 0; i < n; i++)
    cr_expect_float_eq(a[i], -3 * b[i], 1e-12);
  analysis_test_model_destroy(coupled);
}

/* Semi-implicit is implicit where everything is linear. */
Test(constitutive, implicit_is_semi_implicit) {
  cr_expect_float_eq(radius(&generic, false, "dd-i-k1-semi"), radius(&generic, false, "dd-i-k1-implicit"), 1e-12);
}

/* What a step repeats, its derivatives give exactly where everything is linear. */
Test(constitutive, update_is_semi_implicit) { expect_maps_of_updates(&generic, false); }

/* Predicted values cancel, of predictors through inner nodes too. */
Test(constitutive, inner_predictors_have_the_map_of_their_steps) {
  static const char *const schemes[] = {"ff-d(inner=1)-k0", "dd-d(inner=1)-k0", "fd-i(inner=1)-k0", "fd-d(inner=1)-k2"};
  for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++)
    expect_map_of_steps(&generic, false, schemes[i]);
}

/* I-extension of order 0 has the spectrum of D-extension of order 1 (docs/conventions.md, pitfalls). */
Test(constitutive, i_k0_is_d_k1) {
  cr_expect_float_eq(radius(&generic, false, "ff-i-k0"), radius(&generic, false, "ff-d-k1"), 1e-10);
}

/* Naming the masses the other way round changes nothing: fd of one is df of the other. */
Test(constitutive, df_mirrors_fd) {
  const seam_test_model *m = &generic;
  /* The coupling is per unit of the mean mass in either. */
  const seam_test_model mirrored = {.lambda_r = m->lambda_r * m->alpha_r21,
                                    .lambda_i = m->lambda_i * m->alpha_i21,
                                    .alpha_m21 = 1 / m->alpha_m21,
                                    .alpha_r21 = 1 / m->alpha_r21,
                                    .alpha_i21 = 1 / m->alpha_i21,
                                    .alpha_rc1 = m->alpha_rc1 / m->alpha_r21,
                                    .alpha_ic1 = m->alpha_ic1 / m->alpha_i21};
  cr_expect_float_eq(radius(m, false, "fd-k1"), radius(&mirrored, false, "df-k1"), 1e-12);
  cr_expect_float_eq(radius(m, false, "fd-d-k2"), radius(&mirrored, false, "df-d-k2"), 1e-12);
}

/* ---- Refusals ---- */

static void expect_refused(const char *scheme) {
  cosim_scheme parsed;
  seam_error error = {0};
  cr_expect_eq(cosim_scheme_for(scheme, false, &parsed, &error), SEAM_BAD_INPUT, "%s", scheme);
  cr_expect(strstr(error.message, "is not the name of a scheme") || strstr(error.message, "this is a force element"));
}

Test(constitutive, impossible_schemes_are_refused) {
  static const char *const names[] = {"",         "ff",   "ff-k4",        "ff-d-k3",          "fg-k1",
                                      "ff-k1-k2", "ff-d", "ff-k1-always", "ff-d-k1-explicit", "ff-baumgarte-k1"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    expect_refused(names[i]);
}

Test(constitutive, a_mass_ratio_must_be_positive) {
  const seam_test_model model = {-0.3, 1, -1, 1, 1, 1, 1};
  seam_stability_point point;
  cr_expect_eq(seam_constitutive_stability(&model, "ff-k1", &point, NULL), SEAM_BAD_INPUT);
}
