#include "app/options.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/failure.h"
#include "app/results/output.h"
#include "base/nearest.h"

static size_t find_option(const app_option *table, const char *name, size_t length) {
  size_t i = 0;
  while (table[i].name != NULL && (strlen(table[i].name) != length || strncmp(table[i].name, name, length) != 0))
    i++;
  return i;
}

static seam_status unknown_option(const app_option *table, const char *argument, size_t length, seam_error *error) {
  static const struct {
    const char *name, *instead;
    bool has_ended; /* earlier versions had the option; false: other tools or commands have it */
  } known[] = {
      {"--oracle",
       "points that double precision cannot decide count as undecided; read the counts without lambda-r = 0", true},
      {"--output", "write -o", false},
      {"--cosim",
       "'seam run' and 'seam sweep' take it; 'check', 'compare', 'converge' and 'stability model' look at 'cosim' in "
       "any case",
       false}};
  char name[64];
  snprintf(name, sizeof name, "%.*s", (int)length, argument);
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (strcmp(name, known[i].name) == 0)
      return seam_fail(error, SEAM_BAD_INPUT,
                       known[i].has_ended ? "seam: there is no option '%s' any more; %s"
                                          : "seam: unknown option '%s'; %s",
                       name, known[i].instead);
  nearest search = nearest_to(name);
  for (const app_option *row = table; row->name != NULL; row++)
    nearest_try(&search, row->name);
  if (search.name != NULL)
    return seam_fail(error, SEAM_BAD_INPUT, "seam: unknown option '%s'; did you mean '%s'?", name, search.name);
  return seam_fail(error, SEAM_BAD_INPUT, "seam: unknown option '%s'; --help lists the options", name);
}

/* Reads the option at arguments[*at] and its value. If the value is the next argument, *at becomes the index of that
 * argument. */
static seam_status read_option(app_options *parsed, int *at, seam_error *error) {
  const char *argument = parsed->arguments[*at];
  const size_t length = strcspn(argument, "=");
  const size_t index = find_option(parsed->table, argument, length);
  const app_option *row = &parsed->table[index];
  const char *value = argument[length] ? argument + length + 1 : NULL;
  if (row->name == NULL)
    return unknown_option(parsed->table, argument, length, error);
  if (row->value == NULL && value != NULL)
    return seam_fail(error, SEAM_BAD_INPUT, "seam: %s takes no value", row->name);
  if (row->value != NULL && value == NULL) {
    if (*at + 1 >= parsed->n_arguments || strncmp(parsed->arguments[*at + 1], "--", 2) == 0)
      return seam_fail(error, SEAM_BAD_INPUT, "seam: %s needs a value: %s %s", row->name, row->name, row->value);
    value = parsed->arguments[++*at];
  }
  parsed->values[index] = value != NULL ? value : row->name;
  parsed->given[parsed->n_given++] = (app_given){index, parsed->values[index]};
  if (row->override_key == NULL)
    return SEAM_OK;
  const size_t size = strlen(row->override_key) + strlen(value) + 2;
  char *override = malloc(size);
  if (override == NULL)
    return out_of_memory(error);
  snprintf(override, size, "%s%s%s", row->override_key, *row->override_key ? "=" : "", value);
  parsed->overrides[parsed->n_overrides++] = override;
  return SEAM_OK;
}

seam_status options_parse(const app_option *table, int n_arguments, char **arguments, app_options *parsed,
                          seam_error *error) {
  size_t n_rows = 0;
  while (table[n_rows].name != NULL)
    n_rows++;
  *parsed = (app_options){.n_arguments = n_arguments, .arguments = arguments, .table = table};
  parsed->values = calloc(n_rows + 1, sizeof *parsed->values);
  parsed->given = calloc((size_t)n_arguments, sizeof *parsed->given);
  parsed->overrides = calloc((size_t)n_arguments, sizeof *parsed->overrides);
  parsed->operands = calloc((size_t)n_arguments, sizeof *parsed->operands);
  if (parsed->values == NULL || parsed->given == NULL || parsed->overrides == NULL || parsed->operands == NULL)
    return out_of_memory(error);

  bool options_ended = false;
  seam_status status = SEAM_OK;
  for (int at = 1; at < n_arguments && status == SEAM_OK; at++) {
    const char *argument = arguments[at];
    if (!options_ended && strcmp(argument, "--") == 0)
      options_ended = true;
    else if (options_ended || argument[0] != '-' || argument[1] == '\0')
      parsed->operands[parsed->n_operands++] = argument;
    else
      status = read_option(parsed, &at, error);
  }
  return status;
}

void options_free(app_options *parsed) {
  for (size_t i = 0; i < parsed->n_overrides; i++)
    free(parsed->overrides[i]);
  free(parsed->overrides);
  free(parsed->given);
  free((void *)parsed->values);
  free((void *)parsed->operands);
}

const char *options_value(const app_options *parsed, const char *name) {
  return parsed->values[find_option(parsed->table, name, strlen(name))];
}

const char *options_nth(const app_options *parsed, const char *name, size_t i) {
  const size_t row = find_option(parsed->table, name, strlen(name));
  for (const app_given *at = parsed->given; at < parsed->given + parsed->n_given; at++)
    if (at->row == row && i-- == 0)
      return at->value;
  return NULL;
}

bool options_flag(const app_options *parsed, const char *name) { return options_value(parsed, name) != NULL; }

static bool read_number(const char *text, double least, double most, double *number) {
  char *end = NULL;
  *number = strtod(text, &end);
  return end != text && *end == '\0' && isfinite(*number) && *number >= least && *number <= most;
}

seam_status options_number(const app_options *parsed, const char *name, double least, double most, double *number,
                           seam_error *error) {
  const char *text = options_value(parsed, name);
  char range[64] = "";
  if (text == NULL || read_number(text, least, most, number))
    return SEAM_OK;
  if (least == DBL_MIN && most == DBL_MAX)
    snprintf(range, sizeof range, " above 0");
  else if (isfinite(most))
    snprintf(range, sizeof range, " from %g to %g", least, most);
  return seam_fail(error, SEAM_BAD_INPUT, "seam: %s takes a number%s, not '%s'", name, range, text);
}

seam_status options_threads(const app_options *parsed, int *n_threads, seam_error *error) {
  enum { MAX_THREADS = 1024 };
  const char *text = options_value(parsed, "--threads");
  double number = 0;
  if (text == NULL)
    return SEAM_OK;
  if (!read_number(text, 1, MAX_THREADS, &number) || number != floor(number))
    return seam_fail(error, SEAM_BAD_INPUT, "seam: --threads must be a whole number from 1 to %d, but is '%s'",
                     MAX_THREADS, text);
  *n_threads = (int)number;
  return SEAM_OK;
}

seam_status options_assignment(const char *option, const char *text, char name[OPTIONS_MAX_NAME], double *number,
                               const char **tail, seam_error *error) {
  const size_t length = strcspn(text, "=");
  const char *value = text[length] == '=' ? text + length + 1 : text + length;
  char *end = NULL;
  snprintf(name, OPTIONS_MAX_NAME, "%.*s", (int)length, text);
  *number = strtod(value, &end);
  if (end == value || (*end != '\0' && (tail == NULL || *end != ',')))
    return seam_fail(error, SEAM_BAD_INPUT, "seam: %s %s: write NAME=NUMBER, as in %s %s=1", option, text, option,
                     *name != '\0' ? name : "NAME");
  if (tail != NULL)
    *tail = end;
  return SEAM_OK;
}

seam_status options_output(const app_options *parsed, const char *what, const char *const *endings, size_t n,
                           const char **path, size_t *number, seam_error *error) {
  char list[64] = "";
  size_t used = 0;
  *path = options_value(parsed, "-o");
  *number = 0;
  if (*path == NULL)
    return SEAM_OK;
  const char *ending = strrchr(*path, '.');
  while (*number < n && (ending == NULL || strcmp(ending, endings[*number]) != 0))
    ++*number;
  for (size_t i = 0; i < n && used < sizeof list; i++) /* writes the endings as "a, b or c" */
    used += (size_t)snprintf(list + used, sizeof list - used, "%s%s",
                             i == 0      ? ""
                             : i + 1 < n ? ", "
                                         : " or ",
                             endings[i]);
  if (*number == n)
    return seam_fail(error, SEAM_BAD_INPUT, "seam: -o %.200s: the name of %s must end with %s", *path, what, list);
  for (size_t i = 0; i < parsed->n_operands; i++)
    if (output_is_same(*path, parsed->operands[i]))
      return seam_fail(error, SEAM_BAD_INPUT,
                       "seam: -o %.200s would replace a file that this command reads; give another name", *path);
  return SEAM_OK;
}

void options_print_overrides(const app_options *parsed) {
  for (size_t i = 0; i < parsed->n_overrides; i++)
    printf(" --set \"%s\"", parsed->overrides[i]);
}

void options_print(const app_option *table, FILE *file) {
  size_t width = 22;
  for (const app_option *row = table; row->name != NULL; row++) {
    const size_t length = strlen(row->name) + (row->value != NULL ? strlen(row->value) + 1 : 0);
    width = length > width ? length : width;
  }
  for (const app_option *row = table; row->name != NULL; row++) {
    const int length =
        fprintf(file, "  %s%s%s", row->name, row->value != NULL ? " " : "", row->value != NULL ? row->value : "");
    fprintf(file, "%*s  %s\n", (int)width + 2 - length, "", row->help);
  }
}
