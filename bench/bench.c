#include "bench/bench.h"

#include <math.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

#include "bench/limit.h"

extern char **environ;

static double seconds(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double bench_cpu(void) { return seconds(CLOCK_PROCESS_CPUTIME_ID); }
double bench_wall(void) { return seconds(CLOCK_MONOTONIC); }

static int compare(const void *a, const void *b) {
  const double x = *(const double *)a;
  const double y = *(const double *)b;
  return (x > y) - (x < y);
}

bench_spread bench_spread_of(double *values, int n) {
  qsort(values, (size_t)n, sizeof *values, compare);
  return (bench_spread){.median = values[n / 2], .least = values[0], .most = values[n - 1]};
}

void bench_print_spread(const char *what, int decimals, double *values, int n, const char *unit) {
  const bench_spread s = bench_spread_of(values, n);
  printf("  %-24s %8.*f  [%.*f, %.*f] %s\n", what, decimals, s.median, decimals, s.least, decimals, s.most, unit);
}

int bench_turns(int argc, char **argv, int usual) {
  const int wanted = argc > 1 ? atoi(argv[1]) : usual;
  return wanted < 1 ? 1 : wanted > BENCH_MAX_TURNS ? BENCH_MAX_TURNS : wanted;
}

bench_cost bench_command(const char *const *arguments) {
  pid_t child = 0;
  int status = 0;
  struct rusage used;
  memset(&used, 0, sizeof used);
  const double start = bench_wall();
  if (posix_spawn(&child, arguments[0], NULL, NULL, (char *const *)arguments, environ) != 0 ||
      wait4(child, &status, 0, &used) != child || status != 0) {
    fprintf(stderr, "%s %s does not run\n", arguments[0], arguments[1]);
    exit(1);
  }
  const long microseconds = used.ru_utime.tv_usec + used.ru_stime.tv_usec;
  return (bench_cost){.wall = bench_wall() - start,
                      .cpu = (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) + 1e-6 * (double)microseconds};
}

bench_spread bench_measure(void (*run)(void *data), void *data, int repeats) {
  enum { MAX_REPEATS = 101 };
  double times[MAX_REPEATS];
  if (repeats > MAX_REPEATS)
    repeats = MAX_REPEATS;
  for (int i = 0; i < repeats; i++) {
    const double start = bench_cpu();
    run(data);
    times[i] = bench_cpu() - start;
  }
  return bench_spread_of(times, repeats);
}

void bench_take_turns(bench_job *jobs, int n_jobs, int n_turns) {
  enum { MIN_TURNS = 3, MAX_TURNS = 15, MAX_JOBS = 8 };
  double times[MAX_JOBS][MAX_TURNS];
  double ratios[MAX_JOBS][MAX_TURNS];
  const double start = bench_cpu();
  int n = 0;
  for (; n < MIN_TURNS || (n < n_turns && bench_cpu() - start < 2); n++)
    for (int i = 0; i < n_jobs; i++) {
      const double begin = bench_cpu();
      double n_parts = 0;
      double elapsed;
      do {
        jobs[i].run(jobs[i].data);
        n_parts += jobs[i].parts;
        elapsed = bench_cpu() - begin;
      } while (elapsed < 5e-3);
      times[i][n] = elapsed / n_parts;
      ratios[i][n] = times[i][n] / times[0][n];
    }
  for (int i = 0; i < n_jobs; i++) {
    jobs[i].time = bench_spread_of(times[i], n);
    jobs[i].ratio = bench_spread_of(ratios[i], n);
  }
}

enum { n_unit_steps = 10 };

static void run_unit(void *data) {
  limit_chain_start(data);
  for (int i = 0; i < n_unit_steps; i++)
    limit_chain_step(data, 5e-3);
}

bench_job bench_unit(void) {
  return (bench_job){.run = run_unit, .data = limit_chain_create(1000), .parts = 4 * n_unit_steps};
}

FILE *bench_csv(int argc, char **argv) {
  if (argc == 1)
    return NULL;
  FILE *csv = argc == 3 && strcmp(argv[1], "--csv") == 0 ? fopen(argv[2], "a") : NULL;
  if (csv == NULL) {
    fprintf(stderr, "%s: the only option is --csv FILE, of a file that can be written\n", argv[0]);
    exit(2);
  }
  return csv;
}

void bench_row(FILE *csv, const char *name, const char *quantity, const char *series, double x, bench_spread value) {
  if (csv != NULL)
    fprintf(csv, "%s,%s,\"%s\",%.4g,%.4g,%.4g,%.4g\n", name, quantity, series, x, value.median, value.least,
            value.most);
}

void bench_check(seam_status status, const seam_error *error) {
  if (status == SEAM_OK)
    return;
  fprintf(stderr, "bench: %s\n", error->message);
  exit(1);
}

seam_model_file *bench_model(const char *name, const char *const *overrides) {
  seam_error error = {0};
  seam_model_file *file = NULL;
  const char *text = seam_catalogue_text(name);
  size_t n = 0;
  while (overrides[n] != NULL)
    n++;
  bench_check(seam_model_file_parse(name, text, strlen(text), overrides, n, &file, &error), &error);
  return file;
}

mbs_state *bench_state(const mbs_model *model) {
  mbs_state *state = NULL;
  seam_error error = {0};
  bench_check(mbs_state_create(model, &state, &error), &error);
  return state;
}

bench_run bench_run_create(const mbs_model *model, double duration) {
  bench_run run = {.model = model,
                   .start = bench_state(model),
                   .end = bench_state(model),
                   .options = mbs_default_integrator_options(),
                   .duration = duration};
  mbs_workspace *workspace = NULL;
  bench_check(mbs_workspace_create(model, &workspace, &run.error), &run.error);
  bench_check(mbs_assemble(workspace, run.start, NULL, NULL, &run.error), &run.error);
  mbs_workspace_destroy(workspace);
  return run;
}

void bench_run_destroy(bench_run *run) {
  mbs_state_destroy(run->start);
  mbs_state_destroy(run->end);
}

void bench_run_once(void *data) {
  bench_run *run = data;
  mbs_integrator *integrator = NULL;
  run->error.status = SEAM_OK;
  bench_check(mbs_integrator_create(run->model, &run->options, &integrator, &run->error), &run->error);
  bench_check(mbs_integrator_start(integrator, run->start, &run->error), &run->error);
  mbs_integrator_set_stop(integrator, run->duration);
  mbs_integrator_advance(integrator, run->duration, run->end, &run->error);
  run->statistics = mbs_integrator_statistics(integrator);
  mbs_integrator_destroy(integrator);
}

double bench_position_error(const mbs_model *model, const mbs_state *a, const mbs_state *b) {
  double largest = 0;
  for (size_t i = 0; i < mbs_n_bodies(model); i++)
    largest = fmax(largest, hypot(a->q[3 * i] - b->q[3 * i], a->q[3 * i + 1] - b->q[3 * i + 1]));
  return largest;
}
