/* Labels of runs and their columns in pictures. */
#ifndef APP_PLOTS_RUN_LABEL_H
#define APP_PLOTS_RUN_LABEL_H

#include "app/plots/label.h"
#include "app/results/run_results.h"

typedef struct run_quantity {
  char element[128], quantity[128]; /* as in summary.json; without it, the parts of the name of the column before and
                                       after its last dot */
  const char *unit;
} run_quantity;

run_quantity run_label_quantity(const run_results *results, size_t table, size_t column);

/* Appends scheme and macro step, as "ff-k1, H = 0.001 s". If the run did not succeed, also appends its mark, as in
 * "monolithic, wrong". Appends nothing if there is no summary.json. */
void run_label_add_scheme(label *to, const run_results *results);

/* Appends the parameters of a model, as "k = 200, L = 1"; as many as fit into a line. json: the model; NULL: appends
 * nothing. */
void run_label_add_parameters_of(label *to, const char *json);

/* Appends the parameters that n runs have in common; as many as fit into a line. */
void run_label_add_common(label *to, const run_results *runs, size_t n);
/* Appends the parameters, in parentheses, in which run `of` differs from any of the n runs. If run `of` did not
 * succeed, also appends its mark. */
void run_label_add_differing(label *to, const run_results *of, const run_results *runs, size_t n);

/* Returns the kind of quantities that have this unit, as "length" or "force"; "value": the unit is not known. */
const char *run_label_kind(const char *unit);

#endif
