/* Hard contacts as they are at poses and rates at hand, and what forces along their rows do. */
#ifndef MBS_CONTACT_KINEMATICS_H
#define MBS_CONTACT_KINEMATICS_H

#include "mbs/model/unilateral.h"

mbs_contact_kinematics mbs_contact_kinematics_of(const mbs_force *force, const mbs_pair *pair);

/* All contacts as they are. */
void mbs_contact_kinematics_all(mbs_workspace *ws);
/* The same of the closed ones alone, as most are open most of the time. */
void mbs_contact_kinematics_closed(mbs_workspace *ws);
/* Rate of a row by a (3 bodies), which is what a unit of another contact's force does: 0 where nothing joins them. */
double mbs_influence_on(const mbs_workspace *ws, int contact, const double row[6], int from, const double *a);

/* The second rate along a row (6) that a unit force along it gives the bodies of an element, free of all others. */
double mbs_free_response(const mbs_model *model, const mbs_force *force, const double row[6]);
/* Row times x (3n). */
double mbs_row_times(const mbs_force *force, const double row[6], const double *x);

/* Modes of a state with z (n_states), but for those that are free, and ways at which contacts stick. */
void mbs_unilateral_take_held(mbs_unilateral *self, const mbs_model *model, const double *z);

#endif
