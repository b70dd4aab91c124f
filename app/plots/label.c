#include "app/plots/label.h"

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>

#include "base/json.h"

void label_add_enhanced(label *to, const char *text) {
  const size_t used = strlen(to->text);
  snprintf(to->text + used, sizeof to->text - used, "%s", text);
}

/* A blank after a subscript becomes a no-break space: SVG would omit a blank there. */
void label_add(label *to, const char *text) {
  char escaped[LABEL_SIZE];
  size_t n = 0;
  const size_t used = strlen(to->text);
  if (*text == ' ' && used > 0 && to->text[used - 1] == '}') {
    label_add_enhanced(to, "\u00a0");
    text++;
  }
  for (; *text != '\0' && n + 3 < sizeof escaped; text++) {
    if (strchr("_^{}@&~\\", *text) != NULL)
      escaped[n++] = '\\';
    escaped[n++] = (unsigned char)*text < ' ' ? ' ' : *text;
  }
  escaped[n] = '\0';
  label_add_enhanced(to, escaped);
}

void label_print(label *to, const char *format, ...) {
  char text[LABEL_SIZE];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  label_add(to, text);
}

/* Quantities by their names in columns (<seam/results.h>), with letter and subscript. */
static const struct {
  const char *quantity, *letter, *index;
} symbols[] = {
    {"time", "t", ""},
    {"x", "x", ""},
    {"y", "y", ""},
    {"phi", "φ", ""},
    {"vx", "v", "x"},
    {"vy", "v", "y"},
    {"omega", "ω", ""},
    {"ax", "a", "x"},
    {"ay", "a", "y"},
    {"alpha", "α", ""},
    {"fx", "F", "x"},
    {"fy", "F", "y"},
    {"torque", "M", ""},
    {"force", "F", ""},
    {"power", "P", ""},
    {"length", "l", ""},
    {"p1", "p", "1"},
    {"p2", "p", "2"},
    {"kinetic", "E", "kinetic"},
    {"potential", "E", "potential"},
    {"angle", "φ", ""},
    {"fx_body", "F", "x, body"},
    {"fy_body", "F", "y, body"},
    {"lambda_x", "λ", "x"},
    {"lambda_y", "λ", "y"},
    {"lambda_phi", "λ", "φ"},
    {"g_x", "g", "x"},
    {"g_y", "g", "y"},
    {"g_phi", "g", "φ"},
    {"gd_x", "g\u0307", "x"},
    {"gd_y", "g\u0307", "y"},
    {"gd_phi", "g\u0307", "φ"},
    {"gdd_x", "g\u0308", "x"},
    {"gdd_y", "g\u0308", "y"},
    {"gdd_phi", "g\u0308", "φ"},
};

enum { N_SYMBOLS = sizeof symbols / sizeof *symbols };

/* The subscript is upright: italic letters would end it in SVG. */
static void add_letter(label *to, const char *letter, const char *direction, const char *element) {
  label_add_enhanced(to, "{/:Italic ");
  label_add_enhanced(to, letter);
  label_add_enhanced(to, "}");
  if (*direction == '\0' && *element == '\0')
    return;
  label_add_enhanced(to, "_{");
  label_add_enhanced(to, direction);
  label_add_enhanced(to, *direction != '\0' && *element != '\0' ? ", " : "");
  label_add(to, element);
  label_add_enhanced(to, "}");
}

void label_add_symbol(label *to, const char *element, const char *quantity) {
  size_t i = 0;
  while (i < N_SYMBOLS && strcmp(symbols[i].quantity, *quantity != '\0' ? quantity : element) != 0)
    i++;
  if (strcmp(element, "energy") == 0)
    add_letter(to, "E", "", quantity);
  else if (i < N_SYMBOLS)
    add_letter(to, symbols[i].letter, symbols[i].index, *quantity != '\0' ? element : "");
  else if (*quantity != '\0') {
    char words[LABEL_SIZE];
    snprintf(words, sizeof words, "%s", quantity);
    for (char *c = words; *c != '\0'; c++)
      *c = (char)(*c == '_' ? ' ' : *c);
    label_add(to, words);
    label_add(to, *element != '\0' ? " of " : "");
    label_add(to, element);
  } else
    label_add(to, element);
}

/* Appends a quotient in brackets, as " / (m/s)". */
void label_add_unit(label *to, const char *unit) {
  const bool is_quotient = strchr(unit, '/') != NULL;
  label_add(to, *unit == '\0' ? "" : is_quotient ? " / (" : " / ");
  if (strcmp(unit, "Nm") == 0)
    unit = "N m";
  for (; *unit != '\0'; unit++) {
    const bool is_power = *unit >= '2' && *unit <= '9';
    const char letter[] = {*unit, '\0'};
    label_add_enhanced(to, is_power ? "^" : "");
    label_add(to, letter);
  }
  label_add(to, is_quotient ? ")" : "");
}

const char *label_kind(const char *unit) {
  static const char *const kinds[][2] = {
      {"m", "length"},          {"rad", "angle"},   {"m/s", "velocity"}, {"rad/s", "angular velocity"},
      {"N", "force"},           {"Nm", "torque"},   {"J", "energy"},     {"W", "power"},
      {"m/s2", "acceleration"}, {"Pa", "pressure"}, {"s", "time"},       {"rad/s2", "angular acceleration"}};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (strcmp(kinds[i][0], unit) == 0)
      return kinds[i][1];
  return "value";
}

void label_add_number(label *to, double number) {
  char text[32];
  snprintf(text, sizeof text, "%.4g", fabs(number));
  label_add(to, number < 0 ? "−" : "");
  label_add(to, text);
}

size_t label_width(const label *of) {
  static const char italic[] = "{/:Italic ";
  size_t n = 0;
  for (const char *at = of->text; *at != '\0'; at++) {
    if (strncmp(at, italic, sizeof italic - 1) == 0)
      at += sizeof italic - 2;
    else
      n += strchr("_^{}\\", *at) == NULL && ((unsigned char)*at & 0xc0) != 0x80;
  }
  return n;
}

void label_quote(FILE *script, const char *text) {
  fputc('\'', script);
  for (; *text != '\0'; text++) {
    if (*text == '\'')
      fputc('\'', script);
    fputc((unsigned char)*text < ' ' ? ' ' : *text, script);
  }
  fputc('\'', script);
}

/* ---- Parameters of runs ---- */

static const size_t max_letters = 95;           /* largest number of characters in a line */
static const size_t max_differing_letters = 40; /* the same for parameters in an entry of a legend */

static const json_node *parameters_of(const run_results *run) {
  return json_get(json_get(run->summary, "model"), "parameters");
}

/* Appends the parameters that all n runs have in common; common false: the others. */
static void add_parameters(label *to, const json_node *parameters, const run_results *runs, size_t n, bool common,
                           size_t letters) {
  bool follows = false;
  for (const json_node *p = json_first(parameters); p != NULL; p = p->next) {
    bool is_common = true;
    for (size_t i = 0; i < n && p->key != NULL; i++)
      is_common &= json_value(parameters_of(&runs[i]), p->key) == p->number;
    if (!isfinite(p->number) || p->key == NULL || is_common != common)
      continue;
    label_add(to, follows ? ", " : "");
    if (label_width(to) + strlen(p->key) > letters) {
      label_add(to, "…");
      return;
    }
    label_print(to, "%s = ", p->key);
    label_add_number(to, p->number);
    follows = true;
  }
}

void label_add_parameters(label *to, const char *json) {
  arena memory = {0};
  const json_node *model = NULL;
  json_failure failure;
  if (json != NULL && json_parse(json, &memory, &model, &failure))
    add_parameters(to, json_get(model, "parameters"), NULL, 0, true, max_letters);
  arena_release(&memory);
}

void label_add_common(label *to, const run_results *runs, size_t n) {
  add_parameters(to, parameters_of(runs), runs, n, true, max_letters);
}

void label_add_differing(label *to, const run_results *of, const run_results *runs, size_t n) {
  const char *mark = run_results_mark(of);
  label differing = {""};
  add_parameters(&differing, parameters_of(of), runs, n, false, max_differing_letters);
  label_add(&differing, *mark != '\0' && differing.text[0] != '\0' ? ", " : "");
  label_add(&differing, mark);
  if (differing.text[0] == '\0')
    return;
  label_add(to, " (");
  label_add_enhanced(to, differing.text);
  label_add(to, ")");
}
