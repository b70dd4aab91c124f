/* A finite double is v = c 2^q. What lies between the midpoints to its neighbours reads back as v, and the midpoints
 * too where c is even. With k = floor(log10 of the width of this interval), at least one multiple of 10^k lies in it
 * and at most one of 10^(k+1): that one, or the nearest of the former, is the shortest. Neither which of them it is nor
 * how many digits it has can be predicted, so nothing branches on it. All are compared as
 *
 *   4 v 10^-k = (4c 2^h g) 2^-128,   g of base/powers_of_ten.h,
 *
 * and so are both midpoints, rounded to odd: every bit that is lost makes the last one 1, and then no comparison with
 * an even number errs. ([Giulietti]; there is a proof that 128 bits of g are enough. [Adams] for the problem.) */
#include "base/shortest.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/bytes.h"
#include "base/powers_of_ten.h"

enum { FRACTION_BITS = 52, LEAST_EXPONENT = -1074 };
enum { PLAIN_FROM = -4, PLAIN_TO = 17 }; /* decimal exponents without "e" */

/* ---- The decimal number ---- */

/* digits 10^exponent; zeros may end the digits. */
typedef struct decimal {
  uint64_t digits; /* below 10^17 */
  int exponent;
} decimal;

/* floor(log10 2^q), floor(log10(3/4 2^q)), for all that occur. */
static int log10_of_power(int q) { return (q * 1262611) >> 22; }
static int log10_of_three_quarters(int q) { return (q * 1262611 - 524031) >> 22; }

/* x g 2^-128, rounded to odd. */
static uint64_t scaled(power_of_ten g, uint64_t x) {
  const wide high = (wide)g.high * x + (uint64_t)((wide)g.low * x >> 64);
  return (uint64_t)(high >> 64) | ((uint64_t)high > 1);
}

/* Of c > 0. */
static decimal shortest(uint64_t c, int q) {
  const bool is_uneven = c == UINT64_C(1) << FRACTION_BITS && q > LEAST_EXPONENT; /* nearer to the neighbour below */
  const int k = is_uneven ? log10_of_three_quarters(q) : log10_of_power(q);
  const int h = q + log2_of_power(-k) + 1;
  const power_of_ten g = powers_of_ten[-k - LEAST_POWER_OF_TEN];
  const uint64_t is_open = c & 1;
  const uint64_t low = scaled(g, (4 * c - 2 + is_uneven) << h) + is_open;
  const uint64_t v = scaled(g, 4 * c << h);
  const uint64_t high = scaled(g, (4 * c + 2) << h) - is_open;
  const uint64_t s = v / 4;
  const uint64_t tens = s / 10;
  const uint64_t tens_below = low <= 40 * tens;
  const uint64_t tens_above = 40 * tens + 40 <= high;
  const bool ends_in_zero = (s >= 10) & (tens_below != tens_above);
  const uint64_t below = low <= 4 * s;
  const uint64_t above = 4 * s + 4 <= high;
  const uint64_t middle = 4 * s + 2;
  const uint64_t is_nearer = (v > middle) | ((v == middle) & (s & 1));
  const uint64_t next = below != above ? above : is_nearer;
  return (decimal){ends_in_zero ? 10 * (tens + tens_above) : s + next, k};
}

/* ---- Its text ---- */

enum { MAX_DIGITS = 17, PIECE = 24, DIGITS_ROOM = 3 * PIECE };

/* Digits from the first to behind the last that is not zero; zeros are before and behind them. */
typedef struct numeral {
  char text[DIGITS_ROOM];
  int first, end;
} numeral;

/* The eight digits of x < 10^8, a byte each, the first in the lowest. */
static uint64_t eight_digits(uint64_t x) {
  const uint64_t fours = x / 10000 | (x % 10000) << 32;
  const uint64_t hundreds = (fours * 10486 >> 20) & UINT64_C(0x7f0000007f);
  const uint64_t twos = hundreds | (fours - 100 * hundreds) << 16;
  const uint64_t tens = (twos * 103 >> 10) & UINT64_C(0x000f000f000f000f);
  return tens | (twos - 10 * tens) << 8;
}

static void put_eight(char *at, uint64_t digits) { bytes_put(at, digits | UINT64_C(0x3030303030303030)); }

static int leading_zeros(uint64_t digits) { return __builtin_ctzll(digits) / 8; }
static int significant(uint64_t digits) { return 8 - __builtin_clzll(digits) / 8; }

/* Of digits > 0; the first of 17 is at text[PIECE]. */
static void spell(uint64_t digits, numeral *out) {
  const uint64_t sixteen = UINT64_C(10000000000000000);
  const uint64_t eight = UINT64_C(100000000);
  const uint64_t lead = digits / sixteen;
  const uint64_t rest = digits % sixteen;
  const uint64_t high = eight_digits(rest / eight);
  const uint64_t low = eight_digits(rest % eight);
  char *text = out->text + PIECE;
  memset(out->text, '0', PIECE);
  text[0] = (char)('0' + lead);
  put_eight(text + 1, high);
  put_eight(text + 9, low);
  memset(text + MAX_DIGITS, '0', PIECE);
  out->first = PIECE + 1 - (lead > 0);
  if (digits < sixteen / 10) /* a number that has lost digits near zero */
    out->first = PIECE + (high > 0 ? 1 + leading_zeros(high) : 9 + leading_zeros(low));
  out->end = PIECE + (low > 0 ? 9 + significant(low) : high > 0 ? 1 + significant(high) : 1);
}

static char *put_word(char *at, const char *word) {
  while (*word != '\0')
    *at++ = *word++;
  return at;
}

/* `point` digits are before the point; of a number below 1, zeros. Copies in pieces of one size are cheap; what is too
 * much is overwritten. */
static char *put_plain(char *at, const char *digits, int n, int point) {
  const int zeros = point < 1 ? 1 - point : 0;
  digits -= zeros;
  n += zeros;
  point += zeros;
  memcpy(at, digits, PIECE);
  memcpy(at + point + 1, digits + point, PIECE);
  const bool is_whole = point >= n;
  at[point] = '.';
  return at + (is_whole ? point : n + 1);
}

static char *put_with_exponent(char *at, const char *digits, int n, int exponent) {
  const int size = exponent < 0 ? -exponent : exponent;
  at[0] = digits[0];
  at[1] = '.';
  memcpy(at + 2, digits + 1, PIECE);
  at += n > 1 ? n + 1 : 1;
  *at++ = 'e';
  *at++ = exponent < 0 ? '-' : '+';
  if (size >= 100)
    *at++ = (char)('0' + size / 100);
  *at++ = (char)('0' + size / 10 % 10);
  *at++ = (char)('0' + size % 10);
  return at;
}

static char *put(char *at, decimal number) {
  numeral spelled;
  spell(number.digits, &spelled);
  const char *digits = spelled.text + spelled.first;
  const int n = spelled.end - spelled.first;
  const int exponent = number.exponent + PIECE + MAX_DIGITS - spelled.first - 1;
  if (exponent >= PLAIN_FROM && exponent < PLAIN_TO)
    return put_plain(at, digits, n, exponent + 1);
  return put_with_exponent(at, digits, n, exponent);
}

char *shortest_write(char *at, double number) {
  const uint64_t hidden = UINT64_C(1) << FRACTION_BITS;
  uint64_t bits;
  memcpy(&bits, &number, sizeof bits);
  const uint64_t fraction = bits & (hidden - 1);
  const int biased = (int)(bits >> FRACTION_BITS & 0x7ff);
  if (biased == 0x7ff && fraction != 0)
    return put_word(at, "nan");
  *at = '-';
  at += bits >> 63;
  if (biased == 0x7ff)
    return put_word(at, "inf");
  if (biased == 0 && fraction == 0)
    return put_word(at, "0");
  return put(at, biased == 0 ? shortest(fraction, LEAST_EXPONENT)
                             : shortest(hidden | fraction, biased + LEAST_EXPONENT - 1));
}

void shortest_print(FILE *file, double number) {
  char text[SHORTEST_ROOM];
  fwrite(text, 1, (size_t)(shortest_write(text, number) - text), file);
}
