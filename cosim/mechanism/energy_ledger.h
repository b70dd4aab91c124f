/* Energy that couplings create by their errors. Over a macro step, the wrench on a side differs from the wrench that
 * the element would exert between the true motions x1(t), x2(t) of its markers.
 *
 * Cut elements: over a macro step of length H, the wrenches on the two sides do the work ΔW1 and ΔW2, which the
 * subsystems integrate. The potential energy of the element grows by ΔV. P_dissipated is the power that the element
 * dissipates, P_driven the power that its drives supply. The step creates
 *
 *   ΔE = ΔW1 + ΔW2 + ΔV + ∫ (P_dissipated - P_driven) dt
 *
 * V is evaluated at macro points. Gauss's rule integrates the powers. For the powers, markers move along Hermite's
 * polynomial through both ends and the inner nodes (cosim/schemes/snapshot.c). Joint multipliers and states of the
 * force element are linear in time. Without inner nodes the error of ΔE is of order 4 in H, but of order 2 in the term
 * of prescribed motions.
 *
 * Without errors, energy.total + dissipated - driven of the undivided mechanism would be constant. Apart from errors of
 * the integrators, this sum grows by the ΔE of all couplings. A projection changes the motion of the bodies at the end
 * of a step and so adds energy, which is divided equally among the couplings that project.
 *
 * Couplings of user parts: let F1 and F2 be the forces on both sides, and v1 and v2 the velocities of Hermite's
 * polynomial. V is the energy of the coupling's spring and P_dissipated the power of its damper, both between the true
 * motions of the sides. To order 4 in H,
 *
 *   ΔE = ∫ F1 v1 + F2 v2 dt + ΔV + ∫ P_dissipated dt.
 *
 * An input of a side gives its force. A side that receives a motion has the force of spring and damper between itself
 * and this motion. The force on a side that receives an acceleration is linear in time. */
#ifndef COSIM_MECHANISM_ENERGY_LEDGER_H
#define COSIM_MECHANISM_ENERGY_LEDGER_H

#include <seam/cosim.h>

#include "cosim/coupling/master.h"
#include "cosim/mechanism/cut_element.h"

/* Energies, J, of the coupling at a cut element since the start. */
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

/* Adds a step that begins at t. work: W1 + W2 from the start of the run to the end of this step; projected: the
 * coupling's share of the energy that projection adds in the step. */
void cosim_energy_ledger_enter(cosim_energy_ledger *self, const cosim_mechanism_element *law, double t,
                               const cosim_path *path, const cosim_law_states *at, double work, double projected);

/* Energies of a coupling of user parts since the start. */
typedef struct cosim_part_ledger {
  cosim_snapshot last; /* snapshot at the present macro point */
  cosim_bond_energy creation;
} cosim_part_ledger;

/* Adds the last step, of length H. number: index of the coupling in the master. */
void cosim_part_ledger_enter(cosim_part_ledger *self, const cosim_coupling_def *def, const cosim_cut *cut,
                             const cosim_master *master, int number, double H);

#endif
