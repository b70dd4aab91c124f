/* Cost of co-simulation. In each turn all variants of a row are timed. Their times are printed as median [least, most]
 * over turns. A : B is the median of A, divided by that of B.
 *
 *   macro steps   the four-bar cut at its bushing, ff-k2, H = 1e-3, 10 s : the monolithic run, timed with tolerances
 *                 that give the error of the co-simulation, and with the tolerances of the file; the error is the
 *                 largest error of a body's angle at multiples of 0.01 s
 *   derivatives   a predictor pass with exact interface derivatives : a pass with differences; also the ratio of
 *                 the times that the derivatives alone take
 *   threads       a chain of 100 rods cut into 10 parts at bushings: two threads : one thread, wall time
 *   control       the four-bar, stiffness 1e4, ff-d-k2, 10 s: macro steps controlled by the local error : the longest
 *                 fixed macro step with an error of positions ([Li] 3.34) of 1e-6; the error of the controlled run is
 *                 not larger (tests/cosim/mechanism/control.c) */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"
#include "bench/chain.h"
#include "cosim/coupling/master.h"
#include "cosim/steps/simulation.h"

enum { repeats = 15, max_jobs = 4 };

/* ---- Jobs that are timed in turns ---- */

typedef struct job {
  const char *name;
  void (*run)(void *data);
  void *data;
  bench_spread time; /* s */
} job;

/* Runs the jobs in turns, so that other programs on the machine slow down all of them equally. `clock`: time in s. */
static void time_in_turns(job *jobs, int n, double (*clock)(void)) {
  double times[max_jobs][repeats];
  for (int i = 0; i < repeats; i++)
    for (int k = 0; k < n; k++) {
      const double start = clock();
      jobs[k].run(jobs[k].data);
      times[k][i] = clock() - start;
    }
  for (int k = 0; k < n; k++)
    jobs[k].time = bench_spread_of(times[k], repeats);
}

static double ratio(const job *j, const job *other) { return j->time.median / other->time.median; }

static void print(const job *j, double unit, const job *other) {
  printf("  %-44s %9.3f [%.3f, %.3f]", j->name, unit * j->time.median, unit * j->time.least, unit * j->time.most);
  if (other != NULL)
    printf("  %6.2f times %s", ratio(j, other), other->name);
  printf("\n");
}

/* ---- Co-simulated runs ---- */

typedef struct cosim_run {
  cosim_simulation *simulation;
  const mbs_state *start;
  double H;
  int n_steps;
} cosim_run;

static cosim_simulation *create(const cosim_builder *file_builder, const cosim_options *options,
                                const cosim_step_control *control) {
  cosim_builder *builder = NULL;
  cosim_simulation *simulation = NULL;
  seam_error error = {0};
  bench_check(cosim_builder_copy(file_builder, &builder, &error), &error);
  bench_check(cosim_set_options(builder, options, &error), &error);
  bench_check(cosim_set_step_control(builder, control, &error), &error);
  bench_check(cosim_create(builder, &simulation, &error), &error);
  cosim_builder_destroy(builder);
  return simulation;
}

static cosim_run cosim_run_create(const cosim_builder *builder, const mbs_state *start, const cosim_options *options,
                                  double duration) {
  cosim_run run = {.start = start, .H = options->macro_step, .n_steps = (int)lround(duration / options->macro_step)};
  run.simulation = create(builder, options, NULL);
  return run;
}

static void run_cosim(void *data) {
  cosim_run *run = data;
  seam_error error = {0};
  bench_check(cosim_start(run->simulation, run->start, &error), &error);
  for (int i = 0; i < run->n_steps; i++)
    bench_check(cosim_advance(run->simulation, run->H, &error), &error);
}

/* ---- Errors on the grid ---- */

static const double grid_step = 0.01;

typedef struct angles {
  const mbs_model *model;
  int n;         /* number of times of the grid */
  double *angle; /* (n x bodies) rad, angles of the exact motion at these times */
} angles;

static double error_at(const angles *grid, int point, const mbs_state *state) {
  const size_t n_bodies = mbs_n_bodies(grid->model);
  double error = 0;
  for (size_t b = 0; b < n_bodies; b++)
    error = fmax(error, fabs(state->q[3 * b + 2] - grid->angle[(size_t)point * n_bodies + b]));
  return error;
}

/* Returns the largest error of an angle of a monolithic run at the times of the grid. is_exact: stores the angles of
 * this run as the exact ones and returns 0. */
static double monolithic_error(const angles *grid, bench_run *run, bool is_exact) {
  mbs_integrator *integrator = NULL;
  double error = 0;
  const size_t n_bodies = mbs_n_bodies(grid->model);
  bench_check(mbs_integrator_create(run->model, &run->options, &integrator, &run->error), &run->error);
  bench_check(mbs_integrator_start(integrator, run->start, &run->error), &run->error);
  mbs_integrator_set_stop(integrator, run->duration);
  for (int i = 0; i < grid->n; i++) {
    bench_check(mbs_integrator_advance(integrator, (i + 1) * grid_step, run->end, &run->error), &run->error);
    for (size_t b = 0; b < n_bodies && is_exact; b++)
      grid->angle[(size_t)i * n_bodies + b] = run->end->q[3 * b + 2];
    error = fmax(error, error_at(grid, i, run->end));
  }
  mbs_integrator_destroy(integrator);
  return error;
}

static double cosim_error(const angles *grid, cosim_run *run) {
  seam_error cause = {0};
  const int stride = (int)lround(grid_step / run->H);
  double error = 0;
  bench_check(cosim_start(run->simulation, run->start, &cause), &cause);
  for (int i = 1; i <= run->n_steps; i++) {
    bench_check(cosim_advance(run->simulation, run->H, &cause), &cause);
    if (i % stride == 0)
      error = fmax(error, error_at(grid, i / stride - 1, cosim_state(run->simulation)));
  }
  return error;
}

/* Returns the largest tolerance, up to a factor of 1.1, with which the error of the monolithic run is at most
 * `error`. */
static double find_tolerance(const angles *grid, bench_run *run, double error) {
  run->options.rtol = run->options.atol = 1e-2;
  while (monolithic_error(grid, run, false) > error)
    run->options.rtol = run->options.atol = run->options.rtol / 1.1;
  return run->options.rtol;
}

/* ---- Macro steps ---- */

static void measure_macro_steps(void) {
  enum { n_points = 1000 };
  seam_model_file *file = bench_model("four_bar_bushing", (const char *const[2]){NULL, NULL});
  const mbs_model *model = seam_model_mechanism(file);
  bench_run monolithic = bench_run_create(model, n_points * grid_step);
  angles grid = {model, n_points, calloc(n_points * mbs_n_bodies(model), sizeof(double))};
  monolithic.options.rtol = monolithic.options.atol = 1e-13;
  monolithic_error(&grid, &monolithic, true);

  cosim_options options = cosim_builder_definition(seam_model_cosim(file))->options;
  options.constitutive_scheme = "ff-k2";
  options.macro_step = 1e-3;
  options.reuse = true;
  cosim_run adaptive = cosim_run_create(seam_model_cosim(file), monolithic.start, &options, monolithic.duration);
  options.integrator.order = 4;
  options.integrator.step = options.macro_step;
  cosim_run fixed = cosim_run_create(seam_model_cosim(file), monolithic.start, &options, monolithic.duration);
  const double error = fmax(cosim_error(&grid, &adaptive), cosim_error(&grid, &fixed));

  bench_run equal = monolithic;
  const double rtol = find_tolerance(&grid, &equal, error);
  monolithic.options = seam_model_simulation(file)->integrator;
  job jobs[] = {{.name = "the whole, equal error", .run = bench_run_once, .data = &equal},
                {.name = "the whole, the file's tolerances", .run = bench_run_once, .data = &monolithic},
                {.name = "co-simulated, erk of order 5, adaptive", .run = run_cosim, .data = &adaptive},
                {.name = "co-simulated, erk of order 4, one micro step", .run = run_cosim, .data = &fixed}};
  time_in_turns(jobs, 4, bench_cpu);
  printf("four-bar cut at its bushing, ff-k2, H = 1e-3, 10 s: ms; error %.1e, equal at rtol = atol = %.1e\n", error,
         rtol);
  for (int i = 0; i < 4; i++)
    print(&jobs[i], 1e3, NULL);
  for (int i = 2; i < 4; i++)
    printf("  %s: %.1f times the whole at equal error, %.1f times it with the file's tolerances\n", jobs[i].name,
           ratio(&jobs[i], &jobs[0]), ratio(&jobs[i], &jobs[1]));
  for (int i = 0; i < 2; i++) {
    cosim_simulation *simulation = (i == 0 ? adaptive : fixed).simulation;
    const cosim_statistics s = cosim_statistics_of(simulation);
    const double passes = 2.0 * 2 * (double)s.macro_steps; /* predictor and corrector of two parts */
    printf("    %zu macro steps, %zu interface matrices, in each pass of a part %.2f micro steps of %.2f stages\n",
           s.macro_steps, s.refreshes, (double)s.integrators.steps / passes,
           (double)s.integrators.evaluations / passes);
    cosim_destroy(simulation);
  }
  free(grid.angle);
  bench_run_destroy(&monolithic);
  seam_model_file_destroy(file);
}

/* ---- Derivatives ---- */

/* A macro step over which predictor passes are repeated. */
typedef struct passes {
  cosim_master *master;
  double H;
  bool derivatives, differences;
} passes;

static void run_passes(void *data) {
  enum { n_calls = 500 };
  const passes *p = data;
  seam_error error = {0};
  p->master->parts->differences = p->differences;
  for (int i = 0; i < n_calls; i++) {
    cosim_parts_store(p->master->parts);
    bench_check(cosim_parts_advance(p->master->parts, p->master->t, p->H, true, p->derivatives, &error), &error);
    cosim_parts_roll_back(p->master->parts);
  }
}

static void measure_derivatives(const char *name, const char *scheme) {
  seam_model_file *file = bench_model(name, (const char *const[2]){NULL, NULL});
  const mbs_model *model = seam_model_mechanism(file);
  bench_run monolithic = bench_run_create(model, 1);
  cosim_options options = cosim_builder_definition(seam_model_cosim(file))->options;
  options.constitutive_scheme = options.constraint_scheme = scheme;
  cosim_run run = cosim_run_create(seam_model_cosim(file), monolithic.start, &options, 20 * options.macro_step);
  run_cosim(&run);
  passes each[3] = {{run.simulation->engine->master, run.H, false, false},
                    {run.simulation->engine->master, run.H, true, false},
                    {run.simulation->engine->master, run.H, true, true}};
  job jobs[3] = {{.name = "without", .run = run_passes, .data = &each[0]},
                 {.name = "exact", .run = run_passes, .data = &each[1]},
                 {.name = "differences", .run = run_passes, .data = &each[2]}};
  time_in_turns(jobs, 3, bench_cpu);
  printf("predictor pass with interface derivatives, %s, %s: microseconds\n", name, scheme);
  for (int i = 0; i < 3; i++)
    print(&jobs[i], 2e3, NULL);
  printf("  a pass with exact ones: %.2f of one with differences; the derivatives alone: %.2f\n",
         ratio(&jobs[1], &jobs[2]),
         (jobs[1].time.median - jobs[0].time.median) / (jobs[2].time.median - jobs[0].time.median));
  cosim_destroy(run.simulation);
  bench_run_destroy(&monolithic);
  seam_model_file_destroy(file);
}

/* ---- Threads ---- */

static void measure_threads(void) {
  static const char *const overrides[] = {"cosim.scheme=ff-k1"};
  char text[sizeof BENCH_CHAIN + 100];
  seam_error error = {0};
  seam_model_file *file = NULL;
  snprintf(text, sizeof text, BENCH_CHAIN, "forces", BENCH_BUSHING);
  bench_check(seam_model_file_parse("chain", text, strlen(text), overrides, 1, &file, &error), &error);
  const mbs_model *model = seam_model_mechanism(file);
  bench_run monolithic = bench_run_create(model, 1);
  cosim_options options = cosim_builder_definition(seam_model_cosim(file))->options;
  options.reuse = true;
  cosim_run run[2];
  job jobs[2] = {{.name = "one thread", .run = run_cosim}, {.name = "two threads", .run = run_cosim}};
  for (int i = 0; i < 2; i++) {
    options.n_threads = i + 1;
    run[i] = cosim_run_create(seam_model_cosim(file), monolithic.start, &options, 0.1);
    jobs[i].data = &run[i];
  }
  time_in_turns(jobs, 2, bench_wall);
  printf("chain of 100 rods cut in 10 at bushings, ff-k1, H = 1e-3, 0.1 s: ms of wall time\n");
  print(&jobs[0], 1e3, NULL);
  print(&jobs[1], 1e3, &jobs[0]);
  for (int i = 0; i < 2; i++)
    cosim_destroy(run[i].simulation);
  bench_run_destroy(&monolithic);
  seam_model_file_destroy(file);
}

/* ---- Control of macro steps ---- */

typedef struct controlled_run {
  cosim_simulation *simulation;
  const mbs_state *start;
  double end;
} controlled_run;

static void run_controlled(void *data) {
  const controlled_run *run = data;
  seam_error error = {0};
  bench_check(cosim_start(run->simulation, run->start, &error), &error);
  while (cosim_state(run->simulation)->t < (1 - 1e-12) * run->end)
    bench_check(cosim_advance_controlled(run->simulation, run->end, &error), &error);
}

static void measure_control(void) {
  enum { n_fixed = 3871, n_runs = 4 };
  const cosim_step_control control = cosim_default_step_control(COSIM_ERROR_INDICATOR, 8e-7);
  seam_model_file *file = bench_model("four_bar_bushing", (const char *const[2]){"parameters.c=1e4", NULL});
  const mbs_model *model = seam_model_mechanism(file);
  bench_run monolithic = bench_run_create(model, 10);
  cosim_options options = cosim_builder_definition(seam_model_cosim(file))->options;
  options.constitutive_scheme = "ff-d-k2";
  controlled_run run[n_runs];
  size_t n_steps[n_runs];
  job jobs[n_runs] = {{.name = "fixed"},
                      {.name = "controlled"},
                      {.name = "fixed, derivatives reused"},
                      {.name = "controlled, derivatives reused"}};
  for (int i = 0; i < n_runs; i++) {
    const bool is_controlled = i % 2 == 1;
    options.macro_step = is_controlled ? 1e-3 : monolithic.duration / n_fixed;
    options.reuse = i >= 2;
    run[i] = (controlled_run){.start = monolithic.start, .end = monolithic.duration};
    run[i].simulation = create(seam_model_cosim(file), &options, is_controlled ? &control : NULL);
    jobs[i].run = run_controlled;
    jobs[i].data = &run[i];
    run_controlled(&run[i]);
    n_steps[i] = cosim_statistics_of(run[i].simulation).macro_steps;
  }
  time_in_turns(jobs, n_runs, bench_cpu);
  printf("four-bar, stiffness 1e4, ff-d-k2, 10 s, error of positions at most 1e-6: ms\n");
  for (int i = 0; i < n_runs; i++) {
    print(&jobs[i], 1e3, i % 2 == 1 ? &jobs[i - 1] : NULL);
    printf("    %zu macro steps\n", n_steps[i]);
    cosim_destroy(run[i].simulation);
  }
  bench_run_destroy(&monolithic);
  seam_model_file_destroy(file);
}

int main(void) {
  measure_macro_steps();
  measure_derivatives("four_bar_bushing", "ff-k2");
  measure_derivatives("four_bar_bushing", "fd-k2");
  measure_derivatives("double_pendulum", "ff-index2-k1");
  measure_threads();
  measure_control();
  return 0;
}
