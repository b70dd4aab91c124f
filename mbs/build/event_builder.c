/* Definitions of events become events of a model. */
#include <math.h>
#include <string.h>

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
      MBS_SENSE_TABLE(NAME)
#undef NAME
  };
  return (unsigned)sense < MBS_SENSES ? names[sense] : NULL;
}

void mbs_event_release(mbs_named_event *event) {
  if (event->function.destroy != NULL)
    event->function.destroy(event->function.data);
  mbs_readout_destroy(event->inputs);
}

static seam_status check_function(const mbs_event_def *def, seam_error *error) {
  if (def->function.value != NULL && def->function.change == NULL)
    return seam_fail(error, SEAM_BAD_INPUT, "event '%s': its condition has no change(): give the derivative",
                     def->name);
  if (def->n_inputs == 0 || (def->function.value == NULL && def->n_inputs != 1))
    return seam_fail(error, SEAM_BAD_INPUT,
                     "event '%s': its condition names %zu quantities: give a function of one at least, or a single "
                     "quantity",
                     def->name, def->n_inputs);
  return SEAM_OK;
}

static seam_status take_all(const mbs_model *model, const mbs_event_def *def, mbs_named_event *to, seam_error *error) {
  seam_status status = mbs_check_element_name(model, def->name, "event", error);
  THEN(status, mbs_check_kind((int)def->sense, MBS_SENSES, "event", def->name, error));
  if (status == SEAM_OK && isnan(def->after))
    status = seam_fail(error, SEAM_BAD_INPUT, "event '%s': 'after' is not a number: give a time in s", def->name);
  THEN(status, check_function(def, error));
  return status == SEAM_OK
             ? mbs_inputs_create(model, "event", def->name, def->inputs, def->n_inputs, &to->inputs, error)
             : status;
}

static seam_status append(mbs_model *model, const mbs_event_def *def, mbs_named_event *to, seam_error *error) {
  const mbs_name *name = mbs_names_add(model->names, def->name, MBS_NAME_EVENT, model->n_events);
  if (name == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "no memory to add '%s'", def->name);
  to->name = name->text;
  model->n_events++;
  return SEAM_OK;
}

static seam_status add(mbs_builder *builder, const mbs_event_def *def, seam_error *error) {
  mbs_model *model = builder->model;
  const size_t n = (size_t)model->n_events;
  mbs_named_event event = {.function = def->function,
                           .n_inputs = def->n_inputs,
                           .sense = def->sense,
                           .after = def->after,
                           .stops = def->stops,
                           .at_zero = def->at_zero};
  seam_status status = SEAM_OK;
  if (!mbs_grow((void **)&model->events, &builder->capacity_events, n + 1, sizeof *model->events))
    status = seam_fail(error, SEAM_NO_MEMORY, "no memory for another event");
  THEN(status, take_all(model, def, &event, error));
  THEN(status, append(model, def, &event, error));
  if (status == SEAM_OK)
    model->events[n] = event;
  else
    mbs_event_release(&event);
  return status;
}

seam_status mbs_add_event(mbs_builder *builder, const mbs_event_def *def, seam_error *error) {
  ARGUMENTS(error, builder, def);
  const seam_status status = mbs_check_cookie(def->cookie, "event", error);
  return status == SEAM_OK ? add(builder, def, error) : status;
}
