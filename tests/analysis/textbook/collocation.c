/* Collocation couplings of two linear oscillators: maps computed independently, orders, stability. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "analysis/spectrum.h"
#include "tests/support/oracle/oracle_collocation.h"
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

/* Overdamped masses among them, and coupling dampers without a spring. */
static void expect_radius(const char *name, bool rigid, const double *number) {
  const seam_oscillators model = {.m1 = number[0],
                                  .c1 = number[1],
                                  .d1 = number[2],
                                  .m2 = number[3],
                                  .c2 = number[4],
                                  .d2 = number[5],
                                  .cc = rigid ? 0 : number[6],
                                  .dc = rigid ? 0 : number[7]};
  seam_stability_point point = {.rho = NAN};
  seam_error error = {0};
  cr_assert_eq(seam_oscillators_stability(&model, rigid, name, number[8], &point, &error), SEAM_OK, "%s: %s", name,
               error.message);
  cr_expect_leq(fabs(point.rho - number[9]), point.uncertainty + 1e-10 * number[9],
                "%s: %.15g, reference %.15g +- %.1e", name, point.rho, number[9], point.uncertainty);
}

/* Numbers from `first` on: m1, c1, d1, m2, c2, d2, cc, dc, H, spectral radius, map. Returns the difference per unit of
 * its largest entry. */
static double difference_of_map(const data_row *row, int first, const char *name) {
  double number[26];
  double Phi[16];
  double largest = 0;
  double difference = 0;
  for (int i = 0; i < 26; i++)
    number[i] = data_number(row, first + i);
  const bool rigid = strcmp(row->word[0], "constraint") == 0;
  const analysis_oscillators model = {.side = {{number[0], number[1], number[2]}, {number[3], number[4], number[5]}},
                                      .rigid = rigid,
                                      .stiffness = rigid ? 0 : number[6],
                                      .damping = rigid ? 0 : number[7]};
  map_of(&model, name, number[8], Phi);
  expect_radius(name, rigid, number);
  for (int i = 0; i < 16; i++) {
    largest = fmax(largest, fabs(number[10 + i]));
    difference = fmax(difference, fabs(Phi[i / 4 + i % 4 * 4] - number[10 + i]));
  }
  return difference / largest;
}

static void expect_maps(const char *path, bool has_decomposition, int expected, double tolerance) {
  FILE *file = data_open(path);
  int n_maps = 0;
  double worst = 0;
  for (data_row row; data_next(file, &row); n_maps++) {
    const int first = has_decomposition ? 2 : 1;
    char name[32];
    snprintf(name, sizeof name, "%s-colloc-s%d", has_decomposition ? row.word[1] : "ff", (int)data_number(&row, first));
    const double difference = difference_of_map(&row, first + 1, name);
    worst = fmax(worst, difference);
    cr_expect_leq(difference, tolerance, "%s, row %d: %.3g", name, n_maps, difference);
  }
  fclose(file);
  cr_expect_eq(n_maps, expected);
  cr_log_info("largest difference %.3g", worst);
}

Test(collocation, whole_maps_of_forces) { expect_maps("collocation_maps.csv", false, 240, 1e-10); }

/* With s = 5 a joint's twelve unknowns lose six digits. */
Test(collocation, whole_maps_of_motions_and_accelerations) {
  expect_maps("collocation_maps_fd_dd.csv", true, 60, 2e-10);
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

/* A side that the other's motion drives has the stiff coupling within, whose exponential loses digits. */
static double tolerance_of(const analysis_oscillators *model, const char *name) {
  const bool moves = strncmp(name, "ff", 2) != 0;
  return 1e-10 * (1 + (moves ? model->stiffness / fmin(1, model->side[1].mass) / 100 : 0));
}

/* Stiffness over nine decades, without damping and with 1 %. */
static void expect_agreement(const char *decomposition, bool rigid, double decades) {
  enum { n_samples = 40 };
  uint64_t seed = 20261122;
  for (int s = 1; s <= 5; s++)
    for (int i = 0; i < n_samples; i++) {
      char name[32];
      analysis_oscillators model = random_model(&seed, 0.1, decades, i % 2 * 0.01);
      model.rigid = rigid;
      snprintf(name, sizeof name, "%s-colloc-s%d", decomposition, s);
      const double difference = difference_of_maps(&model, name);
      cr_expect_leq(difference, tolerance_of(&model, name), "%s, rigid %d, c = %g, m2 = %g: %.3g", name, rigid,
                    model.stiffness, model.side[1].mass, difference);
    }
}

Test(collocation, master_and_oracle_agree_at_springs) {
  expect_agreement("ff", false, 9);
  expect_agreement("fd", false, 9);
  expect_agreement("df", false, 9);
  expect_agreement("dd", false, 9);
}

Test(collocation, master_and_oracle_agree_at_joints) { expect_agreement("ff", true, 9); }

/* ---- Orders: where double precision shows them; all of them are in oracle.c of the tests ---- */

enum { n_runs = 3 };

typedef struct orders {
  double position, velocity, force;
} orders;

/* Numbers of macro steps in SEAM_TEST_MODEL_END, by s: errors must be small, but above rounding. */
static const int at_springs[5][n_runs] = {
    [1] = {200, 283, 400}, [2] = {100, 141, 200}, [3] = {40, 56, 80}, [4] = {24, 34, 48}};
static const int at_joints[6][n_runs] = {
    [1] = {100, 141, 200}, [2] = {64, 90, 128}, [3] = {40, 56, 80}, [4] = {26, 34, 42}, [5] = {11, 14, 17}};

static const int by_motions[4][n_runs] = {[1] = {100, 141, 200}, [2] = {48, 68, 96}, [3] = {32, 45, 64}};
static const int by_accelerations[4][n_runs] = {[1] = {100, 141, 200}, [2] = {32, 45, 64}, [3] = {16, 20, 25}};

static const int *steps_of(const char *decomposition, int s, bool rigid) {
  const bool has_forces_alone = strcmp(decomposition, "ff") == 0;
  if (rigid)
    return has_forces_alone ? at_joints[s] : by_accelerations[s];
  return strcmp(decomposition, "dd") == 0 ? by_motions[s] : at_springs[s];
}

static orders orders_of(const char *decomposition, int s, bool rigid) {
  double H[n_runs];
  double errors[3][n_runs];
  double floors[n_runs];
  char name[32];
  snprintf(name, sizeof name, "%s-colloc-s%d", decomposition, s);
  for (int i = 0; i < n_runs; i++) {
    seam_test_errors e;
    seam_error error = {0};
    H[i] = SEAM_TEST_MODEL_END / steps_of(decomposition, s, rigid)[i];
    const seam_status status = rigid ? seam_constraint_errors(name, true, H[i], &e, &error)
                                     : seam_constitutive_errors(name, true, H[i], &e, &error);
    cr_assert_eq(status, SEAM_OK, "%s: %s", name, error.message);
    errors[0][i] = e.global_position;
    errors[1][i] = e.global_velocity;
    errors[2][i] = e.global_force;
    floors[i] = e.global_rounding;
  }
  double slope[3];
  for (int j = 0; j < 3; j++) {
    const seam_orders found = seam_orders_fit(H, errors[j], floors, n_runs);
    cr_expect_eq(found.fine.n, n_runs, "%s: errors are at rounding", name);
    slope[j] = found.fine.slope;
  }
  return (orders){slope[0], slope[1], slope[2]};
}

/* Of a force: of the quadrature on c_1, .., c_(s-1), 1, 1. */
static void expect_quadrature_order(const char *decomposition, int highest) {
  for (int s = 1; s <= highest; s++) {
    const orders found = orders_of(decomposition, s, false);
    cr_expect_float_eq(found.position, 2 * s, 0.1, "%s, s = %d: %.3f", decomposition, s, found.position);
    cr_expect_float_eq(found.velocity, 2 * s, 0.1, "%s, s = %d: %.3f", decomposition, s, found.velocity);
  }
}

Test(collocation, orders_at_springs_where_a_force_is_exchanged) {
  expect_quadrature_order("ff", 4);
  expect_quadrature_order("fd", 3);
  expect_quadrature_order("df", 3);
}

/* Motions of degree s + 2, and multipliers at Gauss points, gain 2. */
static void expect_gained_order(const char *decomposition, bool rigid) {
  for (int s = 1; s <= 3; s++) {
    const orders found = orders_of(decomposition, s, rigid);
    const double within = s < 3 ? 0.1 : 0.2; /* errors of 1e-12 */
    cr_expect_float_eq(found.position, 2 * s + 2, within, "%s, s = %d: %.3f", decomposition, s, found.position);
    cr_expect_float_eq(found.velocity, 2 * s + 2, within, "%s, s = %d: %.3f", decomposition, s, found.velocity);
  }
}

Test(collocation, orders_at_springs_where_motions_are_exchanged) { expect_gained_order("dd", false); }

Test(collocation, orders_at_joints_where_accelerations_are_prescribed) {
  expect_gained_order("fd", true);
  expect_gained_order("df", true);
  expect_gained_order("dd", true);
}

/* Multipliers act through two integrations, which gains where 2 s is small. */
static const int gained[6] = {[1] = 4, [2] = 5, [3] = 6, [4] = 8, [5] = 10};

Test(collocation, orders_at_joints) {
  for (int s = 1; s <= 5; s++) {
    const orders found = orders_of("ff", s, true);
    const double within = s < 5 ? 0.1 : 0.2; /* rounding hides the asymptote: errors of 1e-13 */
    cr_expect_float_eq(found.position, gained[s], within, "s = %d: %.3f", s, found.position);
    cr_expect_float_eq(found.velocity, gained[s], within, "s = %d: %.3f", s, found.velocity);
    cr_expect_float_eq(found.force, s + 1, 0.1, "s = %d: %.3f", s, found.force);
  }
}

/* ---- Stability ---- */

/* Random models over eleven decades of stiffness: those that grow, and between which H Ω / π, Ω² = c (1 / m1 + 1 / m2).
 */
typedef struct survey {
  int n, n_unstable;
  double growth; /* the largest of ρ - 1 */
  double from, to;
} survey;

static double growth_of(const analysis_oscillators *model, const char *name) {
  double Phi[16];
  double rho = 0;
  double uncertainty = 0;
  map_of(model, name, 1, Phi);
  cr_assert_eq(analysis_spectral_radius(4, Phi, 1e-13, &rho, &uncertainty, NULL), SEAM_OK);
  return rho - 1;
}

static survey survey_of(const char *decomposition, int s, bool rigid, double damping_ratio, double up_to) {
  enum { n_samples = 1500 };
  const double pi = acos(-1);
  uint64_t seed = 20261122;
  survey found = {.from = INFINITY};
  char name[32];
  snprintf(name, sizeof name, "%s-colloc-s%d", decomposition, s);
  for (int i = 0; i < n_samples; i++) {
    analysis_oscillators model = random_model(&seed, 1e-3, 11, damping_ratio);
    const double turns = sqrt(model.stiffness * (1 + 1 / model.side[1].mass)) / pi;
    model.rigid = rigid;
    if (turns > up_to)
      continue;
    const double growth = growth_of(&model, name);
    found.n++;
    if (growth > 1e-6) {
      found.n_unstable++;
      found.from = fmin(found.from, turns);
      found.to = fmax(found.to, turns);
    }
    found.growth = fmax(found.growth, growth);
  }
  return found;
}

Test(collocation, one_stage_is_never_unstable) {
  const survey found = survey_of("ff", 1, false, 0, INFINITY);
  cr_expect_eq(found.n_unstable, 0, "growth %g", found.growth);
  cr_expect_lt(found.growth, 1e-9);
}

Test(collocation, more_stages_are_unstable_in_bands_without_damping) {
  static const double largest[6] = {[2] = 0.12, [3] = 0.36, [4] = 0.66, [5] = 0.93};
  for (int s = 2; s <= 5; s++) {
    const survey found = survey_of("ff", s, false, 0, INFINITY);
    cr_expect(found.n_unstable > 0 && found.n_unstable < 0.06 * found.n, "s = %d: %d", s, found.n_unstable);
    cr_expect_lt(found.growth, largest[s], "s = %d: %g", s, found.growth);
    cr_expect(found.from > 0.3 && found.to < s + 0.5, "s = %d: %g to %g", s, found.from, found.to);
  }
}

Test(collocation, damping_ends_the_bands) {
  static const double largest[6] = {1e-9, 1e-9, 1e-9, 1e-9, 0.07, 0.19};
  for (int s = 1; s <= 5; s++) {
    const survey found = survey_of("ff", s, false, 0.05, INFINITY);
    cr_expect_lt(found.growth, largest[s], "s = %d: %g", s, found.growth);
  }
}

Test(collocation, joints_are_never_unstable) {
  for (int s = 1; s <= 5; s++) {
    const survey found = survey_of("ff", s, true, 0, INFINITY);
    cr_expect_lt(found.growth, 1e-9, "s = %d: %g", s, found.growth);
  }
}

/* The spring goes with the side that is moved, which rings when it is stiff: docs/stability-study.md. */
Test(collocation, exchanged_motions_are_stable_at_soft_springs_with_damping) {
  static const char *const decompositions[] = {"fd", "df", "dd"};
  for (int d = 0; d < 3; d++)
    for (int s = 1; s <= 5; s++) {
      const survey found = survey_of(decompositions[d], s, false, 0.01, 0.5);
      cr_expect_gt(found.n, 100);
      cr_expect_lt(found.growth, 1e-9, "%s, s = %d: %g", decompositions[d], s, found.growth);
    }
}
