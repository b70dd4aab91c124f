#include <math.h>

#include "base/then.h"
#include "base/vector.h"
#include "mbs/build/builder.h"
#include "mbs/dynamics/assembly.h"
#include "mbs/dynamics/dynamics.h"
#include "mbs/model/friction.h"
#include "mbs/output/readout.h"
#include "mbs/stages/stages.h"
#include "mbs/thresholds.h"

/* ---- Definition ---- */

seam_status mbs_friction_check(const mbs_joint_def *def, seam_error *error) {
  const mbs_friction *f = &def->friction;
  if (isnan(f->coefficient))
    return SEAM_OK;
  const mbs_friction_type *type = mbs_joint_type_of(def)->friction;
  if (type == NULL)
    return seam_fail(error, SEAM_BAD_INPUT,
                     "joint '%s' takes no friction: revolute, prismatic and slot joints do; leave it out", def->name);
  if (!is_size(f->coefficient) || !is_size(f->viscous) || !is_size(f->preload) || !is_size(f->length))
    return seam_fail(
        error, SEAM_BAD_INPUT,
        "joint '%s': coefficient, viscous damping, preload and length of its friction must be finite and not negative",
        def->name);
  if (def->kind == MBS_REVOLUTE ? !is_positive(f->radius) : f->radius != 0)
    return seam_fail(error, SEAM_BAD_INPUT,
                     def->kind == MBS_REVOLUTE
                         ? "joint '%s': its friction needs a positive 'radius', that of its pin"
                         : "joint '%s': only the friction of a revolute joint has a radius; leave it out",
                     def->name);
  if (def->kind != MBS_PRISMATIC && f->length != 0)
    return seam_fail(error, SEAM_BAD_INPUT,
                     "joint '%s': only the friction of a prismatic joint has a length; leave it out", def->name);
  if (f->is_hard ? f->slip_speed != 0 : !is_positive(f->slip_speed))
    return seam_fail(error, SEAM_BAD_INPUT,
                     f->is_hard ? "joint '%s': hard friction takes no slip speed: leave it out"
                                : "joint '%s': its friction would jump at rest: give a positive 'slip_speed', below "
                                  "which the friction fades, or set 'hard'",
                     def->name);
  if (isnan(f->static_coefficient))
    return SEAM_OK;
  if (!(f->static_coefficient >= f->coefficient) || isinf(f->static_coefficient))
    return seam_fail(error, SEAM_BAD_INPUT,
                     "joint '%s': its static coefficient %g must be finite and at least the kinetic one, %g", def->name,
                     f->static_coefficient, f->coefficient);
  if (f->stribeck_speed != 0 && !is_positive(f->stribeck_speed))
    return seam_fail(error, SEAM_BAD_INPUT, "joint '%s': its Stribeck speed %g must be positive", def->name,
                     f->stribeck_speed);
  if (f->static_coefficient > f->coefficient && !f->is_hard && f->stribeck_speed == 0)
    return seam_fail(error, SEAM_BAD_INPUT,
                     "joint '%s': the static coefficient of its friction is above the kinetic one: give a positive "
                     "'stribeck_speed' for the transition between them",
                     def->name);
  return SEAM_OK;
}

/* ---- Elements ---- */

/* The law of soft friction returns its input, the friction force. */
static double identity(const void *data, const double *inputs) {
  (void)data;
  return inputs[0];
}

static double identity_change(const void *data, const double *inputs, const double *changes) {
  (void)data, (void)inputs;
  return changes[0];
}

/* The law of hard friction returns its first input, the friction force. While the joint sticks (second input nonzero)
 * it returns 0: a multiplier is then the friction force. */
static double unless_it_sticks(const void *data, const double *inputs) {
  (void)data;
  return inputs[1] != 0 ? 0 : inputs[0];
}

static double change_unless_it_sticks(const void *data, const double *inputs, const double *changes) {
  (void)data;
  return inputs[1] != 0 ? 0 : changes[0];
}

seam_status mbs_frictions_add(mbs_builder *builder, seam_error *error) {
  mbs_model *model = builder->model;
  mbs_laws *laws = &model->laws;
  for (size_t number = 0; number < (size_t)model->n_joints; number++) {
    const mbs_joint *joint = &model->joints[number];
    if (!mbs_joint_has_friction(joint))
      continue;
    mbs_force force = mbs_friction_force_of(joint);
    mbs_quantity_groups own = mbs_groups_of(model, MBS_JOINTS, (int)number);
    while (own[1] != NULL)
      own++;
    const size_t n_own = (size_t)(*own)->n;
    const size_t index = mbs_n_quantities(model, MBS_JOINTS, number) - n_own;
    const mbs_quantity inputs[2] = {{MBS_JOINTS, number, index}, {MBS_JOINTS, number, index + n_own - 1}};
    const size_t n_inputs = joint->type->can_stick ? 2 : 1;
    mbs_law law = {
        .force = model->n_forces, .n = 1, .response.function = {.value = identity, .change = identity_change}};
    if (joint->type->can_stick)
      law.response.function = (mbs_function){.value = unless_it_sticks, .change = change_unless_it_sticks};
    if (!MBS_GROW(model->forces, builder->capacity_forces, model->n_forces + 1) ||
        !MBS_GROW(laws->law, laws->capacity_laws, laws->n_laws + 1))
      return seam_fail(error, SEAM_NO_MEMORY, "no memory for the friction of '%s'", joint->name);
    TRY(mbs_readout_create(model, inputs, n_inputs, &law.response.inputs, error));
    force.law[0] = laws->n_laws;
    mbs_laws_append(laws, law);
    model->forces[model->n_forces++] = force;
    model->n_frictions++;
    model->max_inputs = model->max_inputs > (int)n_inputs ? model->max_inputs : (int)n_inputs;
  }
  return SEAM_OK;
}

/* ---- Reactions ---- */

/* Refuses joints whose friction needs an undetermined reaction. The vectors x in ws->null_space have Gᵀ x = 0. So the
 * multiplier of a row is not unique if the row's entry in some x is not zero. */
static seam_status check_rows(const mbs_workspace *ws, seam_error *error) {
  const mbs_model *model = ws->model;
  for (int k = 0; k < model->n_redundant; k++)
    for (int row = 0; row < model->n_rows; row++) {
      const mbs_joint *joint = &model->joints[model->joint_of_row[row]];
      if (!mbs_joint_has_friction(joint) || !(fabs(ws->null_space[k * model->n_rows + row]) > mbs_row_in_null_space))
        continue;
      const int redundant = model->redundant[k];
      const mbs_joint *other = &model->joints[model->joint_of_row[redundant]];
      return seam_fail(error, SEAM_BAD_INPUT,
                       "joint '%s': its friction depends on its reaction, which is undetermined because constraint %s "
                       "of joint '%s' is redundant; free one of the two joints, or leave out the friction",
                       joint->name, other->type->residual[redundant - other->row], other->name);
    }
  return SEAM_OK;
}

seam_status mbs_frictions_check_reactions(const mbs_model *model, seam_error *error) {
  mbs_workspace *ws = NULL;
  mbs_state *state = NULL;
  if (model->n_frictions == 0 || model->n_redundant == 0)
    return SEAM_OK;
  seam_status status = mbs_workspace_create(model, &ws, error);
  THEN(status, mbs_state_create(model, &state, error));
  if (status == SEAM_OK && mbs_close_loops(ws, state, NULL) == SEAM_OK) {
    mbs_stage_kinematics(ws, state->q, state->v);
    mbs_stage_constraints(ws, state->t);
    if (mbs_stage_factor(ws, model->inverse_mass) < 0) {
      mbs_least_norm(ws, state->lambda);
      status = check_rows(ws, error);
    }
  }
  mbs_state_destroy(state);
  mbs_workspace_destroy(ws);
  return status;
}
