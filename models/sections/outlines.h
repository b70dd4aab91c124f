/* Outlines of bodies. */
#ifndef MODELS_SECTIONS_OUTLINES_H
#define MODELS_SECTIONS_OUTLINES_H

#include "models/reader.h"

/* Reads `outline:` into *shape, with memory of the result. */
seam_status outlines_read(reader *r, yaml_node *value, model_shape *shape);

#endif
