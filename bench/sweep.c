/* Gain of `seam sweep` by threads, measured in turns: wall time of 1000 runs of the four-bar with one thread and with
 * two; and the CPU time of a run in a sweep, divided by that of `seam run`. If other programs use the cores, medians
 * are wrong and only the line "best turns" counts. The only argument is the number of turns, by default 5. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "bench/bench.h"

enum { N_RUNS = 1000 };

/* Makes a complete sweep and returns its times. First removes the journal of the last sweep, because runs in the
 * journal would not be made again. */
static bench_cost time_sweep(const char *directory, const char *n_threads) {
  char journal[64];
  char vary[64];
  snprintf(journal, sizeof journal, "%s/sweep.journal", directory);
  snprintf(vary, sizeof vary, "parameters.c=900:1100:%d", N_RUNS);
  unlink(journal);
  return bench_command((const char *const[]){SEAM_COMMAND, "sweep", "four_bar_bushing", "--vary", vary, "--measure",
                                             "bar1.omega.max", "--threads", n_threads, "-o", directory, "--quiet",
                                             NULL});
}

static void measure(const char *directory, int n_turns) {
  static double gains[BENCH_MAX_TURNS];
  static double one[BENCH_MAX_TURNS];
  static double two[BENCH_MAX_TURNS];
  static double cpu[BENCH_MAX_TURNS];
  for (int turn = 0; turn < n_turns; turn++) {
    const bench_cost single = time_sweep(directory, "1");
    const bench_cost twice = time_sweep(directory, "2");
    const bench_cost alone = bench_command((const char *const[]){SEAM_COMMAND, "run", "four_bar_bushing", "--columns",
                                                                 "bar1.omega", "-o", directory, "--quiet", NULL});
    one[turn] = single.wall;
    two[turn] = twice.wall;
    gains[turn] = single.wall / twice.wall;
    cpu[turn] = single.cpu / N_RUNS / alone.cpu;
  }
  printf("%d runs of four_bar_bushing, %d turns: median [least, most]\n", N_RUNS, n_turns);
  bench_print_spread("1 thread", 2, one, n_turns, "s");
  bench_print_spread("2 threads", 2, two, n_turns, "s");
  bench_print_spread("1 over 2, in a turn", 2, gains, n_turns, "times");
  printf("  %-24s %8.2f  times\n", "1 over 2, best turns", one[0] / two[0]);
  bench_print_spread("CPU of a run", 2, cpu, n_turns, "times the command 'run' alone");
}

int main(int n_arguments, char **arguments) {
  static const char *const names[] = {"sweep.csv", "sweep.journal", "sweep.gp",       "sweep.png",
                                      "sweep.svg", "sweep.pdf",     "trajectory.csv", "summary.json"};
  char directory[] = "/tmp/bench_sweep_XXXXXX";
  if (mkdtemp(directory) == NULL)
    return 1;
  measure(directory, bench_turns(n_arguments, arguments, 5));
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    char path[64];
    snprintf(path, sizeof path, "%s/%s", directory, names[i]);
    unlink(path);
  }
  return rmdir(directory);
}
