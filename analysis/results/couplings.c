/* Rows of couplings and power bonds at a macro point, and their energies (<seam/results.h>). */
#include <stdio.h>
#include <string.h>

#include "analysis/results/results_table.h"
#include "base/argument.h"
#include "mbs/model/model.h"

enum { N_WRENCH = 3, N_ENERGY = 3, MAX_RESIDUALS = 3 };

static const analysis_quantity of_wrench[N_WRENCH] = {
    {"lambda_x", "N", "force on the first side"},
    {"lambda_y", "N", "force on the first side"},
    {"lambda_phi", "Nm", "torque on the first side, about its marker"},
};
static const analysis_quantity of_bond[1] = {
    {"power", "W", "power into the subsystem of the bond's first port, at the macro point"},
};
static const analysis_quantity of_energy[N_ENERGY] = {
    {"residual_power", "W", "power on which the two sides disagree, over the last macro step"},
    {"residual_energy", "J", "energy on which the two sides disagree, since the start"},
    {"created_energy", "J", "energy that the coupling has created since the start"},
};

/* ---- Residuals of cut joints ---- */

/* Returns true if a residual is an angle, not a length. This includes the residual of mbs_joint_motion, which
 * prescribes an angle. */
static bool is_angle(const mbs_joint *joint, int row) {
  return strcmp(joint->type->residual[row], "g_phi") == 0 || joint->type == &mbs_joint_motion;
}

/* Adds the columns of a coupling's residuals. The first and second rates of "g_x" are named "gd_x" and "gdd_x". */
static void add_residuals(seam_table *table, size_t coupling) {
  static const char *const rates[SEAM_N_RESIDUAL_LEVELS] = {"", "d", "dd"};
  static const char *const units[SEAM_N_RESIDUAL_LEVELS][2] = {{"m", "rad"}, {"m/s", "rad/s"}, {"m/s2", "rad/s2"}};
  static const char *const meanings[SEAM_N_RESIDUAL_LEVELS] = {
      "residual of the cut joint", "first rate of the residual", "second rate of the residual"};
  const char *name = cosim_coupling_of(table->simulation, coupling).name;
  const mbs_joint *joint = &table->model->joints[cosim_coupling_of(table->simulation, coupling).element];
  for (int level = 0; level < SEAM_N_RESIDUAL_LEVELS; level++)
    for (int row = 0; row < joint->type->n_rows; row++) {
      char quantity[16];
      snprintf(quantity, sizeof quantity, "g%s%s", rates[level], joint->type->residual[row] + 1);
      analysis_table_add(table, name, quantity, units[level][is_angle(joint, row)], meanings[level]);
    }
}

/* ---- The table ---- */

/* A coupling of user-defined subsystems may couple only some coordinates of a marker. Returns the index of the first of
 * these (0: x, 1: y, 2: angle); 0 if neither side is a marker. */
static int first_of(const cosim_coupling_def *def) {
  const cosim_side_def *marker = def->side[0].element != NULL ? &def->side[0] : &def->side[1];
  return marker->element != NULL ? marker->first : 0;
}

seam_status seam_couplings_table_create(const mbs_model *model, const cosim_simulation *simulation,
                                        seam_table **created, seam_error *error) {
  ARGUMENTS(error, model, simulation, created);
  const seam_status fits = mbs_state_check(__func__, model, cosim_state(simulation), error);
  if (fits != SEAM_OK)
    return fits;
  seam_table table = {.model = model, .simulation = simulation};
  analysis_table_start(&table);
  for (size_t k = 0; k < cosim_n_couplings(simulation); k++) {
    const char *name = cosim_coupling_of(simulation, k).name;
    analysis_table_add_all(&table, name, of_wrench, N_WRENCH);
    if (cosim_coupling_of(simulation, k).is_joint)
      add_residuals(&table, k);
    analysis_table_add_all(&table, name, of_energy, N_ENERGY);
  }
  for (size_t k = 0; k < cosim_n_part_couplings(simulation); k++) {
    const cosim_coupling_def *def = cosim_part_coupling(simulation, k);
    analysis_table_add_all(&table, def->name, of_wrench + first_of(def), (size_t)def->n_dims);
    analysis_table_add_all(&table, def->name, of_energy, N_ENERGY);
  }
  for (size_t i = 0; i < cosim_n_bonds(simulation); i++) {
    analysis_table_add_all(&table, cosim_bond_name(simulation, i), of_energy, N_ENERGY - 1);
    analysis_table_add_all(&table, cosim_bond_name(simulation, i), of_bond, 1);
  }
  return analysis_table_finish(&table, created, error);
}

static double *fill_energy(cosim_bond_energy energy, double *at) {
  at[0] = energy.residual_power;
  at[1] = energy.residual_energy;
  return at + 2;
}

void seam_couplings_row(const seam_table *table, double time, double *row) {
  if (table == NULL || row == NULL)
    return;
  const cosim_simulation *simulation = table->simulation;
  double *at = row;
  *at++ = time;
  for (size_t k = 0; k < cosim_n_couplings(simulation); k++) {
    double wrench[2][N_WRENCH];
    cosim_coupling_wrenches(simulation, k, wrench);
    memcpy(at, wrench[0], sizeof wrench[0]);
    at += N_WRENCH;
    double residual[SEAM_N_RESIDUAL_LEVELS][MAX_RESIDUALS];
    const size_t n = cosim_coupling_residuals(simulation, k, residual[0], residual[1], residual[2]);
    for (int level = 0; level < SEAM_N_RESIDUAL_LEVELS; level++, at += n)
      memcpy(at, residual[level], n * sizeof *at);
    at = fill_energy(cosim_coupling_energy(simulation, k), at);
    *at++ = cosim_coupling_created(simulation, k);
  }
  for (size_t k = 0; k < cosim_n_part_couplings(simulation); k++) {
    const cosim_bond_energy energy = cosim_part_coupling_energy(simulation, k);
    double lambda[N_WRENCH];
    cosim_part_coupling_wrench(simulation, k, lambda);
    for (int i = 0; i < cosim_part_coupling(simulation, k)->n_dims; i++)
      *at++ = lambda[i];
    at = fill_energy(energy, at);
    *at++ = energy.residual_energy;
  }
  for (size_t i = 0; i < cosim_n_bonds(simulation); i++) {
    const cosim_bond_energy energy = cosim_bond_energy_of(simulation, i);
    at = fill_energy(energy, at);
    *at++ = energy.power;
  }
}

/* ---- Sums over all couplings ---- */

static void add_energy(cosim_bond_energy energy, double created, seam_interface_energy *sum) {
  sum->residual_power += energy.residual_power;
  sum->residual_energy += energy.residual_energy;
  sum->created += created;
}

seam_interface_energy seam_interface_energy_of(const cosim_simulation *simulation) {
  seam_interface_energy sum = {0};
  for (size_t k = 0; k < cosim_n_couplings(simulation); k++)
    add_energy(cosim_coupling_energy(simulation, k), cosim_coupling_created(simulation, k), &sum);
  for (size_t k = 0; k < cosim_n_part_couplings(simulation); k++) {
    const cosim_bond_energy energy = cosim_part_coupling_energy(simulation, k);
    add_energy(energy, energy.residual_energy, &sum);
  }
  for (size_t i = 0; i < cosim_n_bonds(simulation); i++)
    add_energy(cosim_bond_energy_of(simulation, i), 0, &sum);
  return sum;
}
