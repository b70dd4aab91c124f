/* The step size h follows a PI controller on the method's error ratio e ([Hairer-Wanner] IV.2). k is the order of the
 * error estimate, and e_before is e of the step before, at least 1e-4. A rejected step is repeated with a shorter h:
 *
 *   accepted   h ← h min(5, max(0.2, 0.9 e^(-0.7/k) e_before^(0.4/k)))
 *   rejected   h ← h max(0.1, 0.9 e^(-1/k)),   or h/4 if e is not known
 *
 * After rejections the next step is not longer than the accepted attempt. */
#include "solvers/onestep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arrays.h"
#include "base/then.h"
#include "solvers/thresholds.h"

/* First part of the image. y at the beginning and at the end of the last step follow, then the method's memory. */
typedef struct history {
  size_t n;                     /* present length of y */
  double begin, end;            /* times */
  seam_step_memory step_memory; /* for adaptive steps: proposed step and last error; 0: no step yet */
  double origin;                /* fixed steps: end = origin + count * step */
  double count;
  double stop;
  seam_statistics statistics;
} history;

/* Steps since a start, for repeat(). */
typedef struct steps {
  double begin;
  int n; /* number of steps; only the first SEAM_MAX_REPEATED_STEPS ends are stored */
  double end[SEAM_MAX_REPEATED_STEPS];
  seam_step_memory memory; /* step-size memory after the last step */
} steps;

typedef struct onestep {
  seam_integrator base;
  seam_method *method;
  size_t capacity; /* length of y at creation */
  seam_tolerances tolerances;
  history *past; /* the image; `trial` follows */
  double *y_begin, *y_end, *memory;
  double *trial; /* (n) y at the end of the attempted step or inside the last step */
  bool is_first; /* the method has not attempted a step from (begin, y_begin) */
  steps recorded;
  int n_repeated; /* number of steps of `recorded` repeated so far; -1: steps are not repeated */
} onestep;

static void destroy(seam_integrator *base) {
  onestep *self = (onestep *)base;
  self->method->destroy(self->method);
  free(self->past);
  free(self);
}

/* Prepares for steps from the state in self->past. */
static void begin(onestep *self) {
  self->method->n = self->past->n;
  self->method->tests_error = true;
  seam_progress_begin(&self->base.progress, self->past->end, &self->past->statistics);
  self->is_first = true;
  self->n_repeated = -1;
}

static void begin_at(onestep *self, double t, const double *y, size_t n, seam_statistics so_far) {
  const seam_method *method = self->method;
  *self->past = (history){.n = n, .begin = t, .end = t, .origin = t, .stop = INFINITY, .statistics = so_far};
  memcpy(self->y_begin, y, n * sizeof *y);
  memcpy(self->y_end, y, n * sizeof *y);
  memset(self->memory, 0, (method->n_head > 0 ? method->n_head : method->n_memory) * sizeof *self->memory);
  begin(self);
}

static seam_status start(seam_integrator *base, double t, const double *y, seam_error *error) {
  (void)error;
  onestep *self = (onestep *)base;
  memset(self->memory, 0, self->method->n_memory * sizeof *self->memory); /* so images of equal runs have equal bytes */
  begin_at(self, t, y, self->capacity, (seam_statistics){0});
  self->recorded = (steps){.begin = t};
  return SEAM_OK;
}

static bool is_length(const onestep *self, size_t n) { return n >= self->method->n_least && n <= self->capacity; }

static seam_status restart(seam_integrator *base, double t, const double *y, size_t n,
                           const seam_step_memory *step_memory, seam_error *error) {
  onestep *self = (onestep *)base;
  if (!is_length(self, n))
    return seam_fail(error, SEAM_BAD_INPUT, "t = %.9g s: %zu values cannot be integrated: take from %zu to %zu", t, n,
                     self->method->n_least, self->capacity);
  begin_at(self, t, y, n, self->past->statistics);
  self->past->step_memory = *step_memory;
  self->recorded.begin = t;
  self->recorded.n = 0;
  return SEAM_OK;
}

static bool repeat(seam_integrator *base, double t, const double *y, size_t n, double end) {
  onestep *self = (onestep *)base;
  const steps *recorded = &self->recorded;
  if (recorded->begin != t || recorded->n == 0 || recorded->n > SEAM_MAX_REPEATED_STEPS ||
      recorded->end[recorded->n - 1] != end || !is_length(self, n))
    return false;
  begin_at(self, t, y, n, self->past->statistics);
  self->past->step_memory = recorded->memory;
  self->n_repeated = 0;
  self->method->tests_error = false;
  return true;
}

static size_t worst_entry(const seam_integrator *base) { return ((const onestep *)base)->method->worst_entry; }

static seam_status restore(seam_integrator *base, const void *image, seam_error *error) {
  onestep *self = (onestep *)base;
  history saved;
  memcpy(&saved, image, sizeof saved);
  if (saved.n != 0 && !is_length(self, saved.n))
    return seam_fail(error, SEAM_BAD_STATE, "the saved state holds %zu values, the integrator %zu: save it again",
                     saved.n, self->capacity);
  memcpy(self->past, image, base->image_size);
  self->recorded.n = 0;
  begin(self);
  return SEAM_OK;
}

/* ---- Steps ---- */

static seam_status attempt(onestep *self, double h, double *ratio, seam_error *error) {
  const seam_step_kind kind = self->is_first ? SEAM_NEW_STEP : SEAM_RETRY;
  self->is_first = false;
  self->method->is_after_jump = self->past->step_memory.is_after_jump > 0;
  return self->method->attempt(self->method, self->past->begin, self->y_begin, h, kind, self->memory, self->trial,
                               ratio, error);
}

static void accept(onestep *self, double end) {
  seam_statistics_add_step(&self->past->statistics, end - self->past->begin);
  self->past->end = end;
  memcpy(self->y_end, self->trial, self->method->n * sizeof(double));
  if (self->method->store != NULL)
    self->method->store(self->method, self->memory);
}

/* Returns the end of a step of about h: the stop time if h reaches it, or nearly. If 2 h passes the stop time, the step
 * ends in the middle of the time left. */
static double step_end(const onestep *self, double h) {
  const double t = self->past->begin;
  const double left = self->past->stop - t;
  if (h * seam_last_step >= left)
    return self->past->stop;
  if (h * 2 > left && t + left / 2 > t)
    return t + left / 2;
  return t + h;
}

static void propose(onestep *self, double h, double wanted, double ratio, bool rejected) {
  history *past = self->past;
  const double k = self->method->control_order;
  const double now = fmax(ratio, seam_least_error);
  const double before = past->step_memory.last_error > 0 ? past->step_memory.last_error : now;
  const double factor =
      fmin(seam_largest_growth, fmax(seam_least_growth, seam_safety * pow(now, -0.7 / k) * pow(before, 0.4 / k)));
  const bool is_kept = rejected ? factor > 1 : factor > 1 && factor < self->method->least_growth;
  const double proposed = is_kept ? h : h * factor;
  /* the error of a step that was cut by the stop time says little about longer steps */
  past->step_memory.next_step = h < seam_cut_step * wanted ? fmax(wanted, proposed) : proposed;
  past->step_memory.last_error = fmax(ratio, seam_least_previous_error);
  past->step_memory.is_after_jump = 0;
}

static seam_status adaptive_step(onestep *self, seam_error *error) {
  history *past = self->past;
  seam_error cause = {0};
  if (!(past->step_memory.next_step > 0)) {
    TRY(self->method->initial_step(self->method, past->begin, self->y_begin, &past->step_memory.next_step, error));
    past->step_memory.next_step =
        fmax(past->step_memory.next_step, seam_shortest_first_step(past->begin, past->stop - past->begin));
  }
  double wanted = fmin(past->step_memory.next_step, self->tolerances.largest_step);
  const double shortest = seam_shortest_step(past->begin, wanted);
  for (bool rejected = false;; rejected = true) {
    const double end = step_end(self, fmax(wanted, shortest));
    const double h = end - past->begin;
    if (rejected && !(wanted > shortest))
      return cause.status != SEAM_OK ? seam_fail(error, cause.status, "%s", cause.message)
                                     : seam_fail(error, SEAM_STEP_FAILED,
                                                 "t = %.9g s: the error stays above the tolerance however small the "
                                                 "step: look for a jump, or loosen rtol",
                                                 past->begin);
    double ratio = INFINITY;
    cause.status = attempt(self, h, &ratio, &cause);
    if (cause.status == SEAM_BECAME_SINGULAR) { /* returned by begin_step() */
      self->is_first = true;
      return cause.message[0] != '\0' ? seam_fail(error, cause.status, "%s", cause.message) : cause.status;
    }
    if (cause.status == SEAM_OK && ratio <= 1) {
      propose(self, h, wanted, ratio, rejected);
      accept(self, end);
      if (self->recorded.n < SEAM_MAX_REPEATED_STEPS)
        self->recorded.end[self->recorded.n] = end;
      self->recorded.n++;
      self->recorded.memory = past->step_memory;
      return SEAM_OK;
    }
    past->statistics.rejected++;
    const bool judged = cause.status == SEAM_OK && isfinite(ratio);
    wanted = h * (judged ? fmax(seam_least_repeat, seam_safety * pow(ratio, -1.0 / self->method->control_order))
                         : seam_failed_repeat);
  }
}

/* Takes a step to `end` without an error test. */
static seam_status step_to(onestep *self, double end, seam_error *error) {
  double ratio = 0;
  TRY(attempt(self, end - self->past->begin, &ratio, error));
  accept(self, end);
  return SEAM_OK;
}

static seam_status next_step(onestep *self, seam_error *error) {
  history *past = self->past;
  if (past->end > past->begin) {
    past->begin = past->end;
    memcpy(self->y_begin, self->y_end, self->method->n * sizeof(double));
    self->is_first = true;
  }
  if (past->stop <= past->begin)
    return seam_fail(error, SEAM_BAD_INPUT, "t = %.9g s is not before the stop time %.9g s: set a later one",
                     past->begin, past->stop);
  if (self->n_repeated >= 0 && self->n_repeated < self->recorded.n) {
    TRY(step_to(self, self->recorded.end[self->n_repeated], error));
    self->n_repeated++;
    return SEAM_OK;
  }
  if (self->n_repeated >= 0)
    self->recorded.n = 0;
  self->n_repeated = -1;
  self->method->tests_error = true;
  const double step = self->tolerances.step;
  if (!(step > 0))
    return adaptive_step(self, error);
  double end = past->origin + (past->count + 1) * step;
  const bool stops = end > past->stop - seam_same_step * step;
  if (stops)
    end = past->stop;
  TRY(step_to(self, end, error));
  past->origin = stops ? end : past->origin;
  past->count = stops ? 0 : past->count + 1;
  return SEAM_OK;
}

static seam_status extend(seam_integrator *base, double t, seam_error *error) {
  onestep *self = (onestep *)base;
  const history *past = self->past;
  const double step = self->tolerances.step;
  TRY(seam_integrator_check_interrupt(base, past->end, error));
  const double end = isfinite(past->stop) ? past->stop : t;
  const double left = end - past->end;
  if (step > 0 && left > seam_most_steps * step)
    return seam_fail(error, SEAM_BAD_INPUT,
                     "t = %.9g s: fixed steps of %g s would be %.3g steps to %.9g s: take at least %g s, so that they "
                     "are at most 1e9",
                     past->end, step, left / step, end, left / seam_most_steps);
  if (!(step > 0))
    TRY(seam_progress_check(&base->progress, past->end, past->stop, &past->statistics, error));
  return next_step(self, error);
}

static seam_status advance(seam_integrator *base, double t, double *y, double *reached, seam_error *error) {
  onestep *self = (onestep *)base;
  seam_method *method = self->method;
  const history *past = self->past;
  seam_status status = SEAM_OK;
  while (t > past->end && status == SEAM_OK)
    status = extend(base, t, error);
  if (status != SEAM_OK) {
    *reached = past->end;
    memcpy(y, self->y_end, method->n * sizeof *y);
    return status;
  }
  const double *source = t >= past->end ? self->y_end : self->y_begin;
  if (t > past->begin && t < past->end) { /* inside the last step */
    const seam_step step = {past->begin, past->end, self->y_begin, self->y_end, .is_last = !self->is_first};
    double ratio = 0;
    self->is_first = true;
    if (method->state_inside != NULL)
      status = method->state_inside(method, &step, t, self->memory, self->trial, error);
    else
      status = method->attempt(method, past->begin, self->y_begin, t - past->begin, SEAM_DENSE_OUTPUT, self->memory,
                               self->trial, &ratio, error);
    source = status == SEAM_OK ? self->trial : self->y_begin;
  }
  memcpy(y, source, method->n * sizeof *y);
  *reached = status == SEAM_OK ? t : past->begin;
  return status;
}

static const seam_integrator_ops ops = {
    .start = start,
    .restart = restart,
    .repeat = repeat,
    .advance = advance,
    .extend = extend,
    .worst_entry = worst_entry,
    .restore = restore,
    .destroy = destroy,
};

seam_status seam_onestep_create(seam_method *method, const seam_tolerances *tolerances, seam_integrator **integrator,
                                seam_error *error) {
  onestep *self = calloc(1, sizeof *self);
  const size_t n = method->n;
  if (self == NULL) {
    method->destroy(method);
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for an integrator of %zu values", n);
  }
  self->base.ops = &ops;
  self->method = method;
  method->n_least = method->n_least > 0 ? method->n_least : n;
  self->capacity = n;
  self->tolerances = *tolerances;
  self->base.image_size = sizeof(history) + (2 * n + method->n_memory) * sizeof(double);
  self->past = large_calloc(1, self->base.image_size + n * sizeof *self->trial);
  if (self->past == NULL) {
    destroy(&self->base); /* destroys `method` as well */
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for an integrator of %zu values", n);
  }
  self->y_begin = (double *)(self->past + 1);
  self->y_end = self->y_begin + n;
  self->memory = self->y_end + n;
  self->trial = self->memory + method->n_memory;
  self->base.image = self->past;
  self->base.stop = &self->past->stop;
  self->base.statistics = method->count = &self->past->statistics;
  self->base.step_memory = &self->past->step_memory;
  self->base.end = &self->past->end;
  method->next_step = &self->past->step_memory.next_step;
  *self->past = (history){.n = n, .stop = INFINITY};
  *integrator = &self->base;
  return SEAM_OK;
}
