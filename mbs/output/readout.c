#include "mbs/output/readout.h"

#include <stdlib.h>

#include "base/argument.h"
#include "base/arrays.h"
#include "mbs/model/measure.h"

#define READOUT_ARRAYS(X)                                                                                              \
  X(self, steps, n)                                                                                                    \
  X(self, pick, n)                                                                                                     \
  X(self, quantities, n)                                                                                               \
  X(self, measures, (size_t)model->n_measures)

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

static seam_status list_measures(mbs_readout *self, const mbs_model *model, const mbs_quantity *quantities, size_t n) {
  const size_t n_all = (size_t)model->n_measures;
  bool *needed = calloc(n_all + 1, sizeof *needed);
  if (needed == NULL)
    return SEAM_NO_MEMORY;
  for (size_t i = 0; i < n; i++) {
    if (quantities[i].owner != MBS_MEASURES)
      continue;
    const mbs_readout *inputs = model->measures[quantities[i].element].inputs;
    needed[quantities[i].element] = true;
    for (int k = 0; inputs != NULL && k < inputs->n_measures; k++)
      needed[inputs->measures[k]] = true;
  }
  for (size_t i = 0; i < n_all; i++) {
    if (!needed[i])
      continue;
    const mbs_readout *inputs = model->measures[i].inputs;
    self->measures[self->n_measures++] = (int)i;
    for (mbs_quantity_groups at = model->measures[i].type->quantities; *at != NULL; at++)
      self->needs = (*at)->needs > self->needs ? (*at)->needs : self->needs;
    if (inputs == NULL)
      continue;
    self->needs = inputs->needs > self->needs ? inputs->needs : self->needs;
    self->reads_loads = self->reads_loads || inputs->reads_loads;
    self->reads_inputs = self->reads_inputs || inputs->reads_inputs;
  }
  free(needed);
  return SEAM_OK;
}

seam_status mbs_readout_create(const mbs_model *model, const mbs_quantity *quantities, size_t n, mbs_readout **created,
                               seam_error *error) {
  ARGUMENTS(error, model, created);
  seam_status status = argument_check_list(__func__, "quantities", quantities, n, error);
  for (size_t i = 0; i < n && status == SEAM_OK; i++)
    if (quantities[i].number >= mbs_n_quantities(model, quantities[i].owner, quantities[i].element))
      status = seam_fail(error, SEAM_BAD_INPUT, "entry %zu of the list is a quantity that the model does not have", i);
  if (status != SEAM_OK)
    return status;
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
  free(self);
}

/* Finds the values of a group for element number `element` or, unless `along` is NULL, their derivatives along it. */
static void read_group(const mbs_quantity_group *group, const mbs_workspace *ws, const mbs_state *state,
                       const mbs_direction *along, int element, double *values) {
  if (group->find != NULL)
    group->find(ws, state, along, element, values);
  else
    mbs_read_force(group, ws, state, along, element, values);
}

void mbs_read_evaluated(const mbs_readout *self, const mbs_workspace *ws, const mbs_state *state,
                        const mbs_direction *along, double *values) {
  const double *measured = along == NULL ? ws->measured : ws->measured_changes;
  for (const mbs_readout_step *step = self->steps; step < self->steps + self->n_steps; step++) {
    double of_group[MBS_MAX_GROUP];
    const double *from = step->group != NULL ? of_group : measured + step->element;
    if (step->group != NULL)
      read_group(step->group, ws, state, along, step->element, step->is_complete ? values + step->first : of_group);
    for (int i = 0; i < step->n && !step->is_complete; i++)
      values[step->first + i] = from[self->pick[step->first + i]];
  }
}

void mbs_measures_evaluated(const mbs_readout *self, const mbs_workspace *ws, const mbs_state *state,
                            const mbs_direction *along) {
  for (int i = 0; i < self->n_measures; i++) {
    const int number = self->measures[i];
    int first = ws->model->measures[number].first;
    for (mbs_quantity_groups at = ws->model->measures[number].type->quantities; *at != NULL; at++) {
      read_group(*at, ws, state, NULL, number, ws->measured + first);
      if (along != NULL)
        read_group(*at, ws, state, along, number, ws->measured_changes + first);
      first += (*at)->n;
    }
  }
}
