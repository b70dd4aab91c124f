/* Decimal text is read as the nearest double, as strtod() does it. */
#include "base/number.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/random.h"

static uint64_t bits_of(double number) {
  uint64_t bits;
  memcpy(&bits, &number, sizeof bits);
  return bits;
}

static void expect_read(const char *text) {
  const char *end = NULL;
  const double number = seam_number(text, &end);
  cr_assert_eq(bits_of(number), bits_of(strtod(text, NULL)), "%s as %.17g", text, number);
  cr_assert_eq(*end, '\0', "%s", text);
}

static double of_bits(uint64_t bits) {
  double number;
  memcpy(&number, &bits, sizeof number);
  return number;
}

Test(number, what_was_written_is_read_back) {
  uint64_t seed = 1;
  for (int i = 0; i < 500000; i++) {
    char text[SHORTEST_ROOM + 1];
    const double number = of_bits(random_bits(&seed));
    *shortest_write(text, number) = '\0';
    if (isfinite(number))
      expect_read(text);
  }
}

/* Two texts of one digit more than doubles have, one on each side of a midpoint, and texts that are one. */
Test(number, texts_near_midpoints) {
  uint64_t seed = 2;
  for (int i = 0; i < 200000; i++) {
    char text[64];
    const uint64_t odd = 2 * (UINT64_C(1) << 53 | random_bits(&seed) >> 11) + 1;
    snprintf(text, sizeof text, "%.*Le", 17 + i % 4, (long double)odd * ldexpl(1, (int)random_below(&seed, 400) - 200));
    expect_read(text);
    snprintf(text, sizeof text, "%" PRIu64, odd << random_below(&seed, 8));
    expect_read(text);
  }
}

Test(number, ends_of_the_range_and_forms) {
  static const char *const texts[] = {"0",
                                      "-0",
                                      "+1",
                                      "1.",
                                      ".5",
                                      "-.5e3",
                                      "1e22",
                                      "1e23",
                                      "9007199254740993",
                                      "9007199254740992.9999999999",
                                      "2.2250738585072014e-308",
                                      "2.2250738585072011e-308",
                                      "4.9e-324",
                                      "2e-324",
                                      "1.7976931348623157e308",
                                      "1.7976931348623159e308",
                                      "1e400",
                                      "1e-400",
                                      "0e99999999999",
                                      "1e99999999999",
                                      "1e-99999999999",
                                      "123456789012345678901234567890",
                                      "0.000000000000000000000000000000012345678901234567",
                                      "18446744073709551615",
                                      "9999999999999999999",
                                      "1e-292",
                                      "1e-293",
                                      "1e324",
                                      "0.1e-291",
                                      "179769313486231570000e289"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    expect_read(texts[i]);
}

Test(number, where_it_ends) {
  static const struct {
    const char *text;
    size_t length;
  } cases[] = {{"1,2", 1}, {"0x10", 1}, {"1e", 1},  {"1e+", 1}, {"1.5.2", 3}, {"-", 0},
               {".", 0},   {"-.e3", 0}, {"inf", 0}, {"nan", 0}, {"", 0},      {"1e5e", 3}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const char *end = NULL;
    seam_number(cases[i].text, &end);
    cr_expect_eq((size_t)(end - cases[i].text), cases[i].length, "%s", cases[i].text);
  }
}
