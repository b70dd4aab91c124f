/* Law of a drive of given speed. */
#ifndef MODELS_SPEED_LAW_H
#define MODELS_SPEED_LAW_H

#include <seam/law.h>
#include <seam/status.h>

/* f(t) = start + ∫₀ᵗ speed, to rounding; its rates are the speed and the rate of the speed, exactly. Times from 0 to
 * `end` (s; NaN: none) are prepared for. `speed` is owned whatever the result. SEAM_BAD_INPUT where it varies too often
 * to be integrated, SEAM_NO_MEMORY. */
seam_status speed_law_create(const seam_law *speed, double start, double end, seam_law *made, seam_error *error);

#endif
