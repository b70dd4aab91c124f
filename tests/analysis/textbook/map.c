/* Stability maps: the published counts, the honesty of verdicts, and refusals. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/spectrum.h"
#include "tests/support/map_grid.h"
#include "tests/support/oracle/oracle.h"

/* ---- Published counts ---- */

/* With SEAM_LONG all of them; without one in five, which are all kinds of schemes. */
Test(map, stable_points_of_all_figures) {
  const int every = getenv("SEAM_LONG") != NULL ? 1 : 5;
  int n = 0;
  int row = 0;
  for (data_table t = data_table_open("li_fractions.csv"); data_table_next(&t) == 11;) {
    seam_map map;
    cr_assert(map_of_row(&t, &map));
    if (row++ % every != 0)
      continue;
    const counts found = count_decided(&map);
    cr_expect_leq(fabs((double)found.stable - t.number[9]), t.number[10] + (double)found.undecided,
                  "%s: %zu instead of %s", t.word[1], found.stable, t.word[9]);
    cr_expect_leq(found.undecided, 1, "%s: undefined at one point at most", t.word[1]);
    cr_expect_leq(found.by_oracle, side, "%s: double precision decides but on one axis", t.word[1]);
    n++;
  }
  cr_expect_eq(row, 149);
  cr_expect_eq(n, (row + every - 1) / every);
}

/* ---- Honesty ---- */

/* Where double precision is sure the oracle agrees, and ρ differs by no more than the stated uncertainty. */
Test(map, the_oracle_confirms_what_double_precision_is_sure_of) {
  static const char *const schemes[] = {"ff-k1",   "fd-i-k0",      "dd-k2",        "ff-d-k1",
                                        "ff-i-k0", "ff-colloc-s3", "fd-colloc-s2", "dd-colloc-s4"};
  for (size_t s = 0; s < sizeof schemes / sizeof *schemes; s++)
    for (int alpha = 1; alpha <= 10; alpha += 9) {
      seam_map map = chapter_3(schemes[s], alpha);
      map.x.count = map.y.count = 11;
      count(&map);
      for (const seam_map_point *p = points; p < points + 121; p++) {
        const double a = alpha;
        const seam_test_model model = {p->x, p->y, a, a, a, a, a};
        seam_stability_point exact;
        analysis_oracle(&model, false, schemes[s], &exact, NULL);
        cr_expect_leq(fabs(p->found.rho - exact.rho), p->found.uncertainty + exact.uncertainty, "%s at %g, %g",
                      schemes[s], p->x, p->y);
        cr_expect(p->verdict == SEAM_UNDECIDED || p->verdict == seam_stability_verdict(&exact));
      }
    }
}

/* Collocation, undamped: frequency of the coupling over that of the masses, geometric, against H ω. Two stages grow in
 * a band about H Ω = π, three about 2 π; at joints and with one stage nothing does. */
Test(map, bands_of_collocation) {
  static const size_t unstable[4] = {0, 0, 28, 64};
  for (int s = 1; s <= 3; s++) {
    char scheme[32];
    seam_map map = chapter_3("", 1);
    snprintf(scheme, sizeof scheme, "ff-colloc-s%d", s);
    map.scheme = scheme;
    map.value[map.x.parameter] = 0;
    cr_assert_eq(seam_map_parameter(map.model, "alpha-ic1", &map.x.parameter, NULL), SEAM_OK);
    map.x = (seam_map_axis){map.x.parameter, 0.5, 30, 41, true};
    map.y = (seam_map_axis){map.y.parameter, 0.3, 3, 31, false};
    const counts found = count_decided(&map);
    cr_expect_eq(found.unstable, unstable[s], "s = %d: %zu", s, found.unstable);
    cr_expect_eq(found.undecided, 0);
    map.model = "constraint";
    cr_assert_eq(seam_map_parameter(map.model, "alpha-m21", &map.x.parameter, NULL), SEAM_OK);
    cr_expect_eq(count_decided(&map).unstable, 0);
  }
}

Test(map, a_defective_eigenvalue_is_uncertain) {
  const double rotation[16] = {0.6, 0.8, 0, 0, -0.8, 0.6, 0, 0, 1, 0, 0.6, 0.8, 0, 1, -0.8, 0.6};
  const double joined[16] = {0.6, 0.8, 1e-20, 0, -0.8, 0.6, 0, 1e-20, 1, 0, 0.6, 0.8, 0, 1, -0.8, 0.6};
  double rho = 0;
  double uncertainty = 0;
  cr_assert_eq(analysis_spectral_radius(4, rotation, 1e-15, &rho, &uncertainty, NULL), SEAM_OK);
  cr_expect_float_eq(rho, 1, 1e-14);
  cr_expect_lt(uncertainty, 1e-14, "zeros are exact: the blocks do not meet");
  cr_assert_eq(analysis_spectral_radius(4, joined, 1e-15, &rho, &uncertainty, NULL), SEAM_OK);
  cr_expect(uncertainty > 1e-9 && uncertainty < 1e-6, "%g", uncertainty);
}

Test(map, threads_change_nothing) {
  static seam_map_point alone[n_points];
  seam_map map = chapter_3("fd-d-k2", 2);
  map.threads = 3;
  count(&map);
  memcpy(alone, points, sizeof alone);
  map.threads = 1;
  count(&map);
  for (int i = 0; i < n_points; i++) {
    cr_expect_eq(alone[i].found.rho, points[i].found.rho);
    cr_expect_eq(alone[i].verdict, points[i].verdict);
  }
}

Test(map, any_two_parameters_make_a_map) {
  seam_map map = chapter_3("ff-k1", 1);
  seam_stability_point single;
  map.value[0] = -0.3;
  map.value[1] = 2;
  cr_assert_eq(seam_map_parameter(map.model, "alpha-ic1", &map.x.parameter, NULL), SEAM_OK);
  cr_assert_eq(seam_map_parameter(map.model, "alpha-m21", &map.y.parameter, NULL), SEAM_OK);
  map.x = (seam_map_axis){map.x.parameter, 0.5, 2.5, 3, false};
  map.y = (seam_map_axis){map.y.parameter, 1, 4, 2, false};
  count(&map);
  cr_assert_eq(seam_constitutive_stability(&(seam_test_model){-0.3, 2, 4, 1, 1, 1, 1.5}, "ff-k1", &single, NULL),
               SEAM_OK);
  cr_expect_eq(points[4].x, 1.5);
  cr_expect_eq(points[4].y, 4);
  cr_expect_eq(points[4].found.rho, single.rho);
}

Test(map, errors_are_in_multiples_of_their_limit) {
  seam_map map;
  seam_mbcorr_nrmse single;
  cr_assert_eq(seam_map_default("mbcorr", &map, NULL), SEAM_OK);
  map.scheme = "hold1-corrected";
  map.value[2] = 1e-3;
  map.x.count = 5;
  map.y.count = 3;
  map.accuracy = 0.05;
  count(&map);
  cr_assert_eq(seam_mbcorr_errors(&(seam_mbcorr_model){points[1].x, points[1].y, 1e-3}, map.scheme, &single, NULL),
               SEAM_OK);
  cr_expect_eq(points[1].found.rho, single.global / 0.05);
  cr_expect_eq(points[1].verdict, single.global <= 0.05 ? SEAM_STABLE : SEAM_UNSTABLE);
}

/* ---- Refusals ---- */

static bool give_up(void *data, size_t done) {
  *(size_t *)data = done;
  return false;
}

Test(map, a_map_can_be_interrupted) {
  const seam_map map = chapter_3("ff-k1", 1);
  size_t done = 0;
  cr_expect_eq(seam_stability_map(&map, points, give_up, &done, NULL), SEAM_INTERRUPTED);
  cr_expect(done >= side && done < n_points, "%zu", done);
}

static void expect_refused(const seam_map *map, const char *why) {
  seam_error error = {0};
  cr_expect_eq(seam_stability_map(map, points, NULL, NULL, &error), SEAM_BAD_INPUT);
  cr_expect_not_null(strstr(error.message, why), "%s", error.message);
}

Test(map, senseless_maps_are_refused) {
  seam_map map = chapter_3("ff-k9", 1);
  expect_refused(&map, "the order must be k0 to k3");
  map = chapter_3("ff-k1", 1);
  map.x.count = 1;
  expect_refused(&map, "2 to 100000 points");
  map = chapter_3("ff-k1", 1);
  map.y.parameter = map.x.parameter;
  expect_refused(&map, "both axes");
  map = chapter_3("ff-k1", 1);
  map.y.to = INFINITY;
  expect_refused(&map, "finite");
  map = chapter_3("ff-k1", 1);
  map.model = "nothing";
  expect_refused(&map, "constitutive");
}

Test(map, unknown_parameters_are_refused) {
  int index = 0;
  seam_error error = {0};
  cr_expect_eq(seam_map_parameter("constitutive", "lambda", &index, &error), SEAM_BAD_INPUT);
  cr_expect_not_null(strstr(error.message, "lambda-r"));
  cr_expect_str_eq(seam_map_parameter_name("constitutive", 2), "alpha-m21");
  cr_expect_null(seam_map_parameter_name("constitutive", 7));
}
