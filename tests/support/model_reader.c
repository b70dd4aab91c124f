#include "tests/support/model_reader.h"

#include <criterion/criterion.h>
#include <string.h>
#include <time.h>

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
}

void expect_refused(const char *text, const char *message) { expect_refused_with(text, NULL, message); }

double cpu_time(void) { return (double)clock() / CLOCKS_PER_SEC; }
