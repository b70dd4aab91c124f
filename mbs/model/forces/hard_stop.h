/* Hard stops and ropes: what bounds a coordinate of two bodies without yielding. */
#ifndef MBS_HARD_STOP_H
#define MBS_HARD_STOP_H

#include "mbs/model/force.h"

extern const mbs_force_type mbs_hard_stop, mbs_hard_rope;

/* The compliant row along such a gap. */
const mbs_force_type *mbs_compliant_stop_row(void);

/* 1 nearer to the lower bound, -1 to the upper one: the gap is that times the coordinate, less the bound. */
double mbs_hard_stop_sense(const mbs_force *force, const mbs_pair *pair);

#endif
