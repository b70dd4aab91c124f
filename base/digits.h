/* Converts an integer to sixteen decimal digits, one per byte. The first digit is in the lowest byte. The number is
 * divided into two groups of eight digits; then all groups are divided into groups of four, two and one digits. One
 * operation divides all groups at once: quotient and remainder replace the group, the quotient first. */
#ifndef BASE_DIGITS_H
#define BASE_DIGITS_H

#include <stdint.h>

#include "base/bytes.h"

/* ---- Eight digits, with any instruction set ---- */

static inline uint64_t eight_digits(uint64_t x) {
  const uint64_t fours = (x << 32) - x / 10000 * ((UINT64_C(10000) << 32) - 1);
  const uint64_t hundreds = (fours * 10486 >> 20) & UINT64_C(0x7f0000007f);
  const uint64_t twos = (fours << 16) - hundreds * ((100 << 16) - 1);
  const uint64_t tens = (twos * 103 >> 10) & UINT64_C(0x000f000f000f000f);
  return (twos << 8) - tens * ((10 << 8) - 1);
}

static inline int significant_of_eight(uint64_t digits) { return digits > 0 ? 8 - __builtin_clzll(digits) / 8 : 0; }

static const uint64_t eight_zeros_text = UINT64_C(0x3030303030303030);

/* ---- Sixteen digits ---- */

#ifdef __SSE2__
#include <emmintrin.h>

typedef __m128i seam_digits;

/* Converts high * 10^8 + low; both are below 10^8. */
static inline seam_digits seam_digits_of(uint64_t high, uint64_t low) {
  const __m128i x = _mm_set_epi64x((long long)low, (long long)high);
  const __m128i ten_thousands = _mm_srli_epi64(_mm_mul_epu32(x, _mm_set1_epi64x(0xd1b71759)), 45);
  const __m128i fours = _mm_or_si128(
      ten_thousands, _mm_slli_epi64(_mm_sub_epi32(x, _mm_mul_epu32(ten_thousands, _mm_set1_epi64x(10000))), 32));
  const __m128i hundreds = _mm_srli_epi16(_mm_mulhi_epu16(fours, _mm_set1_epi16(5243)), 3);
  const __m128i pairs = _mm_or_si128(hundreds, _mm_slli_epi32(hundreds, 16));
  const __m128i twos =
      _mm_add_epi16(_mm_slli_epi32(fours, 16), _mm_mullo_epi16(pairs, _mm_set1_epi32((int)(1 - (100U << 16)))));
  const __m128i tens = _mm_mulhi_epu16(twos, _mm_set1_epi16(6554));
  return _mm_sub_epi16(_mm_slli_epi16(twos, 8), _mm_mullo_epi16(tens, _mm_set1_epi16((10 << 8) - 1)));
}

/* Returns the number of digits up to the last nonzero one. */
static inline int seam_digits_significant(seam_digits digits) {
  const unsigned not_zero = (unsigned)_mm_movemask_epi8(_mm_cmpgt_epi8(digits, _mm_setzero_si128()));
  return __builtin_clz(not_zero << 1 | 1) ^ 31;
}

static inline void seam_digits_put(char *at, seam_digits digits) {
  _mm_storeu_si128((__m128i *)at, _mm_or_si128(digits, _mm_set1_epi8('0')));
}

static inline uint64_t seam_digits_first_eight(seam_digits digits) { return (uint64_t)_mm_cvtsi128_si64(digits); }

#else

typedef struct seam_digits {
  uint64_t high, low;
} seam_digits;

static inline seam_digits seam_digits_of(uint64_t high, uint64_t low) {
  return (seam_digits){eight_digits(high), eight_digits(low)};
}

static inline int seam_digits_significant(seam_digits digits) {
  return digits.low > 0 ? 8 + significant_of_eight(digits.low) : significant_of_eight(digits.high);
}

static inline void seam_digits_put(char *at, seam_digits digits) {
  bytes_put(at, digits.high | eight_zeros_text);
  bytes_put(at + 8, digits.low | eight_zeros_text);
}

static inline uint64_t seam_digits_first_eight(seam_digits digits) { return digits.high; }

#endif

#endif
