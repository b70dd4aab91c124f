/* Explains why a step of an integrator failed, in terms of the mechanism. */
#ifndef MBS_FAILURE_H
#define MBS_FAILURE_H

#include <stdbool.h>

#include "mbs/model/workspace.h"

typedef struct mbs_failure {
  seam_status status;
  const mbs_state *state; /* last good state */
  size_t entry;           /* index of the entry of y with the largest error */
  bool has_multipliers;   /* true: y = (q, v, λ, μ, z); false: y = (q, v, z) */
  bool is_stalled;        /* the method gave up after thousands of steps with almost no progress */
  double rtol;            /* relative tolerance of adaptive steps */
  double step;            /* s, length of fixed steps; 0: steps are adaptive */
} mbs_failure;

/* Returns true if the elastic law of a force element may have jumps or kinks, at which steps may become tiny. */
bool mbs_has_kinked_law(const mbs_model *model);

/* Writes into *error why a step was rejected: a force or law jumps, a configuration is singular, round-off of positions
 * is close to the tolerance, the model cannot be evaluated shortly ahead, or one state has too large an error. Other
 * failures keep their message. */
seam_status mbs_explain(mbs_workspace *ws, const mbs_failure *failure, seam_error *error);

/* Checks the residuals of redundant constraints after an evaluation. Such a constraint may contradict others later in a
 * motion, for example if two different laws prescribe one coordinate. SEAM_CONSTRAINT_LOST. */
seam_status mbs_check_redundant(const mbs_workspace *ws, double t, seam_error *error);

#endif
