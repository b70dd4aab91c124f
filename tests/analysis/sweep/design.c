/* Designs of experiments: random bits and quantiles against published values, exact stratification, order of grids,
 * refusals. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <seam/results.h>
#include <seam/sweep.h>

#include "analysis/sweep/design.h"
#include "tests/support/misuse.h"

static seam_error error;

static seam_design *design_of(seam_design_options options, const char *const *variations, size_t n) {
  seam_design *design = NULL;
  cr_assert_eq(seam_design_create(variations, n, &options, &design, &error), SEAM_OK, "%s", error.message);
  return design;
}
#define DESIGN(sampling, count, seed, ...)                                                                             \
  design_of((seam_design_options){sampling, count, seed}, (const char *const[]){__VA_ARGS__},                          \
            sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *))

/* ---- Random numbers ---- */

/* Known answers of philox4x32_10 in the authors' Random123 ([Salmon]). */
Test(design, random_bits_are_the_published_ones) {
  static const struct {
    random_bits counter;
    uint64_t key;
    random_bits expected;
  } known[] = {
      {{{0, 0, 0, 0}}, 0, {{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}}},
      {{{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}},
       UINT64_MAX,
       {{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}}},
      {{{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}},
       0x299f31d0a4093822,
       {{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}}},
  };
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    const random_bits found = random_bits_at(known[i].counter, known[i].key);
    for (int k = 0; k < 4; k++)
      cr_expect_eq(found.word[k], known[i].expected.word[k], "%zu, word %d", i, k);
  }
}

/* Roots of the complementary error function with 40 digits (mpmath). */
Test(design, quantiles_of_the_normal_distribution_are_the_known_ones) {
  static const double known[][2] = {{0.2, -0.84162123357291420518},   {0.6, 0.2533471031357997988},
                                    {0.925, 1.4395314709384559153},   {0.975, 1.9599639845400542355},
                                    {1e-4, -3.7190164854556805644},   {1e-10, -6.3613409024040562047},
                                    {1e-14, -7.6506280929352688164},  {1e-100, -21.273453560965324295},
                                    {1e-300, -37.047096299361199237}, {0.5, 0}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    const double found = normal_quantile(known[i][0]);
    cr_expect_leq(fabs(found - known[i][1]), 4e-16 * fmax(1, fabs(known[i][1])), "%g: %.17g", known[i][0], found);
  }
}

/* Over all three of its pieces; rounding of x by an ulp is one of up to 1 + x² ulp of the share. */
Test(design, the_normal_distribution_of_its_quantile_is_the_share) {
  enum { N_SHARES = 2000 };
  for (int i = 0; i < N_SHARES; i++) {
    const double p = i < N_SHARES / 2 ? pow(10, -15 + 14.0 * i / N_SHARES * 2) : (double)i / N_SHARES;
    const double x = normal_quantile(p);
    cr_expect_leq(fabs(erfc(-x / sqrt(2)) / 2 - p), 1e-15 * (1 + x * x) * p, "%g", p);
  }
}

/* ---- Latin hypercubes ---- */

enum { N = 1000 };

static void expect_one_in_each_part(const double *shares) {
  unsigned char seen[N] = {0};
  for (size_t run = 0; run < N; run++) {
    const double part = floor(N * shares[run]);
    cr_assert(part >= 0 && part < N, "run %zu: %.17g", run, shares[run]);
    seen[(size_t)part]++;
  }
  for (size_t i = 0; i < N; i++)
    cr_expect_eq(seen[i], 1, "part %zu has %d", i, seen[i]);
}

Test(design, each_part_of_a_latin_hypercube_has_one_run) {
  double shares[N];
  for (uint64_t seed = 0; seed < 20; seed++) {
    seam_design *design = DESIGN(SEAM_LATIN_HYPERCUBE, N, seed, "a=uniform(0, 1)", "b=normal(3, 0.5)");
    for (size_t i = 0; i < 2; i++) {
      for (size_t run = 0; run < N; run++) {
        const double x = seam_design_value(design, run, i);
        shares[run] = i == 0 ? x : erfc(-(x - 3) / 0.5 / sqrt(2)) / 2;
      }
      expect_one_in_each_part(shares);
    }
    seam_design_destroy(design);
  }
}

Test(design, variations_of_a_latin_hypercube_are_not_correlated) {
  double cross = 0;
  seam_design *design = DESIGN(SEAM_LATIN_HYPERCUBE, N, 9, "a=uniform(-1, 1)", "b=uniform(-1, 1)");
  for (size_t run = 0; run < N; run++)
    cross += 3 * seam_design_value(design, run, 0) * seam_design_value(design, run, 1) / N;
  cr_expect_lt(fabs(cross), 4 / sqrt(N));
  seam_design_destroy(design);
}

/* Of ranges and lists as often as the count allows. */
Test(design, a_latin_hypercube_has_each_listed_value_equally_often) {
  size_t n[5] = {0};
  seam_design *design = DESIGN(SEAM_LATIN_HYPERCUBE, N, 7, "a=0:4:5", "b=[3, 4]");
  size_t n_first = 0;
  for (size_t run = 0; run < N; run++) {
    n[(size_t)seam_design_value(design, run, 0)]++;
    n_first += seam_design_value(design, run, 1) == 3;
  }
  for (int i = 0; i < 5; i++)
    cr_expect_eq(n[i], N / 5, "%d: %zu", i, n[i]);
  cr_expect_eq(n_first, N / 2);
  seam_design_destroy(design);
}

/* ---- Random values ---- */

/* Correlation of variations, and of neighbours: of independent ones below 4/sqrt(n), but for one case in 1e4. */
Test(design, random_values_are_those_of_their_distribution) {
  enum { MANY = 100000 };
  double mean[2] = {0};
  double square[2] = {0};
  double cross = 0;
  double next = 0;
  seam_design *design = DESIGN(SEAM_RANDOM, MANY, 12345, "a=uniform(-1, 1)", "b=normal(0, 1)");
  for (size_t run = 0; run < MANY; run++) {
    const double x[2] = {sqrt(3) * seam_design_value(design, run, 0), seam_design_value(design, run, 1)};
    for (int i = 0; i < 2; i++) {
      mean[i] += x[i] / MANY;
      square[i] += x[i] * x[i] / MANY;
    }
    cross += x[0] * x[1] / MANY;
    next += run > 0 ? x[1] * seam_design_value(design, run - 1, 1) / MANY : 0;
  }
  const double bound = 4 / sqrt(MANY);
  for (int i = 0; i < 2; i++) {
    cr_expect_lt(fabs(mean[i]), bound, "%d: %g", i, mean[i]);
    cr_expect_lt(fabs(square[i] - 1), 2 * bound, "%d: %g", i, square[i]);
  }
  cr_expect_lt(fabs(cross), bound);
  cr_expect_lt(fabs(next), bound);
  seam_design_destroy(design);
}

Test(design, a_random_run_follows_from_its_number_and_the_seed) {
  seam_design *few = DESIGN(SEAM_RANDOM, 10, 5, "a=normal(0, 1)");
  seam_design *many = DESIGN(SEAM_RANDOM, 1000, 5, "a=normal(0, 1)", "b=uniform(0, 1)");
  seam_design *other = DESIGN(SEAM_RANDOM, 10, 6, "a=normal(0, 1)");
  for (size_t run = 10; run-- > 0;) {
    cr_expect_eq(seam_design_value(few, run, 0), seam_design_value(many, run, 0));
    cr_expect_neq(seam_design_value(few, run, 0), seam_design_value(other, run, 0));
  }
  seam_design_destroy(few);
  seam_design_destroy(many);
  seam_design_destroy(other);
}

/* ---- Grids ---- */

Test(design, the_last_variation_of_a_grid_is_the_fastest) {
  static const char *const expected[][2] = {{"a=1", "b.c=x"},        {"a=1", "b.c=[1, 2]"}, {"a=1.5", "b.c=x"},
                                            {"a=1.5", "b.c=[1, 2]"}, {"a=2", "b.c=x"},      {"a=2", "b.c=[1, 2]"}};
  seam_design *design = DESIGN(SEAM_GRID, 0, 0, "a=1:2:3", "b.c=[x, [1, 2] ]");
  cr_assert_eq(seam_design_n_runs(design), 6);
  cr_expect_eq(seam_design_n_varied(design), 2);
  cr_expect_str_eq(seam_design_key(design, 1), "b.c");
  cr_expect_eq(seam_design_value(design, 1, 1), 2);
  for (size_t run = 0; run < 6; run++)
    for (size_t i = 0; i < 2; i++) {
      char text[32];
      seam_design_override(design, run, i, text, sizeof text);
      cr_expect_str_eq(text, expected[run][i]);
    }
  seam_design_destroy(design);
}

Test(design, ranges_end_at_their_ends) {
  seam_design *design = DESIGN(SEAM_GRID, 0, 0, "a=0.1:0.7:7", "b=1e-3:1e3:7:log");
  char text[64];
  cr_expect_eq(seam_design_value(design, 48, 0), 0.7);
  cr_expect_eq(seam_design_value(design, 48, 1), 1e3);
  cr_expect_float_eq(seam_design_value(design, 3, 1), 1, 1e-15);
  const double x = seam_design_value(design, 7, 0);
  cr_expect_eq(seam_design_override(design, 7, 0, text, sizeof text), strlen(text));
  cr_expect_eq(strtod(strchr(text, '=') + 1, NULL), x);
  seam_design_destroy(design);
}

/* ---- Refusals ---- */

Test(design, what_says_no_values_is_refused_with_the_reason) {
  static const char *const refused[][2] = {
      {"a", "'a' has no key; write KEY=FROM:TO:N"},
      {"=1:2:3", "'=1:2:3' has no key"},
      {"a=1:2", "'1:2' says no values for 'a'; write KEY=FROM:TO:N"},
      {"a=1:2:1", "must have a whole number of values from 2 to 1000000; for one value write --set"},
      {"a=1:2:2.5", "must have a whole number of values"},
      {"a=1:2:0", "must have a whole number of values"},
      {"a=2:2:3", "the range '2:2:3' of 'a' is empty; its ends must differ"},
      {"a=-1:2:3:log", "both ends of the range '-1:2:3:log' of 'a' must be positive"},
      {"a=1:nan:3", "says no values"},
      {"a=[1, 2", "the list '[1, 2' of 'a' has no closing bracket"},
      {"a=[1, , 2]", "value 2 in the list"},
      {"a=[]", "value 1 in the list"},
      {"a=gamma(1, 2)", "'gamma(1, 2)' is not a distribution for 'a'"},
      {"a=normal(1, 0)", "SIGMA must be positive"},
      {"a=uniform(2, 1)", "A must be below B"},
      {"a=normal(1, 1)", "a grid cannot take 'normal(1, 1)' of 'a', which is a distribution; sample by lhs or random, "
                         "with a count of runs"},
  };
  seam_design *design = NULL;
  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
    expect_refused(seam_design_create(&refused[i][0], 1, &(seam_design_options){SEAM_GRID, 0, 0}, &design, &error),
                   SEAM_BAD_INPUT, refused[i][1], &error);
}

Test(design, designs_that_cannot_be_are_refused) {
  static const char *const twice[] = {"a=1:2:3", "a=uniform(1, 2)"};
  static const char *const huge[] = {"a=1:2:1001", "b=1:2:1000"};
  static const char *const none[] = {NULL};
  seam_design *design = NULL;
  seam_design_options options = {SEAM_RANDOM, 5, 0};
  expect_refused(seam_design_create(twice, 2, &options, &design, &error), SEAM_BAD_INPUT, "'a' is varied twice",
                 &error);
  expect_refused(seam_design_create(none, 1, &options, &design, &error), SEAM_BAD_INPUT,
                 "entry 0 of 'variations' is NULL", &error);
  expect_refused(seam_design_create(twice, 0, &options, &design, &error), SEAM_BAD_INPUT, "there is nothing to vary",
                 &error);
  expect_refused(seam_design_create(twice, 1, NULL, &design, &error), SEAM_BAD_INPUT, "'options' is NULL", &error);
  options.count = 0;
  expect_refused(seam_design_create(twice, 1, &options, &design, &error), SEAM_BAD_INPUT,
                 "need a count of runs from 1 to 1000000", &error);
  options = (seam_design_options){SEAM_GRID, 5, 0};
  expect_refused(seam_design_create(twice, 1, &options, &design, &error), SEAM_BAD_INPUT, "leave out the count",
                 &error);
  options.count = 0;
  expect_refused(seam_design_create(huge, 2, &options, &design, &error), SEAM_BAD_INPUT,
                 "the grid has 1.001e+06 runs; there can be 1000000", &error);
  options.sampling = SEAM_N_SAMPLINGS;
  expect_refused(seam_design_create(huge, 2, &options, &design, &error), SEAM_BAD_INPUT, "sampling 3 does not exist",
                 &error);
  cr_expect_null(design);
}

Test(design, what_does_not_exist_has_no_value) {
  char text[8] = "";
  seam_design *design = DESIGN(SEAM_GRID, 0, 0, "a=1:2:3");
  cr_expect(isnan(seam_design_value(design, 3, 0)));
  cr_expect(isnan(seam_design_value(design, 0, 1)));
  cr_expect(isnan(seam_design_value(NULL, 0, 0)));
  cr_expect_null(seam_design_key(design, 1));
  cr_expect_null(seam_design_given(NULL, 0));
  cr_expect_eq(seam_design_n_values(design, 1), 0);
  cr_expect_eq(seam_design_override(design, 3, 0, text, sizeof text), 0);
  cr_expect_eq(seam_design_override(design, 0, 0, NULL, 0), 3);
  seam_design_destroy(design);
  seam_design_destroy(NULL);
}

/* ---- Tables of own rows ---- */

Test(design, a_table_of_own_columns_keeps_copies_of_their_texts) {
  char element[] = "pull";
  const seam_column columns[] = {{.element = "run"}, {.element = element, .quantity = "max", .unit = "N"}};
  seam_table *table = NULL;
  cr_assert_eq(seam_table_create(columns, 2, &table, &error), SEAM_OK);
  element[0] = 'x';
  cr_expect_eq(seam_table_n_columns(table), 2);
  cr_expect_str_eq(seam_table_column(table, 0)->name, "run");
  cr_expect_str_eq(seam_table_column(table, 0)->unit, "");
  cr_expect_eq(seam_table_find(table, "pull.max"), 1);
  cr_expect_str_eq(seam_table_column(table, 1)->unit, "N");
  seam_table_destroy(table);
  expect_refused(seam_table_create(NULL, 2, &table, &error), SEAM_BAD_INPUT, "'columns' is NULL", &error);
}
