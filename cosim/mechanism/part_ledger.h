/* Energy that couplings of user parts create, computed from exchanged quantities alone:
 *
 *   ΔE = ∫ F1 v1 + F2 v2 dt + ΔV + ∫ P dt   over a macro step, to order 4 in its length H
 *
 * F1, F2 are the forces on both sides, as the inputs give them. On a side that receives a motion, the force is that of
 * spring and damper between the side and this motion. v1, v2 are velocities of Hermite's polynomial (path.h).
 * V is the energy of the spring, and P the power that the damper dissipates, both between the true motions of the
 * sides. Energies inside the parts do not count. */
#ifndef COSIM_MECHANISM_PART_LEDGER_H
#define COSIM_MECHANISM_PART_LEDGER_H

#include <seam/cosim.h>

#include "cosim/schemes/snapshot.h"

/* Energies of one coupling of user parts since the start. */
typedef struct cosim_part_ledger {
  cosim_snapshot last; /* snapshot at the present macro point */
  cosim_bond_energy creation;
} cosim_part_ledger;

void cosim_part_ledgers_begin(cosim_simulation *self);
/* Adds the last step, of length H. */
void cosim_part_ledgers_enter(cosim_simulation *self, double H);

#endif
