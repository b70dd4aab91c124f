/* Finds events: zeros of conditions f(t) = f(x(t)) of quantities x along a motion. The motion consists of smooth parts,
 * and may jump between them. Along an integrator a smooth part is one of these: a step; the part of a step up to the
 * next kink or switch; an extrapolation through a singular configuration.
 *
 * The search divides a smooth part into four pieces. It takes more of them if a body rotates by more than half a
 * revolution, or the argument of a periodic condition changes by more than half a period. The side of f is its sign;
 * while f is zero up to round-off, f keeps its last side. If f is on different sides at both ends of a piece, the zero
 * in between is located (zeros.c). If f is on the same side at both ends, but has an extremum on the other side in
 * between, the piece is shortened to end there. Then one zero is before the end of the piece, and the other after it.
 *
 * The condition of a comparison, for example of a counter with a number, may jump to zero or from zero. Then the
 * operator (>, >=, ...) determines the side of f = 0, and bisection locates the jump.
 *
 * Rates of conditions are difference quotients, since a condition may depend on any quantity. */
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/argument.h"
#include "base/arrays.h"
#include "base/then.h"
#include "mbs/contact/switches.h"
#include "mbs/dynamics/responses.h"
#include "mbs/dynamics/scales.h"
#include "mbs/integrate/integrator_internal.h"
#include "mbs/output/readout.h"
#include "mbs/thresholds.h"

enum { IMAGE_MAGIC = 0x5ea3e2 };

/* Search for one event with the condition f, and record of the events found. NaN: there is no such time or value. */
typedef struct tracker {
  double before, from, to;   /* f at the beginning of the previous piece, and at both ends of the present piece */
  double noise;              /* round-off of f at `to`: a smaller |f| counts as zero */
  double side;               /* side of f at `to`: 1 or -1; 0: not known yet */
  double found;              /* s, time of a change of side in the present piece that is not reported yet */
  double count, first, last; /* number of events so far, and times of the first and of the last of them, s */
  double expected;           /* s, time of a change of side that mbs_events_expect() announced */
  double expected_side;      /* side of f after the expected change: 1 or -1 */
  double n_in_a_row;         /* number of consecutive pieces with a change of side, including the present piece */
} tracker;

/* State of the search. The trackers follow it in memory and in images (saved searches). */
typedef struct event_search {
  uint64_t magic, n, fingerprint;
  double has_started;
  double begin, end;    /* s, both ends of the smooth part */
  double from, to;      /* s, both ends of the present piece */
  double n_pieces;      /* number of pieces of the smooth part */
  double rotation_rate; /* rad/s, largest |omega| at `to` of the bodies on whose rotation a condition depends */
  double period_rate;   /* rad/s, largest mean rate of the argument of a periodic function over the last piece */
  double mark;          /* a number of the caller: mbs_events_mark() */
  double last;          /* s, end of the motion if mbs_events_expect() announced it; else infinite */
} event_search;

struct mbs_events {
  const mbs_model *model;
  mbs_workspace *ws;
  mbs_state *state;          /* scratch */
  double *x, *dx;            /* inputs of one condition, and changes of these inputs */
  double *scale;             /* scales of the inputs of all conditions in turn */
  bool *depends_on_rotation; /* (n_bodies) true: a condition depends on the rotation of this body */
  mbs_period_meter *periodic;
  event_search *search;
  tracker *trackers; /* (n) in the same block of memory, after *search */
  size_t n;
};

/* Two times a <= b between which a condition may jump, and its values fa and fb at these times. */
typedef struct interval {
  double a, b, fa, fb;
} interval;

/* One condition along a motion, the context of value_at() and rate_at(). */
typedef struct condition {
  mbs_events *events;
  const mbs_known_motion *motion;
  size_t number;
} condition;

/* ---- Creation ---- */

size_t mbs_events_image_size(const mbs_events *self) {
  return self == NULL ? 0 : sizeof *self->search + self->n * sizeof *self->trackers;
}

#define EVENTS_ARRAYS(X)                                                                                               \
  X(self, x, n_inputs)                                                                                                 \
  X(self, dx, n_inputs)                                                                                                \
  X(self, scale, n_scales)                                                                                             \
  X(self, depends_on_rotation, (size_t)model->n_bodies)

seam_status mbs_events_create(const mbs_model *model, mbs_events **created, seam_error *error) {
  ARGUMENTS(error, model, created);
  size_t n_inputs = 0; /* largest number of inputs of one condition */
  size_t n_scales = 0;
  for (int i = 0; i < model->n_events; i++) {
    n_inputs = model->events[i].n_inputs > n_inputs ? model->events[i].n_inputs : n_inputs;
    n_scales += model->events[i].n_inputs;
  }
  mbs_events *self = calloc(1, sizeof *self);
  if (self == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for events");
  self->model = model;
  self->n = mbs_n_events(model);
  self->search = calloc(1, mbs_events_image_size(self));
  const bool enough = self->search != NULL EVENTS_ARRAYS(ALLOCATE_ARRAY);
  seam_status status = enough ? SEAM_OK : seam_fail(error, SEAM_NO_MEMORY, "no memory for %zu events", self->n);
  THEN(status, mbs_period_meter_create(model, NULL, &self->periodic, error));
  THEN(status, mbs_workspace_create(model, &self->ws, error));
  THEN(status, mbs_state_create(model, &self->state, error));
  if (status != SEAM_OK) {
    mbs_events_destroy(self);
    return status;
  }
  self->trackers = (tracker *)(self->search + 1);
  double *scale = self->scale;
  for (const mbs_named_event *event = model->events; event < model->events + model->n_events; event++) {
    mbs_mark_rotating(model, event->inputs, &event->function, self->depends_on_rotation);
    for (size_t k = 0; k < event->n_inputs; k++, scale++) { /* a variable has its nominal size, others that of a unit */
      const mbs_quantity input = event->inputs->quantities[k];
      const double of_unit = mbs_scale_of_unit(&model->scales, mbs_quantity_of(model, input).unit);
      const double found = input.owner == MBS_VARIABLES
                               ? mbs_state_of(model, mbs_variable_of(model, input.element).state).nominal
                               : of_unit;
      *scale = found > 0 ? found : 1;
    }
  }
  *self->search = (event_search){.magic = IMAGE_MAGIC, .n = self->n, .fingerprint = model->fingerprint};
  *created = self;
  return SEAM_OK;
}

void mbs_events_destroy(mbs_events *self) {
  if (self == NULL)
    return;
  mbs_period_meter_destroy(self->periodic);
  mbs_workspace_destroy(self->ws);
  mbs_state_destroy(self->state);
  EVENTS_ARRAYS(FREE_ARRAY)
  free(self->search);
  free(self);
}

/* ---- Values ---- */

seam_status mbs_events_condition(mbs_events *self, size_t number, const mbs_state *state, double *f,
                                 seam_error *error) {
  const mbs_named_event *event = &self->model->events[number];
  mbs_read(event->inputs, self->ws, state, self->x);
  *f = event->function.value != NULL ? event->function.value(event->function.data, self->x) : self->x[0];
  if (isfinite(*f))
    return SEAM_OK;
  return seam_fail(error, SEAM_NOT_FINITE,
                   "t = %.9g s: the condition of event '%s' is %g: write a condition that is finite everywhere",
                   state->t, event->name, *f);
}

/* Reads all conditions at the end of the present piece, and their noise: the sum over the round-off of each input. */
static seam_status read_end(mbs_events *self, const mbs_state *state, seam_error *error) {
  self->search->rotation_rate = mbs_fastest_rotation(self->model, self->depends_on_rotation, state->v);
  const double *scale = self->scale;
  for (size_t i = 0; i < self->n; i++) {
    const mbs_named_event *event = &self->model->events[i];
    double noise = 0;
    TRY(mbs_events_condition(self, i, state, &self->trackers[i].to, error));
    for (size_t k = 0; k < event->n_inputs; k++, scale++) {
      const double of_x = mbs_condition_noise * (*scale + fabs(self->x[k]));
      self->dx[k] = of_x;
      noise +=
          event->function.value != NULL ? fabs(event->function.change(event->function.data, self->x, self->dx)) : of_x;
      self->dx[k] = 0;
    }
    self->trackers[i].noise = noise;
  }
  return SEAM_OK;
}

static seam_status set_end(mbs_events *self, const mbs_known_motion *motion, double t, seam_error *error) {
  self->search->to = t;
  TRY(motion->state(motion->context, t, self->state, error));
  return read_end(self, self->state, error);
}

static double side_of(double f, double noise) { return fabs(f) <= noise ? 0 : copysign(1, f); }

/* ---- One condition within a piece ---- */

static seam_status value_at(void *context, double t, double *f, seam_error *error) {
  const condition *c = context;
  mbs_events *self = c->events;
  TRY(c->motion->state(c->motion->context, t, self->state, error));
  return mbs_events_condition(self, c->number, self->state, f, error);
}

static seam_status rate_at(void *context, double t, double *rate, seam_error *error) {
  const event_search *search = ((const condition *)context)->events->search;
  return mbs_difference_quotient(&(seam_root_function){value_at, context}, t, search->from, search->to, rate, error);
}

static mbs_piece piece_of(condition *c) {
  const event_search *search = c->events->search;
  const tracker *w = &c->events->trackers[c->number];
  return (mbs_piece){{value_at, c}, {rate_at, c}, search->from, search->to, w->from, w->to, w->side, 0, false};
}

/* Shortens the present piece if a condition changes its side and changes back in it: the piece then ends at the
 * extremum in between. So each condition changes its side at most once. */
static seam_status end_at_extrema(mbs_events *self, const mbs_known_motion *motion, seam_error *error) {
  for (size_t i = 0; i < self->n; i++) {
    condition c = {self, motion, i};
    const tracker *w = &self->trackers[i];
    const double changes = fabs(w->to - w->from) + fabs(w->from - w->before);
    const bool may_return =
        w->side != 0 && w->side * w->to > 0 && !(fmin(fabs(w->from), fabs(w->to)) > mbs_reach_of_changes * changes);
    if (!may_return)
      continue;
    const mbs_piece piece = piece_of(&c);
    double extremum = NAN;
    double f = NAN;
    TRY(mbs_piece_extremum(&piece, &extremum, &f, error));
    if (w->side * f < -w->noise)
      TRY(set_end(self, motion, extremum, error));
  }
  return SEAM_OK;
}

/* ---- Jumps to and from zero ---- */

static double side_by_operator(const condition *c, double f) {
  return f != 0 ? copysign(1, f) : c->events->model->events[c->number].at_zero;
}

static bool is_comparison(const condition *c) { return c->events->model->events[c->number].at_zero != 0; }

static bool is_jump_at(const tracker *w, const interval *p) {
  return fabs(p->fb - p->fa) > fmax(mbs_jump_of_noise * w->noise, mbs_jump_of_piece * fabs(w->to - w->from));
}

/* Halves *p until no number is left between a and b. Keeps the half with side * f > level at a, but not at b. */
static seam_status narrow(condition *c, double side, double level, interval *p, seam_error *error) {
  for (;;) {
    const double t = p->a + (p->b - p->a) / 2;
    double f = 0;
    if (!(t > p->a && t < p->b))
      return SEAM_OK;
    TRY(value_at(c, t, &f, error));
    *p = side * f > level ? (interval){t, p->b, f, p->fb} : (interval){p->a, t, p->fa, f};
  }
}

static interval complete_piece(const condition *c) {
  const event_search *search = c->events->search;
  const tracker *w = &c->events->trackers[c->number];
  return (interval){search->from, search->to, w->from, w->to};
}

/* Finds the time *t in p at which f jumps from `side` or zero to the side opposite to `side`; NaN: f does not jump.
 * is_jump: the motion itself jumps from p.a to p.b, so f jumps at p.b if at all. */
static seam_status find_jump(condition *c, double side, interval p, bool is_jump, double *t, seam_error *error) {
  const tracker *w = &c->events->trackers[c->number];
  const double beyond = -fmax(w->noise, DBL_MIN);
  TRY(is_jump ? SEAM_OK : narrow(c, side, beyond, &p, error));
  *t = is_jump_at(w, &p) ? p.b : NAN;
  return SEAM_OK;
}

/* Treats a comparison whose f jumps to zero. Its operator says on which side f = 0 counts. If this is not the side
 * before the jump, writes it to *side and the time of the jump to *t. */
static seam_status find_jump_to_zero(condition *c, bool is_jump, interval p, double *side, double *t,
                                     seam_error *error) {
  const tracker *w = &c->events->trackers[c->number];
  const double side_of_zero = side_by_operator(c, w->to);
  if (!is_comparison(c) || *side != 0 || !(side_of_zero * w->side < 0) || !(w->side * p.fa > w->noise))
    return SEAM_OK;
  TRY(is_jump ? SEAM_OK : narrow(c, w->side, w->noise, &p, error));
  if (is_jump_at(w, &p)) {
    *side = side_of_zero;
    *t = p.b;
  }
  return SEAM_OK;
}

/* Treats a comparison whose f has been zero since the start and now jumps away. Its side before the jump becomes the
 * one to which the operator assigns f = 0. */
static seam_status set_side_before_jump(condition *c, bool is_jump, interval p, seam_error *error) {
  tracker *w = &c->events->trackers[c->number];
  const double side = side_of(w->to, w->noise);
  double t = NAN;
  if (!is_comparison(c) || w->side != 0 || side == 0)
    return SEAM_OK;
  TRY(find_jump(c, -side, p, is_jump, &t, error));
  w->side = isnan(t) ? 0 : side_by_operator(c, p.fa);
  return SEAM_OK;
}

/* Finds the time *t at which f changes its side, usually a zero. A comparison may stay at zero and jump away later; if
 * its operator assigns zero to the old side, *t is the time of the jump. */
static seam_status locate(condition *c, double *t, seam_error *error) {
  const tracker *w = &c->events->trackers[c->number];
  const mbs_piece piece = piece_of(c);
  interval p = complete_piece(c);
  double jump = NAN;
  TRY(mbs_piece_zero(&piece, t, error));
  if (!is_comparison(c))
    return SEAM_OK;
  p.a = *t;
  TRY(value_at(c, p.a, &p.fa, error));
  if (fabs(p.fa) <= w->noise && side_by_operator(c, p.fa) == w->side)
    TRY(find_jump(c, w->side, p, false, &jump, error));
  *t = isnan(jump) ? *t : jump;
  return SEAM_OK;
}

static seam_status search_piece(condition *c, bool is_jump, seam_error *error) {
  const event_search *search = c->events->search;
  const double end = search->to;
  tracker *w = &c->events->trackers[c->number];
  seam_status status = set_side_before_jump(c, is_jump, complete_piece(c), error);
  if (status == SEAM_OK && !is_jump && w->side == 0) { /* f has been zero so far: takes the side of its rate */
    double rate = 0;
    status = rate_at(c, search->from, &rate, error);
    w->side = side_of(rate * (end - search->from), w->noise);
    if (w->side == 0)
      w->side = side_of(w->to, w->noise);
  }
  const bool is_expected = w->expected == end;
  const double noise = search->last == end ? mbs_event_at_the_end * w->noise : w->noise;
  double side = is_expected ? w->expected_side : side_of(w->to, noise);
  double side_of_zero = NAN;
  THEN(status, find_jump_to_zero(c, is_jump, complete_piece(c), &side, &side_of_zero, error));
  const bool changes = status == SEAM_OK && side * w->side < 0;
  w->n_in_a_row = changes ? w->n_in_a_row + 1 : 0;
  w->found = NAN;
  if (changes && (is_jump || is_expected))
    w->found = end;
  else if (changes && !isnan(side_of_zero))
    w->found = side_of_zero;
  else if (changes)
    status = locate(c, &w->found, error);
  w->side = side != 0 ? side : w->side;
  return status;
}

static seam_status search_all(mbs_events *self, const mbs_known_motion *motion, bool is_jump, seam_error *error) {
  for (size_t i = 0; i < self->n; i++) {
    condition c = {self, motion, i};
    TRY(search_piece(&c, is_jump, error));
  }
  return SEAM_OK;
}

/* ---- Search piece by piece ---- */

bool mbs_events_have_started(const mbs_events *self) { return self->search->has_started != 0; }
double mbs_events_searched(const mbs_events *self) { return self->search->to; }
double mbs_events_end(const mbs_events *self) { return self->search->end; }
double *mbs_events_mark(mbs_events *self) { return &self->search->mark; }

seam_status mbs_events_start(mbs_events *self, const mbs_state *state, seam_error *error) {
  ARGUMENTS(error, self, state);
  TRY(mbs_state_check(__func__, self->model, state, error));
  event_search *search = self->search;
  search->last = INFINITY;
  search->period_rate = 0;
  mbs_period_meter_reset(self->periodic);
  search->begin = search->end = search->from = search->to = search->mark = state->t;
  const seam_status status = read_end(self, state, error);
  for (tracker *w = self->trackers; w < self->trackers + self->n; w++)
    *w = (tracker){.before = NAN,
                   .from = w->to,
                   .to = w->to,
                   .noise = w->noise,
                   .side = side_of(w->to, w->noise),
                   .found = NAN,
                   .expected = NAN,
                   .first = NAN,
                   .last = NAN};
  search->has_started = status == SEAM_OK;
  return status;
}

void mbs_events_expect(mbs_events *self, const mbs_event *event, double t) {
  tracker *w = &self->trackers[event->number];
  w->expected = t;
  w->expected_side = event->sense == MBS_RISING ? 1 : -1;
  self->search->last = t;
}

void mbs_events_extend(mbs_events *self, double end) {
  self->search->begin = self->search->to;
  self->search->end = end;
  self->search->n_pieces = MBS_LEAST_PIECES;
}

static void begin_piece(mbs_events *self) {
  self->search->from = self->search->to;
  for (tracker *w = self->trackers; w < self->trackers + self->n; w++) {
    w->before = w->from;
    w->from = w->to;
  }
}

/* Returns the end of the piece that begins at t: the first boundary between the n_pieces equal pieces of the smooth
 * part that is later than t by more than round-off. */
static double next_end(const event_search *search, double t) {
  const double width = (search->end - search->begin) / search->n_pieces;
  const double behind = floor((t - search->begin) / width);
  for (int k = (int)fmin(fmax(1, behind), search->n_pieces); k < search->n_pieces; k++)
    if (search->begin + k * width > t + mbs_piece_shift * width)
      return search->begin + k * width;
  return search->end;
}

/* Chooses the end of the present piece, and reads all conditions there. No body rotates by more than an eighth of a
 * revolution in it, and no argument of a periodic function changes by more than an eighth of a period. */
static seam_status end_piece(mbs_events *self, const mbs_known_motion *motion, seam_error *error) {
  event_search *search = self->search;
  const double length = search->end - search->begin;
  double rotation_rate = fmax(search->rotation_rate, search->period_rate);
  int n_pieces = (int)search->n_pieces;
  int tried = 0;
  if (mbs_period_meter_has_functions(self->periodic) && !mbs_period_meter_advance(self->periodic, search->from)) {
    TRY(motion->state(motion->context, search->from, self->state, error));
    self->state->t = search->from;
    mbs_period_meter_begin(self->periodic, self->ws, self->state);
  }
  TRY(mbs_divide_step(search->begin, rotation_rate * length, &n_pieces, error));
  while (n_pieces > tried) {
    search->n_pieces = tried = n_pieces;
    const seam_status status = set_end(self, motion, next_end(search, search->from), error);
    if (status == SEAM_NOT_FINITE &&
        n_pieces < MBS_MAX_PIECES_TO_FINITE) { /* a shorter piece may end where all conditions are finite */
      n_pieces *= 2;
      continue;
    }
    TRY(status);
    if (mbs_period_meter_has_functions(self->periodic))
      search->period_rate = mbs_period_meter_read(self->periodic, self->ws, self->state) / (search->to - search->from);
    rotation_rate = fmax(rotation_rate, fmax(search->rotation_rate, search->period_rate));
    TRY(mbs_divide_step(search->begin, rotation_rate * length, &n_pieces, error));
  }
  return SEAM_OK;
}

seam_status mbs_events_check(mbs_events *self, const mbs_known_motion *motion, seam_error *error) {
  begin_piece(self);
  TRY(end_piece(self, motion, error));
  TRY(end_at_extrema(self, motion, error));
  return search_all(self, motion, false, error);
}

seam_status mbs_events_check_jump(mbs_events *self, const mbs_known_motion *motion, double t, seam_error *error) {
  begin_piece(self);
  self->search->begin = self->search->end = t;
  seam_status status = set_end(self, motion, t, error);
  THEN(status, search_all(self, motion, true, error));
  for (tracker *w = self->trackers; w < self->trackers + self->n; w++)
    w->from = w->to; /* the next piece begins after the jump */
  return status;
}

seam_status mbs_events_rewind(mbs_events *self, const mbs_known_motion *motion, double t, seam_error *error) {
  for (tracker *w = self->trackers; w < self->trackers + self->n; w++) {
    w->side = isnan(w->found) ? w->side : -w->side;
    w->found = NAN;
    w->before = w->to;
  }
  mbs_period_meter_reset(self->periodic);
  const bool is_seen = self->search->to - t <= mbs_search_continues * fabs(t);
  self->search->begin = self->search->end = t;
  TRY(set_end(self, motion, t, error));
  for (size_t i = 0; i < self->n && is_seen; i++) { /* treats conditions that jumped at t */
    tracker *w = &self->trackers[i];
    condition c = {self, motion, i};
    const interval p = {t, t, w->before, w->to};
    TRY(set_side_before_jump(&c, true, p, error));
    double side = side_of(w->to, w->noise);
    if (side == 0)
      TRY(find_jump_to_zero(&c, true, p, &side, &w->found, error));
    w->side = isnan(w->found) ? w->side : side;
  }
  return SEAM_OK;
}

bool mbs_events_have_missed(const mbs_events *self) {
  bool has = false;
  for (const tracker *w = self->trackers; w < self->trackers + self->n; w++)
    has = has || w->side * side_of(w->to, w->noise) < 0;
  return has;
}

/* ---- Results of the search ---- */

static seam_status count(mbs_events *self, const mbs_event *found, seam_error *error) {
  tracker *w = &self->trackers[found->number];
  w->first = w->count > 0 ? w->first : found->time;
  w->last = found->time;
  w->count++;
  if (w->n_in_a_row <= MBS_MAX_EVENTS_IN_A_ROW)
    return SEAM_OK;
  return seam_fail(error, SEAM_STEP_FAILED,
                   "t = %.9g s: event '%s' repeats without end: its condition changed its sign in %d intervals in a "
                   "row, because it is noise about zero or faster than the steps; write another condition",
                   found->time, mbs_event_of(self->model, found->number).name, MBS_MAX_EVENTS_IN_A_ROW);
}

seam_status mbs_events_find_next(mbs_events *self, double t, mbs_event *event, seam_error *error) {
  for (;;) {
    size_t number = SEAM_NONE;
    for (size_t i = 0; i < self->n; i++)
      if (self->trackers[i].found <= t &&
          (number == SEAM_NONE || self->trackers[i].found < self->trackers[number].found))
        number = i;
    *event = (mbs_event){.number = number, .time = t, .sense = MBS_EITHER};
    if (number == SEAM_NONE)
      return SEAM_OK;
    tracker *w = &self->trackers[number];
    event->time = w->found;
    event->sense = w->side > 0 ? MBS_RISING : MBS_FALLING;
    w->found = NAN;
    const mbs_named_event *event_asked = &self->model->events[number];
    if ((event_asked->sense == MBS_EITHER || event_asked->sense == event->sense) && event->time >= event_asked->after)
      return count(self, event, error);
  }
}

mbs_event_record mbs_event_record_of(const mbs_events *self, size_t event) {
  if (self == NULL || event >= self->n || !mbs_events_have_started(self))
    return (mbs_event_record){0, NAN, NAN};
  const tracker *w = &self->trackers[event];
  return (mbs_event_record){(size_t)w->count, w->first, w->last};
}

/* ---- Images ---- */

void mbs_events_save(const mbs_events *self, void *image) {
  if (self != NULL && image != NULL)
    memcpy(image, self->search, mbs_events_image_size(self));
}

seam_status mbs_events_restore(mbs_events *self, const void *image, size_t size, seam_error *error) {
  ARGUMENTS(error, self, image);
  event_search saved = {0};
  if (size == mbs_events_image_size(self))
    memcpy(&saved, image, sizeof saved);
  if (saved.magic != IMAGE_MAGIC || saved.n != self->n || saved.fingerprint != self->model->fingerprint)
    return seam_fail(error, SEAM_BAD_STATE, "the events are those of another model: save them again");
  memcpy(self->search, image, size);
  mbs_period_meter_reset(self->periodic);
  return SEAM_OK;
}

/* ---- Events along an integrator ---- */

static double same_time(double t) { return 10 * mbs_same_time(t); }

static seam_status state_at(void *context, double t, mbs_state *state, seam_error *error) {
  return mbs_integrator_reach(context, t, state, NULL, true, error);
}

/* Finds the state at t, which must not be after the next kink or switch. If t is the time of a sample up to round-off,
 * an integrator that reaches t takes the sample; then this function finds the state just before it. */
static seam_status state_before(void *context, double t, mbs_state *state, seam_error *error) {
  const mbs_integrator *self = context;
  const double at = self->times.next.at;
  const double early = at - 2 * mbs_same_time(at);
  const bool is_at_sample = t > early && t <= at && mbs_integrator_is_sample_at(self, early);
  const seam_status status = mbs_integrator_reach(context, is_at_sample ? early : t, state, NULL, true, error);
  state->t = t;
  return status;
}

/* Finds *end, the end of the next smooth part after `searched`: a step of the method towards t, or an extrapolation
 * through a singular configuration. If an extrapolation ends at `searched`, the method restarts there and steps on. */
static seam_status next_smooth_part(mbs_integrator *self, double searched, double t, mbs_state *state, double *end,
                                    seam_error *error) {
  const double known = seam_integrator_end(self->integrator);
  seam_status status = known > searched ? SEAM_OK : mbs_integrator_step(self, t, error);
  if (status == SEAM_BECAME_SINGULAR && mbs_integrator_is_crossing(self, known)) {
    *end = mbs_crossing_end(self->crossing);
    if (searched < *end)
      return SEAM_OK;
    status = mbs_integrator_reach(self, *end + 4 * mbs_same_time(*end), state, NULL, false, error);
  } else if (status != SEAM_OK) {
    (void)mbs_integrator_reach(self, searched, state, NULL, true, NULL);
    return mbs_integrator_explain(self, status, state, error);
  }
  *end = seam_integrator_end(self->integrator);
  return status;
}

/* Extends a search that has come to the end of a smooth part, by the next smooth part or across a kink or switch. */
static seam_status search_next_part(mbs_integrator *self, mbs_events *events, double t, mbs_state *state,
                                    seam_error *error) {
  const mbs_known_motion motion = {state_at, self};
  const double searched = mbs_events_searched(events);
  double end = searched;
  seam_status status = SEAM_OK;
  if (searched >= self->times.next.before)
    status = mbs_events_check_jump(events, &motion, self->times.next.at, error);
  else {
    self->events_rotation_rate = fmax(events->search->rotation_rate, events->search->period_rate);
    status = next_smooth_part(self, searched, t, state, &end, error);
  }
  end = fmin(end, self->times.next.before);
  if (status == SEAM_OK && end > searched) { /* conditions are smooth up to a kink of watched functions */
    const seam_kink kink = mbs_integrator_watched_kink(self, searched, end);
    if (kink.before <= searched)
      status = mbs_events_check_jump(events, &motion, kink.at, error);
    else
      mbs_events_extend(events, fmin(end, kink.before));
  }
  *mbs_events_mark(events) = seam_integrator_end(self->integrator);
  return status;
}

/* Finds the first event up to t; number SEAM_NONE: there is none. After an error, event->time is the searched time. */
static seam_status find_event(mbs_integrator *self, mbs_events *events, double t, mbs_state *state, mbs_event *event,
                              seam_error *error) {
  const mbs_known_motion motion = {state_before, self};
  for (;;) {
    seam_status status = mbs_events_find_next(events, t, event, error);
    const double searched = mbs_events_searched(events);
    const bool is_before_kink = searched >= self->times.next.before && t < self->times.next.at;
    if (status != SEAM_OK || event->number != SEAM_NONE || searched >= t - same_time(t) || is_before_kink)
      return status;
    if (searched < mbs_events_end(events))
      status = mbs_events_check(events, &motion, error);
    else
      status = search_next_part(self, events, t, state, error);
    if (status != SEAM_OK) {
      event->time = searched;
      return status;
    }
  }
}

seam_status mbs_integrator_advance_to_event(mbs_integrator *self, mbs_events *events, double t, mbs_state *state,
                                            mbs_event *event, seam_error *error) {
  ARGUMENTS(error, self, events, state, event);
  *event = (mbs_event){SEAM_NONE, t, MBS_EITHER};
  TRY(mbs_state_check(__func__, self->model, state, error));
  TRY(mbs_integrator_check_time(self, __func__, t, error));
  if (!mbs_events_have_started(events))
    return seam_fail(error, SEAM_BAD_STATE, "%s(): the events have no state: start or restore them first", __func__);
  if (mbs_events_searched(events) < self->reached - same_time(self->reached))
    return seam_fail(error, SEAM_BAD_STATE,
                     "%s(): the integrator is at %.17g s, but events were searched only up to %.17g s: start the "
                     "events at the integrator's time",
                     __func__, self->reached, mbs_events_searched(events));
  if (*mbs_events_mark(events) != seam_integrator_end(self->integrator)) {
    /* the step of the search is lost, as after a restore: the search goes back to the returned time */
    *mbs_events_mark(events) = seam_integrator_end(self->integrator);
    TRY(mbs_events_rewind(events, &(mbs_known_motion){state_at, self}, self->reached, error));
  }
  const double stop = self->times.stop;
  if (!(t <= stop + mbs_same_time(stop)))
    return seam_fail(error, SEAM_BAD_INPUT, "t = %.9g s is beyond the stop time %.9g s: set a later one", t, stop);
  const seam_status status = find_event(self, events, fmin(t, stop), state, event, error);
  event->time = fmax(event->time, self->reached);
  const seam_status reached =
      mbs_integrator_reach(self, event->time, state, NULL, true, status == SEAM_OK ? error : NULL);
  self->reached = state->t;
  return status == SEAM_OK ? reached : status;
}

/* ---- Inputs: variables that are set from outside ----
 *
 * They are constant between settings. At a setting the functions that read them jump, as laws of time do at a kink, and
 * the method restarts. */

seam_status mbs_check_inputs(const mbs_model *model, const size_t *variables, const double *values, size_t n, double t,
                             seam_error *error) {
  for (size_t i = 0; i < n; i++) {
    if (variables[i] >= mbs_n_variables(model))
      return seam_fail(error, SEAM_BAD_INPUT,
                       "t = %.9g s: cannot set variable %zu: the model has %zu variables, numbered from 0", t,
                       variables[i], mbs_n_variables(model));
    const char *name = mbs_variable_of(model, variables[i]).name;
    if (!mbs_variable_of(model, variables[i]).is_input)
      return seam_fail(
          error, SEAM_BAD_INPUT,
          "t = %.9g s: '%s' cannot be set, since an equation determines it: set one of the inputs under 'fmu: inputs'",
          t, name);
    if (!isfinite(values[i]))
      return seam_fail(error, SEAM_BAD_INPUT, "t = %.9g s: '%s' is set to %g, which is not finite", t, name, values[i]);
  }
  return SEAM_OK;
}

static seam_status after_jump(void *context, double t, mbs_state *state, seam_error *error) {
  (void)t;
  (void)error;
  mbs_state_copy(state, context);
  return SEAM_OK;
}

seam_status mbs_integrator_set_inputs(mbs_integrator *self, mbs_events *events, const size_t *variables,
                                      const double *values, size_t n, mbs_state *state, seam_error *error) {
  ARGUMENTS(error, self, variables, values, state);
  TRY(mbs_state_check(__func__, self->model, state, error));
  TRY(mbs_integrator_check_time(self, __func__, self->reached, error));
  if (state->t != self->reached)
    return seam_fail(error, SEAM_BAD_INPUT, "%s(): the state is at %.17g s, but the integrator reached %.17g s",
                     __func__, state->t, self->reached);
  if (events != NULL &&
      !(mbs_events_have_started(events) && mbs_events_searched(events) >= self->reached - mbs_same_time(self->reached)))
    return seam_fail(error, SEAM_BAD_STATE, "%s(): find all events up to %.9g s first", __func__, self->reached);
  if (mbs_integrator_is_crossing(self, self->reached))
    return seam_fail(error, SEAM_BAD_STATE,
                     "t = %.9g s: the mechanism is passing a singular configuration: set inputs at a later time",
                     self->reached);
  TRY(mbs_check_inputs(self->model, variables, values, n, state->t, error));
  /* new values change the motion from now on, so events found after this time, up to the end of a step, are dropped */
  if (events != NULL && mbs_events_searched(events) > self->reached)
    TRY(mbs_events_rewind(events, &(mbs_known_motion){state_at, self}, self->reached, error));
  for (size_t i = 0; i < n; i++)
    state->z[mbs_variable_of(self->model, variables[i]).state] = values[i];
  self->has_inside = false;
  self->evaluated.in_workspace = false;
  const double stop = self->times.stop;
  const seam_step_memory memory = mbs_integrator_step_memory(self);
  seam_status status = mbs_resolve_friction_modes(self->ws, state, error);
  THEN(status, mbs_integrator_restart(self, state, 0, NULL, &memory, error));
  mbs_integrator_set_stop(self, stop);
  THEN(status, mbs_evaluate(self->ws, state, error));
  if (status == SEAM_OK && events != NULL)
    status = mbs_events_check_jump(events, &(mbs_known_motion){after_jump, state}, state->t, error);
  if (status == SEAM_OK && events != NULL)
    *mbs_events_mark(events) = seam_integrator_end(self->integrator);
  if (status != SEAM_OK)
    self->reached = NAN;
  return status;
}
