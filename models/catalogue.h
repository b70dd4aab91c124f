/* Table of the compiled-in model files. */
#ifndef MODELS_CATALOGUE_H
#define MODELS_CATALOGUE_H

#include <stddef.h>

typedef struct catalogue_row {
  const char *name;
  const unsigned char *text; /* terminated */
} catalogue_row;

extern const catalogue_row catalogue_rows[]; /* (catalogue_size), in alphabetical order */
extern const size_t catalogue_size;

#endif
