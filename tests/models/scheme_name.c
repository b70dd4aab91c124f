/* Names of coupling schemes. */
#include "models/scheme_name.h"

#include <criterion/criterion.h>

static void expect_good(const char *name) {
  scheme_name_error error;
  cr_expect(scheme_name_check(name, &error), "%s: %s", name, error.cause);
}

static void expect_bad(const char *name, size_t column, const char *cause) {
  scheme_name_error error;
  cr_assert_not(scheme_name_check(name, &error), "%s", name);
  cr_expect_eq(error.column, column, "%s: column %zu", name, error.column);
  cr_expect_str_eq(error.cause, cause, "%s: %s", name, error.cause);
}

Test(scheme_name, of_every_form) {
  static const char *const names[] = {
      "ff-k1",
      "fd-d-k2",
      "df-i-k0",
      "dd-k0-explicit",
      "ff-index2-k2",
      "ff-index1-k1-semi",
      "ff-baumgarte(mu=5)-k1",
      "ff-baumgarte(index=2,mu_physical=1e-3)-k1-implicit",
      "ff-weighted(a=0.5,b=-2.5e-1)-k0",
      "ff-projection-k3",
      "ff-baumgarte-k1",
  };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    expect_good(names[i]);
}

#define METHODS "expected a method (d, i, baumgarte, weighted, projection, index2, index1) or k and the order"

Test(scheme_name, empty) { expect_bad("", 0, "expected a decomposition: ff, fd, df or dd"); }
Test(scheme_name, unknown_decomposition) { expect_bad("gg-k1", 0, "expected a decomposition: ff, fd, df or dd"); }
Test(scheme_name, no_order) { expect_bad("ff", 2, "expected '-k' and the order, as in 'ff-k1'"); }
Test(scheme_name, no_order_after_a_method) { expect_bad("ff-d", 4, "expected k and the order, as in 'ff-index2-k1'"); }
Test(scheme_name, unknown_method) { expect_bad("ff-e-k1", 3, METHODS); }
Test(scheme_name, order_without_a_digit) { expect_bad("ff-k", 3, METHODS); }
Test(scheme_name, unknown_option) { expect_bad("ff-baumgarte(nu=1)-k1", 13, "'nu' is not an option of 'baumgarte'"); }
Test(scheme_name, option_without_value) { expect_bad("ff-baumgarte(mu)-k1", 15, "expected '=' and a number"); }
Test(scheme_name, option_that_is_not_a_number) { expect_bad("ff-baumgarte(mu=x)-k1", 16, "expected a number"); }
Test(scheme_name, options_not_closed) { expect_bad("ff-baumgarte(mu=1-k1", 20, "expected ')'"); }
Test(scheme_name, unknown_iteration) { expect_bad("ff-k1-fast", 6, "expected explicit, semi or implicit"); }
Test(scheme_name, one_word_too_many) { expect_bad("ff-k1-semi-k2", 11, "expected the end of the name"); }
