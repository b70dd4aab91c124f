/* Finds quantities of the undivided mechanism in a subsystem. Copies the laws of the force elements that the subsystem
 * has, and the measures and variables whose inputs it has. So each subsystem has the variables whose equations do not
 * depend on the motion. */
#include <stdlib.h>
#include <string.h>

#include "base/then.h"
#include "mbs/model/laws.h"
#include "mbs/output/readout.h"
#include "mbs/subsystem/subsystem.h"

/* Returns the index in of_whole (n) of an element by its number in the undivided mechanism; -1: of_whole lacks it. */
static int find(const int *of_whole, int n, size_t number) {
  for (int i = 0; i < n; i++)
    if (of_whole[i] == (int)number)
      return i;
  return -1;
}

/* Returns the number in the subsystem of a body of the undivided mechanism; 0: ground; -1: the subsystem lacks it. */
static int find_body(const mbs_subsystem *sub, int body) {
  return find(sub->body_of, sub->model->n_bodies + 1, (size_t)body);
}

/* Returns the number in the subsystem of a force element of the undivided mechanism; -1: the subsystem lacks it. A
 * viscous element or cable consists of several elements of the same name; the result is -1 unless the subsystem has all
 * of them. */
static int find_force(const mbs_subsystem *sub, const mbs_model *undivided, size_t force) {
  const int own = find(sub->force_of, sub->n_own_forces, force);
  const char *name = undivided->forces[force].name;
  for (size_t i = force + 1; own >= 0 && i < mbs_n_forces(undivided) && undivided->forces[i].name == name; i++)
    if (find(sub->force_of, sub->n_own_forces, i) < 0)
      return -1;
  return own;
}

/* Returns the number in the subsystem of the element to which a quantity of the undivided mechanism belongs; -1: the
 * subsystem lacks it. Quantities of the entire mechanism, such as energies, are only in a subsystem with all bodies and
 * elements; time is in each subsystem. */
static int find_element(const mbs_subsystem *sub, const mbs_model *undivided, mbs_quantity quantity) {
  const bool is_all = sub->model->n_bodies == undivided->n_bodies && sub->n_own == undivided->n_joints &&
                      sub->n_own_forces == undivided->n_forces;
  switch (quantity.owner) {
  case MBS_WHOLE:
    return quantity.element == 0 || is_all ? (int)quantity.element : -1; /* element 0: time */
  case MBS_BODIES:
    return find_body(sub, (int)quantity.element + 1) - 1;
  case MBS_JOINTS:
    return find(sub->joint_of, sub->n_own, quantity.element);
  case MBS_FORCES:
    return find_force(sub, undivided, quantity.element);
  case MBS_VARIABLES:
    return find(sub->variable_of, sub->n_variables, quantity.element);
  default:
    return find(sub->measure_of, sub->model->n_measures, quantity.element);
  }
}

bool mbs_subsystem_quantity(const mbs_subsystem *sub, const mbs_model *undivided, mbs_quantity quantity,
                            mbs_quantity *own) {
  for (int p = 0; p < sub->model->n_ports; p++) {
    const mbs_quantity *of = &sub->ports[p].quantity;
    if (sub->ports[p].is_quantity && of->owner == quantity.owner && of->element == quantity.element &&
        of->number == quantity.number) {
      *own = (mbs_quantity){MBS_INPUTS, (size_t)p, 0};
      return true;
    }
  }
  const int element = find_element(sub, undivided, quantity);
  *own = (mbs_quantity){quantity.owner, (size_t)element, quantity.number};
  return element >= 0;
}

static bool has_inputs(const mbs_subsystem *sub, const mbs_model *undivided, const mbs_readout *inputs) {
  mbs_quantity own;
  bool has = true;
  for (int i = 0; inputs != NULL && i < inputs->n && has; i++)
    has = mbs_subsystem_quantity(sub, undivided, inputs->quantities[i], &own);
  return has;
}

static seam_status copy_inputs(const mbs_subsystem *sub, const mbs_model *undivided, const mbs_readout *inputs,
                               mbs_readout **copy) {
  const size_t n = (size_t)inputs->n;
  mbs_quantity *own = calloc(n + 1, sizeof *own);
  if (own == NULL)
    return SEAM_NO_MEMORY;
  for (size_t i = 0; i < n; i++)
    (void)mbs_subsystem_quantity(sub, undivided, inputs->quantities[i], &own[i]);
  const seam_status status = mbs_readout_create(sub->model, own, n, copy, NULL);
  free(own);
  sub->model->max_inputs = inputs->n > sub->model->max_inputs ? inputs->n : sub->model->max_inputs;
  return status;
}

static bool has_all(const mbs_subsystem *sub, const mbs_model *undivided, const mbs_named_measure *measure) {
  bool has = find_body(sub, measure->axes) >= 0 && has_inputs(sub, undivided, measure->inputs);
  for (int i = 0; i < measure->n_bodies && has; i++)
    has = find_body(sub, measure->body[i]) >= 0;
  return has && (!measure->type->has_joint || find(sub->joint_of, sub->n_own, (size_t)measure->joint) >= 0);
}

/* Appends a copy of measure `number` to the subsystem's model, which owns the copy even after a failure. */
static seam_status copy_measure(mbs_subsystem *sub, const mbs_model *undivided, int number) {
  mbs_model *model = sub->model;
  const mbs_named_measure *measure = &undivided->measures[number];
  mbs_named_measure *copy = &model->measures[model->n_measures];
  *copy = (mbs_named_measure){.type = measure->type,
                              .name = measure->name,
                              .body = malloc(((size_t)measure->n_bodies + 1) * sizeof *copy->body),
                              .n_bodies = measure->n_bodies,
                              .marker = {measure->marker[0], measure->marker[1]},
                              .axes = find_body(sub, measure->axes),
                              .function = measure->function,
                              .first = model->n_measured};
  copy->function.destroy = NULL;
  sub->measure_of[model->n_measures++] = number;
  model->n_measured += (int)mbs_n_quantities(model, MBS_MEASURES, (size_t)model->n_measures - 1);
  if (copy->body == NULL)
    return SEAM_NO_MEMORY;
  for (int i = 0; i < measure->n_bodies; i++)
    copy->body[i] = find_body(sub, measure->body[i]);
  if (measure->type->has_joint)
    copy->joint = find(sub->joint_of, sub->n_own, (size_t)measure->joint);
  if (measure->inputs == NULL)
    return SEAM_OK;
  copy->unit = strdup(measure->unit);
  return copy->unit != NULL ? copy_inputs(sub, undivided, measure->inputs, &copy->inputs) : SEAM_NO_MEMORY;
}

/* Removes variables with inputs that the subsystem lacks. Returns true if it removed any. */
static bool drop_variables(mbs_subsystem *sub, const mbs_model *undivided) {
  int kept = 0;
  const int before = sub->n_variables;
  for (int i = 0; i < before; i++)
    if (has_inputs(sub, undivided, undivided->laws.variable[sub->variable_of[i]].response.inputs))
      sub->variable_of[kept++] = sub->variable_of[i];
  sub->n_variables = kept;
  return kept < before;
}

/* Finds the variables, except those in `is_left_out`, and the measures whose inputs the subsystem has. Measures may
 * read variables, and variables may read measures. So the function begins with all these variables. It removes those
 * that lack an input, until every remaining one has its inputs. Copies the measures; the caller copies variables. */
static seam_status find_variables(mbs_subsystem *sub, const mbs_model *undivided, const bool *is_left_out) {
  mbs_model *model = sub->model;
  seam_status status = SEAM_OK;
  for (int i = 0; i < undivided->laws.n_variables; i++)
    if (is_left_out == NULL || !is_left_out[i])
      sub->variable_of[sub->n_variables++] = i;
  do {
    for (int i = 0; i < model->n_measures; i++)
      mbs_measure_release(&model->measures[i]);
    model->n_measures = model->n_measured = 0;
    model->laws.n_variables = sub->n_variables;
    for (int i = 0; i < undivided->n_measures && status == SEAM_OK; i++)
      if (has_all(sub, undivided, &undivided->measures[i]))
        status = copy_measure(sub, undivided, i);
  } while (status == SEAM_OK && drop_variables(sub, undivided));
  model->laws.n_variables = 0;
  return status;
}

/* Copies the inputs of a response, and borrows its function. */
static seam_status copy_response(const mbs_subsystem *sub, const mbs_model *undivided, const mbs_response *from,
                                 mbs_response *to) {
  if (!mbs_is_function(from))
    return SEAM_OK;
  to->function = from->function;
  to->function.destroy = NULL;
  return copy_inputs(sub, undivided, from->inputs, &to->inputs);
}

static seam_status copy_variables(mbs_subsystem *sub, const mbs_model *undivided) {
  mbs_model *model = sub->model;
  mbs_laws *laws = &model->laws;
  laws->variable = calloc((size_t)sub->n_variables + 1, sizeof *laws->variable);
  bool is_sampled = false;
  for (int i = 0; laws->variable != NULL && i < sub->n_variables; i++) {
    const mbs_variable *variable = &undivided->laws.variable[sub->variable_of[i]];
    laws->variable[i] = (mbs_variable){.name = variable->name,
                                       .unit = strdup(variable->unit),
                                       .start = variable->start,
                                       .nominal = variable->nominal,
                                       .sample = variable->sample};
    laws->n_variables++;
    sub->state_of[model->n_states + i] = undivided->laws.first_state + sub->variable_of[i];
    is_sampled = is_sampled || variable->sample > 0;
    if (laws->variable[i].unit == NULL)
      return SEAM_NO_MEMORY;
  }
  for (int i = 0; i < laws->n_variables; i++) /* only now, since an equation may read any variable */
    if (copy_response(sub, undivided, &undivided->laws.variable[sub->variable_of[i]].response,
                      &laws->variable[i].response) != SEAM_OK)
      return SEAM_NO_MEMORY;
  if (is_sampled)
    sub->state_of[model->n_states + sub->n_variables] = undivided->laws.first_state + undivided->laws.n_variables;
  return laws->variable != NULL ? SEAM_OK : SEAM_NO_MEMORY;
}

static seam_status refuse(const mbs_model *undivided, const mbs_force *force, const mbs_response *response,
                          const mbs_subsystem *sub, seam_error *error) {
  mbs_quantity own;
  int missing = 0;
  while (mbs_subsystem_quantity(sub, undivided, response->inputs->quantities[missing], &own))
    missing++;
  const mbs_quantity_info info = mbs_quantity_of(undivided, response->inputs->quantities[missing]);
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

static seam_status copy_laws(mbs_subsystem *sub, const mbs_model *undivided, seam_error *error) {
  mbs_model *model = sub->model;
  model->laws.law = calloc(2 * (size_t)model->n_forces + 1, sizeof *model->laws.law);
  if (model->laws.law == NULL)
    return SEAM_NO_MEMORY;
  for (int i = 0; i < model->n_forces; i++)
    for (int component = 0; component < 2; component++) {
      mbs_force *force = &model->forces[i];
      if (force->span != 0 || force->law[component] < 0) /* laws of a cable load all of its spans */
        continue;
      const mbs_law *law = &undivided->laws.law[force->law[component]];
      if (!has_inputs(sub, undivided, law->response.inputs))
        return refuse(undivided, force, &law->response, sub, error);
      mbs_law own = {.force = i, .component = component, .n = law->n};
      for (int k = 0; k < law->n; k++)
        force[k].law[component] = model->laws.n_laws;
      const seam_status status = copy_response(sub, undivided, &law->response, &own.response);
      mbs_laws_append(&model->laws, own);
      if (status != SEAM_OK)
        return status;
    }
  return SEAM_OK;
}

seam_status mbs_subsystem_add_laws(mbs_subsystem *sub, const mbs_model *undivided, const bool *is_left_out,
                                   seam_error *error) {
  seam_status status = find_variables(sub, undivided, is_left_out);
  THEN(status, copy_variables(sub, undivided));
  THEN(status, copy_laws(sub, undivided, error));
  THEN(status, mbs_laws_finish(sub->model, error));
  return status == SEAM_NO_MEMORY ? seam_fail(error, status, "no memory for the laws of a subsystem") : status;
}
