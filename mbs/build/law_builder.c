#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/argument.h"
#include "base/then.h"
#include "mbs/build/builder.h"
#include "mbs/contact/switches.h"
#include "mbs/model/laws.h"
#include "mbs/output/readout.h"

mbs_law_def mbs_default_law_def(void) { return (mbs_law_def){.cookie = MBS_DEFINITION_COOKIE}; }

mbs_variable_def mbs_default_variable_def(void) {
  return (mbs_variable_def){.cookie = MBS_DEFINITION_COOKIE, .start = NAN};
}

static void release(mbs_response *response) {
  if (response->function.destroy != NULL)
    response->function.destroy(response->function.data);
  mbs_readout_destroy(response->inputs);
  free(response->column);
}

void mbs_laws_release(mbs_laws *laws) {
  for (int i = 0; i < mbs_n_responses(laws); i++)
    release(mbs_response_of(laws, i));
  for (int i = 0; i < laws->n_variables; i++)
    free(laws->variable[i].unit);
  for (int i = 0; i < MBS_EVAL_PHASES; i++) {
    free(laws->at[i].number);
    mbs_readout_destroy(laws->at[i].readout);
  }
  free(laws->law);
  free(laws->variable);
}

/* ---- Functions ---- */

/* A function with the names of its inputs. noun, name: kind and name of the element that owns the function, for
 * messages. */
typedef struct content {
  const char *caller; /* the public function */
  const char *noun, *name;
  const char *const *inputs;
  size_t n_inputs;
  const mbs_function *function;
} content;

/* Refuses inputs that are not known yet when laws are evaluated. These are accumulated work, and the load of an element
 * without states that follows from a law of quantities. SEAM_BAD_INPUT. */
static seam_status check_quantity(const mbs_model *model, mbs_quantity quantity, const content *of, seam_error *error) {
  enum { OF_TIME, OF_ENERGY, FIRST_WORK = 3 };
  int index = 0;
  if (quantity.owner == MBS_WHOLE && quantity.element == OF_ENERGY && quantity.number >= FIRST_WORK)
    return seam_fail(error, SEAM_BAD_INPUT,
                     "%s '%s' reads energy.dissipated or energy.driven, which laws cannot read: integrate the power in "
                     "a state of 'equations', and read that state",
                     of->noun, of->name);
  if (quantity.owner != MBS_FORCES || !mbs_group_of(model, quantity, &index)->of_load)
    return SEAM_OK;
  const mbs_force *force = &model->forces[quantity.element];
  if ((force->law[0] < 0 && force->law[1] < 0 && !force->law_is_state_dependent) || force->type->states != NULL)
    return SEAM_OK;
  return seam_fail(error, SEAM_BAD_INPUT,
                   "%s '%s' reads the force of '%s', whose law also depends on quantities: write that law as a "
                   "measure, and read the measure in both",
                   of->noun, of->name, force->name);
}

static seam_status read_inputs(mbs_model *model, const content *of, mbs_response *to, seam_error *error) {
  if (of->function->value == NULL || of->function->change == NULL)
    return seam_fail(error, SEAM_BAD_INPUT,
                     "%s '%s': its function must have value() and change(), the value and its derivative: set both",
                     of->noun, of->name);
  mbs_quantity *quantities = calloc(of->n_inputs + 1, sizeof *quantities);
  if (quantities == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for the law of '%s'", of->name);
  seam_status status = argument_check_list(of->caller, "inputs", of->inputs, of->n_inputs, error);
  for (size_t i = 0; i < of->n_inputs && status == SEAM_OK; i++)
    status = mbs_find_quantity(model, of->inputs[i], &quantities[i], error);
  THEN(status, mbs_readout_create(model, quantities, of->n_inputs, &to->inputs, error));
  for (size_t i = 0; i < of->n_inputs && status == SEAM_OK; i++)
    status = check_quantity(model, quantities[i], of, error);
  for (int i = 0; status == SEAM_OK && i < to->inputs->n_measures; i++) {
    const mbs_readout *inner = model->measures[to->inputs->measures[i]].inputs;
    for (int k = 0; inner != NULL && k < inner->n && status == SEAM_OK; k++)
      status = check_quantity(model, inner->quantities[k], of, error);
  }
  model->max_inputs = (int)of->n_inputs > model->max_inputs ? (int)of->n_inputs : model->max_inputs;
  free(quantities);
  return status;
}

/* ---- Laws ---- */

static seam_status find_target(const mbs_model *model, const mbs_law_def *def, mbs_law *law, seam_error *error) {
  const size_t force = mbs_find_force(model, def->force);
  if (force == SEAM_NONE)
    return seam_fail(error, SEAM_BAD_INPUT, "a law is for force '%s', which is not defined: add that force first",
                     def->force == NULL ? "" : def->force);
  *law = (mbs_law){.force = (int)force, .component = def->component, .n = 1};
  const mbs_force *of = &model->forces[force];
  if (def->component < 0 || def->component >= of->type->n_laws)
    return seam_fail(error, SEAM_BAD_INPUT,
                     "force '%s' has no component %d that a law of quantities can set: it has %d, numbered from 0",
                     of->name, def->component, of->type->n_laws);
  if (of->law[def->component] >= 0 || of->load[def->component].value != NULL || of->elastic[0].nonlinear.value != NULL)
    return seam_fail(error, SEAM_BAD_INPUT, "force '%s' has two laws: remove one of them", of->name);
  return SEAM_OK;
}

seam_status mbs_add_law(mbs_builder *builder, const mbs_law_def *def, seam_error *error) {
  ARGUMENTS(error, builder, def);
  mbs_model *model = builder->model;
  mbs_laws *laws = &model->laws;
  const content of = {__func__, "force", def->force, def->inputs, def->n_inputs, &def->function};
  mbs_law law = {0};
  TRY(mbs_check_cookie(def->cookie, "law", error));
  seam_status status = find_target(model, def, &law, error);
  THEN(status, read_inputs(model, &of, &law.response, error));
  if (status == SEAM_OK && !MBS_GROW(laws->law, laws->capacity_laws, laws->n_laws + 1))
    status = seam_fail(error, SEAM_NO_MEMORY, "no memory for the law of '%s'", def->force);
  law.response.function = def->function;
  if (status != SEAM_OK) {
    release(&law.response);
    return status;
  }
  model->forces[law.force].law[law.component] = laws->n_laws;
  mbs_laws_append(laws, law);
  return SEAM_OK;
}

/* ---- Variables ---- */

seam_status mbs_add_variable(mbs_builder *builder, const mbs_variable_def *def, seam_error *error) {
  ARGUMENTS(error, builder, def);
  mbs_laws *laws = &builder->model->laws;
  TRY(mbs_check_cookie(def->cookie, "variable", error));
  TRY(mbs_check_name(builder->model, def->name, "variable", error));
  if (!isfinite(def->start))
    return seam_fail(error, SEAM_BAD_INPUT, "variable '%s': its start %g is not finite", def->name, def->start);
  if (!(def->nominal >= 0 && isfinite(def->nominal)))
    return seam_fail(error, SEAM_BAD_INPUT, "variable '%s': its nominal size %g must be positive and finite", def->name,
                     def->nominal);
  if (!(def->sample >= 0) || !isfinite(def->sample))
    return seam_fail(error, SEAM_BAD_INPUT,
                     "variable '%s': its sample period %g must be finite and positive, or 0 (not sampled)", def->name,
                     def->sample);
  char *unit = strdup(def->unit != NULL ? def->unit : "");
  const bool has_room = MBS_GROW(laws->variable, laws->capacity_variables, laws->n_variables + 1);
  const mbs_name *name = has_room && unit != NULL
                             ? mbs_names_add(builder->model->names, def->name, MBS_NAME_VARIABLE, laws->n_variables)
                             : NULL;
  if (name == NULL) {
    free(unit);
    return mbs_no_memory(def->name, error);
  }
  laws->variable[laws->n_variables++] = (mbs_variable){.name = name->text,
                                                       .unit = unit,
                                                       .start = def->start,
                                                       .nominal = def->nominal,
                                                       .sample = def->sample,
                                                       .is_input = def->is_input};
  return SEAM_OK;
}

seam_status mbs_set_rate(mbs_builder *builder, const char *variable, const char *const *inputs, size_t n_inputs,
                         const mbs_function *function, seam_error *error) {
  ARGUMENTS(error, builder, variable, function);
  const content of = {__func__, "variable", variable, inputs, n_inputs, function};
  const size_t number = mbs_find_variable(builder->model, variable);
  mbs_response *response = number == SEAM_NONE ? NULL : &builder->model->laws.variable[number].response;
  seam_status status = SEAM_OK;
  if (response == NULL)
    status = seam_fail(error, SEAM_BAD_INPUT, "variable '%s' is not defined: add it first", variable);
  else if (mbs_is_function(response))
    status = seam_fail(error, SEAM_BAD_INPUT, "variable '%s' has two equations: remove one of them", variable);
  THEN(status, read_inputs(builder->model, &of, response, error));
  if (status == SEAM_OK)
    response->function = *function;
  else if (function->destroy != NULL)
    function->destroy(function->data);
  return status;
}

/* ---- Completion ---- */

/* Appends the indices first ... first + n - 1 to response->column, and adds n to n_columns. If response->column is
 * NULL, only adds n to n_columns. */
static void append_columns(mbs_response *response, int first, int n) {
  for (int i = first; i < first + n; i++) {
    if (response->column != NULL)
      response->column[response->n_columns] = i;
    response->n_columns++;
  }
}

static void list_columns(const mbs_model *model, const mbs_dependence *on, mbs_response *response) {
  const int n = 3 * model->n_bodies;
  const int z = 2 * n;
  const int a = z + model->n_states;
  response->n_columns = 0;
  for (int k = 0; k < 2; k++)
    for (int b = 0; b < model->n_bodies; b++)
      if (on->bodies[b] || on->of_energies)
        append_columns(response, k * n + 3 * b, 3);
  for (int i = 0; i < model->n_forces; i++)
    if (on->forces[i] && model->forces[i].type->states != NULL)
      append_columns(response, z + model->forces[i].state, model->forces[i].type->states->n);
  for (int i = 0; i < model->laws.n_variables; i++)
    if (on->variables[i])
      append_columns(response, z + model->laws.first_state + i, 1);
  for (int b = 0; on->needs_accelerations && b < model->n_bodies; b++)
    if (on->bodies[b])
      append_columns(response, a + 3 * b, 3);
  for (int j = 0; on->needs_dynamics && j < model->n_joints; j++)
    if (on->joints[j])
      append_columns(response, a + n + model->joints[j].row, model->joints[j].type->n_rows);
}

/* Finds for each response its phase and its columns: the indices of the entries of (q, v, z, a, λ) on which it depends.
 * Returns false when memory is exhausted. */
static bool find_columns(mbs_model *model) {
  mbs_laws *laws = &model->laws;
  mbs_dependence on = {.bodies = malloc((size_t)model->n_bodies + 1),
                       .forces = malloc((size_t)model->n_forces + 1),
                       .joints = malloc((size_t)model->n_joints + 1),
                       .variables = malloc((size_t)laws->n_variables + 1)};
  bool enough = on.bodies != NULL && on.forces != NULL && on.joints != NULL && on.variables != NULL;
  for (int i = 0; i < mbs_n_responses(laws) && enough; i++) {
    mbs_response *response = mbs_response_of(laws, i);
    if (mbs_is_function(response)) {
      memset(on.bodies, 0, (size_t)model->n_bodies);
      memset(on.forces, 0, (size_t)model->n_forces);
      memset(on.joints, 0, (size_t)model->n_joints);
      memset(on.variables, 0, (size_t)laws->n_variables);
      on.of_energies = on.needs_dynamics = on.needs_accelerations = on.of_states = false;
      for (int k = 0; k < response->inputs->n; k++)
        mbs_add_dependence(model, response->inputs->quantities[k], &on);
      response->phase = on.needs_dynamics ? MBS_LATE : MBS_EARLY;
      list_columns(model, &on, response);
      response->column = malloc(((size_t)response->n_columns + 1) * sizeof *response->column);
      enough = response->column != NULL;
      if (enough)
        list_columns(model, &on, response);
    }
    if (i >= laws->n_laws && laws->variable[i - laws->n_laws].sample > 0)
      response->phase = MBS_SAMPLED;
  }
  free(on.bodies);
  free(on.forces);
  free(on.joints);
  free(on.variables);
  return enough;
}

static seam_status gather(mbs_model *model, mbs_eval_phase phase, seam_error *error) {
  mbs_laws *laws = &model->laws;
  mbs_responses_at *at = &laws->at[phase];
  size_t n_inputs = 0;
  at->number = calloc((size_t)mbs_n_responses(laws) + 1, sizeof *at->number);
  if (at->number == NULL)
    return SEAM_NO_MEMORY;
  for (int i = 0; i < mbs_n_responses(laws); i++) { /* laws have the lowest numbers */
    const mbs_response *response = mbs_response_of(laws, i);
    if (!mbs_is_function(response) || response->phase != phase)
      continue;
    at->number[at->n++] = i;
    laws->n_loop += phase == MBS_LATE && i < laws->n_laws;
    n_inputs += (size_t)response->inputs->n;
  }
  mbs_quantity *all = malloc((n_inputs + 1) * sizeof *all);
  seam_status status = all != NULL ? SEAM_OK : SEAM_NO_MEMORY;
  n_inputs = 0;
  for (int i = 0; i < at->n && status == SEAM_OK; i++) {
    const mbs_readout *inputs = mbs_response_of(laws, at->number[i])->inputs;
    memcpy(all + n_inputs, inputs->quantities, (size_t)inputs->n * sizeof *all);
    n_inputs += (size_t)inputs->n;
  }
  THEN(status, mbs_readout_create(model, all, n_inputs, &at->readout, error));
  free(all);
  if (status != SEAM_OK || phase != MBS_LATE)
    return status;
  /* the arguments of a late law, and so its corners, depend on the accelerations a or multipliers λ */
  bool *of_forces = &model->switching.of_forces;
  for (int i = 0; i < at->n; i++)
    *of_forces = *of_forces || mbs_response_of(laws, at->number[i])->function.n_corners > 0;
  for (int i = 0; i < at->readout->n_measures; i++)
    *of_forces = *of_forces || model->measures[at->readout->measures[i]].function.n_corners > 0;
  return SEAM_OK;
}

seam_status mbs_laws_finish(mbs_model *model, seam_error *error) {
  mbs_laws *laws = &model->laws;
  laws->first_state = model->n_states;
  model->n_states += laws->n_variables;
  for (int i = 0; i < laws->n_variables; i++)
    laws->n_sampled += laws->variable[i].sample > 0;
  model->n_states += laws->n_sampled > 0;
  for (const mbs_force *force = model->forces; force < model->forces + model->n_forces; force++)
    if (force->law_is_state_dependent && force->law[0] < 0 && force->law[1] < 0)
      return seam_fail(error, SEAM_BAD_INPUT, "force '%s' has law_is_state_dependent, but no law: call mbs_add_law()",
                       force->name);
  seam_status status = mbs_switching_create(model, error);
  if (status == SEAM_OK && !find_columns(model))
    status = SEAM_NO_MEMORY;
  for (int phase = 0; phase < MBS_EVAL_PHASES && status == SEAM_OK; phase++)
    status = gather(model, (mbs_eval_phase)phase, error);
  if (status == SEAM_NO_MEMORY)
    return seam_fail(error, status, "no memory for the laws of a model");
  return status;
}
