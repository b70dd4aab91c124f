/* Steps that end at events of the model. The search for events needs states within a step. A separate step from the
 * beginning to the time of the state gives each of them. These steps are costly but exact, and taken only if the
 * importer allows steps to end early. */
#include <math.h>
#include <string.h>

#include "cosim/parts/signal.h"
#include "fmu/slave.h"
#include "fmu/thresholds.h"
#include "mbs/model/event.h"
#include "models/model_file.h"

/* A step from t to t + H in which events are searched for. */
typedef struct search {
  fmu_slave *slave;
  double t, H;
  const cosim_signal *signals;
} search;

static seam_status advance_by(const search *s, double length, seam_error *error) {
  fmu_slave *slave = s->slave;
  cosim_part *part = slave->unit->part;
  part->ops->restore(part, slave->before);
  if (!(length > 0)) {
    memcpy(cosim_multibody_view_of(part).inputs, slave->inputs, (size_t)part->n_inputs * sizeof *slave->inputs);
    return SEAM_OK;
  }
  for (int i = 0; i < part->n_inputs; i++)
    slave->pieces[i] = cosim_signal_between(&s->signals[i], 0, fmin(length / s->H, 1));
  const cosim_step step = {.t = s->t, .H = length, .inputs = slave->pieces};
  return part->ops->advance(part, &step, slave->outputs, NULL, error);
}

/* Computes the state of the mechanism at t, by a step from s->t to t. The FMU's inputs are variables of the
 * mechanism. */
static seam_status state_at(void *context, double t, mbs_state *state, seam_error *error) {
  const search *s = context;
  const fmu_unit *unit = s->slave->unit;
  const model_fmu *fmu = &unit->file->fmu;
  const cosim_multibody_view view = cosim_multibody_view_of(unit->part);
  seam_status status = advance_by(s, t - s->t, error);
  if (status == SEAM_OK && cosim_multibody_is_sample_due(unit->part))
    status = cosim_multibody_sample(unit->part, error);
  memset(state->work, 0, 2 * sizeof *state->work);
  if (status == SEAM_OK)
    cosim_multibody_write(unit->part, state);
  for (size_t i = 0; i < fmu->n_inputs; i++)
    state->z[mbs_variable_of(unit->model, mbs_find_variable(unit->model, fmu->inputs[i])).state] = view.inputs[i];
  state->t = t;
  return status;
}

seam_status fmu_slave_start_events(fmu_slave *self, seam_error *error) {
  fmu_unit *unit = self->unit;
  if (unit->events == NULL)
    return SEAM_OK;
  self->unit->part->ops->save(unit->part, self->before);
  const search s = {.slave = self, .t = self->t, .H = 1};
  const seam_status status = state_at((void *)&s, self->t, unit->start, error);
  return status == SEAM_OK ? mbs_events_start(unit->events, unit->start, error) : status;
}

bool fmu_slave_has_stops(const fmu_slave *self) {
  bool has = false;
  for (size_t i = 0; self->unit->events != NULL && i < mbs_n_events(self->unit->model); i++)
    has = has || mbs_event_of(self->unit->model, i).stops;
  return has;
}

/* Finds the first event of the step. If there is none, sets event->number to SEAM_NONE. */
static seam_status find(const search *s, mbs_event *event, seam_error *error) {
  mbs_events *events = s->slave->unit->events;
  const mbs_model *model = s->slave->unit->model;
  const mbs_known_motion motion = {state_at, (void *)s};
  const double end = s->t + s->H;
  const double shortest = fmu_event_at_begin * s->H; /* an event up to s->t + shortest is one of the previous step */
  seam_status status = SEAM_OK;
  mbs_events_extend(events, end);
  while (status == SEAM_OK) {
    status = mbs_events_find_next(events, end, event, error);
    const bool is_found = status == SEAM_OK && event->number != SEAM_NONE;
    if (is_found && s->slave->ends_at_stops_only && !mbs_event_of(model, event->number).stops)
      continue;
    if ((is_found && event->time - s->t > shortest) || (!is_found && mbs_events_searched(events) >= end))
      break;
    if (status == SEAM_OK && !is_found)
      status = mbs_events_check(events, &motion, error);
  }
  if (status != SEAM_OK || event->number == SEAM_NONE)
    return status;
  const double until = event->time + shortest; /* an event up to this time that stops the run replaces *event */
  while (status == SEAM_OK && mbs_events_searched(events) < fmin(until, end))
    status = mbs_events_check(events, &motion, error);
  for (mbs_event other = *event; status == SEAM_OK && other.number != SEAM_NONE;) {
    status = mbs_events_find_next(events, until, &other, error);
    if (other.number != SEAM_NONE && mbs_event_of(model, other.number).stops)
      event->number = other.number;
  }
  return status == SEAM_OK ? mbs_events_rewind(events, &motion, event->time, error) : status;
}

void fmu_slave_restore_events(fmu_slave *self) {
  mbs_events *events = self->unit->events;
  if (events != NULL)
    (void)mbs_events_restore(events, self->events_before, mbs_events_image_size(events), NULL);
}

seam_status fmu_slave_find_event(fmu_slave *self, double t, double H, const cosim_signal *signals, mbs_event *event,
                                 seam_error *error) {
  const search s = {self, t, H, signals};
  cosim_part *part = self->unit->part;
  *event = (mbs_event){.number = SEAM_NONE, .time = t + H};
  if (self->unit->events == NULL)
    return SEAM_OK;
  part->ops->save(part, self->before);
  mbs_events_save(self->unit->events, self->events_before);
  const seam_status status = find(&s, event, error);
  part->ops->restore(part, self->before);
  if (status != SEAM_OK)
    fmu_slave_restore_events(self);
  return status;
}
