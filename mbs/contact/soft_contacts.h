/* A model with softer contacts, for the search for equilibria. */
#ifndef MBS_SOFT_CONTACTS_H
#define MBS_SOFT_CONTACTS_H

#include "mbs/model/workspace.h"

/* Makes *soft a model that shares all but its force elements with `model`; the caller frees soft->forces.
 * SEAM_NO_MEMORY. */
seam_status mbs_soft_model(const mbs_model *model, mbs_model *soft, seam_error *error);

/* Gives each contact of *soft the stiffness that it has in `model`, but at most the stiffness at which its force equals
 * `load`, N, at a depth of `penetration` times its size. A contact that is hard in `model` gets the stiffness for the
 * larger of `penetration` and `hardest`. Returns the number of contacts that are softer than in `model`. */
int mbs_soften_contacts(const mbs_model *model, double load, double penetration, double hardest, mbs_model *soft);

/* Returns the sum of the weights of all bodies or, without gravity, of the resultant forces on them, N, after an
 * evaluation. */
double mbs_load_of_bodies(const mbs_workspace *ws);

#endif
