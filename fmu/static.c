/* What keeps the engine of an FMU to libc and libm alone, and to those that systems have had for long; base/archives.c
 * has what its archives need else. hypot() is that of the first glibc of this processor, since a newer one would ask
 * for glibc 2.35. */
#include <stddef.h>
#include <string.h>
#include <unistd.h>

/* Expat asks for random numbers in a way that only glibc 2.36 knows. */
void random_bytes(void *to, size_t size) __asm__("arc4random_buf");
void random_bytes(void *to, size_t size) {
  if (getentropy(to, size) != 0)
    memset(to, 0, size);
}

#if defined(__x86_64__) && defined(__GLIBC__)
double first_hypot(double x, double y);
__asm__(".symver first_hypot,hypot@GLIBC_2.2.5");
#else
double first_hypot(double x, double y) __asm__("__real_hypot");
#endif
double wrapped_hypot(double x, double y) __asm__("__wrap_hypot");
double wrapped_hypot(double x, double y) { return first_hypot(x, y); }
