/** @file
 * Status codes and messages, common to every module of Seam.
 *
 * Misuse. Functions that return a status refuse with SEAM_BAD_INPUT, or SEAM_BAD_STATE where a start is missing, and
 * change nothing: arguments that are NULL (but where NULL has a meaning), lists that are NULL but not empty, numbers
 * out of range or not finite, enumerators that do not exist, times and calls in the wrong order, states of a model with
 * other numbers. Functions that return no status do nothing with such arguments, or answer "nothing": NULL for texts
 * and pointers, SEAM_NONE for numbers of elements, false, a count of 0, NaN for values.
 *
 * Undefined: pointers to what was destroyed or never existed, objects of another type, lists and texts shorter than
 * they are said to be, texts without end, a second X_destroy() of one object, use of one object in two threads at once,
 * change of what must stay while it is in use, laws and parts that do not do what their headers ask for. */
#ifndef SEAM_STATUS_H
#define SEAM_STATUS_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Index that stands for none: no such name, no such element. */
#define SEAM_NONE ((size_t)-1)

#if defined(__GNUC__)
#define SEAM_PUBLIC __attribute__((visibility("default")))
#define SEAM_PRINTF(format_index, first_argument) __attribute__((format(printf, format_index, first_argument)))
#else
#define SEAM_PUBLIC
#define SEAM_PRINTF(format_index, first_argument)
#endif

/** The one error table. Columns: code, exit status of the command, text.
 * Exit status 2: the input is wrong or cannot be assembled. 1: the simulation failed. 3: done, but not to be trusted.
 */
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
  X(SEAM_WRONG, 3, "wrong")

typedef enum seam_status {
#define SEAM_STATUS_CODE(code, exit_status, text) code,
  SEAM_STATUS_TABLE(SEAM_STATUS_CODE)
#undef SEAM_STATUS_CODE
} seam_status;

/** The name of SEAM_WRONG up to version 0.2. */
#define SEAM_SUSPECT SEAM_WRONG

/** Error of a function: what went wrong, where, why and how to fix it. Zero-initialise it before the first use;
 * functions that fail write it, functions that succeed leave it alone. NULL may be passed instead. */
typedef struct seam_error {
  seam_status status;
  char message[1024]; /**< no trailing newline */
  char subject[64];   /**< the element of the definition that the message is about; empty: none */
} seam_error;

/** Interrupt callback, called after every step with its time in s: true ends the run with SEAM_INTERRUPTED.
 * `is_requested` NULL: never. */
typedef struct seam_interrupt {
  bool (*is_requested)(void *context, double t);
  void *context;
} seam_interrupt;

/** Calls `often` no more than once in `interval` s of wall time: for callbacks that cost more than a step, as those of
 * other languages do. It is the `context` of seam_interrupt_seldom(), for one run at a time. */
typedef struct seam_seldom {
  seam_interrupt often;
  double interval; /**< s */
  double next;     /**< s, of a clock of its own; 0 at first */
} seam_seldom;

/** An is_requested: returns the result of `often` when it is called, else false. */
SEAM_PUBLIC bool seam_interrupt_seldom(void *seldom, double t);

/** Text of a status; static storage. */
SEAM_PUBLIC const char *seam_status_text(seam_status status);

/** Exit status (0 to 3) that the command gives for a status. */
SEAM_PUBLIC int seam_status_exit(seam_status status);

/** Fills *error (when not NULL) with a status and a formatted message; returns the status, so that a function can end
 * with `return seam_fail(error, SEAM_BAD_INPUT, "...")`. */
SEAM_PUBLIC seam_status seam_fail(seam_error *error, seam_status status, const char *format, ...) SEAM_PRINTF(3, 4);

/** The same about an element of the definition, such as a coupling or a subsystem, by its name. */
SEAM_PUBLIC seam_status seam_fail_about(seam_error *error, seam_status status, const char *subject, const char *format,
                                        ...) SEAM_PRINTF(4, 5);

/** free() of a text that the library made for its caller: for languages that have no free(). NULL is allowed. */
SEAM_PUBLIC void seam_text_free(char *text);

/** Version of the headers; the build takes the library's version from here. */
#define SEAM_VERSION_MAJOR 0
#define SEAM_VERSION_MINOR 3
#define SEAM_VERSION_PATCH 0

/** Version of the library, "major.minor.patch"; static storage. */
SEAM_PUBLIC const char *seam_version(void);

#ifdef __cplusplus
}
#endif
#endif
