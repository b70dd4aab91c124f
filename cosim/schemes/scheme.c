#include "cosim/schemes/scheme.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/nearest.h"
#include "base/number.h"
#include "base/then.h"
#include "cosim/thresholds.h"

/* ---- Tables ---- */

typedef struct variables {
  const char *name;
  int n_variables;
  cosim_variable variable[COSIM_MAX_VARIABLES];
} variables;

static const variables constitutive[cosim_n_decompositions] = {
    {"ff", 1, {{COSIM_FORCE, -1, -1}}},
    {"fd", 3, {{COSIM_FORCE, -1, 0}, {COSIM_POSITION, 0, 1}, {COSIM_VELOCITY, 0, 1}}},
    {"df", 3, {{COSIM_FORCE, -1, 1}, {COSIM_POSITION, 1, 0}, {COSIM_VELOCITY, 1, 0}}},
    {"dd", 4, {{COSIM_POSITION, 0, 1}, {COSIM_VELOCITY, 0, 1}, {COSIM_POSITION, 1, 0}, {COSIM_VELOCITY, 1, 0}}},
};

/* In dd both sides receive the same acceleration, so that g'' = 0 needs no condition. */
static const variables constraint[cosim_n_decompositions] = {
    {"ff", 1, {{COSIM_FORCE, -1, -1}}},
    {"fd", 2, {{COSIM_FORCE, -1, 0}, {COSIM_ACCELERATION, -1, 1}}},
    {"df", 2, {{COSIM_FORCE, -1, 1}, {COSIM_ACCELERATION, -1, 0}}},
    {"dd", 1, {{COSIM_ACCELERATION, -1, -1}}},
};

/* Variables of collocation at force elements. */
static const variables collocated[cosim_n_decompositions] = {
    {"ff", 1, {{COSIM_FORCE, -1, -1}}},
    {"fd", 2, {{COSIM_FORCE, -1, 0}, {COSIM_MOTION, 0, 1}}},
    {"df", 2, {{COSIM_FORCE, -1, 1}, {COSIM_MOTION, 1, 0}}},
    {"dd", 2, {{COSIM_MOTION, 0, 1}, {COSIM_MOTION, 1, 0}}},
};

enum { FF = 1, FD = 2, DF = 4, DD = 8, ALL = FF | FD | DF | DD };

static const struct method {
  const char *name;
  int at_forces, at_joints; /* decompositions at force elements and at joints */
  char letter;              /* letter before the order */
  int min_order, max_order;
  bool can_extrapolate; /* the method also works without a corrector */
} methods[cosim_n_methods] = {
    [COSIM_PLAIN] = {"", ALL, 0, 'k', 0, 3, true},
    [COSIM_D] = {"d", ALL, 0, 'k', 0, 2, false},
    [COSIM_I] = {"i", ALL, 0, 'k', 0, 2, false},
    [COSIM_BAUMGARTE] = {"baumgarte", 0, FF | FD | DF, 'k', 0, 2, false},
    [COSIM_WEIGHTED] = {"weighted", 0, FF | FD | DF, 'k', 0, 2, false},
    [COSIM_PROJECTION] = {"projection", 0, ALL, 'k', 0, 2, false},
    [COSIM_INDEX2] = {"index2", 0, FF, 'k', 0, 2, false},
    [COSIM_INDEX1] = {"index1", 0, FF, 'k', 0, 2, false},
    [COSIM_COLLOCATION] = {"colloc", ALL, ALL, 's', 1, COSIM_MAX_STAGES, false},
};

enum { INDEX, MU, MU_PHYSICAL, BETA, GAMMA, A, B, INNER_D, INNER_I, NODE2, INNER2, NODE1, INNER1, n_options };
static const char by_inner_nodes[] = "0 or 1";
static const struct option {
  cosim_method method;
  const char *name;
  double default_value, above, below; /* exclusive bounds */
  const char *range;                  /* text of the range, for messages */
} options[n_options] = {
    [INDEX] = {COSIM_BAUMGARTE, "index", 1, 0.5, 3.5, "1, 2 or 3"},
    [MU] = {COSIM_BAUMGARTE, "mu", 1, 0, INFINITY, "positive and finite"},
    [MU_PHYSICAL] = {COSIM_BAUMGARTE, "mu_physical", 0, 0, INFINITY, "positive and finite"},
    [BETA] = {COSIM_BAUMGARTE, "beta", 0, -DBL_TRUE_MIN, INFINITY, "0 or positive, and finite"},
    [GAMMA] = {COSIM_BAUMGARTE, "gamma", 0, -DBL_TRUE_MIN, INFINITY, "0 or positive, and finite"},
    [A] = {COSIM_WEIGHTED, "a", 1, -DBL_TRUE_MIN, 1e300, "0 or positive, and below 1e300"},
    [B] = {COSIM_WEIGHTED, "b", 1, -DBL_TRUE_MIN, 1e300, "0 or positive, and below 1e300"},
    [INNER_D] = {COSIM_D, "inner", 0, -0.5, 1.5, by_inner_nodes},
    [INNER_I] = {COSIM_I, "inner", 0, -0.5, 1.5, by_inner_nodes},
    [NODE2] = {COSIM_INDEX2, "nodes", 0.5, 0, 1, "between 0 and 1"},
    [INNER2] = {COSIM_INDEX2, "inner", 0, -0.5, 1.5, by_inner_nodes},
    [NODE1] = {COSIM_INDEX1, "nodes", 2.0 / 3, 0.5, 1, "between 0.5 and 1"},
    [INNER1] = {COSIM_INDEX1, "inner", 0, -0.5, 1.5, by_inner_nodes},
};

/* Iterations without a corrector need a method with can_extrapolate. */
static const struct iteration {
  const char *name;
  int decompositions;
} iterations[] = {
    [COSIM_EXPLICIT] = {"explicit", ALL},     [COSIM_SEMI] = {"semi", ALL},
    [COSIM_UPDATE] = {"update", ALL},         [COSIM_IMPLICIT] = {"implicit", ALL},
    [COSIM_EXCHANGE] = {"exchange", FD | DF},
};
enum { n_iterations = sizeof iterations / sizeof *iterations };

/* ---- Names ---- */

/* A scheme's name, read word by word; a word ends before a hyphen or an opening bracket, or at the end of the name. */
typedef struct words {
  const char *name, *at;
  size_t *column;
  seam_error *error;
} words;

static size_t word_length(const words *w) { return strcspn(w->at, "-("); }

SEAM_PRINTF(2, 3) static seam_status refuse(const words *w, const char *format, ...) {
  char cause[256];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(cause, sizeof cause, format, arguments);
  va_end(arguments);
  if (w->column != NULL)
    *w->column = (size_t)(w->at - w->name);
  return seam_fail(w->error, SEAM_BAD_INPUT, "%s", cause);
}

static bool is_word(const words *w, const char *word) {
  return strlen(word) == word_length(w) && strncmp(w->at, word, word_length(w)) == 0;
}

static bool skip_hyphen(words *w) {
  const bool there = *w->at == '-';
  w->at += there;
  return there;
}

/* Appends `next` to a list such as "a, b or c". */
static void enumerate(char *list, size_t size, const char *next, bool is_last) {
  const size_t length = strlen(list);
  snprintf(list + length, size - length, "%s%s", length == 0 ? "" : is_last ? " or " : ", ", next);
}

static void enumerate_decompositions(int allowed, char *list, size_t size) {
  for (int d = 0; d < cosim_n_decompositions; d++)
    if ((allowed & 1 << d) != 0)
      enumerate(list, size, constitutive[d].name, allowed >> (d + 1) == 0);
}

/* Checks that a method or an iteration goes with the scheme's decomposition. */
static seam_status check_decomposition(const words *w, const char *name, int allowed, const cosim_scheme *scheme) {
  char list[32] = "";
  enumerate_decompositions(allowed, list, sizeof list);
  return (allowed & 1 << scheme->decomposition) != 0
             ? SEAM_OK
             : refuse(w, "'%s' goes with %s, not with %s", name, list, constitutive[scheme->decomposition].name);
}

static seam_status read_decomposition(words *w, cosim_scheme *scheme) {
  for (cosim_decomposition d = COSIM_FF; d < cosim_n_decompositions; d++)
    if (is_word(w, constitutive[d].name)) {
      scheme->decomposition = d;
      w->at += word_length(w);
      return skip_hyphen(w) ? SEAM_OK : refuse(w, "expected '-k' and the order, as in 'ff-k1'");
    }
  char list[32] = "", name[60] = "";
  snprintf(name, sizeof name, "%s", w->name);
  for (char *c = name; *c != '\0'; c++)
    *c = *c == '_' ? '-' : *c;
  if (memchr(w->at, '_', word_length(w)) != NULL)
    return refuse(w, "did you mean '%s'?", name);
  enumerate_decompositions(ALL, list, sizeof list);
  return refuse(w, "expected a decomposition, which is %s", list);
}

/* ---- Options ---- */

/* Refuses an option given twice; mu and mu_physical count as one. Refuses beta or gamma beside index or mu. */
static seam_status check_given(const words *w, int option, const bool *given) {
  const int other = option == MU ? MU_PHYSICAL : option == MU_PHYSICAL ? MU : option;
  if (given[option])
    return refuse(w, "%s is given twice", options[option].name);
  if (given[other])
    return refuse(w, "%s and %s are one option in two units: give one of them", options[other].name,
                  options[option].name);
  for (int i = INDEX; i <= GAMMA; i++)
    if (given[i] && option <= GAMMA && (i >= BETA) != (option >= BETA))
      return refuse(w, "%s and %s exclude each other: give beta and gamma, or index and mu", options[i].name,
                    options[option].name);
  return SEAM_OK;
}

/* Reads NAME=NUMBER. */
static seam_status read_option(words *w, cosim_method method, double *value, bool *given) {
  const size_t length = strcspn(w->at, "=,)");
  int i = 0;
  while (i < n_options && (options[i].method != method || strlen(options[i].name) != length ||
                           strncmp(options[i].name, w->at, length) != 0))
    i++;
  if (i == n_options) {
    char list[64] = "";
    for (int k = 0; k < n_options; k++)
      if (options[k].method == method)
        enumerate(list, sizeof list, options[k].name, k + 1 == n_options || options[k + 1].method != method);
    return *list == '\0' ? refuse(w, "'%s' has no options", methods[method].name)
                         : refuse(w, "'%.*s' is not an option of '%s', which has %s", length < 40 ? (int)length : 40,
                                  w->at, methods[method].name, list);
  }
  TRY(check_given(w, i, given));
  given[i] = true;
  w->at += length;
  if (*w->at != '=')
    return refuse(w, "expected '=' and a number");
  const char *end;
  const double number = seam_number(++w->at, &end);
  if (end == w->at)
    return refuse(w, "expected a number");
  if (*end != ',' && *end != ')') {
    w->at = end;
    return refuse(w, "expected ',' or ')'");
  }
  const bool is_integer = i == INDEX || options[i].range == by_inner_nodes;
  if (!(number > options[i].above && number < options[i].below) || (is_integer && number != floor(number)))
    return refuse(w, "%s must be %s", options[i].name, options[i].range);
  value[i] = number;
  w->at = end;
  return SEAM_OK;
}

/* Sets the numbers of a scheme from its options. Unless beta or gamma is given, Baumgarte's method has β = 2 μ (index
 * 3: β = 0) and γ = μ² (index 2 or 3: γ = 0). */
static void set_options(const double *value, const bool *given, cosim_scheme *scheme) {
  const double sum = 1 + value[A] + value[B];
  const bool is_explicit = given[BETA] || given[GAMMA];
  const double mu = value[MU_PHYSICAL] > 0 ? value[MU_PHYSICAL] : value[MU];
  scheme->is_physical = value[MU_PHYSICAL] > 0;
  scheme->beta = is_explicit ? value[BETA] : value[INDEX] < 3 ? 2 * mu : 0;
  scheme->gamma = is_explicit ? value[GAMMA] : value[INDEX] < 2 ? mu * mu : 0;
  memcpy(scheme->weight, (double[3]){1 / sum, value[A] / sum, value[B] / sum}, sizeof scheme->weight);
  scheme->nodes[0] = value[scheme->method == COSIM_INDEX1 ? NODE1 : NODE2];
  scheme->nodes[1] = scheme->method == COSIM_INDEX1 ? 1 - value[NODE1] : 0;
  for (int i = INNER_D; i <= INNER1; i++)
    scheme->predicts_by_inner = scheme->predicts_by_inner || (options[i].range == by_inner_nodes && value[i] == 1);
}

/* ---- Methods, orders, iterations ---- */

static bool is_order(const words *w, char letter) {
  return w->at[0] == letter && w->at[1] >= '0' && w->at[1] <= '9' && word_length(w) == 2;
}

/* Returns the meaning of the digit after the letter, for messages. */
static const char *order_of(const struct method *method) {
  return method->letter == 's' ? "the number of stages" : "the order";
}

static const char *example_of(const struct method *method) {
  return method->letter == 's' ? "ff-colloc-s3" : "ff-index2-k1";
}

static seam_status refuse_method(const words *w) {
  char list[128] = "";
  char wrong[32];
  const size_t length = word_length(w);
  snprintf(wrong, sizeof wrong, "%.*s", (int)length, w->at);
  nearest search = nearest_to(wrong);
  for (cosim_method m = COSIM_D; m < cosim_n_methods; m++) {
    nearest_try(&search, methods[m].name);
    enumerate(list, sizeof list, methods[m].name, m + 1 == cosim_n_methods);
  }
  if (search.name != NULL)
    return refuse(w, "there is no method '%s'; did you mean '%.*s%s%.40s'?", wrong, (int)(w->at - w->name), w->name,
                  search.name, w->at + length);
  return refuse(w, "expected a method, which is %s, or k and the order", list);
}

static seam_status read_method(words *w, cosim_scheme *scheme) {
  double value[n_options];
  bool given[n_options] = {false};
  cosim_method m = COSIM_D;
  for (int i = 0; i < n_options; i++)
    value[i] = options[i].default_value;
  while (m < cosim_n_methods && !is_word(w, methods[m].name))
    m++;
  if (m == cosim_n_methods && !is_order(w, 'k'))
    return refuse_method(w);
  scheme->method = m < cosim_n_methods ? m : COSIM_PLAIN;
  const struct method *method = &methods[scheme->method];
  TRY(check_decomposition(w, method->name, method->at_forces | method->at_joints, scheme));
  if (scheme->method != COSIM_PLAIN)
    w->at += word_length(w);
  if (scheme->method != COSIM_PLAIN && *w->at == '(') { /* (NAME=NUMBER,...) */
    do {
      w->at++;
      TRY(read_option(w, m, value, given));
    } while (*w->at == ',');
    w->at++;
  }
  set_options(value, given, scheme);
  if (scheme->method != COSIM_PLAIN && !skip_hyphen(w))
    return refuse(w, "expected '-%c' and %s, as in '%s'", method->letter, order_of(method), example_of(method));
  return SEAM_OK;
}

static seam_status read_order(words *w, cosim_scheme *scheme) {
  const struct method *method = &methods[scheme->method];
  if (!is_order(w, method->letter))
    return refuse(w, "expected %c and %s, as in '%s'", method->letter, order_of(method), example_of(method));
  scheme->order = w->at[1] - '0';
  if (scheme->order < method->min_order || scheme->order > method->max_order)
    return refuse(w, "%s must be %c%d to %c%d%s%s", order_of(method), method->letter, method->min_order, method->letter,
                  method->max_order, *method->name == '\0' ? "" : " with ", method->name);
  w->at += 2;
  return SEAM_OK;
}

static seam_status read_iteration(words *w, cosim_scheme *scheme) {
  int i = 0;
  scheme->iteration = COSIM_SEMI;
  if (*w->at == '\0')
    return SEAM_OK;
  if (!skip_hyphen(w))
    return refuse(w, "expected '-' or the end of the name");
  while (i < n_iterations && !is_word(w, iterations[i].name))
    i++;
  if (i == n_iterations) {
    char list[64] = "";
    for (int k = 0; k < n_iterations; k++)
      enumerate(list, sizeof list, iterations[k].name, k + 1 == n_iterations);
    return refuse(w, "expected %s", list);
  }
  scheme->iteration = (cosim_iteration)i;
  if (!cosim_scheme_corrects(scheme) && !methods[scheme->method].can_extrapolate)
    return refuse(w, "'%s' needs a corrector, which is %s", methods[scheme->method].name,
                  scheme->method == COSIM_COLLOCATION ? "semi or implicit" : "semi, update or implicit");
  if (scheme->iteration == COSIM_UPDATE && scheme->method == COSIM_COLLOCATION)
    return refuse(
        w, "'colloc' already repeats corrections until they are small, and ends with an update: leave '-update' out");
  TRY(check_decomposition(w, iterations[i].name, iterations[i].decompositions, scheme));
  w->at += word_length(w);
  return *w->at == '\0' ? SEAM_OK : refuse(w, "expected the end of the name");
}

static void set_variables(cosim_scheme *scheme, bool at_constraint) {
  const variables *at_forces = scheme->method == COSIM_COLLOCATION ? collocated : constitutive;
  const variables *row = &(at_constraint ? constraint : at_forces)[scheme->decomposition];
  scheme->at_constraint = at_constraint;
  scheme->n_variables = row->n_variables;
  memcpy(scheme->variable, row->variable, sizeof scheme->variable);
}

seam_status cosim_scheme_parse(const char *name, cosim_scheme *scheme, size_t *column, seam_error *error) {
  words w = {.name = name, .at = name, .error = error};
  w.column = column;
  *scheme = (cosim_scheme){.name = name};
  seam_status status = read_decomposition(&w, scheme);
  THEN(status, read_method(&w, scheme));
  THEN(status, read_order(&w, scheme));
  THEN(status, read_iteration(&w, scheme));
  const struct method *method = &methods[scheme->method];
  const int bit = 1 << scheme->decomposition;
  scheme->at_both = (method->at_forces & method->at_joints & bit) != 0;
  set_variables(scheme, !scheme->at_both && (method->at_joints & bit) != 0);
  return status;
}

seam_status cosim_scheme_read(const char *name, cosim_scheme *scheme, seam_error *error) {
  seam_error cause = {0};
  const seam_status status = cosim_scheme_parse(name, scheme, NULL, &cause);
  if (status == SEAM_OK)
    return SEAM_OK;
  return seam_fail(error, status, "'%.60s%s' is not the name of a scheme: %s", name, strlen(name) > 60 ? "..." : "",
                   cause.message);
}

seam_status cosim_scheme_for(const char *name, bool at_constraint, cosim_scheme *scheme, seam_error *error) {
  TRY(cosim_scheme_read(name, scheme, error));
  return cosim_scheme_at(scheme, at_constraint, error);
}

seam_status cosim_scheme_at(cosim_scheme *scheme, bool at_constraint, seam_error *error) {
  if (scheme->at_both)
    set_variables(scheme, at_constraint);
  if (scheme->at_constraint == at_constraint)
    return SEAM_OK;
  if (at_constraint)
    return seam_fail(
        error, SEAM_BAD_INPUT,
        "this is a joint: take ff-index2-k1; '%.60s' is for force elements, and 'seam schemes' lists those for joints",
        scheme->name);
  return seam_fail(
      error, SEAM_BAD_INPUT,
      "this is a force element: take ff-k1; '%.60s' is for joints, and 'seam schemes' lists those for force elements",
      scheme->name);
}

const char *cosim_decomposition_name(cosim_decomposition decomposition) { return constitutive[decomposition].name; }
const char *cosim_method_name(cosim_method method) { return methods[method].name; }
const char *cosim_iteration_name(cosim_iteration iteration) { return iterations[iteration].name; }

bool cosim_scheme_listed(bool at_constraint, size_t number, char *name, size_t size) {
  for (int d = 0; d < cosim_n_decompositions; d++)
    for (const struct method *m = methods; m < methods + cosim_n_methods; m++) {
      const size_t n_orders = (size_t)(m->max_order - m->min_order) + 1;
      if (((at_constraint ? m->at_joints : m->at_forces) & 1 << d) == 0)
        continue;
      if (number < n_orders) {
        snprintf(name, size, "%s%s%s-%c%zu", constitutive[d].name, *m->name == '\0' ? "" : "-", m->name, m->letter,
                 number + (size_t)m->min_order);
        return true;
      }
      number -= n_orders;
    }
  return false;
}

bool cosim_scheme_drives(const cosim_scheme *scheme, int side, cosim_kind kind) {
  for (int i = 0; i < scheme->n_variables; i++)
    if (scheme->variable[i].kind == kind && (scheme->variable[i].target < 0 || scheme->variable[i].target == side))
      return true;
  return false;
}

bool cosim_scheme_receives_motion(const cosim_scheme *scheme, int side) {
  return cosim_scheme_drives(scheme, side, COSIM_POSITION) || cosim_scheme_drives(scheme, side, COSIM_MOTION);
}

/* ---- Nodes and rules of collocation ---- */

/* Nodes of collocation with s stages, on [0, 1], descending:
 *
 *   c_j   zeros of the polynomial of degree s - 1 that is orthogonal to lower ones under the weight (1 - τ)²
 *   e_k   zeros of the polynomial of degree s - 1 that is orthogonal to lower ones under the weight τ² (1 - τ)²
 *   q_i   s + 1 Gauss points
 *
 * H is the length of the step. A motion that is exact at the nodes e_k and, with its rate, at both ends has the error
 * O(H^(s+3)) τ² (1 - τ)² Π(τ - e_k). A force that is exact at the nodes c_j and, with its rate, at the end has the
 * error O(H^(s+1)) (1 - τ)² Π(τ - c_j). Both errors are orthogonal to polynomials below degree s - 1. (docs/theory.md,
 * Collocation) */

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

/* Returns the polynomial in τ with value 1 (is_slope: with slope 1) at `chosen`, which is 0, 1 or an inner node. All
 * other values at 0, 1 and the inner nodes, and all other slopes at 0 and 1, are zero. It is a line times the product
 * of τ - node over all nodes but `chosen`; 0 and 1 count twice. */
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

/* Returns the polynomial through new values at the first n_new nodes and known values at the next n_history nodes. */
static cosim_rule polynomial_through(int n_new, int n_history, const double *node) {
  cosim_rule rule = {.n_new = n_new, .n_history = n_history};
  memcpy(rule.node, node, (size_t)n_new * sizeof *node);
  for (int i = 0; i < n_new; i++)
    rule.of_new[i] = cosim_lagrange(n_new + n_history, node, i);
  for (int i = 0; i < n_history; i++)
    rule.of_history[i] = cosim_lagrange(n_new + n_history, node, n_new + i);
  return rule;
}

/* A force or an acceleration is the polynomial through its new values at 1, the nodes c_j and 0. A motion is the
 * polynomial with value and slope at 0, values at the inner nodes, value and slope at 1. */
static cosim_rule collocation_rule(const cosim_scheme *scheme, cosim_kind kind) {
  const double *inner = one_double_end[scheme->order];
  if (kind != COSIM_MOTION) {
    double node[COSIM_MAX_NEW] = {1};
    memcpy(node + 1, inner, (size_t)(scheme->order - 1) * sizeof *node);
    return polynomial_through(scheme->order + 1, 0, node);
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

/* ---- Rules ---- */

int cosim_n_new(const cosim_scheme *scheme, cosim_kind kind) {
  static const int n_new[cosim_n_methods][cosim_n_kinds] = {
      [COSIM_PLAIN] = {1, 1, 1, 1},     [COSIM_D] = {2, 1, 2, 1},        [COSIM_I] = {2, 2, 1, 1},
      [COSIM_BAUMGARTE] = {1, 1, 1, 1}, [COSIM_WEIGHTED] = {1, 1, 1, 1}, [COSIM_PROJECTION] = {1, 1, 1, 1},
      [COSIM_INDEX2] = {2, 1, 1, 1},    [COSIM_INDEX1] = {3, 1, 1, 1},
  };
  if (!cosim_scheme_corrects(scheme))
    return 0;
  return scheme->method == COSIM_COLLOCATION ? scheme->order + 1 : n_new[scheme->method][kind];
}

cosim_rule cosim_rule_through_end(int order, const cosim_history_nodes *past) {
  double node[COSIM_MAX_ORDER + 1] = {1};
  const int n = order < past->n ? order : past->n;
  memcpy(node + 1, past->node, (size_t)n * sizeof *node);
  return polynomial_through(1, n, node);
}

/* Returns the functions C, L and Q of [Li] (3.37) to (3.39), (4.67), (4.80). Orders 0 and 1 are constant and linear on
 * pieces that end at the new nodes; higher orders are one polynomial through τ = 0 and these nodes. */
static cosim_rule inner_nodes_rule(const cosim_scheme *scheme, int n, int order) {
  cosim_rule rule = {.n_new = n, .n_history = order > 0 ? 1 : 0, .node = {1, 0.5}};
  if (scheme->method == COSIM_INDEX2 || scheme->method == COSIM_INDEX1)
    memcpy(rule.node + 1, scheme->nodes, sizeof scheme->nodes);
  if (order >= 2) {
    double node[COSIM_MAX_NEW + 1] = {0};
    memcpy(node, rule.node, (size_t)n * sizeof *node);
    return polynomial_through(n, 1, node);
  }
  cosim_signal none = {.n_pieces = n};
  if (fabs(rule.node[1] - (n - 1.0) / n) > cosim_same_tau) /* equal pieces need no borders */
    for (int p = 0; p + 1 < n; p++)
      none.border[p] = rule.node[n - 1 - p];
  for (int i = 0; i < n; i++) {
    const int piece = n - 1 - i; /* piece that ends at node i */
    cosim_signal *hat = &rule.of_new[i];
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
  rule.of_history[0] = none;
  rule.of_history[0].c[0][0] = 1;
  rule.of_history[0].c[0][1] = -1 / cosim_signal_length(&none, 0);
  return rule;
}

cosim_rule cosim_corrector_rule(const cosim_scheme *scheme, cosim_kind kind, const cosim_history_nodes *past) {
  const int n_new = cosim_n_new(scheme, kind);
  cosim_rule rule;
  if (scheme->method == COSIM_COLLOCATION)
    rule = collocation_rule(scheme, kind);
  else
    rule = n_new > 1 ? inner_nodes_rule(scheme, n_new, past->n > 0 ? scheme->order : 0)
                     : cosim_rule_through_end(scheme->order, past);
  for (int i = 0; i < rule.n_new; i++)
    rule.end_slope_new[i] = cosim_signal_end_slope(&rule.of_new[i]);
  for (int i = 0; i < rule.n_history; i++)
    rule.end_slope_history[i] = cosim_signal_end_slope(&rule.of_history[i]);
  if (rule.n_new == 2 && scheme->order == 0) {
    /* Piecewise constants have no slope; the line through their nodes gives the slope (docs/conventions.md). */
    rule.end_slope_new[0] = 2;
    rule.end_slope_new[1] = -2;
  }
  return rule;
}

cosim_rule cosim_predictor_rule(int order, const cosim_history_nodes *past) {
  return polynomial_through(0, order + 1 < past->n ? order + 1 : past->n, past->node);
}

/* Returns C[2 λ_N - λ_N-1/2, λ_N] of [Li], below (3.42). λ_N is at τ = 0, λ_N-1/2 at the last step's inner node nearest
 * to τ = 0. The result is constant on each piece of the corrector: the line through these two values at the beginning
 * of the piece. */
static cosim_rule constants_along_line(const cosim_rule *corrector, double ratio) {
  const double distance = (1 - corrector->node[1]) * ratio;
  cosim_signal one = {.n_pieces = corrector->n_new};
  for (int p = 0; p + 1 < one.n_pieces; p++) /* borders exactly at the nodes: a node belongs to the piece before it */
    one.border[p] = corrector->node[one.n_pieces - 1 - p];
  cosim_rule rule = {.n_new = 1, .n_history = 1, .of_new = {one}, .of_history = {one}};
  for (int p = 0; p < one.n_pieces; p++) {
    const double steps = cosim_signal_begin(&one, p) / distance;
    rule.of_history[0].c[p][0] = 1 + steps;
    rule.of_new[0].c[p][0] = -steps;
  }
  return rule;
}

/* The rule goes through order + 1 nodes: τ = 0, inner nodes of the last step and, if more are needed, its beginning. */
cosim_rule cosim_inner_predictor_rule(const cosim_scheme *scheme, const cosim_rule *corrector, double ratio) {
  double node[COSIM_MAX_NEW + 1] = {0};
  if (scheme->order == 0 && ratio > 0)
    return constants_along_line(corrector, ratio);
  const int n = (ratio > 0 ? scheme->order : 0) + 1;
  cosim_rule rule = {.n_new = n - 1 < corrector->n_new - 1 ? n - 1 : corrector->n_new - 1};
  rule.n_history = n - rule.n_new;
  for (int i = 0; i < rule.n_new; i++)
    node[i + 1] = -(1 - corrector->node[i + 1]) * ratio;
  node[rule.n_new + 1] = -ratio;
  for (int i = 0; i < rule.n_new; i++)
    rule.of_new[i] = cosim_lagrange(n, node, i + 1);
  rule.of_history[0] = cosim_lagrange(n, node, 0);
  if (rule.n_history > 1)
    rule.of_history[1] = cosim_lagrange(n, node, n - 1);
  return rule;
}
