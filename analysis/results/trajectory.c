/* Rows of a trajectory: bodies, reactions, states of force elements, energies (<seam/results.h>). */
#include <math.h>
#include <string.h>

#include "analysis/results/table.h"
#include "base/argument.h"
#include "base/finite.h"
#include "mbs/workspace.h"

enum { N_BODY = 6, N_JOINT = 3, N_ENERGY = 5 };

static const analysis_quantity of_body[N_BODY] = {
    {"x", "m", "position of the centre of mass"},    {"y", "m", "position of the centre of mass"},
    {"phi", "rad", "angle, counter-clockwise"},      {"vx", "m/s", "velocity of the centre of mass"},
    {"vy", "m/s", "velocity of the centre of mass"}, {"omega", "rad/s", "angular velocity"},
};
static const analysis_quantity of_joint[N_JOINT] = {
    {"fx", "N", "reaction on the first body"},
    {"fy", "N", "reaction on the first body"},
    {"torque", "Nm", "reaction on the first body, about its marker"},
};
static const analysis_quantity energies[N_ENERGY] = {
    {"kinetic", "J", "kinetic energy"},
    {"potential", "J", "potential energy, zero at y = 0 and at rest lengths"},
    {"total", "J", "kinetic and potential energy"},
    {"dissipated", "J", "lost in dampers since the start"},
    {"driven", "J", "put in by laws of time and drives since the start"},
};

/* Whether a state is the last one of its force element. */
static bool is_last(const mbs_model *model, size_t state) {
  return state + 1 == mbs_n_states(model) || mbs_state_force(model, state + 1) != mbs_state_force(model, state);
}

static void add_state(seam_table *table, size_t state) {
  const mbs_model *model = table->model;
  const size_t force = mbs_state_force(model, state);
  const char *element = mbs_force_name(model, force);
  analysis_table_add(table, element, mbs_state_name(model, state), model->forces[force].type->states->unit,
                     "state of the force element");
  if (is_last(model, state))
    analysis_table_add(table, element, "force", "N", "force that drives its length, positive extends");
}

seam_status seam_trajectory_table_create(const mbs_model *model, seam_table **created, seam_error *error) {
  ARGUMENTS(error, model, created);
  seam_table table = {.model = model};
  analysis_table_start(&table);
  for (size_t i = 0; i < mbs_n_bodies(model); i++)
    analysis_table_add_all(&table, mbs_body_name(model, i), of_body, N_BODY);
  for (size_t i = 0; i < mbs_n_joints(model); i++)
    analysis_table_add_all(&table, mbs_joint_name(model, i), of_joint, N_JOINT);
  for (size_t k = 0; k < mbs_n_states(model); k++)
    add_state(&table, k);
  analysis_table_add_all(&table, "energy", energies, N_ENERGY);
  return analysis_table_finish(&table, created, error);
}

static void fill(const mbs_model *model, mbs_workspace *workspace, const mbs_state *state, double *at) {
  *at++ = state->t;
  for (size_t i = 0; i < mbs_n_bodies(model); i++, at += N_BODY) {
    memcpy(at, state->q + 3 * i, 3 * sizeof *at);
    memcpy(at + 3, state->v + 3 * i, 3 * sizeof *at);
  }
  mbs_reactions(workspace, state, at);
  at += N_JOINT * mbs_n_joints(model);
  for (size_t k = 0; k < mbs_n_states(model); k++) {
    *at++ = state->z[k];
    if (is_last(model, k))
      *at++ = mbs_force_push(workspace, state, mbs_state_force(model, k));
  }
  const mbs_energy energy = mbs_energy_at_hand(workspace, state);
  const double values[N_ENERGY] = {energy.kinetic, energy.potential, energy.total, energy.dissipated, energy.driven};
  memcpy(at, values, sizeof values);
}

seam_status seam_trajectory_row(const seam_table *table, mbs_workspace *workspace, const mbs_state *state, double *row,
                                seam_error *error) {
  ARGUMENTS(error, table, workspace, state, row);
  const seam_status fits = mbs_state_check(__func__, table->model, state, error);
  if (fits != SEAM_OK)
    return fits;
  fill(table->model, workspace, state, row);
  if (finite_all(row, (int)table->n))
    return SEAM_OK;
  for (size_t i = 0; i < table->n; i++)
    if (!isfinite(row[i]))
      return seam_fail(error, SEAM_NOT_FINITE,
                       "t = %.6g s: %s is not finite; look for a force that grows without bound before that time",
                       row[0], table->columns[i].name);
  return SEAM_OK;
}
