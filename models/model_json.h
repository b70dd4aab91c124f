/* Writes trees of nodes as JSON text. */
#ifndef MODELS_MODEL_JSON_H
#define MODELS_MODEL_JSON_H

#include "models/yaml.h"

/* Returns JSON text, which the caller frees; NULL: memory is exhausted. Scalars that were read as numbers are numbers,
 * others are strings. Each entry of a section is on a line of its own. */
char *model_json(const yaml_node *root);

#endif
