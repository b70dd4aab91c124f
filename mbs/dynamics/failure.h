/* Causes of an integrator's failed step, in words of the mechanism. */
#ifndef MBS_FAILURE_H
#define MBS_FAILURE_H

#include <stdbool.h>

#include "mbs/model/workspace.h"

typedef struct mbs_failure {
  seam_status status;
  const mbs_state *state; /* the last good one */
  size_t entry;           /* of y, whose error was largest */
  bool has_multipliers;   /* y = (q, v, λ, μ, z), not (q, v, z) */
  bool is_lost;           /* thousands of steps made no progress */
  double rtol;            /* of adaptive steps; 0: steps are fixed */
} mbs_failure;

/* Returns true if a law of stretch and rate may jump or bend; steps may creep there. */
bool mbs_has_kinked_law(const mbs_model *model);

/* The message of a rejected step: singular configuration, places whose rounding is above the tolerance, force that
 * jumps, or the state whose error stayed too large.
 * Other failures keep theirs. Returns the status. */
seam_status mbs_explain(mbs_workspace *ws, const mbs_failure *failure, seam_error *error);

/* Checks redundant constraints after an evaluation: they may come to contradict the others, as a second law for one
 * motion does. SEAM_CONSTRAINT_LOST. */
seam_status mbs_check_redundant(const mbs_workspace *ws, double t, seam_error *error);

#endif
