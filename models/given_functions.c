#include "models/given_functions.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "models/expression/expression.h"

static bool is_name(const char *text) {
  if (text == NULL || !(isalpha((unsigned char)text[0]) || text[0] == '_'))
    return false;
  while (isalnum((unsigned char)*text) || *text == '_')
    text++;
  return *text == '\0';
}

static seam_status check(const seam_model_file *file, const seam_function *one, seam_error *error) {
  if (!is_name(one->name))
    return seam_fail(error, SEAM_BAD_INPUT, "'%.60s' cannot be the name of a function: take letters, digits and '_'",
                     one->name == NULL ? "" : one->name);
  if (expression_is_reserved(one->name) || given_find(file, one->name, strlen(one->name)) != NULL)
    return seam_fail(error, SEAM_BAD_INPUT, "the name '%.60s' of a function is taken: choose another one", one->name);
  if (one->n_arguments < 1 || one->n_arguments > 2 || one->law.value == NULL)
    return seam_fail(error, SEAM_BAD_INPUT, "function '%.60s' has %d arguments: give one of 1 or 2, with a value",
                     one->name, one->n_arguments);
  return SEAM_OK;
}

static void discard(const seam_law *law) {
  if (law->destroy != NULL)
    law->destroy(law->data);
}

static seam_status take(seam_model_file *file, const seam_function *one, seam_error *error) {
  const seam_status status = check(file, one, error);
  if (status != SEAM_OK)
    return status;
  given_function *made = &file->given[file->n_given];
  made->law = one->law;
  made->f = (function){
      .name = arena_text(&file->memory, one->name, strlen(one->name)), .arity = one->n_arguments, .given = &made->law};
  if (made->f.name == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "memory is exhausted");
  file->n_given++;
  return SEAM_OK;
}

seam_status given_take(seam_model_file *file, const seam_function *functions, size_t n, seam_error *error) {
  file->given = calloc(n + 1, sizeof *file->given);
  seam_status status = file->given != NULL ? SEAM_OK : seam_fail(error, SEAM_NO_MEMORY, "memory is exhausted");
  for (size_t i = 0; i < n; i++) {
    if (status == SEAM_OK && file->given != NULL)
      status = take(file, &functions[i], error);
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

static bool is_called(const char *own, const char *name, size_t length) {
  return own != NULL && strncmp(own, name, length) == 0 && own[length] == '\0';
}

const function *given_find(const seam_model_file *file, const char *name, size_t length) {
  for (size_t i = 0; i < file->n_given; i++)
    if (is_called(file->given[i].f.name, name, length))
      return &file->given[i].f;
  return NULL;
}

void given_offer(const seam_model_file *file, nearest *search) {
  for (size_t i = 0; i < file->n_given; i++)
    nearest_try(search, file->given[i].f.name);
}
