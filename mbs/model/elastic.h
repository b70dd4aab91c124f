/* Elements with an elastic law F(s, v) along each of their coordinates s. Positive F pulls. */
#ifndef MBS_ELASTIC_H
#define MBS_ELASTIC_H

#include <math.h>

#include "mbs/model/force.h"
#include "mbs/model/switching_modes.h"

/* Returns the mode of coordinate k of an element. If the element has modes, rounds it from z, the element's entries as
 * passed to load(); else returns the mode in its law. */
static inline mbs_one_sided_mode mbs_mode_along(const mbs_force *force, const double *z, int k) {
  return force->has_modes ? (mbs_one_sided_mode)lround(z[k]) : force->elastic[k].mode;
}
/* Does the same as mbs_mode_along(), but reads the mode from a state of the model. */
static inline mbs_one_sided_mode mbs_mode_along_in(const mbs_force *force, const mbs_state *state, int k) {
  return mbs_mode_along(force, state->z + force->state, k);
}

/* Returns F and its derivatives by s and v in a mode. */
seam_jet mbs_elastic_jet(const mbs_elastic_law *law, double s, double v, mbs_one_sided_mode mode);
/* Returns F(s, 0) and its derivatives; its integral over s is the potential. */
seam_jet mbs_elastic_static_jet(const mbs_elastic_law *law, double s, mbs_one_sided_mode mode);

/* Values of the field `switches` for types of one-sided elements: with one coordinate, and with two. */
extern const mbs_switches mbs_one_sided;
extern const mbs_switches mbs_two_sided;

/* Returns the mode of a strand or a contact at its stretch s and rate v. */
mbs_one_sided_mode mbs_elastic_mode(const mbs_elastic_law *law, double s, double v);
/* Returns a number that is negative where the conditions of a mode are not met: -depth for open, min(depth, damped) for
 * closed, min(depth, -damped) for released (`closing` in elastic.c). */
double mbs_elastic_margin(const mbs_elastic_law *law, mbs_one_sided_mode mode, double s, double v);

void mbs_elastic_load(const mbs_force *force, const mbs_pair *pair, double t, const double *z, double Q[6],
                      mbs_power *power);
void mbs_elastic_derivatives(const mbs_force *force, const mbs_pair *pair, double t, const double *z, double Kq[6][6],
                             double Kv[6][6]);
void mbs_elastic_unit_load(const mbs_force *force, const mbs_pair *pair, int component, const double *z,
                           double unit_load[6]);
double mbs_elastic_potential(const mbs_force *force, const mbs_pair *pair);

/* Fields that types of elastic elements share. */
#define MBS_ELASTIC .load = mbs_elastic_load, .derivatives = mbs_elastic_derivatives, .potential = mbs_elastic_potential

#endif
