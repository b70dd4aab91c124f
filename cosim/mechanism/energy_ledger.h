/* Energy that couplings create. The wrench on a side over a macro step is not the one that its element would have
 * exerted between the true motions x1(t), x2(t). With the work W1, W2 done on both sides, which the subsystems
 * integrate along, the element's potential energy V, and the powers P that it takes out and puts in, a macro step of
 * length H creates
 *
 *   ΔE = ΔW1 + ΔW2 + ΔV + ∫ (P_dissipated - P_driven) dt
 *
 * V is taken at macro points. P is integrated by Gauss's rule with three points along the cubics through positions and
 * velocities of the markers at both ends, multipliers being linear: to order 4 in H, 2 for what a motion drives. As the
 * same integrals are among the energies of the whole, ΔE over all couplings is what energy.total + dissipated - driven
 * of the whole gains, but for errors of the integrators of the subsystems. A projection moves the bodies at the end of
 * a step: what that adds to the energy of the subsystems belongs to the couplings that project, in equal parts. */
#ifndef COSIM_MECHANISM_ENERGY_LEDGER_H
#define COSIM_MECHANISM_ENERGY_LEDGER_H

#include "cosim/master/snapshot.h"
#include "cosim/mechanism/partition.h"

/* A coupling's, since the start. */
typedef struct cosim_energy_ledger {
  double work;               /* W1 + W2 */
  double dissipated, driven; /* by its element */
  cosim_bond_energy creation;
} cosim_energy_ledger;

/* What else a coupling knows at both ends of a step. */
typedef struct cosim_law_states {
  const double *multipliers[2]; /* (n_rows) of a joint */
  const double *states[2];      /* of a force element */
} cosim_law_states;

/* Power of a wrench (3 and more) on the marker of side 1. */
double cosim_power_into(const cosim_motion *marker, const double *wrench);

/* Enters a step: `work` is W1 + W2 at its end, `projected` the coupling's part of what projection added. */
void cosim_energy_ledger_enter(cosim_energy_ledger *self, const cosim_mechanism_element *law,
                               const cosim_step_interval *step, const cosim_law_states *at, double work,
                               double projected);

/* Energy of the subsystems, cut elements left out, in a state of the whole. */
double cosim_energy_of_parts(mbs_workspace *ws, const cosim_partition *partition, const mbs_state *state);

#endif
