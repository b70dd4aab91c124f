/* FNV-1a of 64 bits (Fowler, Noll, Vo; RFC 9923). A hash starts at HASH_START; each call adds data to it. */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define HASH_START UINT64_C(0xcbf29ce484222325)

/* Adds a word as if it were one byte: eight times as fast, and sufficient to detect damage and differences. */
static inline uint64_t hash_word(uint64_t hash, uint64_t word) { return (hash ^ word) * UINT64_C(0x100000001b3); }

static inline uint64_t hash_bytes(uint64_t hash, const void *data, size_t size) {
  const unsigned char *byte = data;
  for (size_t i = 0; i < size; i++)
    hash = hash_word(hash, byte[i]);
  return hash;
}

/* Adds a text with its terminating zero. */
static inline uint64_t hash_text(uint64_t hash, const char *text) { return hash_bytes(hash, text, strlen(text) + 1); }

/* Adds the bits of n numbers. */
static inline uint64_t hash_numbers(uint64_t hash, const double *x, size_t n) {
  for (size_t i = 0; i < n; i++) {
    uint64_t bits = 0;
    memcpy(&bits, &x[i], sizeof bits);
    hash = hash_word(hash, bits);
  }
  return hash;
}

#define HASH_NUMBERS(hash, ...)                                                                                        \
  hash_numbers(hash, (const double[]){__VA_ARGS__}, sizeof((const double[]){__VA_ARGS__}) / sizeof(double))

#endif
