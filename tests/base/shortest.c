/* Numbers as text: they read back as they were, no fewer digits do, and none with as many is nearer. */
#include "base/number.h"

#include <criterion/criterion.h>
#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/digits.h"
#include "tests/support/random.h"

typedef struct text {
  char of[SHORTEST_ROOM + 1];
} text;

static text written(double number) {
  text result;
  memset(result.of, '#', sizeof result.of);
  const char *end = shortest_write(result.of, number);
  cr_assert_leq(end - result.of, 24, "%.17g", number);
  result.of[end - result.of] = '\0';
  return result;
}

static double of_bits(uint64_t bits) {
  double number;
  memcpy(&number, &bits, sizeof number);
  return number;
}

static uint64_t bits_of(double number) {
  uint64_t bits;
  memcpy(&bits, &number, sizeof bits);
  return bits;
}

static void expect_reads_back(double number) {
  const text result = written(number);
  cr_assert_eq(bits_of(strtod(result.of, NULL)), bits_of(number), "%.17g as %s", number, result.of);
}

/* Significant digits of a text, without a point and zeros at both ends, and their number. */
static int digits_of(const char *from, char digits[32]) {
  int n = 0;
  for (; *from != '\0' && *from != 'e'; from++)
    if ((*from >= '1' && *from <= '9') || (*from == '0' && n > 0))
      digits[n++] = *from;
  while (n > 1 && digits[n - 1] == '0')
    n--;
  digits[n] = '\0';
  return n;
}

/* The nearest number with n digits is what printf gives; where the interval is uneven it may not read back though one
 * beside it does. */
static void expect_shortest(double number) {
  const text result = written(number);
  char digits[32];
  char nearest[32];
  char other[64];
  expect_reads_back(number);
  const int n = digits_of(result.of, digits);
  snprintf(other, sizeof other, "%.*e", n - 1, number);
  digits_of(other, nearest);
  cr_assert(strcmp(digits, nearest) == 0 || strtod(other, NULL) != number, "%s, not %s", result.of, other);
  if (n > 1) {
    snprintf(other, sizeof other, "%.*e", n - 2, number);
    cr_assert_neq(strtod(other, NULL), number, "%s, not %s", result.of, other);
  }
}

Test(shortest, random_bits_read_back) {
  uint64_t seed = 1;
  for (int i = 0; i < 1000000; i++) {
    const double number = of_bits(random_bits(&seed));
    if (isfinite(number))
      expect_reads_back(number);
  }
}

Test(shortest, random_bits_have_the_fewest_digits) {
  uint64_t seed = 2;
  for (int i = 0; i < 200000; i++) {
    const double number = of_bits(random_bits(&seed));
    if (isfinite(number) && number != 0)
      expect_shortest(number);
  }
}

/* As they occur in results: most digits, few digits, sums that miss them by little. */
Test(shortest, usual_numbers_have_the_fewest_digits) {
  uint64_t seed = 3;
  for (int i = 0; i < 100000; i++) {
    expect_shortest(random_between(&seed, -10, 10));
    expect_shortest((1 + random_below(&seed, 100000)) * 0.01);
    expect_shortest((1 + random_below(&seed, 1000000)) / 1000.0);
  }
}

Test(shortest, powers_of_two_and_their_neighbours) {
  for (int e = -1074; e <= 1023; e++) {
    const double power = ldexp(1, e);
    expect_shortest(power);
    expect_shortest(nextafter(power, INFINITY));
    if (e > -1074)
      expect_shortest(nextafter(power, 0));
  }
}

Test(shortest, powers_of_ten_and_their_neighbours) {
  for (int e = -323; e <= 308; e++) {
    char name[16];
    snprintf(name, sizeof name, "1e%d", e);
    const double power = strtod(name, NULL);
    expect_shortest(power);
    char digits[32];
    cr_expect_eq(digits_of(written(power).of, digits), 1, "%s", name);
    expect_shortest(nextafter(power, INFINITY));
    expect_shortest(nextafter(power, 0));
  }
}

Test(shortest, numbers_below_the_least_normal_one) {
  uint64_t seed = 4;
  for (uint64_t bits = 1; bits < 20000; bits++)
    expect_shortest(of_bits(bits));
  for (int i = 0; i < 20000; i++)
    expect_shortest(of_bits(1 + random_bits(&seed) % (UINT64_C(1) << 52)));
}

Test(shortest, its_form) {
  static const struct {
    double number;
    const char *text;
  } cases[] = {
      {0, "0"},
      {-0.0, "-0"},
      {1, "1"},
      {-1, "-1"},
      {10, "10"},
      {0.1, "0.1"},
      {0.30000000000000004, "0.30000000000000004"},
      {1.0 / 3, "0.3333333333333333"},
      {-2.5, "-2.5"},
      {123.456, "123.456"},
      {0.0001, "0.0001"},
      {0.00012345678901234567, "0.00012345678901234567"},
      {0.00001, "1e-05"},
      {0.0000125, "1.25e-05"},
      {1e16, "10000000000000000"},
      {12345678901234568, "12345678901234568"},
      {1e17, "1e+17"},
      {1.5e17, "1.5e+17"},
      {1e22, "1e+22"},
      {1e23, "1e+23"},
      {5e-324, "5e-324"},
      {DBL_MIN, "2.2250738585072014e-308"},
      {-DBL_MAX, "-1.7976931348623157e+308"},
      {INFINITY, "inf"},
      {-INFINITY, "-inf"},
      {NAN, "nan"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    cr_expect_str_eq(written(cases[i].number).of, cases[i].text);
}

/* Of up to 15 digits printf gives no others. */
Test(shortest, the_point_stands_where_printf_puts_it) {
  uint64_t seed = 5;
  for (int exponent = -6; exponent < 15; exponent++)
    for (int n = 1; n <= 15; n++)
      for (int i = 0; i < 20; i++) {
        char name[64];
        char expected[64];
        uint64_t digits = 1 + (uint64_t)random_below(&seed, 9);
        for (int k = 1; k < n; k++)
          digits = 10 * digits + (uint64_t)random_below(&seed, 10);
        snprintf(name, sizeof name, "%s%llue%d", i % 2 == 0 ? "" : "-", (unsigned long long)digits, exponent - n + 1);
        const double number = strtod(name, NULL);
        snprintf(expected, sizeof expected, "%.15g", number);
        cr_assert_str_eq(written(number).of, expected, "%s", name);
      }
}

/* Midpoints are whole numbers, many of them multiples of ten. */
Test(shortest, large_whole_numbers_have_the_fewest_digits) {
  uint64_t seed = 6;
  for (int i = 0; i < 200000; i++)
    expect_shortest((double)(random_bits(&seed) >> random_below(&seed, 12)));
}

static int significant(const char *digits, int n) {
  while (n > 0 && digits[n - 1] == '0')
    n--;
  return n;
}

Test(shortest, sixteen_digits_are_those_of_printf) {
  uint64_t seed = 7;
  for (int i = 0; i < 200000; i++) {
    const uint64_t below[2] = {i % 3 == 0 ? 1 : 100000000, i % 5 == 0 ? 1000 : 100000000};
    const uint64_t high = random_bits(&seed) % below[0];
    const uint64_t low = random_bits(&seed) % below[1];
    char expected[32];
    char whole[17] = {0};
    char halves[17] = {0};
    snprintf(expected, sizeof expected, "%08llu%08llu", (unsigned long long)high, (unsigned long long)low);
    const seam_digits digits = seam_digits_of(high, low);
    seam_digits_put(whole, digits);
    cr_assert_str_eq(whole, expected);
    bytes_put(halves, eight_digits(high) | eight_zeros_text);
    bytes_put(halves + 8, eight_digits(low) | eight_zeros_text);
    cr_assert_str_eq(halves, expected);
    cr_assert_eq(seam_digits_first_eight(digits), eight_digits(high));
    cr_assert_eq(seam_digits_significant(digits), significant(expected, 16));
    cr_assert_eq(significant_of_eight(eight_digits(high)), significant(expected, 8));
  }
}

Test(shortest, fields_are_the_numbers_between_commas) {
  const double numbers[] = {1.5, NAN, -NAN, -0.0, INFINITY, -1e-300, 1e22, 0.25};
  char fields[8 * SHORTEST_ROOM];
  char expected[8 * SHORTEST_ROOM];
  char *at = expected;
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    at += sprintf(at, "%s,", isnan(numbers[i]) ? "" : written(numbers[i]).of);
  *shortest_write_fields(fields, numbers, sizeof numbers / sizeof *numbers) = '\0';
  cr_expect_str_eq(fields, expected);
}
