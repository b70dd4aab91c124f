/* Gain of `seam sweep` by threads, measured in turns: wall time of 1000 runs of the four-bar with one thread and with
 * two; and the CPU time of a run in a sweep, divided by that of `seam run`. If other programs use the cores, medians
 * are wrong and only the line "best turns" counts. The only argument is the number of turns, by default 5. */
#include <stdio.h>

#include "base/scratch.h"
#include "bench/bench.h"

enum { N_RUNS = 1000 };

/* Makes a sweep in a new folder, as the journal of an earlier sweep would spare its runs. Returns the times. */
static bench_cost time_sweep(const char *n_threads) {
  char vary[64];
  char *folder = NULL;
  bench_check(scratch_make(&folder, &bench_error));
  snprintf(vary, sizeof vary, "parameters.c=900:1100:%d", N_RUNS);
  const bench_cost cost =
      bench_command((const char *const[]){SEAM_COMMAND, "sweep", "four_bar_bushing", "--vary", vary, "--measure",
                                          "bar1.omega.max", "--threads", n_threads, "-o", folder, "--quiet", NULL});
  scratch_remove(folder);
  return cost;
}

int main(int n_arguments, char **arguments) {
  static double one[BENCH_MAX_TURNS], two[BENCH_MAX_TURNS], cpu[BENCH_MAX_TURNS], alone[BENCH_MAX_TURNS];
  const int n_turns = bench_turns(n_arguments, arguments, 5);
  char *folder = NULL;
  bench_check(scratch_make(&folder, &bench_error));
  for (int turn = 0; turn < n_turns; turn++) {
    const bench_cost single = time_sweep("1");
    one[turn] = single.wall;
    cpu[turn] = single.cpu;
    two[turn] = time_sweep("2").wall;
    alone[turn] = bench_command((const char *const[]){SEAM_COMMAND, "run", "four_bar_bushing", "--columns",
                                                      "bar1.omega", "-o", folder, "--quiet", NULL})
                      .cpu;
  }
  const bench_spread first = bench_spread_of(1, one, NULL, n_turns), second = bench_spread_of(1, two, NULL, n_turns);
  printf("%d runs of four_bar_bushing, %d turns: median [least, most]\n", N_RUNS, n_turns);
  bench_print("1 thread", first, "s");
  bench_print("2 threads", second, "s");
  bench_print("1 over 2, in a turn", bench_spread_of(1, one, two, n_turns), "times");
  printf("  1 over 2, best turns: %.2f times\n", first.least / second.least);
  bench_print("CPU of a run", bench_spread_of(1.0 / N_RUNS, cpu, alone, n_turns), "times the command 'run' alone");
  scratch_remove(folder);
  return 0;
}
