/* What a model file becomes. */
#ifndef MODELS_MODEL_FILE_H
#define MODELS_MODEL_FILE_H

#include <seam/models.h>

#include "models/arena.h"
#include "models/cosim_section.h"

struct seam_model_file {
  arena memory; /* of the texts and of the co-simulation section */
  const char *name;
  char *json; /* allocated */
  mbs_model *mechanism;
  seam_simulation simulation;
  cosim_section cosim;
};

#endif
