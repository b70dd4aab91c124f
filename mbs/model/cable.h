/* Cables: the path of a cable, which is as many force elements in a row as there are spans that it may have, and two
 * laws of quantities that load all of them (forces/cable.c). */
#ifndef MBS_CABLE_H
#define MBS_CABLE_H

#include <stdint.h>

#include <seam/measures.h>

#include "mbs/model/force.h"

enum {
  MBS_CABLE_LAWS = 2, /* stretch s and its rate */
  MBS_MAX_CABLE_PLACES = 64
};

typedef struct mbs_cable {
  int n_places;
  int n_spans;  /* between neighbours, in their order, then past discs that it may leave */
  bool is_hard; /* L never exceeds L°: forces/hard_cable.c; it has no law */
  mbs_elastic_law law;
  double rest;         /* L°, m ... */
  seam_law length;     /* ... or its law of time, borrowed; .value is NULL: none */
  double direction[2]; /* rad, of the first and of the last span where it was wound on nothing ... */
  double angle[2];     /* ... and of the bodies at its ends */
} mbs_cable;

/* ---- Path (cable.c) ----
 * Elements are given by the first one, which has the others behind it; z (NULL: by the motion) are all states of a
 * model, the modes of discs among them. */

/* The span from a place to a later one; NULL: it is none. */
const mbs_force *mbs_cable_span(const mbs_force *first, int from, int to);
/* The places that the cable touches, bit by bit, from 0 on; ends and places without a disc always. */
uint64_t mbs_cable_touched(const mbs_force *first, const mbs_frame *frames, const double *z);
/* The next place of these; n_places behind the last one. */
int mbs_cable_next(const mbs_cable *cable, uint64_t touched, int place);

/* s of a span: what its straight part, its ends and what is wound up there contribute to L, but for a constant. */
void mbs_cable_measure(const mbs_force *span, const mbs_pair *pair, mbs_measure *s);
void mbs_cable_curvature(const mbs_force *span, const mbs_pair *pair, mbs_curvature *c);

/* Length L and its rate; not finite where it cannot be wound so. */
typedef struct mbs_cable_reach {
  double length, rate;
} mbs_cable_reach;
mbs_cable_reach mbs_cable_reach_of(const mbs_force *first, const mbs_frame *frames, const double *z);

/* L° at a time, with its derivatives. */
seam_jet mbs_cable_rest(const mbs_cable *cable, double t);

/* Takes the winding at the ends from a configuration. */
void mbs_cable_wind(mbs_cable *cable, const mbs_force *first, const mbs_frame *frames);

/* Modes of a disc that it may leave: of the element of the span that begins there. */
extern const mbs_switches mbs_cable_switches;

/* ---- Elastic cable (forces/cable.c) ---- */

/* Elements with a disc that the cable may leave at their beginning. */
extern const mbs_force_type mbs_cable_from_disc;

/* Stretch s = L - L° and its rate at time t. */
void mbs_cable_stretch(const mbs_cable *cable, mbs_cable_reach reach, double t, double stretch[2]);
/* Their changes, while L and its rate change by these. */
void mbs_cable_stretch_change(const mbs_cable *cable, mbs_cable_reach change, double t, double dt, double changes[2]);

/* The law of a stretch (0) or its rate (1), a function of t, L and its rate. */
mbs_function mbs_cable_function(mbs_cable *cable, int component);

/* J; of elements that are not the first span of an elastic cable 0. */
double mbs_cable_potential(const mbs_force *first, const mbs_frame *frames, const double *z, double t);

/* ---- Hard cable (forces/hard_cable.c): its first element is a hard contact, whose rows the others continue ---- */

extern const mbs_force_type mbs_hard_cable, mbs_hard_cable_span, mbs_hard_cable_from_disc;
/* The soft rows of these in the search for equilibria. */
const mbs_force_type *mbs_compliant_cable_row(void);

/* Returns true if an element continues the row of a hard cable. */
static inline bool mbs_continues_row(const mbs_force *force) {
  return force->cable != NULL && force->cable->is_hard && force->span > 0;
}

/* The gap g = L° - L, its rate, and that part of the rate and of the second rate that is of L° alone. */
typedef struct mbs_cable_slack {
  double gap, rate, drive, second;
} mbs_cable_slack;
mbs_cable_slack mbs_cable_slack_of(const mbs_force *first, const mbs_frame *frames, const double *z, double t);

/* ∂g/∂q of the span of an element, with its rate and, unless NULL, its curvature; zeros where the cable does not have
 * it now. */
void mbs_cable_row(const mbs_force *span, const mbs_frame *frames, const double *z, mbs_measure *row, mbs_curvature *c);

#endif
