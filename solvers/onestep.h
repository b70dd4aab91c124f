/* Integration by a one-step method: step sizes, stop times, states inside steps, images (stepper.h).
 *
 * The integrator stores its last step. A state inside that step comes from the method's interpolant, or from a shorter,
 * separate step with the same beginning. So requests for states do not change the sequence of steps. One block of
 * memory has all data that decide future steps; it can be saved and restored to the bit. */
#ifndef SOLVERS_ONESTEP_H
#define SOLVERS_ONESTEP_H

#include <stdbool.h>

#include "solvers/stepper.h"

/* Purpose of an attempted step. */
typedef enum seam_step_kind {
  SEAM_NEW_STEP,    /* first attempt from the end of the step that `memory` describes */
  SEAM_RETRY,       /* a further attempt from the same time */
  SEAM_DENSE_OUTPUT /* step from the beginning of the step that `memory` describes to a time inside it */
} seam_step_kind;

/* An accepted step. */
typedef struct seam_step {
  double begin, end;
  const double *y_begin, *y_end;
  bool is_last; /* the method has attempted no other step since */
} seam_step;

/* A one-step method. The integrator owns and destroys `self`. */
typedef struct seam_method {
  size_t n;          /* length of y with quadratures: at creation its maximum, later the length at the last start */
  size_t n_least;    /* shortest length of y at a restart; 0: y keeps its length */
  size_t n_memory;   /* length of a step's memory: the values, apart from y, that the next step needs */
  size_t n_head;     /* number of leading values of the memory that a restart sets to zero; 0: all */
  int control_order; /* the error estimate is O(h ^ control_order); 0: no estimate, so only fixed steps */
  /* Takes a step of length h from (t, y). Writes the state at t + h to `end`, and the error divided by the tolerance to
   * *ratio, except for SEAM_DENSE_OUTPUT or control_order 0. memory (n_memory): by the last store(), zeros at first. */
  seam_status (*attempt)(void *self, double t, const double *y, double h, seam_step_kind kind, const double *memory,
                         double *end, double *ratio, seam_error *error);
  /* Writes the memory of the last attempted step, which was accepted; NULL: the method has no memory. */
  void (*store)(const void *self, double *memory);
  /* Writes to y the state at t inside the step; may change the step's memory. NULL: attempt() finds this state. */
  seam_status (*state_inside)(void *self, const seam_step *step, double t, double *memory, double *y,
                              seam_error *error);
  /* Finds a first step size from (t, y); NULL with control_order 0. */
  seam_status (*initial_step)(void *self, double t, const double *y, double *h, seam_error *error);
  void (*destroy)(void *self);
  size_t worst_entry;      /* written by attempt() */
  double least_growth;     /* written by attempt(): a step that would grow by a smaller factor keeps its length; 0: no
                              limit */
  seam_statistics *count;  /* set by the integrator; the method counts evaluations and factorisations */
  const double *next_step; /* set by the integrator: upper bound of the next adaptive step */
  bool is_after_jump;      /* set by the integrator: see seam_step_memory */
  bool tests_error;        /* set by the integrator; false: attempt() repeats a step and need not write *ratio */
} seam_method;

/* Takes ownership of `method`, the first member of a larger object; destroys it with the integrator or on failure. */
seam_status seam_onestep_create(seam_method *method, const seam_tolerances *tolerances, seam_integrator **integrator,
                                seam_error *error);

#endif
