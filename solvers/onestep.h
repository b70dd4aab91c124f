/* Integration by a one-step method: step sizes, stop times, states between steps, images.
 *
 * The integrator keeps its last step whole. A state between the ends of that step is found by the method's interpolant,
 * or by a shorter step from its beginning, so asking for states changes nothing in the sequence of steps. All that
 * decides the future is in one block of memory that can be copied out and back, to the bit. */
#ifndef SOLVERS_ONESTEP_H
#define SOLVERS_ONESTEP_H

#include <stdbool.h>

#include "solvers/stepper.h"

/* The place at which a step begins. */
typedef enum seam_step_kind {
  SEAM_NEW_STEP,    /* at the end of the step that memory describes, for the first time */
  SEAM_RETRY,       /* there, and once more */
  SEAM_DENSE_OUTPUT /* at the beginning of the step that memory describes, and ends inside it: only the state is wanted
                     */
} seam_step_kind;

/* A step that was accepted. */
typedef struct seam_step {
  double begin, end;
  const double *y_begin, *y_end;
  bool is_last; /* the method has attempted nothing since */
} seam_step;

/* A one-step method. Functions get `self`, which the integrator owns and destroys. */
typedef struct seam_method {
  size_t n;          /* length of y with its quadratures at present; the most at creation */
  size_t n_least;    /* y may be cut to so many; 0: it may not be cut */
  size_t n_memory;   /* numbers that one step hands to the next, beside y */
  size_t n_head;     /* the first of them, without which the others mean nothing: a restart clears them alone; 0: all */
  int control_order; /* the error estimate is O(h ^ control_order); 0: none, fixed steps only */
  /* A step of length h from (t, y) to `end`; *ratio is its error over the tolerance (not wanted inside a step, and
   * ignored when control_order is 0).
   * memory (n_memory) is what `store` wrote last, zeros at the start. */
  seam_status (*attempt)(void *self, double t, const double *y, double h, seam_step_kind kind, const double *memory,
                         double *end, double *ratio, seam_error *error);
  /* Writes the memory of the step attempted last, which was accepted; NULL: none. */
  void (*store)(const void *self, double *memory);
  /* The state at t inside the step; what it finds out about the step goes to its memory. NULL: a shorter step does. */
  seam_status (*state_inside)(void *self, const seam_step *step, double t, double *memory, double *y,
                              seam_error *error);
  /* A first step size from (t, y); NULL with control_order 0. */
  seam_status (*initial_step)(void *self, double t, const double *y, double *h, seam_error *error);
  void (*destroy)(void *self);
  size_t worst_entry;      /* written by attempt */
  double least_growth;     /* likewise: a step that could grow by less keeps its length; 0: any growth is taken */
  seam_statistics *count;  /* evaluations and factorisations are counted here by the method; set by the integrator */
  const double *next_step; /* of adaptive steps: as long as the next one may be; set by the integrator */
  bool is_judged;          /* adaptive steps: the error ratio is wanted; set by the integrator */
} seam_method;

/* Takes `method`, the first member of a larger object, which is destroyed with the integrator or on failure. */
seam_status seam_onestep_create(seam_method *method, const seam_tolerances *tolerances, seam_integrator **integrator,
                                seam_error *error);

#endif
