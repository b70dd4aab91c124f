/* This program runs at build time. It writes the table that number.c includes: g for each power of ten
 * (base/powers_of_ten.h), by exact integer arithmetic. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/powers_of_ten.h"

enum { LIMBS = 72, LEAST = LEAST_POWER_OF_TEN, SCALE = 2240 }; /* 10^-292 2^SCALE has 1270 bits; 128 are used */

typedef struct natural {
  uint32_t limb[LIMBS]; /* lowest first */
} natural;

static void multiply_by_ten(natural *x) {
  uint64_t carry = 0;
  for (int i = 0; i < LIMBS; i++) {
    carry += UINT64_C(10) * x->limb[i];
    x->limb[i] = (uint32_t)carry;
    carry >>= 32;
  }
}

/* Divides by ten, rounded down. Repeated, this gives the quotient by a power of ten, also rounded down. */
static void divide_by_ten(natural *x) {
  uint64_t carry = 0;
  for (int i = LIMBS - 1; i >= 0; i--) {
    carry = carry << 32 | x->limb[i];
    x->limb[i] = (uint32_t)(carry / 10);
    carry %= 10;
  }
}

static unsigned bit_at(const natural *x, int i) { return i < 0 ? 0 : x->limb[i / 32] >> i % 32 & 1; }

/* Prints the 128 leading bits, rounded up if nonzero bits follow. */
static void print_leading(const natural *x, bool others_follow) {
  int top = 32 * LIMBS - 1;
  uint64_t half[2] = {0};
  while (bit_at(x, top) == 0)
    top--;
  for (int i = 0; i < 128; i++)
    half[i / 64] = half[i / 64] << 1 | bit_at(x, top - i);
  for (int i = top - 128; i >= 0 && !others_follow; i--)
    others_follow = bit_at(x, i) != 0;
  half[1] += others_follow;
  half[0] += others_follow && half[1] == 0;
  printf("    {UINT64_C(0x%016" PRIx64 "), UINT64_C(0x%016" PRIx64 ")},\n", half[0], half[1]);
}

int main(void) {
  natural inverse[-LEAST + 1] = {0};
  natural power = {{1}};
  inverse[0].limb[SCALE / 32] = 1;
  for (int k = 1; k <= -LEAST; k++) {
    inverse[k] = inverse[k - 1];
    divide_by_ten(&inverse[k]);
  }
  for (int k = -LEAST; k > 0; k--)
    print_leading(&inverse[k], true);
  for (int k = 0; k <= MAX_POWER_OF_TEN; k++, multiply_by_ten(&power))
    print_leading(&power, false);
  return ferror(stdout) || fflush(stdout) != 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
