/* The mechanism in stabilised index-2 form, for implicit integrators. */
#ifndef MBS_GGL_H
#define MBS_GGL_H

#include "mbs/model/workspace.h"
#include "solvers/dae.h"

typedef struct mbs_ggl mbs_ggl;

/* Uses the workspace as long as it lives. The reference state gives the usual size of things. SEAM_NO_MEMORY. */
seam_status mbs_ggl_create(mbs_workspace *ws, const mbs_state *reference, mbs_ggl **ggl_out, seam_error *error);
void mbs_ggl_destroy(mbs_ggl *ggl);

/* y = (q, v, λ, μ, z, multipliers of hard contacts), followed by the quadratures of state->work. Owned by ggl. */
const seam_dae *mbs_ggl_dae(const mbs_ggl *ggl);

/* y with quadratures from a state after mbs_accelerate(), and back; back leaves a and lambda alone. */
void mbs_ggl_pack(const mbs_ggl *ggl, const mbs_state *state, double *y);
void mbs_ggl_unpack(const mbs_ggl *ggl, const double *y, mbs_state *state);
/* Rates of y, zero for multipliers, from a state that mbs_accelerate() evaluated in the workspace of ggl. */
void mbs_ggl_pack_rates(const mbs_ggl *ggl, const mbs_state *state, double *dy);

#endif
