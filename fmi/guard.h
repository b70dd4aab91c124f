/* Protects this process from the code of FMUs. Each call into an FMU saves and restores the floating-point environment
 * and the locale. "Thorough" calls, which are few, also save and restore the working directory, signal handlers, the
 * file mode mask and the standard streams.
 *
 * After fmi_guard_catch_crashes() a fault ends only the call in which it occurs, and so does exit() on the main thread.
 * exit() on another thread ends the process with a message. */
#ifndef FMI_GUARD_H
#define FMI_GUARD_H

#include <fenv.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>

enum { FMI_CRASHED = -1, FMI_EXITED = -1, FMI_LONGEST_LOCALE = 512 };

/* A running call, and the state to restore after it. */
typedef struct fmi_guard {
  struct fmi_guard *outer; /* call of the same thread around this one: an FMU may call back */
  const char *name;        /* name of the subsystem, or path of the FMU */
  const char *function;    /* "fmi2DoStep" */
  double t;                /* s, time of the call */
  volatile int crash;      /* signal, or FMI_EXITED; 0: no crash */
  volatile int exit_status;
  bool is_thorough;
  fenv_t environment;
  char locale[FMI_LONGEST_LOCALE];
  sigjmp_buf back;
} fmi_guard;

void fmi_guard_enter(fmi_guard *self, const char *name, const char *function, double t, bool is_thorough);
void fmi_guard_leave(fmi_guard *self);

/* Runs `call`, as `code = ...`, within the guard. guard.crash is then the signal, FMI_EXITED, or 0: no crash. */
#define FMI_GUARDED(guard, name, function, t, is_thorough, call)                                                       \
  do {                                                                                                                 \
    fmi_guard_enter(&(guard), (name), (function), (t), (is_thorough));                                                 \
    if (sigsetjmp((guard).back, 0) == 0) {                                                                             \
      call;                                                                                                            \
    }                                                                                                                  \
    fmi_guard_leave(&(guard));                                                                                         \
  } while (0)

/* Reopens standard output and error if an FMU closed them and the process catches crashes. For calls that are not
 * thorough. */
void fmi_guard_check_streams(void);

/* Describes how a call ended, as "crashed in fmi2DoStep(), by signal 11 (Segmentation fault)". */
void fmi_guard_report(const fmi_guard *self, char *text, size_t size);

/* Runs a callback from an FMU in the floating-point environment of this process, then restores that of the FMU. */
void fmi_guard_call_back(void (*callback)(void *context, double t), void *context, double t);

/* Catches faults from now on, in all threads. Only for a command: a library leaves signals to its host. */
void fmi_guard_catch_crashes(void);
/* Returns true if a call has crashed. From then on no FMU is unloaded. */
bool fmi_guard_has_crashed(void);

#endif
