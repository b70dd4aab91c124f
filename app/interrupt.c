/* A flag that the handler sets; the handler is reset after one signal, so a second one ends the process. */
#include "app/interrupt.h"

#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t asked;

static void ask(int signal_number) {
  (void)signal_number;
  asked = 1;
}

static void catch_signal(int signal_number) {
  struct sigaction action = {0};
  sigaction(signal_number, NULL, &action);
  if (action.sa_handler == SIG_IGN)
    return; /* as nohup and background jobs of a shell wish */
  action = (struct sigaction){.sa_handler = ask, .sa_flags = SA_RESTART | (int)SA_RESETHAND};
  sigemptyset(&action.sa_mask);
  sigaction(signal_number, &action, NULL);
}

void interrupt_catch(void) {
  catch_signal(SIGINT);
  catch_signal(SIGTERM);
}

bool interrupt_asked(void) { return asked != 0; }

bool interrupt_requested(void *context, double at) {
  (void)context;
  (void)at;
  return interrupt_asked();
}
