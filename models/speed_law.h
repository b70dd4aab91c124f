/* Law of a drive with given speed. */
#ifndef MODELS_SPEED_LAW_H
#define MODELS_SPEED_LAW_H

#include <seam/law.h>
#include <seam/status.h>

/* f(t) = start + ∫₀ᵗ speed, to round-off; f' and f'' are the speed and its rate, exactly. Integrals from 0 to `end` (s;
 * NaN: none) are prepared. Takes ownership of `speed` in any case. SEAM_BAD_INPUT if `speed` varies too often to be
 * integrated; SEAM_NO_MEMORY. */
seam_status speed_law_create(const seam_law *speed, double start, double end, seam_law *made, seam_error *error);

#endif
