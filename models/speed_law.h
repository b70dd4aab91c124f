/* Law of a drive whose speed is given. */
#ifndef MODELS_SPEED_LAW_H
#define MODELS_SPEED_LAW_H

#include <seam/law.h>
#include <seam/status.h>

/* Makes f(t) = start + ∫₀ᵗ speed dτ, to rounding; f' and f'' are the speed and its rate, exactly. Integrates from 0 to
 * `end` (s; NaN: none) in advance. Owns `speed` whatever the status. Fails with SEAM_NO_MEMORY, or with SEAM_BAD_INPUT
 * if `speed` varies too often. */
seam_status speed_law_create(const seam_law *speed, double start, double end, seam_law *made, seam_error *error);

#endif
