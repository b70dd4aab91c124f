/* The mechanism in stabilised index-2 form, for implicit integrators. */
#ifndef MBS_GGL_H
#define MBS_GGL_H

#include "mbs/model/workspace.h"
#include "solvers/dae.h"

typedef struct mbs_ggl mbs_ggl;

/* Keeps and uses ws. The reference is a typical state, by which pivots are ordered. SEAM_BAD_INPUT: prescribed
 * accelerations, or a response reads accelerations. SEAM_NO_MEMORY. */
seam_status mbs_ggl_create(mbs_workspace *ws, const mbs_state *reference, mbs_ggl **ggl_out, seam_error *error);
void mbs_ggl_destroy(mbs_ggl *ggl);

/* Returns the equations of y = (q, v, λ, μ, z, multipliers of hard contacts), then quadratures of work; owned by
 * ggl. */
const seam_dae *mbs_ggl_dae(const mbs_ggl *ggl);

/* Copies a state, after mbs_accelerate(), to y with quadratures, and back; back leaves a, lambda and contact alone. */
void mbs_ggl_pack(const mbs_ggl *ggl, const mbs_state *state, double *y);
void mbs_ggl_unpack(const mbs_ggl *ggl, const double *y, mbs_state *state);
/* Fills dy with the rates of y, zero for multipliers, after mbs_accelerate() of this state in ggl's workspace. */
void mbs_ggl_pack_rates(const mbs_ggl *ggl, const mbs_state *state, double *dy);

#endif
