/* Cost of size and topology. Chains: an evaluation of all accelerations and a step of rk4, beside those of the limit
 * code. Four-bars in series, grids and hubs: an evaluation and a short run. All costs are in units U (bench_unit()) and
 * compared with an earlier Seam and EXUDYN (bench/past.c). */
#include <math.h>
#include <stdio.h>

#include "bench/bench.h"
#include "bench/limit.h"

static const double unit_bodies = 1000;

static void print(const char *what, bench_spread t, double n_bodies) {
  const double body = unit_bodies / n_bodies;
  printf("  %-11s %10.4g U [%.4g, %.4g]; a body %.3g U/1000 [%.3g, %.3g]\n", what, t.median, t.least, t.most,
         t.median * body, t.least * body, t.most * body);
}

/* Reports a cost, in U, of a mechanism of size x: prints it, adds it to the table and compares it with earlier ones.
 * n: number of bodies, times the number of evaluations. */
static void report(const char *name, const char *quantity, double x, bench_spread cost, double n) {
  print(quantity, cost, n);
  bench_row(name, quantity, "Seam", x, cost);
  bench_print_past(name, quantity, x, cost);
}

typedef struct evaluation {
  mbs_workspace *workspace;
  mbs_state *state;
} evaluation;

static void evaluate(void *data) {
  const evaluation *e = data;
  bench_check(mbs_evaluate(e->workspace, e->state, &bench_error));
}

/* ---- Chains ---- */

/* s; a power of two, so that times are exact */
static const double rk4_step = 1.0 / 1024;
enum { rk4_evaluations = 4 };

typedef struct stepping {
  mbs_integrator *integrator;
  mbs_state *state;
} stepping;

static void step(void *data) {
  const stepping *s = data;
  bench_check(mbs_integrator_advance(s->integrator, s->state->t + rk4_step, s->state, &bench_error));
}

static void limit_step(void *data) { limit_chain_step(data, rk4_step); }

/* Costs of a chain of n rods. The costs of two chains give the exponent of their growth with n. */
typedef struct cost {
  double n, evaluation, step;
} cost;

/* Measures a chain in the state after a hundred steps. */
static cost measure_chain(int n) {
  mbs_model *model = bench_chain(n);
  bench_run run = bench_run_create(model, 0);
  run.options.method = "rk4";
  run.options.step = rk4_step;
  mbs_state_copy(run.end, run.start);
  stepping s = {.integrator = bench_run_begin(&run), .state = run.end};
  evaluation e = {.state = run.start};
  limit_chain *limit = limit_chain_create(n);
  bench_check(mbs_workspace_create(model, &e.workspace, &bench_error));
  for (int i = 0; i < 100; i++) {
    step(&s);
    limit_chain_step(limit, rk4_step);
  }
  mbs_state_copy(e.state, s.state);
  bench_job jobs[] = {
      bench_unit(), {.run = limit_step, .data = limit}, {.run = evaluate, .data = &e}, {.run = step, .data = &s}};
  bench_take_turns(jobs, 4, 15);
  printf("chain of %d\n", n);
  report("chain", "evaluation", n, jobs[2].ratio, n);
  report("chain", "rk4 step", n, jobs[3].ratio, rk4_evaluations * n);
  print("limit, step", jobs[1].ratio, rk4_evaluations * n);
  bench_row("chain", "rk4 step", "limit", n, jobs[1].ratio);
  limit_chain_destroy(limit);
  mbs_integrator_destroy(s.integrator);
  mbs_workspace_destroy(e.workspace);
  bench_run_destroy(&run);
  mbs_model_destroy(model);
  return (cost){n, jobs[2].ratio.median, jobs[3].ratio.median};
}

static void report_exponent(const char *what, double n1, double n2, double cost1, double cost2) {
  const double exponent = log(cost2 / cost1) / log(n2 / n1);
  printf("exponent of the %s from %.0f to %.0f: %.3f\n", what, n1, n2, exponent);
  bench_row("chain", "exponent", what, n2, (bench_spread){exponent, exponent, exponent});
}

/* ---- Closed loops ---- */

typedef struct family {
  const char *name, *title;
  mbs_model *(*create)(int n);
  double end;   /* s, end of a run by erk 5 with rtol = atol = 1e-4 */
  int sizes[4]; /* numbers n; unused ones at the end are 0 */
} family;

static const family families[] = {
    {"four_bars", "four-bars in series", bench_four_bars, 0.2, {10, 100, 1000}},
    {"grid", "grid of squares, a side", bench_grid, 0.1, {5, 10, 20, 30}},
    {"hub", "hub with pendulums", bench_hub, 0.1, {50, 200, 500}},
};

static void measure_loops(const family *f, int n) {
  mbs_model *model = f->create(n);
  const double n_bodies = (double)mbs_n_bodies(model);
  bench_run run = bench_run_create(model, f->end);
  run.options.order = 5;
  run.options.rtol = run.options.atol = 1e-4;
  bench_run_once(&run);
  bench_check(run.status);
  evaluation e = {.state = run.end};
  bench_check(mbs_workspace_create(model, &e.workspace, &bench_error));
  bench_job jobs[] = {bench_unit(), {.run = evaluate, .data = &e}, {.run = bench_run_once, .data = &run}};
  bench_take_turns(jobs, 3, 15);
  printf("%s: %d; %.0f bodies, %zu constraints, run of %g s with %zu evaluations\n", f->title, n, n_bodies,
         mbs_n_constraints(model), f->end, run.statistics.evaluations);
  report(f->name, "evaluation", n, jobs[1].ratio, n_bodies);
  report(f->name, "run", n, jobs[2].ratio, n_bodies * (double)run.statistics.evaluations);
  mbs_workspace_destroy(e.workspace);
  bench_run_destroy(&run);
  mbs_model_destroy(model);
}

int main(int argc, char **argv) {
  enum { n_sizes = 4 };
  static const int sizes[n_sizes] = {100, 1000, 10000, 100000};
  cost costs[n_sizes];
  bench_csv(argc, argv);
  for (int i = 0; i < n_sizes; i++)
    costs[i] = measure_chain(sizes[i]);
  const cost *from = &costs[1];
  const cost *to = &costs[n_sizes - 1];
  report_exponent("evaluation", from->n, to->n, from->evaluation, to->evaluation);
  report_exponent("rk4 step", from->n, to->n, from->step, to->step);
  printf("\n");
  for (size_t i = 0; i < sizeof families / sizeof *families; i++)
    for (int k = 0; k < 4 && families[i].sizes[k] > 0; k++)
      measure_loops(&families[i], families[i].sizes[k]);
  return 0;
}
