/* Fuzz target: any overrides of a good model, one a line, give a model or a message. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <seam/models.h>

enum { MAX_OVERRIDES = 8 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char *text = malloc(size + 1);
  if (text == NULL)
    return 0;
  memcpy(text, data, size);
  text[size] = '\0';
  const char *overrides[MAX_OVERRIDES];
  size_t n = 0;
  char *rest = NULL;
  for (char *line = strtok_r(text, "\n", &rest); line != NULL && n < MAX_OVERRIDES; line = strtok_r(NULL, "\n", &rest))
    overrides[n++] = line;
  const char *model = seam_catalogue_text("four_bar_bushing");
  seam_model_file *file = NULL;
  seam_error error = {0};
  const seam_status status = seam_model_file_parse("fuzz", model, strlen(model), overrides, n, &file, &error);
  if ((status == SEAM_OK) != (file != NULL) || (status != SEAM_OK && error.message[0] == '\0'))
    abort();
  seam_model_file_destroy(file);
  free(text);
  return 0;
}
