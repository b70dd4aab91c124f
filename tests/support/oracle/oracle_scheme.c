/* [Li] 3.1, 3.4, 4.1, 4.7 as docs/conventions.md reads them. */
#include "tests/support/oracle/oracle_scheme.h"

#include <string.h>

#include "base/number.h"

/* ---- Names ---- */

typedef struct decomposition {
  const char *name;
  int n_variables;
  oracle_variable variable[ORACLE_MAX_VARIABLES];
} decomposition;

static const decomposition at_spring[] = {
    {"ff", 1, {{ORACLE_FORCE, 0}}},
    {"fd", 3, {{ORACLE_FORCE, 0}, {ORACLE_POSITION, 0}, {ORACLE_VELOCITY, 0}}},
    {"df", 3, {{ORACLE_FORCE, 0}, {ORACLE_POSITION, 1}, {ORACLE_VELOCITY, 1}}},
    {"dd", 4, {{ORACLE_POSITION, 0}, {ORACLE_VELOCITY, 0}, {ORACLE_POSITION, 1}, {ORACLE_VELOCITY, 1}}},
};
static const decomposition at_joint[] = {
    {"ff", 1, {{ORACLE_FORCE, 0}}},
    {"fd", 2, {{ORACLE_FORCE, 0}, {ORACLE_ACCELERATION, 1}}},
    {"df", 2, {{ORACLE_FORCE, 0}, {ORACLE_ACCELERATION, 0}}},
    {"dd", 2, {{ORACLE_ACCELERATION, 0}, {ORACLE_ACCELERATION, 1}}},
};

typedef struct method_name {
  const char *text; /* behind the decomposition */
  oracle_method method;
  const decomposition *decompositions;
} method_name;

static const method_name methods[] = {
    {"-k", ORACLE_ORIGINAL, at_spring},
    {"-d-", ORACLE_D, at_spring},
    {"-i-", ORACLE_I, at_spring},
    {"-baumgarte", ORACLE_CONSTRAINT, at_joint},
    {"-weighted", ORACLE_CONSTRAINT, at_joint},
    {"-projection", ORACLE_PROJECTION, at_joint},
    {"-index2", ORACLE_CONSTRAINT, at_joint},
    {"-index1", ORACLE_CONSTRAINT, at_joint},
};

/* The number behind "key=" in the name, or a default. */
static double option(const char *name, const char *key, double by_default) {
  const char *end;
  for (const char *at = strpbrk(name, "(,"); at != NULL; at = strpbrk(at + 1, ",")) {
    const size_t length = strlen(key);
    if (strncmp(at + 1, key, length) == 0 && at[1 + length] == '=')
      return seam_number(at + 2 + length, &end);
  }
  return by_default;
}

/* g, g' and g'' at once, as many as there are new values. */
static void read_extended(oracle_scheme *scheme, int n_nodes) {
  scheme->n_nodes = n_nodes;
  scheme->root[0] = (oracle_root){.n_rows = n_nodes, .row = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, .weight = 1};
}

static void read_baumgarte(const char *name, oracle_scheme *scheme) {
  const double mu = option(name, "mu", option(name, "mu_physical", 1));
  const int index = (int)option(name, "index", 1);
  const bool has_own = strstr(name, "beta=") != NULL || strstr(name, "gamma=") != NULL;
  const double beta = has_own ? option(name, "beta", 0) : index < 3 ? 2 * mu : 0;
  const double gamma = has_own ? option(name, "gamma", 0) : index < 2 ? mu * mu : 0;
  scheme->root[0] = (oracle_root){.n_rows = 1, .row = {{1, beta, gamma}}, .weight = 1};
}

static void read_weighted(const char *name, oracle_scheme *scheme) {
  const double weight[3] = {1, option(name, "a", 1), option(name, "b", 1)};
  const double sum = weight[0] + weight[1] + weight[2];
  scheme->n_roots = 0;
  for (int level = 0; level < 3; level++)
    if (weight[level] > 0) {
      oracle_root *root = &scheme->root[scheme->n_roots++];
      *root = (oracle_root){.n_rows = 1, .weight = weight[level] / sum};
      root->row[0][level] = 1;
    }
}

static void read_conditions(const char *name, oracle_scheme *scheme) {
  scheme->n_nodes = 1;
  scheme->n_roots = 1;
  scheme->root[0] = (oracle_root){.n_rows = 1, .row = {{0, 0, 1}}, .weight = 1};
  if (strstr(name, "-index") != NULL)
    read_extended(scheme, strstr(name, "-index2") != NULL ? 2 : 3);
  else if (strstr(name, "-baumgarte") != NULL)
    read_baumgarte(name, scheme);
  else if (strstr(name, "-weighted") != NULL)
    read_weighted(name, scheme);
}

static bool read_decomposition(const char *name, const decomposition *rows, oracle_scheme *scheme) {
  for (int i = 0; i < 4; i++)
    if (strncmp(name, rows[i].name, 2) == 0) {
      scheme->n_variables = rows[i].n_variables;
      memcpy(scheme->variable, rows[i].variable, sizeof scheme->variable);
      return true;
    }
  return false;
}

bool oracle_scheme_read(const char *name, oracle_scheme *scheme) {
  const char *order = strstr(name, "-k");
  if (order == NULL || order[2] < '0' || order[2] > '3')
    return false;
  *scheme = (oracle_scheme){.order = order[2] - '0'};
  for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
    if (strncmp(name + 2, methods[i].text, strlen(methods[i].text)) == 0) {
      scheme->method = methods[i].method;
      scheme->is_explicit = strstr(order, "-explicit") != NULL;
      read_conditions(name, scheme);
      return read_decomposition(name, methods[i].decompositions, scheme);
    }
  return false;
}

/* ---- Functions ---- */

quad oracle_end(const oracle_function *f) {
  const quad length = (quad)1 / f->n_pieces;
  quad value = 0;
  for (int m = ORACLE_MAX_NODES - 1; m >= 0; m--)
    value = value * length + f->c[f->n_pieces - 1][m];
  return value;
}

quad oracle_integral(const oracle_function *f) {
  const quad length = (quad)1 / f->n_pieces;
  quad sum = 0;
  for (int p = 0; p < f->n_pieces; p++) {
    quad power = length;
    for (int m = 0; m < ORACLE_MAX_NODES; m++, power *= length)
      sum += f->c[p][m] * power / (m + 1);
  }
  return sum;
}

/* Through 1 at node[which] and 0 at the others. */
static oracle_function lagrange(int n, const quad *node, int which) {
  oracle_function f = {.n_pieces = 1, .c = {{1}}};
  int degree = 0;
  for (int i = 0; i < n; i++) {
    const quad gap = node[which] - node[i];
    if (i == which)
      continue;
    degree++;
    for (int m = degree; m >= 0; m--)
      f.c[0][m] = ((m > 0 ? f.c[0][m - 1] : 0) - f.c[0][m] * node[i]) / gap;
  }
  return f;
}

/* New values at 1, 1 - 1/n, ...; over each part of 1/n constant, or linear between its ends; the last is at 0. */
static oracle_rule piecewise(int n, int order) {
  oracle_rule rule = {.n_new = n, .n_old = order};
  for (int j = 0; j <= n; j++) {
    oracle_function *f = j < n ? &rule.of_new[j] : &rule.of_old[0];
    f->n_pieces = n;
    if (j < n)
      f->c[n - 1 - j][0] = order == 0 ? 1 : 0;
    if (j < n && order == 1)
      f->c[n - 1 - j][1] = n;
    if (j > 0 && order == 1) {
      f->c[n - j][0] = 1;
      f->c[n - j][1] = -n;
    }
  }
  return rule;
}

static oracle_rule polynomial(int n_new, int n_old, const quad *node) {
  oracle_rule rule = {.n_new = n_new, .n_old = n_old};
  for (int j = 0; j < n_new + n_old; j++)
    *(j < n_new ? &rule.of_new[j] : &rule.of_old[j - n_new]) = lagrange(n_new + n_old, node, j);
  return rule;
}

static int count_nodes(const oracle_scheme *scheme, oracle_kind kind) {
  if (scheme->method == ORACLE_D)
    return kind == ORACLE_POSITION ? 1 : 2;
  if (scheme->method == ORACLE_I)
    return kind == ORACLE_VELOCITY ? 1 : 2;
  return scheme->n_nodes;
}

oracle_rule oracle_rule_of(const oracle_scheme *scheme, oracle_kind kind) {
  const int n = count_nodes(scheme, kind);
  const int k = scheme->order;
  quad node[ORACLE_MAX_NODES] = {0};
  if (scheme->is_explicit) {
    for (int i = 0; i <= k; i++)
      node[i] = -i;
    return polynomial(0, k + 1, node);
  }
  if (n > 1 && k < 2)
    return piecewise(n, k);
  for (int i = 0; i < ORACLE_MAX_NODES; i++)
    node[i] = n > 1 ? (quad)(n - i) / n : 1 - i;
  return polynomial(n, n > 1 ? 1 : k, node);
}
