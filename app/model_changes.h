/* Differences of two effective models. */
#ifndef APP_MODEL_CHANGES_H
#define APP_MODEL_CHANGES_H

#include <stddef.h>

#include "base/json.h"

/* Writes three differences at most, as "bodies.crank.mass (2, was 1)", and the number of the others. "": nothing
 * differs, or a model is NULL. Options of runs, co-simulations and measures are not compared. False: no memory. */
bool model_changes_list(const json_node *before, const char *now, char *text, size_t size);

#endif
