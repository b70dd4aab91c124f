#include "bench/bench.h"

#include <math.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "bench/limit.h"

extern char **environ;

seam_error bench_error;

void bench_check(seam_status status) {
  if (status == SEAM_OK)
    return;
  fprintf(stderr, "bench: %s\n", bench_error.message);
  exit(1);
}

/* ---- Times ---- */

static int compare(const void *a, const void *b) {
  const double x = *(const double *)a;
  const double y = *(const double *)b;
  return (x > y) - (x < y);
}

bench_spread bench_spread_of(double scale, const double *times, const double *others, int n) {
  double values[BENCH_MAX_TURNS];
  for (int i = 0; i < n; i++)
    values[i] = scale * times[i] / (others != NULL ? others[i] : 1);
  qsort(values, (size_t)n, sizeof *values, compare);
  return (bench_spread){.median = values[n / 2], .least = values[0], .most = values[n - 1]};
}

void bench_print(const char *what, bench_spread value, const char *unit) {
  printf("  %-38s %9.4g [%.4g, %.4g] %s\n", what, value.median, value.least, value.most, unit);
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
  const double start = clock_wall();
  if (posix_spawn(&child, arguments[0], NULL, NULL, (char *const *)arguments, environ) != 0 ||
      wait4(child, &status, 0, &used) != child || status != 0) {
    fprintf(stderr, "%s %s does not run\n", arguments[0], arguments[1]);
    exit(1);
  }
  const long microseconds = used.ru_utime.tv_usec + used.ru_stime.tv_usec;
  return (bench_cost){.wall = clock_wall() - start,
                      .cpu = (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) + 1e-6 * (double)microseconds};
}

void bench_take_turns(bench_job *jobs, int n_jobs, int n_turns) {
  enum { MIN_TURNS = 3, MAX_TURNS = 15, MAX_JOBS = 8 };
  double times[MAX_JOBS][MAX_TURNS];
  const double start = clock_cpu();
  int n = 0;
  for (; n < MIN_TURNS || (n < n_turns && clock_cpu() - start < 2); n++)
    for (int i = 0; i < n_jobs; i++) {
      const double begin = clock_cpu();
      double n_parts = 0;
      double elapsed;
      do {
        jobs[i].run(jobs[i].data);
        n_parts += jobs[i].parts > 0 ? jobs[i].parts : 1;
        elapsed = clock_cpu() - begin;
      } while (elapsed < 5e-3);
      times[i][n] = elapsed / n_parts;
    }
  for (int i = 0; i < n_jobs; i++) {
    jobs[i].time = bench_spread_of(1, times[i], NULL, n);
    jobs[i].ratio = bench_spread_of(1, times[i], times[0], n);
  }
}

enum { n_unit_steps = 10 };

static void run_unit(void *data) {
  limit_chain_start(data);
  for (int i = 0; i < n_unit_steps; i++)
    limit_chain_step(data, 5e-3);
}

bench_job bench_unit(void) {
  static limit_chain *chain;
  if (chain == NULL)
    chain = limit_chain_create(1000);
  return (bench_job){.run = run_unit, .data = chain, .parts = 4 * n_unit_steps};
}

/* ---- The table ---- */

static FILE *csv; /* NULL: no table */

void bench_csv(int argc, char **argv) {
  if (argc == 1)
    return;
  csv = argc == 3 && strcmp(argv[1], "--csv") == 0 ? fopen(argv[2], "a") : NULL;
  if (csv == NULL) {
    fprintf(stderr, "%s: the only option is --csv FILE, of a file that can be written\n", argv[0]);
    exit(2);
  }
}

void bench_row(const char *name, const char *quantity, const char *series, double x, bench_spread value) {
  if (csv != NULL)
    fprintf(csv, "%s,%s,\"%s\",%.4g,%.4g,%.4g,%.4g\n", name, quantity, series, x, value.median, value.least,
            value.most);
}

/* ---- Models and runs ---- */

seam_model_file *bench_parse(const char *name, const char *text, const char *const *overrides) {
  seam_model_file *file = NULL;
  size_t n = 0;
  while (overrides[n] != NULL)
    n++;
  bench_check(seam_model_file_parse(name, text, strlen(text), overrides, n, &file, &bench_error));
  return file;
}

seam_model_file *bench_model(const char *name, const char *const *overrides) {
  return bench_parse(name, seam_catalogue_text(name), overrides);
}

mbs_state *bench_state(const mbs_model *model) {
  mbs_state *state = NULL;
  bench_check(mbs_state_create(model, &state, &bench_error));
  return state;
}

bench_run bench_run_create(const mbs_model *model, double duration) {
  bench_run run = {.model = model,
                   .start = bench_state(model),
                   .end = bench_state(model),
                   .options = mbs_default_integrator_options(),
                   .duration = duration};
  mbs_workspace *workspace = NULL;
  bench_check(mbs_workspace_create(model, &workspace, &bench_error));
  bench_check(mbs_assemble(workspace, run.start, NULL, NULL, &bench_error));
  mbs_workspace_destroy(workspace);
  return run;
}

bench_run bench_run_of(seam_model_file *file, double duration) {
  bench_run run = bench_run_create(seam_model_mechanism(file), duration);
  run.file = file;
  return run;
}

void bench_run_destroy(bench_run *run) {
  mbs_state_destroy(run->start);
  mbs_state_destroy(run->end);
  seam_model_file_destroy(run->file);
}

mbs_integrator *bench_run_begin(const bench_run *run) {
  mbs_integrator *integrator = NULL;
  bench_check(mbs_integrator_create(run->model, &run->options, &integrator, &bench_error));
  bench_check(mbs_integrator_start(integrator, run->start, &bench_error));
  return integrator;
}

void bench_run_once(void *data) {
  bench_run *run = data;
  mbs_integrator *integrator = bench_run_begin(run);
  mbs_integrator_set_stop(integrator, run->duration);
  run->status = mbs_integrator_advance(integrator, run->duration, run->end, &bench_error);
  run->statistics = mbs_integrator_statistics(integrator);
  mbs_integrator_destroy(integrator);
}

double bench_position_error(const mbs_model *model, const mbs_state *a, const mbs_state *b) {
  double largest = 0;
  for (size_t i = 0; i < mbs_n_bodies(model); i++)
    largest = fmax(largest, hypot(a->q[3 * i] - b->q[3 * i], a->q[3 * i + 1] - b->q[3 * i + 1]));
  return largest;
}
