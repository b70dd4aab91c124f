/* A model with softer contacts, for the search for equilibria. */
#ifndef MBS_SOFT_CONTACTS_H
#define MBS_SOFT_CONTACTS_H

#include "mbs/model/workspace.h"

/* Makes *soft a model that shares all but its force elements with `model`. Free soft->forces. SEAM_NO_MEMORY. */
seam_status mbs_soft_model(const mbs_model *model, mbs_model *soft, seam_error *error);

/* Gives contacts of *soft the stiffness of those of `model`, but at most the one with which `penetration` times their
 * size carries `load`, N. Hard contacts get the one for the larger of `penetration` and `hardest`. Returns how many are
 * still softer than those of `model`. */
int mbs_soften_contacts(const mbs_model *model, double load, double penetration, double hardest, mbs_model *soft);

/* Returns all loads on bodies, N, after an evaluation: their weight or, without weight, the sum of forces on them. */
double mbs_load_of_bodies(const mbs_workspace *ws);

#endif
