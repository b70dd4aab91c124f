/* Work-precision data of all adaptive integrators: CPU time, steps, and the largest position error at the end, for
 * non-stiff, stiff and large mechanisms. The reference is a run by radau or erk with the smallest tolerance. */
#include <stdio.h>

#include "bench/bench.h"

typedef struct test_case {
  const char *title, *model;
  const char *overrides[3];
  double end;
  const char *reference; /* integrator of the reference */
} test_case;

static const test_case test_cases[] = {
    {"rigid four-bar, 10 s", "four_bar_fixed", {NULL}, 10, "erk"},
    {"four-bar, bushing 1e3, 10 s", "four_bar_bushing", {NULL}, 10, "erk"},
    {"four-bar, bushing 1e6, 3 s", "four_bar_bushing", {"parameters.c=1e6", "parameters.d=1e3"}, 3, "radau"},
    {"four-bar, bushing 1e8, 3 s", "four_bar_bushing", {"parameters.c=1e8", "parameters.d=1e4"}, 3, "radau"},
    {"double pendulum, 10 s", "double_pendulum", {NULL}, 10, "erk"},
    {"chain of 10, 1 s", "pendulum_chain", {"parameters.N=10"}, 1, "erk"},
    {"chain of 100, 1 s", "pendulum_chain", {"parameters.N=100"}, 1, "erk"},
    {"chain of 1000, 0.2 s", "pendulum_chain", {"parameters.N=1000"}, 0.2, "erk"},
};

static const struct {
  const char *method;
  int order;
} methods[] = {{"erk", 5}, {"erk", 8}, {"radau", 8}, {"ida", 8}, {"cvode", 8}};

static void measure(const test_case *c) {
  static const double tolerances[] = {1e-4, 1e-6, 1e-8, 1e-10};
  bench_run run = bench_run_of(bench_model(c->model, c->overrides), c->end);
  mbs_state *exact = bench_state(run.model);
  run.options.method = c->reference;
  run.options.rtol = run.options.atol = 1e-13;
  bench_run_once(&run);
  bench_check(run.status);
  mbs_state_copy(exact, run.end);
  printf("%s\n  method       rtol      error    steps  median ms  [least, most]\n", c->title);
  for (size_t m = 0; m < sizeof methods / sizeof *methods; m++)
    for (size_t i = 0; i < sizeof tolerances / sizeof *tolerances; i++) {
      run.options.method = methods[m].method;
      run.options.order = methods[m].order;
      run.options.rtol = run.options.atol = tolerances[i];
      bench_job job = {.run = bench_run_once, .data = &run};
      bench_take_turns(&job, 1, 3);
      printf("  %-5s %d  %7.0e  ", run.options.method, run.options.order, tolerances[i]);
      if (run.status != SEAM_OK)
        printf("%s\n", bench_error.message);
      else
        printf("%9.1e  %7zu  %9.2f  [%.2f, %.2f]\n", bench_position_error(run.model, run.end, exact),
               run.statistics.steps, 1e3 * job.time.median, 1e3 * job.time.least, 1e3 * job.time.most);
    }
  printf("\n");
  mbs_state_destroy(exact);
  bench_run_destroy(&run);
}

int main(void) {
  for (size_t i = 0; i < sizeof test_cases / sizeof *test_cases; i++)
    measure(&test_cases[i]);
  return 0;
}
