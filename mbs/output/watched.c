#include "mbs/output/readout.h"

/* Returns true if the inputs depend on a or lambda. The load of a force element does if a law reads them. */
static bool reads_forces(const mbs_model *model, const mbs_readout *inputs) {
  mbs_dependence on = {0};
  for (int i = 0; i < inputs->n; i++)
    mbs_add_dependence(model, inputs->quantities[i], &on);
  return on.needs_dynamics || (inputs->reads_loads && model->laws.at[MBS_LATE].n > 0);
}

static mbs_watched find(const mbs_model *model, int number) {
  if (number >= model->n_measures) {
    const mbs_named_event *event = &model->events[number - model->n_measures];
    return (mbs_watched){"event", event->name, event->inputs, &event->function, false};
  }
  const mbs_named_measure *measure = &model->measures[number];
  return measure->is_watched ? (mbs_watched){"measure", measure->name, measure->inputs, &measure->function, false}
                             : (mbs_watched){0};
}

mbs_watched mbs_watched_of(const mbs_model *model, int number) {
  mbs_watched of = find(model, number);
  if (of.function == NULL || of.function->value == NULL)
    return (mbs_watched){0};
  of.reads_forces = reads_forces(model, of.inputs);
  return of;
}

void mbs_watch_measures(mbs_model *model, const mbs_readout *inputs) {
  for (int i = 0; i < inputs->n_measures; i++)
    model->measures[inputs->measures[i]].is_watched = true;
}
