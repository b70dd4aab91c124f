/* For clang-tidy only: an assertion of Criterion is its condition, its message and the end of the test. The analyser
 * spends nine tenths of its time on tests in what Criterion itself puts around them. */
#include <criterion/criterion.h>

void seam_assertion_message(const char *format, ...) __attribute__((format(printf, 1, 2)));

#undef cr_assert_impl
#define cr_assert_impl(Fail, Condition, Unused, Kind, Arguments, ...)                                                  \
  do {                                                                                                                 \
    if (!(Condition)) {                                                                                                \
      seam_assertion_message("" __VA_ARGS__);                                                                          \
      Fail();                                                                                                          \
    }                                                                                                                  \
  } while (0)
