/* Model files that are compiled into the library. cmake/embed.cmake makes the table from models/catalogue/. */
#include <string.h>

#include <seam/models.h>

#include "models/catalogue.h"

size_t seam_catalogue_size(void) { return catalogue_size; }

const char *seam_catalogue_name(size_t index) { return index < catalogue_size ? catalogue_rows[index].name : NULL; }

const char *seam_catalogue_text(const char *name) {
  for (size_t i = 0; i < catalogue_size && name != NULL; i++)
    if (strcmp(catalogue_rows[i].name, name) == 0)
      return (const char *)catalogue_rows[i].text;
  return NULL;
}
