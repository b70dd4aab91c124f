/* Gain by threads within one large mechanism, measured in turns: wall time of a step of rk4 of chains with one
 * thread and with several. If other programs use the processors, only the shortest times count. usage:
 * bench_threads [THREADS] */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"

static const double step = 1.0 / 1024;

static void measure(int n_rods, int n_turns, int n_threads) {
  enum { burst = 10 }; /* successive steps in a turn, because a pool that polls for work disturbs the other variant */
  static double times[2][BENCH_MAX_TURNS]; /* s, time of a step in each turn */
  mbs_model *model = bench_chain(n_rods);
  bench_run runs[2] = {bench_run_create(model, 0), bench_run_create(model, 0)};
  mbs_integrator *integrators[2];
  bench_spread spreads[2];
  for (int k = 0; k < 2; k++) {
    runs[k].options.method = "rk4";
    runs[k].options.step = step;
    runs[k].options.n_threads = k == 0 ? 1 : n_threads;
    integrators[k] = bench_run_begin(&runs[k]);
  }
  for (int turn = 0; turn < n_turns; turn += burst)
    for (int k = 0; k < 2; k++)
      for (int i = turn; i < turn + burst && i < n_turns; i++) {
        const double begin = clock_wall();
        bench_check(mbs_integrator_advance(integrators[k], (i + 1) * step, runs[k].end, &bench_error));
        times[k][i] = clock_wall() - begin;
      }
  const bool is_same = memcmp(runs[0].end->q, runs[1].end->q, runs[0].end->n_values * sizeof(double)) == 0;
  for (int k = 0; k < 2; k++) {
    char what[64];
    snprintf(what, sizeof what, "chain of %d, threads: %d", n_rods, runs[k].options.n_threads);
    spreads[k] = bench_spread_of(1e6, times[k], NULL, n_turns);
    bench_print(what, spreads[k], "us a step");
    mbs_integrator_destroy(integrators[k]);
    bench_run_destroy(&runs[k]);
  }
  mbs_model_destroy(model);
  printf("  least times: %.2f times as fast; %s\n", spreads[0].least / spreads[1].least,
         is_same ? "the same bits" : "OTHER BITS");
  if (!is_same)
    exit(1);
}

int main(int argc, char **argv) {
  const int n_threads = argc > 1 ? atoi(argv[1]) : 2;
  if (n_threads < 2) {
    fprintf(stderr, "usage: bench_threads [THREADS], 2 or more\n");
    return 2;
  }
  measure(2000, 400, n_threads);
  measure(10000, 200, n_threads);
  measure(100000, 40, n_threads);
  return 0;
}
