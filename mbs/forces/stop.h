/* What the quantities of a stop need of it. */
#ifndef MBS_STOP_H
#define MBS_STOP_H

#include "mbs/force.h"

/* Of each of its measures: 1 of a lower stop, whose measure is the coordinate, -1 of an upper one. Returns how many. */
int mbs_stop_senses(const mbs_force *force, double sense[2]);

#endif
