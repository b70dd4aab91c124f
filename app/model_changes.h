/* Differences of two effective models. */
#ifndef APP_MODEL_CHANGES_H
#define APP_MODEL_CHANGES_H

#include <stddef.h>

#include "base/json.h"

/* Writes the differences between two effective models into `text`: the first three, as "bodies.crank.mass (2, was 1)",
 * and the number of the others. Writes "" if nothing differs or a model is NULL. Does not compare options of runs,
 * co-simulations and measures. Returns false if there is no memory. */
bool model_changes_list(const json_node *before, const char *now, char *text, size_t size);

#endif
