/* What a model is, as one number: images of another model are refused by it. */
#ifndef MBS_FINGERPRINT_H
#define MBS_FINGERPRINT_H

#include <stdint.h>

#include "mbs/model/model.h"

/* Of all numbers of its definition, bodies, joints, force elements and gravity, at the initial frames (n + 1) of ground
 * and bodies; without the initial state. Of a law its `identity`, or, where it has none, value and derivatives at 0. */
uint64_t mbs_fingerprint(const mbs_model *model, const mbs_frame *frames);

#endif
