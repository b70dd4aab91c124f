/* What elastic elements share: an elastic law F(s, v) along each of their measures s. Positive F pulls. */
#ifndef MBS_ELASTIC_H
#define MBS_ELASTIC_H

#include "mbs/force.h"

/* F and its derivatives by s and v. */
seam_jet mbs_elastic_jet(const mbs_elastic_law *law, double s, double v);

/* Of a strand or a contact: the mode that the motion is in, and how far it is from the end of another one, negative
 * beyond; the stretch alone decides where v = 0. */
mbs_mode mbs_elastic_mode(const mbs_elastic_law *law, double s, double v);
double mbs_elastic_margin(const mbs_elastic_law *law, mbs_mode mode, double s, double v);

void mbs_elastic_load(const mbs_force *force, const mbs_pair *pair, double t, const double *z, double Q[6],
                      mbs_power *power);
void mbs_elastic_derivatives(const mbs_force *force, const mbs_pair *pair, double t, const double *z, double Kq[6][6],
                             double Kv[6][6]);
void mbs_elastic_push(const mbs_force *force, const mbs_pair *pair, int component, double push[6]);
double mbs_elastic_potential(const mbs_force *force, const mbs_pair *pair);

#endif
