#include "mbs/output/readout.h"

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

bool mbs_watched_reads_forces(const mbs_model *model, const mbs_watched *watched) {
  mbs_dependence on = {0};
  for (int i = 0; i < watched->inputs->n; i++)
    mbs_add_dependence(model, watched->inputs->quantities[i], &on);
  const bool has_late_laws = model->laws.at[MBS_LATE].n > 0; /* true: loads may depend on such laws */
  return on.needs_dynamics || (watched->inputs->reads_loads && has_late_laws);
}

void mbs_watch_measures(mbs_model *model, const mbs_readout *inputs) {
  for (int i = 0; i < inputs->n_measures; i++)
    model->measures[inputs->measures[i]].is_watched = true;
}
