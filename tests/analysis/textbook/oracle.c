/* The oracle against data computed independently with 40 digits, and its linear algebra against exact results. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/oracle/oracle.h"
#include "tests/support/oracle/oracle_collocation.h"
#include "tests/support/oracle/quad.h"

/* ---- Linear algebra ---- */

Test(oracle, expm_of_a_rotation) {
  const double angle = 30;
  const quad A[4] = {0, -angle, angle, 0};
  quad E[4];
  quad_expm(2, A, E);
  cr_expect_float_eq((double)E[0], cos(angle), 1e-15);
  cr_expect_float_eq((double)E[2], sin(angle), 1e-15);
  const quad length = E[0] * E[0] + E[2] * E[2];
  cr_expect_lt(fabs((double)(length - 1)), 1e-29);
}

Test(oracle, a_singular_system_is_refused) {
  quad A[4] = {1, 2, 2, 4};
  quad B[2] = {1, 1};
  cr_expect_not(quad_solve(2, 1, A, B));
}

/* The companion matrix of (x - 1)(x - 2)...(x - 5). */
Test(oracle, spectral_radius_of_a_companion_matrix) {
  quad A[25] = {15, -85, 225, -274, 120, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0};
  double rho = 0;
  double uncertainty = 0;
  cr_assert(quad_spectral_radius(5, A, &rho, &uncertainty));
  cr_expect_float_eq(rho, 5, 1e-15);
}

/* Rotation by 1 radian, twice, joined so that it is defective. */
Test(oracle, spectral_radius_of_a_defective_matrix) {
  const quad c = 0.6;
  const quad s = (quad)4 / 5;
  const quad exact = c * c + s * s;
  quad A[16] = {c, -s, 1, 0, s, c, 0, 1, 0, 0, c, -s, 0, 0, s, c};
  double rho = 0;
  double uncertainty = 0;
  cr_assert(quad_spectral_radius(4, A, &rho, &uncertainty));
  cr_expect_float_eq(rho, sqrt((double)exact), 2e-16);
  cr_expect_lt(uncertainty, 1e-10);
}

/* ---- Published points ---- */

static void expect_rho(const seam_test_model *model, bool rigid, const char *scheme, double rho) {
  seam_stability_point point;
  seam_error error = {0};
  cr_assert_eq(analysis_oracle(model, rigid, scheme, &point, &error), SEAM_OK, "%s", error.message);
  cr_expect_float_eq(point.rho, rho, 1e-12 * fmax(1, rho), "%s at %g, %g, alpha %g: %.14g instead of %.14g", scheme,
                     model->lambda_r, model->lambda_i, model->alpha_m21, point.rho, rho);
}

/* Of a line "scheme,number,..." with semicolons between the options of the scheme; returns how many numbers there are.
 */
static int split(char *line, const char **scheme, double *numbers, int most) {
  char *rest = NULL;
  int n = 0;
  char *name = strtok_r(line, ",", &rest);
  for (char *at = name; (at = strchr(at, ';')); *at = ',')
    ;
  *scheme = name;
  for (char *word = strtok_r(NULL, ",\n", &rest); word && n < most; word = strtok_r(NULL, ",\n", &rest))
    numbers[n++] = strtod(word, NULL);
  return n;
}

static FILE *open_data(const char *name) {
  char path[512];
  char header[256];
  snprintf(path, sizeof path, "%s/tests/data/%s", SEAM_SOURCE_DIR, name);
  FILE *file = fopen(path, "r");
  cr_assert_not_null(file);
  cr_assert_not_null(fgets(header, sizeof header, file));
  return file;
}

/* Rows of scheme, alpha, lambda-r, lambda-i, rho. */
static void expect_points(const char *name, bool rigid, int n_rows) {
  FILE *file = open_data(name);
  char line[256];
  int n = 0;
  for (; fgets(line, sizeof line, file); n++) {
    const char *scheme;
    double x[4];
    cr_assert_eq(split(line, &scheme, x, 4), 4);
    expect_rho(&(seam_test_model){x[1], x[2], x[0], x[0], x[0], x[0], x[0]}, rigid, scheme, x[3]);
  }
  fclose(file);
  cr_expect_eq(n, n_rows);
}

Test(oracle, spectral_radii_at_springs) { expect_points("li_points_constitutive.csv", false, 1680); }

Test(oracle, spectral_radii_at_joints) { expect_points("li_points_constraint.csv", true, 1800); }

/* All eigenvalues of free masses at a joint; most are defective. */
Test(oracle, spectral_radii_of_free_masses) {
  FILE *file = open_data("li_origin.csv");
  char line[256];
  int n = 0;
  for (; fgets(line, sizeof line, file); n++) {
    const char *scheme;
    double rho;
    cr_assert_eq(split(line, &scheme, &rho, 1), 1);
    expect_rho(&(seam_test_model){.alpha_m21 = 3, .alpha_r21 = 1, .alpha_i21 = 1}, true, scheme, rho);
  }
  fclose(file);
  cr_expect_eq(n, 47);
}

/* ---- Collocation ---- */

/* Zeros of Jacobi polynomials, from [0, 1]. */
Test(oracle, inner_nodes_of_collocation) {
  static const double expected[6][4] = {
      [2] = {0.25},
      [3] = {0.1225148226554415, 0.5441518440112253},
      [4] = {0.0729940240731497, 0.3470037660383518, 0.7050022098884984},
      [5] = {0.04850054944699733, 0.2386007375518623, 0.5170472951043675, 0.7958514178967729}};
  for (int s = 1; s <= 5; s++) {
    quad node[5] = {0};
    oracle_inner_nodes(s, false, node);
    for (int j = 0; j < s - 1; j++)
      cr_expect_float_eq((double)node[j], expected[s][j], 2e-16, "s = %d, node %d: %.17g", s, j, (double)node[j]);
  }
}

/* Numbers of a line behind its first word; returns how many. */
static int numbers_of(char *line, double *x, int most) {
  char *rest = NULL;
  int n = 0;
  strtok_r(line, ",", &rest);
  for (char *word = strtok_r(NULL, ",\n", &rest); word != NULL && n < most; word = strtok_r(NULL, ",\n", &rest))
    x[n++] = strtod(word, NULL);
  return n;
}

/* Columns: kind, s, m1, c1, d1, m2, c2, d2, cc, dc, H, radius, map by rows. A macro step H is one of 1 in units of time
 * in which velocities are H times as large. */
Test(oracle, maps_of_collocation) {
  FILE *file = open_data("collocation_maps.csv");
  char line[1024];
  int n = 0;
  for (; fgets(line, sizeof line, file); n++) {
    const bool rigid = strncmp(line, "constraint", 10) == 0;
    double x[27];
    quad Phi[16];
    char name[32];
    oracle_collocation scheme;
    cr_assert_geq(numbers_of(line, x, 27), 27);
    const double H = x[9];
    const oracle_model model = {.m = {x[1], x[4]},
                                .c = {H * H * x[2], H * H * x[5]},
                                .d = {H * x[3], H * x[6]},
                                .cc = rigid ? 0 : H * H * x[7],
                                .dc = rigid ? 0 : H * x[8],
                                .rigid = rigid};
    snprintf(name, sizeof name, "ff-colloc-s%d", (int)x[0]);
    cr_assert(oracle_collocation_read(name, rigid, &scheme));
    cr_assert(oracle_collocation_map(&model, &scheme, Phi));
    for (int i = 0; i < 16; i++) {
      const double unit = (i / 4 % 2 == 0 ? 1 : 1 / H) * (i % 2 == 0 ? 1 : H);
      cr_expect_float_eq((double)Phi[i] * unit, x[11 + i], 1e-14 * fmax(1, fabs(x[11 + i])), "row %d: (%d, %d)", n,
                         i / 4, i % 4);
    }
  }
  fclose(file);
  cr_expect_eq(n, 240);
}

/* x'' of both masses by the joined model, over a macro step of 1. */
static void exact_map(const oracle_model *o, quad E[16]) {
  const quad total = o->m[0] + o->m[1];
  quad A[16] = {[1] = 1, [11] = 1};
  for (int side = 0; side < 2; side++)
    for (int by = 0; by < 2; by++) {
      const bool own = by == side;
      quad *row = A + 4 * (2 * side + 1) + 2 * by;
      row[0] = o->rigid ? -o->c[by] / total : ((own ? -o->c[side] - o->cc : o->cc) / o->m[side]);
      row[1] = o->rigid ? -o->d[by] / total : ((own ? -o->d[side] - o->dc : o->dc) / o->m[side]);
    }
  quad_expm(4, A, E);
}

static void apply(const quad Phi[16], quad z[4]) {
  quad next[4] = {0};
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++)
      next[i] += Phi[4 * i + j] * z[j];
  memcpy(z, next, sizeof next);
}

/* Largest error after a time of 1 in n macro steps; velocities are in units of 1 / H. */
static double error_of(const char *name, bool rigid, int n) {
  const quad H = (quad)1 / n;
  const oracle_model model = {.m = {1, 0.7},
                              .c = {H * H * 3.1, H * H * 1.9},
                              .d = {H * 0.12, H * 0.05},
                              .cc = rigid ? 0 : H * H * 4,
                              .dc = rigid ? 0 : H * 0.3,
                              .rigid = rigid};
  oracle_collocation scheme;
  quad Phi[16];
  quad E[16];
  quad z[4] = {1, H * 0.2, rigid ? 1 : -0.4, H * (rigid ? 0.2 : 0.5)};
  quad exact[4];
  double error = 0;
  memcpy(exact, z, sizeof exact);
  cr_assert(oracle_collocation_read(name, rigid, &scheme));
  cr_assert(oracle_collocation_map(&model, &scheme, Phi));
  exact_map(&model, E);
  for (int k = 0; k < n; k++) {
    apply(Phi, z);
    apply(E, exact);
  }
  for (int i = 0; i < 4; i++)
    error = fmax(error, fabs((double)((z[i] - exact[i]) / (i % 2 == 0 ? 1 : H))));
  return error;
}

static void expect_orders(const char *decomposition, bool rigid, const int order[6]) {
  for (int s = 1; s <= 5; s++) {
    const int n = s < 5 ? 64 : 16;
    char name[32];
    snprintf(name, sizeof name, "%s-colloc-s%d", decomposition, s);
    const double slope = log2(error_of(name, rigid, n) / error_of(name, rigid, 2 * n));
    cr_expect_float_eq(slope, order[s], 0.1, "%s, rigid %d: %.3f", name, rigid, slope);
  }
}

/* 2 s of a force, by the quadrature on c_1, .., c_(s-1), 1, 1; multipliers, which act through two integrations, gain
 * where that is small; motions alone, of degree s + 2, gain 2. */
Test(oracle, orders_of_collocation) {
  static const int of_force[6] = {[1] = 2, [2] = 4, [3] = 6, [4] = 8, [5] = 10};
  static const int gained[6] = {[1] = 4, [2] = 5, [3] = 6, [4] = 8, [5] = 10};
  static const int of_motions[6] = {[1] = 4, [2] = 6, [3] = 8, [4] = 10, [5] = 12};
  expect_orders("ff", false, of_force);
  expect_orders("fd", false, of_force);
  expect_orders("df", false, of_force);
  expect_orders("dd", false, of_motions);
  expect_orders("ff", true, gained);
}

/* ---- Refusals ---- */

Test(oracle, unknown_schemes_are_refused) {
  static const char *const names[] = {"",        "ff",           "-k",           "ff-k4",       "gg-k1",
                                      "ff-x-k1", "ff-colloc-s0", "ff-colloc-s6", "xx-colloc-s1"};
  const seam_test_model model = {-1, 1, 1, 1, 1, 1, 1};
  seam_stability_point point;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    cr_expect_eq(analysis_oracle(&model, false, names[i], &point, NULL), SEAM_BAD_INPUT, "%s", names[i]);
  cr_expect_eq(analysis_oracle(&model, true, "dd-colloc-s1", &point, NULL), SEAM_BAD_INPUT);
}
