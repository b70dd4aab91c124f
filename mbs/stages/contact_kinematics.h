/* Kinematics of hard contacts at the frames in the workspace, and effects of forces along their normals and tangents. A
 * contact has a normal row N and a tangential row T: the rate of its gap is N v, its slip T v. */
#ifndef MBS_CONTACT_KINEMATICS_H
#define MBS_CONTACT_KINEMATICS_H

#include "mbs/model/unilateral.h"

/* Returns the kinematics of any hard contact except a cable. */
mbs_contact_kinematics mbs_contact_kinematics_of(const mbs_force *force, const mbs_pair *pair);

/* These functions find ws->unilateral->kinematics of one contact, of all contacts, or of closed contacts only. The last
 * one saves time, because most contacts are open most of the time. */
void mbs_contact_update_kinematics(mbs_workspace *ws, int contact);
void mbs_contact_kinematics_all(mbs_workspace *ws);
void mbs_contact_kinematics_closed(mbs_workspace *ws);
/* Returns row · x, with the entries of x (3n) for the two bodies of the element. */
double mbs_row_times(const mbs_force *force, const double row[6], const double *x);

/* Below, `number` is 0 for the normal row of a contact and 1 for its tangential row; row[6] has the entries for both
 * bodies. The normal row of a hard cable has several segments, each with two bodies; then `row` or `load` belongs to
 * the first one. */

/* Returns row · x for x (3n), summed over the segments of the row. */
double mbs_contact_times(const mbs_workspace *ws, int contact, int number, const double row[6], const double *x);
/* Fills a (3n) and lambda (m) with the accelerations and multipliers that a load on the bodies of a contact causes.
 * They include the reactions of joints, but not the effect of forces of other contacts. */
void mbs_contact_influence(mbs_workspace *ws, int contact, int number, const double load[6], double *a, double *lambda);
/* Returns row · a for the accelerations a (3n) that a force in contact `from` causes. Returns exactly 0 if neither a
 * common body nor joints or cables can transmit the effect of one contact to the other. */
double mbs_influence_on(const mbs_workspace *ws, int contact, int number, const double row[6], int from,
                        const double *a);
/* Returns row M⁻¹ rowᵀ: the acceleration along the row by a unit force along the row, without joints. */
double mbs_free_response(const mbs_workspace *ws, int contact, int number, const double row[6]);
/* Returns the rate of the gap (number 0) or the slip (1) for velocities v (3n), including the rate by laws of time. */
double mbs_contact_rate(const mbs_workspace *ws, int contact, int number, const double *v);
/* Returns the acceleration of the gap (number 0) or the rate of the slip (1) for accelerations a (3n), including the
 * terms quadratic in velocities. */
double mbs_contact_second_rate(const mbs_workspace *ws, int contact, int number, const double *a);

#endif
