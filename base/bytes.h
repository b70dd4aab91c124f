/* Little-endian numbers in files and texts, on any machine. */
#ifndef BASE_BYTES_H
#define BASE_BYTES_H

#include <stdint.h>
#include <string.h>

/* Writes the eight bytes of a number, the lowest first. */
static inline void bytes_put(char *at, uint64_t number) {
  if (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)
    number = __builtin_bswap64(number);
  memcpy(at, &number, sizeof number);
}

static inline double bytes_get_double(const char *at) {
  uint64_t bits;
  double number;
  memcpy(&bits, at, sizeof bits);
  if (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)
    bits = __builtin_bswap64(bits);
  memcpy(&number, &bits, sizeof number);
  return number;
}

#endif
