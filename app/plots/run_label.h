/* Labels of runs and their columns in pictures. */
#ifndef APP_PLOTS_RUN_LABEL_H
#define APP_PLOTS_RUN_LABEL_H

#include "app/plots/label.h"
#include "app/results/run_results.h"

typedef struct run_quantity {
  char element[128], quantity[128]; /* names in summary.json, else parts around the name's last dot */
  const char *unit;
} run_quantity;

run_quantity run_label_quantity(const run_results *results, size_t table, size_t column);

/* Adds "ff-k1, H = 0.001 s", "monolithic, wrong"; nothing without summary.json. */
void run_label_add_scheme(label *to, const run_results *results);

/* Adds "k = 200, L = 1" from a model's JSON (NULL: nothing), up to the end of a line. */
void run_label_add_parameters_of(label *to, const char *json);

/* Adds the parameters that n runs have in common, up to the end of a line. */
void run_label_add_shared(label *to, const run_results *runs, size_t n);
/* Adds the differences of a run from the others, in parentheses: parameters, and that it is not done. */
void run_label_add_own(label *to, const run_results *of, const run_results *runs, size_t n);

/* Returns the name of an axis by its unit: "length", "force"; "value" for an unknown unit. */
const char *run_label_kind(const char *unit);

#endif
