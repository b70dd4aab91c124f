/* The rates of a function of quantities along the motion, by the chain rule: with a place x of each level, ẋ, ẍ,
 *
 *   f(x)      ḟ = f_x ẋ      f̈ = f_x ẍ + f_xx(ẋ, ẋ)
 *
 * where a variable has ẋ = r(y), ẍ = r_y ẏ for its equation r, a measure that is a function goes the same way as f, and
 * other quantities have their rates among those of their element (x, vx, ax). All three are functions of quantities at
 * one state. */
#ifndef MBS_CHAIN_H
#define MBS_CHAIN_H

#include "mbs/law.h"

enum { MBS_CHAIN_LEVELS = 3 }; /* the value, its rate, its second rate */

typedef struct mbs_chain mbs_chain;

/* Of a function, borrowed like those of measures and variables of the model, of `inputs`. `name` is that of the joint
 * for messages. SEAM_BAD_INPUT: a rate that does not exist; SEAM_NO_MEMORY. */
seam_status mbs_chain_create(const mbs_model *model, const char *name, const mbs_readout *inputs,
                             const mbs_function *function, mbs_chain **created, seam_error *error);
void mbs_chain_destroy(mbs_chain *self);

/* What a level is a function of: the first *n of one list; the function, which the chain owns. */
const mbs_quantity *mbs_chain_inputs(const mbs_chain *self, int level, size_t *n);
mbs_function mbs_chain_function(const mbs_chain *self, int level);

#endif
