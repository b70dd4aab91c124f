#include "fmi/guard.h"

#include <fcntl.h>
#include <locale.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/scratch.h"
#include "fmi/thresholds.h"

#ifndef __GLIBC__ /* web/platform.c then defines it */
int on_exit(void (*end)(int status, void *context), void *context);
#endif

/* ---- State of the process ---- */

static const int saved_signals[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGILL,  SIGTRAP, SIGABRT, SIGFPE,    SIGBUS,
                                    SIGSEGV, SIGPIPE, SIGALRM, SIGTERM, SIGCHLD, SIGXFSZ, SIGVTALRM, SIGSYS};
enum { N_SIGNALS = sizeof saved_signals / sizeof *saved_signals, N_STREAMS = 3, FIRST_COPY = 10 };

/* State of the process before guarded calls of the thorough kind, which restore all of it. Several may run at once, in
 * any thread: the first of them saves the state, and each restores it at its end. */
static struct {
  pthread_mutex_t lock;
  int n_calls;
  int folder; /* descriptor of the working directory; -1: it cannot be opened */
  struct sigaction actions[N_SIGNALS];
  int copies[N_STREAMS]; /* copies of the standard streams; -1: the stream was closed */
  struct stat streams[N_STREAMS];
  mode_t mask;
} process = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* State of a process that catches crashes, saved once: later only FMUs change it. */
static bool has_saved_mask;
static mode_t saved_mask;
static int saved_streams[N_STREAMS] = {-1, -1, -1};

void fmi_guard_check_streams(void) {
  for (int i = 1; i < N_STREAMS; i++)
    if (saved_streams[i] >= 0 && fcntl(i, F_GETFD) < 0)
      dup2(saved_streams[i], i);
}

static void save_process(void) {
  pthread_mutex_lock(&process.lock);
  if (process.n_calls++ == 0) {
    process.mask = has_saved_mask ? saved_mask : umask(0);
    umask(process.mask);
    process.folder = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    for (int i = 0; i < N_SIGNALS; i++)
      sigaction(saved_signals[i], NULL, &process.actions[i]);
    for (int i = 0; i < N_STREAMS; i++) {
      process.copies[i] = fcntl(i, F_DUPFD_CLOEXEC, FIRST_COPY);
      if (process.copies[i] >= 0)
        fstat(i, &process.streams[i]);
    }
  }
  pthread_mutex_unlock(&process.lock);
}

static void restore_process(void) {
  pthread_mutex_lock(&process.lock);
  umask(process.mask);
  if (process.folder < 0 || fchdir(process.folder) == 0) {
    for (int i = 0; i < N_SIGNALS; i++)
      sigaction(saved_signals[i], &process.actions[i], NULL);
    for (int i = 0; i < N_STREAMS; i++) {
      struct stat now;
      const struct stat *before = &process.streams[i];
      if (process.copies[i] >= 0 &&
          (fstat(i, &now) != 0 || now.st_dev != before->st_dev || now.st_ino != before->st_ino))
        dup2(process.copies[i], i);
    }
  }
  const bool is_last = --process.n_calls == 0;
  if (is_last && process.folder >= 0)
    close(process.folder);
  for (int i = 0; i < N_STREAMS && is_last; i++)
    if (process.copies[i] >= 0)
      close(process.copies[i]);
  pthread_mutex_unlock(&process.lock);
}

/* ---- Calls ---- */

/* The innermost call of this thread. With this TLS model the engine of exported FMUs does not need ld-linux.so. */
static _Thread_local fmi_guard *current __attribute__((tls_model("initial-exec")));
static atomic_int n_running;

void fmi_guard_enter(fmi_guard *self, const char *name, const char *function, double t, bool is_thorough) {
  self->outer = current;
  self->name = name;
  self->function = function;
  self->t = t;
  self->crash = 0;
  self->is_thorough = is_thorough;
  fegetenv(&self->environment);
  const char *locale = setlocale(LC_ALL, NULL);
  self->locale[0] = '\0';
  if (locale != NULL && strlen(locale) < FMI_LONGEST_LOCALE)
    memcpy(self->locale, locale, strlen(locale) + 1);
  if (is_thorough)
    save_process();
  atomic_fetch_add_explicit(&n_running, 1, memory_order_relaxed);
  current = self;
}

static void test_process(const fmi_guard *call);

void fmi_guard_leave(fmi_guard *self) {
  fesetenv(&self->environment);
  if (self->crash != 0)
    test_process(self);
  current = self->outer;
  atomic_fetch_sub_explicit(&n_running, 1, memory_order_relaxed);
  const char *locale = setlocale(LC_ALL, NULL);
  if (self->locale[0] != '\0' && (locale == NULL || strcmp(locale, self->locale) != 0))
    setlocale(LC_ALL, self->locale);
  if (self->is_thorough)
    restore_process();
}

void fmi_guard_call_back(void (*callback)(void *context, double t), void *context, double t) {
  fenv_t of_fmu;
  fegetenv(&of_fmu);
  if (current != NULL)
    fesetenv(&current->environment);
  callback(context, t);
  fesetenv(&of_fmu);
}

/* ---- Crashes ---- */

static pid_t owner; /* process that catches crashes; its children remove no folders and print nothing */
static timer_t timer;
static atomic_bool has_crashed;
static char last_message[512]; /* message for exit_with_message(); prepared before the process is tested */

bool fmi_guard_has_crashed(void) { return has_crashed; }

static void exit_with_message(void) {
  if (getpid() != owner)
    _exit(1);
  const ssize_t written = write(STDERR_FILENO, last_message, strlen(last_message));
  scratch_remove_all();
  _exit(written < 0 ? 2 : 1);
}

static void on_timeout(int number) {
  (void)number;
  exit_with_message();
}

/* Ends the process after some seconds, with last_message; 0 cancels this. A child has no timer: alarm() ends it. */
static void limit_time(unsigned seconds) {
  if (getpid() == owner)
    timer_settime(timer, 0, &(struct itimerspec){.it_value = {.tv_sec = seconds}}, NULL);
  else
    alarm(seconds);
}

void fmi_guard_report(const fmi_guard *self, char *text, size_t size) {
  if (self->crash == FMI_EXITED)
    snprintf(text, size, "ended the process in %s(), by exit(%d)", self->function, self->exit_status);
  else
    snprintf(text, size, "crashed in %s(), by signal %d (%s)", self->function, self->crash, strsignal(self->crash));
}

static void prepare_message(const fmi_guard *call) {
  char how[256];
  fmi_guard_report(call, how, sizeof how);
  snprintf(last_message, sizeof last_message,
           "seam: t = %.9g s: the FMU of '%.100s' %s; the rows written before it are kept\n", call->t, call->name, how);
}

/* A crash may have corrupted memory or left a lock. Allocates memory and flushes output; if this blocks or faults, the
 * process ends with a message. */
static void test_process(const fmi_guard *call) {
  prepare_message(call);
  has_crashed = true;
  limit_time(FMI_LONGEST_TEST);
  for (size_t size = 1; size <= FMI_LARGEST_TEST_BLOCK; size *= 2) {
    void *volatile taken = malloc(size);
    free(taken);
  }
  fflush(NULL);
  limit_time(0);
}

/* Handles a fault. Within a call, ends the call; in test_process(), ends the process with a message; outside of calls,
 * ends the process as it would without this handler. */
static void on_crash(int number) {
  fmi_guard *call = current;
  if (call != NULL && call->crash != 0)
    exit_with_message();
  if (call != NULL) {
    call->crash = number;
    siglongjmp(call->back, 1);
  }
  if (getpid() == owner)
    scratch_remove_all();
  (void)signal(number, SIG_DFL);
  raise(number);
}

/* Handles exit(). In a call on the main thread it ends the call; in another thread of an FMU it ends the process with a
 * message. An exit() of the command ends the process with its status. The C library holds no locks while handlers run;
 * glibc runs the remaining handlers in the thread's next exit(). */
static void on_end(int status, void *context) {
  (void)context;
  fmi_guard *call = current;
  if (getpid() != owner || (call == NULL && atomic_load(&n_running) == 0 && !has_crashed))
    return;
  if (call != NULL && call->crash == 0 && gettid() == owner) {
    call->crash = FMI_EXITED;
    call->exit_status = status;
    on_exit(on_end, NULL);
    siglongjmp(call->back, 1);
  }
  fflush(NULL);
  if (call == NULL && has_crashed) {
    scratch_remove_all();
    _exit(status);
  }
  if (call != NULL)
    prepare_message(&(fmi_guard){
        .name = call->name, .function = call->function, .t = call->t, .crash = FMI_EXITED, .exit_status = status});
  else
    snprintf(last_message, sizeof last_message,
             "seam: a thread of an FMU ended the process, by exit(%d); the rows written before it are kept\n", status);
  exit_with_message();
}

/* Handles quick_exit() as exit(0): handlers do not get its status. Seam never calls it. */
static void on_quick_end(void) {
  fmi_guard *call = current;
  if (getpid() != owner || (call == NULL && atomic_load(&n_running) == 0))
    return;
  at_quick_exit(on_quick_end);
  on_end(0, NULL);
}

void fmi_guard_catch_crashes(void) {
  enum { STACK = 1 << 16 };
  static const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP};
  static char stack[STACK];
  struct sigaction action = {.sa_handler = on_crash, .sa_flags = SA_ONSTACK | SA_NODEFER};
  struct sigevent when_over = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGVTALRM};
  owner = getpid();
  has_saved_mask = true;
  umask(saved_mask = umask(0));
  for (int i = 1; i < N_STREAMS; i++)
    saved_streams[i] = fcntl(i, F_DUPFD_CLOEXEC, FIRST_COPY);
  sigemptyset(&action.sa_mask);
  sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = sizeof stack}, NULL);
  for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++)
    sigaction(crashes[i], &action, NULL);
  action.sa_handler = on_timeout;
  sigaction(SIGVTALRM, &action, NULL);
  timer_create(CLOCK_MONOTONIC, &when_over, &timer);
  on_exit(on_end, NULL);
  at_quick_exit(on_quick_end);
}
