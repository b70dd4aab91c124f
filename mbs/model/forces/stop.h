/* Functions of the coordinate of a stop, for its load and its quantities. */
#ifndef MBS_STOP_H
#define MBS_STOP_H

#include "mbs/model/force.h"

void mbs_stop_coordinate(const mbs_force *force, const mbs_pair *pair, mbs_relative_coordinate *s);

/* Fills one sign for each bound of a stop: 1 for a lower bound (coordinate s), -1 for an upper bound (coordinate -s).
 * Returns the number of bounds, 1 or 2. */
int mbs_stop_senses(const mbs_force *force, double sense[2]);

/* Returns the sign σ: 1 if s is nearer to its lower bound, -1 if nearer to the upper one. The gap is σ (s - bound),
 * with the nearer bound. */
double mbs_hard_stop_sense(const mbs_force *force, const mbs_pair *pair);

#endif
