/* Copies laws and variables of a mechanism into a part that has all their inputs. Every part has the variables that do
 * not depend on the motion. */
#include <stdlib.h>
#include <string.h>

#include "base/then.h"
#include "mbs/model/laws.h"
#include "mbs/output/readout.h"
#include "mbs/subsystem/subsystem.h"

/* ---- Choice ---- */

static bool has_response(const mbs_subsystem *part, const mbs_model *whole, const mbs_response *response) {
  mbs_quantity own;
  for (int i = 0; response->inputs != NULL && i < response->inputs->n; i++)
    if (!mbs_subsystem_quantity(part, whole, response->inputs->quantities[i], &own))
      return false;
  return true;
}

/* Drops variables with inputs that the part lacks. Returns true if there were some. */
static bool drop_variables(mbs_subsystem *part, const mbs_model *whole) {
  int kept = 0;
  const int before = part->n_variables;
  for (int i = 0; i < before; i++)
    if (has_response(part, whole, &whole->laws.variable[part->variable_of[i]].response))
      part->variable_of[kept++] = part->variable_of[i];
  part->n_variables = kept;
  return kept < before;
}

static void forget_measures(mbs_model *model) {
  for (int i = 0; i < model->n_measures; i++)
    mbs_measure_release(&model->measures[i]);
  model->n_measures = model->n_measured = 0;
}

/* Measures read variables, and variables read measures: starts with all variables and drops some until all inputs
 * exist. Only then are variables copied. */
static seam_status find_variables(mbs_subsystem *part, const mbs_model *whole, const bool *leave, seam_error *error) {
  for (int i = 0; i < whole->laws.n_variables; i++)
    if (leave == NULL || !leave[i])
      part->variable_of[part->n_variables++] = i;
  part->model->laws.n_variables = part->n_variables;
  seam_status status = mbs_subsystem_take_measures(part, whole, error);
  while (status == SEAM_OK && drop_variables(part, whole)) {
    forget_measures(part->model);
    part->model->laws.n_variables = part->n_variables;
    status = mbs_subsystem_take_measures(part, whole, error);
  }
  part->model->laws.n_variables = 0;
  return status;
}

/* ---- Copies ---- */

/* Copies inputs; borrows the function. */
static seam_status copy_response(const mbs_subsystem *part, const mbs_model *whole, const mbs_response *from,
                                 mbs_response *to) {
  if (!mbs_is_function(from))
    return SEAM_OK;
  const size_t n = (size_t)from->inputs->n;
  mbs_quantity *own = calloc(n + 1, sizeof *own);
  if (own == NULL)
    return SEAM_NO_MEMORY;
  for (size_t i = 0; i < n; i++)
    (void)mbs_subsystem_quantity(part, whole, from->inputs->quantities[i], &own[i]);
  const seam_status status = mbs_readout_create(part->model, own, n, &to->inputs, NULL);
  free(own);
  to->function = from->function;
  to->function.destroy = NULL;
  part->model->max_inputs = (int)n > part->model->max_inputs ? (int)n : part->model->max_inputs;
  return status;
}

static seam_status copy_variables(mbs_subsystem *part, const mbs_model *whole) {
  mbs_model *model = part->model;
  mbs_laws *laws = &model->laws;
  laws->variable = calloc((size_t)part->n_variables + 1, sizeof *laws->variable);
  bool is_sampled = false;
  for (int i = 0; laws->variable != NULL && i < part->n_variables; i++) {
    const mbs_variable *variable = &whole->laws.variable[part->variable_of[i]];
    laws->variable[i] = (mbs_variable){.name = variable->name,
                                       .unit = strdup(variable->unit),
                                       .start = variable->start,
                                       .nominal = variable->nominal,
                                       .sample = variable->sample};
    laws->n_variables++;
    part->state_of[model->n_states + i] = whole->laws.first_state + part->variable_of[i];
    is_sampled = is_sampled || variable->sample > 0;
    if (laws->variable[i].unit == NULL)
      return SEAM_NO_MEMORY;
  }
  for (int i = 0; i < laws->n_variables; i++) /* after all units, since a variable may read any other */
    if (copy_response(part, whole, &whole->laws.variable[part->variable_of[i]].response, &laws->variable[i].response) !=
        SEAM_OK)
      return SEAM_NO_MEMORY;
  if (is_sampled)
    part->state_of[model->n_states + part->n_variables] = whole->laws.first_state + whole->laws.n_variables;
  return laws->variable != NULL ? SEAM_OK : SEAM_NO_MEMORY;
}

static seam_status refuse(const mbs_model *whole, const mbs_force *force, const mbs_response *response,
                          const mbs_subsystem *part, seam_error *error) {
  mbs_quantity own;
  int missing = 0;
  while (mbs_subsystem_quantity(part, whole, response->inputs->quantities[missing], &own))
    missing++;
  const mbs_quantity_info info = mbs_quantity_of(whole, response->inputs->quantities[missing]);
  const int entry = (int)strcspn(info.element, ".");
  if (info.element[entry] == '.')
    return seam_fail(error, SEAM_BAD_INPUT,
                     "the law of force '%s' reads '%s', which its subsystem does not have: write '%.*s_part: "
                     "{equations: [%.*s]}' under 'cosim.subsystems', or keep both in one subsystem",
                     force->name, info.element, entry, info.element, entry, info.element);
  return seam_fail(error, SEAM_BAD_INPUT,
                   "the law of force '%s' reads '%s%s%s', which its subsystem does not have: keep both in one "
                   "subsystem; a force or torque on one body can also be a signal to that element",
                   force->name, info.element, info.name[0] != '\0' ? "." : "", info.name);
}

static seam_status copy_law(mbs_subsystem *part, const mbs_model *whole, int force, int component, seam_error *error) {
  mbs_laws *laws = &part->model->laws;
  mbs_force *copy = &part->model->forces[force];
  const mbs_law *law = &whole->laws.law[copy->law[component]];
  if (!has_response(part, whole, &law->response))
    return refuse(whole, copy, &law->response, part, error);
  mbs_law own = {.force = force, .component = component, .n = law->n};
  for (int k = 0; k < law->n; k++)
    copy[k].law[component] = laws->n_laws;
  const seam_status status = copy_response(part, whole, &law->response, &own.response);
  mbs_laws_append(laws, own);
  return status;
}

static seam_status copy_laws(mbs_subsystem *part, const mbs_model *whole, seam_error *error) {
  mbs_model *model = part->model;
  model->laws.law = calloc(2 * (size_t)model->n_forces + 1, sizeof *model->laws.law);
  if (model->laws.law == NULL)
    return SEAM_NO_MEMORY;
  for (int i = 0; i < model->n_forces; i++)
    for (int k = 0; k < 2; k++) {
      const bool is_own = model->forces[i].span == 0; /* laws of a cable load all of its spans */
      const seam_status status = is_own && model->forces[i].law[k] >= 0 ? copy_law(part, whole, i, k, error) : SEAM_OK;
      if (status != SEAM_OK)
        return status;
    }
  return SEAM_OK;
}

seam_status mbs_subsystem_take_laws(mbs_subsystem *part, const mbs_model *whole, const bool *leave, seam_error *error) {
  seam_status status = find_variables(part, whole, leave, error);
  THEN(status, copy_variables(part, whole));
  THEN(status, copy_laws(part, whole, error));
  THEN(status, mbs_laws_finish(part->model, error));
  return status == SEAM_NO_MEMORY ? seam_fail(error, status, "no memory for the laws of a subsystem") : status;
}
