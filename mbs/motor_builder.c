/* Definitions of motions that follow quantities become responses of a model. */
#include "mbs/motor.h"

#include <stdlib.h>
#include <string.h>

#include "base/argument.h"
#include "mbs/builder.h"
#include "mbs/chain.h"
#include "mbs/readout.h"

mbs_motion_law_def mbs_default_motion_law_def(void) { return (mbs_motion_law_def){.cookie = MBS_DEFINITION_COOKIE}; }

void mbs_motor_release(mbs_motor *motor) {
  if (motor->function.destroy != NULL)
    motor->function.destroy(motor->function.data);
  mbs_readout_destroy(motor->inputs);
  mbs_chain_destroy(motor->chain);
  for (int level = 0; level < MBS_CHAIN_LEVELS; level++)
    mbs_response_release(&motor->level[level]);
}

/* ---- Definition ---- */

static seam_status find_joint(const mbs_model *model, const mbs_motion_law_def *def, int *joint, seam_error *error) {
  const size_t found = mbs_find_joint(model, def->joint);
  if (found == SEAM_NONE)
    return seam_fail(error, SEAM_BAD_INPUT, "a law is for joint '%s', which is not defined: add it first",
                     def->joint == NULL ? "" : def->joint);
  *joint = (int)found;
  if (!model->joints[found].law_follows)
    return seam_fail(error, SEAM_BAD_INPUT, "joint '%s' takes no law of quantities: define it with law_follows",
                     def->joint);
  for (int i = 0; i < model->laws.n_motors; i++)
    if (model->laws.motor[i].joint == *joint)
      return seam_fail(error, SEAM_BAD_INPUT, "joint '%s' has two laws: remove one of them", def->joint);
  if (def->function.value == NULL || def->function.change == NULL || def->function.bend == NULL)
    return seam_fail(error, SEAM_BAD_INPUT,
                     "joint '%s': its law needs value(), change() and bend(), for a motion has rates", def->joint);
  return SEAM_OK;
}

static seam_status add(mbs_builder *builder, const mbs_motion_law_def *def, seam_error *error) {
  mbs_laws *laws = &builder->model->laws;
  mbs_motor motor = {.joint = 0};
  seam_status status = find_joint(builder->model, def, &motor.joint, error);
  if (status == SEAM_OK)
    status = mbs_inputs_create(builder->model, "joint", def->joint, def->inputs, def->n_inputs, &motor.inputs, error);
  if (status == SEAM_OK &&
      !mbs_grow((void **)&laws->motor, &laws->capacity_motors, (size_t)laws->n_motors + 1, sizeof motor))
    status = seam_fail(error, SEAM_NO_MEMORY, "no memory for the law of '%s'", def->joint);
  if (status != SEAM_OK) {
    mbs_motor_release(&motor);
    return status;
  }
  motor.function = def->function;
  builder->model->joints[motor.joint].motor = laws->n_motors;
  laws->motor[laws->n_motors++] = motor;
  return SEAM_OK;
}

seam_status mbs_add_motion_law(mbs_builder *builder, const mbs_motion_law_def *def, seam_error *error) {
  ARGUMENTS(error, builder, def);
  seam_status status = mbs_check_cookie(def->cookie, "law", error);
  if (status != SEAM_OK)
    return status;
  status = add(builder, def, error);
  if (status != SEAM_OK && def->function.destroy != NULL)
    def->function.destroy(def->function.data);
  return status;
}

/* ---- Completion ---- */

static seam_status check_laws(const mbs_model *model, seam_error *error) {
  for (int j = 0; j < model->n_joints; j++)
    if (model->joints[j].law_follows &&
        (model->laws.n_motors == 0 || model->laws.motor[model->joints[j].motor].joint != j))
      return seam_fail(error, SEAM_BAD_INPUT, "joint '%s' has no law: add the one that its definition announces",
                       model->joints[j].name);
  return SEAM_OK;
}

static seam_status make_level(mbs_model *model, mbs_motor *motor, int level, seam_error *error) {
  size_t n = 0;
  const mbs_quantity *inputs = mbs_chain_inputs(motor->chain, level, &n);
  motor->level[level].function = mbs_chain_function(motor->chain, level);
  model->max_inputs = (int)n > model->max_inputs ? (int)n : model->max_inputs;
  return mbs_readout_create(model, inputs, n, &motor->level[level].inputs, error);
}

seam_status mbs_motors_make(mbs_model *model, seam_error *error) {
  seam_status status = check_laws(model, error);
  for (int i = 0; i < model->laws.n_motors && status == SEAM_OK; i++) {
    mbs_motor *motor = &model->laws.motor[i];
    if (motor->chain != NULL || motor->inputs == NULL) /* of a part: copied from the whole */
      continue;
    status = mbs_chain_create(model, model->joints[motor->joint].name, motor->inputs, &motor->function, &motor->chain,
                              error);
    for (int level = 0; level < MBS_CHAIN_LEVELS && status == SEAM_OK; level++)
      status = make_level(model, motor, level, error);
  }
  return status;
}

/* Columns of bodies come first. */
void mbs_motors_finish(mbs_model *model) {
  for (int i = 0; i < model->laws.n_motors; i++)
    for (int level = 0; level < 2; level++) {
      const mbs_response *response = &model->laws.motor[i].level[level];
      model->laws.reads_bodies[level] |= response->n_columns > 0 && response->column[0] < 6 * model->n_bodies;
    }
}

/* ---- Rest ---- */

/* Whether a response reads bodies or what follows from forces; variables that it reads are marked. */
static bool reads_motion(const mbs_model *model, const mbs_response *response, bool *variables) {
  const int z = 6 * model->n_bodies;
  bool reads = false;
  for (int k = 0; k < response->n_columns; k++) {
    const int variable = response->column[k] - z - model->laws.first_state;
    if (variable >= 0 && variable < model->laws.n_variables)
      variables[variable] = true;
    else
      reads = true;
  }
  return reads;
}

/* Whether what a motion follows does, also by way of variables. */
static bool follows_bodies(const mbs_model *model, const mbs_motor *motor, bool *marked) {
  const mbs_laws *laws = &model->laws;
  bool reads = reads_motion(model, &motor->level[2], marked);
  for (int turn = 0; turn < laws->n_variables; turn++)
    for (int k = 0; k < laws->n_variables; k++)
      if (marked[k] && mbs_is_function(&laws->variable[k].response))
        reads |= reads_motion(model, &laws->variable[k].response, marked);
  return reads;
}

static bool has_samples(const mbs_laws *laws) {
  for (int i = 0; i < laws->n_variables; i++)
    if (laws->variable[i].sample > 0)
      return true;
  return false;
}

seam_status mbs_motors_check_rest(const mbs_model *model, bool *follow, seam_error *error) {
  const mbs_laws *laws = &model->laws;
  bool *marked = calloc((size_t)laws->n_variables + 1, sizeof *marked);
  *follow = false;
  if (marked == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for the motion of %d joints", laws->n_motors);
  int first = laws->n_motors;
  for (int i = laws->n_motors - 1; i >= 0; i--) {
    memset(marked, 0, (size_t)laws->n_variables * sizeof *marked);
    if (follows_bodies(model, &laws->motor[i], marked))
      first = i;
  }
  free(marked);
  *follow = first < laws->n_motors;
  if (*follow && has_samples(laws))
    return seam_fail(error, SEAM_BAD_INPUT,
                     "joint '%s' is driven by what follows the motion of bodies, beside sampled variables: no "
                     "equilibrium of both is searched for; run until all is at rest",
                     model->joints[laws->motor[first].joint].name);
  return SEAM_OK;
}
