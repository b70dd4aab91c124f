/* Fuzz target: any bytes are a model or get a message. What follows a NUL byte is an override. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <seam/models.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const char *text = (const char *)data;
  const char *end = size > 0 ? memchr(text, '\0', size) : NULL;
  char *override = end ? strndup(end + 1, size - (size_t)(end + 1 - text)) : NULL;
  const size_t length = end ? (size_t)(end - text) : size;
  const char *const overrides[] = {override};
  seam_model_file *file = NULL;
  seam_error error = {0};
  const seam_status status = seam_model_file_parse("fuzz", text, length, overrides, override ? 1 : 0, &file, &error);
  free(override);
  if ((status == SEAM_OK) != (file != NULL))
    abort();
  if (status != SEAM_OK && error.message[0] == '\0')
    abort();
  seam_model_file_destroy(file);
  return 0;
}
