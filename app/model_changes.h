/* Differences of two effective models. */
#ifndef APP_MODEL_CHANGES_H
#define APP_MODEL_CHANGES_H

#include <stddef.h>

#include "base/json_tree.h"

/* The first places, "bodies.crank.mass (2, was 1)", and how many more; empty where there are none. Only what moves the
 * mechanism counts, not how it is run, cut or measured. `before` NULL: it is not known. false: no memory. */
bool model_changes_list(const json_node *before, const char *now, char *text, size_t size);

#endif
