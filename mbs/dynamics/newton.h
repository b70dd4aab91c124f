/* Newton's matrix of the equations of motion in index-1 form, for implicit methods on y = (q, v, z). */
#ifndef MBS_NEWTON_H
#define MBS_NEWTON_H

#include "mbs/model/workspace.h"
#include "solvers/ode.h"

typedef struct mbs_newton mbs_newton;

/* The matrix is computed in ws, which must outlive *newton. The matrix at *reference determines the order of pivots.
 * SEAM_NO_MEMORY, SEAM_SINGULAR. */
seam_status mbs_newton_create(mbs_workspace *ws, const mbs_state *reference, mbs_newton **newton, seam_error *error);
void mbs_newton_destroy(mbs_newton *self);

/* Returns the functions that CVODE calls. */
seam_newton mbs_newton_solver(mbs_newton *self);

#endif
