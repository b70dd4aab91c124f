/* Conditions at a cut: they hold where they should, and their derivatives are those of differences. */
#include "cosim/schemes/condition.h"

#include <criterion/criterion.h>
#include <math.h>

#include "tests/support/random.h"

static const double H = 0.1;

/* ---- A law that is not linear ---- */

/* In one coordinate: W = 10 s + 40 s³ + (1 + s²) v, s = x2 - x1, v = v2 - v1. */
static void bent_wrench(const cosim_element *self, const cosim_motion m[2], double W[COSIM_MAX_FORCES]) {
  const double s = m[1].x[0] - m[0].x[0];
  (void)self;
  W[0] = 10 * s + 40 * s * s * s + (1 + s * s) * (m[1].v[0] - m[0].v[0]);
  W[1] = W[2] = W[3] = 0;
}

static void bent_gradients(const cosim_element *self, const cosim_motion m[2], cosim_gradient Wx, cosim_gradient Wv) {
  const double s = m[1].x[0] - m[0].x[0];
  const double by_x = 10 + 120 * s * s + 2 * s * (m[1].v[0] - m[0].v[0]);
  (void)self;
  for (int i = 0; i < COSIM_MAX_FORCES; i++)
    for (int j = 0; j < 2 * COSIM_MAX_DIMS; j++)
      Wx[i][j] = Wv[i][j] = 0;
  Wx[0][0] = -by_x;
  Wx[0][COSIM_MAX_DIMS] = by_x;
  Wv[0][0] = -(1 + s * s);
  Wv[0][COSIM_MAX_DIMS] = 1 + s * s;
}

static const cosim_element_ops bent_ops = {.wrench = bent_wrench, .wrench_gradients = bent_gradients};
static const cosim_element bent = {.ops = &bent_ops, .n_dims = 1, .n_forces = 1, .length = 1, .rate = 1};

/* ---- Ends of steps ---- */

static void fill(double *number, int n, uint64_t *seed) {
  for (int i = 0; i < n; i++)
    number[i] = random_between(seed, -1, 1);
}

/* What a step ends with. */
typedef struct step_end {
  cosim_step_outputs at;
  cosim_approximations w;
} step_end;

static step_end random_end(uint64_t *seed) {
  step_end end;
  fill((double *)&end, (int)(sizeof end / sizeof(double)), seed);
  return end;
}

static step_end moved(const step_end *end, double factor, const step_end *change) {
  step_end sum = *end;
  for (size_t i = 0; i < sizeof sum / sizeof(double); i++)
    ((double *)&sum)[i] += factor * ((const double *)change)[i];
  return sum;
}

static cosim_cut cut_at(const cosim_element *element, const char *scheme) {
  cosim_cut cut = {.name = "cut", .element = element};
  cr_assert_eq(cosim_scheme_for(scheme, element->n_rows > 0, &cut.scheme, NULL), SEAM_OK, "%s", scheme);
  return cut;
}

enum { MAX_CONDITIONS = 60 };

/* ---- Derivatives ---- */

static void expect_derivatives(const cosim_element *element, const char *scheme, uint64_t *random) {
  const cosim_cut cut = cut_at(element, scheme);
  const step_end end = random_end(random);
  const step_end seed = random_end(random);
  const step_end begin = random_end(random);
  const double delta = 1e-5;
  const step_end ahead = moved(&end, delta, &seed);
  const step_end behind = moved(&end, -delta, &seed);
  const cosim_step_interval step = {
      .t = 1 - H, .H = H, .begin = &begin.at.end, .end = &end.at.end, .inner = end.at.inner};
  const cosim_step_interval to_ahead = {
      .t = 1 - H, .H = H, .begin = &begin.at.end, .end = &ahead.at.end, .inner = ahead.at.inner};
  const cosim_step_interval to_behind = {
      .t = 1 - H, .H = H, .begin = &begin.at.end, .end = &behind.at.end, .inner = behind.at.inner};
  const int n = cosim_n_conditions(&cut);
  double found[MAX_CONDITIONS];
  double plus[MAX_CONDITIONS];
  double minus[MAX_CONDITIONS];
  cosim_law_gradients gradients = {0};
  cr_assert_leq(n, MAX_CONDITIONS);
  for (int level = 0; level < 3; level++) {
    cosim_evaluate_law_gradients(&cut, &step, &end.w, &gradients);
    cosim_condition_derivatives(&cut, &step, &gradients, &seed.at, &seed.w, level, found);
    cosim_conditions(&cut, &to_ahead, &ahead.w, level, plus);
    cosim_conditions(&cut, &to_behind, &behind.w, level, minus);
    for (int i = 0; i < n; i++)
      cr_expect_float_eq(found[i], (plus[i] - minus[i]) / (2 * delta), 1e-6, "%s: condition %d", scheme, i);
  }
}

Test(conditions, derivatives_are_those_of_the_conditions_at_springs) {
  static const double stiffness[] = {20, 3, 5};
  static const double damping[] = {0.5, 0.1, 2};
  static const char *const schemes[] = {"ff-k0",        "fd-k1",       "df-k2",        "dd-k3",        "ff-d-k0",
                                        "fd-d-k1",      "df-d-k2",     "dd-d-k1",      "ff-i-k0",      "fd-i-k1",
                                        "df-i-k2",      "dd-i-k1",     "ff-colloc-s1", "ff-colloc-s5", "fd-colloc-s3",
                                        "df-colloc-s2", "dd-colloc-s4"};
  uint64_t seed = 1;
  for (int n_dims = 1; n_dims <= 3; n_dims++) {
    const cosim_linear_element spring = cosim_linear_element_of(n_dims, stiffness, damping);
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++)
      expect_derivatives(&spring.base, schemes[i], &seed);
  }
}

Test(conditions, derivatives_are_those_of_the_conditions_at_a_law_that_is_not_linear) {
  static const char *const schemes[] = {"ff-k0",        "fd-k1",        "dd-k3",        "ff-d-k0",
                                        "fd-d-k1",      "df-d-k2",      "dd-d-k1",      "ff-colloc-s1",
                                        "ff-colloc-s4", "fd-colloc-s2", "df-colloc-s3", "dd-colloc-s3"};
  uint64_t seed = 2;
  for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++)
    expect_derivatives(&bent, schemes[i], &seed);
}

Test(conditions, derivatives_are_those_of_the_conditions_at_rigid_joints) {
  static const char *const schemes[] = {"ff-baumgarte(index=1,mu=2)-k0",
                                        "ff-baumgarte(index=2,mu=2)-k1",
                                        "fd-baumgarte(index=3)-k2",
                                        "df-baumgarte(mu_physical=0.1)-k1",
                                        "fd-weighted(a=2,b=3)-k1",
                                        "ff-projection-k1",
                                        "dd-projection-k2",
                                        "ff-index2-k1",
                                        "ff-index1-k2",
                                        "ff-colloc-s1",
                                        "ff-colloc-s4",
                                        "fd-colloc-s1",
                                        "fd-colloc-s5",
                                        "df-colloc-s3",
                                        "dd-colloc-s1",
                                        "dd-colloc-s4"};
  uint64_t seed = 3;
  for (int n_dims = 1; n_dims <= 3; n_dims++) {
    const cosim_element joined = cosim_joined_element_of(n_dims);
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++)
      expect_derivatives(&joined, schemes[i], &seed);
  }
}

/* ---- Conditions themselves ---- */

/* Residuals at a gap of 2, its rate 3 and second rate 5. */
static void residuals_of(const char *scheme, int level, double *residual) {
  const cosim_element joined = cosim_joined_element_of(1);
  const cosim_cut cut = cut_at(&joined, scheme);
  const cosim_snapshot end = {.motion = {{{1}, {1}, {1}, {0}}, {{3}, {4}, {6}, {0}}}};
  const cosim_step_interval step = {.H = H, .begin = &end, .end = &end};
  cosim_conditions(&cut, &step, &(cosim_approximations){0}, level, residual);
}

static void expect_residual(const char *scheme, int level, double expected) {
  double residual[MAX_CONDITIONS];
  residuals_of(scheme, level, residual);
  cr_expect_float_eq(residual[0], expected, 1e-14, "%s: %g", scheme, residual[0]);
}

/* (4.2) to (4.6): the dimensionless μ counts macro steps. */
Test(conditions, baumgarte_adds_the_gap_and_its_rates) {
  expect_residual("ff-baumgarte(index=1,mu=3)-k0", 0, 2 + 2 * 0.3 * 3 + 0.09 * 5);
  expect_residual("ff-baumgarte(index=1,mu_physical=3)-k0", 0, 2 + 2 * 3 * 3 + 9 * 5);
  expect_residual("ff-baumgarte(index=2,mu=3)-k0", 0, 2 + 2 * 0.3 * 3);
  expect_residual("ff-baumgarte(index=3)-k0", 0, 2);
}

Test(conditions, weighted_multipliers_have_a_root_on_each_level) {
  expect_residual("ff-weighted-k0", 0, 2);
  expect_residual("ff-weighted-k0", 1, 3);
  expect_residual("ff-weighted-k0", 2, 5);
  expect_residual("ff-projection-k0", 0, 5);
}

Test(conditions, extended_multipliers_hold_all_levels) {
  double residual[MAX_CONDITIONS];
  residuals_of("ff-index1-k0", 0, residual);
  cr_expect_float_eq(residual[0], 2, 0);
  cr_expect_float_eq(residual[1], 3, 0);
  cr_expect_float_eq(residual[2], 5, 0);
}

/* In steady motion, x1 = t², x2 = 3 t², of a linear law all conditions hold for the exact coupling variables. */
Test(conditions, exact_coupling_variables_meet_all_conditions) {
  static const char *const schemes[] = {"ff-d-k2", "ff-i-k2", "fd-d-k2", "fd-i-k2", "dd-d-k2", "dd-i-k2"};
  const double c = 20;
  const double d = 0.5;
  const cosim_linear_element spring = cosim_linear_element_of(1, &c, &d);
  const double t = 0.4;
  const double T = t - H;
  const double integral = (t * t * t - T * T * T) / 3; /* of t² over the step */
  const cosim_snapshot begin = {.motion = {{{T * T}, {2 * T}, {2}, {0}}, {{3 * T * T}, {6 * T}, {6}, {0}}}};
  const cosim_snapshot end = {
      .motion = {{{t * t}, {2 * t}, {2}, {integral}}, {{3 * t * t}, {6 * t}, {6}, {3 * integral}}}};
  const cosim_step_interval step = {.t = T, .H = H, .begin = &begin, .end = &end};
  for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
    const cosim_cut cut = cut_at(&spring.base, schemes[i]);
    cosim_approximations w = {0};
    double residual[MAX_CONDITIONS];
    for (int v = 0; v < cut.scheme.n_variables; v++) {
      const cosim_variable *variable = &cut.scheme.variable[v];
      const double factor = variable->source == 1 ? 3 : 1;
      const cosim_approximation of_kind[cosim_n_kinds] = {
          [COSIM_FORCE] = {.end = 2 * c * t * t + 4 * d * t,
                           .new_value = {2 * c * t * t + 4 * d * t},
                           .rate = 4 * c * t + 4 * d,
                           .integral = 2 * c * integral + 2 * d * (t * t - T * T)},
          [COSIM_POSITION] = {.end = factor * t * t, .rate = factor * 2 * t, .integral = factor * integral},
          [COSIM_VELOCITY] = {.end = factor * 2 * t, .rate = factor * 2, .integral = factor * (t * t - T * T)}};
      w.of[v][0] = of_kind[variable->kind];
    }
    cosim_conditions(&cut, &step, &w, 0, residual);
    for (int j = 0; j < cosim_n_conditions(&cut); j++)
      cr_expect_float_eq(residual[j], 0, 1e-14, "%s: condition %d: %g", schemes[i], j, residual[j]);
  }
}
