/* Table of the model files that are compiled into the library. */
#ifndef MODELS_CATALOGUE_H
#define MODELS_CATALOGUE_H

#include "base/embedded.h"

extern const embedded_file catalogue_rows[]; /* (catalogue_size) in alphabetical order of names */
extern const size_t catalogue_size;

#endif
