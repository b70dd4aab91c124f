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

/* ---- Mechanisms of any size ---- */

typedef struct label {
  char text[32];
} label;

static label named(const char *word, int i) {
  label result;
  snprintf(result.text, sizeof result.text, "%s%d", word, i);
  return result;
}

typedef struct construction {
  mbs_builder *builder;
  int n_joints;
} construction;

static construction begin(void) {
  construction c = {.n_joints = 0};
  bench_check(mbs_builder_create(&c.builder, &bench_error));
  mbs_set_gravity(c.builder, (const double[]){0, -9.81});
  return c;
}

static mbs_model *finish(construction *c) {
  mbs_model *model = NULL;
  bench_check(mbs_build(c->builder, &model, &bench_error));
  return model;
}

/* Adds a rod that begins at (x, y); angle: to the horizontal, rad. */
static void add_rod(construction *c, const char *name, double x, double y, double angle) {
  mbs_body_def rod = mbs_default_body_def();
  rod.name = name;
  rod.mass = 1;
  rod.inertia = 1.0 / 12;
  rod.pose[0] = x + cos(angle) / 2;
  rod.pose[1] = y + sin(angle) / 2;
  rod.pose[2] = angle;
  bench_check(mbs_add_body(c->builder, &rod, &bench_error));
}

static void add_hinge(construction *c, const char *first, const char *second, double x, double y) {
  const label own = named("J", c->n_joints++);
  mbs_joint_def hinge = mbs_default_joint_def();
  hinge.name = own.text;
  hinge.kind = MBS_REVOLUTE;
  hinge.bodies[0] = first;
  hinge.bodies[1] = second;
  for (int side = 0; side < 2; side++)
    hinge.at[side] = (mbs_marker_def){MBS_INITIAL, {x, y}};
  bench_check(mbs_add_joint(c->builder, &hinge, &bench_error));
}

mbs_model *bench_chain(int n) {
  construction c = begin();
  for (int i = 0; i < n; i++) {
    add_rod(&c, named("rod", i).text, i, 0, 0);
    add_hinge(&c, i == 0 ? "ground" : named("rod", i - 1).text, named("rod", i).text, i, 0);
  }
  return finish(&c);
}

mbs_model *bench_four_bars(int n) {
  static const double angle = 1; /* rad */
  construction c = begin();
  for (int i = 0; i <= n; i++) {
    add_rod(&c, named("crank", i).text, i, 0, angle);
    add_hinge(&c, "ground", named("crank", i).text, i, 0);
  }
  for (int i = 0; i < n; i++) {
    add_rod(&c, named("coupler", i).text, i + cos(angle), sin(angle), 0);
    for (int k = i; k <= i + 1; k++)
      add_hinge(&c, named("crank", k).text, named("coupler", i).text, k + cos(angle), sin(angle));
  }
  return finish(&c);
}

/* Names the rod from node (i, j) to the right or down. */
static label name_rod(bool is_right, int i, int j) {
  label result;
  snprintf(result.text, sizeof result.text, "%s_%d_%d", is_right ? "right" : "down", i, j);
  return result;
}

/* Joins all rods at node (i, j) to one of them. */
static void join_node(construction *c, int n, int i, int j) {
  const struct {
    bool is_there;
    label name;
  } rods[] = {{i < n, name_rod(true, i, j)},
              {j < n, name_rod(false, i, j)},
              {i > 0, name_rod(true, i - 1, j)},
              {j > 0, name_rod(false, i, j - 1)}};
  const char *first = NULL;
  for (int k = 0; k < 4; k++)
    if (rods[k].is_there && first != NULL)
      add_hinge(c, first, rods[k].name.text, i, -j);
    else if (rods[k].is_there)
      first = rods[k].name.text;
  if (i == 0 && j == 0)
    add_hinge(c, "ground", first, i, -j);
}

mbs_model *bench_grid(int n) {
  construction c = begin();
  for (int j = 0; j <= n; j++)
    for (int i = 0; i <= n; i++) {
      if (i < n)
        add_rod(&c, name_rod(true, i, j).text, i, -j, 0);
      if (j < n)
        add_rod(&c, name_rod(false, i, j).text, i, -j, -acos(0));
    }
  for (int j = 0; j <= n; j++)
    for (int i = 0; i <= n; i++)
      join_node(&c, n, i, j);
  return finish(&c);
}

mbs_model *bench_hub(int n) {
  construction c = begin();
  mbs_body_def disc = mbs_default_body_def();
  disc.name = "disc";
  disc.mass = 10;
  disc.inertia = 5;
  bench_check(mbs_add_body(c.builder, &disc, &bench_error));
  add_hinge(&c, "ground", "disc", 0, 0);
  for (int i = 0; i < n; i++) {
    const double angle = 4 * acos(0) * i / n;
    const label rod = named("rod", i);
    add_rod(&c, rod.text, cos(angle), sin(angle), angle);
    add_hinge(&c, "disc", rod.text, cos(angle), sin(angle));
  }
  return finish(&c);
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
