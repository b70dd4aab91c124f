/* Normal force, slip and friction of a contact, for its load and its quantities. */
#ifndef MBS_CONTACT_H
#define MBS_CONTACT_H

#include "mbs/model/elastic.h"

/* Slip u = S v at the point of contact, by_q = ∂u/∂q and D = ∂S/∂q. */
typedef struct mbs_slip {
  double u;
  double S[6], by_q[6], D[6][6];
} mbs_slip;

/* A force and its gradients. */
typedef struct mbs_gradients {
  double value, by_q[6], by_v[6];
} mbs_gradients;

mbs_slip mbs_contact_slip(const mbs_force *force, const mbs_pair *pair, const mbs_relative_coordinate *gap);
/* Returns the tangential position w, m, of the second body on the first, up to a multiple of *period (0: w is unique).
 * At zero gap ∂w/∂q = S, and the rate of w is the slip u. */
double mbs_contact_tangential_position(const mbs_force *force, const mbs_pair *pair, const mbs_relative_coordinate *gap,
                                       double *period);
/* Returns the normal force, positive if it pushes, in a mode of a one-sided element (mbs/model/switching_modes.h). */
mbs_gradients mbs_contact_normal(const mbs_force *force, const mbs_pair *pair, const mbs_relative_coordinate *gap,
                                 mbs_one_sided_mode mode);
/* Returns the friction force on the second body along t: positive in the direction of a positive slip u. */
mbs_gradients mbs_contact_friction(const mbs_force *force, const mbs_gradients *normal, const mbs_slip *slip);

/* mbs_contact_damping() returns the damping factor χ of a definition, from its damping or restitution.
 * mbs_contact_check_law() checks the law of a contact or an end stop; `kind` names the element in messages.
 * SEAM_BAD_INPUT. */
double mbs_contact_damping(const mbs_force_def *def);
seam_status mbs_contact_check_law(const mbs_force_def *def, const char *kind, seam_error *error);

#endif
