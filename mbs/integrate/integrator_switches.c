/* Finds switches, between which the equations are smooth, within the steps of an integrator. A switch is a zero of a
 * switching function, where an element changes its mode (mbs/model/switching_modes.h), or a corner of a law of
 * quantities (corners.h). A step with a switch is valid up to it, and the method restarts there.
 *
 * Steps are divided into pieces as for events (events.c). The first zero in a piece is located to the last digits of
 * the time. If a function crosses zero and returns, the extremum in between comes first. A function far from zero at
 * both ends of the step is not evaluated inside, unless bodies rotate fast: evaluations may be costly, such as the
 * distance to a curve, which needs a search. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arrays.h"
#include "base/then.h"
#include "mbs/contact/switches.h"
#include "mbs/dynamics/dynamics.h"
#include "mbs/integrate/integrator_internal.h"
#include "mbs/model/forces/hard_contact.h"
#include "mbs/stages/stages.h"
#include "mbs/thresholds.h"
#include "solvers/subnormal.h"

/* ---- Creation ---- */

/* If `acting` is NULL, lists the functions that act on the motion. Otherwise lists the watched functions
 * (mbs/output/readout.h) that are not in *acting. Returns false if memory is exhausted. */
static bool list_rows(mbs_root_finder *finder, const mbs_model *model, const mbs_corners *acting) {
  const mbs_switching_table *table = &model->switching;
  if (mbs_corners_create(model, acting, &finder->corners) != SEAM_OK)
    return false;
  finder->rows = calloc((size_t)(table->n + finder->corners.n) + 1, sizeof *finder->rows);
  if (finder->rows == NULL)
    return false;
  finder->acts = acting == NULL;
  finder->of_forces = finder->acts && table->of_forces;
  for (int i = 0; i < table->n && finder->acts; i++)
    finder->rows[finder->n_rows++] =
        (mbs_function_row){.modes = &table->row[i], .first = table->row[i].first_switch, .n = table->row[i].type->n};
  finder->first_of_corners = finder->acts ? table->n_switches : 0;
  for (int i = 0; i < finder->corners.n; i++) {
    const mbs_corner_source *source = &finder->corners.source[i];
    finder->of_forces = finder->of_forces || (!finder->acts && source->reads_forces);
    finder->rows[finder->n_rows++] = (mbs_function_row){
        .corners = source, .first = finder->first_of_corners + 2 * source->first, .n = 2 * source->n};
  }
  finder->n = finder->first_of_corners + 2 * finder->corners.n_corners;
  return true;
}

static void mark(const int body[2], bool *marked) {
  for (int side = 0; side < 2; side++)
    if (body[side] > 0)
      marked[body[side] - 1] = true;
}

/* Marks the bodies of all force elements with the same name, such as consecutive spans of a cable. */
static void mark_bodies_of_force(const mbs_model *model, const mbs_force *force, bool *marked) {
  const char *name = force->name;
  while (force > model->forces && force[-1].name == name)
    force--;
  for (; force < model->forces + model->n_forces && force->name == name; force++)
    mark(force->body, marked);
}

/* If exactly one body of an element is marked, marks the other and returns true, unless one of them is the ground. */
static bool join(const int body[2], bool *marked) {
  if (body[0] == 0 || body[1] == 0 || marked[body[0] - 1] == marked[body[1] - 1])
    return false;
  mark(body, marked);
  return true;
}

/* Marks in finder->depends_on_rotation the bodies whose rotation may give a function several zeros in a step. They are
 * the bodies of elements with modes, or with corners in their elastic laws. mbs_mark_rotating() finds those of other
 * functions with corners. If a mode depends on forces, mbs_mark_rotating() marks the bodies of all laws too. Then each
 * body is marked that joints and force elements connect with a marked body. */
static void mark_rotating(const mbs_root_finder *finder, const mbs_model *model) {
  bool *marked = finder->depends_on_rotation;
  bool of_forces = false;
  for (const mbs_function_row *row = finder->rows; row < finder->rows + finder->n_rows; row++) {
    if (row->corners != NULL && row->corners->inputs != NULL)
      mbs_mark_rotating(model, row->corners->inputs, row->corners->function, marked);
    else if (row->corners != NULL)
      mark_bodies_of_force(model, row->corners->force, marked);
    else if (row->modes->is_joint)
      mark(model->joints[row->modes->element].body, marked);
    else
      mark_bodies_of_force(model, &model->forces[row->modes->element], marked);
    of_forces = of_forces || (row->modes != NULL && row->modes->type->of_forces);
  }
  if (!of_forces)
    return;
  for (int i = 0; i < mbs_n_responses(&model->laws); i++) {
    const mbs_response *response = mbs_response_of(&model->laws, i);
    if (mbs_is_function(response))
      mbs_mark_rotating(model, response->inputs, &response->function, marked);
  }
  for (bool grows = true; grows;) {
    grows = false;
    for (int j = 0; j < 2 * model->n_joints; j++) /* in ascending, then in descending order */
      grows = join(model->joints[j < model->n_joints ? j : 2 * model->n_joints - 1 - j].body, marked) || grows;
    for (int i = 0; i < 2 * model->n_forces; i++)
      grows = join(model->forces[i < model->n_forces ? i : 2 * model->n_forces - 1 - i].body, marked) || grows;
  }
}

#define FINDER_ARRAYS(X)                                                                                               \
  X(finder, begin, n)                                                                                                  \
  X(finder, end, n)                                                                                                    \
  X(finder, at, n)                                                                                                     \
  X(finder, last, n)                                                                                                   \
  X(finder, may_vanish, (size_t)finder->n_rows)                                                                        \
  X(finder, corner, n_corners)                                                                                         \
  X(finder, previous_corner, n_corners)                                                                                \
  X(finder, begin_of_step, n)                                                                                          \
  X(finder, depends_on_rotation, (size_t)self->model->n_bodies)                                                        \
  X(finder, argument, n_corners)                                                                                       \
  X(finder, bounds, n_corners)                                                                                         \
  X(finder, may_cross, n)                                                                                              \
  X(finder, is_ignored, n_corners)

static seam_status create(const mbs_integrator *self, const mbs_corners *acting, mbs_root_finder *finder,
                          seam_error *error) {
  finder->begin_time = finder->interpolated = NAN;
  const bool is_listed = list_rows(finder, self->model, acting);
  if (is_listed && finder->n == 0)
    return SEAM_OK;
  const size_t n = (size_t)finder->n;
  const size_t n_corners = (size_t)finder->corners.n_corners;
  const bool enough = is_listed FINDER_ARRAYS(ALLOCATE_ARRAY);
  if (!enough)
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for %d switching functions", finder->n);
  TRY(mbs_period_meter_create(self->model, &finder->corners, &finder->periodic, error));
  mark_rotating(finder, self->model);
  TRY(mbs_workspace_create(self->model, &finder->ws, error));
  return mbs_state_create(self->model, &finder->state, error);
}

seam_status mbs_root_finders_create(mbs_integrator *self, seam_error *error) {
  self->watch = (mbs_watch){.end = NAN, .last = NAN};
  TRY(create(self, NULL, &self->finder, error));
  return create(self, &self->finder.corners, &self->watched, error);
}

void mbs_root_finder_destroy(mbs_root_finder *finder) {
  mbs_corners_release(&finder->corners);
  mbs_period_meter_destroy(finder->periodic);
  FINDER_ARRAYS(FREE_ARRAY)
  free(finder->rows);
  mbs_state_destroy(finder->state);
  mbs_workspace_destroy(finder->ws);
}

static const mbs_function_row *row_of(const mbs_root_finder *finder, int number) {
  const mbs_function_row *row = finder->rows;
  while (number >= row->first + row->n)
    row++;
  return row;
}

const char *mbs_root_finder_name(const mbs_integrator *self, int number) {
  const mbs_corner_source *corners = row_of(&self->finder, number)->corners;
  return corners != NULL ? corners->name : mbs_switch_name(self->model, number);
}

/* ---- Corners: two functions each, the distances of the argument from its bounds at the beginning of a step ---- */

/* Reads the corners of one row into finder->corner, and their functions into f (finder->n). */
static void read_corners_of(mbs_root_finder *finder, const mbs_function_row *row, mbs_workspace *ws,
                            const mbs_state *state, bool has_forces, mbs_switch *f) {
  const mbs_corner_source *source = row->corners;
  const seam_corner *at = finder->corner + source->first;
  const mbs_bounds *bounds = finder->bounds + source->first;
  mbs_corners_read(&finder->corners, source, ws, state, has_forces, finder->corner + source->first);
  for (int k = 0; k < source->n && !isnan(finder->interpolated); k++)
    finder->corner[source->first + k].noise += fabs(at[k].rate) > 0 ? finder->interpolated * fabs(at[k].rate) : 0;
  for (int k = 0; k < source->n; k++) {
    f[row->first + 2 * k] = (mbs_switch){at[k].value - bounds[k].below, at[k].rate, at[k].noise};
    f[row->first + 2 * k + 1] = (mbs_switch){bounds[k].above - at[k].value, -at[k].rate, at[k].noise};
  }
}

/* Reads all rows of corners with wanted[row] true (NULL: all rows). */
static void read_corners(mbs_root_finder *finder, mbs_workspace *ws, const mbs_state *state, const bool *wanted,
                         bool has_forces, mbs_switch *f) {
  for (int i = finder->n_rows - finder->corners.n; i < finder->n_rows; i++)
    if (wanted == NULL || wanted[i])
      read_corners_of(finder, &finder->rows[i], ws, state, has_forces, f);
}

/* Makes t the beginning of the next piece, after reading all functions there with the given status. */
static void begin_at(mbs_integrator *self, double t, seam_status status) {
  mbs_root_finder *finder = &self->finder;
  for (int k = 0; k < finder->corners.n_corners; k++)
    finder->previous_corner[k] = finder->corner[k];
  finder->begin_time = status == SEAM_OK ? t : NAN;
  finder->rotation_rate = mbs_fastest_rotation(self->model, finder->depends_on_rotation, finder->state->v);
}

bool mbs_root_finder_ignore(mbs_root_finder *finder, int number) {
  if (!mbs_is_corner(finder, number))
    return false;
  finder->is_ignored[(number - finder->first_of_corners) / 2] = true;
  return true;
}

/* Returns true if a step of length h of a method of order 1 may cross the zero of a function of an open hard contact.
 * The error of such a step is of order h². A contact that opens without an impact has a smaller gap, and may overlap at
 * the end of the step although it does not approach. It would close at once, and could never open. So the contact must
 * approach at the end of the step; if the step began without an overlap, fast enough for half of the overlap. */
static bool opens_softly(const mbs_switch *begin, const mbs_switch *end, double h) {
  if (mbs_ends_mode(begin))
    return end->rate >= 0;
  return mbs_ends_mode(end) && end->rate * h > mbs_slow_overlap * end->value;
}

/* Fills finder->may_cross, the functions whose zeros a step from `from` to `to` may cross: those of hard contacts that
 * open (opens_softly()), and some of corners. A step may cross corners at which the motion stays (is_ignored). In two
 * cases it may cross the only corner of a law that acts on the motion, such as abs. First, the method is of order 1:
 * the corner causes errors of order h², as every step does. Second, the rate of the argument is unknown, as for a
 * velocity; the argument is beyond the corner at the end of the step; the step does not begin there. Then the step
 * evaluates the law on both sides, so its error test is sufficient. A step that begins at the corner might evaluate one
 * side only. */
static void find_zeros_to_cross(const mbs_integrator *self, double from, double to) {
  const mbs_root_finder *finder = &self->finder;
  for (int i = 0; i < finder->n_rows - finder->corners.n; i++)
    for (int k = finder->rows[i].first; k < finder->rows[i].first + finder->rows[i].n; k++)
      finder->may_cross[k] = self->is_of_order_1 && finder->rows[i].modes->type == &mbs_hard_switches &&
                             opens_softly(&finder->begin[k], &finder->end[k], to - from);
  const int begins_at = from == self->times.last_switch ? (int)self->times.switched - 1 : -1;
  for (int k = 0; k < finder->corners.n_corners; k++) {
    const seam_corner *at = &finder->previous_corner[k];
    const int number = finder->first_of_corners + 2 * k;
    const bool crosses = mbs_ends_mode(&finder->end[number]) || mbs_ends_mode(&finder->end[number + 1]);
    const bool begins_here = begins_at == number || begins_at == number + 1;
    const bool is_tested = isnan(at->rate) && crosses && !begins_here;
    finder->may_cross[number] = finder->may_cross[number + 1] =
        finder->is_ignored[k] || (finder->acts && at->is_single && (is_tested || self->is_of_order_1));
  }
}

/* ---- Zeros of one function ---- */

typedef struct search {
  mbs_integrator *integrator;
  const mbs_function_row *row;
  int number;
  bool is_of_motion;
  double from, to; /* s, ends of the piece */
  double passed;   /* s, time at which the argument has passed its corner by more than round-off; NaN: not known */
} search;

/* Gives the finder's workspace the port inputs and the smooth interval of laws of time of self->ws. */
static void share_inputs(const mbs_integrator *self) {
  self->finder.ws->port_inputs = self->ws->port_inputs;
  self->finder.ws->smooth = self->ws->smooth;
}

static seam_status read_state(mbs_integrator *self, mbs_state *state, const bool *wanted, mbs_switch *f,
                              seam_error *error) {
  mbs_root_finder *finder = &self->finder;
  share_inputs(self);
  if (finder->acts)
    TRY(mbs_read_switches(finder->ws, state, wanted, f, error));
  else if (finder->of_forces)
    TRY(mbs_accelerate(finder->ws, state, error));
  else
    mbs_stage_kinematics(finder->ws, state->q, state->v);
  read_corners(finder, finder->ws, state, wanted, finder->of_forces, f);
  return SEAM_OK;
}

/* Returns the time, s, in which the argument of a corner changes by twice its round-off, f->noise, at this rate. It is
 * at least mbs_least_time_to_corner |t|, also for an unknown rate (NaN). */
static double margin_of(const mbs_switch *f, double rate, double t) {
  const double of_time = mbs_least_time_to_corner * fabs(t);
  return f->noise > 0 ? fmax(2 * f->noise / fabs(rate), of_time) : of_time;
}

/* Sets finder->state to the state at t in the last step; fills f (n) for the rows with wanted[row] (NULL: all). */
static seam_status read_at(mbs_integrator *self, double t, const bool *wanted, mbs_switch *f, seam_error *error) {
  mbs_root_finder *finder = &self->finder;
  mbs_state *state = finder->state;
  double *y = self->y != NULL ? self->y : state->q;
  double reached;
  TRY(seam_integrator_advance(self->integrator, t, y, &reached, error));
  mbs_integrator_read_y(self, t, y, state);
  if (self->has_inside && self->now->t == t) {
    mbs_integrator_copy_inside(self, state);
    if (finder->acts)
      mbs_read_switches_evaluated(self->ws, state, wanted, f);
    read_corners(finder, self->ws, state, wanted, true, f);
    return SEAM_OK;
  }
  return read_state(self, state, wanted, f, error);
}

/* Returns true if a corner at which steps may have to end has an unknown rate. */
static bool lacks_rates(const mbs_root_finder *finder, const bool *wanted, const mbs_switch *f) {
  bool lacks = false;
  for (int i = finder->n_rows - finder->corners.n; i < finder->n_rows; i++) {
    const mbs_function_row *row = &finder->rows[i];
    for (int k = 0; k < row->n && (wanted == NULL || wanted[i]); k++)
      lacks = lacks || (isnan(f[row->first + k].rate) && isfinite(f[row->first + k].value) &&
                        !finder->is_ignored[row->corners->first + k / 2]);
  }
  return lacks;
}

/* Finds unknown rates of the functions f of corners at finder->state, which was read last: extrapolates the motion over
 * h (of either sign) and divides the changes of the arguments by h. Changes finder->state. Rates stay unknown if laws
 * cannot be evaluated there, or if the method is of order 1, whose steps go across such corners. */
static seam_status find_rates(mbs_integrator *self, double h, const bool *wanted, mbs_switch *f, seam_error *error) {
  const mbs_root_finder *finder = &self->finder;
  mbs_state *state = finder->state;
  seam_error cause;
  if (self->is_of_order_1 || !lacks_rates(finder, wanted, f))
    return SEAM_OK;
  for (int k = 0; k < finder->corners.n_corners; k++)
    finder->argument[k] = finder->corner[k].value;
  share_inputs(self);
  seam_status status = mbs_accelerate(finder->ws, state, &cause);
  if (status == SEAM_OK) {
    mbs_extrapolate(finder->ws, h, state);
    state->t += h;
    status = read_state(self, state, wanted, finder->at, &cause);
  }
  if (status == SEAM_INTERRUPTED || status == SEAM_NO_MEMORY)
    return seam_fail(error, status, "%s", cause.message);
  f += finder->first_of_corners;
  for (int k = 0; k < finder->corners.n_corners && status == SEAM_OK; k++) {
    const double rate = (finder->corner[k].value - finder->argument[k]) / h;
    f[2 * k].rate = isnan(f[2 * k].rate) ? rate : f[2 * k].rate;
    f[2 * k + 1].rate = isnan(f[2 * k + 1].rate) ? -rate : f[2 * k + 1].rate;
  }
  return SEAM_OK;
}

double mbs_end_of_corner(mbs_integrator *self, int number, mbs_state *state) {
  const mbs_times *times = &self->times;
  const mbs_switch *at = &self->finder.at[number];
  if (read_state(self, state, NULL, self->finder.at, NULL) != SEAM_OK)
    return times->next.at;
  const double left = (at->value + 2 * at->noise) / -at->rate;
  const bool is_near = at->rate < 0 && left < mbs_slow_at_corner * (times->next.before - times->step);
  return is_near ? fmax(times->next.at, fmin(state->t + left, times->stop)) : times->next.at;
}

/* Reads the functions of w->row at t into finder->at. Functions of the motion need no accelerations. */
static seam_status read_one(const search *w, double t, seam_error *error) {
  mbs_integrator *self = w->integrator;
  mbs_root_finder *finder = &self->finder;
  mbs_state *state = finder->state;
  double *y = self->y != NULL ? self->y : state->q;
  double reached;
  if (!w->is_of_motion)
    return read_at(self, t, finder->may_vanish, finder->at, error);
  self->of_motion = true;
  const seam_status status = seam_integrator_advance(self->integrator, t, y, &reached, error);
  self->of_motion = false;
  TRY(status);
  mbs_integrator_read_y(self, t, y, state);
  mbs_stage_kinematics(finder->ws, state->q, state->v);
  if (w->row->corners != NULL)
    read_corners_of(finder, w->row, finder->ws, state, false, finder->at);
  else
    w->row->modes->type->read(finder->ws, state, w->row->modes->element, finder->at + w->row->first);
  return SEAM_OK;
}

static seam_status value_at(void *context, double t, double *f, seam_error *error) {
  const search *w = context;
  const seam_status status = read_one(w, t, error);
  *f = w->integrator->finder.at[w->number].value;
  return status;
}

/* Finds the rate of the function at t; if unknown, by a difference quotient. */
static seam_status rate_at(void *context, double t, double *rate, seam_error *error) {
  const search *w = context;
  const seam_status status = read_one(w, t, error);
  *rate = w->integrator->finder.at[w->number].rate;
  if (status != SEAM_OK || !isnan(*rate))
    return status;
  return mbs_difference_quotient(&(seam_root_function){value_at, context}, t, w->from, w->to, rate, error);
}

/* Finds the time *t just after the function first falls below zero in the piece; NaN: it does not. */
static seam_status find_zero(search *w, double *t, seam_error *error) {
  const mbs_root_finder *finder = &w->integrator->finder;
  const mbs_switch *begin = &finder->begin[w->number];
  const mbs_switch *end = &finder->end[w->number];
  const bool has_rate = !isnan(begin->rate) && !isnan(end->rate);
  mbs_piece piece = {{value_at, w}, {rate_at, w}, w->from, w->to, begin->value, end->value, 1, end->noise, has_rate};
  *t = NAN;
  if (!mbs_ends_mode(end) && !(begin->rate >= 0) && !(end->rate <= 0)) { /* f may cross zero up to an extremum */
    const mbs_piece whole = piece;
    TRY(mbs_piece_extremum(&whole, &piece.to, &piece.f_end, error));
  }
  return piece.f_end < -end->noise ? mbs_piece_zero(&piece, t, error) : SEAM_OK;
}

/* ---- Zeros of all functions in a step ---- */

/* Returns true if function f, number k of the row, may come to zero in a piece of length h. A function of a mode may if
 *
 *   min(f_begin, f_end) <= 4 (|f_end - f_begin| + h |f'_begin| + h |f'_end|)
 *
 * The difference |f_end - f_begin| replaces a term with an unknown rate. A function of a corner may if it is beyond
 * zero at one end of the piece, or may have a minimum inside. If its rate is unknown, the inequality must hold too.
 * Returns false for functions at whose zeros steps need not end (may_cross). */
static bool may_vanish_in(const mbs_root_finder *finder, const mbs_function_row *row, int k, double h) {
  const mbs_switch *begin = &finder->begin[row->first + k];
  const mbs_switch *end = &finder->end[row->first + k];
  if (!isfinite(begin->value) || finder->may_cross[row->first + k])
    return false;
  const bool turns = mbs_ends_mode(end) || begin->value < 0 || (!(begin->rate >= 0) && !(end->rate <= 0));
  if (row->corners != NULL && (!turns || !isnan(finder->previous_corner[row->corners->first + k / 2].rate)))
    return turns;
  const double difference = fabs(end->value - begin->value);
  const double changes = difference + (isnan(begin->rate) ? difference : h * fabs(begin->rate)) +
                         (isnan(end->rate) ? difference : h * fabs(end->rate));
  return !(fmin(begin->value, end->value) > mbs_reach_of_changes * changes);
}

/* Estimates when a function that is beyond zero at the end of a piece of length h becomes zero, as a fraction of h.
 * This is the zero of the parabola through its values at both ends, with its rate at the beginning. Returns 1 if the
 * function is beyond zero at the beginning, too. */
static double guess_of(const mbs_switch *begin, const mbs_switch *end, double h) {
  const double slope = isnan(begin->rate) ? end->value - begin->value : h * begin->rate;
  const double second_difference = end->value - begin->value - slope;
  const double root = sqrt(fmax(slope * slope - 4 * second_difference * begin->value, 0));
  return begin->value > 0 ? 2 * begin->value / (root - slope) : 1;
}

static seam_status value_plus_noise(void *context, double t, double *f, seam_error *error) {
  const search *w = context;
  const seam_status status = value_at(context, t, f, error);
  *f += 2 * w->integrator->finder.at[w->number].noise;
  return status;
}

/* Moves *t from a corner to where the argument has passed it by twice its round-off; NaN: not in this piece. */
static seam_status pass_corner(search *w, double *t, seam_error *error) {
  const mbs_switch *end = &w->integrator->finder.end[w->number];
  const seam_root_function beyond = {value_plus_noise, w};
  seam_bracket in = {.a = *t, .b = w->to, .fb = end->value + 2 * end->noise};
  TRY(value_plus_noise(w, in.a, &in.fa, error));
  if (!(in.fa > 0))
    return SEAM_OK;
  *t = NAN;
  if (!(in.fb < 0))
    return SEAM_OK;
  TRY(seam_find_root(&beyond, mbs_slow_at_corner * (in.b - in.a), &in, error));
  *t = in.b;
  return SEAM_OK;
}

/* Returns true if an argument is slow at a corner: the time `margin`, s, during which it is within round-off of the
 * corner exceeds mbs_slow_at_corner times the step that was tried across the corner. */
static bool is_slow(const mbs_integrator *self, double margin) {
  const double end = fmax(seam_integrator_end(self->integrator), self->times.step_end);
  return margin > mbs_slow_at_corner * (end - self->times.step);
}

/* Finds the time *t at which a piece must end because of a corner; NaN: the argument does not pass the corner. If it
 * passes the corner at t_c, *t is margin_of() before t_c or, for a slow argument (is_slow()), just after t_c. If a law
 * jumps at the corner, an evaluation inside the step may fail, and t_c is unknown. If the argument is then beyond the
 * corner at the end of the piece, guess_of() interpolates *t. The step is repeated up to *t. */
static seam_status find_corner(search *w, double *t, seam_error *error) {
  const mbs_root_finder *finder = &w->integrator->finder;
  const mbs_switch *begin = &finder->begin[w->number];
  const mbs_switch *end = &finder->end[w->number];
  const double h = w->to - w->from;
  double margin = 0;
  seam_error cause;
  seam_status status = find_zero(w, t, &cause);
  if (status == SEAM_OK && !isnan(*t))
    status = read_one(w, *t, &cause);
  if (status == SEAM_OK)
    margin = margin_of(&finder->at[w->number], finder->at[w->number].rate, *t);
  else if (status == SEAM_INTERRUPTED || status == SEAM_NO_MEMORY)
    return seam_fail(error, status, "%s", cause.message);
  else
    *t = mbs_ends_mode(end) ? w->from + h * guess_of(begin, end, h) : NAN;
  if (isnan(*t))
    return SEAM_OK;
  if (is_slow(w->integrator, margin))
    return pass_corner(w, t, error);
  if (status == SEAM_OK)
    w->passed = *t + margin;
  *t = fmax(w->from, *t - margin);
  return SEAM_OK;
}

/* Reads the functions of the rows in finder->may_vanish at t into finder->end. In a model with corners a law may jump
 * in the step: then failures other than SEAM_INTERRUPTED and SEAM_NO_MEMORY leave finder->end unchanged. */
static seam_status read_inside(mbs_integrator *self, double t, seam_error *error) {
  const mbs_root_finder *finder = &self->finder;
  seam_error cause;
  const seam_status status = read_at(self, t, finder->may_vanish, finder->end, &cause);
  if (status == SEAM_OK || (finder->corners.n > 0 && status != SEAM_INTERRUPTED && status != SEAM_NO_MEMORY))
    return SEAM_OK;
  return seam_fail(error, status, "%s", cause.message);
}

/* Searches the piece from `from` to *to for the first zero of function k of a row. If found, it becomes *to, the end of
 * the piece, and the switch in self->times; finder->end gets the functions there. */
static seam_status search_function(mbs_integrator *self, const mbs_function_row *row, int k, double from, double *to,
                                   seam_error *error) {
  mbs_root_finder *finder = &self->finder;
  search w = {.integrator = self, .row = row, .number = row->first + k, .from = from, .to = *to, .passed = NAN};
  double t = NAN;
  if (!may_vanish_in(finder, row, k, *to - from))
    return SEAM_OK;
  if (row->corners != NULL)
    w.is_of_motion = !row->corners->reads_forces;
  else
    w.is_of_motion = row->modes->type->is_of_motion != NULL &&
                     row->modes->type->is_of_motion(self->model, finder->state, row->modes->element);
  TRY(row->corners != NULL ? find_corner(&w, &t, error) : find_zero(&w, &t, error));
  if (!(t <= *to))
    return SEAM_OK;
  *to = t;
  self->times.switching = 1 + (size_t)w.number;
  self->times.corner_passed = w.passed;
  return read_inside(self, t, error);
}

/* Guesses which function has the first zero in a piece of length h (guess_of()), and sets *row and *function, its index
 * in the row. Returns false if no function that may come to zero is beyond zero at the end of the piece. */
static bool guess_first(const mbs_integrator *self, double h, const mbs_function_row **row, int *function) {
  const mbs_root_finder *finder = &self->finder;
  double first = INFINITY;
  for (int i = 0; i < finder->n_rows; i++)
    for (int k = 0; k < finder->rows[i].n && finder->may_vanish[i]; k++) {
      const int number = finder->rows[i].first + k;
      const double guess =
          mbs_ends_mode(&finder->end[number]) ? guess_of(&finder->begin[number], &finder->end[number], h) : INFINITY;
      if (!(guess < first))
        continue;
      first = guess;
      *row = &finder->rows[i];
      *function = k;
    }
  return isfinite(first);
}

/* Makes the first zero in a piece the next switch, in self->times. Each zero shortens the piece for the other
 * functions, so the search begins with the function that probably has the first one. A corner shortens the piece to
 * just before it. Thus an argument that jumps there, as in table(x - floor(x)), is read before its jump. */
static seam_status search_piece(mbs_integrator *self, double from, double to, seam_error *error) {
  const mbs_root_finder *finder = &self->finder;
  const mbs_function_row *first = NULL;
  int function = 0;
  double before;
  if (guess_first(self, to - from, &first, &function))
    TRY(search_function(self, first, function, from, &to, error));
  for (const mbs_function_row *row = finder->rows; row < finder->rows + finder->n_rows; row++)
    if (finder->may_vanish[row - finder->rows])
      do {
        before = to;
        for (int k = 0; k < row->n; k++)
          TRY(search_function(self, row, k, from, &to, error));
      } while (row->corners != NULL && to < before);
  if (self->times.switching == 0)
    return SEAM_OK;
  /* next.before is just before the corner, next.at just after it. Laws take the actual argument, which must differ from
   * the corner by more than round-off at both times. */
  const int number = (int)self->times.switching - 1;
  const mbs_switch *end = &finder->end[number];
  const double slope = (end->value - finder->begin_of_step[number]) / (to - self->times.step);
  double margin = mbs_is_corner(finder, number) ? margin_of(end, isnan(end->rate) ? slope : end->rate, to) : 0;
  margin = is_slow(self, margin) ? 0 : margin;
  self->times.next.before = fmax(margin > 0 ? to : nextafter(to, -INFINITY), self->times.begin);
  const double passed = isnan(self->times.corner_passed) ? to + 2 * margin : self->times.corner_passed;
  self->times.next.at = fmax(to, fmin(passed, seam_integrator_end(self->integrator)));
  return SEAM_OK;
}

static void swap_ends(mbs_root_finder *finder) {
  mbs_switch *end = finder->end;
  finder->end = finder->begin;
  finder->begin = end;
}

/* Searches a step in n pieces for the first zero. On entry finder->begin and end have the functions at its ends. */
static seam_status search_pieces(mbs_integrator *self, double from, double to, int n, seam_error *error) {
  mbs_root_finder *finder = &self->finder;
  const size_t size = (size_t)finder->n * sizeof *finder->end;
  seam_status status = SEAM_OK;
  memcpy(finder->last, finder->end, size);
  for (int k = 1; k <= n && status == SEAM_OK && self->times.switching == 0; k++) {
    const double begin = from + (k - 1) * (to - from) / n;
    const double end = k < n ? from + k * (to - from) / n : to;
    if (k < n)
      status = read_inside(self, end, error);
    else
      memcpy(finder->end, finder->last, size);
    if (k < n && finder->state->t == end)
      THEN(status, find_rates(self, -mbs_piece_shift * (end - begin), finder->may_vanish, finder->end, error));
    THEN(status, search_piece(self, begin, end, error));
    swap_ends(finder);
  }
  return status;
}

/* Fills finder->begin with the functions at the beginning of a step. Methods that repeat steps have read them at the
 * end of the last step. Polynomials of other methods differ slightly where steps meet, and need a new reading. */
static seam_status read_begin(mbs_integrator *self, double from, seam_error *error) {
  mbs_root_finder *finder = &self->finder;
  const bool is_known = mbs_period_meter_advance(finder->periodic, from) && finder->begin_time == from;
  if (finder->begin_time == from && self->repeats)
    return SEAM_OK;
  const seam_status status = read_at(self, from, NULL, finder->begin, error);
  if (status == SEAM_OK && !is_known)
    mbs_period_meter_begin(finder->periodic, finder->ws, finder->state);
  begin_at(self, from, status);
  return status;
}

static bool has_early_stops(const mbs_integrator *self) {
  return !self->repeats && (self->finder.corners.n > 0 || isfinite(self->times.next.at));
}

/* Returns the largest length, s, of the next step of a method that cannot repeat steps up to a corner. A step across a
 * corner ends just after the predicted time: little of it lies beyond the corner. These methods test errors at the ends
 * of steps only, so they also need several steps between kinks of laws of time, and where laws are steep. */
static double step_to_corner(const mbs_integrator *self) {
  const mbs_root_finder *finder = &self->finder;
  double left = (self->times.next.before - self->times.begin) / mbs_least_steps_between_kinks;
  for (int k = 0; k < finder->corners.n_corners; k++) {
    const seam_corner *at = &finder->previous_corner[k];
    const double rate = finder->begin[finder->first_of_corners + 2 * k].rate;
    const double distance = rate > 0 ? at->above - at->value : at->value - at->below;
    if (!(fabs(rate) > 0))
      continue;
    if (distance > at->noise)
      left = fmin(left, mbs_step_to_corner * distance / fabs(rate));
    left = fmin(left, at->resolve / fabs(rate));
  }
  return left;
}

/* Sets a stop of the method if the next step, from `from`, must be short; returns true if so. There are three reasons:
 * a corner or a kink is near (step_to_corner()); a body rotates, or a periodic argument changes, too fast for the
 * pieces of a longer step; too many switches are close to each other (times.n_halvings). */
static bool stop_early(const mbs_integrator *self, double from) {
  const double rotation_rate =
      fmax(fmax(self->finder.rotation_rate, self->watched.rotation_rate), self->events_rotation_rate);
  const double wanted = seam_integrator_step_memory(self->integrator).next_step; /* 0: unknown */
  const double longest = mbs_growth_of_step * seam_integrator_statistics(self->integrator).largest_step;
  double left = rotation_rate > 0 && self->fixed_step == 0 ? mbs_longest_divisible_step(rotation_rate) : INFINITY;
  if ((wanted > 0 ? wanted : longest) < left / 2) /* the next step will be shorter in any case */
    left = INFINITY;
  if (has_early_stops(self))
    left = fmin(left, step_to_corner(self));
  if (self->times.n_halvings > 0 && from == self->times.last_switch)
    left = fmin(left, ldexp(self->fixed_step > 0 ? self->fixed_step : wanted, -(int)self->times.n_halvings));
  const double end = from + left;
  const bool stops = end > from && end < self->times.stop && end < self->times.next.at;
  if (stops)
    seam_integrator_set_stop(self->integrator, end);
  return stops;
}

/* Stores the first switch in a step in self->times. Takes pieces if a function may vanish or bodies rotate fast. */
static seam_status find_switch(mbs_integrator *self, double from, double to, seam_error *error) {
  mbs_root_finder *finder = &self->finder;
  int n_pieces = MBS_LEAST_PIECES;
  self->times.step = from;
  seam_status status = read_begin(self, from, error);
  const double shift = mbs_piece_shift * (to - from);
  const double rotation_rate = finder->rotation_rate;
  if (finder->state->t == from)
    THEN(status, find_rates(self, shift, NULL, finder->begin, error));
  mbs_switch *of_corners = finder->begin + finder->first_of_corners;
  for (int k = 0; k < finder->corners.n_corners; k++) {
    const seam_corner *at = &finder->previous_corner[k];
    finder->bounds[k] = (mbs_bounds){at->below, at->above};
    of_corners[2 * k].value = at->value - at->below;
    of_corners[2 * k + 1].value = at->above - at->value;
  }
  THEN(status, read_at(self, to, NULL, finder->end, error));
  begin_at(self, to, status);
  TRY(status);
  const double period_angle = mbs_period_meter_read(finder->periodic, finder->ws, finder->state);
  const double body_angle = fmax(rotation_rate, finder->rotation_rate) * (to - from);
  finder->rotation_rate = fmax(finder->rotation_rate, period_angle / (to - from));
  status = mbs_divide_step(from, fmax(body_angle, period_angle), &n_pieces, error);
  self->is_explained = status != SEAM_OK;
  if (self->is_explained)
    return status;
  TRY(find_rates(self, -shift, NULL, finder->end, error));
  find_zeros_to_cross(self, from, to);
  for (int i = 0; i < finder->n; i++)
    finder->begin_of_step[i] = finder->begin[i].value;
  bool any_may_vanish = false;
  for (int i = 0; i < finder->n_rows; i++) {
    finder->may_vanish[i] = n_pieces > MBS_LEAST_PIECES; /* bodies rotate fast */
    for (int k = 0; k < finder->rows[i].n; k++)
      finder->may_vanish[i] = finder->may_vanish[i] || may_vanish_in(finder, &finder->rows[i], k, to - from);
    any_may_vanish = any_may_vanish || finder->may_vanish[i];
  }
  if (any_may_vanish)
    return search_pieces(self, from, to, n_pieces, error);
  swap_ends(finder);
  return SEAM_OK;
}

/* ---- Watched functions: corners at which no step ends ---- */

/* find_switch() searches for zeros of the functions in self->finder. So self->watched replaces it during the search;
 * afterwards self->finder and self->times get their old values. */
seam_kink mbs_find_watched_corner(mbs_integrator *self, double from, double to, int *number) {
  const mbs_root_finder acting = self->finder;
  const mbs_times times = self->times;
  const bool is_explained = self->is_explained;
  self->finder = self->watched;
  self->finder.begin_time = NAN;
  self->finder.interpolated = mbs_difference_rounding * (to - from);
  self->times.begin = from;
  self->times.step_end = to;
  self->times.switching = 0;
  const seam_status status = find_switch(self, from, to, NULL);
  const bool is_found = status == SEAM_OK && self->times.switching != 0;
  const seam_kink found = is_found ? self->times.next : (seam_kink){INFINITY, INFINITY};
  *number = (int)self->times.switching - 1;
  self->watched = self->finder;
  self->finder = acting;
  self->times = times;
  self->is_explained = is_explained;
  return found;
}

/* ---- Steps ---- */

static seam_status report_piece(mbs_integrator *self, double from, double to, seam_error *error) {
  const mbs_step_piece piece = {from, to, from == self->times.begin};
  return self->steps.hear != NULL && to > from ? self->steps.hear(self->steps.context, &piece, error) : SEAM_OK;
}

/* Takes one step, and finds the first switch in it. Without one, a corner of an earlier attempt remains the next. */
static seam_status take_step(mbs_integrator *self, double from, double t, seam_error *error) {
  mbs_times *times = &self->times;
  const size_t known = times->switching;
  seam_status status = has_early_stops(self) && self->finder.corners.n > 0 ? read_begin(self, from, error) : SEAM_OK;
  if (has_early_stops(self) && from == times->last_switch)
    THEN(status, find_rates(self, mbs_piece_shift * (from - times->step), NULL, self->finder.begin, error));
  const bool stops = status == SEAM_OK && stop_early(self, from);
  THEN(status, seam_integrator_extend(self->integrator, t, error));
  if (stops)
    mbs_integrator_apply_stop(self);
  const double to = fmin(seam_integrator_end(self->integrator), times->next.before);
  if (status != SEAM_OK || self->finder.n == 0 || !(to > from))
    return status;
  times->switching = 0;
  TRY(find_switch(self, from, to, error));
  if (times->switching == 0)
    times->switching = known;
  else if (known == 0) {
    times->memory = seam_integrator_step_memory(self->integrator);
    times->step_end = seam_integrator_end(self->integrator);
  }
  return SEAM_OK;
}

static bool is_at_corner(const mbs_integrator *self) {
  return mbs_integrator_stops_at_corner(self) && seam_integrator_end(self->integrator) >= self->times.next.before;
}

/* Corrects the time of the next corner, which an earlier attempt at this step has found. Uses the argument at the end
 * of the present step, just before the corner. *has_changed: the time has changed by more than round-off. */
static seam_status correct_corner(mbs_integrator *self, bool *has_changed, seam_error *error) {
  mbs_times *times = &self->times;
  mbs_root_finder *finder = &self->finder;
  const size_t number = times->switching - 1;
  finder->may_vanish[row_of(finder, (int)number) - finder->rows] = true;
  const double begin_value = finder->begin_of_step[number];
  const seam_status status = read_at(self, times->next.before, finder->may_vanish, finder->at, error);
  const mbs_switch *f = &finder->at[number];
  const double slope = (f->value - begin_value) / (times->next.before - times->step);
  const double rate = isnan(f->rate) ? slope : f->rate;
  double margin = margin_of(f, rate, times->next.before);
  const double off = (rate < 0 ? f->value / -rate : 0) - margin;
  const bool stays = is_slow(self, margin);
  margin = stays ? 0 : margin;
  *has_changed = !stays && fabs(off) > margin && fabs(off) < mbs_corner_correction * (times->next.before - times->step);
  times->next.before += *has_changed ? off : 0;
  times->next.at = fmax(times->next.before, fmin(times->next.before + 2 * margin, times->step_end));
  return status;
}

/* Repeats a step in which a corner was found, up to just before it: states inside a step across the corner also depend
 * on the law after it. Repeats until the time of the corner no longer changes, at most MBS_MAX_CORNER_REPEATS times. */
static seam_status repeat_to_corner(mbs_integrator *self, double from, double t, seam_error *error) {
  mbs_times *times = &self->times;
  bool has_changed = is_at_corner(self);
  for (int i = 0; has_changed; i++) {
    if (seam_integrator_end(self->integrator) == times->next.before)
      TRY(correct_corner(self, &has_changed, error));
    if (!has_changed)
      return SEAM_OK;
    if (i == MBS_MAX_CORNER_REPEATS) { /* the time remains inexact: passes the corner where the step ends */
      const double late = fmax(times->next.before - seam_integrator_end(self->integrator), 0);
      times->next.before -= late;
      times->next.at -= late;
      return SEAM_OK;
    }
    self->finder.begin_time = NAN;
    TRY(mbs_integrator_restart_step(self, from, times->next.before, error));
    TRY(take_step(self, from, t, error));
    has_changed = is_at_corner(self);
  }
  return SEAM_OK;
}

seam_status mbs_integrator_step(mbs_integrator *self, double t, seam_error *error) {
  const double from = seam_integrator_end(self->integrator);
  const unsigned before = seam_subnormals_flush();
  seam_status status = take_step(self, from, t, error);
  THEN(status, repeat_to_corner(self, from, t, error));
  if (status == SEAM_OK) { /* the piece must end before a sample, whose time has round-off */
    const double end = fmin(seam_integrator_end(self->integrator), self->times.next.before);
    const double early = self->times.next.at - 2 * mbs_same_time(self->times.next.at);
    const bool is_at_sample = end > early && mbs_integrator_is_sample_at(self, early);
    status = report_piece(self, from, is_at_sample ? early : end, error);
  }
  seam_subnormals_restore(before);
  return status;
}

/* Leaves steps to seam_integrator_advance() if there are no functions to search, no listener and no early stops. Passes
 * a singular configuration if t lies after its extrapolation; otherwise stops before it. */
seam_status mbs_integrator_step_to(mbs_integrator *self, double t, seam_error *error) {
  const bool has_search = self->finder.n > 0 || self->steps.hear != NULL || has_early_stops(self);
  const double to = fmin(t, self->times.next.before);
  if (!has_search || fabs(to - self->times.begin) <= mbs_same_time(to))
    return SEAM_OK;
  while (seam_integrator_end(self->integrator) < fmin(t, self->times.next.at) && !is_at_corner(self)) {
    const double end = seam_integrator_end(self->integrator);
    seam_status status = mbs_integrator_step(self, t, error);
    if (status == SEAM_BECAME_SINGULAR && mbs_integrator_is_crossing(self, end)) {
      if (t <= mbs_crossing_end(self->crossing))
        return SEAM_OK;
      status = report_piece(self, end, mbs_crossing_end(self->crossing), error);
      THEN(status, mbs_integrator_pass_singularity(self, error));
    }
    TRY(status);
  }
  return SEAM_OK;
}
