/* Collocation couplings of two linear oscillators: maps computed independently, orders, stability. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "analysis/oracle/oracle_collocation.h"
#include "analysis/propagation.h"
#include "tests/support/textbook_fixture.h"

/* The map (4 x 4, column by column) of one macro step. */
static void map_of(const analysis_oscillators *model, const char *name, double H, double *Phi) {
  cosim_scheme scheme;
  analysis_test_model *coupled = NULL;
  seam_error error = {0};
  cr_assert_eq(cosim_scheme_for(name, model->rigid, &scheme, &error), SEAM_OK, "%s", error.message);
  cr_assert_eq(analysis_test_model_create(model, &scheme, &coupled, &error), SEAM_OK, "%s", error.message);
  cr_assert_eq(cosim_master_n_state(analysis_test_model_master(coupled)), 4, "%s", name);
  cr_assert_eq(analysis_propagation(analysis_test_model_master(coupled), H, Phi, &error), SEAM_OK, "%s: %s", name,
               error.message);
  analysis_test_model_destroy(coupled);
}

/* ---- Independent data ---- */

/* Columns of the file: kind, s, m1, c1, d1, m2, c2, d2, cc, dc, H, spectral radius, map. */
Test(collocation, whole_maps) {
  FILE *file = data_open("collocation_maps.csv");
  int n_maps = 0;
  double worst = 0;
  for (data_row row; data_next(file, &row); n_maps++) {
    const bool rigid = strcmp(row.word[0], "constraint") == 0;
    const analysis_oscillators model = {.side = {{data_number(&row, 2), data_number(&row, 3), data_number(&row, 4)},
                                                 {data_number(&row, 5), data_number(&row, 6), data_number(&row, 7)}},
                                        .rigid = rigid,
                                        .stiffness = rigid ? 0 : data_number(&row, 8),
                                        .damping = rigid ? 0 : data_number(&row, 9)};
    char name[32];
    double Phi[16];
    double largest = 0;
    double difference = 0;
    snprintf(name, sizeof name, "ff-colloc-s%d", (int)data_number(&row, 1));
    map_of(&model, name, data_number(&row, 10), Phi);
    for (int i = 0; i < 16; i++)
      largest = fmax(largest, fabs(data_number(&row, 12 + i)));
    for (int i = 0; i < 16; i++)
      difference = fmax(difference, fabs(Phi[i / 4 + i % 4 * 4] - data_number(&row, 12 + i)));
    worst = fmax(worst, difference / largest);
    cr_expect_leq(difference, 1e-10 * largest, "%s, row %d: %.3g", name, n_maps, difference / largest);
  }
  fclose(file);
  cr_expect_eq(n_maps, 240);
  cr_log_info("largest difference %.3g", worst);
}

/* ---- Random models ---- */

static double uniform(uint64_t *state, double from, double to) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return from + (to - from) * (double)(*state >> 11) * 0x1p-53;
}

/* For a macro step of 1: H ω of the subsystems up to 3, mass ratios from 0.01 to 100, stiffness of the coupling from
 * `softest` over `decades`; dampers in the same proportion to the critical ones everywhere. */
static analysis_oscillators random_model(uint64_t *state, double softest, double decades, double damping_ratio) {
  analysis_oscillators model = {.side = {{.mass = 1}, {.mass = pow(10, uniform(state, -2, 2))}}};
  for (int side = 0; side < 2; side++) {
    analysis_oscillator *o = &model.side[side];
    const double omega = uniform(state, 0, 3);
    o->stiffness = o->mass * omega * omega;
    o->damping = 2 * damping_ratio * o->mass * omega;
  }
  const double reduced = model.side[1].mass / (1 + model.side[1].mass);
  model.stiffness = softest * pow(10, uniform(state, 0, decades));
  model.damping = 2 * damping_ratio * sqrt(model.stiffness * reduced);
  return model;
}

static void oracle_map_of(const analysis_oscillators *model, const char *name, double *Phi) {
  oracle_model exact = {.cc = model->stiffness, .dc = model->damping, .rigid = model->rigid};
  oracle_collocation scheme;
  quad rows[16];
  for (int side = 0; side < 2; side++) {
    exact.m[side] = model->side[side].mass;
    exact.c[side] = model->side[side].stiffness;
    exact.d[side] = model->side[side].damping;
  }
  cr_assert(oracle_collocation_read(name, model->rigid, &scheme), "%s", name);
  cr_assert(oracle_collocation_map(&exact, &scheme, rows), "%s", name);
  for (int i = 0; i < 16; i++)
    Phi[i / 4 + i % 4 * 4] = (double)rows[i];
}

/* Largest difference between the maps of master and oracle against the largest entry. */
static double difference_of_maps(const analysis_oscillators *model, const char *name) {
  double Phi[16];
  double exact[16];
  double largest = 0;
  double difference = 0;
  map_of(model, name, 1, Phi);
  oracle_map_of(model, name, exact);
  for (int i = 0; i < 16; i++) {
    largest = fmax(largest, fabs(exact[i]));
    difference = fmax(difference, fabs(Phi[i] - exact[i]));
  }
  return difference / largest;
}

Test(collocation, master_and_oracle_agree) {
  static const char *const decompositions[] = {"ff", "fd", "df", "dd", "ff"};
  enum { n_samples = 40 };
  uint64_t seed = 20261122;
  for (int d = 0; d < 5; d++)
    for (int s = 1; s <= 5; s++) {
      char name[32];
      double worst = 0;
      snprintf(name, sizeof name, "%s-colloc-s%d", decompositions[d], s);
      for (int i = 0; i < n_samples; i++) {
        analysis_oscillators model = random_model(&seed, 0.1, 9, i % 2 * 0.01);
        model.rigid = d == 4;
        const double difference = difference_of_maps(&model, name);
        fprintf(stderr, "DIFF %s cc %.2e m2 %.2e %.2e\n", name, model.stiffness, model.side[1].mass, difference);
        worst = fmax(worst, difference);
      }
      fprintf(stderr, "WORST %s %.3g\n", name, worst);
    }
}
