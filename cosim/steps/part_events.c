/* Macro steps end at events of parts, such as FMUs, under three conditions: all parts can restore earlier states, none
 * has fixed steps, and cut joints have collocation schemes. A part then stops at its first event, and the step is
 * repeated up to it. A shorter step has other coupling variables, which shift the event. Several lengths are tried
 * until a step ends at the event, which is handled before the next step. Without these conditions, or after
 * COSIM_MAX_EVENT_TRIALS lengths, parts handle events inside macro steps, and these steps are counted. */
#include <math.h>

#include "cosim/steps/simulation.h"
#include "cosim/thresholds.h"

static cosim_part_events events_of(const cosim_simulation *self, size_t subsystem, double since) {
  const cosim_part *part = self->partition.parts[subsystem];
  return part->ops->get_events != NULL ? part->ops->get_events(part, since) : (cosim_part_events){0};
}

/* Returns the shortest step that may end at an event, s. */
static double least_length(const cosim_simulation *self, double usual) {
  return usual * (self->stages > 0 ? cosim_shortest_piece : cosim_shortest_with_past);
}

static void wait_after(const cosim_simulation *self, double t) {
  for (size_t s = 0; s < self->partition.n_subsystems; s++) {
    cosim_part *part = self->partition.parts[s];
    if (part->ops->wait_at_events != NULL)
      part->ops->wait_at_events(part, t);
  }
}

void cosim_part_events_begin(cosim_simulation *self, double usual) {
  if (self->ends_at_part_events)
    wait_after(self, self->now->t + least_length(self, usual));
}

double cosim_length_by_events(cosim_simulation *self, cosim_step_search *search, double H) {
  cosim_event_search *at = &search->events;
  if (!self->ends_at_part_events || search->status != SEAM_OK)
    return 0;
  const double begin = self->before->t;
  const double least = least_length(self, search->usual);
  double first = INFINITY; /* s, time of the first event after begin + least */
  for (size_t s = 0; s < self->partition.n_subsystems; s++) {
    const cosim_part_events events = events_of(self, s, begin + least);
    first = events.n > 0 ? fmin(first, events.first) : first;
  }
  const double event = first - begin;
  const bool is_at_end = event <= H * (1 + cosim_same_time) && event >= H * (1 - cosim_same_time);
  const bool may_remain = is_at_end || (isinf(event) && H >= search->wanted);
  if (may_remain || at->tried > COSIM_MAX_EVENT_TRIALS)
    return 0;
  if (at->tried++ == COSIM_MAX_EVENT_TRIALS) { /* takes the step of the wanted length, with events inside */
    wait_after(self, INFINITY);
    return search->wanted;
  }
  if (isinf(event)) {
    at->widen *= 10;
    return fmin(H * (1 + at->widen), search->wanted);
  }
  /* Secant method for event(H) = H, where event(H) is the time of the event in a step of length H. */
  const double slope = at->H > 0 && at->H != H ? (event - at->event) / (H - at->H) : 0;
  const double end = fabs(slope) < 0.5 ? event + slope * (event - H) / (1 - slope) : event;
  *at = (cosim_event_search){.H = H, .event = event, .widen = cosim_same_time, .tried = at->tried};
  return fmin(end * (1 + cosim_same_time / 2), search->wanted);
}

const char *cosim_ended_by(const cosim_simulation *self) {
  for (size_t s = 0; self != NULL && self->has_started && s < self->partition.n_subsystems; s++)
    if (events_of(self, s, self->now->t).ends)
      return self->partition.subsystems[s].name;
  return NULL;
}

void cosim_part_events_handle(cosim_simulation *self, double H) {
  const double tolerance = cosim_same_time * H;
  cosim_statistics *count = &self->others;
  bool inside = false, waits = false;
  size_t n = 0;
  count->shortened = count->hidden_events = 0; /* parts count these since their creation; the loop adds the counts */
  for (size_t s = 0; s < self->partition.n_subsystems; s++) {
    const cosim_part_events events = events_of(self, s, self->before->t + tolerance);
    n += events.n;
    waits |= events.waits;
    inside |= events.n > 0 && events.first < self->before->t + H - 2 * tolerance;
    count->shortened += events.shortened;
    count->hidden_events += events.hides;
  }
  count->part_events += n;
  count->part_events_inside += inside;
  if (waits) {
    for (size_t s = 0; s < self->partition.n_subsystems; s++) {
      cosim_part *part = self->partition.parts[s];
      if (part->ops->pass_events != NULL)
        part->ops->pass_events(part);
    }
    cosim_simulation_follow_parts(self);
  } else if (n > 0 && self->engine->master != NULL)
    cosim_master_restart(self->engine->master);
}
