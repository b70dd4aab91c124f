/* Functions of the calling program (seam_function) that the expressions of a model file can call by name. */
#ifndef MODELS_GIVEN_FUNCTIONS_H
#define MODELS_GIVEN_FUNCTIONS_H

#include "models/expression/functions.h"
#include "models/model_file.h"

typedef struct caller_function {
  function f;
  seam_law law; /* owned */
} caller_function;

/* Adds functions and takes ownership of their laws, whatever the status. Fails with SEAM_BAD_INPUT if a name is invalid
 * or in use, or if a law has no value function. May also fail with SEAM_NO_MEMORY. */
seam_status caller_functions_add(seam_model_file *file, const seam_function *functions, size_t n, seam_error *error);
void caller_functions_free(seam_model_file *file);

const function *caller_functions_find(const seam_model_file *file, const char *name, size_t length);
void caller_functions_add_names(const seam_model_file *file, nearest *search);

#endif
