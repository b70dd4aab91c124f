/* Check of gears against the rest of the mechanism. */
#ifndef MODELS_GEARS_H
#define MODELS_GEARS_H

#include "models/reader.h"

/* Refuses a gear without centres if the axle of a wheel is on a body that can rotate: φ2 - φ20 = ratio (φ1 - φ10) holds
 * for absolute angles, but wheels on a carrier turn relative to the carrier. The mechanism must be built. */
seam_status gears_check(reader *r);

#endif
