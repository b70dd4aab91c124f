/* Cost of output rows, timed in turns. Prints the CPU time of `seam run` with 2, 101 and 1001 rows as csv and npy,
 * relative to 2 rows as csv. Also prints the time to write one number, and the time of the command relative to the
 * integration. The only argument is the number of turns, by default 11. */
#include <seam/results.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/scratch.h"
#include "bench/bench.h"

enum { N_RUNS = 5 };

typedef struct test_case {
  const char *title, *model;
  const char *override;
  const char *tolerance;
  double end;
} test_case;

static const test_case test_cases[] = {
    {"rigid four-bar, 10 s, 1e-6", "four_bar_fixed", NULL, "1e-6", 10},
    {"four-bar with bushing, 10 s, 1e-4 (error 1e-6)", "four_bar_bushing", NULL, "1e-4", 10},
    {"chain of 100, 1 s, 1e-6", "pendulum_chain", "parameters.N=100", "1e-6", 1},
};

static const struct {
  int n_rows;
  const char *format;
} runs[N_RUNS] = {{2, "csv"}, {101, "csv"}, {1001, "csv"}, {101, "npy"}, {1001, "npy"}};

/* Returns the CPU time of the command, s. */
static double time_command(const test_case *c, int run, const char *directory) {
  char end[32], step[32];
  snprintf(end, sizeof end, "%.17g", c->end);
  snprintf(step, sizeof step, "%.17g", c->end / (runs[run].n_rows - 1));
  const char *set = c->override != NULL ? "--set" : NULL;
  return bench_command((const char *const[]){SEAM_COMMAND, "run", c->model, "--end", end, "--output-step", step,
                                             "--rtol", c->tolerance, "--atol", c->tolerance, "--format",
                                             runs[run].format, "--quiet", "-o", directory, set, c->override, NULL})
      .cpu;
}

static void measure(const test_case *c, int n_turns, const char *directory) {
  static double times[N_RUNS][BENCH_MAX_TURNS], added[BENCH_MAX_TURNS], integration[BENCH_MAX_TURNS];
  bench_run alone = bench_run_of(bench_model(c->model, (const char *const[2]){c->override, NULL}), c->end);
  alone.options.rtol = alone.options.atol = atof(c->tolerance);
  alone.options.largest_step = c->end / 100;
  for (int turn = 0; turn < n_turns; turn++) {
    for (int run = 0; run < N_RUNS; run++)
      times[run][turn] = time_command(c, run, directory);
    const double start = clock_cpu();
    bench_run_once(&alone);
    integration[turn] = clock_cpu() - start;
  }
  seam_table *table = NULL;
  bench_check(seam_trajectory_table_create(alone.model, &table, &bench_error));
  const double columns = (double)seam_table_n_columns(table);
  seam_table_destroy(table);
  printf("%s: %.0f columns\n", c->title, columns);
  for (int run = 1; run < N_RUNS; run++) {
    char what[64];
    for (int turn = 0; turn < n_turns; turn++)
      added[turn] = times[run][turn] - times[0][turn];
    snprintf(what, sizeof what, "%d rows, %s", runs[run].n_rows, runs[run].format);
    bench_print(what, bench_spread_of(1, times[run], times[0], n_turns), "times 2 rows");
    bench_print("", bench_spread_of(1e9 / ((runs[run].n_rows - 2) * columns), added, NULL, n_turns), "ns a number");
  }
  bench_print("command, 1001 rows, csv", bench_spread_of(1, times[2], integration, n_turns),
              "times the integration alone");
  bench_run_destroy(&alone);
}

int main(int n_arguments, char **arguments) {
  const int n_turns = bench_turns(n_arguments, arguments, 11);
  char *directory = NULL;
  bench_check(scratch_make(&directory, &bench_error));
  for (size_t i = 0; i < sizeof test_cases / sizeof *test_cases; i++)
    measure(&test_cases[i], n_turns, directory);
  scratch_remove(directory);
  return 0;
}
