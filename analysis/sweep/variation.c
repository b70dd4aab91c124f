#include "analysis/sweep/variation.h"

#include <math.h>
#include <string.h>

#include <seam/sweep.h>

#include "analysis/sweep/normal_quantile.h"
#include "base/number.h"

static const char forms[] = "write KEY=FROM:TO:N, KEY=FROM:TO:N:log, KEY=[A, B, ...], KEY=uniform(A, B) or "
                            "KEY=normal(MEAN, SIGMA)";

static seam_status no_memory(seam_error *error) { return seam_fail(error, SEAM_NO_MEMORY, "memory is exhausted"); }

/* Reads a finite number with blanks around it, and advances *at beyond them. Returns false if there is no such
 * number. */
static bool read_number(const char **at, double *number) {
  const char *end = NULL;
  *at += strspn(*at, " ");
  *number = seam_number(*at, &end);
  const bool is_one = end != *at && isfinite(*number);
  *at = end + strspn(end, " ");
  return is_one;
}

static bool skip_text(const char **at, const char *text) {
  const bool is_there = strncmp(*at, text, strlen(text)) == 0;
  *at += is_there ? strlen(text) : 0;
  return is_there;
}

/* ---- Ranges ---- */

static double share_of(const varied *of, size_t value) { return (double)value / (double)(of->n_values - 1); }

static double linear(const varied *of, size_t value) {
  return value + 1 == of->n_values ? of->b : of->a + share_of(of, value) * (of->b - of->a);
}

static double geometric(const varied *of, size_t value) {
  return value + 1 == of->n_values ? of->b : of->a * pow(of->b / of->a, share_of(of, value));
}

static const variation_type linear_range = {linear, NULL}, geometric_range = {geometric, NULL};

static seam_status read_range(const char *at, varied *made, seam_error *error) {
  double n = 0;
  const bool is_range = read_number(&at, &made->a) && skip_text(&at, ":") && read_number(&at, &made->b) &&
                        skip_text(&at, ":") && read_number(&at, &n);
  made->type = skip_text(&at, ":log") ? &geometric_range : &linear_range;
  if (!is_range || *at != '\0')
    return seam_fail(error, SEAM_BAD_INPUT, "'%s' says no values for '%s'; %s", made->given, made->key, forms);
  if (n != floor(n) || n < 2 || n > SEAM_MAX_RUNS)
    return seam_fail(
        error, SEAM_BAD_INPUT,
        "the range '%s' of '%s' must have a whole number of values from 2 to %d; for one value write --set",
        made->given, made->key, SEAM_MAX_RUNS);
  if (made->a == made->b)
    return seam_fail(error, SEAM_BAD_INPUT, "the range '%s' of '%s' is empty; its ends must differ", made->given,
                     made->key);
  if (made->type == &geometric_range && !(made->a > 0 && made->b > 0))
    return seam_fail(error, SEAM_BAD_INPUT,
                     "both ends of the range '%s' of '%s' must be positive, for equal ratios; leave out ':log'",
                     made->given, made->key);
  made->n_values = (size_t)n;
  return SEAM_OK;
}

/* ---- Distributions ---- */

static double uniform(const varied *of, double share) { return of->a + share * (of->b - of->a); }
static double normal(const varied *of, double share) { return of->a + of->b * normal_quantile(share); }

static bool are_ends(double a, double b) { return a < b; }
static bool has_deviation(double a, double b) { return b > 0 && isfinite(a); }

static const struct {
  const char *begin;
  variation_type type;
  bool (*fit)(double a, double b);
  const char *must;
} distributions[] = {
    {"uniform(", {NULL, uniform}, are_ends, "A must be below B"},
    {"normal(", {NULL, normal}, has_deviation, "SIGMA must be positive"},
};
enum { N_DISTRIBUTIONS = sizeof distributions / sizeof *distributions };

static seam_status read_distribution(const char *at, varied *made, seam_error *error) {
  size_t i = 0;
  while (i < N_DISTRIBUTIONS && !skip_text(&at, distributions[i].begin))
    i++;
  const bool is_complete = i < N_DISTRIBUTIONS && read_number(&at, &made->a) && skip_text(&at, ",") &&
                           read_number(&at, &made->b) && skip_text(&at, ")") && *at == '\0';
  if (!is_complete)
    return seam_fail(error, SEAM_BAD_INPUT, "'%s' is not a distribution for '%s'; %s", made->given, made->key, forms);
  if (!distributions[i].fit(made->a, made->b))
    return seam_fail(error, SEAM_BAD_INPUT, "the distribution '%s' of '%s' does not exist; %s", made->given, made->key,
                     distributions[i].must);
  made->type = &distributions[i].type;
  return SEAM_OK;
}

/* ---- Lists ---- */

static double listed(const varied *of, size_t value) { return of->value[value]; }

static const variation_type list = {listed, NULL};

/* Returns the length of the text up to the comma or closing bracket that ends a list's entry. */
static size_t entry_length(const char *text) {
  int depth = 0;
  size_t i = 0;
  for (; text[i] != '\0' && (depth > 0 || strchr(",]", text[i]) == NULL); i++)
    depth += (strchr("[({", text[i]) != NULL) - (strchr("])}", text[i]) != NULL);
  return i;
}

static size_t count_entries(const char *at) {
  size_t n = 1;
  for (at += entry_length(at); *at == ','; at += entry_length(at)) {
    n++;
    at++;
  }
  return *at == ']' && at[1] == '\0' ? n : 0;
}

static const char *copy_entry(arena *memory, const char *at, size_t length) {
  while (length > 0 && *at == ' ') {
    at++;
    length--;
  }
  while (length > 0 && at[length - 1] == ' ')
    length--;
  return arena_text(memory, at, length);
}

/* Fills `values` (n_values) with the entries' numbers, or with 1, 2, ... if not all entries are numbers. */
static void number_entries(varied *made, double *values) {
  bool are_numbers = true;
  for (size_t i = 0; i < made->n_values; i++) {
    const char *at = made->text[i];
    are_numbers = read_number(&at, &values[i]) && *at == '\0' && are_numbers;
  }
  for (size_t i = 0; i < made->n_values && !are_numbers; i++)
    values[i] = (double)(i + 1);
  if (are_numbers)
    made->text = NULL;
}

static seam_status read_list(const char *at, arena *memory, varied *made, seam_error *error) {
  at++;
  made->n_values = count_entries(at);
  if (made->n_values == 0)
    return seam_fail(error, SEAM_BAD_INPUT, "the list '%s' of '%s' has no closing bracket; write KEY=[A, B, ...]",
                     made->given, made->key);
  made->text = arena_allocate(memory, made->n_values * sizeof *made->text);
  double *values = arena_allocate(memory, made->n_values * sizeof *values);
  if (made->text == NULL || values == NULL)
    return no_memory(error);
  for (size_t i = 0; i < made->n_values; i++) {
    const size_t length = entry_length(at);
    made->text[i] = copy_entry(memory, at, length);
    if (made->text[i] == NULL)
      return no_memory(error);
    if (*made->text[i] == '\0')
      return seam_fail(error, SEAM_BAD_INPUT, "value %zu in the list '%s' of '%s' is missing; write KEY=[A, B, ...]",
                       i + 1, made->given, made->key);
    at += length + 1;
  }
  number_entries(made, values);
  made->value = values;
  made->type = &list;
  return SEAM_OK;
}

/* ---- Reading ---- */

seam_status variation_read(const char *text, arena *memory, varied *read, seam_error *error) {
  const char *sign = strchr(text, '=');
  if (sign == NULL || sign == text)
    return seam_fail(error, SEAM_BAD_INPUT, "'%s' has no key; %s", text, forms);
  *read = (varied){.key = arena_text(memory, text, (size_t)(sign - text)),
                   .given = arena_text(memory, sign + 1, strlen(sign + 1))};
  if (read->key == NULL || read->given == NULL)
    return no_memory(error);
  if (sign[1] == '[')
    return read_list(read->given, memory, read, error);
  return strchr(read->given, '(') != NULL ? read_distribution(read->given, read, error)
                                          : read_range(read->given, read, error);
}
