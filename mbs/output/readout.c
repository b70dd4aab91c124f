#include "mbs/output/readout.h"

#include <stdlib.h>

#include "base/argument.h"
#include "base/arrays.h"
#include "base/then.h"
#include "mbs/model/measure.h"

#define READOUT_ARRAYS(X)                                                                                              \
  X(self, steps, n)                                                                                                    \
  X(self, pick, n)                                                                                                     \
  X(self, quantities, n)

static void add_quantity(mbs_readout *self, const mbs_model *model, mbs_quantity quantity) {
  int index = (int)quantity.number;
  mbs_readout_step step = {.element = (int)quantity.element, .first = self->n};
  if (quantity.owner == MBS_MEASURES)
    step.element = model->measures[quantity.element].first;
  else
    step.group = mbs_group_of(model, quantity, &index);
  const mbs_readout_step *last = self->n_steps > 0 ? &self->steps[self->n_steps - 1] : NULL;
  if (last == NULL || last->group != step.group || last->element != step.element)
    self->steps[self->n_steps++] = step;
  self->steps[self->n_steps - 1].n++;
  self->quantities[self->n] = quantity;
  self->pick[self->n++] = (unsigned char)index;
  if (step.group != NULL && step.group->needs > self->needs)
    self->needs = step.group->needs;
  self->reads_loads = self->reads_loads || (step.group != NULL && step.group->of_load);
  self->reads_inputs = self->reads_inputs || quantity.owner == MBS_INPUTS;
}

/* Measures read measures before them alone, so that the list has none outside least to past. Its needs contain those of
 * the inputs, whose own lists contain those of their inputs. */
static seam_status list_measures(mbs_readout *self, const mbs_model *model, const mbs_quantity *quantities, size_t n) {
  size_t least = SEAM_NONE, past = 0, n_needed = 0;
  for (size_t i = 0; i < n; i++) {
    if (quantities[i].owner != MBS_MEASURES)
      continue;
    const size_t number = quantities[i].element;
    const mbs_readout *inputs = model->measures[number].inputs;
    const size_t first = inputs != NULL && inputs->n_measures > 0 ? (size_t)inputs->measures[0] : number;
    least = first < least ? first : least;
    past = number + 1 > past ? number + 1 : past;
    for (mbs_quantity_groups at = model->measures[number].type->quantities; *at != NULL; at++)
      self->needs = (*at)->needs > self->needs ? (*at)->needs : self->needs;
    if (inputs == NULL)
      continue;
    self->needs = inputs->needs > self->needs ? inputs->needs : self->needs;
    self->reads_loads = self->reads_loads || inputs->reads_loads;
    self->reads_inputs = self->reads_inputs || inputs->reads_inputs;
  }
  if (past == 0)
    return SEAM_OK;
  bool *needed = calloc(past - least, sizeof *needed);
  if (needed == NULL)
    return SEAM_NO_MEMORY;
  for (size_t i = 0; i < n; i++) {
    if (quantities[i].owner != MBS_MEASURES)
      continue;
    const mbs_readout *inputs = model->measures[quantities[i].element].inputs;
    needed[quantities[i].element - least] = true;
    for (int k = 0; inputs != NULL && k < inputs->n_measures; k++)
      needed[(size_t)inputs->measures[k] - least] = true;
  }
  for (size_t i = 0; i < past - least; i++)
    n_needed += needed[i];
  self->measures = malloc(n_needed * sizeof *self->measures);
  for (size_t i = least; i < past && self->measures != NULL; i++)
    if (needed[i - least])
      self->measures[self->n_measures++] = (int)i;
  free(needed);
  return self->measures != NULL ? SEAM_OK : SEAM_NO_MEMORY;
}

seam_status mbs_readout_create(const mbs_model *model, const mbs_quantity *quantities, size_t n, mbs_readout **created,
                               seam_error *error) {
  ARGUMENTS(error, model, created);
  TRY(argument_check_list(__func__, "quantities", quantities, n, error));
  for (size_t i = 0; i < n; i++)
    if (quantities[i].number >= mbs_n_quantities(model, quantities[i].owner, quantities[i].element))
      return seam_fail(error, SEAM_BAD_INPUT, "entry %zu of the list is a quantity that the model does not have", i);
  mbs_readout *self = calloc(1, sizeof *self);
  if (!(self != NULL READOUT_ARRAYS(ALLOCATE_ARRAY)) || list_measures(self, model, quantities, n) != SEAM_OK) {
    mbs_readout_destroy(self);
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for a list of %zu quantities", n);
  }
  for (size_t i = 0; i < n; i++)
    add_quantity(self, model, quantities[i]);
  for (mbs_readout_step *step = self->steps; step < self->steps + self->n_steps; step++) {
    step->is_complete = step->group != NULL && step->n == step->group->n;
    for (int i = 0; i < step->n; i++)
      step->is_complete = step->is_complete && self->pick[step->first + i] == i;
  }
  *created = self;
  return SEAM_OK;
}

void mbs_readout_destroy(mbs_readout *self) {
  if (self == NULL)
    return;
  READOUT_ARRAYS(FREE_ARRAY)
  free(self->measures);
  free(self);
}

static void read_group(const mbs_quantity_group *group, const mbs_reading *at, int element, double *values) {
  if (group->find != NULL)
    group->find(at, element, values);
  else
    mbs_read_force(group, at, element, values);
}

void mbs_read_evaluated(const mbs_readout *self, const mbs_workspace *ws, const mbs_state *state,
                        const mbs_direction *along, double *values) {
  const mbs_reading at = {ws, state, along};
  const double *measured = along == NULL ? ws->measured : ws->measured_changes;
  for (const mbs_readout_step *step = self->steps; step < self->steps + self->n_steps; step++) {
    double of_group[MBS_MAX_GROUP];
    const double *from = step->group != NULL ? of_group : measured + step->element;
    if (step->group != NULL)
      read_group(step->group, &at, step->element, step->is_complete ? values + step->first : of_group);
    for (int i = 0; i < step->n && !step->is_complete; i++)
      values[step->first + i] = from[self->pick[step->first + i]];
  }
}

void mbs_measures_evaluated(const mbs_readout *self, const mbs_workspace *ws, const mbs_state *state,
                            const mbs_direction *along) {
  const mbs_reading values = {ws, state, NULL}, changes = {ws, state, along};
  for (int i = 0; i < self->n_measures; i++) {
    const int number = self->measures[i];
    int first = ws->model->measures[number].first;
    for (mbs_quantity_groups of = ws->model->measures[number].type->quantities; *of != NULL; of++) {
      read_group(*of, &values, number, ws->measured + first);
      if (along != NULL)
        read_group(*of, &changes, number, ws->measured_changes + first);
      first += (*of)->n;
    }
  }
}

/* ---- Dependence ---- */

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

/* ---- Watched functions ---- */

mbs_watched mbs_watched_of(const mbs_model *model, int number) {
  mbs_watched of = {0};
  if (number >= model->n_measures) {
    const mbs_named_event *event = &model->events[number - model->n_measures];
    of = (mbs_watched){event->name, event->inputs, &event->function};
  } else if (model->measures[number].is_watched) {
    const mbs_named_measure *measure = &model->measures[number];
    of = (mbs_watched){measure->name, measure->inputs, &measure->function};
  }
  return of.function != NULL && of.function->value != NULL ? of : (mbs_watched){0};
}

void mbs_watch_measures(mbs_model *model, const mbs_readout *inputs) {
  for (int i = 0; i < inputs->n_measures; i++)
    model->measures[inputs->measures[i]].is_watched = true;
}
