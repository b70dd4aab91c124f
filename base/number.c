/* Doubles as decimal text and back.
 *
 * The table powers_of_ten has 10^k ≈ g 2^e with integers g of 128 bits (base/powers_of_ten.h).
 *
 * Reading. A text denotes w 10^k, with integers w (up to 19 digits) and k. g exceeds 10^k 2^-e by less than 1, so the
 * product w g exceeds w 10^k 2^-e by less than w. The code computes the 128 leading bits of the product. They differ
 * from the exact number by less than a unit of their last bit. If no midpoint between two doubles is that close, these
 * bits round to the nearest double ([Lemire]). Otherwise strtod() decides. strtod() also reads texts with more digits,
 * with k outside the table, or beyond normal doubles.
 *
 * Writing. A finite double is v = c 2^q with integers c and q. Numbers between the midpoints to its neighbours read
 * back as v; the midpoints do if c is even. Let k = floor(log10 of the width of this interval). The interval then
 * contains at least one multiple of 10^k and at most one of 10^(k+1). The shortest number is this multiple of 10^(k+1),
 * else the nearest multiple of 10^k. A processor can predict neither which of both it is, nor its length. The code
 * therefore has no branches for these cases.
 *
 * The code computes v 10^-k once, with an error below 2^-63:
 *
 *   v 10^-k = (c 2^h g) 2^-128,   10^-k ≈ g 2^e,   h = q + e + 128.
 *
 * The shortest number follows from two comparisons: of v with the middle between multiples of 10^k, and of a midpoint
 * with the nearest multiple of 10^(k+1). If one of them is too close (CLOSE), or the lower neighbour is nearer (c =
 * 2^52), v 10^-k and both midpoints are multiplied by four and rounded to odd: if bits are lost, the last bit becomes
 * 1. Comparisons with even numbers are then exact. ([Giulietti], with a proof that 128 bits of g are enough; [Adams]
 * for the problem.) */
#include "base/number.h"

#include <locale.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/digits.h"
#include "base/powers_of_ten.h"

__extension__ typedef unsigned __int128 wide;

typedef struct power_of_ten {
  uint64_t high, low;
} power_of_ten;

static const power_of_ten powers_of_ten[MAX_POWER_OF_TEN - LEAST_POWER_OF_TEN + 1] = {
#include "base/powers_of_ten.inc"
};

static power_of_ten power_of(int k) { return powers_of_ten[k - LEAST_POWER_OF_TEN]; }

/* Returns floor(log2 10^k) = e + 127. */
static int log2_of_power(int k) { return (k * 1741647) >> 19; }

/* ---- Reading: the parts of a text ---- */

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

/* ---- Reading: the value ---- */

enum { SIGNIFICANT_BITS = 53, LEAST_SCALE = -1022, MAX_SCALE = 970, BIAS = 1023 };

/* Finds the double nearest to w 10^k. Returns false if this method cannot decide. */
static bool find_nearest(uint64_t w, int k, double *number) {
  const int shift = __builtin_clzll(w);
  const power_of_ten g = power_of(k);
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

/* Reads the number that ends at *end by strtod() in the C locale. Reads a copy of it, because strtod() would go on in
 * texts such as 0x10. Sets *end to `text` when memory is exhausted. */
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

enum { FRACTION_BITS = 52, LEAST_EXPONENT = -1074, NOT_FINITE = 0x7ff };
#define INLINE static inline __attribute__((always_inline))
#define SELDOM static __attribute__((noinline)) /* inlining would take registers from the callers */

enum { PLAIN_FROM = -4, PLAIN_TO = 17 }; /* numbers with exponents from PLAIN_FROM to PLAIN_TO - 1 have no "e" */

/* ---- Writing: the decimal number ---- */

static const uint64_t sixteen_zeros = UINT64_C(10000000000000000);

/* The number digits * 10^exponent. `digits` always has 17 digits, the last of which may be zeros. */
typedef struct decimal {
  uint64_t digits;
  int exponent;
} decimal;

/* Returns the number digits * 10^exponent with 17 digits; `digits` has 16 or 17. */
INLINE decimal fill_up(uint64_t digits, int exponent) {
  const int64_t short_mask = (int64_t)(digits - sixteen_zeros) >> 63;
  return (decimal){digits + (9 * digits & (uint64_t)short_mask), exponent + (int)short_mask};
}

/* The functions return floor(log10 2^q) and floor(log10(3/4 2^q)), for each q that a double may have. */
static int log10_of_power(int q) { return (q * 1262611) >> 22; }
static int log10_of_three_quarters(int q) { return (q * 1262611 - 524031) >> 22; }

/* Returns x g 2^-128, rounded to odd. */
static uint64_t scaled(power_of_ten g, uint64_t x) {
  const wide high = (wide)g.high * x + (uint64_t)((wide)g.low * x >> 64);
  return (uint64_t)(high >> 64) | ((uint64_t)high > 1);
}

/* Returns the shortest decimal of c 2^q, c > 0, by exact comparisons. */
SELDOM decimal compare_exactly(uint64_t c, int q) {
  const bool is_uneven = c == UINT64_C(1) << FRACTION_BITS && q > LEAST_EXPONENT; /* the lower neighbour is nearer */
  int k = is_uneven ? log10_of_three_quarters(q) : log10_of_power(q);
  const int h = q + log2_of_power(-k) + 1;
  const power_of_ten g = power_of(-k);
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
  uint64_t digits = ends_in_zero ? 10 * (tens + tens_above) : s + next;
  for (; digits < sixteen_zeros / 10; k--) /* a subnormal number may have fewer digits */
    digits *= 10;
  return fill_up(digits, k);
}

/* shortest() compares distances of the last digit from five and from the nearest multiple of ten, in units of
 * 2^-UNIT_BITS. If two compared numbers differ by at most CLOSE, compare_exactly() decides. */
enum { UNIT_BITS = 60, CLOSE = 8 };

INLINE bool is_close(uint64_t a, uint64_t b) { return a - b + CLOSE <= 2 * CLOSE; }

/* Returns the shortest decimal of c 2^q; c has its hidden bit. The lines after the call of compare_exactly() compile
 * without branches. */
INLINE decimal shortest(uint64_t c, int q) {
  const int k = log10_of_power(q);
  const int h = q + log2_of_power(-k) + 1;
  const power_of_ten g = power_of(-k);
  const uint64_t x = c << h;
  const wide v = (wide)g.high * x + (uint64_t)((wide)g.low * x >> 64);
  const uint64_t s = (uint64_t)(v >> 64);
  const uint64_t fraction = (uint64_t)v;
  const uint64_t last = s % 10;
  const uint64_t half = g.high >> (65 - UNIT_BITS - h); /* half the width of the interval */
  const int64_t from_five = (int64_t)((last << UNIT_BITS | fraction >> (64 - UNIT_BITS)) - (UINT64_C(5) << UNIT_BITS));
  const uint64_t from_ten = (UINT64_C(5) << UNIT_BITS) - (uint64_t)(from_five < 0 ? -from_five : from_five);
  if (c == UINT64_C(1) << FRACTION_BITS || is_close(from_ten, half) || is_close(fraction, UINT64_C(1) << 63))
    return compare_exactly(c, q);
  const uint64_t longer = s + (fraction >> 63);
  const uint64_t shorter = s - last + (10 & (0 - (uint64_t)(from_five >= 0)));
  const uint64_t is_shorter = from_ten < half;
  return fill_up(longer + ((shorter - longer) & (0 - is_shorter)), k);
}

/* ---- Writing: the text ---- */

enum { N_DIGITS = 17 };

/* Writes all 17 digits, with `gap` unwritten bytes after the first. */
INLINE void put_digits(char *at, char first, seam_digits others, int gap) {
  at[0] = first;
  seam_digits_put(at + gap + 1, others);
}

/* Writes n digits: `first`, then `others` without final zeros. The point follows one of the first seven digits. First
 * leaves a byte free behind `first`. Then writes the first eight bytes again, with the point in its place. */
INLINE char *put_small(char *at, char first, seam_digits others, int n, int exponent) {
  const int before = exponent + 1;
  const uint64_t eight = (uint64_t)first | seam_digits_first_eight(others) << 8 | eight_zeros_text;
  const uint64_t behind = eight >> 8 * before << 8 * before;
  put_digits(at, first, others, 1);
  bytes_put(at, (eight - behind) | (uint64_t)'.' << 8 * before | behind << 8);
  return at + (before >= n ? before : n + 1);
}

SELDOM char *put_large(char *at, char first, seam_digits others, int n, int exponent) {
  const int before = exponent + 1;
  char digits[2 * N_DIGITS] = {0};
  put_digits(digits, first, others, 0);
  memcpy(at, digits, N_DIGITS);
  at[before] = '.';
  memcpy(at + before + 1, digits + before, N_DIGITS);
  return at + (before >= n ? before : n + 1);
}

INLINE char *put_fraction(char *at, char first, seam_digits others, int n, int exponent) {
  bytes_put(at, eight_zeros_text);
  at[1] = '.';
  at += 1 - exponent;
  put_digits(at, first, others, 0);
  return at + n;
}

SELDOM char *put_with_exponent(char *at, char first, seam_digits others, int n, int exponent) {
  const int size = exponent < 0 ? -exponent : exponent;
  put_digits(at, first, others, 1);
  at[1] = '.';
  at += n > 1 ? n + 1 : 1;
  *at++ = 'e';
  *at++ = exponent < 0 ? '-' : '+';
  if (size >= 100)
    *at++ = (char)('0' + size / 100);
  *at++ = (char)('0' + size / 10 % 10);
  *at++ = (char)('0' + size % 10);
  return at;
}

INLINE char *put(char *at, decimal number) {
  const uint64_t eight_zeros = UINT64_C(100000000);
  const uint64_t first = number.digits / sixteen_zeros;
  const uint64_t low_digits = number.digits - first * sixteen_zeros;
  const char leading = (char)('0' + first);
  const seam_digits others = seam_digits_of(low_digits / eight_zeros, low_digits % eight_zeros);
  const int n = 1 + seam_digits_significant(others);
  const int exponent = number.exponent + N_DIGITS - 1;
  if (exponent >= 0 && exponent < 7)
    return put_small(at, leading, others, n, exponent);
  if (exponent >= PLAIN_FROM && exponent < 0)
    return put_fraction(at, leading, others, n, exponent);
  if (exponent >= PLAIN_FROM && exponent < PLAIN_TO)
    return put_large(at, leading, others, n, exponent);
  return put_with_exponent(at, leading, others, n, exponent);
}

/* Writes zero, a subnormal number or one that is not finite; `at` is after the sign. */
SELDOM char *put_special(char *at, bool is_negative, uint64_t fraction, unsigned biased, const char *not_a_number) {
  if (biased == NOT_FINITE && fraction != 0)
    return stpcpy(at - is_negative, not_a_number);
  if (biased == NOT_FINITE || fraction == 0)
    return stpcpy(at, biased == 0 ? "0" : "inf");
  return put(at, compare_exactly(fraction, LEAST_EXPONENT));
}

INLINE char *write_number(char *at, double number, const char *not_a_number) {
  const uint64_t hidden = UINT64_C(1) << FRACTION_BITS;
  uint64_t bits;
  memcpy(&bits, &number, sizeof bits);
  const uint64_t fraction = bits & (hidden - 1);
  const unsigned biased = bits >> FRACTION_BITS & NOT_FINITE;
  *at = '-';
  at += bits >> 63;
  if (biased - 1 >= NOT_FINITE - 1)
    return put_special(at, bits >> 63, fraction, biased, not_a_number);
  return put(at, shortest(hidden | fraction, (int)biased + LEAST_EXPONENT - 1));
}

char *shortest_write(char *at, double number) { return write_number(at, number, "nan"); }

char *shortest_write_fields(char *at, const double *numbers, size_t n) {
  for (size_t i = 0; i < n; i++) {
    at = write_number(at, numbers[i], "");
    *at++ = ',';
  }
  return at;
}

void shortest_print(FILE *file, double number) {
  char text[SHORTEST_ROOM];
  fwrite(text, 1, (size_t)(shortest_write(text, number) - text), file);
}
