/* Adds measures and events: elements that only read quantities. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/argument.h"
#include "base/then.h"
#include "mbs/build/builder.h"
#include "mbs/output/readout.h"

/* ---- Names and inputs ---- */

/* Checks the name of a measure or event as mbs_check_name() does, and refuses "time" and "energy". SEAM_BAD_INPUT. */
static seam_status check_element_name(const mbs_model *model, const char *name, const char *what, seam_error *error) {
  mbs_quantity taken;
  TRY(mbs_check_name(model, name, what, error));
  if (mbs_find_element_of_length(model, name, strlen(name), &taken))
    return seam_fail(error, SEAM_BAD_INPUT, "%s '%s': 'time' and 'energy' are reserved: choose another name", what,
                     name);
  return SEAM_OK;
}

/* Finds by name the quantities (n) that a measure or event reads; `what` and `name` identify it in messages. */
static seam_status create_inputs(const mbs_model *model, const char *what, const char *name, const char *const *inputs,
                                 size_t n, mbs_readout **created, seam_error *error) {
  if (n > 0 && inputs == NULL)
    return seam_fail(error, SEAM_BAD_INPUT, "%s '%s': its list of inputs is NULL: give their names", what, name);
  mbs_quantity *quantities = calloc(n + 1, sizeof *quantities);
  if (quantities == NULL)
    return mbs_no_memory(name, error);
  seam_status status = SEAM_OK;
  for (size_t i = 0; i < n && status == SEAM_OK; i++)
    status = mbs_find_quantity(model, inputs[i], &quantities[i], error);
  THEN(status, mbs_readout_create(model, quantities, n, created, error));
  free(quantities);
  return status;
}

/* ---- Measures ---- */

mbs_measure_def mbs_default_measure_def(void) { return (mbs_measure_def){.cookie = MBS_DEFINITION_COOKIE}; }

void mbs_measure_release(mbs_named_measure *measure) {
  if (measure->function.destroy != NULL)
    measure->function.destroy(measure->function.data);
  mbs_readout_destroy(measure->inputs);
  free(measure->body);
  free(measure->unit);
}

static seam_status read_bodies(const mbs_builder *builder, const mbs_measure_def *def, mbs_named_measure *to,
                               seam_error *error) {
  const mbs_measure_type *type = to->type;
  TRY(mbs_check_n_bodies("measure", def->name, def->n_bodies, type->min_bodies, type->max_bodies, error));
  if (def->n_bodies == 0)
    return SEAM_OK;
  if (def->bodies == NULL)
    return seam_fail(error, SEAM_BAD_INPUT, "measure '%s': its list of bodies is NULL: give their names", def->name);
  to->body = malloc(def->n_bodies * sizeof *to->body);
  if (to->body == NULL)
    return mbs_no_memory(def->name, error);
  to->n_bodies = (int)def->n_bodies;
  TRY(mbs_check_markers(def->at, "measure", def->name, error));
  TRY(mbs_find_bodies(builder->model, "measure", def->name, def->bodies, def->n_bodies, to->body, error));
  for (int i = 0; i < to->n_bodies; i++)
    if (type->moves && to->body[i] == 0)
      return seam_fail(error, SEAM_BAD_INPUT, "measure '%s': the ground has no mass: leave it out", def->name);
  for (int side = 0; side < 2 && side < to->n_bodies; side++)
    to->marker[side] = mbs_marker_position(&builder->frames[to->body[side]], &def->at[side]);
  return SEAM_OK;
}

static seam_status define(const mbs_builder *builder, const mbs_measure_def *def, mbs_named_measure *to,
                          seam_error *error) {
  static const mbs_measure_type *const rows[] = {
#define MBS_MEASURE_ROW(kind, name) &mbs_measured_##name,
      MBS_MEASURE_TABLE(MBS_MEASURE_ROW)};
  const mbs_model *model = builder->model;
  TRY(check_element_name(model, def->name, "measure", error));
  TRY(mbs_check_kind((int)def->kind, MBS_MEASURE_KINDS, "measure", def->name, error));
  to->type = rows[def->kind];
  TRY(read_bodies(builder, def, to, error));
  if (def->axes != NULL && !to->type->has_axes)
    return seam_fail(error, SEAM_BAD_INPUT, "measure '%s' takes no axes: only points and reactions have components",
                     def->name);
  if (def->axes != NULL)
    TRY(mbs_find_bodies(model, "measure", def->name, &def->axes, 1, &to->axes, error));
  const size_t joint = mbs_find_joint(model, def->joint);
  if (!to->type->has_joint && def->joint != NULL)
    return seam_fail(error, SEAM_BAD_INPUT, "measure '%s': only a reaction takes a joint; leave it out", def->name);
  if (to->type->has_joint && joint == SEAM_NONE)
    return seam_fail(error, SEAM_BAD_INPUT, "measure '%s': joint '%s' is not defined: add it first", def->name,
                     def->joint == NULL ? "" : def->joint);
  to->joint = (int)joint;
  if (!to->type->has_function && (def->function.value != NULL || def->n_inputs > 0 || def->unit != NULL))
    return seam_fail(error, SEAM_BAD_INPUT,
                     "measure '%s' takes no function, inputs or unit: only an expression has them", def->name);
  if (!to->type->has_function)
    return SEAM_OK;
  if (def->function.value != NULL && def->function.change == NULL)
    return seam_fail(error, SEAM_BAD_INPUT,
                     "measure '%s': its function has value() but no change(): set change(), which gives the derivative",
                     def->name);
  if (def->function.value == NULL && def->n_inputs != 1)
    return seam_fail(error, SEAM_BAD_INPUT, "measure '%s' has no function: give it one, or a single input", def->name);
  TRY(create_inputs(model, "measure", def->name, def->inputs, def->n_inputs, &to->inputs, error));
  const char *of_input = def->function.value == NULL ? mbs_quantity_of(model, to->inputs->quantities[0]).unit : "";
  to->unit = strdup(def->unit != NULL ? def->unit : of_input);
  return to->unit != NULL ? SEAM_OK : mbs_no_memory(def->name, error);
}

seam_status mbs_add_measure(mbs_builder *builder, const mbs_measure_def *def, seam_error *error) {
  ARGUMENTS(error, builder, def);
  mbs_model *model = builder->model;
  const size_t n = (size_t)model->n_measures;
  TRY(mbs_check_cookie(def->cookie, "measure", error));
  if (!MBS_GROW(model->measures, builder->capacity_measures, n + 1)) {
    if (def->function.destroy != NULL)
      def->function.destroy(def->function.data);
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for another measure");
  }
  mbs_named_measure *measure = &model->measures[n];
  *measure = (mbs_named_measure){.function = def->function, .is_watched = def->is_watched};
  const seam_status status = define(builder, def, measure, error);
  if (status == SEAM_OK && measure->is_watched && measure->inputs != NULL)
    mbs_watch_measures(model, measure->inputs);
  const mbs_name *name =
      status == SEAM_OK ? mbs_names_add(model->names, def->name, MBS_NAME_MEASURE, model->n_measures) : NULL;
  if (name == NULL) {
    mbs_measure_release(measure);
    return status != SEAM_OK ? status : mbs_no_memory(def->name, error);
  }
  measure->name = name->text;
  measure->first = model->n_measured;
  model->n_measures++;
  model->n_measured += (int)mbs_n_quantities(model, MBS_MEASURES, n);
  model->max_inputs = (int)def->n_inputs > model->max_inputs ? (int)def->n_inputs : model->max_inputs;
  return SEAM_OK;
}

/* ---- Events ---- */

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

static seam_status check_event(const mbs_model *model, const mbs_event_def *def, seam_error *error) {
  TRY(check_element_name(model, def->name, "event", error));
  TRY(mbs_check_kind((int)def->sense, MBS_SENSES, "event", def->name, error));
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
  TRY(mbs_check_cookie(def->cookie, "event", error));
  mbs_named_event event = {.function = def->function,
                           .n_inputs = def->n_inputs,
                           .sense = def->sense,
                           .after = def->after,
                           .stops = def->stops,
                           .at_zero = def->at_zero};
  seam_status status = MBS_GROW(model->events, builder->capacity_events, model->n_events + 1)
                           ? check_event(model, def, error)
                           : seam_fail(error, SEAM_NO_MEMORY, "no memory for another event");
  THEN(status, create_inputs(model, "event", def->name, def->inputs, def->n_inputs, &event.inputs, error));
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
