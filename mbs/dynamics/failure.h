/* Explains why a step of an integrator failed, in terms of the mechanism. */
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
  double rtol;            /* tolerance of adaptive steps; 0: steps are fixed */
} mbs_failure;

/* Returns true if an elastic law may have jumps or kinks; steps may become tiny there. */
bool mbs_has_kinked_law(const mbs_model *model);

/* Explains a rejected step by a force or law that jumps, a singular configuration, positions whose round-off is near
 * the tolerance, or the state with the largest error. Other failures keep their message. Returns the status. */
seam_status mbs_explain(mbs_workspace *ws, const mbs_failure *failure, seam_error *error);

/* Checks the residuals of redundant constraints after an evaluation. They may contradict the others in the course of a
 * motion, for example if two different laws drive one coordinate. SEAM_CONSTRAINT_LOST. */
seam_status mbs_check_redundant(const mbs_workspace *ws, double t, seam_error *error);

#endif
