/* The words of a name stand between hyphens; the hyphens and commas of options are inside brackets:
 *
 *     ff-k1    fd-d-k2    dd-k0-explicit    ff-index2-k2    ff-baumgarte(index=1,mu=5)-k1-implicit */
#include "models/scheme_name.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <seam/status.h>

#include "models/expression/lexer.h"

enum { MAX_OPTIONS = 3, HIGHEST_ORDER = 9 };

static const char *const decompositions[] = {"ff", "fd", "df", "dd"};
static const char *const iterations[] = {"explicit", "semi", "implicit"};

static const struct method {
  const char *name;
  const char *options[MAX_OPTIONS]; /* the rest is NULL */
} methods[] = {
    {"d", {0}},
    {"i", {0}},
    {"baumgarte", {"index", "mu", "mu_physical"}},
    {"weighted", {"index", "a", "b"}},
    {"projection", {0}},
    {"index2", {"nodes"}},
    {"index1", {"nodes"}},
};

enum { N_METHODS = sizeof methods / sizeof *methods };

typedef struct words {
  const char *text;
  const char *now; /* start of the present word */
  size_t length;   /* of it */
  scheme_name_error *error;
} words;

SEAM_PRINTF(3, 4) static bool fail(const words *w, const char *at, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(w->error->cause, sizeof w->error->cause, format, arguments);
  va_end(arguments);
  w->error->column = (size_t)(at - w->text);
  return false;
}

/* Goes to the word that starts at `start`: up to a hyphen outside brackets. */
static void go_to(words *w, const char *start) {
  size_t inside = 0;
  w->now = start;
  for (w->length = 0; start[w->length]; w->length++) {
    if (start[w->length] == '(')
      inside = 1;
    if (start[w->length] == ')')
      inside = 0;
    if (start[w->length] == '-' && !inside)
      return;
  }
}

static bool next_word(words *w) {
  const char *end = w->now + w->length;
  go_to(w, *end == '-' ? end + 1 : end);
  return *end == '-';
}

static bool is_word(const words *w, const char *word) {
  return strlen(word) == w->length && memcmp(w->now, word, w->length) == 0;
}

static bool is_one_of(const words *w, const char *const *list, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (is_word(w, list[i]))
      return true;
  return false;
}

/* ---- Methods ----------------------------------------------------------------------------------------------------- */

static bool is_option_of(const struct method *method, const char *name, size_t length) {
  for (size_t i = 0; i < MAX_OPTIONS && method->options[i]; i++)
    if (strlen(method->options[i]) == length && memcmp(method->options[i], name, length) == 0)
      return true;
  return false;
}

/* A value is a decimal number with a sign at will. */
static size_t value_length(const char *text) {
  const size_t sign = text[0] == '-' || text[0] == '+';
  const token number = lexer_next(text + sign);
  return number.kind == TOKEN_NUMBER && number.start == text + sign ? sign + number.length : 0;
}

/* (NAME=NUMBER,...) from `open` to the end of the word. */
static bool check_options(const words *w, const struct method *method, const char *open) {
  const char *end = w->now + w->length - 1;
  if (*end != ')')
    return fail(w, w->now + w->length, "expected ')'");
  const char *at = open;
  while (at < end) {
    const char *name = ++at; /* behind '(' or ',' */
    const size_t length = strcspn(name, "=,)");
    if (!is_option_of(method, name, length))
      return fail(w, name, "'%.*s' is not an option of '%s'", length < 40 ? (int)length : 40, name, method->name);
    if (name[length] != '=')
      return fail(w, name + length, "expected '=' and a number");
    const size_t value = value_length(name + length + 1);
    at = name + length + 1 + value;
    if (value == 0)
      return fail(w, at, "expected a number");
    if (*at != ',' && at != end)
      return fail(w, at, "expected ',' or ')'");
  }
  return true;
}

static bool check_method(const words *w) {
  const char *open = memchr(w->now, '(', w->length);
  const words name = {w->text, w->now, open ? (size_t)(open - w->now) : w->length, w->error};
  for (size_t i = 0; i < N_METHODS; i++)
    if (is_word(&name, methods[i].name))
      return !open || check_options(w, &methods[i], open);
  return fail(w, w->now,
              "expected a method (d, i, baumgarte, weighted, projection, index2, index1) or k and the order");
}

static bool is_order(const words *w) {
  return w->length == 2 && w->now[0] == 'k' && w->now[1] >= '0' && w->now[1] <= '0' + HIGHEST_ORDER;
}

bool scheme_name_check(const char *text, scheme_name_error *error) {
  *error = (scheme_name_error){0};
  words w = {.text = text, .error = error};
  go_to(&w, text);
  if (!is_one_of(&w, decompositions, sizeof decompositions / sizeof *decompositions))
    return fail(&w, w.now, "expected a decomposition: ff, fd, df or dd");
  if (!next_word(&w))
    return fail(&w, w.now, "expected '-k' and the order, as in 'ff-k1'");
  if (!is_order(&w)) {
    if (!check_method(&w))
      return false;
    if (!next_word(&w) || !is_order(&w))
      return fail(&w, w.now, "expected k and the order, as in 'ff-index2-k1'");
  }
  if (!next_word(&w))
    return true;
  if (!is_one_of(&w, iterations, sizeof iterations / sizeof *iterations))
    return fail(&w, w.now, "expected explicit, semi or implicit");
  return next_word(&w) ? fail(&w, w.now, "expected the end of the name") : true;
}
