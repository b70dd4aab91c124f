/* Common part of the integrators ida and cvode, which call IDAS and CVODES of SUNDIALS.
 *
 * SUNDIALS keeps the past steps to itself. So an image (stepper.h) has only the state at the last advance, the stop
 * time and the statistics. A restored integrator begins there with a new first step of order 1. It is as accurate as
 * the saved one, but not equal to it. Runs restored from one image are equal to the bit. */
#ifndef SOLVERS_MULTISTEP_H
#define SOLVERS_MULTISTEP_H

#include <sundials/sundials_config.h>
#include <sundials/sundials_context.h>

#include "solvers/stepper.h"

/* ---- SUNDIALS 6.4 to 7: Seam uses the names of 7 ---- */

/* Turns SUNDIALS's messages off, because Seam's messages give time and cause. In version 7 a context without logger
 * prints no message; in version 6 each solver prints its messages. */
#if SUNDIALS_VERSION_MAJOR < 7
#define SUN_SUCCESS 0
#define SUN_COMM_NULL NULL
#define SUNDIALS_SILENCE(solver, set_file) ((void)set_file(solver, NULL))
#else
#include <sundials/sundials_errors.h>
#define SUNDIALS_SILENCE(solver, set_file) ((void)(solver))
#endif

/* ---- The integrators ---- */

typedef struct seam_multistep seam_multistep;

/* Meaning of a flag that SUNDIALS returned. */
typedef struct seam_multistep_failure {
  int flag;
  seam_status status;
  const char *text;
} seam_multistep_failure;

typedef struct seam_multistep_method {
  const char *name, *library;             /* "ida", "IDAS" */
  const seam_multistep_failure *failures; /* the last entry has the text NULL */
  bool restarts_after_failure;            /* after a failure the method restarts from the last good state */
  void (*begin)(seam_multistep *self);    /* forgets all steps: the next one starts at (now->t, y_now) */
  /* Takes one step from self->end, then updates self->end. */
  seam_status (*step)(seam_multistep *self, seam_error *error);
  /* Sets y_now to the state at t, inside the last step; never fails at the step's end. */
  seam_status (*find_state)(seam_multistep *self, double t, seam_error *error);
  size_t (*worst_entry)(const seam_multistep *self);
  void (*destroy)(seam_multistep *self); /* frees the members that multistep.c does not free */
} seam_multistep_method;

/* First part of the image; y follows. */
typedef struct seam_multistep_state {
  double t, stop;
  seam_statistics statistics;
} seam_multistep_state;

/* First member of ida and cvode. */
struct seam_multistep {
  seam_integrator base;
  const seam_multistep_method *method;
  size_t n;                  /* length of y with its quadratures */
  seam_multistep_state *now; /* the image: data of the state returned last; y_now follows */
  double *y_now;             /* (n) */
  double end;                /* end of the last step */
  double resolution;         /* a time that is closer to `end` than `resolution` counts as `end` */
  seam_error next_begin;     /* result of begin_step() for the next step */
  seam_error cause;          /* error of the equations in the present step; status SEAM_OK: no error */
  SUNContext context;
};

/* Initialises *self, which must be zero. False: no memory; seam_integrator_destroy() frees *self also then. */
bool seam_multistep_begin(seam_multistep *self, const seam_multistep_method *method, size_t n);

/* Stores the `status` of a callback in self->cause unless it is SEAM_OK. Returns the reply to SUNDIALS: 0, "go on"; 1,
 * "try a smaller step"; -1, "give up". */
int seam_multistep_callback_result(seam_multistep *self, seam_status status);

/* Writes the message for SUNDIALS's `flag`; an error of the equations takes precedence. */
seam_status seam_multistep_explain(const seam_multistep *self, int flag, seam_error *error);

/* Writes the message for settings that SUNDIALS refused. Returns SEAM_NO_MEMORY if `is_memory`, else SEAM_BAD_INPUT. */
seam_status seam_multistep_refuse(const seam_multistep *self, int flag, bool is_memory, seam_error *error);

#endif
