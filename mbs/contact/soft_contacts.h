/* A model with softer contacts, for the search for equilibria. */
#ifndef MBS_SOFT_CONTACTS_H
#define MBS_SOFT_CONTACTS_H

#include "mbs/model/workspace.h"

/* Makes *soft a model that shares everything with `model` except the array of force elements, a copy that the caller
 * frees: soft->forces. SEAM_NO_MEMORY. */
seam_status mbs_soft_model(const mbs_model *model, mbs_model *soft, seam_error *error);

/* Limits the stiffness of each compliant contact of *soft: its force is at most `load`, N, at a depth of `penetration`
 * times the contact's size (soft_contacts.c). A contact, stop, rope or cable that is hard in `model` becomes compliant:
 * its force equals `load` at a depth of max(penetration, hardest) times its size. Returns the number of contacts that a
 * smaller `penetration` would make stiffer. */
int mbs_soften_contacts(const mbs_model *model, double load, double penetration, double hardest, mbs_model *soft);

/* Returns the sum of the weights of all bodies, N. Without gravity, returns the sum over all bodies of the absolute
 * force in ws->Q, which an evaluation must have filled. */
double mbs_load_of_bodies(const mbs_workspace *ws);

#endif
