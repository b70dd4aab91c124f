/* A cable is a row of consecutive force elements, one for each span that it may have. All of them depend on two laws of
 * quantities: the stretch of the cable, and the rate of its stretch (equations: forces/cable.c). */
#ifndef MBS_CABLE_H
#define MBS_CABLE_H

#include <stdint.h>

#include <seam/measures.h>

#include "mbs/model/force.h"

enum {
  MBS_CABLE_LAWS = 2, /* number of laws of quantities of a cable: its stretch s, the rate of s */
  MBS_MAX_CABLE_PLACES = 64
};

typedef struct mbs_cable {
  int n_places;
  int n_spans;  /* number of spans, in order: between neighbouring places, then past discs that the cable may leave */
  bool is_hard; /* the length L never exceeds the free length L°; there is no elastic law */
  bool is_two_sided; /* a hard cable with L = L° at all times */
  mbs_elastic_law law;
  double rest;         /* free length L°, m, if there is no law for it */
  seam_law length;     /* law of time for L°, owned by the first span; .value is NULL: there is no such law */
  double direction[2]; /* rad, directions of the first and the last span in the initial configuration */
  double angle[2];     /* rad, angles of the bodies at both ends in the initial configuration */
} mbs_cable;

/* ---- Path ----
 * `first` is the first element of a cable; its other elements follow in the array. z: all states of a model, which
 * include the modes of discs; NULL: the poses decide which discs the cable touches. */

/* Returns the span from place `from` to a later place `to`; NULL: there is no such span. */
const mbs_force *mbs_cable_span(const mbs_force *first, int from, int to);
/* Returns a number whose bit k is set if the cable touches place k. Places are the points and discs along the cable.
 * Ends and places without a disc are always touched. */
uint64_t mbs_cable_touched(const mbs_force *first, const mbs_frame *frames, const double *z);
/* Returns the next place after `place` that the cable touches; n_places: there is none. touched: result of
 * mbs_cable_touched(). */
int mbs_cable_next(const mbs_cable *cable, uint64_t touched, int place);

/* Finds the coordinate s of a span: its contribution to the length L, up to a constant. pair: the span's pair of
 * markers. */
void mbs_cable_coordinate(const mbs_force *span, const mbs_pair *pair, mbs_relative_coordinate *s);
void mbs_cable_curvature(const mbs_force *span, const mbs_pair *pair, mbs_curvature *c);

/* Length L of a cable's path, m, and its rate, m/s; not finite if the cable cannot lie on its discs. */
typedef struct mbs_cable_length {
  double length, rate;
} mbs_cable_length;
mbs_cable_length mbs_cable_length_of(const mbs_force *first, const mbs_frame *frames, const double *z);

/* Returns the free length L° at time t, with its derivatives by t. */
seam_jet mbs_cable_free_length(const mbs_cable *cable, double t);

/* Sets a cable's `direction` and `angle` to their values in a configuration: the length that discs at the ends wind up
 * counts from this configuration. */
void mbs_cable_set_reference(mbs_cable *cable, const mbs_force *first, const mbs_frame *frames);

/* ---- Elastic cable ---- */

/* Type of a span of an elastic cable that begins at a disc which the cable may leave. */
extern const mbs_force_type mbs_cable_from_disc;

/* Finds stretch = (s, ṡ) at time t, with s = L - L°. */
void mbs_cable_stretch(const mbs_cable *cable, mbs_cable_length path, double t, double stretch[2]);

/* Returns the function that finds the stretch (component 0) or its rate (1) from t, L and the rate of L. */
mbs_function mbs_cable_function(mbs_cable *cable, int component);

/* Returns the potential energy of all spans of a cable, J; 0 if `first` is not the first span of an elastic cable. */
double mbs_cable_potential(const mbs_force *first, const mbs_frame *frames, const double *z, double t);

/* ---- Hard cable: the first span is a hard contact, the others add entries to its row ---- */

extern const mbs_force_type mbs_hard_cable, mbs_hard_cable_span, mbs_hard_cable_from_disc;

/* Returns true for a hard contact that is always closed, with a force of either sign. */
static inline bool mbs_is_two_sided(const mbs_force *force) {
  return force->cable != NULL && force->cable->is_two_sided;
}

/* Gap g = L° - L of a hard cable, m; ġ (rate), L°' (drive) and L°'' (second). */
typedef struct mbs_cable_slack {
  double gap, rate, drive, second;
} mbs_cable_slack;
mbs_cable_slack mbs_cable_slack_of(const mbs_force *first, const mbs_frame *frames, const double *z, double t);

/* Finds what a span contributes to ∂g/∂q and its rate (J, J̇ of *row) and to the curvature of g (*c, may be NULL).
 * Zeros: the span is not in the path. */
void mbs_cable_row(const mbs_force *span, const mbs_frame *frames, const double *z, mbs_relative_coordinate *row,
                   mbs_curvature *c);

#endif
