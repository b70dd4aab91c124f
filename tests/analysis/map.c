/* Stability maps: what the dissertation's figures and text say, the honesty of verdicts, and refusals. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/oracle.h"
#include "analysis/spectrum.h"
#include "tests/analysis/table.h"

#include <seam/analysis.h>

enum { side = 41, n_points = side * side };

static seam_map_point points[n_points];

typedef struct counts {
  size_t stable, unstable, undecided;
  size_t by_oracle; /* what double precision left undecided */
} counts;

static counts count(const seam_map *map) {
  counts n = {0};
  seam_error error = {0};
  cr_assert_eq(seam_stability_map(map, points, NULL, NULL, &error), SEAM_OK, "%s", error.message);
  for (size_t i = 0; i < map->x.count * map->y.count; i++) {
    n.stable += points[i].verdict == SEAM_STABLE;
    n.unstable += points[i].verdict == SEAM_UNSTABLE;
    n.undecided += points[i].verdict == SEAM_UNDECIDED;
    n.by_oracle += points[i].by_oracle;
  }
  return n;
}

/* The map of a figure of chapter 3: all ratios equal. */
static seam_map chapter_3(const char *scheme, double alpha) {
  seam_map map;
  cr_assert_eq(seam_map_default("constitutive", &map, NULL), SEAM_OK);
  for (int i = 2; i < 7; i++)
    map.value[i] = alpha;
  map.scheme = scheme;
  map.threads = 2;
  return map;
}

/* ---- Published counts ---- */

/* Rows of models that this version does not have are left for the one that has. */
Test(map, stable_points_of_all_figures) {
  int n = 0;
  for (table t = table_open("li_fractions.csv"); table_next(&t) == 11;) {
    seam_map map;
    if (seam_map_default(t.word[0], &map, NULL) != SEAM_OK)
      continue;
    for (int i = 0; i < 5; i++)
      map.value[2 + i] = t.number[2 + i];
    map.scheme = t.word[1];
    map.x.from = t.number[7];
    map.y.to = t.number[8];
    map.threads = 2;
    map.oracle = true;
    const counts found = count(&map);
    cr_expect_leq(fabs((double)found.stable - t.number[9]), t.number[10] + (double)found.undecided,
                  "%s: %zu instead of %s", t.word[1], found.stable, t.word[9]);
    cr_expect_leq(found.undecided, 1, "%s: undefined at one point at most", t.word[1]);
    cr_expect_leq(found.by_oracle, side, "%s: double precision decides but on one axis", t.word[1]);
    n++;
  }
  cr_expect_geq(n, 42);
}

/* ---- Claims of the text (recipes.md, "3.2 original methods", "3.5 extended methods") ---- */

/* The fractions of the symmetric model follow from the counts above. */
Test(map, extensions_of_the_unsymmetric_model) {
  static const struct {
    const char *scheme;
    double fraction;
  } claims[] = {{"ff-k0", 1},      {"ff-d-k0", .983}, {"ff-i-k0", .944}, {"ff-k1", .716},   {"ff-d-k1", .944},
                {"ff-i-k1", .399}, {"ff-k2", .607},   {"ff-d-k2", 1},    {"ff-i-k2", .407}, {"fd-d-k2", .989}};
  for (size_t i = 0; i < sizeof claims / sizeof *claims; i++) {
    seam_map map = chapter_3(claims[i].scheme, 10);
    map.oracle = true;
    cr_expect_float_eq((double)count(&map).stable / n_points, claims[i].fraction, 6e-4, "%s", claims[i].scheme);
  }
}

/* "further simulations ... indicate that the implicit schemes are also stable for very large values" */
Test(map, implicit_schemes_are_stable_far_out) {
  static const char *const schemes[] = {"ff-k0", "ff-k1", "ff-k2", "ff-k3", "fd-k0", "fd-k1",
                                        "fd-k2", "fd-k3", "dd-k0", "dd-k1", "dd-k2", "dd-k3"};
  static const double decay[] = {-1, -3, -10, -30, -100};
  static const double frequency[] = {10, 30, 100, 300, 1000};
  for (size_t s = 0; s < sizeof schemes / sizeof *schemes; s++)
    for (int i = 0; i < 25; i++) {
      const seam_test_model model = {decay[i % 5], frequency[i / 5], 1, 1, 1, 1, 1};
      seam_stability_point point;
      cr_assert_eq(seam_constitutive_stability(&model, schemes[s], &point, NULL), SEAM_OK);
      cr_expect_eq(seam_stability_verdict(&point), SEAM_STABLE, "%s at %g, %g", schemes[s], model.lambda_r,
                   model.lambda_i);
    }
}

/* Smallest |Λ1| of an unstable point off the undamped axis. */
static double nearest_instability(const char *scheme, double alpha) {
  const seam_map map = chapter_3(scheme, alpha);
  double nearest = INFINITY;
  count(&map);
  for (const seam_map_point *p = points; p < points + n_points; p++)
    if (p->verdict == SEAM_UNSTABLE && p->x < 0)
      nearest = fmin(nearest, hypot(p->x, p->y));
  return nearest;
}

Test(map, extensions_are_stable_farther_from_the_origin) {
  cr_expect_gt(nearest_instability("ff-d-k1", 1), nearest_instability("ff-k1", 1));
  cr_expect_gt(nearest_instability("ff-i-k1", 1), nearest_instability("ff-k1", 1));
  cr_expect_gt(nearest_instability("ff-i-k2", 1), nearest_instability("ff-k2", 1));
  cr_expect_gt(nearest_instability("ff-i-k1", 10), nearest_instability("ff-k1", 10));
  cr_expect_gt(nearest_instability("ff-i-k2", 10), nearest_instability("ff-k2", 10));
}

/* ---- Honesty ---- */

/* Where double precision is sure the oracle agrees, and ρ differs by no more than the stated uncertainty. */
Test(map, the_oracle_confirms_what_double_precision_is_sure_of) {
  static const char *const schemes[] = {"ff-k1", "fd-i-k0", "dd-k2", "ff-d-k1", "ff-i-k0"};
  for (size_t s = 0; s < sizeof schemes / sizeof *schemes; s++)
    for (int alpha = 1; alpha <= 10; alpha += 9) {
      seam_map map = chapter_3(schemes[s], alpha);
      map.x.count = map.y.count = 11;
      count(&map);
      for (const seam_map_point *p = points; p < points + 121; p++) {
        const double a = alpha;
        const seam_test_model model = {p->x, p->y, a, a, a, a, a};
        seam_stability_point exact;
        analysis_oracle(&model, schemes[s], &exact, NULL);
        cr_expect_leq(fabs(p->found.rho - exact.rho), p->found.uncertainty + exact.uncertainty, "%s at %g, %g",
                      schemes[s], p->x, p->y);
        cr_expect(p->verdict == SEAM_UNDECIDED || p->verdict == seam_stability_verdict(&exact));
      }
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
  map.x = (seam_map_axis){map.x.parameter, 0.5, 2.5, 3};
  map.y = (seam_map_axis){map.y.parameter, 1, 4, 2};
  count(&map);
  cr_assert_eq(seam_constitutive_stability(&(seam_test_model){-0.3, 2, 4, 1, 1, 1, 1.5}, "ff-k1", &single, NULL),
               SEAM_OK);
  cr_expect_eq(points[4].x, 1.5);
  cr_expect_eq(points[4].y, 4);
  cr_expect_eq(points[4].found.rho, single.rho);
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
  expect_refused(&map, "is no scheme");
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
