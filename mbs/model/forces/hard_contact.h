/* Functions and fields that all types of hard contacts share (equations: mbs/model/unilateral.h). */
#ifndef MBS_HARD_CONTACT_H
#define MBS_HARD_CONTACT_H

#include "mbs/model/forces/along.h"

/* Sets Q to zero: the forces of a hard contact are multipliers. */
void mbs_hard_load(const mbs_force *force, const mbs_pair *pair, double t, const double *z, double Q[6],
                   mbs_power *power);
bool mbs_hard_has_friction(const mbs_force *force, const mbs_pair *pair);
/* Checks the definition of a hard contact. `kind`: its noun for messages. SEAM_BAD_INPUT. */
seam_status mbs_hard_check(const mbs_force_def *def, const char *kind, seam_error *error);
extern const mbs_switches mbs_hard_switches;

#define MBS_HARD                                                                                                       \
  .is_hard = true, MBS_BETWEEN_MARKERS, .load = mbs_hard_load, .derivatives = mbs_no_derivatives,                      \
  .switches = &mbs_hard_switches, .cut = {3, {0, 1, 2}, 3, {0, 1, 2}, false}, .n_coordinates = 1
#define MBS_HARD_CONTACT MBS_HARD, .has_friction = mbs_hard_has_friction, .slips = true

#endif
