/* Schemes: names, and the rules by which coupling variables are approximated. */
#include "cosim/master/scheme.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

static cosim_scheme parse(const char *name, bool at_constraint) {
  cosim_scheme scheme;
  seam_error error = {0};
  cr_assert_eq(cosim_scheme_parse(name, at_constraint, &scheme, &error), SEAM_OK, "%s", error.message);
  return scheme;
}

/* ---- Names ---- */

Test(schemes, one_corrector_is_the_default) {
  cr_expect_eq(parse("ff-k1", false).iteration, COSIM_SEMI);
  cr_expect_eq(parse("ff-k1-explicit", false).iteration, COSIM_EXPLICIT);
  cr_expect_eq(parse("ff-d-k1-implicit", false).iteration, COSIM_IMPLICIT);
}

Test(schemes, weights_are_a_mean) {
  const cosim_scheme scheme = parse("fd-weighted(a=2,b=5)-k1", true);
  cr_expect_float_eq(scheme.weight[0], 1.0 / 8, 1e-16);
  cr_expect_float_eq(scheme.weight[1], 2.0 / 8, 1e-16);
  cr_expect_float_eq(scheme.weight[2], 5.0 / 8, 1e-16);
}

Test(schemes, mu_is_in_macro_steps_unless_physical) {
  const cosim_scheme usual = parse("ff-baumgarte(index=2,mu=5)-k0", true);
  const cosim_scheme physical = parse("ff-baumgarte(mu_physical=0.01)-k0", true);
  cr_expect_eq(usual.index, 2);
  cr_expect_eq(usual.mu, 5);
  cr_expect_not(usual.mu_is_physical);
  cr_expect_eq(physical.index, 1);
  cr_expect_eq(physical.mu, 0.01);
  cr_expect(physical.mu_is_physical);
}

Test(schemes, inner_nodes_lie_evenly_unless_given) {
  cr_expect_float_eq(parse("ff-index2-k1", true).nodes[0], 0.5, 0);
  cr_expect_float_eq(parse("ff-index1-k1", true).nodes[0], 2.0 / 3, 1e-16);
  cr_expect_float_eq(parse("ff-index1-k1", true).nodes[1], 1.0 / 3, 1e-16);
  cr_expect_float_eq(parse("ff-index1(nodes=0.8)-k2", true).nodes[1], 0.2, 1e-16);
}

static void expect_refused(const char *name, bool at_constraint, const char *fix) {
  cosim_scheme scheme;
  seam_error error = {0};
  cr_expect_eq(cosim_scheme_parse(name, at_constraint, &scheme, &error), SEAM_BAD_INPUT, "%s", name);
  cr_expect_not_null(strstr(error.message, fix), "%s", error.message);
}

Test(schemes, methods_belong_to_one_kind_of_cut) {
  expect_refused("ff-index2-k1", false, "scheme of a constitutive cut: write");
  expect_refused("ff-k1", true, "scheme of a constraint cut: write");
  expect_refused("ff-d-k1", true, "-projection (all)");
}

Test(schemes, impossible_constraint_schemes_are_refused) {
  static const char *const names[] = {"dd-baumgarte-k0",
                                      "fd-index2-k0",
                                      "ff-index2-k3",
                                      "ff-projection-k1-explicit",
                                      "ff-baumgarte(mu=-1)-k0",
                                      "ff-baumgarte(mu=0)-k0",
                                      "ff-baumgarte(mu=nan)-k0",
                                      "ff-baumgarte(mu=inf)-k0",
                                      "ff-baumgarte(index=4)-k0",
                                      "ff-baumgarte(a=1)-k0",
                                      "ff-baumgarte(mu)-k0",
                                      "ff-baumgarte(mu=1-k0",
                                      "ff-baumgarte()-k0",
                                      "ff-weighted(a=-1)-k0",
                                      "ff-weighted(a=inf)-k0",
                                      "ff-weighted(b=nan)-k0",
                                      "ff-index2(nodes=1)-k2",
                                      "ff-index1(nodes=0.4)-k2",
                                      "ff-index2(nodes=-0.4)-k2",
                                      "ff-projection(mu=1)-k2",
                                      "ff-projection-k2-semi-semi",
                                      "ff-projection-k2 "};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    expect_refused(names[i], true, names[i]);
}

/* ---- Rules ---- */

/* Nodes of macro steps that were not equally long. */
static const cosim_past uneven = {4, {0, -0.5, -1.2, -3}};

static double power(double tau, int degree) { return degree == 0 ? 1 : pow(tau, degree); }

/* τ^degree as the rule makes it from its values at the nodes; `middle` lies in the piece. */
static double value_at(const cosim_rule *rule, const cosim_past *past, int degree, double tau) {
  double sum = 0;
  for (int i = 0; i < rule->n_new; i++)
    sum += power(rule->node[i], degree) * cosim_signal_value(&rule->of_new[i], tau);
  for (int i = 0; i < rule->n_history; i++)
    sum += power(past->node[i], degree) * cosim_signal_value(&rule->of_history[i], tau);
  return sum;
}

static void expect_exact(const cosim_rule *rule, const cosim_past *past, int degree, const char *name) {
  for (int i = 0; i <= 12; i++)
    cr_expect_float_eq(value_at(rule, past, degree, i / 12.0), power(i / 12.0, degree), 1e-13, "%s, power %d", name,
                       degree);
}

Test(schemes, original_rules_are_exact_for_polynomials_through_uneven_nodes) {
  static const char *const names[] = {"ff-k0", "ff-k1", "ff-k2", "ff-k3"};
  for (int k = 0; k < 4; k++) {
    const cosim_scheme scheme = parse(names[k], false);
    const cosim_rule corrector = cosim_corrector_rule(&scheme, COSIM_FORCE, &uneven);
    const cosim_rule predictor = cosim_predictor_rule(k, &uneven);
    cr_expect_eq(corrector.n_new, 1);
    cr_expect_eq(corrector.n_history, k);
    cr_expect_eq(predictor.n_new, 0);
    cr_expect_eq(predictor.n_history, k + 1);
    for (int degree = 0; degree <= k; degree++) {
      expect_exact(&corrector, &uneven, degree, names[k]);
      expect_exact(&predictor, &uneven, degree, names[k]);
    }
  }
}

Test(schemes, a_short_past_lowers_the_order) {
  const cosim_past young = {2, {0, -1}};
  const cosim_scheme scheme = parse("ff-k3", false);
  const cosim_rule corrector = cosim_corrector_rule(&scheme, COSIM_FORCE, &young);
  const cosim_rule predictor = cosim_predictor_rule(3, &young);
  cr_expect_eq(corrector.n_history, 2);
  cr_expect_eq(predictor.n_history, 2);
  expect_exact(&corrector, &young, 2, "corrector");
  expect_exact(&predictor, &young, 1, "predictor");
}

/* Rules with inner nodes: values and, at the end, rates; constants and lines by pieces, or one polynomial. */
Test(schemes, rules_with_inner_nodes_are_exact_for_their_polynomials) {
  static const struct {
    const char *name;
    bool at_constraint;
    int exact;
  } table[] = {{"ff-d-k0", false, 0},
               {"ff-d-k1", false, 1},
               {"ff-d-k2", false, 2},
               {"ff-i-k2", false, 2},
               {"ff-index2-k0", true, 0},
               {"ff-index2-k1", true, 1},
               {"ff-index2-k2", true, 2},
               {"ff-index1-k0", true, 0},
               {"ff-index1-k1", true, 1},
               {"ff-index1-k2", true, 3},
               {"ff-index1(nodes=0.8)-k2", true, 3},
               {"ff-index2(nodes=0.3)-k2", true, 2}};
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    const cosim_scheme scheme = parse(table[i].name, table[i].at_constraint);
    const cosim_rule rule = cosim_corrector_rule(&scheme, COSIM_FORCE, &uneven);
    for (int degree = 0; degree <= table[i].exact; degree++)
      expect_exact(&rule, &uneven, degree, table[i].name);
  }
}

/* (3.40), docs/conventions.md: 2 (λ1 - λ1/2) for k = 0 and 1, λ0 - 4 λ1/2 + 3 λ1 for k = 2. */
Test(schemes, rates_at_the_end_of_the_d_extension) {
  static const char *const names[] = {"ff-d-k0", "ff-d-k1", "ff-d-k2"};
  static const double expected[][3] = {{2, -2, 0}, {2, -2, 0}, {3, -4, 1}};
  for (int k = 0; k < 3; k++) {
    const cosim_scheme scheme = parse(names[k], false);
    const cosim_rule rule = cosim_corrector_rule(&scheme, COSIM_FORCE, &uneven);
    cr_expect_float_eq(rule.end_slope_new[0], expected[k][0], 1e-14);
    cr_expect_float_eq(rule.end_slope_new[1], expected[k][1], 1e-14);
    cr_expect_float_eq(rule.end_slope_history[0], expected[k][2], 1e-14);
  }
}
