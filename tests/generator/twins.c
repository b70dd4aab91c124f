/* The motion of a twin, brought back to plain units, must differ from the plain one by less than ten tolerances, or ten
 * times what the plain run is off by itself, up to where that is a tenth of the motion; it takes as many steps but for
 * a factor of 1.5. */
#include "tests/generator/twins.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <seam/mbs.h>
#include <seam/models.h>

#include "tests/generator/trial.h"
#include "tests/support/random.h"

enum { CPU_LIMIT = 60, MAX_JOBS = 16 };

static const double rtol = 1e-8;

/* ---- Frames ------------------------------------------------------------------------------------------------------ */

typedef enum change { UNITS, TURN, SHIFT, MOVE, ORDER, LATER, N_CHANGES } change;
static const char *const changes[N_CHANGES] = {"units", "turn", "shift", "move", "order", "later"};

static const frame plain = {.length = 1, .mass = 1, .time = 1};

static frame frame_of(change c, uint64_t *random, const trial *one) {
  frame f = plain;
  const double angle = random_between(random, 0, 6.28);
  const double size = exp(random_between(random, 0, log(1e4)));
  switch (c) {
  case UNITS:
    f.length = exp(random_between(random, log(1e-6), log(1e6)));
    f.mass = exp(random_between(random, log(1e-12), log(1e9)));
    f.time = exp(random_between(random, log(1e-9), log(1e6)));
    break;
  case TURN:
    f.angle = angle;
    break;
  case SHIFT:
    f.shift[0] = size * cos(angle);
    f.shift[1] = size * sin(angle);
    break;
  case MOVE:
    f.velocity[0] = pow(size, 0.75) * cos(angle);
    f.velocity[1] = pow(size, 0.75) * sin(angle);
    break;
  case ORDER:
    f.is_reversed = true;
    break;
  default:
    f.begin = size * one->end;
  }
  return f;
}

/* ---- Runs -------------------------------------------------------------------------------------------------------- */

typedef struct track {
  seam_status status;
  char why[200];
  int n;
  double q[N_ROWS + 1][3 * MAX_BODIES];
  size_t steps;
} track;

static const struct {
  const char *name;
  int order;
} methods[] = {{"erk", 8}, {"erk", 5}, {"radau", 0}, {"ida", 0}, {"cvode", 0}};
enum { N_METHODS = sizeof methods / sizeof *methods };

/* Poses in plain units, by the names of bodies. */
static void keep(const trial *t, const mbs_model *model, const mbs_state *state, track *of) {
  const frame *f = &t->frame;
  const double c = cos(f->angle), s = sin(f->angle);
  double *out = of->q[of->n++];
  for (int b = 0; b < t->n_bodies; b++) {
    char name[16];
    snprintf(name, sizeof name, "b%d", b);
    const double *q = state->q + 3 * mbs_find_body(model, name);
    const double x = (q[0] - f->shift[0] - f->velocity[0] * (state->t - f->begin)) / f->length;
    const double y = (q[1] - f->shift[1] - f->velocity[1] * (state->t - f->begin)) / f->length;
    out[3 * b] = c * x + s * y;
    out[3 * b + 1] = c * y - s * x;
    out[3 * b + 2] = q[2] - f->angle;
  }
}

static seam_status integrate(const trial *t, const mbs_model *model, const mbs_integrator_options *options, track *of,
                             seam_error *error) {
  const frame *f = &t->frame;
  mbs_workspace *ws = NULL;
  mbs_state *state = NULL;
  mbs_integrator *integrator = NULL;
  seam_status status = mbs_workspace_create(model, &ws, error);
  if (status == SEAM_OK)
    status = mbs_state_create(model, &state, error);
  if (status == SEAM_OK) {
    state->t = f->begin;
    status = mbs_assemble(ws, state, NULL, NULL, error);
  }
  if (status == SEAM_OK)
    status = mbs_integrator_create(model, options, &integrator, error);
  if (status == SEAM_OK)
    status = mbs_integrator_start(integrator, state, error);
  for (int i = 0; i <= N_ROWS && status == SEAM_OK; i++) {
    status = mbs_integrator_advance(integrator, f->begin + f->time * (t->end * i / N_ROWS), state, error);
    if (status == SEAM_OK)
      keep(t, model, state, of);
  }
  if (integrator != NULL)
    of->steps = mbs_integrator_statistics(integrator).steps;
  mbs_integrator_destroy(integrator);
  mbs_state_destroy(state);
  mbs_workspace_destroy(ws);
  return status;
}

static void run(const trial *t, int method, double tolerance, track *of) {
  seam_model_file *file = NULL;
  seam_error error = {0};
  mbs_integrator_options options = mbs_default_integrator_options();
  options.method = methods[method].name;
  options.order = methods[method].order;
  options.rtol = tolerance;
  options.largest_step = t->frame.time * t->end / 10;
  of->n = 0;
  of->steps = 0;
  of->status = seam_model_file_parse("twin.yaml", t->yaml.at, t->yaml.length, NULL, 0, &file, &error);
  if (of->status == SEAM_OK)
    of->status = integrate(t, seam_model_mechanism(file), &options, of, &error);
  snprintf(of->why, sizeof of->why, "%.199s", of->status == SEAM_OK ? "" : error.message);
  seam_model_file_destroy(file);
}

/* ---- Judgement --------------------------------------------------------------------------------------------------- */

typedef enum verdict { AGREE, DIFFER, STEPS, FAIL, BOTH_FAIL, TOO_LONG, N_VERDICTS } verdict;
static const char *const verdicts[N_VERDICTS] = {"agree", "differ", "steps", "fail", "both fail", "too long"};

typedef struct finding {
  uint64_t seed;
  change change;
  int method;
  verdict verdict;
  double ratio; /* of the difference and its bound */
  size_t steps[2];
  char why[200];
} finding;

static double largest_difference(const track *a, const track *b, int row, int n) {
  double largest = 0;
  for (int i = 0; i < n; i++)
    largest = fmax(largest, fabs(a->q[row][i] - b->q[row][i]));
  return largest;
}

/* By how much coordinates change over the run. */
static double travel_of(const track *of, int n) {
  double travel = 0;
  for (int row = 0; row < of->n; row++)
    for (int i = 0; i < n; i++)
      travel = fmax(travel, fabs(of->q[row][i] - of->q[0][i]));
  return travel;
}

static bool all_float(const trial *t) {
  for (int i = 0; i < t->n_subsets; i++)
    if (!t->subset[i].floats)
      return false;
  return t->n_subsets > 0;
}

static double size_of(const trial *t, const frame *f) {
  const double far = hypot(f->shift[0], f->shift[1]) + hypot(f->velocity[0], f->velocity[1]) * t->end;
  return far / f->length;
}

static void compare(const trial *t, const track *one, const track *twin, const track *truth, const frame *f,
                    finding *out) {
  const int n = 3 * t->n_bodies;
  const double size = fmax(1, travel_of(one, n));
  const double rounding = 10 * 2.2e-16 * size_of(t, f);
  double noise = 0;
  out->verdict = AGREE;
  for (int row = 0; row < one->n && row < twin->n && row < truth->n; row++) {
    noise = fmax(noise, largest_difference(one, truth, row, n));
    if (noise > 0.1 * travel_of(one, n))
      break;
    const double bound = 10 * fmax(rtol * size, noise) + rounding * (1 + t->rate * t->end) * 10;
    out->ratio = fmax(out->ratio, largest_difference(one, twin, row, n) / bound);
  }
  const double more = (double)twin->steps + 5, less = (double)one->steps + 5;
  if (more > 1.5 * less || less > 1.5 * more)
    out->verdict = STEPS;
  if (!(out->ratio <= 1))
    out->verdict = DIFFER;
}

/* Which change: those that a mechanism allows. */
static finding try_twin(uint64_t seed, FILE *log) {
  static trial t;
  static track one, twin, truth;
  uint64_t random = seed * 7919 + 13;
  finding out = {.seed = seed, .method = (int)(seed % N_METHODS), .change = (change)(seed / N_METHODS % N_CHANGES)};
  trial_make_twin(&t, seed, &plain);
  if (out.change == MOVE && !all_float(&t))
    out.change = UNITS;
  const frame f = frame_of(out.change, &random, &t);
  run(&t, out.method, rtol, &one);
  run(&t, strcmp(methods[out.method].name, "erk") == 0 ? 2 : 0, rtol / 100, &truth);
  trial_make_twin(&t, seed, &f);
  if (log != NULL)
    fputs(t.yaml.at, log);
  run(&t, out.method, rtol, &twin);
  out.steps[0] = one.steps;
  out.steps[1] = twin.steps;
  if (one.status != SEAM_OK || twin.status != SEAM_OK) {
    out.verdict = one.status == twin.status ? BOTH_FAIL : FAIL;
    snprintf(out.why, sizeof out.why, "%s%.190s", one.status != SEAM_OK ? "plain: " : "",
             one.status != SEAM_OK ? one.why : twin.why);
  } else {
    compare(&t, &one, &twin, &truth, &f, &out);
  }
  return out;
}

static void print(const finding *f) {
  printf("%llu %s %s %d: %s, %.2g of the bound, %zu and %zu steps %s\n", (unsigned long long)f->seed,
         changes[f->change], methods[f->method].name, methods[f->method].order, verdicts[f->verdict], f->ratio,
         f->steps[0], f->steps[1], f->why);
}

/* ---- Many -------------------------------------------------------------------------------------------------------- */

typedef struct job {
  pid_t pid;
  uint64_t seed;
} job;

typedef struct table {
  size_t of_change[N_CHANGES][N_VERDICTS], of_method[N_METHODS][N_VERDICTS];
} table;

static void start(job *j, uint64_t seed, int pipe) {
  fflush(stdout);
  *j = (job){fork(), seed};
  if (j->pid < 0)
    abort();
  if (j->pid > 0)
    return;
  setrlimit(RLIMIT_CPU, &(struct rlimit){CPU_LIMIT, CPU_LIMIT});
  const finding f = try_twin(seed, NULL);
  exit(write(pipe, &f, sizeof f) == (ssize_t)sizeof f ? 0 : 1); /* leaks are looked for */
}

static void await(job *jobs, int pipe, bool lists, table *all) {
  int status = 0;
  finding f = {.verdict = TOO_LONG};
  const pid_t pid = wait(&status);
  job *j = jobs;
  while (j->pid != pid)
    j++;
  j->pid = 0;
  f.seed = j->seed;
  f.method = (int)(j->seed % N_METHODS);
  f.change = (change)(j->seed / N_METHODS % N_CHANGES);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0 && read(pipe, &f, sizeof f) != (ssize_t)sizeof f)
    abort();
  all->of_change[f.change][f.verdict]++;
  all->of_method[f.method][f.verdict]++;
  if (lists || (f.verdict != AGREE && f.verdict != BOTH_FAIL))
    print(&f);
}

static void print_row(const char *name, int order, const size_t counts[N_VERDICTS]) {
  char label[24];
  snprintf(label, sizeof label, order > 0 ? "%s %d" : "%s", name, order);
  printf("| %-6s |", label);
  for (int v = 0; v < N_VERDICTS; v++)
    printf(" %9zu |", counts[v]);
  printf("\n");
}

static size_t print_table(const table *all) {
  size_t bad = 0;
  printf("|        |");
  for (int v = 0; v < N_VERDICTS; v++)
    printf(" %9s |", verdicts[v]);
  printf("\n");
  for (int c = 0; c < N_CHANGES; c++) {
    print_row(changes[c], 0, all->of_change[c]);
    for (int v = 0; v < N_VERDICTS; v++)
      bad += v != AGREE && v != BOTH_FAIL ? all->of_change[c][v] : 0;
  }
  for (int m = 0; m < N_METHODS; m++)
    print_row(methods[m].name, methods[m].order, all->of_method[m]);
  return bad;
}

int twins_main(int n, char **texts) {
  uint64_t from = 1, count = 300, started = 0;
  size_t n_jobs = 2;
  bool lists = false;
  static table all;
  job jobs[MAX_JOBS] = {0};
  int pipes[2];
  for (int i = 1; i < n; i++) {
    const uint64_t value = i + 1 < n ? strtoull(texts[i + 1], NULL, 10) : 0;
    lists = lists || strcmp(texts[i], "--list") == 0;
    from = strcmp(texts[i], "--from") == 0 ? value : from;
    count = strcmp(texts[i], "--count") == 0 ? value : count;
    n_jobs = strcmp(texts[i], "--jobs") == 0 && value >= 1 && value <= MAX_JOBS ? value : n_jobs;
    if (strcmp(texts[i], "--seed") == 0) {
      const finding f = try_twin(value, stdout);
      print(&f);
      return f.verdict != AGREE && f.verdict != BOTH_FAIL;
    }
  }
  if (pipe(pipes) != 0)
    return 1;
  for (uint64_t ended = 0; ended < count;) {
    job *j = jobs;
    while (j < jobs + n_jobs && j->pid != 0)
      j++;
    if (started < count && j < jobs + n_jobs)
      start(j, from + started++, pipes[1]);
    else {
      await(jobs, pipes[0], lists, &all);
      ended++;
    }
  }
  return print_table(&all) > 0;
}
