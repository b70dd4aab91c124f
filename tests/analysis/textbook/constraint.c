/* Propagation matrices and spectral radii of the rigidly joined test model against data computed independently, and by
 * physics. */
#include <criterion/criterion.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "tests/support/textbook_fixture.h"

/* ---- Data ---- */

/* Where the largest eigenvalues are defective the rounding of the matrix itself costs half of the digits
 * (docs/conventions.md, pitfalls). */
static double tolerance_at(const seam_test_model *model, double expected) {
  const bool equal = model->alpha_m21 == 1 && model->alpha_r21 == 1 && model->alpha_i21 == 1;
  return equal && model->lambda_i == 0 ? 2e-8 : 1e-9 * expected;
}

Test(constraint, spectral_radii_of_all_schemes) { expect_radii("li_points_constraint.csv", 1800, true, tolerance_at); }

/* What a projected step makes of x1 = x2 and v1 = v2: rows and columns of x2 and v2 (2, 3) are left out. */
static int fold(int n, double Phi[LARGEST_STATE * LARGEST_STATE]) {
  double folded[LARGEST_STATE * LARGEST_STATE] = {0};
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < n; j++)
      cr_expect_float_eq(Phi[i + j * n], Phi[i + 2 + j * n], 1e-12);
  for (int j = 0; j < n - 2; j++)
    for (int i = 0; i < n - 2; i++) {
      const int row = i < 2 ? i : i + 2;
      folded[i + j * (n - 2)] = j < 2 ? Phi[row + j * n] + Phi[row + (j + 2) * n] : Phi[row + (j + 2) * n];
    }
  memcpy(Phi, folded, sizeof folded);
  return n - 2;
}

Test(constraint, whole_maps) {
  static double Phi[LARGEST_STATE * LARGEST_STATE];
  FILE *file = data_open("li_phi_constraint.csv");
  int n_maps = 0;
  for (data_row row; data_next(file, &row); n_maps++) {
    double x[5];
    for (int i = 0; i < 5; i++)
      x[i] = data_number(&row, 1 + i);
    const seam_test_model model = {x[0], x[1], x[2], x[3], x[4], 0, 0};
    int n = (int)propagation_matrix(&model, true, row.word[0], Phi);
    if (strncmp(row.word[8], "x v", 3) == 0)
      n = fold(n, Phi);
    cr_assert_eq(n, (int)data_number(&row, 7), "%s: %d", row.word[0], n);
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        const double expected = data_number(&row, 9 + i * n + j);
        cr_expect_float_eq(Phi[i + j * n], expected, 1e-12 * fmax(1, fabs(expected)), "%s: (%d, %d): %.15g not %.15g",
                           row.word[0], i, j, Phi[i + j * n], expected);
      }
  }
  fclose(file);
  cr_expect_eq(n_maps, 44);
}

/* ---- The origin ---- */

/* Largest modulus of the eigenvalues but for those two that are nearest to 1: the joined masses move freely. */
static double radius_without_rigid_modes(int n, double *Phi) {
  double re[LARGEST_STATE];
  double im[LARGEST_STATE];
  cr_assert_eq(LAPACKE_dgeev(LAPACK_COL_MAJOR, 'N', 'N', n, Phi, n, re, im, NULL, 1, NULL, 1), 0);
  for (int left_out = 0; left_out < 2; left_out++) {
    int nearest = 0;
    for (int i = 1; i < n; i++)
      if (hypot(re[i] - 1, im[i]) < hypot(re[nearest] - 1, im[nearest]))
        nearest = i;
    n--;
    re[nearest] = re[n];
    im[nearest] = im[n];
  }
  double largest = 0;
  for (int i = 0; i < n; i++)
    largest = fmax(largest, hypot(re[i], im[i]));
  return largest;
}

Test(constraint, free_masses) {
  static const double mass_ratios[] = {1, 10, 0.3};
  static double Phi[LARGEST_STATE * LARGEST_STATE];
  FILE *file = data_open("li_origin.csv");
  int n_rows = 0;
  for (data_row row; data_next(file, &row); n_rows++)
    for (int i = 0; i < 3; i++) {
      const seam_test_model model = {0, 0, mass_ratios[i], 1, 1, 1, 1};
      const double rho = radius(&model, true, row.word[0]);
      const double rest = radius_without_rigid_modes((int)propagation_matrix(&model, true, row.word[0], Phi), Phi);
      cr_expect_float_eq(rho, data_number(&row, 1), 2e-8, "%s, masses 1 : %g: %.13g", row.word[0], mass_ratios[i], rho);
      cr_expect_float_eq(rest, data_number(&row, 2), 2e-8, "%s, masses 1 : %g: %.13g without rigid modes", row.word[0],
                         mass_ratios[i], rest);
    }
  fclose(file);
  cr_expect_eq(n_rows, 47);
}

/* ---- Physics ---- */

static const seam_test_model generic = {-0.3, 1.2, 2.5, 1.4, 0.6, 1, 1};

Test(constraint, update_is_semi_implicit) { expect_maps_of_updates(&generic, true); }

/* Predicted values cancel where everything is linear, of predictors through inner nodes too. */
Test(constraint, inner_predictors_have_the_map_of_their_steps) {
  static const char *const schemes[] = {"ff-index2(inner=1)-k0", "ff-index2(inner=1,nodes=0.6)-k0",
                                        "ff-index1(inner=1)-k0", "ff-index2(inner=1)-k1", "ff-index1(inner=1)-k2"};
  for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++)
    expect_map_of_steps(&generic, true, schemes[i]);
}

/* The point after a step from a generic state of the recurrence. */
static cosim_snapshot step_once(const char *scheme) {
  analysis_test_model *coupled = couple_test_model(&generic, true, scheme);
  cosim_master *master = analysis_test_model_master(coupled);
  const double state[LARGEST_STATE] = {1, 0.5, 0.8, -0.3, 0.2, 0.4, -0.1};
  cosim_master_restore(master, state);
  cr_assert_eq(cosim_master_step(master, 1, NULL), SEAM_OK);
  cosim_snapshot point;
  cosim_master_snapshot(master, 0, &point);
  analysis_test_model_destroy(coupled);
  return point;
}

static void expect_closed(const char *scheme, bool position, bool velocity, bool acceleration) {
  const cosim_snapshot point = step_once(scheme);
  const cosim_motion *m = point.motion;
  const double gap[] = {m[1].x[0] - m[0].x[0], m[1].v[0] - m[0].v[0], m[1].a[0] - m[0].a[0]};
  const bool closed[] = {position, velocity, acceleration};
  for (int i = 0; i < 3; i++)
    if (closed[i])
      cr_expect_float_eq(gap[i], 0, 1e-12, "%s: level %d: %g", scheme, i, gap[i]);
    else
      cr_expect_gt(fabs(gap[i]), 1e-6, "%s: level %d", scheme, i);
}

/* From whatever gap there was before. */
/* [Li] 4.1c with both coefficients free; the gaps themselves do not vanish. */
Test(constraint, baumgarte_takes_any_beta_and_gamma) {
  static const char *const schemes[] = {"ff-baumgarte(beta=0.7,gamma=2.5)-k0", "ff-baumgarte(beta=0.7,gamma=2.5)-k1",
                                        "fd-baumgarte(beta=0.7,gamma=2.5)-k1"};
  for (int i = 0; i < 3; i++) {
    const cosim_snapshot at = step_once(schemes[i]);
    const double g = at.motion[1].x[0] - at.motion[0].x[0];
    const double gd = at.motion[1].v[0] - at.motion[0].v[0];
    const double gdd = at.motion[1].a[0] - at.motion[0].a[0];
    cr_expect_float_eq(g + 0.7 * gd + 2.5 * gdd, 0, 1e-13, "%s", schemes[i]);
    cr_expect_gt(fabs(gdd), 1e-3, "%s", schemes[i]);
  }
  cr_expect_eq(radius(&generic, true, "ff-baumgarte(beta=3,gamma=2.25)-k1"),
               radius(&generic, true, "ff-baumgarte(mu=1.5)-k1"));
  cr_expect_eq(radius(&generic, true, "ff-baumgarte(beta=3)-k1"),
               radius(&generic, true, "ff-baumgarte(index=2,mu=1.5)-k1"));
}

Test(constraint, schemes_close_the_gaps_that_they_say) {
  expect_closed("ff-baumgarte(index=3)-k1", true, false, false);
  expect_closed("ff-index2-k0", true, true, false);
  expect_closed("ff-index2-k2", true, true, false);
  expect_closed("ff-index1-k0", true, true, true);
  expect_closed("ff-index1-k2", true, true, true);
  expect_closed("ff-projection-k1", true, true, false);
  expect_closed("fd-projection-k2", true, true, false);
  expect_closed("dd-projection-k0", true, true, true);
}

/* Weights of one root only are that root. */
Test(constraint, a_weight_of_one_root_is_index_3) {
  cr_expect_float_eq(radius(&generic, true, "ff-weighted(a=0,b=0)-k1"),
                     radius(&generic, true, "ff-baumgarte(index=3)-k1"), 1e-10);
}

/* Naming the masses the other way round changes nothing: fd of one is df of the other. */
Test(constraint, df_mirrors_fd) {
  const seam_test_model mirrored = {.lambda_r = generic.lambda_r * generic.alpha_r21,
                                    .lambda_i = generic.lambda_i * generic.alpha_i21,
                                    .alpha_m21 = 1 / generic.alpha_m21,
                                    .alpha_r21 = 1 / generic.alpha_r21,
                                    .alpha_i21 = 1 / generic.alpha_i21};
  cr_expect_float_eq(radius(&generic, true, "fd-baumgarte-k1"), radius(&mirrored, true, "df-baumgarte-k1"), 1e-12);
  cr_expect_float_eq(radius(&generic, true, "fd-weighted-k1"), radius(&mirrored, true, "df-weighted-k1"), 1e-12);
  cr_expect_float_eq(radius(&generic, true, "fd-projection-k2"), radius(&mirrored, true, "df-projection-k2"), 1e-12);
}

Test(constraint, implicit_is_semi_implicit) {
  cr_expect_float_eq(radius(&generic, true, "ff-index1-k1"), radius(&generic, true, "ff-index1-k1-implicit"), 1e-12);
  cr_expect_float_eq(radius(&generic, true, "fd-weighted-k1"), radius(&generic, true, "fd-weighted-k1-implicit"),
                     1e-12);
}

/* Where g'' does not answer to the force that is held, nothing determines that force: rounding must not ([Li] 4.22). */
Test(constraint, a_force_that_nothing_determines_is_undefined) {
  const seam_test_model still = {-1, 0, 1, 1, 1, 1, 1};
  seam_stability_point point;
  seam_error error = {0};
  cr_expect_eq(seam_constraint_stability(&still, "ff-projection-k0", &point, &error), SEAM_SINGULAR);
  cr_expect_not_null(strstr(error.message, "do not determine the coupling variables"), "%s", error.message);
  cr_expect_eq(seam_constraint_stability(&still, "ff-projection-k1", &point, NULL), SEAM_OK);
}
