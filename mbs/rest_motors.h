/* What the pose and the states of a mechanism at rest move where joints follow quantities (motor.h). With f the places
 * that these joints follow and f' their rates, free motions N have (G - f'_v) N = 0, and with A = what moves them
 * alone, (G - f'_v) A = 1,
 *
 *   δq = N ζ + A p,   p + (f'_v - f_q) A p = (f_q - f'_v) N ζ + f_z δz
 *
 * Where a place follows bodies, f'_v = f_q and p = f_z δz. Where a speed alone does, its place is a state. */
#ifndef MBS_REST_MOTORS_H
#define MBS_REST_MOTORS_H

#include "mbs/rest_equations.h"

/* self->motors; false: no memory. */
bool mbs_rest_motors_create(mbs_rest_equations *self);
void mbs_rest_motors_destroy(struct mbs_rest_motors *motors);

/* N and W, right after mbs_linearise(). SEAM_NO_MEMORY; SEAM_SINGULAR: a joint follows itself. */
seam_status mbs_rest_motors_take(mbs_rest_equations *self, seam_error *error);

#endif
