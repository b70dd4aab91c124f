/* Gain by threads within one large mechanism, measured in turns: wall time of a step of rk4 of chains with one
 * thread and with several. If other programs use the processors, only the shortest times count. usage:
 * bench_threads [THREADS] */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"
#include "bench/mechanisms.h"

static const double step = 1.0 / 1024;
enum { MAX_TURNS = 400 };

typedef struct runner {
  mbs_integrator *integrator;
  mbs_state *state;
  double times[MAX_TURNS]; /* s, time of a step in each turn */
} runner;

static runner *create(const mbs_model *model, int n_threads) {
  seam_error error = {0};
  runner *self = calloc(1, sizeof *self);
  mbs_integrator_options options = mbs_default_integrator_options();
  options.method = "rk4";
  options.step = step;
  options.n_threads = n_threads;
  self->state = bench_state(model);
  bench_check(mbs_integrator_create(model, &options, &self->integrator, &error), &error);
  bench_check(mbs_integrator_start(self->integrator, self->state, &error), &error);
  return self;
}

static void destroy(runner *self) {
  mbs_integrator_destroy(self->integrator);
  mbs_state_destroy(self->state);
  free(self);
}

static void measure(int n_rods, int n_turns, int n_threads) {
  enum { burst = 10 }; /* successive steps in a turn, because a pool that polls for work disturbs the other variant */
  mbs_model *model = bench_chain(n_rods);
  runner *runners[2] = {create(model, 1), create(model, n_threads)};
  for (int turn = 0; turn < n_turns; turn += burst)
    for (int k = 0; k < 2; k++)
      for (int i = turn; i < turn + burst && i < n_turns; i++) {
        seam_error error = {0};
        const double begin = bench_wall();
        bench_check(mbs_integrator_advance(runners[k]->integrator, (i + 1) * step, runners[k]->state, &error), &error);
        runners[k]->times[i] = bench_wall() - begin;
      }
  const bool is_same =
      memcmp(runners[0]->state->q, runners[1]->state->q, runners[0]->state->n_values * sizeof(double)) == 0;
  for (int k = 0; k < 2; k++) {
    const bench_spread time = bench_spread_of(runners[k]->times, n_turns);
    printf("chain of %6d, %d thread%s: %9.1f us a step [%.1f, %.1f]\n", n_rods, k == 0 ? 1 : n_threads,
           k == 0 ? " " : "s", 1e6 * time.median, 1e6 * time.least, 1e6 * time.most);
  }
  printf("  least times: %.2f times as fast; %s\n", runners[0]->times[0] / runners[1]->times[0],
         is_same ? "the same bits" : "OTHER BITS");
  destroy(runners[0]);
  destroy(runners[1]);
  mbs_model_destroy(model);
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
