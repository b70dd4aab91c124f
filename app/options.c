#include "app/options.h"

#include <ctype.h>
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/failure.h"
#include "app/results/output.h"
#include "base/checksum.h"
#include "base/nearest.h"
#include "base/then.h"

/* ---- Parsing ---- */

static size_t find_option(const app_option *table, const char *name, size_t length) {
  size_t i = 0;
  while (table[i].name != NULL && (strlen(table[i].name) != length || strncmp(table[i].name, name, length) != 0))
    i++;
  return i;
}

static seam_status unknown_option(const app_option *table, const char *argument, size_t length, seam_error *error) {
  static const struct {
    const char *name, *instead;
    bool has_ended; /* earlier versions had it; false: other tools or commands do */
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

/* Reads an option; *at moves on to its value if that is an argument of its own. */
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
  parsed->given[parsed->n_given++] = (app_given){index, value != NULL ? value : row->name};
  if (row->override_key == NULL)
    return SEAM_OK;
  const size_t size = strlen(row->override_key) + strlen(value) + 2;
  char *override = malloc(size);
  TRY(check_memory(override != NULL, error));
  snprintf(override, size, "%s%s%s", row->override_key, *row->override_key ? "=" : "", value);
  parsed->overrides[parsed->n_overrides++] = override;
  return SEAM_OK;
}

seam_status options_parse(const app_option *table, int n_arguments, char **arguments, app_options *parsed,
                          seam_error *error) {
  *parsed = (app_options){.n_arguments = n_arguments, .arguments = arguments, .table = table};
  parsed->given = calloc((size_t)n_arguments, sizeof *parsed->given);
  parsed->overrides = calloc((size_t)n_arguments, sizeof *parsed->overrides);
  parsed->operands = calloc((size_t)n_arguments, sizeof *parsed->operands);
  TRY(check_memory(parsed->given != NULL && parsed->overrides != NULL && parsed->operands != NULL, error));

  bool options_ended = false;
  for (int at = 1; at < n_arguments; at++) {
    const char *argument = arguments[at];
    if (!options_ended && strcmp(argument, "--") == 0)
      options_ended = true;
    else if (options_ended || argument[0] != '-' || argument[1] == '\0')
      parsed->operands[parsed->n_operands++] = argument;
    else
      TRY(read_option(parsed, &at, error));
  }
  return SEAM_OK;
}

seam_status options_parse_line(const app_option *table, const char *line, size_t size, arena *memory,
                               app_options *parsed, seam_error *error) {
  size_t n = 0;
  for (size_t i = 0; i < size; i++)
    n += line[i] == '\0';
  char **arguments = arena_allocate(memory, (n + 1) * sizeof *arguments);
  char *at = arena_text(memory, line, size);
  TRY(check_memory(arguments != NULL && at != NULL, error));
  for (size_t i = 0; i < n; i++, at += strlen(at) + 1)
    arguments[i] = at;
  return options_parse(table, (int)n, arguments, parsed, error);
}

void options_free(app_options *parsed) {
  for (size_t i = 0; i < parsed->n_overrides; i++)
    free(parsed->overrides[i]);
  free(parsed->overrides);
  free(parsed->given);
  free((void *)parsed->operands);
}

const char *options_value(const app_options *parsed, const char *name) {
  const size_t row = find_option(parsed->table, name, strlen(name));
  for (size_t i = parsed->n_given; i > 0; i--)
    if (parsed->given[i - 1].row == row)
      return parsed->given[i - 1].value;
  return NULL;
}

const char *options_nth(const app_options *parsed, const char *name, size_t i) {
  const size_t row = find_option(parsed->table, name, strlen(name));
  for (const app_given *at = parsed->given; at < parsed->given + parsed->n_given; at++)
    if (at->row == row && i-- == 0)
      return at->value;
  return NULL;
}

bool options_flag(const app_options *parsed, const char *name) { return options_value(parsed, name) != NULL; }

/* ---- Values ---- */

enum { MAX_LIST = 128 }; /* characters of a list of words in a message */

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

/* Finds the text among words separated by spaces. If it is missing, `list` becomes the words as "a, b or c". */
static bool find_word(const char *words, const char *text, size_t *index, char list[MAX_LIST]) {
  *list = '\0';
  for (size_t i = 0; *words != '\0'; i++) {
    const size_t length = strcspn(words, " ");
    const char *next = words + length + strspn(words + length, " ");
    if (strlen(text) == length && strncmp(words, text, length) == 0) {
      if (index != NULL)
        *index = i;
      return true;
    }
    const char *joint = i == 0 ? "" : *next != '\0' ? ", " : " or ";
    snprintf(list + strlen(list), MAX_LIST - strlen(list), "%s%.*s", joint, (int)length, words);
    words = next;
  }
  return false;
}

const char *options_beside(const app_options *parsed, const char *words) {
  char list[MAX_LIST];
  for (const app_given *at = parsed->given; at < parsed->given + parsed->n_given; at++)
    if (!find_word(words, parsed->table[at->row].name, NULL, list))
      return parsed->table[at->row].name;
  return NULL;
}

seam_status options_word(const app_options *parsed, const char *name, size_t *index, seam_error *error) {
  const char *text = options_value(parsed, name);
  char list[MAX_LIST];
  if (text == NULL || find_word(parsed->table[find_option(parsed->table, name, strlen(name))].words, text, index, list))
    return SEAM_OK;
  return seam_fail(error, SEAM_BAD_INPUT, "seam: %s must be %s, but is '%s'", name, list, text);
}

size_t options_numbers(const char *text, size_t least, size_t most, double *numbers) {
  for (size_t n = 0; n < most; text++) {
    char *end = NULL;
    numbers[n++] = strtod(text, &end);
    if (end == text || (*end != ',' && *end != '\0'))
      return 0;
    text = end;
    if (*text == '\0')
      return n >= least ? n : 0;
  }
  return 0;
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

const char *range_read(const char *text, double *from, double *to, size_t *count) {
  double n = 0;
  int used = 0;
  const bool is_range = sscanf(text, "%lf:%lf:%lf%n", from, to, &n, &used) == 3 && n >= 1 && n <= 1e9 && n == floor(n);
  *count = is_range ? (size_t)n : 0;
  return is_range ? text + used : NULL;
}

seam_status macro_steps_read(const char *text, double end, app_macro_steps *result, seam_error *error) {
  double from = 0;
  double to = 0;
  size_t count = 0;
  const char *tail = range_read(text, &from, &to, &count);
  if (tail == NULL || *tail != '\0' || !(from > 0 && to > 0 && isfinite(from) && isfinite(to)) || count < 2 ||
      count > MAX_MACRO_STEPS)
    return seam_fail(error, SEAM_BAD_INPUT,
                     "seam: --macro-steps '%s' is not FROM:TO:COUNT, two positive times and a number from 2 to %d, "
                     "such as 1e-2:1e-4:5",
                     text, MAX_MACRO_STEPS);
  const double largest = fmax(from, to);
  const double ratio = fmin(from, to) / largest;
  if (largest > end)
    return seam_fail(error, SEAM_BAD_INPUT,
                     "seam: the macro step of %g s in --macro-steps is longer than the run of %g s; take shorter ones",
                     largest, end);
  result->n = 0;
  for (size_t i = 0; i < count; i++) {
    const double wanted = largest * pow(ratio, (double)i / (double)(count - 1));
    const double H = end / round(end / wanted);
    if (result->n == 0 || H < result->H[result->n - 1])
      result->H[result->n++] = H;
  }
  return SEAM_OK;
}

/* ---- Where results go ---- */

seam_status options_output(const app_options *parsed, const char *what, const char *endings, const char **path,
                           size_t *index, seam_error *error) {
  char list[MAX_LIST];
  *path = options_value(parsed, "-o");
  if (*path == NULL)
    return SEAM_OK;
  const char *ending = strrchr(*path, '.');
  if (!find_word(endings, ending != NULL ? ending : "", index, list))
    return seam_fail(error, SEAM_BAD_INPUT, "seam: -o %.200s: the name of %s must end with %s", *path, what, list);
  for (size_t i = 0; i < parsed->n_operands; i++)
    if (output_is_same(*path, parsed->operands[i]))
      return seam_fail(error, SEAM_BAD_INPUT,
                       "seam: -o %.200s would replace a file that this command reads; give another name", *path);
  return SEAM_OK;
}

enum { MAX_NAME_LENGTH = 100, DIGITS = 8 }; /* characters of a name, and digits of its checksum */

typedef struct folder_name {
  char text[MAX_NAME_LENGTH + DIGITS + 2];
  uint64_t sum;    /* checksum of all added texts */
  bool is_changed; /* `text` lacks or replaces characters */
} folder_name;

/* Appends "-" and the text, without its section. Replaces ":" by "..", and by "_" any other character that a shell or a
 * file system may change. */
static void add_to_name(folder_name *name, const char *text) {
  const char *dot = strchr(text, '.');
  const char *equal = strchr(text, '=');
  const bool has_section = dot != NULL && equal != NULL && dot < equal; /* as in "parameters.k=50" */
  const char *at = has_section ? dot + 1 : text;
  size_t n = strlen(name->text);
  name->sum = checksum_add(name->sum, text, strlen(text) + 1);
  if (n + 2 < MAX_NAME_LENGTH)
    name->text[n++] = '-';
  else
    name->is_changed = true;
  for (; *at != '\0' && n + 2 < MAX_NAME_LENGTH; at++) {
    const bool is_safe = isalnum((unsigned char)*at) || strchr("._=+-:", *at) != NULL;
    name->is_changed |= !is_safe;
    name->text[n++] = *at == ':' ? '.' : is_safe ? *at : '_';
    if (*at == ':')
      name->text[n++] = '.';
  }
  name->text[n] = '\0';
  name->is_changed |= *at != '\0';
}

char *study_folder(const app_options *parsed, const char *model, const char *study) {
  folder_name name = {"", 0, false};
  for (size_t i = 0; i < parsed->n_overrides; i++)
    add_to_name(&name, parsed->overrides[i]);
  for (size_t i = 0; i < parsed->n_given; i++)
    if (parsed->table[parsed->given[i].row].names_folder)
      add_to_name(&name, parsed->given[i].value + strspn(parsed->given[i].value, "-"));
  if (name.is_changed)
    sprintf(name.text + strlen(name.text), "-%08" PRIx32, (uint32_t)name.sum);
  const size_t size = sizeof "results//" + strlen(model) + strlen(study) + strlen(name.text);
  char *path = malloc(size);
  if (path != NULL)
    snprintf(path, size, "results/%s/%s%s", model, study, name.text);
  return path;
}

seam_status study_folder_make(const app_options *parsed, const char *model, const char *study, char **directory,
                              seam_error *error) {
  const char *given = options_value(parsed, "-o");
  *directory = given != NULL ? strdup(given) : study_folder(parsed, model, study);
  return *directory != NULL ? output_make_directory(*directory, error) : out_of_memory(error);
}

/* ---- Printing ---- */

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
