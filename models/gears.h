/* Demands of a gear on the rest of the mechanism. */
#ifndef MODELS_GEARS_H
#define MODELS_GEARS_H

#include "models/reader.h"

/* Refuses a gear without centres one of whose wheels has its axle on a body that can rotate: φ2 - φ20 = ratio (φ1 -
 * φ10) holds for angles against the ground, and between wheels on a carrier the carrier's angle is missing. The
 * mechanism is built. */
seam_status gears_check(reader *r);

#endif
