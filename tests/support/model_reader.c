#include "tests/support/model_reader.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Leaves a text and, behind a NUL, the message about it in the folder SEAM_KEEP_MODELS, if that is given, for
 * tests/models/schema.py. */
static void keep(const char *what, const char *text, const char *message) {
  const char *folder = getenv("SEAM_KEEP_MODELS");
  char path[4096];
  if (folder == NULL)
    return;
  snprintf(path, sizeof path, "%s/%s-XXXXXX", folder, what);
  const int file = mkstemp(path);
  cr_assert_geq(file, 0, "%s", path);
  FILE *stream = fdopen(file, "w");
  cr_assert_not_null(stream);
  fprintf(stream, "%s%c%s", text, '\0', message);
  cr_assert_eq(fclose(stream), 0);
}

static size_t count(const char *const *overrides) {
  size_t n = 0;
  while (overrides && overrides[n])
    n++;
  return n;
}

seam_model_file *read_model(const char *text, const char *const *overrides) {
  seam_model_file *file = NULL;
  seam_error error = {0};
  const seam_status status =
      seam_model_file_parse("text.yaml", text, strlen(text), overrides, count(overrides), &file, &error);
  cr_assert_eq(status, SEAM_OK, "%s", error.message);
  if (count(overrides) == 0)
    keep("read", text, "");
  return file;
}

void expect_refused_with(const char *text, const char *override, const char *message) {
  const char *const overrides[] = {override, NULL};
  seam_model_file *file = NULL;
  seam_error error = {0};
  const seam_status status =
      seam_model_file_parse("text.yaml", text, strlen(text), overrides, count(overrides), &file, &error);
  cr_expect_eq(status, SEAM_BAD_INPUT);
  cr_expect_null(file);
  cr_expect_str_eq(error.message, message, "%s", error.message);
  if (override == NULL && strstr(message, ": error: unknown key '") != NULL)
    keep("unknown_key", text, message);
}

void expect_refused(const char *text, const char *message) { expect_refused_with(text, NULL, message); }

double cpu_time(void) { return (double)clock() / CLOCKS_PER_SEC; }
