/* Makes the engine, the binary of exported FMUs, depend only on old versions of libc and libm, as base/archives.c does
 * for static archives. fmod() and hypot() are those of the first glibc for this processor; newer ones need glibc 2.38
 * and 2.35. */
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Replaces arc4random_buf(), which Expat calls and only glibc 2.36 and newer have. */
void random_bytes(void *to, size_t size) __asm__("arc4random_buf");
void random_bytes(void *to, size_t size) {
  if (getentropy(to, size) != 0)
    memset(to, 0, size);
}

/* Static archives compiled for C23 call its variants of strtol(), vsscanf() and sscanf(). These also read binary
 * numbers, and need glibc 2.38. */
long read_integer(const char *text, char **end, int base) __asm__("__isoc23_strtol");
long read_integer(const char *text, char **end, int base) { return strtol(text, end, base); }

int scan_list(const char *text, const char *format, va_list to) __asm__("__isoc23_vsscanf");
int scan_list(const char *text, const char *format, va_list to) { return vsscanf(text, format, to); }

int scan(const char *text, const char *format, ...) __asm__("__isoc23_sscanf");
int scan(const char *text, const char *format, ...) {
  va_list to;
  va_start(to, format);
  const int n = vsscanf(text, format, to);
  va_end(to);
  return n;
}

#if defined(__x86_64__) && defined(__GLIBC__)
#define OF_FIRST_GLIBC(name)                                                                                           \
  double first_##name(double x, double y);                                                                             \
  __asm__(".symver first_" #name "," #name "@GLIBC_2.2.5");
#else
#define OF_FIRST_GLIBC(name) double first_##name(double x, double y) __asm__("__real_" #name);
#endif
OF_FIRST_GLIBC(fmod)
OF_FIRST_GLIBC(hypot)

double wrapped_fmod(double x, double y) __asm__("__wrap_fmod");
double wrapped_fmod(double x, double y) { return first_fmod(x, y); }

double wrapped_hypot(double x, double y) __asm__("__wrap_hypot");
double wrapped_hypot(double x, double y) { return first_hypot(x, y); }
