/* The equations of motion in stabilised index-2 form ([Gear-Gupta-Leimkuhler]), for implicit integrators. */
#ifndef MBS_GGL_H
#define MBS_GGL_H

#include "mbs/model/workspace.h"
#include "solvers/dae.h"

typedef struct mbs_ggl mbs_ggl;

/* The equations are evaluated in ws, which must outlive *ggl_out. The matrix at *reference, a typical state, determines
 * the order of pivots. SEAM_BAD_INPUT: accelerations are prescribed, or a law reads accelerations. SEAM_NO_MEMORY. */
seam_status mbs_ggl_create(mbs_workspace *ws, const mbs_state *reference, mbs_ggl **ggl_out, seam_error *error);
void mbs_ggl_destroy(mbs_ggl *ggl);

/* Unknowns of each hard contact in y. */
enum { MBS_GGL_NORMAL, MBS_GGL_TANGENTIAL, MBS_GGL_MU, MBS_GGL_OF_CONTACT };

/* Returns the equations for y = (q, v, λ, μ, z, multipliers of contacts), with quadratures for work; ggl owns them. */
const seam_dae *mbs_ggl_dae(const mbs_ggl *ggl);

/* mbs_ggl_pack() copies a state, after mbs_accelerate(), to y and the quadratures after it. mbs_ggl_unpack() copies y
 * back, but does not change a, lambda and contact of the state. */
void mbs_ggl_pack(const mbs_ggl *ggl, const mbs_state *state, double *y);
void mbs_ggl_unpack(const mbs_ggl *ggl, const double *y, mbs_state *state);
/* Fills dy with the rates of y, zero for multipliers, after mbs_accelerate() for this state in the workspace of ggl. */
void mbs_ggl_pack_rates(const mbs_ggl *ggl, const mbs_state *state, double *dy);

#endif
