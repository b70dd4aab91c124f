/* Nodes of collocation with s stages, on [0, 1], descending; H is the length of the step, τ the time since its
 * beginning divided by H:
 *
 *   c_j   zeros of the polynomial of degree s - 1 that is orthogonal to lower ones under the weight (1 - τ)²
 *   e_k   zeros of the polynomial of degree s - 1 that is orthogonal to lower ones under the weight τ² (1 - τ)²
 *   q_i   s + 1 Gauss points
 *
 * An approximation of a motion that is exact at the nodes and, with its rate, at both ends has the error O(H^(s+3)) τ²
 * (1 - τ)² Π(τ - node). This error is orthogonal to polynomials below degree s - 1 if the nodes are e_k. An
 * approximation of a force that is exact at the nodes c_j and, with its rate, at the end has the error O(H^(s+1))
 * (1 - τ)² Π(τ - c_j). This error, too, is orthogonal to polynomials below degree s - 1. (docs/theory.md, Collocation)
 */
#include "cosim/schemes/scheme.h"

#include <string.h>

/* c_j */
static const double one_double_end[COSIM_MAX_STAGES + 1][COSIM_MAX_STAGES] = {
    [2] = {0.25},
    [3] = {0.5441518440112252888, 0.12251482265544137787},
    [4] = {0.70500220988849838312, 0.34700376603835188472, 0.072994024073149732156},
    [5] = {0.7958514178967728633, 0.51704729510436750234, 0.23860073755186230506, 0.048500549446997329297},
};

/* e_k, then q_i */
static const double two_double_ends[COSIM_MAX_STAGES + 1][COSIM_MAX_INNER] = {
    [1] = {0.78867513459481288225, 0.21132486540518711775},
    [2] = {0.5, 0.88729833462074168852, 0.5, 0.11270166537925831148},
    [3] = {0.68898223650461361361, 0.31101776349538638639, 0.93056815579702628761, 0.6699905217924281324,
           0.3300094782075718676, 0.069431844202973712388},
    [4] = {0.78867513459481288225, 0.5, 0.21132486540518711775, 0.9530899229693319964, 0.76923465505284154552, 0.5,
           0.23076534494715845448, 0.046910077030668003601},
    [5] = {0.84737329530343287255, 0.6252814035428657905, 0.3747185964571342095, 0.15262670469656712745,
           0.96623475710157601391, 0.83060469323313225683, 0.61930959304159845432, 0.38069040695840154568,
           0.16939530676686774317, 0.033765242898423986094},
};

static bool has_force(const cosim_scheme *scheme) { return scheme->variable[0].kind == COSIM_FORCE; }

int cosim_multiplier_nodes(const cosim_scheme *scheme, int *first) {
  const bool there = scheme->method == COSIM_COLLOCATION && (cosim_scheme_drives(scheme, 0, COSIM_ACCELERATION) ||
                                                             cosim_scheme_drives(scheme, 1, COSIM_ACCELERATION));
  *first = there && has_force(scheme) ? scheme->order - 1 : 0;
  return there ? scheme->order + 1 : 0;
}

int cosim_inner_nodes(const cosim_scheme *scheme, const double **node) {
  const int s = scheme->method == COSIM_COLLOCATION ? scheme->order : 1;
  int first;
  const int n_multipliers = cosim_multiplier_nodes(scheme, &first);
  if (n_multipliers > 0) {
    *node = two_double_ends[s] + (s - 1 - first);
    return first + n_multipliers;
  }
  *node = has_force(scheme) ? one_double_end[s] : two_double_ends[s];
  return s - 1;
}

/* Multiplies c (degree + 1 coefficients) by τ - node. */
static void add_factor(double *c, int degree, double node) {
  for (int j = degree + 1; j >= 0; j--)
    c[j] = (j > 0 ? c[j - 1] : 0) - node * (j <= degree ? c[j] : 0);
}

/* Returns the polynomial in τ with value 1 (for is_slope: with slope 1) at `chosen`. `chosen` is 0, 1 or an inner node.
 * All other values at 0, 1 and the inner nodes, and all other slopes at 0 and 1, are zero. The polynomial is a line
 * times the product of τ - node over all nodes but `chosen`; 0 and 1 count twice in this product. */
static cosim_signal motion_basis(int n_inner, const double *inner, double chosen, bool is_slope) {
  cosim_signal signal = {.n_pieces = 1, .c = {{1}}};
  double *c = signal.c[0];
  int degree = 0;
  for (int i = 0; i < n_inner + 4; i++) {
    const double node = i < n_inner ? inner[i] : i < n_inner + 2 ? 0 : 1;
    if (node != chosen)
      add_factor(c, degree++, node);
  }
  const double value = cosim_signal_value(&signal, chosen);
  const bool is_end = chosen == 0 || chosen == 1;
  cosim_signal slope = {.n_pieces = 1};
  for (int j = 1; j <= degree; j++)
    slope.c[0][j - 1] = j * c[j];
  /* The factor a + b (τ - chosen) gives the required value and slope at `chosen`. */
  const double a = is_slope ? 0 : 1 / value;
  const double b = is_slope ? 1 / value : is_end ? -a * cosim_signal_value(&slope, chosen) / value : 0;
  double shifted[COSIM_MAX_DEGREE + 1] = {0};
  memcpy(shifted, c, sizeof shifted);
  if (is_end)
    add_factor(shifted, degree, chosen);
  for (int j = 0; j <= COSIM_MAX_DEGREE; j++)
    c[j] = a * c[j] + b * shifted[j];
  return signal;
}

/* The rule of a force or an acceleration is the polynomial through its new values at 1, the nodes c_j and 0; the rule
 * of a motion is the polynomial with value and slope at 0, values at the inner nodes, value and slope at 1. */
cosim_rule cosim_collocation_rule(const cosim_scheme *scheme, cosim_kind kind) {
  const double *inner = one_double_end[scheme->order];
  if (kind != COSIM_MOTION) {
    cosim_rule rule = {.n_new = scheme->order + 1, .node = {1}};
    memcpy(rule.node + 1, inner, (size_t)(scheme->order - 1) * sizeof *rule.node);
    for (int i = 0; i < rule.n_new; i++)
      rule.of_new[i] = cosim_lagrange(rule.n_new, rule.node, i);
    return rule;
  }
  const int n_inner = cosim_inner_nodes(scheme, &inner);
  cosim_rule rule = {.n_new = n_inner + 2, .n_history = 2, .node = {1}};
  memcpy(rule.node + 1, inner, (size_t)n_inner * sizeof *inner);
  for (int i = 0; i <= n_inner; i++)
    rule.of_new[i] = motion_basis(n_inner, inner, rule.node[i], false);
  rule.of_new[n_inner + 1] = motion_basis(n_inner, inner, 1, true);
  rule.node[n_inner + 1] = 1;
  rule.of_history[0] = motion_basis(n_inner, inner, 0, false);
  rule.of_history[1] = motion_basis(n_inner, inner, 0, true);
  return rule;
}
