/* Cost of output rows, timed in turns. Prints the CPU time of `seam run` with 2, 101 and 1001 rows, as csv and as npy,
 * relative to 2 rows as csv; the time to write one number; and the time of the command, relative to the integration.
 * The only argument is the number of turns, by default 11. */
#include <seam/results.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

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
  char end[32];
  char step[32];
  snprintf(end, sizeof end, "%.17g", c->end);
  snprintf(step, sizeof step, "%.17g", c->end / (runs[run].n_rows - 1));
  const char *arguments[] = {SEAM_COMMAND,
                             "run",
                             c->model,
                             "--end",
                             end,
                             "--output-step",
                             step,
                             "--rtol",
                             c->tolerance,
                             "--atol",
                             c->tolerance,
                             "--format",
                             runs[run].format,
                             "--quiet",
                             "-o",
                             directory,
                             c->override != NULL ? "--set" : NULL,
                             c->override,
                             NULL};
  return bench_command(arguments).cpu;
}

static void measure(const test_case *c, int n_turns, const char *directory) {
  static double times[N_RUNS][BENCH_MAX_TURNS];
  static double ratio[BENCH_MAX_TURNS];
  static double number[BENCH_MAX_TURNS];
  const char *const overrides[2] = {c->override, NULL};
  seam_model_file *file = bench_model(c->model, overrides);
  bench_run alone = bench_run_create(seam_model_mechanism(file), c->end);
  alone.options.rtol = alone.options.atol = atof(c->tolerance);
  alone.options.largest_step = c->end / 100;
  static double integration[BENCH_MAX_TURNS];
  for (int turn = 0; turn < n_turns; turn++) {
    for (int run = 0; run < N_RUNS; run++)
      times[run][turn] = time_command(c, run, directory);
    const double start = bench_cpu();
    bench_run_once(&alone);
    integration[turn] = bench_cpu() - start;
  }
  seam_table *table = NULL;
  seam_error error;
  bench_check(seam_trajectory_table_create(alone.model, &table, &error), &error);
  const double columns = (double)seam_table_n_columns(table);
  seam_table_destroy(table);
  printf("%s: %.0f columns\n", c->title, columns);
  for (int run = 1; run < N_RUNS; run++) {
    for (int turn = 0; turn < n_turns; turn++) {
      ratio[turn] = times[run][turn] / times[0][turn];
      number[turn] = 1e9 * (times[run][turn] - times[0][turn]) / ((runs[run].n_rows - 2) * columns);
    }
    char what[64];
    snprintf(what, sizeof what, "%d rows, %s", runs[run].n_rows, runs[run].format);
    bench_print_spread(what, 2, ratio, n_turns, "times 2 rows");
    bench_print_spread("", 2, number, n_turns, "ns a number");
  }
  for (int turn = 0; turn < n_turns; turn++)
    ratio[turn] = times[2][turn] / integration[turn];
  bench_print_spread("command, 1001 rows, csv", 2, ratio, n_turns, "times the integration alone");
  bench_run_destroy(&alone);
  seam_model_file_destroy(file);
}

int main(int n_arguments, char **arguments) {
  char directory[] = "/tmp/bench_rows_XXXXXX";
  const int n_turns = bench_turns(n_arguments, arguments, 11);
  if (mkdtemp(directory) == NULL)
    return 1;
  for (size_t i = 0; i < sizeof test_cases / sizeof *test_cases; i++)
    measure(&test_cases[i], n_turns, directory);
  for (size_t i = 0; i < 3; i++) {
    static const char *const names[] = {"trajectory.csv", "trajectory.npy", "summary.json"};
    char path[64];
    snprintf(path, sizeof path, "%s/%s", directory, names[i]);
    unlink(path);
  }
  return rmdir(directory);
}
