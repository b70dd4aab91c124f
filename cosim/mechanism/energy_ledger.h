/* Energy that couplings create by their errors: the wrench on a side over a macro step differs from the wrench that the
 * element would exert between the true motions x1(t), x2(t) of its markers. W1 and W2 are the work done on the two
 * sides, which the subsystems integrate, and V is the element's potential energy. P_dissipated is the power that it
 * dissipates, P_driven the power that its drives supply. A macro step of length H creates
 *
 *   ΔE = ΔW1 + ΔW2 + ΔV + ∫ (P_dissipated - P_driven) dt
 *
 * V is evaluated at macro points. The powers are integrated by Gauss's rule along Hermite's polynomial through
 * positions and velocities of the markers at both ends and at inner nodes (path.h). Multipliers of the joint and states
 * of the force element count as linear in time. Without inner nodes the error of ΔE is of order 4 in H, but of order 2
 * in the term of prescribed motions.
 *
 * Without errors, energy.total + dissipated - driven of the undivided mechanism would be constant. This sum contains
 * the same integrals as ΔE. Except for errors of the subsystems' integrators, the sum therefore grows by ΔE of all
 * couplings. A projection changes the motion of the bodies at the end of a step. The energy that the projection adds is
 * shared equally by the couplings that project. */
#ifndef COSIM_MECHANISM_ENERGY_LEDGER_H
#define COSIM_MECHANISM_ENERGY_LEDGER_H

#include "cosim/mechanism/cut_element.h"
#include "cosim/schemes/snapshot.h"

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

/* Adds a step that begins at t. work: W1 + W2 from the start to the end of the step; projected: the coupling's share of
 * the energy added by projection. */
void cosim_energy_ledger_enter(cosim_energy_ledger *self, const cosim_mechanism_element *law, double t,
                               const cosim_path *path, const cosim_law_states *at, double work, double projected);

#endif
