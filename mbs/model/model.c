/* Functions that return properties of a model. If the model is NULL, counts are 0 and no name is found. */
#include "mbs/model/model.h"

size_t mbs_n_bodies(const mbs_model *model) { return model == NULL ? 0 : (size_t)model->n_bodies; }
size_t mbs_n_joints(const mbs_model *model) { return model == NULL ? 0 : (size_t)model->n_joints; }
size_t mbs_n_forces(const mbs_model *model) {
  return model == NULL ? 0 : (size_t)(model->n_forces - model->n_frictions);
}
size_t mbs_n_variables(const mbs_model *model) { return model == NULL ? 0 : (size_t)model->laws.n_variables; }
size_t mbs_n_constraints(const mbs_model *model) { return model == NULL ? 0 : (size_t)model->n_rows; }
size_t mbs_n_states(const mbs_model *model) { return model == NULL ? 0 : (size_t)model->n_states; }

#define MBS_TEXT(kind, name) #name,
const char *mbs_joint_kind_text(mbs_joint_kind kind) {
  static const char *const names[] = {MBS_JOINT_TABLE(MBS_TEXT)};
  return (unsigned)kind < MBS_JOINT_KINDS ? names[kind] : NULL;
}

const char *mbs_force_kind_text(mbs_force_kind kind) {
  static const char *const names[] = {MBS_FORCE_TABLE(MBS_TEXT)};
  return (unsigned)kind < MBS_FORCE_KINDS ? names[kind] : NULL;
}

static size_t find(const mbs_model *model, const char *name, mbs_name_kind kind) {
  const mbs_name *found = model == NULL || name == NULL ? NULL : mbs_names_find(model->names, name);
  if (found == NULL || found->kind != kind)
    return SEAM_NONE;
  return found->index < 0 ? MBS_GROUND : (size_t)found->index;
}

size_t mbs_find_body(const mbs_model *model, const char *name) { return find(model, name, MBS_NAME_BODY); }
size_t mbs_find_joint(const mbs_model *model, const char *name) { return find(model, name, MBS_NAME_JOINT); }
size_t mbs_find_force(const mbs_model *model, const char *name) { return find(model, name, MBS_NAME_FORCE); }
size_t mbs_find_measure(const mbs_model *model, const char *name) { return find(model, name, MBS_NAME_MEASURE); }
size_t mbs_find_variable(const mbs_model *model, const char *name) { return find(model, name, MBS_NAME_VARIABLE); }

mbs_motion mbs_element_motion(const mbs_model *model, bool is_joint, size_t element, int side, const double *q,
                              const double *v, const double *a) {
  const int body = is_joint ? model->joints[element].body[side] : model->forces[element].body[side];
  const mbs_vector marker = is_joint ? model->joints[element].marker[side] : model->forces[element].marker[side];
  if (body == 0)
    return mbs_marker_motion(&(mbs_frame){.cos = 1}, marker, NULL);
  const int first = 3 * (body - 1);
  const mbs_frame f = mbs_frame_at(q + first, v + first);
  return mbs_marker_motion(&f, marker, a == NULL ? NULL : a + first);
}
