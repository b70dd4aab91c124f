/* Several couplings at once, of different schemes: the motion tends to that of the whole, at least with the lowest
 * order of all. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>

#include "tests/support/mass_chain.h"

static const mass_chain_mass light = {1, 10, 0.2, 1, 0};
static const mass_chain_mass middle = {2, 4, 0.5, 0.3, -1};
static const mass_chain_mass heavy = {3, 25, 0.1, -0.5, 0.4};

static void expect_order(const mass_chain_def *def, double order) {
  const cosim_master_options options = cosim_default_master_options();
  const double coarse = mass_chain_error(def, &options, 0.5, 32);
  const double fine = mass_chain_error(def, &options, 0.5, 64);
  const double measured = log2(coarse / fine);
  char schemes[200] = "";
  for (int b = 0, length = 0; b < def->n_bars; b++)
    length += snprintf(schemes + length, sizeof schemes - (size_t)length, " %s", def->bar[b].scheme);
  cr_expect_gt(measured, order - 0.3, "order %.2f instead of %.0f, error %g:%s", measured, order, fine, schemes);
  cr_expect_lt(fine, 0.3 * pow(2, 1 - order), "error %g:%s", fine, schemes);
}

/* ---- Three masses in a row ---- */

static mass_chain_bar spring(int first, int second, const char *scheme) {
  return (mass_chain_bar){{first, second}, false, 30 - 5 * first, 0.5 * second, scheme};
}

static mass_chain_bar rigid(int first, int second, const char *scheme) {
  return (mass_chain_bar){{first, second}, true, 0, 0, scheme};
}

static void expect_row(mass_chain_bar first, mass_chain_bar second, double order) {
  const mass_chain_def def = {.n_masses = 3, .n_bars = 2, .mass = {light, middle, heavy}, .bar = {first, second}};
  expect_order(&def, order);
}

Test(mixed, springs_in_a_row) {
  static const struct {
    const char *first, *second;
    double order;
  } table[] = {
      {"ff-k0", "ff-k0", 1},     {"ff-k1", "fd-k2", 2},     {"dd-k2", "fd-k2", 3},
      {"ff-k3", "df-k3", 4},     {"ff-d-k1", "ff-d-k2", 2}, {"fd-d-k2", "df-d-k2", 3},
      {"ff-i-k1", "ff-i-k2", 4}, {"ff-i-k1", "ff-d-k2", 3}, {"ff-d-k2", "dd-k1", 2},
  };
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    expect_row(spring(0, 1, table[i].first), spring(2, 1, table[i].second), table[i].order);
}

Test(mixed, collocation_beside_other_schemes) {
  static const struct {
    const char *first, *second;
    double order;
  } springs[] =
      {
          {"ff-colloc-s3", "ff-colloc-s1", 2},
          {"ff-colloc-s3", "ff-k2", 3},
          {"ff-k0", "fd-colloc-s2", 1},
          {"fd-colloc-s2", "fd-d-k1", 2},
          {"dd-colloc-s2", "ff-i-k1", 4},
          {"df-colloc-s4", "dd-k2", 3},
          {"ff-k2-explicit", "ff-colloc-s2", 3},
          {"ff-colloc-s2-implicit", "ff-k1", 2},
          {"ff-colloc-s2", "ff-i-k2-implicit", 4},
      },
    bars[] = {
        {"ff-colloc-s1", "ff-index2-k1", 2},    {"ff-colloc-s2", "ff-index1-k0", 2},
        {"ff-colloc-s2", "ff-baumgarte-k1", 3}, {"ff-colloc-s2", "fd-projection-k1", 2},
        {"fd-colloc-s2", "ff-weighted-k1", 4},  {"ff-i-k1", "ff-colloc-s1", 4},
        {"dd-k2", "ff-colloc-s3", 3},
    };
  for (size_t i = 0; i < sizeof springs / sizeof *springs; i++)
    expect_row(spring(0, 1, springs[i].first), spring(2, 1, springs[i].second), springs[i].order);
  for (size_t i = 0; i < sizeof bars / sizeof *bars; i++)
    expect_row(spring(0, 1, bars[i].first), rigid(2, 1, bars[i].second), bars[i].order);
  expect_row(rigid(0, 1, "ff-colloc-s3"), rigid(2, 1, "ff-index2-k1"), 4);
  expect_row(rigid(0, 1, "ff-colloc-s1"), rigid(1, 2, "ff-projection-k0"), 2);
}

Test(mixed, explicit_and_corrected_springs_in_a_row) {
  expect_row(spring(0, 1, "ff-k0-explicit"), spring(2, 1, "ff-k2"), 1);
  expect_row(spring(0, 1, "dd-k1-explicit"), spring(2, 1, "fd-k1-explicit"), 2);
  expect_row(spring(0, 1, "ff-k2-explicit"), spring(2, 1, "ff-d-k2"), 3);
  expect_row(spring(0, 1, "ff-k2-explicit"), spring(2, 1, "ff-d-k2-implicit"), 3);
}

Test(mixed, a_spring_and_a_rigid_bar_in_a_row) {
  static const struct {
    const char *first, *second;
    double order;
  } table[] = {
      {"ff-d-k1", "ff-index1-k1", 2},     {"ff-i-k1", "ff-index2-k0", 4},     {"ff-i-k2", "ff-index1-k1", 4},
      {"ff-d-k2", "ff-index1-k0", 3},     {"ff-d-k2", "ff-index1-k2", 3},     {"ff-k2-explicit", "ff-index2-k1", 3},
      {"ff-i-k1", "ff-baumgarte-k0", 2},  {"ff-i-k1", "ff-baumgarte-k1", 3},  {"ff-i-k1", "ff-baumgarte-k2", 4},
      {"ff-i-k1", "fd-baumgarte-k0", 1},  {"fd-k1", "fd-baumgarte-k1", 2},    {"ff-i-k1", "df-baumgarte-k1", 2},
      {"dd-k1", "ff-weighted-k0", 2},     {"ff-k3", "ff-weighted-k1", 4},     {"ff-k3", "df-weighted-k1", 2},
      {"ff-i-k1", "ff-projection-k0", 2}, {"ff-i-k1", "ff-projection-k1", 3}, {"ff-i-k1", "ff-projection-k2", 4},
      {"ff-k0", "fd-projection-k1", 1},   {"ff-i-k1", "fd-projection-k1", 2}, {"ff-i-k1", "dd-projection-k1", 2},
      {"ff-i-k1", "dd-projection-k2", 3},
  };
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    expect_row(spring(0, 1, table[i].first), rigid(2, 1, table[i].second), table[i].order);
}

Test(mixed, rigid_bars_in_a_row) {
  expect_row(rigid(0, 1, "ff-index2-k0"), rigid(2, 1, "ff-index1-k1"), 3); /* accelerations follow the rougher λ */
  expect_row(rigid(0, 1, "ff-index2-k1"), rigid(2, 1, "ff-index1-k0"), 3);
  expect_row(rigid(0, 1, "ff-projection-k1"), rigid(1, 2, "ff-index2-k1"), 3);
  expect_row(rigid(0, 1, "ff-projection-k1"), rigid(1, 2, "ff-projection-k0"), 2);
  expect_row(rigid(0, 1, "ff-baumgarte-k1"), rigid(2, 1, "ff-baumgarte(mu=3)-k1"), 3);
  expect_row(rigid(0, 1, "fd-baumgarte-k1"), rigid(1, 2, "fd-baumgarte-k1"), 2);
  expect_row(rigid(0, 1, "ff-weighted-k1"), rigid(2, 1, "ff-weighted-k1"), 4);
}

/* ---- Other shapes ---- */

Test(mixed, a_ring_of_three) {
  expect_order(&(mass_chain_def){.n_masses = 3,
                                 .n_bars = 3,
                                 .mass = {light, middle, heavy},
                                 .bar = {spring(0, 1, "ff-k2"), spring(1, 2, "fd-d-k2"), spring(2, 0, "dd-k2")}},
               3);
  expect_order(&(mass_chain_def){.n_masses = 3,
                                 .n_bars = 3,
                                 .mass = {light, middle, heavy},
                                 .bar = {rigid(0, 1, "ff-index2-k0"), spring(1, 2, "ff-i-k1"), spring(2, 0, "ff-k3")}},
               4);
}

Test(mixed, a_star_of_four) {
  expect_order(&(mass_chain_def){.n_masses = 4,
                                 .n_bars = 3,
                                 .mass = {middle, light, heavy, light},
                                 .bar = {spring(0, 1, "ff-k1"), spring(2, 0, "df-k2"), spring(0, 3, "ff-d-k2")}},
               2);
  expect_order(
      &(mass_chain_def){.n_masses = 4,
                        .n_bars = 3,
                        .mass = {middle, light, heavy, light},
                        .bar = {rigid(0, 1, "ff-index2-k0"), rigid(2, 0, "ff-index1-k1"), spring(0, 3, "ff-i-k1")}},
      3);
}

Test(mixed, two_couplings_between_one_pair) {
  expect_order(
      &(mass_chain_def){
          .n_masses = 2, .n_bars = 2, .mass = {light, heavy}, .bar = {spring(0, 1, "ff-k2"), spring(1, 0, "dd-k2")}},
      3);
  expect_order(&(mass_chain_def){.n_masses = 2,
                                 .n_bars = 2,
                                 .mass = {light, heavy},
                                 .bar = {rigid(0, 1, "ff-index2-k0"), spring(1, 0, "ff-i-k2")}},
               4);
}
