/* Powers of ten, 10^k ≈ g 2^e, with integers g of 128 bits, rounded up:
 *
 *   10^k 2^-e <= g < 10^k 2^-e + 1,   2^127 <= g < 2^128,   g exact for 0 <= k <= 55. */
#ifndef BASE_POWERS_OF_TEN_H
#define BASE_POWERS_OF_TEN_H

enum { LEAST_POWER_OF_TEN = -292, MAX_POWER_OF_TEN = 324 };

#endif
