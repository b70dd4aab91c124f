/* The result of reading a model file. */
#ifndef MODELS_MODEL_FILE_H
#define MODELS_MODEL_FILE_H

#include <seam/models.h>

#include "base/arena.h"

struct seam_model_file {
  arena memory; /* of the texts and lists */
  const char *name;
  char *json; /* allocated */
  mbs_model *mechanism;
  seam_simulation simulation;
  cosim_builder *cosim; /* NULL when the file has no such section */
};

#endif
