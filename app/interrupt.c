/* The first signal sets a flag and starts a timer. If the command does not poll the flag in time, SIGALRM ends the
 * process; a second signal does so, too. The handler then removes temporary folders and prints a line. */
#include "app/interrupt.h"

#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <seam/fmu.h>

#include "base/scratch.h"

enum { POLL_LIMIT = 200000000 }; /* ns, longest CPU time between a signal and the next poll */

static atomic_bool has_signal, was_polled;
static timer_t poll_timer;

static void end_process(int signal_number) {
  const char *message = "seam: interrupted; nothing was written\n";
  if (signal_number == SIGALRM && was_polled)
    return;
  if (signal_number == SIGALRM)
    message = "seam: interrupted within a step; the rows written before it are kept\n";
  else if (has_signal)
    message = "seam: interrupted twice; the rows written before it are kept\n";
  seam_fmu_remove_unpacked(); /* temporary folders of the library, then those of this command */
  scratch_remove_all();
  const ssize_t written = write(STDERR_FILENO, message, strlen(message));
  _exit(written < 0 ? 2 : 1);
}

static void handle(int signal_number, void (*handler)(int)) {
  struct sigaction action = {0};
  sigaction(signal_number, NULL, &action);
  if (action.sa_handler == SIG_IGN)
    return; /* under nohup, for example, the signal remains ignored */
  action = (struct sigaction){.sa_handler = handler, .sa_flags = SA_RESTART | (int)SA_RESETHAND};
  sigemptyset(&action.sa_mask);
  sigaction(signal_number, &action, NULL);
}

static void request_end(int signal_number) {
  (void)signal_number;
  has_signal = true;
  timer_settime(poll_timer, 0, &(struct itimerspec){.it_value = {.tv_nsec = POLL_LIMIT}}, NULL);
  handle(signal_number, end_process);
}

void interrupt_end_at_once(void) {
  (void)signal(SIGXFSZ, SIG_IGN); /* a write beyond the limit of file sizes then fails with an error */
  handle(SIGINT, end_process);
  handle(SIGTERM, end_process);
  seam_fmu_catch_crashes();
}

/* The timer counts the CPU time of this process, so the load of the machine does not matter. */
void interrupt_catch(void) {
  struct sigevent when_over = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGALRM};
  struct sigaction action = {.sa_handler = end_process, .sa_flags = SA_RESTART};
  sigemptyset(&action.sa_mask);
  sigaction(SIGALRM, &action, NULL);
  timer_create(CLOCK_PROCESS_CPUTIME_ID, &when_over, &poll_timer);
  handle(SIGINT, request_end);
  handle(SIGTERM, request_end);
}

bool interrupt_poll(void) {
  const bool is_requested = has_signal;
  if (is_requested)
    was_polled = true;
  return is_requested;
}

bool interrupt_requested(void *context, double at) {
  (void)context;
  (void)at;
  return interrupt_poll();
}
