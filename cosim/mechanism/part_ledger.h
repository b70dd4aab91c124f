/* Energy that couplings of user parts create, from exchanged quantities alone: with the forces F on both sides by the
 * inputs over a macro step, velocities along the cubics between its ends, and the energy V and the power P of the true
 * spring and damper between the sides,
 *
 *   ΔE = ∫ F1 v1 + F2 v2 dt + ΔV + ∫ P dt,
 *
 * to order 4 in H. On a side driven by motion, F is the force of spring and damper between this side and the motion
 * that it receives. Energies inside the parts do not count. */
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
