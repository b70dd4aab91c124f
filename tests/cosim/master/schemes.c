/* Schemes: names, and the rules by which coupling variables are approximated. */
#include "cosim/schemes/scheme.h"

#include <criterion/criterion.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static cosim_scheme parse(const char *name, bool at_constraint) {
  cosim_scheme scheme;
  seam_error error = {0};
  cr_assert_eq(cosim_scheme_for(name, at_constraint, &scheme, &error), SEAM_OK, "%s", error.message);
  return scheme;
}

/* ---- Names ---- */

Test(schemes, one_corrector_is_the_default) {
  cr_expect_eq(parse("ff-k1", false).iteration, COSIM_SEMI);
  cr_expect_eq(parse("ff-k1-explicit", false).iteration, COSIM_EXPLICIT);
  cr_expect_eq(parse("ff-k1-update", false).iteration, COSIM_UPDATE);
  cr_expect_eq(parse("ff-d-k1-implicit", false).iteration, COSIM_IMPLICIT);
}

Test(schemes, weights_are_a_mean) {
  const cosim_scheme scheme = parse("fd-weighted(a=2,b=5)-k1", true);
  cr_expect_float_eq(scheme.weight[0], 1.0 / 8, 1e-16);
  cr_expect_float_eq(scheme.weight[1], 2.0 / 8, 1e-16);
  cr_expect_float_eq(scheme.weight[2], 5.0 / 8, 1e-16);
}

/* 0.000...05 and 5000...0: what a generated file may hold. */
Test(schemes, numbers_of_any_length_are_read) {
  char name[400];
  snprintf(name, sizeof name, "ff-baumgarte(mu=5.%0100d)-k1", 0);
  cr_expect_eq(parse(name, true).beta, 10);
  snprintf(name, sizeof name, "ff-baumgarte(mu=0.%099d5e100)-k1", 0);
  cr_expect_float_eq(parse(name, true).beta, 10, 1e-15);
}

Test(schemes, the_cause_is_there_after_a_long_name) {
  char name[3001];
  cosim_scheme scheme;
  seam_error error = {0};
  memset(name, 'x', sizeof name);
  name[sizeof name - 1] = '\0';
  for (int at_constraint = 0; at_constraint < 2; at_constraint++) {
    cr_expect_eq(cosim_scheme_for(name, at_constraint, &scheme, &error), SEAM_BAD_INPUT);
    cr_expect_not_null(strstr(error.message, "expected a decomposition"), "%s", error.message);
  }
}

Test(schemes, mu_is_in_macro_steps_unless_physical) {
  const cosim_scheme usual = parse("ff-baumgarte(index=2,mu=5)-k0", true);
  const cosim_scheme physical = parse("ff-baumgarte(mu_physical=0.01)-k0", true);
  cr_expect_eq(usual.beta, 10);
  cr_expect_eq(usual.gamma, 0);
  cr_expect_not(usual.is_physical);
  cr_expect_eq(physical.beta, 0.02);
  cr_expect_float_eq(physical.gamma, 1e-4, 1e-18);
  cr_expect(physical.is_physical);
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
  cr_expect_eq(cosim_scheme_for(name, at_constraint, &scheme, &error), SEAM_BAD_INPUT, "%s", name);
  cr_expect_not_null(strstr(error.message, fix), "%s", error.message);
}

Test(schemes, names_have_hyphens) {
  expect_refused("ff_k1", false, "did you mean 'ff-k1'?");
  expect_refused("ff_baumgarte_k1_implicit", true, "did you mean 'ff-baumgarte-k1-implicit'?");
}

Test(schemes, methods_belong_to_one_kind_of_cut) {
  expect_refused("ff-index2-k1", false, "this is a force element: take ff-k1; 'ff-index2-k1' is for joints");
  expect_refused("ff-k1", true, "this is a joint: take ff-index2-k1; 'ff-k1' is for force elements");
  expect_refused("ff-d-k1", true, "'ff-d-k1' is for force elements");
}

static void expect_cause(const char *name, size_t column, const char *cause) {
  cosim_scheme scheme;
  seam_error error = {0};
  size_t found = SEAM_NONE;
  cr_assert_eq(cosim_scheme_parse(name, &scheme, &found, &error), SEAM_BAD_INPUT, "%s", name);
  cr_expect_eq(found, column, "%s: column %zu", name, found);
  cr_expect_str_eq(error.message, cause, "%s: %s", name, error.message);
}

#define METHODS                                                                                                        \
  "expected a method, which is d, i, baumgarte, weighted, projection, index2, index1 or colloc, or k and the "         \
  "order"

Test(schemes, a_wrong_name_says_where_and_why) {
  expect_cause("", 0, "expected a decomposition, which is ff, fd, df or dd");
  expect_cause("gg-k1", 0, "expected a decomposition, which is ff, fd, df or dd");
  expect_cause("ff", 2, "expected '-k' and the order, as in 'ff-k1'");
  expect_cause("ff-d", 4, "expected '-k' and the order, as in 'ff-index2-k1'");
  expect_cause("ff-d-", 5, "expected k and the order, as in 'ff-index2-k1'");
  expect_cause("ff-e-k1", 3, METHODS);
  expect_cause("ff-k", 3, METHODS);
  expect_cause("ff-coloc-s3", 3, "there is no method 'coloc'; did you mean 'ff-colloc-s3'?");
  expect_cause("fd-weigthed(a=1,b=2)-k1", 3, "there is no method 'weigthed'; did you mean 'fd-weighted(a=1,b=2)-k1'?");
  expect_cause("ff-k1-fast", 6, "expected explicit, semi, update, implicit or exchange");
  expect_cause("ff-k1-semi-k2", 10, "expected the end of the name");
  expect_cause("ff-k1(mu=1)", 5, "expected '-' or the end of the name");
}

Test(schemes, what_does_not_go_together_is_refused_where_it_stands) {
  expect_cause("dd-baumgarte-k0", 3, "'baumgarte' goes with ff, fd or df, not with dd");
  expect_cause("fd-index2-k0", 3, "'index2' goes with ff, not with fd");
  expect_cause("ff-k9", 3, "the order must be k0 to k3");
  expect_cause("ff-colloc-s0", 10, "the number of stages must be s1 to s5 with colloc");
  expect_cause("ff-colloc-s9", 10, "the number of stages must be s1 to s5 with colloc");
  expect_cause("ff-colloc-k2", 10, "expected s and the number of stages, as in 'ff-colloc-s3'");
  expect_cause("ff-colloc", 9, "expected '-s' and the number of stages, as in 'ff-colloc-s3'");
  expect_cause("ff-colloc-s3-explicit", 13, "'colloc' needs a corrector, which is semi or implicit");
  expect_cause(
      "ff-colloc-s3-update", 13,
      "'colloc' already repeats corrections until they are small, and ends with an update: leave '-update' out");
  expect_cause("ff-index2-k3", 10, "the order must be k0 to k2 with index2");
  expect_cause("ff-d-k1-explicit", 8, "'d' needs a corrector, which is semi, update or implicit");
  expect_cause("fd-i-k1-exchange", 8, "'i' needs a corrector, which is semi, update or implicit");
  expect_cause("ff-k0-exchange", 6, "'exchange' goes with fd or df, not with ff");
  expect_cause("dd-k0-exchange", 6, "'exchange' goes with fd or df, not with dd");
}

Test(schemes, options_are_refused_where_they_stand) {
  expect_cause("ff-weighted(index=2)-k1", 12, "'index' is not an option of 'weighted', which has a or b");
  expect_cause("ff-projection(mu=1)-k1", 14, "'projection' has no options");
  expect_cause("ff-baumgarte(mu)-k1", 15, "expected '=' and a number");
  expect_cause("ff-baumgarte(mu=x)-k1", 16, "expected a number");
  expect_cause("ff-baumgarte(mu=1x0)-k1", 17, "expected ',' or ')'");
  expect_cause("ff-baumgarte(mu=1-k1", 17, "expected ',' or ')'");
  expect_cause("ff-baumgarte(mu=0x10)-k1", 17, "expected ',' or ')'");
  expect_cause("ff-baumgarte(mu=1,index=2,mu=3)-k1", 26, "mu is given twice");
  expect_cause("ff-baumgarte(mu=1,mu_physical=2)-k1", 18,
               "mu and mu_physical are one option in two units: give one of them");
  expect_cause("ff-baumgarte(beta=1,mu=2)-k1", 20,
               "beta and mu exclude each other: give beta and gamma, or index and mu");
  expect_cause("ff-baumgarte(index=2,gamma=2)-k1", 21,
               "index and gamma exclude each other: give beta and gamma, or index and mu");
  expect_cause("ff-baumgarte(mu_physical=1,mu=2)-k1", 27,
               "mu_physical and mu are one option in two units: give one of them");
  expect_cause("ff-baumgarte(mu=-1)-k1", 16, "mu must be positive and finite");
  expect_cause("ff-baumgarte(index=2.5)-k1", 19, "index must be 1, 2 or 3");
  expect_cause("ff-index1(nodes=0.5)-k1", 16, "nodes must be between 0.5 and 1");
  expect_cause("ff-weighted(a=-1)-k1", 14, "a must be 0 or positive, and below 1e300");
}

Test(schemes, the_explicit_exchange_has_a_name) {
  for (int k = 0; k <= COSIM_MAX_ORDER; k++) {
    const char name[] = {'d', 'f', '-', 'k', (char)('0' + k), '-', 'e', 'x', 'c', 'h', 'a', 'n', 'g', 'e', 0};
    cr_expect_eq(parse(name, false).iteration, COSIM_EXCHANGE);
    cr_expect_not(cosim_scheme_corrects(&(cosim_scheme){.iteration = COSIM_EXCHANGE}));
  }
}

Test(schemes, all_that_are_listed_can_be_read) {
  char name[32];
  for (int kind = 0; kind < 2; kind++)
    for (size_t i = 0; cosim_scheme_listed(kind == 1, i, name, sizeof name); i++)
      cr_expect_eq(parse(name, kind == 1).at_constraint, kind == 1, "%s", name);
}

/* A program with a decimal comma reads the same numbers. */
Test(schemes, numbers_do_not_depend_on_the_locale) {
  static const char *const commas[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE"};
  for (size_t i = 0; i < sizeof commas / sizeof *commas && setlocale(LC_ALL, commas[i]) == NULL; i++)
    ;
  cr_expect_eq(parse("ff-baumgarte(mu=5.5)-k1", true).beta, 11);
  cr_expect_eq(parse("ff-baumgarte(mu_physical=+1.25e-2)-k1", true).beta, 0.025);
  cr_expect_eq(parse("ff-index2(nodes=.25)-k1", true).nodes[0], 0.25);
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
static const cosim_history_nodes uneven = {4, {0, -0.5, -1.2, -3}};

static double power(double tau, int degree) { return degree == 0 ? 1 : pow(tau, degree); }

/* τ^degree as the rule makes it from its values at the nodes; `middle` lies in the piece. */
static double value_at(const cosim_rule *rule, const cosim_history_nodes *past, int degree, double tau) {
  double sum = 0;
  for (int i = 0; i < rule->n_new; i++)
    sum += power(rule->node[i], degree) * cosim_signal_value(&rule->of_new[i], tau);
  for (int i = 0; i < rule->n_history; i++)
    sum += power(past->node[i], degree) * cosim_signal_value(&rule->of_history[i], tau);
  return sum;
}

static void expect_exact(const cosim_rule *rule, const cosim_history_nodes *past, int degree, const char *name) {
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
  const cosim_history_nodes young = {2, {0, -1}};
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
               {"ff-index1(nodes=0.8)-k0", true, 0},
               {"ff-index1(nodes=0.8)-k1", true, 1},
               {"ff-index2(nodes=0.3)-k1", true, 1},
               {"ff-index1(nodes=0.8)-k2", true, 3},
               {"ff-index2(nodes=0.3)-k2", true, 2}};
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    const cosim_scheme scheme = parse(table[i].name, table[i].at_constraint);
    const cosim_rule rule = cosim_corrector_rule(&scheme, COSIM_FORCE, &uneven);
    for (int degree = 0; degree <= table[i].exact; degree++)
      expect_exact(&rule, &uneven, degree, table[i].name);
  }
}

/* ∫ τ^m τ^begin (1 - τ)^end Π (τ - node) = 0 for m < n, by Gauss's rule of three points in many pieces. */
static void expect_orthogonal(const char *name, int n, const double *node, int begin, int end) {
  enum { n_pieces = 2000 };
  for (int m = 0; m < n; m++) {
    double sum = 0;
    for (int i = 0; i < n_pieces; i++)
      for (int g = -1; g <= 1; g++) {
        const double tau = (i + 0.5 + g * sqrt(0.15)) / n_pieces;
        double value = pow(tau, m + begin) * pow(1 - tau, end);
        for (int j = 0; j < n; j++)
          value *= tau - node[j];
        sum += value * (g == 0 ? 4.0 / 9 : 5.0 / 18) / n_pieces;
      }
    cr_expect_float_eq(sum, 0, 1e-15, "%s, power %d: %.3g", name, m, sum);
  }
}

static cosim_scheme collocation(const char *decomposition, int s, bool at_constraint) {
  char name[16];
  snprintf(name, sizeof name, "%s-colloc-s%d", decomposition, s);
  return parse(name, at_constraint);
}

/* Conditions at the inner nodes, at the end, and of the rate there are a quadrature that is exact to degree 2s - 1:
 * its weights are those of the polynomials with these values. Motions have a value and a rate at the beginning too. */
Test(schemes, nodes_of_collocation_are_zeros_of_orthogonal_polynomials) {
  for (int s = 1; s <= COSIM_MAX_STAGES; s++) {
    const double *inner;
    int first;
    cosim_scheme scheme = collocation("ff", s, false);
    cr_expect_eq(cosim_inner_nodes(&scheme, &inner), s - 1);
    expect_orthogonal("ff", s - 1, inner, 0, 2);
    scheme = collocation("fd", s, false);
    cr_expect_eq(cosim_inner_nodes(&scheme, &inner), s - 1);
    expect_orthogonal("fd", s - 1, inner, 0, 2);
    scheme = collocation("dd", s, false);
    cr_expect_eq(cosim_inner_nodes(&scheme, &inner), s - 1);
    expect_orthogonal("dd", s - 1, inner, 2, 2);
    scheme = collocation("df", s, true);
    cr_expect_eq(cosim_inner_nodes(&scheme, &inner), 2 * s);
    cr_expect_eq(cosim_multiplier_nodes(&scheme, &first), s + 1);
    cr_expect_eq(first, s - 1);
    expect_orthogonal("df at joints", s - 1, inner, 2, 2);
    expect_orthogonal("df at joints, multipliers", s + 1, inner + first, 0, 0);
    scheme = collocation("dd", s, true);
    cr_expect_eq(cosim_inner_nodes(&scheme, &inner), s + 1);
    expect_orthogonal("dd at joints", s + 1, inner, 0, 0);
  }
}

/* A model may have all collocation couplings at once. */
Test(schemes, steps_have_room_for_the_nodes_of_all_couplings) {
  static const char *const decompositions[] = {"ff", "fd", "df", "dd"};
  double node[300];
  int n = 0;
  for (int i = 0; i < 8 * COSIM_MAX_STAGES; i++) {
    const cosim_scheme scheme = collocation(decompositions[i % 4], i / 8 + 1, i % 8 >= 4);
    const double *inner;
    const int n_inner = cosim_inner_nodes(&scheme, &inner);
    for (int j = 0; j < n_inner; j++) {
      int k = 0;
      while (k < n && node[k] != inner[j])
        k++;
      node[k] = inner[j];
      n += k == n;
    }
  }
  cr_expect_leq(n, COSIM_MAX_NODES, "%d", n);
}

/* Coefficients of the basis are up to 1e4. A force is the polynomial of degree s through its new values, a motion that
 * of degree s + 2 with its value and slope
 * at the beginning and at the end. */
Test(schemes, polynomials_of_collocation_are_exact_for_their_degree) {
  for (int s = 1; s <= COSIM_MAX_STAGES; s++) {
    const cosim_scheme scheme = collocation("fd", s, false);
    for (int kind = 0; kind < 2; kind++) {
      const bool moves = kind == 1;
      const cosim_rule rule = cosim_corrector_rule(&scheme, moves ? COSIM_MOTION : COSIM_FORCE, &uneven);
      cr_expect_eq(rule.n_new, s + 1);
      for (int degree = 0; degree <= (moves ? s + 2 : s); degree++) {
        cosim_signal signal = {.n_pieces = 1};
        for (int j = 0; j < rule.n_new; j++)
          cosim_signal_add(&signal, moves && j == s ? degree : pow(rule.node[j], degree), &rule.of_new[j]);
        if (moves) {
          cosim_signal_add(&signal, degree == 0, &rule.of_history[0]);
          cosim_signal_add(&signal, degree == 1, &rule.of_history[1]);
        }
        for (int c = 0; c <= COSIM_MAX_DEGREE; c++)
          cr_expect_float_eq(signal.c[0][c], c == degree, 1e-10, "s%d, kind %d: degree %d, coefficient %d: %.3g", s,
                             kind, degree, c, signal.c[0][c]);
      }
    }
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
