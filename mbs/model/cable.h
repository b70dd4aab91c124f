/* Cables: as many force elements in a row as they have spans, and two laws of quantities that load all of them
 * (forces/cable.c). */
#ifndef MBS_CABLE_H
#define MBS_CABLE_H

#include <seam/measures.h>

#include "mbs/model/force.h"

typedef struct mbs_cable {
  int n_spans;
  mbs_elastic_law law;
  double rest;         /* L°, m ... */
  seam_law length;     /* ... or its law of time, borrowed; .value is NULL: none */
  double direction[2]; /* rad, of the first and of the last span where it was wound on nothing ... */
  double angle[2];     /* ... and of the bodies at its ends */
} mbs_cable;

enum { MBS_CABLE_LAWS = 2 }; /* stretch s and its rate */

/* Length L and its rate, of the first of its spans, which has those behind it in a row; not finite where it cannot be
 * wound so. */
typedef struct mbs_cable_reach {
  double length, rate;
} mbs_cable_reach;
mbs_cable_reach mbs_cable_reach_of(const mbs_force *first, const mbs_frame *frames);

/* Stretch s = L - L° and its rate at time t. */
void mbs_cable_stretch(const mbs_cable *cable, mbs_cable_reach reach, double t, double stretch[2]);
/* Their changes, while L and its rate change by these. */
void mbs_cable_stretch_change(const mbs_cable *cable, mbs_cable_reach change, double t, double dt, double changes[2]);

/* Takes the winding at the ends from a configuration. */
void mbs_cable_wind(mbs_cable *cable, const mbs_force *first, const mbs_frame *frames);

/* The law of a stretch (0) or its rate (1), a function of t, L and its rate. */
mbs_function mbs_cable_function(mbs_cable *cable, int component);

/* J; of elements that are not the first span of a cable 0. */
double mbs_cable_potential(const mbs_force *first, const mbs_frame *frames, double t);

#endif
