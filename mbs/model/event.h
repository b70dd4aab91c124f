/* Events of a model, and the search for them along a motion. */
#ifndef MBS_EVENT_H
#define MBS_EVENT_H

#include <seam/events.h>

#include "mbs/model/measure.h"

typedef struct mbs_named_event {
  const char *name; /* owned by the model's names */
  mbs_readout *inputs;
  mbs_function function; /* condition as a function of the inputs; .value is NULL: the only input is the condition */
  size_t n_inputs;
  mbs_sense sense;
  double after;
  bool stops;
  int at_zero; /* 1 or -1: the condition f is a comparison, true (1) or false (-1) at f = 0; 0: f is not a comparison */
} mbs_named_event;

void mbs_event_release(mbs_named_event *event);

/* A motion. state() finds its state at t, with a and lambda; the motion must have reached t. */
typedef struct mbs_known_motion {
  seam_status (*state)(void *context, double t, mbs_state *state, seam_error *error);
  void *context;
} mbs_known_motion;

/* A motion is a sequence of smooth intervals and of jumps between them. The search divides a smooth interval into
 * pieces. The caller must take all events found in a piece (mbs_events_find_next()) before it searches the next one. */

/* mbs_events_have_started() returns true after mbs_events_start(). mbs_events_searched() returns the time, s, up to
 * which events have been searched; mbs_events_end() the time, s, at which the present smooth interval ends. */
bool mbs_events_have_started(const mbs_events *self);
double mbs_events_searched(const mbs_events *self);
double mbs_events_end(const mbs_events *self);

/* Returns the address of a number for the caller's use, for example the time up to which the motion was known. Its
 * first value is the start time; mbs_events_save() saves it. */
double *mbs_events_mark(mbs_events *self);

/* Begins a smooth interval, from mbs_events_searched() to `end`. */
void mbs_events_extend(mbs_events *self, double end);
/* Looks for events in the next piece of the smooth interval. */
seam_status mbs_events_check(mbs_events *self, const mbs_known_motion *motion, seam_error *error);
/* Looks for events in a jump of the motion. The jump is between the times mbs_events_searched() and `t`. */
seam_status mbs_events_check_jump(mbs_events *self, const mbs_known_motion *motion, double t, seam_error *error);
/* Sets the search back to `t` and drops events found after `t`. Call it if the motion will change from `t` on. */
seam_status mbs_events_rewind(mbs_events *self, const mbs_known_motion *motion, double t, seam_error *error);
/* After mbs_events_rewind(), returns true if a condition has another sign at `t` than the search says: it had passed
 * zero twice within a piece, once before `t`. */
bool mbs_events_have_missed(const mbs_events *self);

/* Finds the value of event `number`'s condition in a state. */
seam_status mbs_events_condition(mbs_events *self, size_t number, const mbs_state *state, double *f, seam_error *error);
/* Announces that the motion will end at `t` with this event. The event then counts even if its condition passes zero
 * there by less than round-off. */
void mbs_events_expect(mbs_events *self, const mbs_event *event, double t);

/* Takes the earliest found event with a time up to `t`, counts it and copies it to *event. event->number is SEAM_NONE
 * if there is none. SEAM_STEP_FAILED: the condition has changed its sign in too many pieces in a row. */
seam_status mbs_events_find_next(mbs_events *self, double t, mbs_event *event, seam_error *error);

#endif
