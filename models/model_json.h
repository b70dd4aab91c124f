/* Trees of nodes as JSON text. */
#ifndef MODELS_MODEL_JSON_H
#define MODELS_MODEL_JSON_H

#include "models/yaml.h"

/* Returns JSON with scalars as numbers if they were read as numbers, else as strings; each entry of a section has one
 * line. NULL: no memory; free() it. */
char *model_json(const yaml_node *root);

#endif
