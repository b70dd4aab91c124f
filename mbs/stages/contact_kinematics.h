/* Kinematics of hard contacts at the present poses and rates, and effects of forces along their rows. */
#ifndef MBS_CONTACT_KINEMATICS_H
#define MBS_CONTACT_KINEMATICS_H

#include "mbs/model/unilateral.h"

/* Returns the kinematics of any hard contact except a cable. */
mbs_contact_kinematics mbs_contact_kinematics_of(const mbs_force *force, const mbs_pair *pair);

/* Updates `touch` of one contact. */
void mbs_contact_update_kinematics(mbs_workspace *ws, int contact);

/* Finds `touch` of all contacts. */
void mbs_contact_kinematics_all(mbs_workspace *ws);
/* Finds `touch` of closed contacts only; most contacts are open most of the time. */
void mbs_contact_kinematics_closed(mbs_workspace *ws);
/* Returns row · x for x (3n). */
double mbs_row_times(const mbs_force *force, const double row[6], const double *x);

/* In these functions number 0 is a contact's normal and 1 its tangent; `row` or `load` is that of the first segment. */
/* Returns row · x for x (3n). */
double mbs_contact_times(const mbs_workspace *ws, int contact, int number, const double row[6], const double *x);
/* Like mbs_load_influence(), for a unit force along the row. */
void mbs_contact_influence(mbs_workspace *ws, int contact, int number, const double load[6], double *a, double *lambda);
/* Returns row · a for the accelerations a (3n) that a unit force of contact `from` causes; 0 if nothing connects the
 * two contacts. */
double mbs_influence_on(const mbs_workspace *ws, int contact, int number, const double row[6], int from,
                        const double *a);
/* Returns the second rate along a row due to a unit force along it, as if the element's bodies were free. */
double mbs_free_response(const mbs_workspace *ws, int contact, int number, const double row[6]);
/* Returns the rate along a row of `touch` for v (3n), with the part by laws of time. */
double mbs_contact_rate(const mbs_workspace *ws, int contact, int number, const double *v);
/* Returns the second rate along a row of `touch` for a (3n), with its convection. */
double mbs_contact_second_rate(const mbs_workspace *ws, int contact, int number, const double *a);

/* Reads from z (n_states) the modes, unless MBS_BY_MOTION, and the coordinates at which contacts stick. */
void mbs_unilateral_load_modes(mbs_unilateral *self, const mbs_model *model, const double *z);

#endif
