/* Runs a command of Seam again and again: the first allocation fails, then the second, and so on until the command ends
 * without having met the failure; then the same with all allocations from the n-th on. Each run is a child of its own.
 *
 * It must end with status 1 and a message that memory is exhausted, or as if nothing had failed, with the same output.
 * The linker replaces main by __wrap_main. Allocations of libraries fail too, but not under the sanitizers, which must
 * see them: there the linker replaces the allocations of Seam's own objects.
 *
 * usage: every_allocation STRIDE COMMAND ARGUMENTS...
 * Results of the command must go to ./out. Every STRIDE-th allocation fails; with SEAM_LONG in the environment each. */
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* NOLINTBEGIN(bugprone-reserved-identifier): names of the linker and of libc */
int __real_main(int n_arguments, char **arguments);
int __wrap_main(int n_arguments, char **arguments);
void __wrap_seam_fmu_catch_crashes(void);

/* ---- Allocations that fail ---- */

static atomic_long n_allocations;
static long fails_at;    /* 0: none */
static bool fails_from;  /* all from there on */
static atomic_bool *met; /* shared with the parent */

static bool fails(void) {
  const long number = atomic_fetch_add(&n_allocations, 1) + 1;
  if (fails_at == 0 || number < fails_at || (number > fails_at && !fails_from))
    return false;
  atomic_store(met, true);
  errno = ENOMEM;
  return true;
}

#ifdef SEAM_WRAP
#define OURS(name) __wrap_##name
#define THEIRS(name) __real_##name
#else
#define OURS(name) name
#define THEIRS(name) __libc_##name
#endif

void *THEIRS(malloc)(size_t size);
void *THEIRS(calloc)(size_t nmemb, size_t size);
void *THEIRS(realloc)(void *ptr, size_t size);
#pragma GCC visibility push(default) /* for the libraries too */
void *OURS(malloc)(size_t size);
void *OURS(calloc)(size_t nmemb, size_t size);
void *OURS(realloc)(void *ptr, size_t size);
#pragma GCC visibility pop

void *OURS(malloc)(size_t size) { return fails() ? NULL : THEIRS(malloc)(size); }
void *OURS(calloc)(size_t nmemb, size_t size) { return fails() ? NULL : THEIRS(calloc)(nmemb, size); }
void *OURS(realloc)(void *ptr, size_t size) { return fails() ? NULL : THEIRS(realloc)(ptr, size); }
/* NOLINTEND(bugprone-reserved-identifier) */

/* ---- One run ---- */

enum { MAX_OUTPUT = 1 << 20 };

typedef struct run {
  int status; /* of waitpid() */
  size_t n_out, n_results;
  char *out, *results; /* (MAX_OUTPUT) what was printed; the trajectory */
  char err[8192];
} run;

static void print_where(int number) {
  void *frames[32];
  fails_at = 0;
  const int n = backtrace(frames, 32);            /* NOLINT(bugprone-signal-handler): the process ends here */
  backtrace_symbols_fd(frames, n, STDERR_FILENO); /* NOLINT(bugprone-signal-handler) */
  signal(number, SIG_DFL);
  raise(number);
}

static _Noreturn void carry_out(int n_arguments, char **arguments, long at, bool from) {
  const int out = open("stdout", O_CREAT | O_TRUNC | O_WRONLY, 0600);
  const int err = open("stderr", O_CREAT | O_TRUNC | O_WRONLY, 0600);
  dup2(out, STDOUT_FILENO);
  dup2(err, STDERR_FILENO);
  void *warm[1];
  backtrace(warm, 1); /* it allocates when it is first called */
#ifndef SEAM_WRAP
  signal(SIGSEGV, print_where);
  signal(SIGABRT, print_where);
#else
  (void)print_where;
#endif
  alarm(60);
  atomic_store(&n_allocations, 0);
  fails_from = from;
  fails_at = at;
  const int status = __real_main(n_arguments, arguments);
  fails_at = 0;
  exit(status);
}

static size_t read_file(const char *path, char *text, size_t size) {
  FILE *file = fopen(path, "rb");
  const size_t n = file != NULL ? fread(text, 1, size - 1, file) : 0;
  text[n] = '\0';
  if (file != NULL)
    fclose(file);
  return n;
}

static void run_once(int n_arguments, char **arguments, long at, bool from, run *made) {
  atomic_store(met, false);
  unlink("out/trajectory.csv");
  unlink("out/sweep.journal");
  fflush(NULL);
  const pid_t child = fork();
  if (child == 0)
    carry_out(n_arguments, arguments, at, from);
  waitpid(child, &made->status, 0);
  made->n_out = read_file("stdout", made->out, MAX_OUTPUT);
  made->n_results = read_file("out/trajectory.csv", made->results, MAX_OUTPUT);
  read_file("stderr", made->err, sizeof made->err);
}

/* ---- All of them ---- */

static bool is_survived(const run *now, const run *good) {
  return WIFEXITED(now->status) && WEXITSTATUS(now->status) == WEXITSTATUS(good->status) && now->n_out == good->n_out &&
         memcmp(now->out, good->out, now->n_out) == 0 && now->n_results == good->n_results &&
         memcmp(now->results, good->results, now->n_results) == 0;
}

static bool is_said(const run *now) {
  return WIFEXITED(now->status) && WEXITSTATUS(now->status) == 1 &&
         (strstr(now->err, "memory") != NULL || strstr(now->err, "Cannot allocate") != NULL);
}

static run run_new(void) { return (run){.out = THEIRS(malloc)(MAX_OUTPUT), .results = THEIRS(malloc)(MAX_OUTPUT)}; }

/* Some functions of libfyaml and SUNDIALS end the process when an allocation in them fails; nothing that Seam does
 * avoids it. Returns true if the innermost frame of the printed stack that is neither the C library's nor the handler's
 * is in one of them. After a signal the handler prints the stack, and its own frame first; the address sanitizer prints
 * "#0 ...". */
static bool is_of_library(const run *now) {
  const char *sanitized = strstr(now->err, "AddressSanitizer: SEGV");
  const char *frame = sanitized != NULL ? strstr(sanitized, "#0 ") : strstr(now->err, "every_allocation(");
  if (frame == NULL || !(WIFSIGNALED(now->status) || sanitized != NULL))
    return false;
  if (sanitized == NULL)
    frame += strcspn(frame, "\n");
  for (frame += strspn(frame, "\n"); *frame != '\0'; frame += strspn(frame, "\n")) {
    char line[512];
    const size_t length = strcspn(frame, "\n");
    snprintf(line, sizeof line, "%.*s", (int)(length < sizeof line ? length : sizeof line - 1), frame);
    if (strstr(line, "libc.so") == NULL && strstr(line, "libsanitizer") == NULL)
      return strstr(line, "libfyaml") != NULL || strstr(line, "libsundials") != NULL;
    frame += length;
  }
  return false;
}

/* The number of runs that went wrong. */
static int try_all(int n_arguments, char **arguments, long stride, bool from, const run *good) {
  run now = run_new();
  int n_wrong = 0;
  int n_survived = 0;
  int n_of_library = 0;
  long at = 1;
  for (;; at += stride) {
    run_once(n_arguments, arguments, at, from, &now);
    if (!atomic_load(met) && is_survived(&now, good))
      break;
    n_survived += is_survived(&now, good);
    n_of_library += is_of_library(&now);
    if (is_survived(&now, good) || is_said(&now) || is_of_library(&now))
      continue;
    if (n_wrong++ < 20)
      printf("%s %ld: %s %d\n%s\n", from ? "from" : "allocation", at, WIFEXITED(now.status) ? "exit status" : "signal",
             WIFEXITED(now.status) ? WEXITSTATUS(now.status) : WTERMSIG(now.status), now.err);
  }
  printf("%s: every %ld. of %ld allocations, %d survived, %d ended by a library, %d went wrong\n",
         from ? "all from the n-th on" : "one", stride, at - 1, n_survived, n_of_library, n_wrong);
  free(now.out);
  free(now.results);
  return n_wrong;
}

static int remove_one(const char *path, const struct stat *about, int kind, struct FTW *place) {
  (void)about, (void)kind, (void)place;
  return remove(path);
}

static void remove_all(const char *folder) { nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS); }

/* A crash ends a run here, so that the libraries' own are known. */
void __wrap_seam_fmu_catch_crashes(void) {}

int __wrap_main(int n_arguments, char **arguments) {
  char scratch[] = "/tmp/seam_oom_XXXXXX";
  met = mmap(NULL, sizeof *met, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  const long stride = n_arguments > 2 && getenv("SEAM_LONG") == NULL ? strtol(arguments[1], NULL, 10) : 1;
  if (n_arguments < 3 || stride < 1 || met == MAP_FAILED || mkdtemp(scratch) == NULL || chdir(scratch) != 0)
    return 2;
  run good = run_new();
  run_once(n_arguments - 1, arguments + 1, 0, false, &good);
  int n_wrong = WIFEXITED(good.status) && WEXITSTATUS(good.status) == 0 ? 0 : 1;
  if (n_wrong > 0)
    printf("the command fails by itself: %s\n", good.err);
  for (int from = 0; from < 2 && n_wrong == 0; from++)
    n_wrong += try_all(n_arguments - 1, arguments + 1, stride, from == 1, &good);
  free(good.out);
  free(good.results);
  remove_all(scratch);
  return n_wrong == 0 ? 0 : 1;
}
