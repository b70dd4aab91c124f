/* Labels of runs and their columns in pictures. */
#ifndef APP_PLOTS_RUN_LABEL_H
#define APP_PLOTS_RUN_LABEL_H

#include "app/plots/label.h"
#include "app/results/run_results.h"

typedef struct run_quantity {
  char element[128], quantity[128]; /* as in summary.json, else the parts around the last dot of the column's name */
  const char *unit;
} run_quantity;

run_quantity run_label_quantity(const run_results *results, size_t table, size_t column);

/* Adds scheme and macro step, as "ff-k1, H = 0.001 s", and the mark of a run that did not succeed, as "monolithic,
 * wrong". Adds nothing without summary.json. */
void run_label_add_scheme(label *to, const run_results *results);

/* Adds the parameters of a model's JSON, as "k = 200, L = 1": as many as a line has room for (`json` NULL: none). */
void run_label_add_parameters_of(label *to, const char *json);

/* Adds the parameters that n runs have in common, as many as a line has room for. */
void run_label_add_shared(label *to, const run_results *runs, size_t n);
/* Adds, in parentheses, the parameters in which run `of` differs from other runs, and the mark of a run that did not
 * succeed. */
void run_label_add_own(label *to, const run_results *of, const run_results *runs, size_t n);

/* Returns the name of an axis whose quantities have this unit, as "length" or "force"; "value": the unit is unknown. */
const char *run_label_kind(const char *unit);

#endif
