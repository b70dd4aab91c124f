/* A cable is one force element for each span, and two laws of quantities that load all spans (forces/cable.c). */
#ifndef MBS_CABLE_H
#define MBS_CABLE_H

#include <seam/measures.h>

#include "mbs/model/force.h"

typedef struct mbs_cable {
  int n_spans;
  mbs_elastic_law law;
  double rest;         /* L°, m ... */
  seam_law length;     /* ... or a borrowed law of time for it; .value is NULL: none */
  double direction[2]; /* rad, of the first and the last span in the initial configuration ... */
  double angle[2];     /* ... and angles of the bodies at both ends there */
} mbs_cable;

enum { MBS_CABLE_LAWS = 2 }; /* stretch s and its rate */

/* Length L, m, of a cable and its rate, from its first span; not finite where the cable cannot lie on its discs. */
typedef struct mbs_cable_reach {
  double length, rate;
} mbs_cable_reach;
mbs_cable_reach mbs_cable_reach_of(const mbs_force *first, const mbs_frame *frames);

/* Stretch s = L - L° and its rate at time t. */
void mbs_cable_stretch(const mbs_cable *cable, mbs_cable_reach reach, double t, double stretch[2]);
/* Changes of stretch and rate, for changes of L and its rate in `change` and of time dt. */
void mbs_cable_stretch_change(const mbs_cable *cable, mbs_cable_reach change, double t, double dt, double changes[2]);

/* Sets `direction` and `angle` from the initial configuration. */
void mbs_cable_wind(mbs_cable *cable, const mbs_force *first, const mbs_frame *frames);

/* Returns the law of the stretch (0) or of its rate (1), a function of t, L and the rate of L. */
mbs_function mbs_cable_function(mbs_cable *cable, int component);

/* J; 0 of an element that is not the first span of a cable. */
double mbs_cable_potential(const mbs_force *first, const mbs_frame *frames, double t);

#endif
