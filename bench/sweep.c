/* Gain of `seam sweep` by threads: wall time of 1000 runs of the four-bar with one thread and with two, in turns; and
 * the CPU time of a run over that of the same run alone. On a machine with other work on both cores only the best turns
 * count. The only argument is the number of turns, 5 if it is missing. */
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "bench/bench.h"

extern char **environ;

enum { MAX_TURNS = 101, N_RUNS = 1000 };

typedef struct cost {
  double wall, cpu; /* s */
} cost;

static double seconds(struct timeval time) { return (double)time.tv_sec + 1e-6 * (double)time.tv_usec; }

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static cost time_command(const char *const *arguments) {
  pid_t child = 0;
  int status = 0;
  struct rusage used;
  memset(&used, 0, sizeof used);
  const double start = now();
  if (posix_spawn(&child, SEAM_COMMAND, NULL, NULL, (char *const *)arguments, environ) != 0 ||
      wait4(child, &status, 0, &used) != child || status != 0) {
    fprintf(stderr, "%s %s does not run\n", SEAM_COMMAND, arguments[1]);
    exit(1);
  }
  return (cost){now() - start, seconds(used.ru_utime) + seconds(used.ru_stime)};
}

/* Sweeps from the beginning: removes the journal, whose runs would not be made again. */
static cost time_sweep(const char *directory, const char *n_threads) {
  char journal[64];
  char vary[64];
  snprintf(journal, sizeof journal, "%s/sweep.journal", directory);
  snprintf(vary, sizeof vary, "parameters.c=900:1100:%d", N_RUNS);
  unlink(journal);
  return time_command((const char *const[]){SEAM_COMMAND, "sweep", "four_bar_bushing", "--vary", vary, "--measure",
                                            "bar1.omega.max", "--threads", n_threads, "-o", directory, "--quiet",
                                            NULL});
}

static int compare(const void *a, const void *b) {
  const double x = *(const double *)a;
  const double y = *(const double *)b;
  return (x > y) - (x < y);
}

static void print_spread(const char *what, double *values, int n, const char *unit) {
  qsort(values, (size_t)n, sizeof *values, compare);
  printf("  %-24s %8.2f  [%.2f, %.2f] %s\n", what, values[n / 2], values[0], values[n - 1], unit);
}

static void hold(const char *directory, int n_turns) {
  static double gains[MAX_TURNS];
  static double one[MAX_TURNS];
  static double two[MAX_TURNS];
  static double cpu[MAX_TURNS];
  for (int turn = 0; turn < n_turns; turn++) {
    const cost single = time_sweep(directory, "1");
    const cost twice = time_sweep(directory, "2");
    const cost alone = time_command((const char *const[]){SEAM_COMMAND, "run", "four_bar_bushing", "--columns",
                                                          "bar1.omega", "-o", directory, "--quiet", NULL});
    one[turn] = single.wall;
    two[turn] = twice.wall;
    gains[turn] = single.wall / twice.wall;
    cpu[turn] = single.cpu / N_RUNS / alone.cpu;
  }
  printf("%d runs of four_bar_bushing, %d turns: median [least, most]\n", N_RUNS, n_turns);
  print_spread("1 thread", one, n_turns, "s");
  print_spread("2 threads", two, n_turns, "s");
  print_spread("1 over 2, in a turn", gains, n_turns, "times");
  printf("  %-24s %8.2f  times\n", "1 over 2, best turns", one[0] / two[0]);
  print_spread("CPU of a run", cpu, n_turns, "times the command 'run' alone");
}

int main(int n_arguments, char **arguments) {
  static const char *const names[] = {"sweep.csv", "sweep.journal", "sweep.gp",       "sweep.png",
                                      "sweep.svg", "sweep.pdf",     "trajectory.csv", "summary.json"};
  char directory[] = "/tmp/bench_sweep_XXXXXX";
  const int wanted = n_arguments > 1 ? atoi(arguments[1]) : 5;
  if (mkdtemp(directory) == NULL)
    return 1;
  hold(directory, wanted < 1 ? 1 : wanted > MAX_TURNS ? MAX_TURNS : wanted);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    char path[64];
    snprintf(path, sizeof path, "%s/%s", directory, names[i]);
    unlink(path);
  }
  return rmdir(directory);
}
