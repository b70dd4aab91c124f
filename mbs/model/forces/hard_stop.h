/* Hard stops and ropes: rigid bounds of a coordinate of two bodies. */
#ifndef MBS_HARD_STOP_H
#define MBS_HARD_STOP_H

#include "mbs/model/force.h"

extern const mbs_force_type mbs_hard_stop, mbs_hard_rope;

/* Returns a compliant row with this gap. */
const mbs_force_type *mbs_compliant_stop_row(void);

/* Returns 1 nearer to the lower bound, -1 nearer to the upper one: the gap is this sign times (coordinate - bound). */
double mbs_hard_stop_sense(const mbs_force *force, const mbs_pair *pair);

#endif
