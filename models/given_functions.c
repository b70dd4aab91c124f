#include "models/given_functions.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "models/expression/expression.h"

static seam_status add(seam_model_file *file, const seam_function *one, seam_error *error) {
  const char *name = one->name != NULL ? one->name : "";
  size_t length = 0;
  while (isalnum((unsigned char)name[length]) || name[length] == '_')
    length++;
  if (length == 0 || isdigit((unsigned char)name[0]) || name[length] != '\0')
    return seam_fail(error, SEAM_BAD_INPUT, "'%.60s' cannot be the name of a function: take letters, digits and '_'",
                     name);
  if (expression_is_reserved(name) || caller_functions_find(file, name, length) != NULL)
    return seam_fail(error, SEAM_BAD_INPUT,
                     "a function or constant '%.60s' already exists: choose another name for the function", name);
  if (one->n_arguments < 1 || one->n_arguments > 2 || one->law.value == NULL)
    return seam_fail(error, SEAM_BAD_INPUT,
                     "function '%.60s', of %d arguments, cannot be called: set n_arguments to 1 or 2, and law.value",
                     name, one->n_arguments);
  caller_function *made = &file->caller_functions[file->n_caller_functions];
  made->law = one->law;
  made->f =
      (function){.name = arena_text(&file->memory, name, length), .arity = one->n_arguments, .caller = &made->law};
  if (made->f.name == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "memory is exhausted");
  file->n_caller_functions++;
  return SEAM_OK;
}

seam_status caller_functions_add(seam_model_file *file, const seam_function *functions, size_t n, seam_error *error) {
  file->caller_functions = calloc(n + 1, sizeof *file->caller_functions);
  seam_status status =
      file->caller_functions != NULL ? SEAM_OK : seam_fail(error, SEAM_NO_MEMORY, "memory is exhausted");
  for (size_t i = 0; i < n; i++) {
    if (status == SEAM_OK && file->caller_functions != NULL)
      status = add(file, &functions[i], error);
    if (status != SEAM_OK)
      law_discard(&functions[i].law);
  }
  return status;
}

void caller_functions_free(seam_model_file *file) {
  for (size_t i = 0; i < file->n_caller_functions; i++)
    law_discard(&file->caller_functions[i].law);
  free(file->caller_functions);
}

const function *caller_functions_find(const seam_model_file *file, const char *name, size_t length) {
  for (size_t i = 0; i < file->n_caller_functions; i++)
    if (strncmp(file->caller_functions[i].f.name, name, length) == 0 &&
        file->caller_functions[i].f.name[length] == '\0')
      return &file->caller_functions[i].f;
  return NULL;
}

void caller_functions_add_names(const seam_model_file *file, nearest *search) {
  for (size_t i = 0; i < file->n_caller_functions; i++)
    nearest_try(search, file->caller_functions[i].f.name);
}
