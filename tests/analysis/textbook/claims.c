/* What the dissertation says about its stability figures, as far as it was reproduced (docs/conventions.md, "Claims").
 * Fractions are of the stable points of a map. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/support/map_grid.h"

static double fraction(const char *scheme, double alpha) {
  const seam_map map = chapter_3(scheme, alpha);
  return (double)count_decided(&map).stable / n_points;
}

/* Of the symmetric model: "ff", order 1, "-explicit". */
static double of_order(const char *method, int order, const char *iteration) {
  char scheme[32];
  snprintf(scheme, sizeof scheme, "%s-k%d%s", method, order, iteration);
  return fraction(scheme, 1);
}

static const char *const decompositions[] = {"ff", "fd", "dd"};

/* ---- 3.2 original methods ---- */

Test(claims, implicit_regions_shrink_with_the_order_from_1_on) {
  for (int d = 0; d < 3; d++)
    for (int k = 1; k < 3; k++)
      cr_expect_gt(of_order(decompositions[d], k, ""), of_order(decompositions[d], k + 1, ""));
}

Test(claims, order_0_is_worse_than_1_for_fd_and_especially_dd_not_for_ff) {
  cr_expect_gt(of_order("ff", 0, ""), of_order("ff", 1, ""));
  cr_expect_lt(of_order("fd", 0, ""), of_order("fd", 1, ""));
  cr_expect_lt(of_order("dd", 0, ""), of_order("dd", 1, ""));
  cr_expect_lt(of_order("dd", 0, ""), of_order("fd", 0, ""));
}

Test(claims, explicit_regions_shrink_with_the_order_and_dd_is_best) {
  for (int k = 0; k < 4; k++) {
    const double ff = of_order("ff", k, "-explicit");
    const double fd = of_order("fd", k, "-explicit");
    const double dd = of_order("dd", k, "-explicit");
    cr_expect(dd > fd && fd >= ff, "order %d", k);
    cr_expect(k == 3 || dd > of_order("dd", k + 1, "-explicit"));
  }
}

Test(claims, explicit_is_far_less_stable_than_implicit) {
  for (int d = 0; d < 3; d++) {
    seam_map map = chapter_3("", 1);
    char scheme[16];
    snprintf(scheme, sizeof scheme, "%s-k1", decompositions[d]);
    map.scheme = scheme;
    map.x.from = -1;
    map.y.to = 2;
    cr_expect_gt((double)count(&map).stable / n_points, 2 * of_order(decompositions[d], 1, "-explicit"));
  }
}

/* "further simulations ... indicate that the implicit schemes are also stable for very large values" */
Test(claims, implicit_schemes_are_stable_far_out) {
  static const double decay[] = {-1, -3, -10, -30, -100};
  static const double frequency[] = {10, 30, 100, 300, 1000};
  for (int s = 0; s < 12; s++)
    for (int i = 0; i < 25; i++) {
      const seam_test_model model = {decay[i % 5], frequency[i / 5], 1, 1, 1, 1, 1};
      char scheme[16];
      seam_stability_point point;
      snprintf(scheme, sizeof scheme, "%s-k%d", decompositions[s / 4], s % 4);
      cr_assert_eq(seam_constitutive_stability(&model, scheme, &point, NULL), SEAM_OK);
      cr_expect_eq(seam_stability_verdict(&point), SEAM_STABLE, "%s at %g, %g", scheme, model.lambda_r, model.lambda_i);
    }
}

/* ---- 3.5 extended methods ---- */

Test(claims, at_order_0_the_original_ff_is_stable_everywhere_its_extensions_are_not) {
  cr_expect_eq(fraction("ff-k0", 1), 1);
  cr_expect_lt(fraction("ff-d-k0", 1), 1);
  cr_expect_lt(fraction("ff-i-k0", 1), 1);
}

Test(claims, the_d_extension_of_order_2_is_best) {
  cr_expect_eq(fraction("ff-d-k2", 1), 1);
  cr_expect_eq(fraction("ff-d-k2", 10), 1);
  cr_expect_gt(fraction("fd-d-k2", 1), 0.975);
  cr_expect_gt(fraction("fd-d-k2", 10), 0.975);
}

Test(claims, at_dd_all_methods_are_similar) {
  for (int k = 1; k < 3; k++) {
    const double original = of_order("dd", k, "");
    cr_expect_float_eq(of_order("dd-d", k, ""), original, 0.03);
    cr_expect_float_eq(of_order("dd-i", k, ""), original, 0.03);
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

/* "clearly better": of the I-extension only in this sense, not by area. */
Test(claims, extensions_are_stable_farther_from_the_origin) {
  cr_expect_gt(nearest_instability("ff-d-k1", 1), nearest_instability("ff-k1", 1));
  cr_expect_gt(nearest_instability("ff-i-k1", 1), nearest_instability("ff-k1", 1));
  cr_expect_gt(nearest_instability("ff-i-k2", 1), nearest_instability("ff-k2", 1));
  cr_expect_gt(nearest_instability("ff-i-k1", 10), nearest_instability("ff-k1", 10));
  cr_expect_gt(nearest_instability("ff-i-k2", 10), nearest_instability("ff-k2", 10));
}

/* ---- Fractions that the claims rest on, chapters 3 and 4 ---- */

/* Half a unit of the last digit that is printed, and one point: the source counts some as stable whose ρ - 1 lies
 * between 1e-10 and 1e-9. */
static double tolerance(const char *printed) {
  const char *point = strchr(printed, '.');
  return 0.5 * pow(10, -(double)strlen(point + 1)) + 1.0 / n_points;
}

/* Ratios and window. */
static bool has_same_numbers(const data_table *a, const data_table *b) {
  bool same = true;
  for (int i = 2; i < 9; i++)
    same = same && a->number[i] == b->number[i];
  return same;
}

/* The number of stable points that analysis.map holds for the same map; -1: none. */
static double published_count(const data_table *row) {
  double found = -1;
  for (data_table t = data_table_open("li_fractions.csv"); data_table_next(&t) == 11;)
    if (strcmp(t.word[0], row->word[0]) == 0 && strcmp(t.word[1], row->word[1]) == 0 && has_same_numbers(&t, row))
      found = t.number[9];
  return found;
}

Test(claims, fractions) {
  int n = 0;
  for (data_table t = data_table_open("li_claims.csv"); data_table_next(&t) == 10; n++) {
    seam_map map;
    double stable = published_count(&t);
    cr_assert(map_of_row(&t, &map));
    if (stable < 0)
      stable = (double)count_decided(&map).stable;
    cr_expect_float_eq(stable / n_points, t.number[9], tolerance(t.word[9]), "%s, ratios %s %s %s", t.word[1],
                       t.word[2], t.word[3], t.word[4]);
  }
  cr_expect_eq(n, 131);
}
