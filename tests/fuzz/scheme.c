/* Fuzz target: any text is the name of a scheme or gets a message, at a place within it. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cosim/schemes/scheme.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char *name = malloc(size + 1);
  if (name == NULL)
    return 0;
  memcpy(name, data, size);
  name[size] = '\0';
  cosim_scheme scheme;
  seam_error error = {0};
  size_t column = 0;
  const seam_status status = cosim_scheme_parse(name, &scheme, &column, &error);
  if (status != SEAM_OK && (error.message[0] == '\0' || column > strlen(name)))
    abort();
  for (int at_joint = 0; at_joint < 2; at_joint++)
    if (cosim_scheme_for(name, at_joint == 1, &scheme, &error) == SEAM_OK && status != SEAM_OK)
      abort();
  free(name);
  return 0;
}
