/* Counter-based random numbers: Philox-4x32 with ten rounds ([Salmon], section 3.3, J. K. Salmon, M. A. Moraes, R. O.
 * Dror, D. E. Shaw: Parallel random numbers: as easy as 1, 2, 3, SC 2011). Each number depends only on its counter and
 * the seed. */
#ifndef ANALYSIS_SWEEP_RANDOM_BITS_H
#define ANALYSIS_SWEEP_RANDOM_BITS_H

#include <stdint.h>

typedef struct random_bits {
  uint32_t word[4];
} random_bits;

/* Returns the four random words for a counter and a key; the key is the seed. */
random_bits random_bits_at(random_bits counter, uint64_t key);

#endif
