/* Random bits and quantiles for values of parameter sweeps. */
#ifndef ANALYSIS_SWEEP_DESIGN_H
#define ANALYSIS_SWEEP_DESIGN_H

#include <stdint.h>

typedef struct random_bits {
  uint32_t word[4];
} random_bits;

/* Returns the four random words for a counter and a key; the key is the seed. */
random_bits random_bits_at(random_bits counter, uint64_t key);

/* Returns x with Φ(x) = p for 0 < p < 1; Φ: standard normal distribution function; relative error about 1e-16. */
double normal_quantile(double p);

#endif
