/* Fingerprint of a model: one number; images of a model with another one are refused. */
#ifndef MBS_FINGERPRINT_H
#define MBS_FINGERPRINT_H

#include <stdint.h>

#include "mbs/model/model.h"

/* Returns a hash of the numbers of a model's definition: gravity, bodies, joints, force elements, laws and variables,
 * with Jacobians at the initial frames (n + 1) of ground and bodies; not the initial state. A law of time enters by its
 * `identity` or, without one, by its value and derivatives at 0. */
uint64_t mbs_fingerprint(const mbs_model *model, const mbs_frame *frames);

#endif
