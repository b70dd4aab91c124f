/* Where a model file names its elements, for messages of what is made from it later. */
#ifndef MODELS_PLACES_H
#define MODELS_PLACES_H

#include "models/reader.h"

/* Keeps the text of the file and the places of its names in the result. SEAM_NO_MEMORY. */
seam_status places_keep(reader *r);

#endif
