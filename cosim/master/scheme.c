#include "cosim/master/scheme.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Tables ---- */

enum { n_decompositions = 4 };

typedef struct decomposition {
  const char *name;
  int n_variables;
  cosim_variable variable[COSIM_MAX_VARIABLES];
} decomposition;

static const decomposition constitutive[n_decompositions] = {
    {"ff", 1, {{COSIM_FORCE, -1, -1}}},
    {"fd", 3, {{COSIM_FORCE, -1, 0}, {COSIM_POSITION, 0, 1}, {COSIM_VELOCITY, 0, 1}}},
    {"df", 3, {{COSIM_FORCE, -1, 1}, {COSIM_POSITION, 1, 0}, {COSIM_VELOCITY, 1, 0}}},
    {"dd", 4, {{COSIM_POSITION, 0, 1}, {COSIM_VELOCITY, 0, 1}, {COSIM_POSITION, 1, 0}, {COSIM_VELOCITY, 1, 0}}},
};

/* In dd both sides are given the same acceleration, so that g'' = 0 holds already. */
static const decomposition constraint[n_decompositions] = {
    {"ff", 1, {{COSIM_FORCE, -1, -1}}},
    {"fd", 2, {{COSIM_FORCE, -1, 0}, {COSIM_ACCELERATION, -1, 1}}},
    {"df", 2, {{COSIM_FORCE, -1, 1}, {COSIM_ACCELERATION, -1, 0}}},
    {"dd", 1, {{COSIM_ACCELERATION, -1, -1}}},
};

enum { FF = 1, FD = 2, DF = 4, DD = 8, ALL = FF | FD | DF | DD };
enum { index_option = 1, mu_option = 2, weight_option = 4, nodes_option = 8 };

/* Columns: name, decompositions and options it goes with, highest order, whether it can do without a corrector. */
static const struct method {
  const char *name;
  bool at_constraint;
  int decompositions, options;
  int max_order;
  bool can_extrapolate;
} methods[cosim_n_methods] = {
    [COSIM_PLAIN] = {"", false, ALL, 0, 3, true},
    [COSIM_D] = {"d", false, ALL, 0, 2, false},
    [COSIM_I] = {"i", false, ALL, 0, 2, false},
    [COSIM_BAUMGARTE] = {"baumgarte", true, FF | FD | DF, index_option | mu_option, 2, false},
    [COSIM_WEIGHTED] = {"weighted", true, FF | FD | DF, weight_option, 2, false},
    [COSIM_PROJECTION] = {"projection", true, ALL, 0, 2, false},
    [COSIM_INDEX2] = {"index2", true, FF, nodes_option, 2, false},
    [COSIM_INDEX1] = {"index1", true, FF, nodes_option, 2, false},
};

static const char *const iterations[] = {
    [COSIM_EXPLICIT] = "explicit", [COSIM_SEMI] = "semi", [COSIM_IMPLICIT] = "implicit"};

/* ---- Names ---- */

/* Skips `word` at *text when a hyphen, a bracket or the end follows. */
static bool take(const char **text, const char *word) {
  const size_t length = strlen(word);
  if (strncmp(*text, word, length) != 0 || strchr("-(", (*text)[length]) == NULL)
    return false;
  *text += length;
  return true;
}

static bool take_hyphen(const char **text) {
  if (**text != '-')
    return false;
  (*text)++;
  return true;
}

/* Columns: name, option it is, place of its value in a scheme. */
static double *option_value(cosim_scheme *scheme, int allowed, const char *name, size_t length) {
  const struct {
    const char *name;
    int option;
    double *value;
  } table[] = {{"mu", mu_option, &scheme->mu},
               {"mu_physical", mu_option, &scheme->mu},
               {"a", weight_option, &scheme->weight[1]},
               {"b", weight_option, &scheme->weight[2]},
               {"nodes", nodes_option, &scheme->nodes[0]}};
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if ((allowed & table[i].option) != 0 && strlen(table[i].name) == length &&
        strncmp(table[i].name, name, length) == 0)
      return table[i].value;
  return NULL;
}

/* (NAME=NUMBER,...) */
static bool parse_options(const char **text, cosim_scheme *scheme) {
  const int allowed = methods[scheme->method].options;
  if (**text != '(')
    return true;
  do {
    const char *name = ++*text;
    const size_t length = strcspn(name, "=,)");
    char *end;
    if (name[length] != '=')
      return false;
    const double number = strtod(name + length + 1, &end);
    if (end == name + length + 1)
      return false;
    *text = end;
    if ((allowed & index_option) != 0 && length == 5 && strncmp(name, "index", 5) == 0) {
      scheme->index = number == 1 || number == 2 || number == 3 ? (int)number : 0;
      continue;
    }
    double *value = option_value(scheme, allowed, name, length);
    if (value == NULL)
      return false;
    *value = number;
    if (strncmp(name, "mu_physical", length) == 0 && length > 2)
      scheme->mu_is_physical = true;
  } while (**text == ',');
  return *(*text)++ == ')';
}

static bool parse_method(const char **text, bool at_constraint, cosim_scheme *scheme) {
  for (cosim_method m = COSIM_D; m < cosim_n_methods; m++)
    if (methods[m].at_constraint == at_constraint && take(text, methods[m].name)) {
      scheme->method = m;
      return parse_options(text, scheme) && take_hyphen(text);
    }
  return !at_constraint;
}

static bool parse_order(const char **text, cosim_scheme *scheme) {
  char word[3] = "k0";
  for (int k = 0; k <= methods[scheme->method].max_order; k++, word[1]++)
    if (take(text, word)) {
      scheme->order = k;
      return true;
    }
  return false;
}

static bool parse_iteration(const char **text, cosim_scheme *scheme) {
  const int first = methods[scheme->method].can_extrapolate ? COSIM_EXPLICIT : COSIM_SEMI;
  scheme->iteration = COSIM_SEMI;
  if (!take_hyphen(text))
    return true;
  for (int i = first; i <= COSIM_IMPLICIT; i++)
    if (take(text, iterations[i])) {
      scheme->iteration = (cosim_iteration)i;
      return true;
    }
  return false;
}

/* Default options of a method, and its options as it uses them. */
static void set_defaults(cosim_scheme *scheme) {
  scheme->index = 1;
  scheme->mu = 1;
  scheme->weight[0] = scheme->weight[1] = scheme->weight[2] = 1;
}

static bool settle_options(cosim_scheme *scheme) {
  const double sum = scheme->weight[0] + scheme->weight[1] + scheme->weight[2];
  if (scheme->index == 0 || !(scheme->mu > 0 && isfinite(scheme->mu)) ||
      !(scheme->weight[1] >= 0 && scheme->weight[2] >= 0 && isfinite(sum)))
    return false;
  for (int i = 0; i < 3; i++)
    scheme->weight[i] /= sum;
  const bool index1 = scheme->method == COSIM_INDEX1;
  const double usual = index1 ? 2.0 / 3 : 0.5;
  if (scheme->nodes[0] == 0)
    scheme->nodes[0] = usual;
  if (!(scheme->nodes[0] > (index1 ? 0.5 : 0) && scheme->nodes[0] < 1))
    return false;
  scheme->nodes[1] = index1 ? 1 - scheme->nodes[0] : 0;
  return true;
}

static bool parse(const char *text, bool at_constraint, cosim_scheme *scheme) {
  const decomposition *rows = at_constraint ? constraint : constitutive;
  int chosen = 0;
  while (chosen < n_decompositions && !take(&text, rows[chosen].name))
    chosen++;
  if (chosen == n_decompositions || !take_hyphen(&text))
    return false;
  scheme->n_variables = rows[chosen].n_variables;
  memcpy(scheme->variable, rows[chosen].variable, sizeof scheme->variable);
  set_defaults(scheme);
  return parse_method(&text, at_constraint, scheme) && (methods[scheme->method].decompositions & 1 << chosen) != 0 &&
         parse_order(&text, scheme) && parse_iteration(&text, scheme) && *text == '\0' && settle_options(scheme);
}

seam_status cosim_scheme_parse(const char *name, bool at_constraint, cosim_scheme *scheme, seam_error *error) {
  *scheme = (cosim_scheme){0};
  if (parse(name, at_constraint, scheme))
    return SEAM_OK;
  if (at_constraint)
    return seam_fail(error, SEAM_BAD_INPUT,
                     "'%s' is not a scheme of a constraint cut: write ff, fd, df or dd, then -baumgarte(index=1,mu=1) "
                     "or -weighted(a=1,b=1) (ff, fd, df), -projection (all), -index2 or -index1 (ff; nodes= for the "
                     "inner node, with index1 the second is 1 - nodes), then -k0 to -k2, then -semi or -implicit",
                     name);
  return seam_fail(
      error, SEAM_BAD_INPUT,
      "'%s' is not a scheme of a constitutive cut: write ff, fd, df or dd, then -d or -i for an extension, then -k0 to "
      "-k3 (at most -k2 with an extension), then -explicit (without an extension), -semi or -implicit",
      name);
}

bool cosim_scheme_drives(const cosim_scheme *scheme, int side, cosim_kind kind) {
  for (int i = 0; i < scheme->n_variables; i++)
    if (scheme->variable[i].kind == kind && (scheme->variable[i].target < 0 || scheme->variable[i].target == side))
      return true;
  return false;
}

/* ---- Rules ---- */

int cosim_n_new(const cosim_scheme *scheme, cosim_kind kind) {
  static const int n_new[cosim_n_methods][cosim_n_kinds] = {
      [COSIM_PLAIN] = {1, 1, 1, 1},     [COSIM_D] = {2, 1, 2, 1},        [COSIM_I] = {2, 2, 1, 1},
      [COSIM_BAUMGARTE] = {1, 1, 1, 1}, [COSIM_WEIGHTED] = {1, 1, 1, 1}, [COSIM_PROJECTION] = {1, 1, 1, 1},
      [COSIM_INDEX2] = {2, 1, 1, 1},    [COSIM_INDEX1] = {3, 1, 1, 1},
  };
  return cosim_scheme_corrects(scheme) ? n_new[scheme->method][kind] : 0;
}

cosim_rule cosim_following_rule(int order, const cosim_past *past) {
  double node[COSIM_MAX_ORDER + 1] = {1};
  const int n = order < past->n ? order : past->n;
  cosim_rule rule = {.n_new = 1, .n_history = n, .node = {1}};
  memcpy(node + 1, past->node, (size_t)n * sizeof *node);
  rule.of_new[0] = cosim_lagrange(n + 1, node, 0);
  for (int i = 0; i < n; i++)
    rule.of_history[i] = cosim_lagrange(n + 1, node, i + 1);
  return rule;
}

/* One polynomial through all new nodes and τ = 0. */
static void fill_polynomial(cosim_rule *rule) {
  const int n = rule->n_new;
  double node[COSIM_MAX_NEW + 1] = {0};
  memcpy(node, rule->node, (size_t)n * sizeof *node);
  for (int i = 0; i < n; i++)
    rule->of_new[i] = cosim_lagrange(n + 1, node, i);
  rule->of_history[0] = cosim_lagrange(n + 1, node, n);
}

/* Zero on the pieces between τ = 0 and the new nodes. */
static cosim_signal no_signal(const cosim_rule *rule) {
  const int n = rule->n_new;
  cosim_signal signal = {.n_pieces = n};
  if (fabs(rule->node[1] - (n - 1.0) / n) > 1e-12) /* else equal pieces, to the bit */
    for (int p = 0; p + 1 < n; p++)
      signal.border[p] = rule->node[n - 1 - p];
  return signal;
}

/* Constant (order 0) or linear (order 1) on each piece; new values stand where pieces end. */
static void fill_pieces(cosim_rule *rule, int order) {
  const int n = rule->n_new;
  const cosim_signal none = no_signal(rule);
  for (int i = 0; i < n; i++) {
    const int piece = n - 1 - i; /* ends at the node */
    cosim_signal *hat = &rule->of_new[i];
    *hat = none;
    if (order == 0) {
      hat->c[piece][0] = 1;
      continue;
    }
    hat->c[piece][1] = 1 / cosim_signal_length(&none, piece);
    if (piece + 1 < n) {
      hat->c[piece + 1][0] = 1;
      hat->c[piece + 1][1] = -1 / cosim_signal_length(&none, piece + 1);
    }
  }
  rule->of_history[0] = none;
  rule->of_history[0].c[0][0] = 1;
  rule->of_history[0].c[0][1] = -1 / cosim_signal_length(&none, 0);
}

/* The functions C, L and Q of (3.37) to (3.39), (4.67), (4.80): constant or linear on each piece, or one polynomial. */
static cosim_rule inner_nodes_rule(const cosim_scheme *scheme, int n_new, int order) {
  cosim_rule rule = {.n_new = n_new, .n_history = order > 0 ? 1 : 0, .node = {1, 0.5}};
  if (scheme->method == COSIM_INDEX2 || scheme->method == COSIM_INDEX1)
    memcpy(rule.node + 1, scheme->nodes, sizeof scheme->nodes);
  if (order < 2)
    fill_pieces(&rule, order);
  else
    fill_polynomial(&rule);
  return rule;
}

/* The constants of order 0 have no slope of their own: the one between their nodes is taken (docs/conventions.md). */
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

cosim_rule cosim_corrector_rule(const cosim_scheme *scheme, cosim_kind kind, const cosim_past *past) {
  const int n_new = cosim_n_new(scheme, kind);
  cosim_rule rule = n_new > 1 ? inner_nodes_rule(scheme, n_new, past->n > 0 ? scheme->order : 0)
                              : cosim_following_rule(scheme->order, past);
  fill_slopes(&rule, scheme->order);
  return rule;
}

cosim_rule cosim_predictor_rule(int order, const cosim_past *past) {
  const int n = order + 1 < past->n ? order + 1 : past->n;
  cosim_rule rule = {.n_new = 0, .n_history = n};
  for (int i = 0; i < n; i++)
    rule.of_history[i] = cosim_lagrange(n, past->node, i);
  return rule;
}
