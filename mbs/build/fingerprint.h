/* Fingerprint of a model: one number, by which images of another model are refused. */
#ifndef MBS_FINGERPRINT_H
#define MBS_FINGERPRINT_H

#include <stdint.h>

#include "mbs/model/model.h"

/* Returns one number made of all numbers of the model's definition: bodies, joints, force elements and gravity, at the
 * initial frames (n + 1) of ground and bodies; without the initial state. A law enters by its `identity`, or, where it
 * has none, by its value and derivatives at 0. */
uint64_t mbs_fingerprint(const mbs_model *model, const mbs_frame *frames);

#endif
