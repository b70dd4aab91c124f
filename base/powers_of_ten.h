/* Powers of ten, 10^k ≈ g 2^e, with integers g of 128 bits, rounded up:
 *
 *   10^k 2^-e <= g < 10^k 2^-e + 1,   2^127 <= g < 2^128,   g exact for 0 <= k <= 55. */
#ifndef BASE_POWERS_OF_TEN_H
#define BASE_POWERS_OF_TEN_H

#include <stdint.h>

enum { LEAST_POWER_OF_TEN = -292, MAX_POWER_OF_TEN = 324 };

typedef struct power_of_ten {
  uint64_t high, low;
} power_of_ten;

extern const power_of_ten powers_of_ten[MAX_POWER_OF_TEN - LEAST_POWER_OF_TEN + 1]; /* 10^k at k - LEAST_POWER_OF_TEN */

/* Returns floor(log2 10^k) = e + 127. */
static inline int log2_of_power(int k) { return (k * 1741647) >> 19; }

__extension__ typedef unsigned __int128 wide;

#endif
