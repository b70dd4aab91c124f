#ifndef SEAM_CRITERION_H
#define SEAM_CRITERION_H

/* The interface of the test framework Criterion, as far as the suites use it (github.com/Snaipe/Criterion, MIT).
 * Criterion itself starts its program again, with forty shared libraries, for each test: 2700 starts took more time of
 * the processor than what the tests do. Here a test is a child by fork(), see runner.c.
 *
 *   Test(suite, name, .init = f, .fini = g, .timeout = seconds) { ... }    a test; the options may be left out
 *   TestSuite(suite, ...);                                                 options of all tests of a suite in this file
 *   cr_expect...(condition or values, "format", ...)                       counts as a failure and goes on; the
 * message, a format in quotes, may be left out cr_assert...(...) ends the test (its .fini runs)
 *
 * CTest chooses tests by the name of their suite; the file has the same (lint.suites). */

/* A macro of a system's header may be called without a message, which ISO C17 does not know. */
#pragma GCC system_header
#ifdef __clang__
#pragma clang diagnostic ignored "-Wgnu-zero-variadic-macro-arguments"
#else /* only a compiler that optimises knows lengths of texts; suites are compiled quickly */
#pragma GCC diagnostic ignored "-Wformat-truncation"
#endif

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct seam_test_options {
  const char *file;
  void (*init)(void), (*fini)(void);
  double timeout; /* s; 0: none */
} seam_test_options;

/* One of these for each test, and one with name == NULL and run == NULL for each TestSuite(). */
typedef struct seam_test {
  const char *suite, *name;
  void (*run)(void);
  seam_test_options options;
  struct seam_test *next;
} seam_test;

/* Puts a test into the list of those of this program. */
void seam_test_add(seam_test *test);

/* Counts a failure of the running test and prints its place, the text of the condition and the message. */
void seam_test_fail(const char *file, int line, const char *condition, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Ends the running test. */
_Noreturn void seam_test_end(void);

/* Prints a message. */
void seam_test_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

#define Test(Suite, Name, ...)                                                                                         \
  static void Suite##_##Name(void);                                                                                    \
  static seam_test Suite##_##Name##_test = {#Suite, #Name, Suite##_##Name, {.file = __FILE__, __VA_ARGS__}, NULL};     \
  __attribute__((constructor)) static void Suite##_##Name##_add(void) { seam_test_add(&Suite##_##Name##_test); }       \
  static void Suite##_##Name(void)

#define TestSuite(Suite, ...)                                                                                          \
  static seam_test Suite##_suite = {#Suite, NULL, NULL, {.file = __FILE__, __VA_ARGS__}, NULL};                        \
  __attribute__((constructor)) static void Suite##_suite_add(void) { seam_test_add(&Suite##_suite); }                  \
  extern int seam_test_semicolon

#define SEAM_CHECK(Then, Condition, Text, ...)                                                                         \
  do {                                                                                                                 \
    if (!(Condition)) {                                                                                                \
      seam_test_fail(__FILE__, __LINE__, Text, "" __VA_ARGS__);                                                        \
      Then;                                                                                                            \
    }                                                                                                                  \
  } while (0)

#define cr_expect(Condition, ...) SEAM_CHECK((void)0, Condition, #Condition, __VA_ARGS__)
#define cr_expect_not(Condition, ...) SEAM_CHECK((void)0, !(Condition), "not " #Condition, __VA_ARGS__)
#define cr_expect_null(Pointer, ...) SEAM_CHECK((void)0, (Pointer) == NULL, #Pointer " is NULL", __VA_ARGS__)
#define cr_expect_not_null(Pointer, ...) SEAM_CHECK((void)0, (Pointer) != NULL, #Pointer " is not NULL", __VA_ARGS__)
#define cr_expect_eq(A, B, ...) SEAM_CHECK((void)0, (A) == (B), #A " == " #B, __VA_ARGS__)
#define cr_expect_neq(A, B, ...) SEAM_CHECK((void)0, (A) != (B), #A " != " #B, __VA_ARGS__)
#define cr_expect_lt(A, B, ...) SEAM_CHECK((void)0, (A) < (B), #A " < " #B, __VA_ARGS__)
#define cr_expect_leq(A, B, ...) SEAM_CHECK((void)0, (A) <= (B), #A " <= " #B, __VA_ARGS__)
#define cr_expect_gt(A, B, ...) SEAM_CHECK((void)0, (A) > (B), #A " > " #B, __VA_ARGS__)
#define cr_expect_geq(A, B, ...) SEAM_CHECK((void)0, (A) >= (B), #A " >= " #B, __VA_ARGS__)
#define cr_expect_float_eq(A, B, E, ...)                                                                               \
  SEAM_CHECK((void)0, (A) - (B) <= (E) && (B) - (A) <= (E), #A " is within " #E " of " #B, __VA_ARGS__)
#define cr_expect_float_neq(A, B, E, ...)                                                                              \
  SEAM_CHECK((void)0, (A) - (B) > (E) || (B) - (A) > (E), #A " is not within " #E " of " #B, __VA_ARGS__)
#define cr_expect_str_eq(A, B, ...) SEAM_CHECK((void)0, strcmp(A, B) == 0, #A " is the text " #B, __VA_ARGS__)
#define cr_expect_str_neq(A, B, ...) SEAM_CHECK((void)0, strcmp(A, B) != 0, #A " is another text than " #B, __VA_ARGS__)
#define cr_expect_str_empty(A, ...) SEAM_CHECK((void)0, (A)[0] == '\0', #A " is empty", __VA_ARGS__)
#define cr_expect_str_not_empty(A, ...) SEAM_CHECK((void)0, (A)[0] != '\0', #A " is not empty", __VA_ARGS__)
#define cr_expect_arr_eq(A, B, Size, ...)                                                                              \
  SEAM_CHECK((void)0, memcmp(A, B, Size) == 0, #A " has the bytes of " #B, __VA_ARGS__)

#define cr_assert(Condition, ...) SEAM_CHECK(seam_test_end(), Condition, #Condition, __VA_ARGS__)
#define cr_assert_not(Condition, ...) SEAM_CHECK(seam_test_end(), !(Condition), "not " #Condition, __VA_ARGS__)
#define cr_assert_null(Pointer, ...) SEAM_CHECK(seam_test_end(), (Pointer) == NULL, #Pointer " is NULL", __VA_ARGS__)
#define cr_assert_not_null(Pointer, ...)                                                                               \
  SEAM_CHECK(seam_test_end(), (Pointer) != NULL, #Pointer " is not NULL", __VA_ARGS__)
#define cr_assert_eq(A, B, ...) SEAM_CHECK(seam_test_end(), (A) == (B), #A " == " #B, __VA_ARGS__)
#define cr_assert_neq(A, B, ...) SEAM_CHECK(seam_test_end(), (A) != (B), #A " != " #B, __VA_ARGS__)
#define cr_assert_lt(A, B, ...) SEAM_CHECK(seam_test_end(), (A) < (B), #A " < " #B, __VA_ARGS__)
#define cr_assert_leq(A, B, ...) SEAM_CHECK(seam_test_end(), (A) <= (B), #A " <= " #B, __VA_ARGS__)
#define cr_assert_gt(A, B, ...) SEAM_CHECK(seam_test_end(), (A) > (B), #A " > " #B, __VA_ARGS__)
#define cr_assert_geq(A, B, ...) SEAM_CHECK(seam_test_end(), (A) >= (B), #A " >= " #B, __VA_ARGS__)
#define cr_assert_float_eq(A, B, E, ...)                                                                               \
  SEAM_CHECK(seam_test_end(), (A) - (B) <= (E) && (B) - (A) <= (E), #A " is within " #E " of " #B, __VA_ARGS__)
#define cr_assert_float_neq(A, B, E, ...)                                                                              \
  SEAM_CHECK(seam_test_end(), (A) - (B) > (E) || (B) - (A) > (E), #A " is not within " #E " of " #B, __VA_ARGS__)
#define cr_assert_str_eq(A, B, ...) SEAM_CHECK(seam_test_end(), strcmp(A, B) == 0, #A " is the text " #B, __VA_ARGS__)
#define cr_assert_str_neq(A, B, ...)                                                                                   \
  SEAM_CHECK(seam_test_end(), strcmp(A, B) != 0, #A " is another text than " #B, __VA_ARGS__)
#define cr_assert_str_empty(A, ...) SEAM_CHECK(seam_test_end(), (A)[0] == '\0', #A " is empty", __VA_ARGS__)
#define cr_assert_str_not_empty(A, ...) SEAM_CHECK(seam_test_end(), (A)[0] != '\0', #A " is not empty", __VA_ARGS__)
#define cr_assert_arr_eq(A, B, Size, ...)                                                                              \
  SEAM_CHECK(seam_test_end(), memcmp(A, B, Size) == 0, #A " has the bytes of " #B, __VA_ARGS__)
#define cr_assert_fail(...) SEAM_CHECK(seam_test_end(), false, "never gets here", __VA_ARGS__)

#define cr_log_info(...) seam_test_say(__VA_ARGS__)
#define cr_skip_test(...)                                                                                              \
  do {                                                                                                                 \
    seam_test_say("skipped: " __VA_ARGS__);                                                                            \
    seam_test_end();                                                                                                   \
  } while (0)

/* From here on the standard error of the test goes into a file, which cr_expect_stderr_eq_str() reads. */
void cr_redirect_stderr(void);
void cr_expect_stderr_eq_str(const char *expected);

#endif
