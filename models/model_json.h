/* A tree of nodes as JSON text. */
#ifndef MODELS_MODEL_JSON_H
#define MODELS_MODEL_JSON_H

#include "models/yaml.h"

/* Scalars that were read as numbers are written as these; all others as strings. The text is one line
 * for each entry of a section. NULL when memory is exhausted; free() it. */
char *model_json(const yaml_node *root);

#endif
