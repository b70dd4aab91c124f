/* Explicit Runge-Kutta integration of y' = f(t, y), optionally projected onto an invariant after each step.
 *
 * The integrator keeps its last step whole. A state between the ends of that step is found by a shorter step from its
 * beginning, with the same stages and the same accuracy, so asking for states changes nothing in the sequence of
 * steps. All that decides the future is in one block of memory that can be copied out and back, to the bit. */
#ifndef SOLVERS_ERK_H
#define SOLVERS_ERK_H

#include <stddef.h>

#include <seam/status.h>

typedef struct seam_ode {
  size_t n;            /* length of y */
  size_t n_controlled; /* its first entries, whose error is controlled */
  seam_status (*rhs)(void *context, double t, const double *y, double *dy, seam_error *error);
  seam_status (*project)(void *context, double t, double *y, seam_error *error); /* NULL: none */
  void *context;
} seam_ode;

typedef struct seam_erk_options {
  int order;           /* 4, 5 or 8 */
  double rtol, atol;   /* each controlled entry: error of a step below rtol |y| + atol */
  double step;         /* fixed step; 0: adaptive */
  double largest_step;
} seam_erk_options;

typedef struct seam_erk_statistics {
  size_t steps, rejected, evaluations;
  double smallest_step, largest_step; /* of accepted steps; 0 before the first */
} seam_erk_statistics;

typedef struct seam_erk seam_erk;

/* Copies *ode and *options. SEAM_BAD_INPUT for an order without a table, SEAM_NO_MEMORY. */
seam_status seam_erk_create(const seam_ode *ode, const seam_erk_options *options, seam_erk **erk, seam_error *error);
void seam_erk_destroy(seam_erk *erk);

/* Starts at (t, y). Steps end at the stop time, which is infinite until set, and never pass it. */
void seam_erk_start(seam_erk *erk, double t, const double *y);
void seam_erk_set_stop(seam_erk *erk, double t);

/* y (n) at time t, not before the beginning of the last step; no allocation. On failure y is the end of the last good
 * step, *reached its time: SEAM_STEP_FAILED when the error test cannot be met, or what rhs or project returned. */
seam_status seam_erk_advance(seam_erk *erk, double t, double *y, double *reached, seam_error *error);

seam_erk_statistics seam_erk_statistics_of(const seam_erk *erk);
/* Entry of y whose error was largest in the last tried step. */
size_t seam_erk_worst_entry(const seam_erk *erk);

/* The block that decides the future. Restoring takes a block of the same ode, options and program. */
size_t seam_erk_image_size(const seam_erk *erk);
void seam_erk_save(const seam_erk *erk, void *image);
void seam_erk_restore(seam_erk *erk, const void *image);

#endif
