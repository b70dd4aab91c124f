/* The coordinate of a stop, for its load and its quantities. */
#ifndef MBS_STOP_H
#define MBS_STOP_H

#include "mbs/model/force.h"

void mbs_stop_measure(const mbs_force *force, const mbs_pair *pair, mbs_measure *s);
void mbs_stop_curvature(const mbs_force *force, const mbs_pair *pair, mbs_curvature *c);
/* Sets the axis of a slide, fixed on the first body, from its initial direction. */
void mbs_stop_take_axis(mbs_force *force, const mbs_force_def *def, const mbs_pair *pair);

/* Fills the sense of each measure: 1 at the lower bound, measure s; -1 at the upper bound, measure -s. Returns their
 * number. */
int mbs_stop_senses(const mbs_force *force, double sense[2]);

#endif
