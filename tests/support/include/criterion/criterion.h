/* The part of Criterion's interface (github.com/Snaipe/Criterion) that the suites use. Criterion executes the whole
 * program again for each test and loads 40 libraries into it: 0.1 s of processor time for each of 2700 tests, 0.3 s
 * under the sanitizers. Here a test is a forked child of the suite's program (tests/support/runner.c), and 1 ms. */
#ifndef TESTS_SUPPORT_CRITERION_H
#define TESTS_SUPPORT_CRITERION_H

/* Options of tests and messages of assertions may be left out. */
#pragma GCC system_header
#ifdef __clang__
#pragma clang diagnostic ignored "-Wgnu-zero-variadic-macro-arguments"
#endif

#include <stdbool.h>
#include <string.h>

typedef struct cr_options {
  int first; /* nothing: lists of options may be empty */
  void (*init)(void), (*fini)(void);
  double timeout; /* s; 0: none */
} cr_options;

/* A test, or with run = NULL the options of its suite. */
typedef struct cr_entry {
  const char *suite, *name;
  void (*run)(void);
  cr_options options;
  struct cr_entry *next;
} cr_entry;

void cr_add(cr_entry *entry);

/* An assertion does not hold: the test fails. */
void cr_fail(const char *file, int line, const char *expression, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Ends the test. */
_Noreturn void cr_end(void);

/* A line of the log. */
void cr_log_info(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Ends the test and has it named by the last line of tools/test.sh. */
_Noreturn void cr_skip_test(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* To be called before what cr_expect_stderr_eq_str() looks at. */
void cr_redirect_stderr(void);
bool cr_has_stderr(const char *expected);

#define CR_ADD_(Id, Suite, Name, Run, ...)                                                                             \
  static cr_entry Id;                                                                                                  \
  __attribute__((constructor)) static void Id##_add(void) { cr_add(&Id); }                                             \
  static cr_entry Id = {.suite = Suite, .name = Name, .run = Run, .options = {.first = 0, __VA_ARGS__}}

#define TestSuite(Suite, ...) CR_ADD_(Suite##_suite_entry, #Suite, NULL, NULL, __VA_ARGS__)
#define Test(Suite, Name, ...)                                                                                         \
  static void Suite##_##Name##_test(void);                                                                             \
  CR_ADD_(Suite##_##Name##_entry, #Suite, #Name, Suite##_##Name##_test, __VA_ARGS__);                                  \
  static void Suite##_##Name##_test(void)

#define CR_CHECK_(IsLast, Condition, Expression, ...)                                                                  \
  do {                                                                                                                 \
    if (!(Condition)) {                                                                                                \
      cr_fail(__FILE__, __LINE__, Expression, " " __VA_ARGS__);                                                        \
      if (IsLast)                                                                                                      \
        cr_end();                                                                                                      \
    }                                                                                                                  \
  } while (0)
#define CR_COMPARE_(IsLast, A, Relation, B, ...) CR_CHECK_(IsLast, (A)Relation(B), #A " " #Relation " " #B, __VA_ARGS__)
#define CR_NEAR_(IsLast, A, B, Epsilon, ...)                                                                           \
  CR_CHECK_(IsLast, (B) - (A) <= (Epsilon) && (A) - (B) <= (Epsilon), #A " == " #B " within " #Epsilon, __VA_ARGS__)

/* cr_expect goes on with the test, cr_assert ends it. */
#define cr_expect(A, ...) CR_CHECK_(false, A, #A, __VA_ARGS__)
#define cr_expect_not(A, ...) CR_CHECK_(false, !(A), "!(" #A ")", __VA_ARGS__)
#define cr_expect_eq(A, B, ...) CR_COMPARE_(false, A, ==, B, __VA_ARGS__)
#define cr_expect_neq(A, B, ...) CR_COMPARE_(false, A, !=, B, __VA_ARGS__)
#define cr_expect_lt(A, B, ...) CR_COMPARE_(false, A, <, B, __VA_ARGS__)
#define cr_expect_leq(A, B, ...) CR_COMPARE_(false, A, <=, B, __VA_ARGS__)
#define cr_expect_gt(A, B, ...) CR_COMPARE_(false, A, >, B, __VA_ARGS__)
#define cr_expect_geq(A, B, ...) CR_COMPARE_(false, A, >=, B, __VA_ARGS__)
#define cr_expect_null(A, ...) CR_COMPARE_(false, A, ==, NULL, __VA_ARGS__)
#define cr_expect_not_null(A, ...) CR_COMPARE_(false, A, !=, NULL, __VA_ARGS__)
#define cr_expect_float_eq(A, B, Epsilon, ...) CR_NEAR_(false, A, B, Epsilon, __VA_ARGS__)
#define cr_expect_float_neq(A, B, Epsilon, ...)                                                                        \
  CR_CHECK_(false, (B) - (A) > (Epsilon) || (A) - (B) > (Epsilon), #A " != " #B " by more than " #Epsilon, __VA_ARGS__)
#define cr_expect_str_eq(A, B, ...) CR_CHECK_(false, strcmp(A, B) == 0, #A " is the text " #B, __VA_ARGS__)
#define cr_expect_str_empty(A, ...) CR_CHECK_(false, (A)[0] == '\0', #A " is empty", __VA_ARGS__)
#define cr_expect_str_not_empty(A, ...) CR_CHECK_(false, (A)[0] != '\0', #A " is not empty", __VA_ARGS__)
#define cr_expect_arr_eq(A, B, Size, ...)                                                                              \
  CR_CHECK_(false, memcmp(A, B, Size) == 0, #A " has the bytes of " #B, __VA_ARGS__)
#define cr_expect_stderr_eq_str(A, ...) CR_CHECK_(false, cr_has_stderr(A), "stderr is " #A, __VA_ARGS__)

#define cr_assert(A, ...) CR_CHECK_(true, A, #A, __VA_ARGS__)
#define cr_assert_not(A, ...) CR_CHECK_(true, !(A), "!(" #A ")", __VA_ARGS__)
#define cr_assert_eq(A, B, ...) CR_COMPARE_(true, A, ==, B, __VA_ARGS__)
#define cr_assert_neq(A, B, ...) CR_COMPARE_(true, A, !=, B, __VA_ARGS__)
#define cr_assert_lt(A, B, ...) CR_COMPARE_(true, A, <, B, __VA_ARGS__)
#define cr_assert_leq(A, B, ...) CR_COMPARE_(true, A, <=, B, __VA_ARGS__)
#define cr_assert_gt(A, B, ...) CR_COMPARE_(true, A, >, B, __VA_ARGS__)
#define cr_assert_geq(A, B, ...) CR_COMPARE_(true, A, >=, B, __VA_ARGS__)
#define cr_assert_null(A, ...) CR_COMPARE_(true, A, ==, NULL, __VA_ARGS__)
#define cr_assert_not_null(A, ...) CR_COMPARE_(true, A, !=, NULL, __VA_ARGS__)
#define cr_assert_float_eq(A, B, Epsilon, ...) CR_NEAR_(true, A, B, Epsilon, __VA_ARGS__)
#define cr_assert_str_eq(A, B, ...) CR_CHECK_(true, strcmp(A, B) == 0, #A " is the text " #B, __VA_ARGS__)
#define cr_assert_arr_eq(A, B, Size, ...)                                                                              \
  CR_CHECK_(true, memcmp(A, B, Size) == 0, #A " has the bytes of " #B, __VA_ARGS__)
#define cr_assert_fail(...) CR_CHECK_(true, false, "this place is not reached", __VA_ARGS__)

#endif
