#include <math.h>

#include "base/argument.h"
#include "base/then.h"
#include "mbs/model/builder.h"
#include "mbs/output/readout.h"

mbs_event_def mbs_default_event_def(void) {
  return (mbs_event_def){.cookie = MBS_DEFINITION_COOKIE, .sense = MBS_EITHER, .after = -INFINITY};
}

const char *mbs_sense_text(mbs_sense sense) {
  static const char *const names[] = {
#define NAME(code, name) #name,
      MBS_SENSE_TABLE(NAME)};
  return (unsigned)sense < MBS_SENSES ? names[sense] : NULL;
}

void mbs_event_release(mbs_named_event *event) {
  if (event->function.destroy != NULL)
    event->function.destroy(event->function.data);
  mbs_readout_destroy(event->inputs);
}

static seam_status check(const mbs_model *model, const mbs_event_def *def, seam_error *error) {
  seam_status status = mbs_check_element_name(model, def->name, "event", error);
  THEN(status, mbs_check_kind((int)def->sense, MBS_SENSES, "event", def->name, error));
  if (status != SEAM_OK)
    return status;
  if (isnan(def->after))
    return seam_fail(error, SEAM_BAD_INPUT, "event '%s': 'after' is not a number: give a time in s", def->name);
  if (def->function.value != NULL && def->function.change == NULL)
    return seam_fail(error, SEAM_BAD_INPUT,
                     "event '%s': its condition has value() but no change(): set change(), which gives the derivative",
                     def->name);
  if (def->n_inputs == 0 || (def->function.value == NULL && def->n_inputs != 1))
    return seam_fail(error, SEAM_BAD_INPUT,
                     "event '%s': its condition names %zu quantities: name at least one for a function, or exactly one "
                     "without a function",
                     def->name, def->n_inputs);
  return SEAM_OK;
}

seam_status mbs_add_event(mbs_builder *builder, const mbs_event_def *def, seam_error *error) {
  ARGUMENTS(error, builder, def);
  mbs_model *model = builder->model;
  seam_status status = mbs_check_cookie(def->cookie, "event", error);
  if (status != SEAM_OK)
    return status;
  mbs_named_event event = {.function = def->function,
                           .n_inputs = def->n_inputs,
                           .sense = def->sense,
                           .after = def->after,
                           .stops = def->stops,
                           .at_zero = def->at_zero};
  if (!mbs_grow((void **)&model->events, &builder->capacity_events, (size_t)model->n_events + 1, sizeof event))
    status = seam_fail(error, SEAM_NO_MEMORY, "no memory for another event");
  THEN(status, check(model, def, error));
  THEN(status, mbs_inputs_create(model, "event", def->name, def->inputs, def->n_inputs, &event.inputs, error));
  const mbs_name *name =
      status == SEAM_OK ? mbs_names_add(model->names, def->name, MBS_NAME_EVENT, model->n_events) : NULL;
  if (name == NULL) {
    mbs_event_release(&event);
    return status != SEAM_OK ? status : mbs_no_memory(def->name, error);
  }
  event.name = name->text;
  model->events[model->n_events++] = event;
  model->max_inputs = (int)def->n_inputs > model->max_inputs ? (int)def->n_inputs : model->max_inputs;
  mbs_watch_measures(model, event.inputs);
  return SEAM_OK;
}
