/* Causes of an integrator's failed step, in words of the mechanism. */
#ifndef MBS_FAILURE_H
#define MBS_FAILURE_H

#include <stdbool.h>

#include "mbs/model/workspace.h"

typedef struct mbs_failure {
  seam_status status;
  const mbs_state *state; /* last good state */
  size_t entry;           /* entry of y with the largest error */
  bool has_multipliers;   /* y = (q, v, λ, μ, z), not (q, v, z) */
  bool is_lost;           /* thousands of steps made no progress */
  double rtol;            /* of adaptive steps; 0: steps are fixed */
} mbs_failure;

/* Returns true if an elastic law may jump or bend; steps may become tiny there. */
bool mbs_has_kinked_law(const mbs_model *model);

/* Explains a rejected step: singular configuration, places whose rounding is above the tolerance, force or law that
 * jumps, or the state with the largest error. Other failures keep their message. Returns the status. */
seam_status mbs_explain(mbs_workspace *ws, const mbs_failure *failure, seam_error *error);

/* Checks redundant constraints after an evaluation: they may come to contradict the others, as two laws for one motion
 * do. SEAM_CONSTRAINT_LOST. */
seam_status mbs_check_redundant(const mbs_workspace *ws, double t, seam_error *error);

#endif
