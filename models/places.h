/* Places of names in a model file, for messages about elements after reading. */
#ifndef MODELS_PLACES_H
#define MODELS_PLACES_H

#include "models/reader.h"

/* Keeps the file's text and the places of its names in the result. SEAM_NO_MEMORY. */
seam_status places_keep(reader *r);

#endif
