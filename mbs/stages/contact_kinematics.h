/* Kinematics of hard contacts at the poses and rates in the workspace, and effects of forces along their normals and
 * tangents. */
#ifndef MBS_CONTACT_KINEMATICS_H
#define MBS_CONTACT_KINEMATICS_H

#include "mbs/model/unilateral.h"

/* Returns the kinematics of any hard contact except a cable. */
mbs_contact_kinematics mbs_contact_kinematics_of(const mbs_force *force, const mbs_pair *pair);

/* Finds ws->unilateral->touch[contact], the kinematics of one contact. */
void mbs_contact_update_kinematics(mbs_workspace *ws, int contact);

/* Finds touch[] of all contacts. */
void mbs_contact_kinematics_all(mbs_workspace *ws);
/* Finds touch[] of closed contacts only. This saves time, because most contacts are open most of the time. */
void mbs_contact_kinematics_closed(mbs_workspace *ws);
/* Returns row · x for x (3n). */
double mbs_row_times(const mbs_force *force, const double row[6], const double *x);

/* In the following functions, `number` 0 means the normal of a contact and 1 its tangent; row[6] has the entries for
 * both bodies. A hard cable's normal has several segments, each with two bodies; `row` or `load` is that of the first
 * segment. */
/* Returns row · x for x (3n), summed over the segments of the row. */
double mbs_contact_times(const mbs_workspace *ws, int contact, int number, const double row[6], const double *x);
/* Fills a (3n) and lambda (m) with the accelerations and multipliers that a load on the bodies of a contact causes,
 * with the reactions of joints, but without other contacts. */
void mbs_contact_influence(mbs_workspace *ws, int contact, int number, const double load[6], double *a, double *lambda);
/* Returns row · a for the accelerations a (3n) that a force in contact `from` causes; 0 if no body or joint connects
 * the two contacts. */
double mbs_influence_on(const mbs_workspace *ws, int contact, int number, const double row[6], int from,
                        const double *a);
/* Returns row M⁻¹ rowᵀ: the acceleration along a row by a unit force along it if no joints acted on the bodies. */
double mbs_free_response(const mbs_workspace *ws, int contact, int number, const double row[6]);
/* Returns the rate of the gap or slip, touch[contact].row v, for velocities v (3n), including the part by laws of
 * time. */
double mbs_contact_rate(const mbs_workspace *ws, int contact, int number, const double *v);
/* Returns the second derivative of the gap or slip, touch[contact].row a + convection, for accelerations a (3n). */
double mbs_contact_second_rate(const mbs_workspace *ws, int contact, int number, const double *a);

/* Reads from z (n_states) the modes of contacts, unless they are MBS_BY_MOTION (to be found), and the coordinates at
 * which contacts stick. */
void mbs_unilateral_load_modes(mbs_unilateral *self, const mbs_model *model, const double *z);

#endif
