#include <stdlib.h>
#include <string.h>

#include "base/then.h"
#include "mbs/contact/impact.h"
#include "mbs/contact/switches.h"
#include "mbs/dynamics/dynamics.h"
#include "mbs/model/friction.h"
#include "mbs/model/unilateral.h"
#include "mbs/stages/stages.h"

/* Appends an element to the table. Returns the index of its first mode in z. */
static int append(mbs_switching_table *table, const mbs_switches *type, bool is_joint, int element) {
  const int first_mode = table->first_mode + table->n_modes;
  table->row[table->n++] = (mbs_switching){type, is_joint, element, first_mode, table->n_switches};
  table->n_modes += type->n_modes;
  table->n_switches += type->n;
  table->of_forces = table->of_forces || type->of_forces;
  return first_mode;
}

seam_status mbs_switching_create(mbs_model *model, seam_error *error) {
  mbs_switching_table *table = &model->switching;
  table->first_mode = model->n_states;
  table->row = calloc((size_t)(model->n_joints + model->n_forces) + 1, sizeof *table->row);
  if (table->row == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for the modes of a model");
  for (int j = 0; j < model->n_joints; j++)
    if (model->joints[j].type->can_stick)
      model->joints[j].mode = append(table, &mbs_friction_switches, true, j);
  for (int i = 0; i < model->n_forces; i++) {
    mbs_force *force = &model->forces[i];
    /* a cut element has no modes, since part of its motion is an input: the present motion selects its law's branch */
    force->has_modes = force->type->switches != NULL && force->cut_port < 0;
    if (force->has_modes)
      force->state = append(table, force->type->switches, false, i);
  }
  model->n_states += table->n_modes;
  return SEAM_OK;
}

const char *mbs_switch_name(const mbs_model *model, int number) {
  const mbs_switching *row = model->switching.row;
  while (number >= row->first_switch + row->type->n)
    row++;
  return row->is_joint ? model->joints[row->element].name : model->forces[row->element].name;
}

void mbs_read_switches_evaluated(const mbs_workspace *ws, const mbs_state *state, const bool *wanted, mbs_switch *f) {
  const mbs_switching_table *table = &ws->model->switching;
  for (int i = 0; i < table->n; i++)
    if (wanted == NULL || wanted[i])
      table->row[i].type->read(ws, state, table->row[i].element, f + table->row[i].first_switch);
}

seam_status mbs_read_switches(mbs_workspace *ws, mbs_state *state, const bool *wanted, mbs_switch *f,
                              seam_error *error) {
  if (ws->model->switching.of_forces)
    TRY(mbs_accelerate(ws, state, error));
  else
    mbs_stage_kinematics(ws, state->q, state->v);
  mbs_read_switches_evaluated(ws, state, wanted, f);
  return SEAM_OK;
}

/* Clears the impacts of the last switch. If the mode of a hard contact has ended (is_due), changes the modes of all
 * hard contacts; impacts may change velocities. */
static seam_status apply_impacts(mbs_workspace *ws, mbs_state *state, seam_error *error) {
  mbs_unilateral *contacts = ws->unilateral;
  if (contacts == NULL)
    return SEAM_OK;
  memset(contacts->impact, 0, (size_t)contacts->n * sizeof *contacts->impact);
  if (!contacts->is_due)
    return SEAM_OK;
  contacts->is_due = false;
  contacts->is_switching = true;
  const seam_status status = mbs_switch_contacts(ws, state, error);
  contacts->is_switching = false;
  return status;
}

seam_status mbs_enter_modes(mbs_workspace *ws, mbs_state *state, bool all, seam_error *error) {
  const mbs_switching_table *table = &ws->model->switching;
  bool is_staged = false;
  for (const mbs_switching *row = table->row; row < table->row + table->n; row++) {
    if (!all && state->z[row->first_mode] != MBS_BY_MOTION)
      continue;
    if (!is_staged)
      mbs_stage_kinematics(ws, state->q, state->v);
    is_staged = true;
    row->type->enter(ws, row->element, state);
  }
  if (all)
    TRY(mbs_refuse_overlaps(ws, state, error));
  TRY(apply_impacts(ws, state, error));
  return is_staged ? mbs_resolve_friction_modes(ws, state, error) : SEAM_OK;
}

seam_status mbs_pass_switch(mbs_workspace *ws, int number, mbs_state *state, seam_error *error) {
  const mbs_switching_table *table = &ws->model->switching;
  TRY(mbs_read_switches(ws, state, NULL, ws->switches, error));
  for (const mbs_switching *row = table->row; row < table->row + table->n; row++) {
    mbs_switch *f = ws->switches + row->first_switch;
    for (int k = 0; k < row->type->n; k++)
      if (row->first_switch + k == number || mbs_ends_mode(&f[k])) {
        row->type->pass(ws, row->element, k, state);
        row->type->read(ws, state, row->element, f);
      }
  }
  TRY(apply_impacts(ws, state, error));
  return mbs_resolve_friction_modes(ws, state, error);
}
