/* Zeros of f in a piece of the motion. If f has different signs at both ends, the ITP method (solvers/root.c) locates
 * the zero to the last digits of the time. If f has the same sign, but its rate leads towards zero at the beginning and
 * away from it at the end, the ITP method finds the extremum in between, as a zero of the rate.
 *
 * If a piece has three zeros t1, t2, t3, the ITP method finds any of them, t°. For earlier zeros, four equal parts of
 * length s divide the interval up to t°. f is read at their ends, and extrema inside are located. Earlier zeros are
 * missed only if all three lie in one part. Then the magnitude of f beyond zero is at most
 *
 *   max |(t - t1) (t - t2) (t - t3)| |d³f/dt³| / 6 < (4/27) s³ |d³f/dt³| / 6
 *
 * between the zeros. A piece is at most a quarter of a step of length h, so s <= h/16, and this bound is 6e-6 h³
 * |d³f/dt³|.
 *
 * Bodies may rotate many times in a step, so that functions of their angles have many zeros. Such steps have more
 * pieces. */
#include "mbs/integrate/zeros.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/then.h"
#include "mbs/model/event.h"
#include "mbs/output/readout.h"

static double resolution_at(double t) { return DBL_EPSILON * fabs(t); }

seam_status mbs_piece_extremum(const mbs_piece *piece, double *extremum, double *f_extremum, seam_error *error) {
  seam_bracket in = {.a = piece->from, .b = piece->to};
  *extremum = *f_extremum = NAN;
  TRY(piece->rate.value(piece->rate.context, in.a, &in.fa, error));
  if (piece->side * in.fa < 0)
    TRY(piece->rate.value(piece->rate.context, in.b, &in.fb, error));
  if (!(piece->side * in.fa < 0 && piece->side * in.fb > 0))
    return SEAM_OK;
  const double near = piece->has_rate ? resolution_at(in.b) : mbs_piece_shift * (in.b - in.a);
  TRY(seam_find_root(&piece->rate, near, &in, error));
  *extremum = in.b;
  return piece->value.value(piece->value.context, in.b, f_extremum, error);
}

static seam_status value_at_fraction(const mbs_piece *piece, double fraction, seam_bracket *at, seam_error *error) {
  at->a = piece->from + fraction * (piece->to - piece->from);
  return piece->value.value(piece->value.context, at->a, &at->fa, error);
}

/* Finds a time in->a at which f is on piece->side, and f at this time, in->fa. By round-off f may begin on the other
 * side. First tries times closer and closer to the beginning, since a bouncing body may return soon. Then tries later
 * and later times, since f may leave zero slowly. Gives up if f is on the other side by more than its noise; in->fa
 * then is not on piece->side. */
static seam_status find_time_on_side(const mbs_piece *piece, seam_bracket *in, seam_error *error) {
  const double width = piece->to - piece->from;
  double fraction = mbs_piece_shift;
  for (; !(piece->side * in->fa > 0) && fraction * width > 4 * resolution_at(piece->to); fraction /= mbs_leave_factor)
    TRY(value_at_fraction(piece, fraction, in, error));
  fraction = mbs_leave_factor * mbs_piece_shift;
  in->fa = piece->side * in->fa > 0 ? in->fa : piece->f;
  for (; !(piece->side * in->fa > 0) && piece->side * in->fa >= -piece->noise && fraction < 1;
       fraction *= mbs_leave_factor)
    TRY(value_at_fraction(piece, fraction, in, error));
  return SEAM_OK;
}

enum { PARTS = 4 };

/* Searches for a time before the zero t at which f is already beyond zero. *found: the piece, shortened to end there;
 * or *piece if no such time is found. */
static seam_status find_earlier(const mbs_piece *piece, double t, mbs_piece *found, seam_error *error) {
  double f[PARTS + 1] = {piece->f};
  double least = mbs_beyond_by_rounding * fabs(piece->f);
  *found = *piece;
  for (int k = 1; k < PARTS && !(piece->side * f[k - 1] < -least); k++) {
    found->to = piece->from + k * (t - piece->from) / PARTS;
    TRY(piece->value.value(piece->value.context, found->to, &f[k], error));
    found->f_end = f[k];
    least = fmax(least, mbs_beyond_by_rounding * fabs(f[k]));
  }
  if (piece->side * found->f_end < -least)
    return SEAM_OK;
  double second_difference = 0; /* largest second difference of f */
  for (int k = 1; k < PARTS; k++)
    second_difference = fmax(second_difference, fabs(f[k + 1] - 2 * f[k] + f[k - 1]));
  for (int k = 1; k < PARTS; k++) {
    const double width = (t - piece->from) / PARTS;
    mbs_piece smaller = *piece;
    smaller.from = piece->from + (k - 1) * width;
    smaller.to = piece->from + k * width;
    smaller.f = f[k - 1];
    smaller.f_end = f[k];
    if (fmin(fabs(f[k - 1]), fabs(f[k])) > mbs_reach_of_curvature * second_difference)
      continue;
    TRY(mbs_piece_extremum(&smaller, &found->to, &found->f_end, error));
    if (piece->side * found->f_end < -least)
      return SEAM_OK;
  }
  *found = *piece;
  return SEAM_OK;
}

seam_status mbs_piece_zero(const mbs_piece *piece, double *t, seam_error *error) {
  mbs_piece now = *piece;
  mbs_piece earlier = *piece;
  do {
    now = earlier;
    seam_bracket in = {.a = now.from, .b = now.to, .fa = now.f, .fb = now.f_end};
    *t = now.from;
    TRY(find_time_on_side(&now, &in, error));
    if (!(now.side * in.fa > 0))
      return SEAM_OK;
    TRY(seam_find_root(&now.value, resolution_at(in.b), &in, error));
    *t = in.b;
    TRY(find_earlier(&now, *t, &earlier, error));
  } while (earlier.to < now.to);
  return SEAM_OK;
}

seam_status mbs_difference_quotient(const seam_root_function *function, double t, double from, double to, double *rate,
                                    seam_error *error) {
  const double step = mbs_piece_shift * (to - from);
  const double left = fmax(t - step, from);
  const double right = fmin(t + step, to);
  double f[2] = {0};
  TRY(function->value(function->context, left, &f[0], error));
  TRY(function->value(function->context, right, &f[1], error));
  *rate = (f[1] - f[0]) / (right - left);
  return SEAM_OK;
}

void mbs_mark_rotating(const mbs_model *model, const mbs_readout *inputs, const mbs_function *function,
                       bool *depends_on_rotation) {
  mbs_dependence on = {.bodies = depends_on_rotation};
  const bool may_be_periodic = function->value != NULL && (function->turning != NULL || function->corners == NULL);
  for (int i = 0; i < inputs->n; i++) {
    const mbs_quantity quantity = inputs->quantities[i];
    int index = 0;
    const bool needs_dynamics = (mbs_group_of(model, quantity, &index)->needs_dynamics >> index & 1U) != 0;
    if (quantity.owner != MBS_BODIES || may_be_periodic || needs_dynamics)
      mbs_add_dependence(model, quantity, &on);
  }
  for (int b = 0; b < model->n_bodies && (on.needs_dynamics || on.of_energies || inputs->reads_loads); b++)
    depends_on_rotation[b] = true;
}

double mbs_fastest_rotation(const mbs_model *model, const bool *depends_on_rotation, const double *v) {
  const size_t n = mbs_n_bodies(model);
  double fastest = 0;
  for (size_t i = 0; i < n; i++)
    fastest = depends_on_rotation[i] ? fmax(fastest, fabs(v[3 * i + 2])) : fastest;
  return fastest;
}

seam_status mbs_divide_step(double t, double angle, int *n_pieces, seam_error *error) {
  while (angle > *n_pieces * mbs_rotation_of_piece && *n_pieces < MBS_MAX_PIECES)
    *n_pieces *= 2;
  if (!(angle > *n_pieces * mbs_rotation_of_piece))
    return SEAM_OK;
  return seam_fail(error, SEAM_STEP_FAILED,
                   "t = %.9g s: a body, or the argument of a periodic condition, turns by %.3g rad within a step, too "
                   "fast to find events, contacts and other switches: give a shorter 'largest_step'",
                   t, angle);
}

/* ---- Changes of the arguments of periodic functions ---- */

/* A function of quantities that is periodic in its argument. */
typedef struct source {
  const mbs_readout *inputs;
  const mbs_function *function;
  double *memory;
  double *from, *to; /* (inputs->n) values of the inputs at the times t and t_to */
} source;

struct mbs_period_meter {
  source *sources; /* (n) */
  int n;
  double fastest; /* rad/s, largest 2 pi / period of periodic laws of time */
  double t, t_to; /* s, times of `from` and `to` of all sources; NaN: not known */
};

static void add(mbs_period_meter *self, const mbs_readout *inputs, const mbs_function *function) {
  if (inputs == NULL || function->turning == NULL)
    return;
  for (int i = 0; i < self->n; i++)
    if (self->sources[i].function == function)
      return;
  self->sources[self->n++] = (source){.inputs = inputs, .function = function};
}

/* Adds the periodic functions of events, of measures that they read and, if there are events, of all laws. */
static void add_functions_of_events(mbs_period_meter *self, const mbs_model *model) {
  const double pi = 3.14159265358979323846;
  for (const mbs_named_event *event = model->events; event < model->events + model->n_events; event++) {
    add(self, event->inputs, &event->function);
    for (int i = 0; i < event->inputs->n_measures; i++) {
      const mbs_named_measure *measure = &model->measures[event->inputs->measures[i]];
      add(self, measure->inputs, &measure->function);
    }
  }
  if (model->n_events > 0) { /* a step may skip periods of a law that hardly affects its error */
    for (int i = 0; i < model->laws.n_laws; i++)
      add(self, model->laws.law[i].response.inputs, &model->laws.law[i].response.function);
    for (int i = 0; i < 2 * model->n_forces; i++) {
      const double period = model->forces[i / 2].load[i % 2].period;
      self->fastest = period > 0 ? fmax(self->fastest, 2 * pi / period) : self->fastest;
    }
  }
}

seam_status mbs_period_meter_create(const mbs_model *model, const mbs_corners *corners, mbs_period_meter **created,
                                    seam_error *error) {
  mbs_period_meter *self = calloc(1, sizeof *self);
  const size_t most = (size_t)model->n_events + (size_t)model->n_measures + (size_t)model->laws.n_laws +
                      (size_t)(corners != NULL ? corners->n : 0) + 1;
  if (self != NULL)
    self->sources = calloc(most, sizeof *self->sources);
  if (self == NULL || self->sources == NULL) {
    free(self);
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for events");
  }
  mbs_period_meter_reset(self);
  if (corners == NULL)
    add_functions_of_events(self, model);
  else
    for (int i = 0; i < corners->n; i++)
      if (corners->source[i].inputs != NULL)
        add(self, corners->source[i].inputs, corners->source[i].function);
  for (source *at = self->sources; at < self->sources + self->n; at++) {
    const size_t n = (size_t)at->inputs->n;
    at->memory = calloc(2 * n + 1, sizeof *at->memory);
    if (at->memory == NULL) {
      mbs_period_meter_destroy(self);
      return seam_fail(error, SEAM_NO_MEMORY, "no memory for events");
    }
    at->from = at->memory;
    at->to = at->memory + n;
  }
  *created = self;
  return SEAM_OK;
}

void mbs_period_meter_destroy(mbs_period_meter *self) {
  if (self == NULL)
    return;
  for (int i = 0; i < self->n; i++)
    free(self->sources[i].memory);
  free(self->sources);
  free(self);
}

bool mbs_period_meter_has_functions(const mbs_period_meter *self) { return self->n > 0 || self->fastest > 0; }

void mbs_period_meter_reset(mbs_period_meter *self) { self->t = self->t_to = NAN; }

bool mbs_period_meter_advance(mbs_period_meter *self, double t) {
  if (t == self->t_to)
    for (source *at = self->sources; at < self->sources + self->n; at++) {
      double *from = at->from;
      at->from = at->to;
      at->to = from;
    }
  self->t = t == self->t_to ? t : self->t;
  self->t_to = NAN;
  return t == self->t;
}

void mbs_period_meter_begin(mbs_period_meter *self, mbs_workspace *ws, const mbs_state *state) {
  self->t = state->t;
  for (const source *at = self->sources; at < self->sources + self->n; at++)
    mbs_read(at->inputs, ws, state, at->from);
}

double mbs_period_meter_read(mbs_period_meter *self, mbs_workspace *ws, const mbs_state *state) {
  double largest = self->fastest * fabs(state->t - self->t);
  self->t_to = state->t;
  for (const source *at = self->sources; at < self->sources + self->n; at++) {
    mbs_read(at->inputs, ws, state, at->to);
    largest = fmax(largest, at->function->turning(at->function->data, at->from, at->to));
  }
  return largest;
}
