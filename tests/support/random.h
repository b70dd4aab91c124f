/* Random numbers for tests: the same on every machine and in every run (splitmix64; Steele, Lea, Flood: Fast
 * splittable pseudorandom number generators, 2014). */
#ifndef TESTS_SUPPORT_RANDOM_H
#define TESTS_SUPPORT_RANDOM_H

#include <stdint.h>

static inline uint64_t random_bits(uint64_t *seed) {
  uint64_t z = *seed += 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

/* Uniform in [low, high). */
static inline double random_between(uint64_t *seed, double low, double high) {
  return low + (high - low) * (double)(random_bits(seed) >> 11) / 9007199254740992.0;
}

/* Uniform in 0 .. n - 1. */
static inline int random_below(uint64_t *seed, int n) { return (int)(random_bits(seed) % (uint64_t)n); }

#endif
