/* Table of the model files that are compiled into the library. */
#ifndef MODELS_CATALOGUE_H
#define MODELS_CATALOGUE_H

#include <stddef.h>

typedef struct catalogue_row {
  const char *name;
  const unsigned char *text; /* ends with a zero */
} catalogue_row;

extern const catalogue_row catalogue_rows[]; /* (catalogue_size) in alphabetical order of names */
extern const size_t catalogue_size;

#endif
