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

static const json_node *parameters_of(const run_results *run) {
  return json_get(json_get(run->summary, "model"), "parameters");
}

/* Appends the parameters that all n runs have in common or, if `common` is false, the others. */
static void add_parameters(label *to, const json_node *parameters, const run_results *runs, size_t n, bool common,
                           size_t letters) {
  bool follows = false;
  for (const json_node *p = parameters != NULL ? parameters->first : NULL; p != NULL; p = p->next) {
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

void run_label_add_parameters_of(label *to, const char *json) {
  arena memory = {0};
  const json_node *model = NULL;
  json_failure failure;
  if (json != NULL && json_parse(json, &memory, &model, &failure))
    add_parameters(to, json_get(model, "parameters"), NULL, 0, true, max_letters);
  arena_release(&memory);
}

void run_label_add_common(label *to, const run_results *runs, size_t n) {
  add_parameters(to, parameters_of(runs), runs, n, true, max_letters);
}

void run_label_add_differing(label *to, const run_results *of, const run_results *runs, size_t n) {
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
