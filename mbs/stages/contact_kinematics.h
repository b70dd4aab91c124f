/* Kinematics of hard contacts at the present poses and rates, and effects of forces along their rows. */
#ifndef MBS_CONTACT_KINEMATICS_H
#define MBS_CONTACT_KINEMATICS_H

#include "mbs/model/unilateral.h"

mbs_contact_kinematics mbs_contact_kinematics_of(const mbs_force *force, const mbs_pair *pair);

/* Finds `touch` of all contacts. */
void mbs_contact_kinematics_all(mbs_workspace *ws);
/* Finds `touch` of closed contacts only; most contacts are open most of the time. */
void mbs_contact_kinematics_closed(mbs_workspace *ws);
/* Returns row · a for a (3 bodies) by a unit of another contact's force; 0 if nothing connects the two. */
double mbs_influence_on(const mbs_workspace *ws, int contact, const double row[6], int from, const double *a);

/* Returns the second rate along a row (6) by a unit force along it, for the element's bodies without constraints. */
double mbs_free_response(const mbs_model *model, const mbs_force *force, const double row[6]);
/* Returns row · x for x (3n). */
double mbs_row_times(const mbs_force *force, const double row[6], const double *x);

/* Takes from z (n_states) the modes, unless MBS_BY_MOTION, and the coordinates at which contacts stick. */
void mbs_unilateral_take_held(mbs_unilateral *self, const mbs_model *model, const double *z);

#endif
