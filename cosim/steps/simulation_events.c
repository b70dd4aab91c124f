/* Events of the model are found from states of the undivided mechanism between macro points.
 *
 * A macro step can end at an event if the engine can restore earlier states and no part has fixed steps. Steps of
 * several lengths are taken from the same beginning, until the event's condition is zero at the end of a step. The
 * lengths follow from the ITP method (solvers/root.c). */
#include <float.h>
#include <math.h>

#include "base/argument.h"
#include "base/then.h"
#include "cosim/steps/simulation.h"
#include "cosim/thresholds.h"
#include "mbs/model/event.h"
#include "solvers/root.h"

static seam_status state_at(void *context, double t, mbs_state *state, seam_error *error) {
  (void)error;
  cosim_state_between(context, t, state);
  return SEAM_OK;
}

/* Copies the present state, which is the state after the kink at the step's end. */
static seam_status state_now(void *context, double t, mbs_state *state, seam_error *error) {
  (void)t;
  (void)error;
  mbs_state_copy(state, cosim_state(context));
  return SEAM_OK;
}

seam_status cosim_next_event(const cosim_simulation *self, mbs_events *events, mbs_event *event, seam_error *error) {
  ARGUMENTS(error, self, events, event);
  const double t = self->now->t;
  *event = (mbs_event){SEAM_NONE, t, MBS_EITHER};
  if (!mbs_events_have_started(events))
    return seam_fail(error, SEAM_BAD_STATE,
                     "cosim_next_event(): the events have no state: start or restore them first");
  if (mbs_events_searched(events) < self->before->t)
    return seam_fail(error, SEAM_BAD_STATE,
                     "cosim_next_event(): events were searched up to %.17g s, but the last macro step begins at %.17g "
                     "s: take all events of each macro step",
                     mbs_events_searched(events), self->before->t);
  TRY(cosim_simulation_check(self, error));
  for (;;) {
    TRY(mbs_events_find_next(events, t, event, error));
    if (event->number != SEAM_NONE)
      return SEAM_OK;
    if (mbs_events_searched(events) < t) { /* searches the next interval of the step */
      if (mbs_events_searched(events) >= mbs_events_end(events))
        mbs_events_extend(events, t);
      TRY(mbs_events_check(events, &(mbs_known_motion){state_at, (void *)self}, error));
    } else if (self->is_beyond_kink && *mbs_events_mark(events) != t) { /* the kink at the step's end */
      *mbs_events_mark(events) = t;
      TRY(mbs_events_check_jump(events, &(mbs_known_motion){state_now, (void *)self}, t, error));
    } else
      return SEAM_OK;
  }
}

typedef struct repetition {
  cosim_simulation *simulation;
  const void *image;
  mbs_events *events;
  size_t number;
  double begin, usual; /* s, beginning and length of the repeated step */
} repetition;

/* Finds the value f of the event's condition at the end t of a step from the image; for t = begin, in its state. */
static seam_status condition_at(void *context, double t, double *f, seam_error *error) {
  const repetition *r = context;
  cosim_simulation *self = r->simulation;
  TRY(cosim_restore(self, r->image, cosim_image_size(self), error));
  if (t > r->begin)
    TRY(cosim_simulation_step(self, fmax(t - r->begin, cosim_shortest_piece * r->usual), r->usual, error));
  return mbs_events_condition(r->events, r->number, self->now, f, error);
}

/* Finds two times around the event, such that its condition has opposite signs at the ends of steps to these times.
 * Tries brackets of growing width. *found: one has been found. */
static seam_status find_bracket(repetition *r, const mbs_event *event, seam_bracket *in, bool *found,
                                seam_error *error) {
  const double sign = event->sense == MBS_RISING ? -1 : 1; /* sign that the condition has before the event */
  const double end = r->begin + r->usual;
  bool has[2] = {false, false};
  seam_status status = SEAM_OK;
  for (double width = cosim_bracket; width < 2 && status == SEAM_OK && !(has[0] && has[1]); width *= 10) {
    in->a = has[0] ? in->a : fmax(event->time - width * r->usual, r->begin);
    in->b = has[1] ? in->b : fmin(event->time + width * r->usual, end);
    if (!has[0])
      status = condition_at(r, in->a, &in->fa, error);
    if (status == SEAM_OK && !has[1])
      status = condition_at(r, in->b, &in->fb, error);
    if (in->a == r->begin && event->time - r->begin < cosim_shortest_piece * r->usual && !(in->fa * sign > 0))
      in->fa = sign * DBL_MIN; /* the event is at the beginning: the condition there is zero up to round-off */
    has[0] = in->fa * sign > 0;
    has[1] = in->fb * sign < 0;
  }
  *found = has[0] && has[1];
  return status;
}

seam_status cosim_end_at_event(cosim_simulation *self, const void *image, mbs_events *events, const void *events_image,
                               const mbs_event *event, bool *ends, seam_error *error) {
  ARGUMENTS(error, self, events, events_image, event, ends);
  *ends = false;
  if (event->number >= mbs_n_events(self->model) || !(event->time >= self->before->t && event->time <= self->now->t))
    return seam_fail(error, SEAM_BAD_INPUT, "the event is not within the last macro step");
  repetition r = {self, image, events, event->number, self->before->t, self->now->t - self->before->t};
  seam_status status = mbs_events_restore(events, events_image, mbs_events_image_size(events), error);
  if (status != SEAM_OK || !self->can_shorten_steps)
    return status;
  seam_bracket in = {.a = r.begin, .b = r.begin + r.usual};
  double f = 0;
  status = find_bracket(&r, event, &in, ends, error);
  if (status == SEAM_OK && *ends)
    status = seam_find_root(&(seam_root_function){condition_at, &r}, cosim_near_zero * r.usual, &in, error);
  THEN(status, condition_at(&r, *ends ? in.b : r.begin + r.usual, &f, error));
  if (status == SEAM_OK && *ends)
    mbs_events_expect(events, event, self->now->t);
  self->others.repeated += *ends;
  return status;
}
