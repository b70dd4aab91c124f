/* Compares two results for the largest stable macro step of a scheme: the prediction by the propagation matrix of the
 * linearised mechanism, and a bisection with co-simulated runs. Prints the table of docs/stability-study.md.
 *
 * A prediction about the start is compared with small motions there. Their cause, gravity or a displacement, is 1e-6
 * times as large as in the full motion. A prediction about the equilibrium is compared with the full motion.
 *
 * A run is unstable if a step fails or a coordinate moves too far from its start. The limit is 1000 times the largest
 * change of a coordinate in the monolithic run, up to the end of the co-simulated run. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <seam/analysis.h>

#include "bench/bench.h"

static const double smallest = 1e-4, largest = 0.2; /* range of macro steps, s */
static const double width = 1.01;                   /* ratio of macro steps at which bisection ends */
enum { n_points = 121, n_runs = 31, n_samples = 2000, MAX_INTERVALS = 8 };

typedef struct study {
  bench_run run;                  /* monolithic */
  double farthest[n_samples + 1]; /* m or rad: largest change of a coordinate of the monolithic run from its start, up
                                     to each hundredth of a second */
  int n_steps;                    /* number of macro steps of a run */
} study;

static double distance(const study *s, const mbs_state *now) {
  double farthest = 0;
  for (size_t i = 0; i < 3 * mbs_n_bodies(s->run.model); i++)
    farthest = fmax(farthest, fabs(now->q[i] - s->run.start->q[i]));
  return farthest;
}

/* Reads a model and makes its monolithic run of 20 s. */
static study study_create(const char *name, const char *const *overrides, int n_steps) {
  study s = {.run = bench_run_of(bench_model(name, overrides), n_samples * 1e-2), .n_steps = n_steps};
  s.run.options = seam_model_simulation(s.run.file)->integrator;
  mbs_integrator *integrator = bench_run_begin(&s.run);
  for (int i = 0; i <= n_samples; i++) {
    bench_check(mbs_integrator_advance(integrator, i * 1e-2, s.run.end, &bench_error));
    s.farthest[i] = fmax(i > 0 ? s.farthest[i - 1] : 0, distance(&s, s.run.end));
  }
  mbs_integrator_destroy(integrator);
  return s;
}

/* Returns true if the co-simulated run with macro step H is stable. */
static bool run(const study *s, const cosim_builder *builder, double H) {
  cosim_simulation *simulation = NULL;
  bench_check(cosim_create(builder, &simulation, &bench_error));
  bench_check(cosim_start(simulation, s->run.start, &bench_error));
  bool stable = true;
  const double limit = 1000 * s->farthest[(int)fmin(n_samples, ceil(s->n_steps * H * 100))];
  for (int i = 0; i < s->n_steps && stable; i++)
    stable = cosim_advance(simulation, H, &bench_error) == SEAM_OK && distance(s, cosim_state(simulation)) <= limit;
  cosim_destroy(simulation);
  return stable;
}

/* Returns the end, s, of the interval of stable macro steps that begins at `smallest`; 0: `smallest` is unstable. */
static double predict(const mbs_state *about, const cosim_builder *builder) {
  seam_linearised *linear = NULL;
  seam_stable_interval interval[MAX_INTERVALS];
  size_t n = 0;
  bench_check(seam_linearised_create(about, builder, &linear, &bench_error));
  bench_check(
      seam_linearised_intervals(linear, smallest, largest, n_points, NULL, interval, MAX_INTERVALS, &n, &bench_error));
  seam_linearised_destroy(linear);
  return n > 0 && interval[0].from <= smallest ? interval[0].to : 0;
}

/* Returns the largest macro step, s, of a stable run, found by bisection; 0: the smallest one is unstable. */
static double measure_limit(const study *s, const cosim_builder *builder) {
  double good = 0;
  double bad = 0;
  for (int i = 0; i < n_runs && bad == 0; i++) {
    const double H = smallest * pow(largest / smallest, (double)i / (n_runs - 1));
    if (run(s, builder, H))
      good = H;
    else
      bad = H;
  }
  while (good > 0 && bad > good * width) {
    const double middle = sqrt(good * bad);
    if (run(s, builder, middle))
      good = middle;
    else
      bad = middle;
  }
  return good;
}

/* Prints a limit in ms, with ">" if it is the largest macro step tried. Also prints its difference from `predicted`,
 * unless this is 0 or both are the largest macro step. */
static void print_limit(double limit, double predicted) {
  const bool open = limit > 0.999 * largest;
  printf(" %s%.4g", open ? "> " : "", 1e3 * limit);
  if (predicted > 0 && !(open && predicted > 0.999 * largest))
    printf(" (%+.1f %%)", 100 * (limit / predicted - 1));
  fputs(" |", stdout);
}

static void compare(const char *name, const char *parameter, const char *weak_load, const char *only) {
  static const char *const schemes[] = {"ff-k0", "ff-k1", "ff-k2",        "ff-d-k2",      "ff-i-k2",
                                        "fd-k1", "dd-k1", "ff-colloc-s1", "ff-colloc-s2", "ff-colloc-s3"};
  study weak = study_create(name, (const char *const[]){parameter, weak_load, NULL}, 8000);
  study full = study_create(name, (const char *const[]){parameter, NULL}, 2000);
  mbs_state *equilibrium = bench_state(full.run.model);
  mbs_workspace *ws = NULL;
  bench_check(mbs_workspace_create(full.run.model, &ws, &bench_error));
  bench_check(mbs_find_equilibrium(ws, equilibrium, NULL, NULL, &bench_error));
  for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
    if (only != NULL && strcmp(only, schemes[i]) != 0)
      continue;
    cosim_builder *of_weak = NULL;
    cosim_builder *of_full = NULL;
    bench_check(cosim_builder_copy(seam_model_cosim(weak.run.file), &of_weak, &bench_error));
    bench_check(cosim_builder_copy(seam_model_cosim(full.run.file), &of_full, &bench_error));
    bench_check(cosim_use_scheme(of_weak, schemes[i], &bench_error));
    bench_check(cosim_use_scheme(of_full, schemes[i], &bench_error));
    const double at_start = predict(full.run.start, of_full);
    const double at_rest = predict(equilibrium, of_full);
    printf("| `%s` | `%s` | %s |", name, parameter, schemes[i]);
    print_limit(at_start, 0);
    print_limit(measure_limit(&weak, of_weak), at_start);
    print_limit(at_rest, 0);
    print_limit(measure_limit(&full, of_full), at_rest);
    putchar('\n');
    fflush(stdout);
    cosim_builder_destroy(of_weak);
    cosim_builder_destroy(of_full);
  }
  mbs_workspace_destroy(ws);
  mbs_state_destroy(equilibrium);
  bench_run_destroy(&weak.run);
  bench_run_destroy(&full.run);
}

/* Prints the table. Optional arguments choose rows: a text that the parameter contains; a scheme. */
int main(int n_arguments, char **arguments) {
  static const struct {
    const char *model, *parameter, *weak_load;
  } rows[] = {{"two_mass_oscillator", "parameters.cc=1e3", "parameters.x1=1e-6"},
              {"four_bar_bushing", "parameters.c=1e3", "gravity=[0, 9.81e-6]"},
              {"four_bar_bushing", "parameters.c=1e4", "gravity=[0, 9.81e-6]"},
              {"four_bar_bushing", "parameters.c=1e5", "gravity=[0, 9.81e-6]"},
              {"four_bar_bushing", "parameters.c=1e6", "gravity=[0, 9.81e-6]"}};
  puts("| model | | scheme | predicted at the start | small motions there | predicted at rest | whole motion |\n"
       "| --- | --- | --- | --- | --- | --- | --- |");
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (n_arguments < 2 || strstr(rows[i].parameter, arguments[1]) != NULL)
      compare(rows[i].model, rows[i].parameter, rows[i].weak_load, n_arguments < 3 ? NULL : arguments[2]);
  return 0;
}
