/* The common part of the multistep methods of SUNDIALS, IDAS and CVODES, as integrators.
 *
 * They do not give access to their past steps, so that an image holds the state at the time of the last advance alone,
 * and a restored integrator begins there with order 1. */
#ifndef SOLVERS_MULTISTEP_H
#define SOLVERS_MULTISTEP_H

#include "solvers/stepper.h"
#include "solvers/sundials.h"

typedef struct seam_multistep seam_multistep;

/* A failure of SUNDIALS by its flag, and what it means. */
typedef struct seam_multistep_failure {
  int flag;
  seam_status status;
  const char *text;
} seam_multistep_failure;

typedef struct seam_multistep_method {
  const char *name, *library;             /* "ida", "IDAS" */
  const seam_multistep_failure *failures; /* ended by a row without text */
  bool begins_anew;                       /* after a failure, from the last good state */
  void (*begin)(seam_multistep *self);    /* forgets all steps: the next one begins at (now->t, y_now) */
  /* One step from self->end, which becomes its end. */
  seam_status (*step)(seam_multistep *self, seam_error *error);
  /* y_now at t, inside the last step; at its end this cannot fail. */
  seam_status (*find_state)(seam_multistep *self, double t, seam_error *error);
  size_t (*worst_entry)(const seam_multistep *self);
  void (*destroy)(seam_multistep *self); /* all but what seam_multistep_release() frees */
} seam_multistep_method;

/* Followed in memory by y. */
typedef struct seam_multistep_state {
  double t, stop;
  seam_statistics statistics;
} seam_multistep_state;

/* First member of ida and cvode. */
struct seam_multistep {
  seam_integrator base;
  const seam_multistep_method *method;
  size_t n;                  /* length of y with its quadratures */
  seam_multistep_state *now; /* what was handed out last: the block of image_size() */
  double *y_now;             /* (n) */
  double end;                /* of the last step */
  double resolution;         /* times closer than this to the end are the end */
  seam_error ahead;          /* what the equations answered to the question whether to begin the next step */
  seam_error cause;          /* what the equations said in the present step; SEAM_OK: they did not fail */
  SUNContext context;
};

/* Takes a zeroed object; false when memory is exhausted. Either way seam_integrator_destroy() frees it. */
bool seam_multistep_begin(seam_multistep *self, const seam_multistep_method *method, size_t n);

/* Return value to SUNDIALS of a function that ended with `status`: 0; 1, "try a smaller step"; -1, "give up". */
int seam_multistep_reply(seam_multistep *self, seam_status status);

/* Message for the `flag` that SUNDIALS returned; an error of the equations takes precedence over a failed step. */
seam_status seam_multistep_explain(const seam_multistep *self, int flag, seam_error *error);

/* Message for settings that SUNDIALS refused with `flag`. SEAM_BAD_INPUT; SEAM_NO_MEMORY when `is_memory`. */
seam_status seam_multistep_refuse(const seam_multistep *self, int flag, bool is_memory, seam_error *error);

#endif
