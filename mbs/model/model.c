/* Queries of the constant model. A model of NULL has nothing, so that no number exists in it. */
#include "mbs/model/model.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

size_t mbs_n_bodies(const mbs_model *model) { return model == NULL ? 0 : (size_t)model->n_bodies; }
size_t mbs_n_joints(const mbs_model *model) { return model == NULL ? 0 : (size_t)model->n_joints; }
size_t mbs_n_forces(const mbs_model *model) {
  return model == NULL ? 0 : (size_t)(model->n_forces - model->n_frictions);
}
size_t mbs_n_measures(const mbs_model *model) { return model == NULL ? 0 : (size_t)model->n_measures; }
size_t mbs_n_variables(const mbs_model *model) { return model == NULL ? 0 : (size_t)model->laws.n_variables; }
size_t mbs_n_constraints(const mbs_model *model) { return model == NULL ? 0 : (size_t)model->n_rows; }

static const mbs_joint *joint_at(const mbs_model *model, size_t joint) {
  return joint < mbs_n_joints(model) ? &model->joints[joint] : NULL;
}

static const mbs_force *force_at(const mbs_model *model, size_t force) {
  return force < mbs_n_forces(model) ? &model->forces[force] : NULL;
}

const char *mbs_body_name(const mbs_model *model, size_t body) {
  if (body == MBS_GROUND)
    return "ground";
  return body < mbs_n_bodies(model) ? model->body_name[body + 1] : NULL;
}

const char *mbs_joint_name(const mbs_model *model, size_t joint) {
  const mbs_joint *at = joint_at(model, joint);
  return at == NULL ? NULL : at->name;
}

const char *mbs_force_name(const mbs_model *model, size_t force) {
  const mbs_force *at = force_at(model, force);
  return at == NULL ? NULL : at->name;
}

const char *mbs_measure_name(const mbs_model *model, size_t measure) {
  return measure < mbs_n_measures(model) ? model->measures[measure].name : NULL;
}

const char *mbs_variable_name(const mbs_model *model, size_t variable) {
  return variable < mbs_n_variables(model) ? model->laws.variable[variable].name : NULL;
}

double mbs_variable_sample(const mbs_model *model, size_t variable) {
  return variable < mbs_n_variables(model) ? model->laws.variable[variable].sample : NAN;
}

size_t mbs_variable_state(const mbs_model *model, size_t variable) {
  return variable < mbs_n_variables(model) ? (size_t)model->laws.first_state + variable : SEAM_NONE;
}

mbs_joint_kind mbs_joint_kind_of(const mbs_model *model, size_t joint) {
  const mbs_joint *at = joint_at(model, joint);
  return at == NULL ? MBS_JOINT_KINDS : at->kind;
}

mbs_force_kind mbs_force_kind_of(const mbs_model *model, size_t force) {
  const mbs_force *at = force_at(model, force);
  return at == NULL ? MBS_FORCE_KINDS : at->kind;
}

#define MBS_TEXT(kind, name) #name,
const char *mbs_joint_kind_text(mbs_joint_kind kind) {
  static const char *const names[] = {MBS_JOINT_TABLE(MBS_TEXT)};
  return (unsigned)kind < MBS_JOINT_KINDS ? names[kind] : NULL;
}

const char *mbs_force_kind_text(mbs_force_kind kind) {
  static const char *const names[] = {MBS_FORCE_TABLE(MBS_TEXT)};
  return (unsigned)kind < MBS_FORCE_KINDS ? names[kind] : NULL;
}
#undef MBS_TEXT

bool mbs_joint_is_affine(const mbs_model *model, size_t joint) {
  const mbs_joint *at = joint_at(model, joint);
  return at != NULL && at->type->cut.is_affine;
}

/* Bodies of an element, of which `body` is NULL where it does not exist. */
static void write_bodies(const int *body, size_t bodies[2]) {
  for (int side = 0; side < 2; side++)
    bodies[side] = body == NULL ? SEAM_NONE : body[side] == 0 ? MBS_GROUND : (size_t)body[side] - 1;
}

void mbs_joint_bodies(const mbs_model *model, size_t joint, size_t bodies[2]) {
  const mbs_joint *at = joint_at(model, joint);
  write_bodies(at == NULL ? NULL : at->body, bodies);
}

void mbs_force_bodies(const mbs_model *model, size_t force, size_t bodies[2]) {
  const mbs_force *at = force_at(model, force);
  write_bodies(at == NULL ? NULL : at->body, bodies);
}

size_t mbs_joint_first_constraint(const mbs_model *model, size_t joint) {
  const mbs_joint *at = joint_at(model, joint);
  return at == NULL ? SEAM_NONE : (size_t)at->row;
}

size_t mbs_constraint_joint(const mbs_model *model, size_t constraint) {
  return constraint < mbs_n_constraints(model) ? (size_t)model->joint_of_row[constraint] : SEAM_NONE;
}

const char *mbs_constraint_name(const mbs_model *model, size_t constraint) {
  const mbs_joint *joint = joint_at(model, mbs_constraint_joint(model, constraint));
  return joint == NULL ? NULL : joint->type->residual[(int)constraint - joint->row];
}

size_t mbs_n_states(const mbs_model *model) { return model == NULL ? 0 : (size_t)model->n_states; }

size_t mbs_state_force(const mbs_model *model, size_t state) {
  if (state >= mbs_n_states(model) || (int)state >= model->laws.first_state)
    return SEAM_NONE;
  int first = 0; /* the state belongs to one of first ... last */
  int last = model->n_stateful - 1;
  while (first < last) {
    const int middle = first + (last - first + 1) / 2;
    if (model->forces[model->stateful[middle]].state <= (int)state)
      first = middle;
    else
      last = middle - 1;
  }
  return (size_t)model->stateful[first];
}

const char *mbs_state_name(const mbs_model *model, size_t state) {
  const mbs_force *force = force_at(model, mbs_state_force(model, state));
  if (force == NULL && state < mbs_n_states(model))
    return mbs_variable_name(model, state - (size_t)model->laws.first_state);
  return force == NULL ? NULL : force->type->states->name[(int)state - force->state];
}

void mbs_state_text(const mbs_model *model, size_t state, char *text, size_t size) {
  const char *force = mbs_force_name(model, mbs_state_force(model, state));
  const char *name = mbs_state_name(model, state);
  if (text != NULL && size > 0)
    snprintf(text, size, "%s%s%s", force != NULL ? force : "", force != NULL ? "." : "", name != NULL ? name : "");
}

bool mbs_state_is_mode(const mbs_model *model, size_t state) {
  return state < mbs_n_states(model) && (int)state >= model->n_states - model->switching.n_modes;
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
