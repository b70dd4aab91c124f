/* Energy that couplings create. The wrench on a side over a macro step differs from the wrench that the element would
 * have exerted between the true motions x1(t), x2(t). With the work W1, W2 done on both sides, which the subsystems
 * integrate, the element's potential energy V, and the powers P that it dissipates and drives, a macro step of length H
 * creates
 *
 *   ΔE = ΔW1 + ΔW2 + ΔV + ∫ (P_dissipated - P_driven) dt
 *
 * V is taken at macro points. P is integrated by Gauss's rule along Hermite's polynomial through positions and
 * velocities of the markers at both ends and at inner nodes (path.h), with linear multipliers: to order 4 in H without
 * inner nodes, to order 2 for the power that a motion drives. The sum of ΔE over all couplings is the gain of
 * energy.total + dissipated - driven of the whole, which uses the same integrals, except for errors of the subsystems'
 * integrators. A projection moves the bodies at the end of a step: the energy that this adds is shared equally among
 * the couplings that project. */
#ifndef COSIM_MECHANISM_ENERGY_LEDGER_H
#define COSIM_MECHANISM_ENERGY_LEDGER_H

#include "cosim/mechanism/cut_element.h"
#include "cosim/schemes/path.h"

/* Energies, J, of one coupling since the start. */
typedef struct cosim_energy_ledger {
  double work;               /* W1 + W2 */
  double dissipated, driven; /* energies that the element dissipates and supplies */
  cosim_bond_energy creation;
} cosim_energy_ledger;

/* Multipliers and states of a coupling's element at both ends of a step. */
typedef struct cosim_law_states {
  const double *multipliers[2]; /* (n_rows) multipliers of a joint */
  const double *states[2];      /* states of a force element */
} cosim_law_states;

/* Returns the power of a wrench (3 or more) on a marker. */
double cosim_power_into(const cosim_motion *marker, const double *wrench);

/* Adds a step that begins at t: `work` is W1 + W2 at its end, `projected` the coupling's part of the energy that
 * projection added. */
void cosim_energy_ledger_enter(cosim_energy_ledger *self, const cosim_mechanism_element *law, double t,
                               const cosim_path *path, const cosim_law_states *at, double work, double projected);

#endif
