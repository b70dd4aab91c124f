#include "cosim/scheme.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* ---- Names ---- */

/* Columns: name, number of variables, variables. */
static const struct {
  const char *name;
  int n_variables;
  cosim_variable variable[cosim_most_variables];
} decompositions[] = {
    {"ff", 1, {{COSIM_FORCE, 0, -1}}},
    {"fd", 3, {{COSIM_FORCE, 0, 0}, {COSIM_POSITION, 0, 1}, {COSIM_VELOCITY, 0, 1}}},
    {"df", 3, {{COSIM_FORCE, 0, 1}, {COSIM_POSITION, 1, 0}, {COSIM_VELOCITY, 1, 0}}},
    {"dd", 4, {{COSIM_POSITION, 0, 1}, {COSIM_VELOCITY, 0, 1}, {COSIM_POSITION, 1, 0}, {COSIM_VELOCITY, 1, 0}}},
};

static const char *const methods[] = {[COSIM_PLAIN] = "", [COSIM_D] = "-d", [COSIM_I] = "-i"};
static const char *const iterations[] = {
    [COSIM_EXPLICIT] = "-explicit", [COSIM_SEMI] = "-semi", [COSIM_IMPLICIT] = "-implicit"};

/* Skips `word` at *text when it is there and a hyphen or the end follows. */
static bool take(const char **text, const char *word) {
  const size_t length = strlen(word);
  if (strncmp(*text, word, length) != 0 || ((*text)[length] != '-' && (*text)[length] != '\0'))
    return false;
  *text += length;
  return true;
}

static bool parse_decomposition(const char **text, cosim_scheme *scheme) {
  for (size_t i = 0; i < sizeof decompositions / sizeof *decompositions; i++)
    if (take(text, decompositions[i].name)) {
      scheme->n_variables = decompositions[i].n_variables;
      memcpy(scheme->variable, decompositions[i].variable, sizeof scheme->variable);
      return true;
    }
  return false;
}

static void parse_method(const char **text, cosim_scheme *scheme) {
  for (int m = COSIM_D; m <= COSIM_I; m++)
    if (take(text, methods[m]))
      scheme->extension = (cosim_extension)m;
}

static bool parse_order(const char **text, cosim_scheme *scheme) {
  const int most = scheme->extension == COSIM_PLAIN ? cosim_most_order : 2;
  char word[4] = "-k0";
  for (int k = 0; k <= most; k++, word[2]++)
    if (take(text, word)) {
      scheme->order = k;
      return true;
    }
  return false;
}

static void parse_iteration(const char **text, cosim_scheme *scheme) {
  scheme->iteration = COSIM_SEMI;
  for (int i = COSIM_EXPLICIT; i <= COSIM_IMPLICIT; i++)
    if (take(text, iterations[i]))
      scheme->iteration = (cosim_iteration)i;
}

seam_status cosim_scheme_parse(const char *name, cosim_scheme *scheme, seam_error *error) {
  const char *text = name;
  *scheme = (cosim_scheme){0};
  if (parse_decomposition(&text, scheme)) {
    parse_method(&text, scheme);
    if (parse_order(&text, scheme)) {
      parse_iteration(&text, scheme);
      if (*text == '\0' && !(scheme->iteration == COSIM_EXPLICIT && scheme->extension != COSIM_PLAIN))
        return SEAM_OK;
    }
  }
  return seam_fail(
      error, SEAM_BAD_INPUT,
      "'%s' is no scheme of a constitutive cut: write ff, fd, df or dd, then -d or -i for an extension, then "
      "-k0 to -k3 (at most -k2 with an extension), then -explicit (without an extension), -semi or -implicit",
      name);
}

/* ---- Rules ---- */

int cosim_has_second_node(cosim_extension extension, cosim_kind kind) {
  switch (extension) {
  case COSIM_D:
    return kind != COSIM_POSITION;
  case COSIM_I:
    return kind != COSIM_VELOCITY;
  default:
    return 0;
  }
}

/* Polynomial through τ = 1, 0, -1, ..., -(k - 1). */
static cosim_rule lagrange_rule(int order) {
  double node[cosim_most_order + 1] = {0};
  cosim_rule rule = {.n_new = 1, .n_history = order};
  for (int i = 0; i <= order; i++)
    node[i] = 1 - i;
  rule.of_new[0] = cosim_lagrange(order + 1, node, 0);
  for (int i = 0; i < order; i++)
    rule.of_history[i] = cosim_lagrange(order + 1, node, i + 1);
  return rule;
}

/* The functions C, L and Q of (3.37) to (3.39): constant or linear on each half, or quadratic through 0, 1/2, 1. */
static cosim_rule two_node_rule(int order) {
  static const double node[3] = {1, 0.5, 0};
  cosim_rule rule = {.n_new = 2, .n_history = order > 0 ? 1 : 0};
  if (order == 0) {
    rule.of_new[0] = (cosim_signal){.n_pieces = 2, .c = {{0}, {1}}};
    rule.of_new[1] = (cosim_signal){.n_pieces = 2, .c = {{1}, {0}}};
  } else if (order == 1) {
    rule.of_new[0] = (cosim_signal){.n_pieces = 2, .c = {{0}, {0, 2}}};
    rule.of_new[1] = (cosim_signal){.n_pieces = 2, .c = {{0, 2}, {1, -2}}};
    rule.of_history[0] = (cosim_signal){.n_pieces = 2, .c = {{1, -2}, {0}}};
  } else {
    for (int i = 0; i < 2; i++)
      rule.of_new[i] = cosim_lagrange(3, node, i);
    rule.of_history[0] = cosim_lagrange(3, node, 2);
  }
  return rule;
}

/* The constants of order 0 have no slope of their own: the one between their nodes is taken (recipes.md A). */
static void fill_slopes(cosim_rule *rule, int order) {
  for (int i = 0; i < rule->n_new; i++)
    rule->end_slope_new[i] = cosim_signal_end_slope(&rule->of_new[i]);
  for (int i = 0; i < rule->n_history; i++)
    rule->end_slope_history[i] = cosim_signal_end_slope(&rule->of_history[i]);
  if (rule->n_new == 2 && order == 0) {
    rule->end_slope_new[0] = 2;
    rule->end_slope_new[1] = -2;
  }
}

cosim_rule cosim_corrector_rule(int order, int second_node, int n_history) {
  const int possible = order < n_history ? order : n_history;
  cosim_rule rule = second_node ? two_node_rule(n_history > 0 ? order : 0) : lagrange_rule(possible);
  fill_slopes(&rule, order);
  return rule;
}

cosim_rule cosim_predictor_rule(int order, int n_history) {
  double node[cosim_most_history] = {0};
  const int n = order + 1 < n_history ? order + 1 : n_history;
  cosim_rule rule = {.n_new = 0, .n_history = n};
  for (int i = 0; i < n; i++)
    node[i] = -i;
  for (int i = 0; i < n; i++)
    rule.of_history[i] = cosim_lagrange(n, node, i);
  return rule;
}
