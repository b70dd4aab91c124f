/* Events of a model, and what finds them along a motion whose states are known piece by piece. */
#ifndef MBS_EVENT_H
#define MBS_EVENT_H

#include <seam/events.h>

#include "mbs/model/measure.h"

typedef struct mbs_named_event {
  const char *name; /* held by the model's names */
  mbs_readout *inputs;
  mbs_function function; /* without a value: its only input */
  size_t n_inputs;
  mbs_sense sense;
  double after;
  bool stops;
  int at_zero; /* side of zero itself: 1, -1; 0: none */
} mbs_named_event;

void mbs_event_release(mbs_named_event *event);

/* States of a motion, with a and lambda, at times that are known. */
typedef struct mbs_known_motion {
  seam_status (*state)(void *context, double t, mbs_state *state, seam_error *error);
  void *context;
} mbs_known_motion;

/* A motion is watched piece by piece: smooth ones, and jumps between them. Events of a piece are taken before the next
 * piece comes. */

/* Returns true if the motion is watched; the second function returns the time up to which it is seen. */
bool mbs_events_have_started(const mbs_events *self);
double mbs_events_seen(const mbs_events *self);
/* End of the smooth part of the motion that is being watched. */
double mbs_events_end(const mbs_events *self);

/* A number that whoever knows the motion keeps with its events; that of the start is its time. */
double *mbs_events_mark(mbs_events *self);

/* The motion is smooth from the time that is seen up to `end`. */
void mbs_events_extend(mbs_events *self, double end);
/* Watches the next piece of it. */
seam_status mbs_events_check(mbs_events *self, const mbs_known_motion *motion, seam_error *error);
/* Between the time that is seen and `t` there is nothing but a jump. */
seam_status mbs_events_jump(mbs_events *self, const mbs_known_motion *motion, double t, seam_error *error);
/* Forgets what was seen behind `t`: the motion goes on otherwise from there. */
seam_status mbs_events_rewind(mbs_events *self, const mbs_known_motion *motion, double t, seam_error *error);

/* Its value in a state. */
seam_status mbs_events_condition(mbs_events *self, size_t number, const mbs_state *state, double *f, seam_error *error);
/* The event is at `t`, where a piece will end, however little its condition is beyond zero there. */
void mbs_events_expect(mbs_events *self, const mbs_event *event, double t);

/* Takes the next event up to `t` of what is seen; event->number is SEAM_NONE where there is none. */
seam_status mbs_events_take(mbs_events *self, double t, mbs_event *event, seam_error *error);

#endif
