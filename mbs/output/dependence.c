/* Finds the bodies, elements and states on which a quantity depends, directly or through elements and measures. */
#include "mbs/output/readout.h"

static void add_bodies(const int *body, int n, mbs_dependence *sum) {
  for (int i = 0; i < n && sum->bodies != NULL; i++)
    if (body[i] > 0)
      sum->bodies[body[i] - 1] = true;
}

static void add_joint(const mbs_model *model, size_t joint, mbs_dependence *sum) {
  add_bodies(model->joints[joint].body, 2, sum);
  if (sum->joints != NULL)
    sum->joints[joint] = true;
}

static void add_element(const mbs_model *model, mbs_quantity quantity, mbs_dependence *sum) {
  const bool is_energy = quantity.element == 1; /* of MBS_WHOLE; element 0 is the time */
  const int body = (int)quantity.element + 1;
  int index = 0;
  const mbs_quantity_group *group = mbs_group_of(model, quantity, &index);
  sum->needs_dynamics = sum->needs_dynamics || (group->needs_dynamics >> index & 1U) != 0;
  sum->needs_accelerations = sum->needs_accelerations || (group->needs_accelerations >> index & 1U) != 0;
  switch (quantity.owner) {
  case MBS_WHOLE:
    sum->of_time = sum->of_time || !is_energy;
    sum->of_energies = sum->of_energies || is_energy;
    return;
  case MBS_BODIES:
    add_bodies(&body, 1, sum);
    return;
  case MBS_JOINTS:
    add_joint(model, quantity.element, sum);
    return;
  case MBS_FORCES: { /* a viscous element consists of several force elements with the same name, one for each body */
    const char *name = model->forces[quantity.element].name;
    for (size_t i = quantity.element; i < mbs_n_forces(model) && model->forces[i].name == name; i++) {
      if (sum->forces != NULL)
        sum->forces[i] = true;
      add_bodies(model->forces[i].body, 2, sum);
      sum->of_states = sum->of_states || model->forces[i].type->states != NULL;
    }
    return;
  }
  case MBS_INPUTS:
    sum->of_time = true;
    return;
  case MBS_VARIABLES:
    sum->of_states = true;
    if (sum->variables != NULL)
      sum->variables[quantity.element] = true;
    return;
  default: { /* a measure: adds its bodies and its joint; the caller adds its inputs */
    const mbs_named_measure *measure = &model->measures[quantity.element];
    add_bodies(measure->body, measure->n_bodies, sum);
    add_bodies(&measure->axes, 1, sum);
    if (measure->type->has_joint)
      add_joint(model, (size_t)measure->joint, sum);
  }
  }
}

void mbs_add_dependence(const mbs_model *model, mbs_quantity quantity, mbs_dependence *sum) {
  add_element(model, quantity, sum);
  const mbs_readout *inputs = quantity.owner == MBS_MEASURES ? model->measures[quantity.element].inputs : NULL;
  for (int i = 0; inputs != NULL && i < inputs->n; i++)
    add_element(model, inputs->quantities[i], sum);
  for (int i = 0; inputs != NULL && i < inputs->n_measures; i++) {
    const mbs_readout *inner = model->measures[inputs->measures[i]].inputs;
    for (int k = 0; inner != NULL && k < inner->n; k++)
      add_element(model, inner->quantities[k], sum);
  }
}
