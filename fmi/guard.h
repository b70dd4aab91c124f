/* Foreign code in this process. A call into an FMU leaves nothing behind but what it returns: the floating-point
 * environment and the locale are saved before it and set again behind it; thorough calls, which are few, save also the
 * working directory, handlers of signals, the signal mask, and the standard streams.
 *
 * A fault within a call, or exit(), ends that call with the status FMI_CRASHED where the process catches crashes, so
 * that results are completed as behind other failures. Elsewhere, as in threads, the process ends with a word. */
#ifndef FMI_GUARD_H
#define FMI_GUARD_H

#include <fenv.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>

enum { FMI_CRASHED = -1, FMI_EXITED = -1, FMI_LONGEST_LOCALE = 512 };

/* A call that is under way, and what it is to leave as it was. */
typedef struct fmi_guard {
  struct fmi_guard *outer; /* of the same thread: an FMU may call back */
  const char *name;        /* of the subsystem, or the file of the FMU */
  const char *function;    /* "fmi2DoStep" */
  double t;                /* s */
  volatile int crash;      /* signal, or FMI_EXITED; 0: none */
  volatile int exit_status;
  bool is_thorough;
  fenv_t modes;
  char locale[FMI_LONGEST_LOCALE];
  sigjmp_buf back;
} fmi_guard;

void fmi_guard_enter(fmi_guard *self, const char *name, const char *function, double t, bool is_thorough);
void fmi_guard_leave(fmi_guard *self);

/* Runs `call` within the guard; a call with a result of int is `code = ...`. Behind a crash guard.crash is the signal.
 */
#define FMI_GUARDED(guard, call)                                                                                       \
  do {                                                                                                                 \
    if (sigsetjmp((guard).back, 0) == 0) {                                                                             \
      call;                                                                                                            \
    }                                                                                                                  \
    fmi_guard_leave(&(guard));                                                                                         \
  } while (0)

/* How such a call ended, as "crashed in fmi2DoStep(), by signal 11 (Segmentation fault)". */
void fmi_guard_report(const fmi_guard *self, char *text, size_t size);

/* Our own code that an FMU calls runs with our floating-point modes; behind it those of the FMU hold again. */
typedef struct fmi_callback {
  fenv_t modes;
} fmi_callback;
void fmi_callback_enter(fmi_callback *self);
void fmi_callback_leave(const fmi_callback *self);

/* Catches faults within calls from now on, in this process. For commands: a library leaves signals to its host. */
void fmi_guard_catch_crashes(void);
/* A call has crashed in this process: its FMU is not unloaded, and the end of the process runs none of its code. */
bool fmi_guard_has_crashed(void);

#endif
