#include "app/plots/run_label.h"

#include <math.h>
#include <string.h>

static const size_t max_letters = 95;           /* largest number of characters in a line */
static const size_t max_differing_letters = 40; /* largest number of characters of the parameters in a legend entry */

run_quantity run_label_quantity(const run_results *results, size_t table, size_t column) {
  run_quantity result = {.unit = run_results_column(results, table, column, "unit")};
  const char *name = table_reader_name(results->tables[table], column);
  const char *element = run_results_column(results, table, column, "element");
  const char *quantity = run_results_column(results, table, column, "quantity");
  const char *dot = strrchr(name, '.');
  if (*element == '\0' && dot != NULL) {
    snprintf(result.element, sizeof result.element, "%.*s", (int)(dot - name), name);
    quantity = dot + 1;
  } else
    snprintf(result.element, sizeof result.element, "%s", *element != '\0' ? element : name);
  snprintf(result.quantity, sizeof result.quantity, "%s", quantity);
  return result;
}

void run_label_add_scheme(label *to, const run_results *results) {
  const char *mark = run_results_mark(results);
  const double macro_step = run_results_macro_step(results);
  if (results->summary == NULL)
    return;
  label_add(to, run_results_scheme(results));
  if (isfinite(macro_step)) {
    label_add_enhanced(to, ", {/:Italic H} = ");
    label_add_number(to, macro_step);
    label_add(to, " s");
  }
  label_add(to, *mark != '\0' ? ", " : "");
  label_add(to, mark);
}

/* ---- Parameters ---- */

/* Runs whose parameters are compared. n = 0: all parameters count as shared. */
typedef struct compared {
  const run_results *runs; /* (n) */
  size_t n;
} compared;

static const json_node *parameters_of(const run_results *run) {
  return json_get(json_get(run->summary, "model"), "parameters");
}

static bool is_common(const compared *with, const json_node *parameter) {
  bool result = true;
  for (size_t i = 0; i < with->n; i++)
    result &= json_value(parameters_of(&with->runs[i]), parameter->key) == parameter->number;
  return result;
}

static void add_parameters(label *to, const json_node *parameters, const compared *with, bool common, size_t letters) {
  bool follows = false;
  for (const json_node *p = parameters != NULL ? parameters->first : NULL; p != NULL; p = p->next) {
    if (!isfinite(p->number) || p->key == NULL || is_common(with, p) != common)
      continue;
    label_add(to, follows ? ", " : "");
    if (label_width(to) + strlen(p->key) > letters) {
      label_add(to, "…");
      return;
    }
    label_add(to, p->key);
    label_add(to, " = ");
    label_add_number(to, p->number);
    follows = true;
  }
}

void run_label_add_parameters_of(label *to, const char *json) {
  static const compared no_runs = {NULL, 0};
  arena memory = {0};
  const json_node *model = NULL;
  json_failure failure;
  if (json != NULL && json_parse(json, &memory, &model, &failure))
    add_parameters(to, json_get(model, "parameters"), &no_runs, true, max_letters);
  arena_release(&memory);
}

void run_label_add_common(label *to, const run_results *runs, size_t n) {
  const compared all = {runs, n};
  add_parameters(to, parameters_of(runs), &all, true, max_letters);
}

void run_label_add_differing(label *to, const run_results *of, const run_results *runs, size_t n) {
  const compared all = {runs, n};
  const char *mark = run_results_mark(of);
  label differing = {""};
  add_parameters(&differing, parameters_of(of), &all, false, max_differing_letters);
  label_add(&differing, *mark != '\0' && differing.text[0] != '\0' ? ", " : "");
  label_add(&differing, mark);
  if (differing.text[0] == '\0')
    return;
  label_add(to, " (");
  label_add_enhanced(to, differing.text);
  label_add(to, ")");
}

/* ---- Units ---- */

const char *run_label_kind(const char *unit) {
  static const char *const kinds[][2] = {
      {"m", "length"},          {"rad", "angle"},   {"m/s", "velocity"}, {"rad/s", "angular velocity"},
      {"N", "force"},           {"Nm", "torque"},   {"J", "energy"},     {"W", "power"},
      {"m/s2", "acceleration"}, {"Pa", "pressure"}, {"s", "time"},       {"rad/s2", "angular acceleration"}};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (strcmp(kinds[i][0], unit) == 0)
      return kinds[i][1];
  return "value";
}
