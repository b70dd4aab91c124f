/* Runs the tests of a program, each in a child of its own, one after the other.
 * usage: test_FOLDER [--filter SUITE/TEST] [--fail-fast]     (* and ? in both names)
 * The status is 0 when all tests of the pattern pass and there is one. */
#include <criterion/criterion.h>
#include <fnmatch.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/lsan_interface.h>

size_t __sanitizer_get_current_allocated_bytes(void); /* gcc has no header for it */
#endif

static cr_entry *first_entry;
static cr_entry **end_of_entries = &first_entry;

/* Of the test that runs in this process. */
static bool is_failed;
static jmp_buf end_of_part;
static FILE *messages; /* stderr as it was before cr_redirect_stderr() */
static FILE *redirected;

void cr_add(cr_entry *entry) {
  *end_of_entries = entry;
  end_of_entries = &entry->next;
}

void cr_fail(const char *file, int line, const char *expression, const char *format, ...) {
  va_list arguments;
  is_failed = true;
  fprintf(messages, "%s:%d: Assertion Failed: %s:", file, line, expression);
  va_start(arguments, format);
  vfprintf(messages, format, arguments);
  va_end(arguments);
  fputc('\n', messages);
}

void cr_end(void) { longjmp(end_of_part, 1); }

void cr_log_info(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vfprintf(messages, format, arguments);
  va_end(arguments);
  fputc('\n', messages);
}

void cr_skip_test(const char *format, ...) {
  va_list arguments;
  fputs("skipped: ", messages);
  va_start(arguments, format);
  vfprintf(messages, format, arguments);
  va_end(arguments);
  fputc('\n', messages);
  cr_end();
}

void cr_redirect_stderr(void) {
  fflush(stderr);
  messages = fdopen(dup(STDERR_FILENO), "w");
  redirected = tmpfile();
  if (messages == NULL || redirected == NULL || dup2(fileno(redirected), STDERR_FILENO) < 0)
    abort();
}

bool cr_has_stderr(const char *expected) {
  fflush(stderr);
  rewind(redirected);
  for (; *expected != '\0'; expected++)
    if (fgetc(redirected) != (unsigned char)*expected)
      return false;
  return fgetc(redirected) == EOF;
}

/* What comes before a failed assertion of its own ends a part. */
static void run_part(void (*const functions[])(void), int n) {
  if (setjmp(end_of_part) == 0)
    for (int i = 0; i < n; i++)
      if (functions[i] != NULL)
        functions[i]();
}

static void run_test(const cr_entry *test, const cr_options *suite) {
  const double timeout = test->options.timeout > 0 ? test->options.timeout : suite->timeout;
  alarm((unsigned)ceil(timeout));
  run_part((void (*const[])(void)){suite->init, test->options.init, test->run}, 3);
  run_part((void (*const[])(void)){test->options.fini, suite->fini}, 2);
}

static const cr_options *suite_of(const cr_entry *test) {
  static const cr_options none;
  for (const cr_entry *e = first_entry; e != NULL; e = e->next)
    if (e->run == NULL && strcmp(e->suite, test->suite) == 0)
      return &e->options;
  return &none;
}

/* Runs a test and ends. What exit() does, and a search of all memory for pointers, take longer than most tests under
 * the sanitizers: leaks are looked for where more memory is in use than before. */
static _Noreturn void be_child(const cr_entry *test) {
#ifdef __SANITIZE_ADDRESS__
  const size_t before = __sanitizer_get_current_allocated_bytes();
#endif
  run_test(test, suite_of(test));
  fflush(NULL);
#ifdef __SANITIZE_ADDRESS__
  if (__sanitizer_get_current_allocated_bytes() != before)
    __lsan_do_leak_check();
#endif
  _exit(is_failed ? EXIT_FAILURE : EXIT_SUCCESS);
}

static bool passes(const cr_entry *test) {
  fflush(NULL);
  const pid_t child = fork();
  if (child == 0)
    be_child(test);
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child) {
    perror("a test cannot be run");
    return false;
  }
  if (WIFSIGNALED(status))
    fprintf(stderr, "Unexpected signal %d\n", WTERMSIG(status));
  if (status != 0)
    fprintf(stderr, "[FAIL] %s::%s\n", test->suite, test->name);
  return status == 0;
}

static bool is_chosen(const cr_entry *entry, const char *pattern) {
  char name[512];
  snprintf(name, sizeof name, "%s/%s", entry->suite, entry->name == NULL ? "" : entry->name);
  return entry->run != NULL && fnmatch(pattern, name, 0) == 0;
}

int main(int n_arguments, char *arguments[]) {
  const char *pattern = "*";
  bool is_fast = false;
  for (int i = 1; i < n_arguments; i++)
    if (strcmp(arguments[i], "--fail-fast") == 0) {
      is_fast = true;
    } else if (strcmp(arguments[i], "--filter") == 0 && i + 1 < n_arguments) {
      pattern = arguments[++i];
    } else {
      fprintf(stderr, "usage: %s [--filter SUITE/TEST] [--fail-fast]\n", arguments[0]);
      return 2;
    }
  int n_tests = 0;
  int n_failed = 0;
  messages = stderr;
  for (const cr_entry *e = first_entry; e != NULL && !(is_fast && n_failed > 0); e = e->next)
    if (is_chosen(e, pattern)) {
      n_tests++;
      n_failed += passes(e) ? 0 : 1;
    }
  printf("%d tests, %d failed\n", n_tests, n_failed);
  return n_tests > 0 && n_failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
