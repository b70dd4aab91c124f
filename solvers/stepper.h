/* Interface of all integrators. The vector y ends with quadratures: integrals that the equations do not depend on. An
 * image is a saved integrator: a block of bytes that restores it. */
#ifndef SOLVERS_STEPPER_H
#define SOLVERS_STEPPER_H

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include <seam/status.h>

#include "solvers/thresholds.h"

typedef struct seam_tolerances {
  double rtol, atol; /* a step may err in a controlled entry by rtol |y| + atol, or by the weight of weigh() */
  double step;       /* fixed step; 0: adaptive */
  double largest_step;
  double time; /* s, time scale of the motion; 0: 1 s */
  /* Writes to weight the allowed errors at y for rtol and atol: of the controlled entries for explicit methods and
   * cvode, of all y for ida and radau. With atol = 0 the allowed error is rtol times a positive size of the entry.
   * NULL: rtol |y| + atol. */
  void (*weigh)(void *context, const double *y, double rtol, double atol, double *weight);
  void *context;
} seam_tolerances;

static inline double seam_time_scale(const seam_tolerances *tolerances) {
  return tolerances->time > 0 ? tolerances->time : 1;
}

/* Writes the allowed errors of n entries. */
static inline void seam_weigh(const seam_tolerances *of, size_t n, double rtol, double atol, const double *y,
                              double *weight) {
  if (of->weigh != NULL)
    of->weigh(of->context, y, rtol, atol, weight);
  else
    for (size_t i = 0; i < n; i++)
      weight[i] = rtol * fabs(y[i]) + atol;
}

/* Writes the sizes of n entries; without weigh(): |y| + 1. */
static inline void seam_sizes(const seam_tolerances *of, size_t n, const double *y, double *size) {
  seam_weigh(of, n, 1, of->weigh != NULL ? 0 : 1, y, size);
}

typedef struct seam_statistics {
  size_t steps, rejected;
  size_t evaluations;                 /* number of evaluations of the right-hand side */
  size_t factorisations;              /* number of factorisations of Newton matrices */
  double smallest_step, largest_step; /* bounds of accepted steps; 0 before the first */
} seam_statistics;

/* Data that decide the size of the next step; zeros: no step has been taken. */
typedef struct seam_step_memory {
  double next_step, last_error;
  double is_behind_jump; /* 1: restarted after a jump of rates or stiffness, which the first step must resolve */
} seam_step_memory;

/* Returns the shortest step at t: a few roundings of t plus a tiny part of h. h is the first step or the time until the
 * stop time. */
static inline double seam_shortest_step(double t, double h) {
  return seam_roundings_of_step * fabs(t) + seam_least_step * h;
}
/* Returns the shortest first step. The first step is a guess: the error test may shorten it further. */
static inline double seam_shortest_first_step(double t, double to_go) {
  return seam_shortest_firsts * seam_shortest_step(t, isfinite(to_go) ? to_go : 0);
}

/* Counts an accepted step of length h. */
static inline void seam_statistics_add_step(seam_statistics *count, double h) {
  count->smallest_step = count->steps == 0 ? h : fmin(count->smallest_step, h);
  count->largest_step = fmax(count->largest_step, h);
  count->steps++;
}

/* State of the integrator at the last check of progress. */
typedef struct seam_progress {
  double begin; /* time of the last start */
  double t;
  size_t steps, rejected;
  bool is_lost;  /* seam_progress_check() found that the run would not end */
  bool may_jump; /* set by the owner: rates may jump with the state */
} seam_progress;

/* Defined in progress.c. */
void seam_progress_begin(seam_progress *self, double t, const seam_statistics *so_far);
/* Call after a step that ended at t. SEAM_STEP_FAILED when thousands of steps made no progress. */
seam_status seam_progress_check(seam_progress *self, double t, double stop, const seam_statistics *so_far,
                                seam_error *error);
/* SEAM_BAD_INPUT when more than 1e9 fixed steps are needed from t to the end. */
seam_status seam_fixed_steps_check(double t, double end, double step, seam_error *error);

typedef struct seam_integrator seam_integrator;

typedef struct seam_integrator_ops {
  seam_status (*start)(seam_integrator *self, double t, const double *y, seam_error *error);
  seam_status (*restart)(seam_integrator *self, double t, const double *y, size_t n,
                         const seam_step_memory *step_memory, seam_error *error);
  /* NULL: steps cannot be repeated. */
  bool (*repeat)(seam_integrator *self, double t, const double *y, size_t n, double end);
  seam_step_memory (*step_memory)(const seam_integrator *self);
  void (*set_stop)(seam_integrator *self, double t);
  seam_status (*advance)(seam_integrator *self, double t, double *y, double *reached, seam_error *error);
  double (*end)(const seam_integrator *self);
  seam_status (*extend)(seam_integrator *self, double t, seam_error *error);
  seam_statistics (*statistics)(const seam_integrator *self);
  size_t (*worst_entry)(const seam_integrator *self);
  size_t (*image_size)(const seam_integrator *self);
  void (*save)(const seam_integrator *self, void *image);
  seam_status (*restore)(seam_integrator *self, const void *image, seam_error *error);
  void (*destroy)(seam_integrator *self);
} seam_integrator_ops;

/* First member of every integrator. */
struct seam_integrator {
  const seam_integrator_ops *ops;
  seam_interrupt interrupt;
  seam_progress progress;
};

/* SEAM_INTERRUPTED when the interrupt callback returns true. */
static inline seam_status seam_integrator_check_interrupt(const seam_integrator *self, double t, seam_error *error) {
  if (self->interrupt.is_requested == NULL || !self->interrupt.is_requested(self->interrupt.context, t))
    return SEAM_OK;
  return seam_fail(error, SEAM_INTERRUPTED, "interrupted at t = %.9g s; what was computed is kept", t);
}

/* Starts at (t, y). Steps never pass the stop time, which is infinite until set. */
static inline seam_status seam_integrator_start(seam_integrator *self, double t, const double *y, seam_error *error) {
  return self->ops->start(self, t, y, error);
}
static inline void seam_integrator_set_stop(seam_integrator *self, double t) { self->ops->set_stop(self, t); }

/* Starts as seam_integrator_start(), but statistics continue, and only the first n entries of y are integrated until
 * the next start. Explicit one-step methods can leave quadratures out; other methods need all of y (SEAM_BAD_INPUT).
 * One-step methods continue with the given step-size memory; ida and cvode begin with order 1 and their own first
 * step. */
static inline seam_status seam_integrator_restart(seam_integrator *self, double t, const double *y, size_t n,
                                                  const seam_step_memory *step_memory, seam_error *error) {
  return self->ops->restart(self, t, y, n, step_memory, error);
}
/* Restarts at the time of the last start from a slightly different y. The adaptive steps since then are repeated with
 * the same lengths, without error tests; the step-size memory is the one that they left. Returns false and does nothing
 * if the last start was not at t, the last step did not end at `end`, there were no or more than
 * SEAM_MAX_REPEATED_STEPS steps, steps are fixed, or the method is ida or cvode. */
static inline bool seam_integrator_repeat(seam_integrator *self, double t, const double *y, size_t n, double end) {
  return self->ops->repeat != NULL && self->ops->repeat(self, t, y, n, end);
}
/* Returns the step-size memory for a restart where the last step ended. */
static inline seam_step_memory seam_integrator_step_memory(const seam_integrator *self) {
  return self->ops->step_memory(self);
}

/* Takes steps until t is reached and writes y at t, which must not be before the beginning of the last step. On failure
 * y is the state at *reached: the end of the last good step, or its beginning if the state at t inside it was not
 * found. SEAM_STEP_FAILED when the error test fails or thousands of steps made no progress; SEAM_INTERRUPTED; or an
 * error of the equations. */
static inline seam_status seam_integrator_advance(seam_integrator *self, double t, double *y, double *reached,
                                                  seam_error *error) {
  return self->ops->advance(self, t, y, reached, error);
}
/* Returns the end of the last step; states are available from its beginning to its end. */
static inline double seam_integrator_end(const seam_integrator *self) { return self->ops->end(self); }
/* Takes one more step towards t, which is after the last end. Fails as seam_integrator_advance(). */
static inline seam_status seam_integrator_extend(seam_integrator *self, double t, seam_error *error) {
  return self->ops->extend(self, t, error);
}
static inline seam_statistics seam_integrator_statistics(const seam_integrator *self) {
  return self->ops->statistics(self);
}
/* Returns the entry of y with the largest error in the last attempted step. */
static inline size_t seam_integrator_worst_entry(const seam_integrator *self) { return self->ops->worst_entry(self); }

/* Image: the data that decide all future steps. Restore only with the same equations, method and program. */
static inline size_t seam_integrator_image_size(const seam_integrator *self) { return self->ops->image_size(self); }
static inline void seam_integrator_save(const seam_integrator *self, void *image) { self->ops->save(self, image); }
static inline seam_status seam_integrator_restore(seam_integrator *self, const void *image, seam_error *error) {
  return self->ops->restore(self, image, error);
}
static inline void seam_integrator_destroy(seam_integrator *self) {
  if (self != NULL)
    self->ops->destroy(self);
}

#endif
