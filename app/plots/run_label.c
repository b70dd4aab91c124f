#include "app/plots/run_label.h"

#include <math.h>
#include <string.h>

static const size_t max_letters = 110; /* of a line */

run_quantity run_label_quantity(const run_results *results, size_t table, size_t column) {
  run_quantity result;
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
  const char *scheme = run_results_scheme(results);
  const double macro_step = run_results_macro_step(results);
  if (results->summary == NULL)
    return;
  label_add(to, scheme != NULL ? scheme : "monolithic");
  if (isfinite(macro_step)) {
    label_add_enhanced(to, ", {/:Italic H} = ");
    label_add_number(to, macro_step);
    label_add(to, " s");
  }
}

void run_label_add_parameters(label *to, const json_node *model) {
  const json_node *parameters = json_get(model, "parameters");
  bool follows = false;
  for (const json_node *p = parameters != NULL ? parameters->first : NULL; p != NULL; p = p->next) {
    if (!isfinite(p->number) || p->key == NULL)
      continue;
    label_add(to, follows ? ", " : "");
    if (label_width(to) + strlen(p->key) > max_letters) {
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
  arena memory = {0};
  const json_node *model = NULL;
  json_failure failure;
  if (json != NULL && json_parse(json, &memory, &model, &failure))
    run_label_add_parameters(to, model);
  arena_release(&memory);
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
