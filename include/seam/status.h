/** @file
 * Status codes and messages, common to every module of Seam.
 *
 * Misuse: an argument of NULL (unless NULL has a meaning), a list of NULL that is not empty, a number out of range or
 * not finite, an invalid enumerator, times or calls in the wrong order, a state of a model with other counts. Functions
 * that return a status refuse misuse with SEAM_BAD_INPUT, or with SEAM_BAD_STATE if a start is missing, and change
 * nothing. Functions without a status do nothing, or return NULL for texts and pointers, SEAM_NONE for numbers of
 * elements, false, a count of 0, NaN for values.
 *
 * Undefined: an invalid pointer, an object of another type, a list or text shorter than declared, a text without end, a
 * second X_destroy() of an object, use of one object in two threads at once, a change of a constant object in use, a
 * law or part that breaks the rules of its header. */
#ifndef SEAM_STATUS_H
#define SEAM_STATUS_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Index that means none: no such name, no such element. */
#define SEAM_NONE ((size_t)-1)

#if defined(__GNUC__)
#define SEAM_PUBLIC __attribute__((visibility("default")))
#define SEAM_PRINTF(format_index, first_argument) __attribute__((format(printf, format_index, first_argument)))
#else
#define SEAM_PUBLIC
#define SEAM_PRINTF(format_index, first_argument)
#endif

/** Table of errors. Arguments of X: code, exit status of the command, text. Exit status 1: the simulation failed; 2:
 * the input is wrong or cannot be assembled; 3: the run is complete, but its results are wrong. */
#define SEAM_STATUS_TABLE(X)                                                                                           \
  X(SEAM_OK, 0, "done")                                                                                                \
  X(SEAM_BAD_INPUT, 2, "the input is wrong")                                                                           \
  X(SEAM_NOT_ASSEMBLED, 2, "the mechanism cannot be assembled")                                                        \
  X(SEAM_SINGULAR, 2, "the constraints are redundant or the configuration is singular")                                \
  X(SEAM_BAD_STATE, 2, "the saved state does not belong to this model")                                                \
  X(SEAM_NO_FILE, 2, "the file cannot be read or written")                                                             \
  X(SEAM_NO_MEMORY, 1, "memory is exhausted")                                                                          \
  X(SEAM_NOT_FINITE, 1, "a value is not finite")                                                                       \
  X(SEAM_STEP_FAILED, 1, "the integrator's step size became too small")                                                \
  X(SEAM_NOT_CONVERGED, 1, "Newton's iteration does not converge")                                                     \
  X(SEAM_CONSTRAINT_LOST, 1, "the constraints cannot be met any more")                                                 \
  X(SEAM_BECAME_SINGULAR, 1, "the configuration became singular on the way")                                           \
  X(SEAM_JAMMED, 1, "contacts have no forces that fit together")                                                       \
  X(SEAM_BECAME_UNSTABLE, 1, "the co-simulation became unstable")                                                      \
  X(SEAM_INTERRUPTED, 1, "interrupted")                                                                                \
  X(SEAM_WRONG, 3, "wrong")                                                                                            \
  X(SEAM_FMU_FAILED, 1, "an FMU failed")

typedef enum seam_status {
#define SEAM_STATUS_CODE(code, exit_status, text) code,
  SEAM_STATUS_TABLE(SEAM_STATUS_CODE)
#undef SEAM_STATUS_CODE
} seam_status;

/** The name of SEAM_WRONG up to version 0.2. */
#define SEAM_SUSPECT SEAM_WRONG

/** Error of a function: problem, location, cause and fix. Zero-initialise it before the first use; only functions that
 * fail write it. NULL may be passed instead. */
typedef struct seam_error {
  seam_status status;
  char message[1024]; /**< no trailing newline */
  char subject[64];   /**< element of the definition that caused the error; empty: none */
} seam_error;

/** Interrupt callback. `is_requested` is called after every step with the step's time t in s; if it returns true, the
 * run ends with SEAM_INTERRUPTED. NULL: the run is never interrupted. */
typedef struct seam_interrupt {
  bool (*is_requested)(void *context, double t);
  void *context;
} seam_interrupt;

/** `context` of seam_interrupt_seldom(), which calls `often` at most once per `interval` s of wall time: for callbacks
 * that cost more than a step, such as those of other languages. Each run needs its own object. */
typedef struct seam_seldom {
  seam_interrupt often;
  double interval; /**< s */
  double next;     /**< s, time of the next call, by an internal clock; 0 at first */
} seam_seldom;

/** A function for seam_interrupt.is_requested: calls `often` if `interval` has passed since the last call and returns
 * its result; else returns false. */
SEAM_PUBLIC bool seam_interrupt_seldom(void *seldom, double t);

/** Returns the text of a status; static storage. */
SEAM_PUBLIC const char *seam_status_text(seam_status status);

/** Returns the command's exit status (0 to 3) for a status. */
SEAM_PUBLIC int seam_status_exit(seam_status status);

/** Fills *error (if not NULL) with a status and a formatted message; returns the status, so that a function can end
 * with `return seam_fail(error, SEAM_BAD_INPUT, "...")`. */
SEAM_PUBLIC seam_status seam_fail(seam_error *error, seam_status status, const char *format, ...) SEAM_PRINTF(3, 4);

/** Does the same as seam_fail(). Also stores the name of the element, such as a coupling, that caused the error. */
SEAM_PUBLIC seam_status seam_fail_about(seam_error *error, seam_status status, const char *subject, const char *format,
                                        ...) SEAM_PRINTF(4, 5);

/** Frees a text that the library allocated for its caller, for languages without free(). NULL is allowed. */
SEAM_PUBLIC void seam_text_free(char *text);

/** Version of the headers and the library. */
#define SEAM_VERSION_MAJOR 0
#define SEAM_VERSION_MINOR 3
#define SEAM_VERSION_PATCH 0

/** Version of the library, "major.minor.patch"; static storage. */
SEAM_PUBLIC const char *seam_version(void);

#ifdef __cplusplus
}
#endif
#endif
