/* Work against precision: CPU time of a monolithic run and the largest position error it leaves, over tolerances and
 * orders, for the rigid four-bar (10 s) and for chains of 10, 100 (1 s) and 1000 rods (0.2 s).
 *
 * The opponents are second-order multibody codes: two points (CPU time, error) of each were measured on a machine of
 * this kind; a straight line in log-log gives their time at the error of 1e-6 at which they are met. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/bench.h"

typedef struct contest {
  const char *title, *model, *override;
  double end;
  double peer[2][2]; /* CPU time (s), error (m); 0: none */
  double wanted;     /* how many times faster Seam has to be */
} contest;

static const contest contests[] = {
    {"rigid four-bar, 10 s", "four_bar_fixed", NULL, 10, {{0.32, 2.6e-5}, {3.5, 3e-7}}, 50},
    {"chain of 10, 1 s", "pendulum_chain", "parameters.N=10", 1, {{0}}, 0},
    {"chain of 100, 1 s", "pendulum_chain", "parameters.N=100", 1, {{0.59, 1.1e-5}, {5.2, 1.1e-7}}, 20},
    {"chain of 1000, 0.2 s", "pendulum_chain", "parameters.N=1000", 0.2, {{1.0, 1.6e-5}, {3.4, 1e-6}}, 20},
};
static const double met_at = 1e-6;

typedef struct race {
  const mbs_model *model;
  mbs_state *start, *end;
  mbs_integrator_options options;
  mbs_statistics statistics;
  double duration;
} race;

static void run(void *data) {
  race *r = data;
  seam_error error = {0};
  mbs_integrator *integrator = NULL;
  bench_check(mbs_integrator_create(r->model, &r->options, &integrator, &error), &error);
  bench_check(mbs_integrator_start(integrator, r->start, &error), &error);
  mbs_integrator_set_stop(integrator, r->duration);
  bench_check(mbs_integrator_advance(integrator, r->duration, r->end, &error), &error);
  r->statistics = mbs_integrator_statistics(integrator);
  mbs_integrator_destroy(integrator);
}

static double position_error(const mbs_model *model, const mbs_state *a, const mbs_state *b) {
  double largest = 0;
  for (size_t i = 0; i < mbs_n_bodies(model); i++)
    largest = fmax(largest, hypot(a->q[3 * i] - b->q[3 * i], a->q[3 * i + 1] - b->q[3 * i + 1]));
  return largest;
}

/* Opponent's CPU time at the error `met_at`. */
static double peer_time(const contest *c) {
  const double slope = log(c->peer[1][0] / c->peer[0][0]) / log(c->peer[1][1] / c->peer[0][1]);
  return c->peer[0][0] * pow(met_at / c->peer[0][1], slope);
}

/* Runs one tolerance and order; returns the median CPU time, or infinity when the error is above `met_at`. */
static double row(race *r, const mbs_state *exact, int order, double tolerance) {
  r->options.order = order;
  r->options.rtol = r->options.atol = tolerance;
  const bench_time t = bench_measure(run, r, 7);
  const double error = position_error(r->model, r->end, exact);
  printf("  %5d  %7.0e  %9.1e  %6zu  %9.2f  [%.2f, %.2f]\n", order, tolerance, error, r->statistics.steps,
         1e3 * t.median, 1e3 * t.least, 1e3 * t.most);
  return error <= met_at ? t.median : INFINITY;
}

static void hold(const contest *c) {
  static const double tolerances[] = {1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-10};
  seam_error error = {0};
  seam_model_file *file = bench_model(c->model, c->override);
  race r = {.model = seam_model_mechanism(file), .duration = c->end, .options = mbs_default_integrator_options()};
  r.start = mbs_state_create(r.model);
  r.end = mbs_state_create(r.model);
  mbs_state *exact = mbs_state_create(r.model);
  mbs_workspace *workspace = mbs_workspace_create(r.model, &error);
  bench_check(mbs_assemble(workspace, r.start, NULL, NULL, &error), &error);
  r.options.rtol = r.options.atol = 1e-13;
  run(&r);
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
  mbs_state_destroy(r.start);
  mbs_state_destroy(r.end);
  mbs_state_destroy(exact);
  mbs_workspace_destroy(workspace);
  seam_model_file_destroy(file);
}

int main(void) {
  for (size_t i = 0; i < sizeof contests / sizeof *contests; i++) hold(&contests[i]);
  return 0;
}
