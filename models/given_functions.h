/* Functions that a calling program adds, by name, to the expressions of a model file: seam_function. */
#ifndef MODELS_GIVEN_FUNCTIONS_H
#define MODELS_GIVEN_FUNCTIONS_H

#include "models/expression/functions.h"
#include "models/model_file.h"

typedef struct given_function {
  function f;
  seam_law law; /* owned */
} given_function;

/* Takes ownership of the laws in any case. SEAM_BAD_INPUT: an invalid or used name, or a law without value. */
seam_status given_add(seam_model_file *file, const seam_function *functions, size_t n, seam_error *error);
void given_free(seam_model_file *file);

const function *given_find(const seam_model_file *file, const char *name, size_t length);
void given_offer(const seam_model_file *file, nearest *search);

#endif
