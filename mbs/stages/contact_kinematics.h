/* Hard contacts as they are at poses and rates at hand, and what forces along their rows do. */
#ifndef MBS_CONTACT_KINEMATICS_H
#define MBS_CONTACT_KINEMATICS_H

#include "mbs/model/unilateral.h"

/* Of any but a cable. */
mbs_contact_kinematics mbs_contact_kinematics_of(const mbs_force *force, const mbs_pair *pair);
/* Gap and its rate of any, with the modes of the states z at time t. */
double mbs_gap_at(const mbs_force *force, const mbs_frame *frames, const double *z, double t, double *rate);

/* A contact as it is. */
void mbs_contact_touch(mbs_workspace *ws, int contact);

/* All contacts as they are. */
void mbs_contact_kinematics_all(mbs_workspace *ws);
/* The same of the closed ones alone, as most are open most of the time. */
void mbs_contact_kinematics_closed(mbs_workspace *ws);
/* Row (6) of an element times x (3n). */
double mbs_row_times(const mbs_force *force, const double row[6], const double *x);

/* A contact's normal (number 0) and tangential row (1), whose first part is given, since it may have a factor: times x;
 * what its unit force does to a and λ, as mbs_load_influence(); its rate by an a, which is what a unit of another
 * contact's force does: 0 where nothing joins them; the second rate that it gives its bodies, free of all others. */
double mbs_contact_times(const mbs_workspace *ws, int contact, int number, const double row[6], const double *x);
void mbs_contact_influence(mbs_workspace *ws, int contact, int number, const double load[6], double *a, double *lambda);
double mbs_influence_on(const mbs_workspace *ws, int contact, int number, const double row[6], int from,
                        const double *a);
double mbs_free_response(const mbs_workspace *ws, int contact, int number, const double row[6]);
/* Rates along the rows at hand, at v and with a (3n). */
double mbs_contact_rate(const mbs_workspace *ws, int contact, int number, const double *v);
double mbs_contact_second_rate(const mbs_workspace *ws, int contact, int number, const double *a);

/* Modes of a state with z (n_states), but for those that are free, and ways at which contacts stick. */
void mbs_unilateral_take_held(mbs_unilateral *self, const mbs_model *model, const double *z);

#endif
