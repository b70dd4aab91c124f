/* Labels of runs and their columns in pictures. */
#ifndef APP_PLOTS_RUN_LABEL_H
#define APP_PLOTS_RUN_LABEL_H

#include "app/plots/label.h"
#include "app/results/run_results.h"

typedef struct run_quantity {
  char element[128], quantity[128]; /* as in summary.json; of names without one: around the last dot */
  const char *unit;
} run_quantity;

run_quantity run_label_quantity(const run_results *results, size_t table, size_t column);

/* "ff-k1, H = 0.001 s", "monolithic, wrong"; nothing where there is no summary.json. */
void run_label_add_scheme(label *to, const run_results *results);

/* "k = 200, L = 1" of the text of a model's JSON (NULL: nothing), as far as a line goes. */
void run_label_add_parameters_of(label *to, const char *json);

/* The parameters that n runs have in common, as far as a line goes. */
void run_label_add_shared(label *to, const run_results *runs, size_t n);
/* Adds what distinguishes one of them from the others, in parentheses: other parameters, and that it is not done. */
void run_label_add_own(label *to, const run_results *of, const run_results *runs, size_t n);

/* Returns the name of an axis of that unit: "length", "force"; "value" where no unit says it. */
const char *run_label_kind(const char *unit);

#endif
