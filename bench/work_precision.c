/* Work-precision data of monolithic runs: CPU time and position error at the end, with several methods and tolerances.
 * CPU times are in units U (bench_unit()). The cheapest settings for errors of 1e-4, 1e-6 and 1e-8 are compared with an
 * earlier Seam and EXUDYN (bench/past.c). They are also timed in turns with the peers (bench/peers). The setting for
 * 1e-6 is also timed with 1001 output states. */
#include <math.h>
#include <stdio.h>

#include "bench/bench.h"
#include "bench/peers/peers.h"

/* The four-bar of bench/past.c: bar 2 is horizontal, and bar 4 hangs vertically from its pivot on the ground. */
#define FOUR_BAR "gravity=[0, -9.81]", "parameters.qx=px + 2", "parameters.qy=py", "points.B=[px + 2, py + 2]"

typedef struct test_case {
  const char *name, *title, *model;
  const char *overrides[6];
  double end; /* s */
} test_case;

static const test_case test_cases[] = {
    {"four_bar_rigid", "rigid four-bar, 10 s", "four_bar_fixed", {FOUR_BAR}, 10},
    {"four_bar_bushing",
     "four-bar with bushing, 10 s",
     "four_bar_bushing",
     {FOUR_BAR, "forces.air.damping=[0, 0, 0]"},
     10},
    {"double_pendulum", "double pendulum, 3 s", "pendulum_chain", {"parameters.N=2"}, 3},
    {"chain_10", "chain of 10, 1 s", "pendulum_chain", {"parameters.N=10"}, 1},
    {"chain_100", "chain of 100, 1 s", "pendulum_chain", {"parameters.N=100"}, 1},
    {"chain_1000", "chain of 1000, 0.2 s", "pendulum_chain", {"parameters.N=1000"}, 0.2},
};

/* A series of settings: steps (s) of rk4, or tolerances of another method; each is `factor` times the previous one. */
typedef struct series {
  const char *name, *method;
  int order; /* order of the method; 0: steps are fixed */
  double first, factor;
} series;

static const series all_series[] = {
    {"erk 4", "erk", 4, 1e-1, 0.31622776601683794},
    {"erk 5", "erk", 5, 1e-1, 0.31622776601683794},
    {"erk 8", "erk", 8, 1e-1, 0.31622776601683794},
    {"rk4", "rk4", 0, 0.1, 0.7071067811865476},
};

enum { n_wanted = 3 };
static const double wanted[n_wanted] = {1e-4, 1e-6, 1e-8};

/* The cheapest run so far with a wanted error. */
typedef struct best {
  const series *series;
  bench_run run; /* a copy that does not own its states */
  double error, time;
} best;

/* Measures the settings of a series. Ends when an error is near that of the reference or a run takes too long. */
static void measure_series(const test_case *c, const series *s, bench_run *run, const mbs_state *exact,
                           best bests[n_wanted]) {
  enum { MAX_SETTINGS = 30 };
  static const double longest = 0.3; /* s, CPU time; a run that takes longer ends the series */
  double value = s->first;
  for (int i = 0; i < MAX_SETTINGS; i++, value *= s->factor) {
    run->options = mbs_default_integrator_options();
    run->options.method = s->method;
    if (s->order == 0)
      run->options.step = value;
    else {
      run->options.order = s->order;
      run->options.rtol = run->options.atol = value;
    }
    bench_run_once(run);
    const double error = bench_position_error(run->model, run->end, exact);
    if (run->status != SEAM_OK || !(error < 1))
      continue;
    bench_job jobs[] = {bench_unit(), {.run = bench_run_once, .data = run}};
    bench_take_turns(jobs, 2, 3);
    const bench_spread t = jobs[1].ratio;
    printf("  %-6s %7.0e  %9.1e  %6zu  %8.1f  [%.1f, %.1f]\n", s->name, value, error, run->statistics.evaluations,
           t.median, t.least, t.most);
    bench_row(c->name, "setting", s->name, error, t);
    for (int k = 0; k < n_wanted; k++)
      if (error <= wanted[k] && t.median < bests[k].time)
        bests[k] = (best){.series = s, .run = *run, .error = error, .time = t.median};
    if (jobs[1].time.median > longest || error < 1e-11)
      return;
  }
}

/* ---- Peers ---- */

/* A run of a peer. */
typedef struct peer_run {
  const peer *peer;
  const peer_mechanism *mechanism;
  double setting;
  bool done;
  double y[2 * PEER_MAX_RODS];
} peer_run;

static void run_peer(void *data) {
  peer_run *run = data;
  run->done = run->peer->run(run->mechanism, run->setting, run->y);
}

/* Returns the largest distance, m, of a centre of mass at the end of the run from that of `exact`. */
static double peer_error(const peer_run *run, const mbs_state *exact) {
  static double x[2 * PEER_MAX_RODS];
  double largest = 0;
  peer_positions(run->mechanism, run->y, x);
  for (int i = 0; i < run->mechanism->n; i++) {
    /* Seam numbers the bodies of the four-bar along its loop; the peer begins its second tree at the second pivot */
    const int body = run->mechanism->first_of_tree == 2 && i >= 2 ? 5 - i : i;
    largest = fmax(largest, hypot(x[2 * i] - exact->q[3 * body], x[2 * i + 1] - exact->q[3 * body + 1]));
  }
  return run->done && isfinite(run->y[0]) ? largest : INFINITY;
}

/* Returns the largest of the peer's settings with an error of at most `largest_error`, m; 0: there is none. */
static double find_setting(peer_run *run, const mbs_state *exact, double largest_error) {
  static const double longest = 2; /* s, CPU time; a run that takes longer ends the search */
  double spent = 0;
  for (run->setting = run->peer->first; spent < longest; run->setting *= run->peer->factor) {
    const double begin = clock_cpu();
    run_peer(run);
    spent = clock_cpu() - begin;
    if (peer_error(run, exact) <= largest_error)
      return run->setting;
  }
  return 0;
}

/* Measures all peers in turns with Seam's cheapest runs. */
static void report_peers(const test_case *c, best bests[n_wanted], const mbs_state *exact) {
  static peer_run run;
  int n = 0;
  const peer *peers = peer_list(&n);
  run.mechanism = peer_mechanism_of(c->name);
  for (int p = 0; p < n && run.mechanism != NULL; p++) {
    run.peer = &peers[p];
    if (!run.peer->prepare(run.mechanism))
      continue;
    for (int k = 0; k < n_wanted && find_setting(&run, exact, wanted[k]) > 0; k++) {
      bench_job jobs[] = {
          bench_unit(), {.run = bench_run_once, .data = &bests[k].run}, {.run = run_peer, .data = &run}};
      bench_take_turns(jobs, 3, 15);
      const bench_spread t = jobs[2].ratio;
      printf("  error %.0e: %.1f U [%.1f, %.1f], %s; %.2f times Seam\n", wanted[k], t.median, t.least, t.most,
             run.peer->name, t.median / jobs[1].ratio.median);
      bench_row(c->name, "run", run.peer->name, wanted[k], t);
    }
    run.peer->release();
  }
}

/* ---- Rows ---- */

/* Makes the run, as bench_run_once() does, and gets its state at 1001 times. */
static void run_with_rows(void *data) {
  enum { n_rows = 1000 };
  bench_run *run = data;
  mbs_integrator *integrator = bench_run_begin(run);
  mbs_integrator_set_stop(integrator, run->duration);
  for (int i = 1; i <= n_rows; i++)
    bench_check(mbs_integrator_advance(integrator, run->duration * i / n_rows, run->end, &bench_error));
  mbs_integrator_destroy(integrator);
}

static void report_bests(const test_case *c, best bests[n_wanted]) {
  bench_job jobs[1 + n_wanted] = {bench_unit()};
  for (int k = 0; k < n_wanted; k++)
    jobs[1 + k] = (bench_job){.run = bench_run_once, .data = &bests[k].run};
  bench_take_turns(jobs, 1 + n_wanted, 15);
  for (int k = 0; k < n_wanted; k++) {
    const bench_spread t = jobs[1 + k].ratio;
    printf("  error %.0e: %.1f U [%.1f, %.1f], %s, reaches %.1e\n", wanted[k], t.median, t.least, t.most,
           bests[k].series->name, bests[k].error);
    bench_row(c->name, "run", "Seam", wanted[k], t);
    bench_print_past(c->name, "run", wanted[k], t);
  }
}

static void measure(const test_case *c) {
  bench_run run = bench_run_of(bench_model(c->model, c->overrides), c->end);
  mbs_state *exact = bench_state(run.model);
  best bests[n_wanted] = {{.time = INFINITY}, {.time = INFINITY}, {.time = INFINITY}};
  run.options.rtol = run.options.atol = 1e-13;
  bench_run_once(&run);
  bench_check(run.status);
  mbs_state_copy(exact, run.end);
  printf("%s\n  method  setting      error  evaluations  U a run  [least, most]\n", c->title);
  for (size_t m = 0; m < sizeof all_series / sizeof *all_series; m++)
    measure_series(c, &all_series[m], &run, exact, bests);
  report_bests(c, bests);
  report_peers(c, bests, exact);
  bench_job jobs[] = {{.run = bench_run_once, .data = &bests[1].run}, {.run = run_with_rows, .data = &bests[1].run}};
  bench_take_turns(jobs, 2, 15);
  const bench_spread t = jobs[1].ratio;
  printf("  with 1001 states, error %.0e: %.2f [%.2f, %.2f] times the run with one\n", wanted[1], t.median, t.least,
         t.most);
  bench_row(c->name, "1001 states / 1", "Seam", wanted[1], t);
  printf("\n");
  mbs_state_destroy(exact);
  bench_run_destroy(&run);
}

int main(int argc, char **argv) {
  bench_csv(argc, argv);
  for (size_t i = 0; i < sizeof test_cases / sizeof *test_cases; i++)
    measure(&test_cases[i]);
  return 0;
}
