/* Files that are compiled into the program: the style of pictures, the model of `seam new`, scripts for shells, and
 * what the page of `seam report` is made of. */
#ifndef APP_ASSETS_H
#define APP_ASSETS_H

#include <string.h>

#include "base/embedded.h"

extern const embedded_file assets_rows[]; /* (assets_size) */
extern const size_t assets_size;

/* Returns the text of a file with this name; NULL: there is none. */
static inline const char *asset(const char *name) {
  for (size_t i = 0; i < assets_size; i++)
    if (strcmp(assets_rows[i].name, name) == 0)
      return (const char *)assets_rows[i].text;
  return NULL;
}

#endif
