/* A text denotes w 10^k, with an integer w of up to 19 digits and an integer k. The table in base/powers_of_ten.h gives
 * 10^k ≈ g 2^e with an integer g of 128 bits, which is less than 1 too large. The exact w 10^k 2^-e therefore lies in
 * an interval that ends at the product w g. The width of the interval is one unit of the last of the product's 128
 * leading bits. If the interval, widened by one unit for truncated bits, contains no midpoint between two doubles, all
 * its numbers round to the same double ([Lemire]). Otherwise strtod() decides. strtod() also reads texts with more
 * digits, with k outside the table, or beyond the range of normal doubles. */
#include "base/number.h"

#include <locale.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/powers_of_ten.h"

/* ---- Its parts ---- */

enum { MAX_DIGITS = 19, MAX_EXPONENT = 9999 };

typedef struct numeral {
  const char *end; /* NULL: no number */
  bool is_negative;
  int n_digits; /* number of digits from the first nonzero one */
  uint64_t digits;
  int exponent; /* value = digits 10^exponent, if n_digits <= 19 */
} numeral;

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static const char *read_digits(const char *at, numeral *out) {
  for (; is_digit(*at); at++) {
    out->digits = 10 * out->digits + (uint64_t)(*at - '0');
    out->n_digits += out->n_digits > 0 || *at != '0';
  }
  return at;
}

/* Adds the exponent at `at`, after an 'e', to *exponent. Returns the end of the digits; NULL: there are none. */
static const char *read_exponent(const char *at, int *exponent) {
  const bool is_negative = *at == '-';
  int size = 0;
  at += *at == '+' || *at == '-';
  if (!is_digit(*at))
    return NULL;
  for (; is_digit(*at); at++)
    size = size < MAX_EXPONENT ? 10 * size + (*at - '0') : size;
  *exponent += is_negative ? -size : size;
  return at;
}

static numeral split(const char *text) {
  numeral result = {.is_negative = *text == '-'};
  const char *whole = text + (*text == '+' || *text == '-');
  const char *at = read_digits(whole, &result);
  bool has_digits = at > whole;
  if (*at == '.') {
    const char *fraction = at + 1;
    at = read_digits(fraction, &result);
    has_digits = has_digits || at > fraction;
    result.exponent = -(int)(at - fraction);
  }
  const char *behind = *at == 'e' || *at == 'E' ? read_exponent(at + 1, &result.exponent) : NULL;
  result.end = has_digits ? behind != NULL ? behind : at : NULL;
  return result;
}

/* ---- Its value ---- */

enum { SIGNIFICANT_BITS = 53, LEAST_SCALE = -1022, MAX_SCALE = 970, BIAS = 1023 };

/* Finds the double nearest to w 10^k. Returns false if this method cannot decide. */
static bool find_nearest(uint64_t w, int k, double *number) {
  const int shift = __builtin_clzll(w);
  const power_of_ten g = powers_of_ten[k - LEAST_POWER_OF_TEN];
  w <<= shift;
  const wide product = (wide)g.high * w + (uint64_t)((wide)g.low * w >> 64);
  const int dropped = 128 - SIGNIFICANT_BITS - 1 + (int)(product >> 127);
  const wide half = (wide)1 << (dropped - 1);
  const wide low_bits = product & (2 * half - 1);
  const int scale = dropped + 64 - shift + log2_of_power(k) - 127;
  if (low_bits == half)
    return false;
  const uint64_t bits = (uint64_t)(scale + BIAS) << (SIGNIFICANT_BITS - 1);
  double power; /* 2^scale */
  memcpy(&power, &bits, sizeof power);
  *number = (double)((uint64_t)(product >> dropped) + (low_bits > half)) * power;
  return scale >= LEAST_SCALE && scale <= MAX_SCALE;
}

/* Reads by strtod() in the C locale, from a copy of the number: strtod() alone would read 0x10 as a number. Sets *end
 * to `text` when memory is exhausted. */
static double read_slowly(const char *text, const char **end) {
  char usual[64];
  const size_t length = (size_t)(*end - text);
  char *copy = length < sizeof usual ? usual : malloc(length + 1);
  const locale_t plain = copy != NULL ? newlocale(LC_ALL_MASK, "C", (locale_t)0) : (locale_t)0;
  double number = 0;
  if (plain != (locale_t)0) {
    const locale_t callers = uselocale(plain);
    memcpy(copy, text, length);
    copy[length] = '\0';
    number = strtod(copy, NULL);
    uselocale(callers);
    freelocale(plain);
  } else
    *end = text;
  if (copy != usual)
    free(copy);
  return number;
}

double seam_number(const char *text, const char **end) {
  const numeral found = split(text);
  double number = 0;
  *end = found.end != NULL ? found.end : text;
  if (found.end == NULL)
    return 0;
  if (found.n_digits == 0)
    return found.is_negative ? -0.0 : 0;
  if (found.n_digits <= MAX_DIGITS && found.exponent >= LEAST_POWER_OF_TEN && found.exponent <= MAX_POWER_OF_TEN &&
      find_nearest(found.digits, found.exponent, &number))
    return found.is_negative ? -number : number;
  return read_slowly(text, end);
}
