/* A part in discrete time: at the samples t = k T, with inputs u there,
 *
 *   y⁺ = g(t, x, u)      x⁺ = f(t, x, u)
 *
 * and in between both are held. Outputs are zero before the first sample, which is at the start, whatever its time. */
#ifndef COSIM_PARTS_SAMPLED_PART_H
#define COSIM_PARTS_SAMPLED_PART_H

#include "cosim/parts/part.h"

/* cosim_sampled_part_create(): the state of the part is (x, y, time of the next sample). */

/* What it was made of; NULL: another kind of part. */
const cosim_sampled_def *cosim_sampled_part_def(const cosim_part *part);

#endif
