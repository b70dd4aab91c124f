/* Interface of all integrators. The vector y ends with quadratures: integrals that the equations do not depend on. An
 * image is a saved integrator: a block of bytes that restores it. */
#ifndef SOLVERS_STEPPER_H
#define SOLVERS_STEPPER_H

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include <seam/status.h>

#include "solvers/thresholds.h"

typedef struct seam_tolerances {
  double rtol, atol; /* allowed error of an entry in a step: rtol |y| + atol, or as weigh() says */
  double step;       /* fixed step; 0: adaptive */
  double largest_step;
  double time; /* s, time scale of the motion; 0: 1 s */
  /* Writes the allowed errors at y to `weight`: for explicit methods and cvode the errors of the controlled entries
   * (ode.h), for ida and radau of all entries. With atol = 0 an allowed error is rtol times the size of the entry,
   * which is positive. NULL: the allowed error is rtol |y| + atol. */
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

/* Writes positive sizes of n entries, which scale errors and rates. Without weigh() a size is |y| + 1. */
static inline void seam_sizes(const seam_tolerances *of, size_t n, const double *y, double *size) {
  seam_weigh(of, n, 1, of->weigh != NULL ? 0 : 1, y, size);
}

typedef struct seam_statistics {
  size_t steps, rejected;
  size_t evaluations;                 /* number of evaluations of the right-hand side */
  size_t factorisations;              /* number of factorisations of Newton matrices */
  double smallest_step, largest_step; /* lengths of the shortest and of the longest accepted step; 0 before the first */
} seam_statistics;

/* Data that decide the size of the next step; zeros: no step has been taken. */
typedef struct seam_step_memory {
  double next_step, last_error;
  double is_after_jump; /* 1: the integration restarted after a jump of rates or stiffness, which the first step must
                            resolve */
} seam_step_memory;

/* Returns the shortest allowed step at t. h: the proposed step, the time until the stop time, or 0. */
static inline double seam_shortest_step(double t, double h) {
  return seam_roundings_of_step * fabs(t) + seam_least_step * h;
}
/* Returns a lower bound for the guess of the first step. to_go: time until the stop time, may be infinite. */
static inline double seam_shortest_first_step(double t, double to_go) {
  return seam_shortest_first * seam_shortest_step(t, isfinite(to_go) ? to_go : 0);
}

/* Returns the length of a trial step, which shows the change of y' before the first step is chosen. y changes in it by
 * a hundredth of its size or, if larger, by one tolerance ([Hairer-Norsett-Wanner] II.4). slope: y'; weight: allowed
 * errors; unit: time scale. Writes the largest |y'| in tolerances per time scale to *rate. */
static inline double seam_trial_step(size_t n, const double *y, const double *slope, const double *weight, double unit,
                                     double *rate) {
  double size = 0;
  *rate = 0;
  for (size_t i = 0; i < n; i++) {
    size = fmax(size, fabs(y[i]) / weight[i]);
    *rate = fmax(*rate, fabs(slope[i]) / weight[i] * unit);
  }
  const bool is_small = size < seam_first_small || *rate < seam_first_small;
  return unit * (is_small ? seam_first_guess : fmax(seam_first_fraction * size, 1) / *rate);
}

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
  bool is_stalled; /* the last seam_progress_check() found no progress */
  bool may_jump;   /* set by the owner of the integrator: rates may be discontinuous in the state */
} seam_progress;

void seam_progress_begin(seam_progress *self, double t, const seam_statistics *so_far);
/* Call between steps, with the end t of the last step. SEAM_STEP_FAILED: the run would take too many (stepper.c). */
seam_status seam_progress_check(seam_progress *self, double t, double stop, const seam_statistics *so_far,
                                seam_error *error);

typedef struct seam_integrator seam_integrator;

typedef struct seam_integrator_ops {
  seam_status (*start)(seam_integrator *self, double t, const double *y, seam_error *error);
  seam_status (*restart)(seam_integrator *self, double t, const double *y, size_t n,
                         const seam_step_memory *step_memory, seam_error *error);
  /* NULL: steps cannot be repeated. */
  bool (*repeat)(seam_integrator *self, double t, const double *y, size_t n, double end);
  seam_status (*advance)(seam_integrator *self, double t, double *y, double *reached, seam_error *error);
  seam_status (*extend)(seam_integrator *self, double t, seam_error *error);
  size_t (*worst_entry)(const seam_integrator *self);
  seam_status (*restore)(seam_integrator *self, const void *image, seam_error *error);
  void (*destroy)(seam_integrator *self);
} seam_integrator_ops;

/* First member of every integrator. */
struct seam_integrator {
  const seam_integrator_ops *ops;
  seam_interrupt interrupt;
  seam_progress progress;
  size_t image_size;
  void *image; /* (image_size) data that decide future steps; stop, statistics and step_memory point into it */
  double *stop;
  seam_statistics *statistics;
  const seam_step_memory *step_memory; /* NULL: a restart needs no memory */
  const double *end;                   /* end of the last step */
};

/* Fails with SEAM_INTERRUPTED if the interrupt callback returns true. */
static inline seam_status seam_integrator_check_interrupt(const seam_integrator *self, double t, seam_error *error) {
  if (self->interrupt.is_requested == NULL || !self->interrupt.is_requested(self->interrupt.context, t))
    return SEAM_OK;
  return seam_fail(error, SEAM_INTERRUPTED, "interrupted at t = %.9g s; what was computed is kept", t);
}

/* Starts at (t, y) without a stop time. Once a stop time is set, no step goes beyond it; the next start removes it. */
static inline seam_status seam_integrator_start(seam_integrator *self, double t, const double *y, seam_error *error) {
  return self->ops->start(self, t, y, error);
}
static inline void seam_integrator_set_stop(seam_integrator *self, double t) { *self->stop = t; }

/* Starts as seam_integrator_start(), but statistics continue. Until the next start only the first n entries of y are
 * integrated. Explicit one-step methods can leave quadratures out; other methods need all of y (SEAM_BAD_INPUT).
 * One-step methods continue with *step_memory; ida and cvode begin with order 1 and choose their first step. */
static inline seam_status seam_integrator_restart(seam_integrator *self, double t, const double *y, size_t n,
                                                  const seam_step_memory *step_memory, seam_error *error) {
  return self->ops->restart(self, t, y, n, step_memory, error);
}
/* Restarts at t, the time of the last start, from a slightly different y (n). The next steps have the same lengths as
 * the adaptive steps since that start, without error tests; the step-size memory becomes what it was after the last of
 * those steps. Returns false and does nothing in these cases: the last start was not at t; the last step did not end at
 * `end`; since the start there was no step, or more than SEAM_MAX_REPEATED_STEPS; a restart cannot take n entries;
 * steps are fixed; the method is ida or cvode. */
static inline bool seam_integrator_repeat(seam_integrator *self, double t, const double *y, size_t n, double end) {
  return self->ops->repeat != NULL && self->ops->repeat(self, t, y, n, end);
}
/* Returns the step-size memory for a restart at the end of the last step. */
static inline seam_step_memory seam_integrator_step_memory(const seam_integrator *self) {
  return self->step_memory != NULL ? *self->step_memory : (seam_step_memory){0};
}

/* Takes steps until t is reached; writes y at t, and t to *reached. t must not be before the beginning of the last
 * step. On failure y is the state at *reached, the end of the last good step. If only the state inside the last step
 * fails, *reached is the beginning of this step (ida and cvode: its end). Fails with SEAM_STEP_FAILED if the error test
 * fails or seam_progress_check() finds no progress, with SEAM_INTERRUPTED, or with an error of the equations. */
static inline seam_status seam_integrator_advance(seam_integrator *self, double t, double *y, double *reached,
                                                  seam_error *error) {
  return self->ops->advance(self, t, y, reached, error);
}
/* Returns the end of the last step; states are available from its beginning to its end. */
static inline double seam_integrator_end(const seam_integrator *self) { return *self->end; }
/* Takes one more step; t must be later than the end of the last step. Fails as seam_integrator_advance(). */
static inline seam_status seam_integrator_extend(seam_integrator *self, double t, seam_error *error) {
  return self->ops->extend(self, t, error);
}
static inline seam_statistics seam_integrator_statistics(const seam_integrator *self) { return *self->statistics; }
/* Returns the entry of y with the largest error in the last attempted step. */
static inline size_t seam_integrator_worst_entry(const seam_integrator *self) { return self->ops->worst_entry(self); }

/* Image (head of this file): seam_integrator_image_size() bytes. Only the same program may restore it, into an
 * integrator of the same equations and method. */
static inline size_t seam_integrator_image_size(const seam_integrator *self) { return self->image_size; }
static inline void seam_integrator_save(const seam_integrator *self, void *image) {
  memcpy(image, self->image, self->image_size);
}
static inline seam_status seam_integrator_restore(seam_integrator *self, const void *image, seam_error *error) {
  return self->ops->restore(self, image, error);
}
static inline void seam_integrator_destroy(seam_integrator *self) {
  if (self != NULL)
    self->ops->destroy(self);
}

#endif
