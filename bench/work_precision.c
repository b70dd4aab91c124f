/* Work against precision: CPU time of a monolithic run and the largest position error it leaves, over tolerances and
 * orders, for the rigid four-bar (10 s) and for chains of 10, 100 (1 s) and 1000 rods (0.2 s).
 *
 * The opponents are second-order multibody codes: two points (CPU time, error) of each were measured on a machine of
 * this kind; a straight line in log-log gives their time at the error of 1e-6 at which they are met. */
#include <math.h>
#include <stdio.h>

#include "bench/bench.h"

typedef struct contest {
  const char *title, *model;
  const char *overrides[2];
  double end;
  double peer[2][2]; /* CPU time (s), error (m); 0: none */
  double wanted;     /* how many times faster Seam has to be */
} contest;

static const contest contests[] = {
    {"rigid four-bar, 10 s", "four_bar_fixed", {NULL}, 10, {{0.32, 2.6e-5}, {3.5, 3e-7}}, 50},
    {"chain of 10, 1 s", "pendulum_chain", {"parameters.N=10"}, 1, {{0}}, 0},
    {"chain of 100, 1 s", "pendulum_chain", {"parameters.N=100"}, 1, {{0.59, 1.1e-5}, {5.2, 1.1e-7}}, 20},
    {"chain of 1000, 0.2 s", "pendulum_chain", {"parameters.N=1000"}, 0.2, {{1.0, 1.6e-5}, {3.4, 1e-6}}, 20},
};
static const double met_at = 1e-6;

/* Opponent's CPU time at the error `met_at`. */
static double peer_time(const contest *c) {
  const double slope = log(c->peer[1][0] / c->peer[0][0]) / log(c->peer[1][1] / c->peer[0][1]);
  return c->peer[0][0] * pow(met_at / c->peer[0][1], slope);
}

/* Runs one tolerance and order; returns the median CPU time, or infinity when the error is above `met_at`. */
static double row(bench_run *r, const mbs_state *exact, int order, double tolerance) {
  r->options.order = order;
  r->options.rtol = r->options.atol = tolerance;
  const bench_spread t = bench_measure(bench_run_once, r, 7);
  bench_check(r->error.status, &r->error);
  const double error = bench_position_error(r->model, r->end, exact);
  printf("  %5d  %7.0e  %9.1e  %6zu  %9.2f  [%.2f, %.2f]\n", order, tolerance, error, r->statistics.steps,
         1e3 * t.median, 1e3 * t.least, 1e3 * t.most);
  return error <= met_at ? t.median : INFINITY;
}

static void hold(const contest *c) {
  static const double tolerances[] = {1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-10};
  seam_model_file *file = bench_model(c->model, c->overrides);
  bench_run r = bench_run_create(seam_model_mechanism(file), c->end);
  mbs_state *exact = bench_state(r.model);
  r.options.rtol = r.options.atol = 1e-13;
  bench_run_once(&r);
  mbs_state_copy(exact, r.end);
  printf("%s\n  order     rtol      error   steps  median ms  [least, most]\n", c->title);
  double best = INFINITY;
  for (int order = 5; order <= 8; order += 3)
    for (size_t i = 0; i < sizeof tolerances / sizeof *tolerances; i++)
      best = fmin(best, row(&r, exact, order, tolerances[i]));
  if (c->wanted > 0)
    printf("  at an error of %.0e: Seam %.2f ms, opponents %.0f ms: %.0f times faster (wanted: %.0f)\n", met_at,
           1e3 * best, 1e3 * peer_time(c), peer_time(c) / best, c->wanted);
  printf("\n");
  mbs_state_destroy(exact);
  bench_run_destroy(&r);
  seam_model_file_destroy(file);
}

int main(void) {
  for (size_t i = 0; i < sizeof contests / sizeof *contests; i++)
    hold(&contests[i]);
  return 0;
}
