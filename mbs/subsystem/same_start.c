#include "mbs/subsystem/same_start.h"

#include <string.h>

#include "base/then.h"
#include "mbs/dynamics/responses.h"
#include "mbs/model/laws.h"
#include "mbs/model/model.h"

/* Copies values of variables by name. If are_sampled is true, copies variables that are sampled in both models, and the
 * time of the last sample, which follows the variables in z. If are_sampled is false, copies all other variables. Does
 * not copy a variable that is an input in only one of the models. */
static void copy_variables(const mbs_model *from_model, const mbs_state *from, const mbs_model *to_model,
                           bool are_sampled, mbs_state *to) {
  const mbs_laws *from_laws = &from_model->laws;
  const mbs_laws *to_laws = &to_model->laws;
  for (int i = 0; i < to_laws->n_variables; i++) {
    const size_t same = mbs_find_variable(from_model, to_laws->variable[i].name);
    if (same != SEAM_NONE && from_laws->variable[same].is_input == to_laws->variable[i].is_input &&
        are_sampled == (to_laws->variable[i].sample > 0 && from_laws->variable[same].sample > 0))
      to->z[to_laws->first_state + i] = from->z[from_laws->first_state + (int)same];
  }
  if (are_sampled && to_laws->n_sampled > 0 && from_laws->n_sampled > 0)
    to->z[to_laws->first_state + to_laws->n_variables] = from->z[from_laws->first_state + from_laws->n_variables];
}

seam_status mbs_copy_start(const mbs_model *from_model, const mbs_state *from, const mbs_model *to_model, mbs_state *to,
                           seam_error *error) {
  if (from_model == to_model) {
    mbs_state_copy(to, from);
    return SEAM_OK;
  }
  to->t = from->t;
  for (size_t i = 0; i < mbs_n_bodies(to_model); i++) {
    const size_t same = mbs_find_body(from_model, mbs_body_of(to_model, i).name);
    if (same == SEAM_NONE || same >= mbs_n_bodies(from_model))
      continue;
    memcpy(to->q + 3 * i, from->q + 3 * same, 3 * sizeof *to->q);
    memcpy(to->v + 3 * i, from->v + 3 * same, 3 * sizeof *to->v);
  }
  if (from_model->laws.first_state == to_model->laws.first_state)
    memcpy(to->z, from->z, (size_t)to_model->laws.first_state * sizeof *to->z);
  mbs_workspace *workspace = NULL;
  copy_variables(from_model, from, to_model, false, to);
  seam_status status = mbs_workspace_create(to_model, &workspace, error);
  THEN(status, mbs_sample(workspace, to, error)); /* for variables that are sampled only in to_model */
  copy_variables(from_model, from, to_model, true, to);
  THEN(status, mbs_evaluate(workspace, to, error));
  mbs_workspace_destroy(workspace);
  return status;
}
