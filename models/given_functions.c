#include "models/given_functions.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "models/expression/expression.h"

static void discard(const seam_law *law) {
  if (law->destroy != NULL)
    law->destroy(law->data);
}

static seam_status add(seam_model_file *file, const seam_function *one, seam_error *error) {
  const char *name = one->name != NULL ? one->name : "";
  size_t length = 0;
  while (isalnum((unsigned char)name[length]) || name[length] == '_')
    length++;
  if (length == 0 || isdigit((unsigned char)name[0]) || name[length] != '\0')
    return seam_fail(error, SEAM_BAD_INPUT, "'%.60s' cannot be the name of a function: take letters, digits and '_'",
                     name);
  if (expression_is_reserved(name) || given_find(file, name, length) != NULL)
    return seam_fail(error, SEAM_BAD_INPUT,
                     "a function or constant '%.60s' already exists: choose another name for the function", name);
  if (one->n_arguments < 1 || one->n_arguments > 2 || one->law.value == NULL)
    return seam_fail(error, SEAM_BAD_INPUT,
                     "function '%.60s', of %d arguments, cannot be called: set n_arguments to 1 or 2, and law.value",
                     name, one->n_arguments);
  given_function *made = &file->given[file->n_given];
  made->law = one->law;
  made->f = (function){.name = arena_text(&file->memory, name, length), .arity = one->n_arguments, .given = &made->law};
  if (made->f.name == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "memory is exhausted");
  file->n_given++;
  return SEAM_OK;
}

seam_status given_add(seam_model_file *file, const seam_function *functions, size_t n, seam_error *error) {
  file->given = calloc(n + 1, sizeof *file->given);
  seam_status status = file->given != NULL ? SEAM_OK : seam_fail(error, SEAM_NO_MEMORY, "memory is exhausted");
  for (size_t i = 0; i < n; i++) {
    if (status == SEAM_OK && file->given != NULL)
      status = add(file, &functions[i], error);
    if (status != SEAM_OK)
      discard(&functions[i].law);
  }
  return status;
}

void given_free(seam_model_file *file) {
  for (size_t i = 0; i < file->n_given; i++)
    discard(&file->given[i].law);
  free(file->given);
}

const function *given_find(const seam_model_file *file, const char *name, size_t length) {
  for (size_t i = 0; i < file->n_given; i++)
    if (strncmp(file->given[i].f.name, name, length) == 0 && file->given[i].f.name[length] == '\0')
      return &file->given[i].f;
  return NULL;
}

void given_offer(const seam_model_file *file, nearest *search) {
  for (size_t i = 0; i < file->n_given; i++)
    nearest_try(search, file->given[i].f.name);
}
