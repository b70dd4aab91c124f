/* Propagation matrices and spectral radii of the linear test model against data computed independently, and by physics.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/propagation.h"
#include "analysis/test_model.h"

enum { line_length = 8192, largest_state = 20 };

static FILE *open_data(const char *name) {
  char path[512];
  snprintf(path, sizeof path, "%s/tests/data/%s", SEAM_SOURCE_DIR, name);
  FILE *file = fopen(path, "r");
  cr_assert_not_null(file, "%s", path);
  return file;
}

/* Takes the scheme's name off a line and the numbers behind it; returns how many there are. */
static int split(char *line, const char **scheme, double *numbers) {
  char *rest = NULL;
  int n = 0;
  *scheme = strtok_r(line, ",", &rest);
  for (char *word = strtok_r(NULL, ",\n", &rest); word; word = strtok_r(NULL, ",\n", &rest))
    numbers[n++] = strtod(word, NULL);
  return n;
}

static cosim_master *couple(const seam_test_model *model, const char *name) {
  cosim_scheme scheme;
  cosim_master *master = NULL;
  seam_error error = {0};
  cr_assert_eq(cosim_scheme_parse(name, &scheme, &error), SEAM_OK, "%s", error.message);
  cr_assert_eq(analysis_test_model_create(model, &scheme, &master, &error), SEAM_OK, "%s", error.message);
  return master;
}

/* ---- Data ---- */

Test(constitutive, spectral_radii_of_all_schemes) {
  FILE *file = open_data("li_points_constitutive.csv");
  char line[line_length];
  double x[8];
  int n_points = 0;
  cr_assert_not_null(fgets(line, sizeof line, file));
  while (fgets(line, sizeof line, file)) {
    const char *scheme = NULL;
    seam_stability_point point;
    cr_assert_eq(split(line, &scheme, x), 4);
    const seam_test_model model = {x[1], x[2], x[0], x[0], x[0], x[0], x[0]};
    cr_assert_eq(seam_constitutive_stability(&model, scheme, &point, NULL), SEAM_OK);
    cr_expect_float_eq(point.rho, x[3], 1e-9 * x[3], "%s at %g, %g, alpha %g: %.13g instead of %.13g", scheme, x[1],
                       x[2], x[0], point.rho, x[3]);
    n_points++;
  }
  fclose(file);
  cr_expect_eq(n_points, 1680);
}

Test(constitutive, whole_maps) {
  FILE *file = open_data("li_phi_constitutive.csv");
  char line[line_length];
  static double x[8 + largest_state * largest_state];
  static double Phi[largest_state * largest_state];
  int n_maps = 0;
  cr_assert_not_null(fgets(line, sizeof line, file));
  while (fgets(line, sizeof line, file)) {
    const char *scheme = NULL;
    split(line, &scheme, x);
    const seam_test_model model = {x[0], x[1], x[2], x[3], x[4], x[5], x[6]};
    cosim_master *master = couple(&model, scheme);
    const size_t n = cosim_master_n_state(master);
    cr_assert_eq(n, (size_t)x[7], "%s", scheme);
    cr_assert_eq(analysis_propagation(master, 1, Phi, NULL), SEAM_OK);
    for (size_t i = 0; i < n; i++)
      for (size_t j = 0; j < n; j++)
        cr_expect_float_eq(Phi[i + j * n], x[8 + i * n + j], 1e-12 * fmax(1, fabs(x[8 + i * n + j])), "%s: (%zu, %zu)",
                           scheme, i, j);
    cosim_master_destroy(master);
    n_maps++;
  }
  fclose(file);
  cr_expect_eq(n_maps, 42);
}

/* ---- Physics ---- */

/* The implicit force/force scheme meets the law of the spring at the end of every step. */
Test(constitutive, a_step_is_linear) {
  const seam_test_model model = {-0.2, 1, 2, 1.5, 0.5, 1, 3};
  cosim_master *master = couple(&model, "fd-d-k2");
  double a[largest_state] = {1, 2, -1, 0.5, 0.3, -0.2, 0.1, 0.7};
  double b[largest_state] = {0};
  const size_t n = cosim_master_n_state(master);
  cosim_master_restore(master, a);
  cosim_master_step(master, 1, NULL);
  cosim_master_save(master, b);
  for (size_t i = 0; i < n; i++)
    a[i] *= -3;
  cosim_master_restore(master, a);
  cosim_master_step(master, 1, NULL);
  cosim_master_save(master, a);
  for (size_t i = 0; i < n; i++)
    cr_expect_float_eq(a[i], -3 * b[i], 1e-12);
  cosim_master_destroy(master);
}

/* Semi-implicit is implicit where everything is linear. */
Test(constitutive, implicit_is_semi_implicit) {
  const seam_test_model model = {-0.2, 1, 2, 1.5, 0.5, 1, 3};
  seam_stability_point semi;
  seam_stability_point implicit;
  cr_assert_eq(seam_constitutive_stability(&model, "dd-i-k1-semi", &semi, NULL), SEAM_OK);
  cr_assert_eq(seam_constitutive_stability(&model, "dd-i-k1-implicit", &implicit, NULL), SEAM_OK);
  cr_expect_float_eq(semi.rho, implicit.rho, 1e-12);
}

/* I-extension of order 0 has the spectrum of D-extension of order 1 (recipes.md, pitfalls). */
Test(constitutive, i_k0_is_d_k1) {
  const seam_test_model model = {-0.3, 1.2, 0.7, 1.5, 0.5, 1, 3};
  seam_stability_point i;
  seam_stability_point d;
  cr_assert_eq(seam_constitutive_stability(&model, "ff-i-k0", &i, NULL), SEAM_OK);
  cr_assert_eq(seam_constitutive_stability(&model, "ff-d-k1", &d, NULL), SEAM_OK);
  cr_expect_float_eq(i.rho, d.rho, 1e-10);
}

/* Naming the masses the other way round changes nothing: fd of one is df of the other. */
Test(constitutive, df_mirrors_fd) {
  const double r = -0.3;
  const double i = 1.2;
  const double m = 2.5;
  const double r21 = 1.4;
  const double i21 = 0.6;
  const seam_test_model model = {r, i, m, r21, i21, 1.7, 2.2};
  const seam_test_model mirrored = {r * r21, i * i21, 1 / m, 1 / r21, 1 / i21, 0, 0};
  seam_test_model other = mirrored;
  /* cc and dc stay: they are per unit m1, and the mean mass ratio is 2/(1 + m) of the new first mass against 2m/(1 +
   * m). */
  other.alpha_rc1 = 1.7 / r21;
  other.alpha_ic1 = 2.2 / i21;
  seam_stability_point fd;
  seam_stability_point df;
  cr_assert_eq(seam_constitutive_stability(&model, "fd-k1", &fd, NULL), SEAM_OK);
  cr_assert_eq(seam_constitutive_stability(&other, "df-k1", &df, NULL), SEAM_OK);
  cr_expect_float_eq(fd.rho, df.rho, 1e-12);
}

/* ---- Refusals ---- */

static void expect_refused(const char *scheme) {
  cosim_scheme parsed;
  seam_error error = {0};
  cr_expect_eq(cosim_scheme_parse(scheme, &parsed, &error), SEAM_BAD_INPUT, "%s", scheme);
  cr_expect_not_null(strstr(error.message, "write ff, fd, df or dd"));
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
