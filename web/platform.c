/* Functions of POSIX and Linux that emscripten lacks. Functions for signals and timers do nothing: a page interrupts a
 * command by ending its worker. */
#include <stddef.h>
#include <sys/types.h>

int getentropy(void *bytes, size_t length);
ssize_t getrandom(void *bytes, size_t length, unsigned flags) {
  (void)flags;
  return getentropy(bytes, length) == 0 ? (ssize_t)length : -1;
}

int prctl(int option, ...) {
  (void)option;
  return 0;
}

int on_exit(void (*end)(int status, void *context), void *context) {
  (void)end, (void)context;
  return -1;
}

int at_quick_exit(void (*end)(void)) {
  (void)end;
  return -1;
}

int sigaltstack(const void *stack, void *before) {
  (void)stack, (void)before;
  return -1;
}

int timer_create(int clock, void *event, void *timer) {
  (void)clock, (void)event, (void)timer;
  return -1;
}

int timer_settime(void *timer, int flags, const void *value, void *before) {
  (void)timer, (void)flags, (void)value, (void)before;
  return -1;
}
