/* Runs the tests of a program, each in a child of its own: a crash, a leak or what a sanitizer finds is the failure of
 * one test.
 *
 * usage: test_FOLDER [-j N] [-f] [SUITE | SUITE/TEST]...
 *   -j N   N tests at a time; default: one for each processor
 *   -f     ends with the first failure
 *   -t     prints how long each test takes the processor
 *
 * Under the sanitizers, which make it eight times as slow, a test that has found nothing ends after SEAM_SECONDS of the
 * processor: from then on it mostly repeats the same lines. The release runs it to its end, and so do they with the
 * environment variable SEAM_LONG. */
#include <criterion/criterion.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef SEAM_SECONDS
#define SEAM_SECONDS 0 /* all that it takes */
#endif

enum { MAX_JOBS = 256, CUT_SHORT = 77 /* exit status */ };

typedef struct job {
  pid_t pid;
  const seam_test *test;
} job;

typedef struct runner {
  job jobs[MAX_JOBS];
  int n_jobs, max_jobs;
  bool is_fail_fast, has_times;
  int n_run, n_failed, n_cut_short;
} runner;

static seam_test *first, **last = &first;

/* Of the test that runs in this process. */
static const seam_test *running;
static int n_failures;
static jmp_buf end_of_test;
static FILE *redirected;

void seam_test_add(seam_test *test) {
  *last = test;
  last = &test->next;
}

void seam_test_fail(const char *file, int line, const char *condition, const char *format, ...) {
  char message[4096];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  fprintf(redirected ? redirected : stderr, "%s:%d: %s/%s fails: %s%s%s\n", file, line, running->suite, running->name,
          condition, message[0] ? ": " : "", message);
  n_failures++;
}

void seam_test_end(void) { longjmp(end_of_test, 1); }

void seam_test_say(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  fputc('\n', stderr);
}

/* `redirected` is the former standard error from then on, where failures are printed. */
void cr_redirect_stderr(void) {
  fflush(stderr);
  redirected = fdopen(dup(STDERR_FILENO), "w");
  FILE *file = tmpfile();
  if (redirected == NULL || file == NULL || dup2(fileno(file), STDERR_FILENO) < 0)
    abort();
}

void cr_expect_stderr_eq_str(const char *expected) {
  char text[4096] = "";
  fflush(stderr);
  const ssize_t size = pread(STDERR_FILENO, text, sizeof text - 1, 0);
  cr_expect_geq(size, 0);
  cr_expect_str_eq(text, expected, "'%s'", text);
}

/* The options of a test's suite, which stand in the same file; NULL: none. */
static const seam_test_options *suite_of(const seam_test *test) {
  for (const seam_test *of = first; of; of = of->next)
    if (of->run == NULL && strcmp(of->suite, test->suite) == 0 && strcmp(of->options.file, test->options.file) == 0)
      return &of->options;
  return NULL;
}

/* Calls a part of the running test, which may end there. Returns whether it came to its own end. */
static bool call(void (*part)(void)) {
  if (part == NULL)
    return true;
  if (setjmp(end_of_test) != 0)
    return false;
  part();
  return true;
}

static void cut_short(int signal) {
  (void)signal;
  _exit(n_failures > 0 ? 1 : CUT_SHORT);
}

/* Runs a test in this process, with the options of its suite where it has none of its own. Returns the exit status. */
static int run(const seam_test *test) {
  static const seam_test_options none;
  const seam_test_options *own = &test->options, *suite = suite_of(test);
  if (suite == NULL)
    suite = &none;
  running = test;
  const double timeout = own->timeout > 0 ? own->timeout : suite->timeout;
  if (timeout > 0)
    alarm((unsigned)timeout + 1);
  const struct itimerval limit = {.it_value = {SEAM_SECONDS, 0}};
  if (SEAM_SECONDS > 0 && getenv("SEAM_LONG") == NULL) {
    signal(SIGPROF, cut_short);
    setitimer(ITIMER_PROF, &limit, NULL);
  }
  if (call(own->init ? own->init : suite->init))
    call(test->run);
  call(own->fini ? own->fini : suite->fini);
  return n_failures > 0;
}

static void start(runner *self, const seam_test *test) {
  fflush(NULL);
  const pid_t pid = fork();
  if (pid < 0) {
    perror("fork");
    exit(2);
  }
  if (pid == 0)
    exit(run(test));
  self->jobs[self->n_jobs++] = (job){pid, test};
}

static double seconds(struct timeval time) { return (double)time.tv_sec + 1e-6 * (double)time.tv_usec; }

/* Waits for the end of a test. */
static void await(runner *self) {
  int status = 0;
  struct rusage used;
  const pid_t pid = wait4(-1, &status, 0, &used);
  for (int i = 0; i < self->n_jobs; i++)
    if (self->jobs[i].pid == pid) {
      const seam_test *test = self->jobs[i].test;
      self->n_run++;
      if (self->has_times)
        printf("%8.3f s %s/%s\n", seconds(used.ru_utime) + seconds(used.ru_stime), test->suite, test->name);
      if (WIFEXITED(status) && WEXITSTATUS(status) == CUT_SHORT)
        self->n_cut_short++;
      else if (status != 0) {
        self->n_failed++;
        if (WIFSIGNALED(status))
          printf("%s: %s/%s is ended by a signal: %s\n", test->options.file, test->suite, test->name,
                 WTERMSIG(status) == SIGALRM ? "it takes too long" : strsignal(WTERMSIG(status)));
        printf("[FAIL] %s/%s\n", test->suite, test->name);
      }
      self->jobs[i] = self->jobs[--self->n_jobs];
      return;
    }
}

/* Whether a word, SUITE or SUITE/TEST, names a test. */
static bool names(const char *word, const seam_test *test) {
  const size_t n = strlen(test->suite);
  return strncmp(word, test->suite, n) == 0 &&
         (word[n] == '\0' || (word[n] == '/' && strcmp(word + n + 1, test->name) == 0));
}

static bool is_chosen(const seam_test *test, char **words) {
  if (test->run == NULL)
    return false;
  if (*words == NULL)
    return true;
  while (*words && !names(*words, test))
    words++;
  return *words != NULL;
}

int main(int argc, char **argv) {
  runner self = {.max_jobs = (int)sysconf(_SC_NPROCESSORS_ONLN)};
  int option = 0;
  while ((option = getopt(argc, argv, "fj:t")) != -1)
    if (option == 'f')
      self.is_fail_fast = true;
    else if (option == 't')
      self.has_times = true;
    else if (option != 'j' || (self.max_jobs = atoi(optarg)) < 1)
      return 2;
  if (self.max_jobs > MAX_JOBS)
    self.max_jobs = MAX_JOBS;
  for (const seam_test *test = first; test && !(self.is_fail_fast && self.n_failed); test = test->next)
    if (is_chosen(test, argv + optind)) {
      start(&self, test);
      if (self.n_jobs == self.max_jobs)
        await(&self);
    }
  while (self.n_jobs > 0)
    await(&self);
  printf("%d of %d tests pass", self.n_run - self.n_failed, self.n_run);
  if (self.n_cut_short > 0)
    printf(", %d of them cut short", self.n_cut_short);
  putchar('\n');
  return self.n_failed > 0 || self.n_run == 0; /* none: a wrong name */
}
