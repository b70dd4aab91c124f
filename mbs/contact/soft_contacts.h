/* A model whose contacts are softer, to search for equilibria with. */
#ifndef MBS_SOFT_CONTACTS_H
#define MBS_SOFT_CONTACTS_H

#include "mbs/model/workspace.h"

/* *soft becomes a model that shares everything with `model` but its force elements. Free soft->forces. SEAM_NO_MEMORY.
 */
seam_status mbs_soft_model(const mbs_model *model, mbs_model *soft, seam_error *error);

/* Contacts of *soft become as stiff as those of `model`, but where `penetration` of their size (1: all of it) carries
 * all loads: no stiffer than for that. Hard ones are as stiff as for that, or for `hardest` of their size. Returns how
 * many are softer. load: N. */
int mbs_soften_contacts(const mbs_model *model, double load, double penetration, double hardest, mbs_model *soft);

/* N, of all loads on bodies where the workspace has just been evaluated: their weight, or if they have none the sum of
 * what acts on them. */
double mbs_load_of_bodies(const mbs_workspace *ws);

#endif
