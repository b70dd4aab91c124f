/* The price of co-simulation: CPU time of a co-simulated run, divided by that of a monolithic run with equal error. A
 * short search finds the cheapest settings of both runs. In the monolithic run it varies the method and the tolerance,
 * in the co-simulation the integrator of the subsystems and the macro step or the tolerance of the step control.
 *
 *   bench_equal_error [--scheme NAME[,NAME]] [--macro-steps H,... | --tolerances X,...] [--errors E,...]
 *                     [--set KEY=VALUE]... [CASE...]
 *
 *   --scheme          a scheme for force elements and one for joints, or one for both; default: the cheapest of
 *                     ff-colloc-s2 to -s5
 *   --macro-steps     fixed macro steps, longest first, or `default`
 *   --tolerances      tolerances of the step control, largest first, or `default` (used if neither option is given)
 *   --errors          equal errors of both runs, largest first; default: 1e-6,1e-8
 *   --set             overrides of the models
 *   CASE              names of cases; default: all
 *
 * The error of a run is the largest error of a coordinate (m, rad) against a reference. It is found at about 200 macro
 * points, or rows of the monolithic run. Timed runs write no rows. Monolithic and co-simulated runs take turns. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/bench.h"

enum { MAX_LIST = 40, MAX_SETS = 8, MAX_TEXT = 200, n_rows = 200 };

/* ---- Cases ---- */

typedef struct test_case {
  const char *name, *title, *model; /* model NULL: the chain */
  const char *parameter;            /* override of the model; for the chain: section of the elements at the cuts */
  double end, longest_step;         /* s: end of the runs; longest fixed macro step */
  size_t n_knots;                   /* number of states of the reference */
} test_case;

static const test_case test_cases[] = {
    {"bushing-1e3", "four-bar, bushing 1e3", "four_bar_bushing", "parameters.c=1e3", 10, 0.2, 4001},
    {"bushing-1e6", "four-bar, bushing 1e6", "four_bar_bushing", "parameters.c=1e6", 3, 0.2, 40001},
    {"fixed", "four-bar, fixed joint", "four_bar_fixed", NULL, 5, 0.2, 4001},
    {"pendulum", "double pendulum", "double_pendulum", NULL, 10, 0.2, 4001},
    {"squeezer", "squeezer", "squeezer", NULL, 0.03, 2e-3, 4001},
    {"chain-joints", "chain of 100, 10 parts at joints", NULL, "joints", 0.2, 0.1, 401},
    {"chain-bushings", "chain of 100, 10 parts at bushings", NULL, "forces", 0.2, 0.1, 2001},
};
enum { n_cases = sizeof test_cases / sizeof *test_cases };

/* ---- The reference ---- */

/* The reference: a monolithic run by erk of order 8 with rtol = atol = 1e-13. Its states at equidistant times (knots)
 * are stored. Polynomials of degree 5 through positions, velocities and accelerations interpolate between knots. */
typedef struct reference {
  size_t n, n_knots; /* numbers of coordinates and states */
  double h;          /* s, distance of two knots */
  double *knots;     /* (n_knots x 3 x n) q, v, a at the knots */
  double interpolation_error;
} reference;

static const double *knot(const reference *r, size_t i) { return r->knots + i * 3 * r->n; }

/* Returns coordinate i between two successive knots at a distance h; tau: 0 to 1. */
static double between(const double *from, const double *to, size_t n, size_t i, double h, double tau) {
  const double v = h * from[n + i];
  const double a = h * h * from[2 * n + i];
  const double dq = to[i] - from[i] - v - a / 2;
  const double dv = h * to[n + i] - v - a;
  const double da = h * h * to[2 * n + i] - a;
  const double c3 = 10 * dq - 4 * dv + da / 2;
  const double c4 = -15 * dq + 7 * dv - da;
  const double c5 = 6 * dq - 3 * dv + da / 2;
  return from[i] + tau * (v + tau * (a / 2 + tau * (c3 + tau * (c4 + tau * c5))));
}

/* Returns the error of interpolation. Compares every second knot with the polynomial between its two neighbours, which
 * are 2 h apart. As the degree is 5, the error over 2 h is 2^6 times that over h. */
static double interpolation_error(const reference *r) {
  double largest = 0;
  for (size_t i = 1; i + 1 < r->n_knots; i += 2)
    for (size_t k = 0; k < r->n; k++)
      largest = fmax(largest, fabs(between(knot(r, i - 1), knot(r, i + 1), r->n, k, 2 * r->h, 0.5) - knot(r, i)[k]));
  return largest / 64;
}

/* Creates a reference for the model, start and duration of *run. Changes the options and final state of *run. */
static reference reference_create(bench_run *run, size_t n_knots) {
  reference r = {.n = 3 * mbs_n_bodies(run->model), .n_knots = n_knots};
  r.h = run->duration / (double)(n_knots - 1);
  r.knots = malloc(n_knots * 3 * r.n * sizeof(double));
  run->options = mbs_default_integrator_options();
  run->options.rtol = run->options.atol = 1e-13;
  mbs_integrator *integrator = bench_run_begin(run);
  for (size_t i = 0; i < n_knots; i++) {
    double *at = r.knots + i * 3 * r.n;
    bench_check(mbs_integrator_advance(integrator, (double)i * r.h, run->end, &bench_error));
    memcpy(at, run->end->q, r.n * sizeof(double));
    memcpy(at + r.n, run->end->v, r.n * sizeof(double));
    memcpy(at + 2 * r.n, run->end->a, r.n * sizeof(double));
  }
  mbs_integrator_destroy(integrator);
  r.interpolation_error = interpolation_error(&r);
  return r;
}

/* ---- Choices of the command line ---- */

typedef struct list {
  double value[MAX_LIST];
  int n;
} list;

typedef struct choice {
  const char *scheme; /* NULL: the cheapest collocation scheme */
  bool is_controlled;
  list settings; /* macro steps or tolerances; empty: defaults */
  list errors;
  const char *sets[MAX_SETS];
  int n_sets;
  bool has_cases, is_chosen[n_cases]; /* has_cases false: all cases are chosen */
} choice;

/* ---- Models ---- */

/* A chain of 100 rods, cut after every tenth rod. The text is a format with two %s: the section of the elements at the
 * cuts (`joints` or `forces`), and their type (`revolute` or `bushing`). */
static const char chain[] =
    "seam: 1\n"
    "name: chain\n"
    "gravity: [0, -9.81]\n"
    "points: {P0: [0, 0]}\n"
    "joints: {J1: {type: revolute, bodies: [ground, link1], at: P0}}\n"
    "repeat:\n"
    "  - for: {i: [1, 100]}\n"
    "    points: {\"P{i}\": [i, 0]}\n"
    "    bodies: {\"link{i}\": {rod: [\"P{i-1}\", \"P{i}\"], mass: 1}}\n"
    "  - for: {k: [0, 9], j: [1, 9]}\n"
    "    joints: {\"J{10*k+j+1}\": {type: revolute, bodies: [\"link{10*k+j}\", \"link{10*k+j+1}\"], at: "
    "\"P{10*k+j}\"}}\n"
    "  - for: {k: [1, 9]}\n"
    "    %s: {\"J{10*k+1}\": {type: %s, bodies: [\"link{10*k}\", \"link{10*k+1}\"], at: \"P{10*k}\"}}\n"
    "  - for: {k: [0, 9]}\n"
    "    cosim:\n"
    "      subsystems:\n"
    "        \"part{k}\": [\"link{10*k+1}\", \"link{10*k+2}\", \"link{10*k+3}\", \"link{10*k+4}\", \"link{10*k+5}\",\n"
    "          \"link{10*k+6}\", \"link{10*k+7}\", \"link{10*k+8}\", \"link{10*k+9}\", \"link{10*k+10}\"]\n"
    "simulate: {end: 0.2}\n"
    "cosim: {macro_step: 1e-3}\n";
static const char bushing[] = "bushing, stiffness: [1e5, 1e5, 0], damping: [1e3, 1e3, 0]";

typedef struct overrides {
  char text[MAX_SETS + 9][MAX_TEXT];
  const char *list[MAX_SETS + 9]; /* ends with NULL */
  size_t n;
} overrides;

__attribute__((format(printf, 2, 3))) static void add(overrides *self, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(self->text[self->n], MAX_TEXT, format, arguments);
  va_end(arguments);
  self->list[self->n] = self->text[self->n];
  self->n++;
}

/* Reads a model for a co-simulated run (is_cut) or a monolithic one. A monolithic run gets no overrides of `cosim`:
 * they may need others that only co-simulated runs get. */
static seam_model_file *read_model(const test_case *c, const choice *by, bool is_cut, overrides *extra) {
  char text[sizeof chain + sizeof bushing];
  if (c->model != NULL && c->parameter != NULL)
    extra->list[extra->n++] = c->parameter;
  for (int i = 0; i < by->n_sets; i++)
    if (is_cut || strncmp(by->sets[i], "cosim.", 6) != 0)
      extra->list[extra->n++] = by->sets[i];
  if (c->model != NULL)
    return bench_model(c->model, extra->list);
  snprintf(text, sizeof text, chain, c->parameter, strcmp(c->parameter, "forces") == 0 ? bushing : "revolute");
  return bench_parse(c->name, text, extra->list);
}

/* ---- Runs ---- */

/* Settings of a run except the value that is searched for: tolerance or macro step. */
typedef struct variant {
  const char *name;
  const char *method; /* method of the monolithic run */
  const char *scheme; /* NULL: the scheme of the command line */
  int order;
  bool reuse, one_micro_step; /* options of the integrators of subsystems */
} variant;

static const variant monolithic_variants[] = {{.name = "erk 5", .method = "erk", .order = 5},
                                              {.name = "erk 8", .method = "erk", .order = 8},
                                              {.name = "radau", .method = "radau", .order = 8},
                                              {0}};
static const variant fixed_steps[] = {
    {.name = "order 4, one micro step", .order = 4, .one_micro_step = true},
    {.name = "order 4, one micro step, reuse", .order = 4, .reuse = true, .one_micro_step = true},
    {.name = "order 5", .order = 5},
    {.name = "order 5, reuse", .order = 5, .reuse = true},
    {.name = "order 8", .order = 8},
    {0}};
static const variant controlled_steps[] = {{.name = "order 5", .order = 5},
                                           {.name = "order 5, reuse", .order = 5, .reuse = true},
                                           {.name = "order 8", .order = 8},
                                           {.name = "order 8, reuse", .order = 8, .reuse = true},
                                           {0}};
static const variant collocations[] = {{.name = "s3, order 8", .scheme = "ff-colloc-s3", .order = 8},
                                       {.name = "s3, order 5", .scheme = "ff-colloc-s3", .order = 5},
                                       {.name = "s2, order 8", .scheme = "ff-colloc-s2", .order = 8},
                                       {.name = "s2, order 5", .scheme = "ff-colloc-s2", .order = 5},
                                       {.name = "s4, order 8", .scheme = "ff-colloc-s4", .order = 8},
                                       {.name = "s5, order 8", .scheme = "ff-colloc-s5", .order = 8},
                                       {0}};

typedef struct run {
  const test_case *test_case;
  const variant *how;
  double value; /* tolerance or macro step */
  bench_run monolithic;
  cosim_builder *builder; /* NULL: the run is monolithic */
  cosim_statistics cut;
} run;

/* Error of a run so far. A run ends as soon as its error exceeds the allowed error. */
typedef struct error_check {
  const reference *exact;
  double error, largest_error; /* error so far; allowed error */
  double next;                 /* s, time of the next comparison */
} error_check;

static bool is_within(error_check *w, const test_case *c, const mbs_state *state) {
  if (w == NULL || state->t < w->next - 1e-9 * c->end)
    return true;
  const reference *exact = w->exact;
  const double at = state->t / exact->h;
  const size_t i = (size_t)fmin(fmax(floor(at), 0), (double)(exact->n_knots - 2));
  w->next += c->end / n_rows;
  for (size_t k = 0; k < exact->n; k++) {
    const double q = between(knot(exact, i), knot(exact, i + 1), exact->n, k, exact->h, at - (double)i);
    w->error = isfinite(state->q[k]) ? fmax(w->error, fabs(state->q[k] - q)) : INFINITY;
    if (!(w->error <= w->largest_error))
      return false;
  }
  return true;
}

static bool advance_monolithic(run *r, error_check *w) {
  bench_run *monolithic = &r->monolithic;
  mbs_integrator *integrator = bench_run_begin(monolithic);
  bool is_good = true;
  mbs_integrator_set_stop(integrator, monolithic->duration);
  for (int i = w != NULL ? 1 : n_rows; i <= n_rows && is_good; i++)
    is_good = mbs_integrator_advance(integrator, i * monolithic->duration / n_rows, monolithic->end, NULL) == SEAM_OK &&
              is_within(w, r->test_case, monolithic->end);
  monolithic->statistics = mbs_integrator_statistics(integrator);
  mbs_integrator_destroy(integrator);
  return is_good;
}

static bool advance_cut(run *r, error_check *w) {
  cosim_simulation *simulation = NULL;
  cosim_step_plan plan = {0};
  const double end = r->test_case->end;
  const bool is_controlled = cosim_builder_definition(r->builder)->step_control != NULL;
  bench_check(cosim_create(r->builder, &simulation, &bench_error));
  bool is_good = cosim_start(simulation, r->monolithic.start, NULL) == SEAM_OK &&
                 (is_controlled || cosim_step_plan_make(r->value, end, &plan, NULL) == SEAM_OK);
  for (size_t i = 0; i < plan.count && is_good; i++)
    is_good = cosim_advance(simulation, cosim_step_plan_length(&plan, i), NULL) == SEAM_OK &&
              is_within(w, r->test_case, cosim_state(simulation));
  while (is_controlled && is_good && cosim_state(simulation)->t < (1 - 1e-12) * end)
    is_good = cosim_advance_controlled(simulation, end, NULL) == SEAM_OK &&
              is_within(w, r->test_case, cosim_state(simulation));
  r->cut = cosim_statistics_of(simulation);
  cosim_destroy(simulation);
  return is_good;
}

static bool advance(run *r, error_check *w) {
  return r->builder != NULL ? advance_cut(r, w) : advance_monolithic(r, w);
}

static void run_destroy(run *r) {
  cosim_builder_destroy(r->builder);
  bench_run_destroy(&r->monolithic);
}

static run monolithic_create(const test_case *c, const choice *by, const variant *how, double value) {
  overrides all = {.n = 0};
  run r = {.test_case = c, .how = how, .value = value};
  r.monolithic = bench_run_of(read_model(c, by, false, &all), c->end);
  r.monolithic.options.method = how->method;
  r.monolithic.options.order = how->order;
  r.monolithic.options.rtol = r.monolithic.options.atol = value;
  return r;
}

/* Creates a co-simulated run. With fixed macro steps, adaptive integrators of subsystems have a hundredth of the
 * allowed error as tolerance. With step control, the run chooses its first macro step. Its macro steps then have no
 * upper limit, because steps of the monolithic run have none. */
static run cut_create(const test_case *c, const choice *by, const variant *how, double value, double error) {
  run r = {.test_case = c, .how = how, .value = value};
  overrides all = {.n = 0};
  const char *scheme = how->scheme != NULL ? how->scheme : by->scheme;
  const char *comma = strchr(scheme, ',');
  add(&all, "cosim.scheme={constitutive: %.*s, constraint: %s}", (int)strcspn(scheme, ","), scheme,
      comma != NULL ? comma + 1 : scheme);
  add(&all, "simulate.end=%.17g", c->end);
  add(&all, "cosim.macro_step=%.17g", by->is_controlled ? c->end / 1000 : value);
  add(&all, "cosim.order=%d", how->order);
  add(&all, "cosim.reuse=%s", how->reuse ? "true" : "false");
  if (by->is_controlled)
    add(&all, "cosim.step_control={method: error, tolerance: %.17g}", value);
  if (how->one_micro_step)
    add(&all, "cosim.micro_step=%.17g", value);
  else if (!by->is_controlled) {
    add(&all, "cosim.rtol=%.17g", error / 100);
    add(&all, "cosim.atol=%.17g", error / 100);
  }
  r.monolithic = bench_run_of(read_model(c, by, true, &all), c->end);
  bench_check(cosim_builder_copy(seam_model_cosim(r.monolithic.file), &r.builder, &bench_error));
  cosim_options options = cosim_builder_definition(r.builder)->options;
  options.n_threads = 1;
  bench_check(cosim_set_options(r.builder, &options, &bench_error));
  if (by->is_controlled) {
    cosim_step_control control = *cosim_builder_definition(r.builder)->step_control;
    control.chooses_first = true;
    control.longest = INFINITY;
    bench_check(cosim_set_step_control(r.builder, &control, &bench_error));
  }
  return r;
}

/* ---- The cheapest setting ---- */

typedef struct search {
  const test_case *test_case;
  const choice *choice;
  const reference *exact;
  bool is_cut;
  const variant *variants; /* the list ends with a variant without a name */
  list values;             /* in descending order */
  double error;
  int first;           /* index in `values` at which the search begins */
  const variant *best; /* NULL: no setting was accurate */
  double best_value, best_time;
} search;

static run create(const search *s, const variant *how, double value) {
  return s->is_cut ? cut_create(s->test_case, s->choice, how, value, s->error)
                   : monolithic_create(s->test_case, s->choice, how, value);
}

typedef enum outcome { TOO_SLOW, INACCURATE, ACCURATE } outcome;

typedef struct trial {
  outcome outcome;
  double time; /* s, shortest of three runs */
} trial;

/* Tries a setting, and stores it if it is accurate and takes less time than the best one so far. The trial is a child
 * process that a timer ends after about ten times the best time: a macro step of an unstable run may take minutes. (A
 * limit of CPU time by setrlimit() would round all CPU times to ticks.) */
static outcome try(search *s, const variant *how, double value) {
  const double limit = 10 * s->best_time + 0.1;
  trial found = {.outcome = TOO_SLOW};
  int channel[2];
  int status = 0;
  fflush(stdout);
  if (pipe(channel) != 0)
    exit(1);
  const pid_t child = fork();
  if (child == 0) {
    const struct itimerval timer = {.it_value = {(time_t)limit, (suseconds_t)(1e6 * (limit - floor(limit)))}};
    setitimer(ITIMER_REAL, &timer, NULL);
    run r = create(s, how, value);
    error_check w = {.exact = s->exact, .largest_error = s->error};
    bool is_good = true;
    for (int i = 0; i < 3 && is_good; i++) {
      const double start = clock_cpu();
      is_good = advance(&r, i == 0 ? &w : NULL);
      const double time = clock_cpu() - start;
      found.time = i == 0 ? time : fmin(found.time, time);
    }
    found.outcome = is_good ? ACCURATE : INACCURATE;
    _exit(write(channel[1], &found, sizeof found) == sizeof found ? 0 : 1);
  }
  if (child < 0 || waitpid(child, &status, 0) < 0 || (WIFEXITED(status) && WEXITSTATUS(status) != 0))
    exit(1);
  if (WIFEXITED(status) && read(channel[0], &found, sizeof found) != sizeof found)
    exit(1);
  close(channel[0]);
  close(channel[1]);
  if (found.outcome == ACCURATE && found.time < s->best_time) {
    s->best = how;
    s->best_value = value;
    s->best_time = found.time;
  }
  return found.outcome;
}

/* Returns the index of the largest value with an accurate run, searched from s->first on; -1: there is none. */
static int find_largest_accurate(search *s, const variant *how) {
  int i = s->first;
  outcome found = try(s, how, s->values.value[i]);
  while (found == INACCURATE && ++i < s->values.n)
    found = try(s, how, s->values.value[i]);
  while (found == TOO_SLOW && --i >= 0)
    found = try(s, how, s->values.value[i]);
  if (found != ACCURATE || i > s->first)
    return found == ACCURATE ? i : -1;
  while (i > 0 && try(s, how, s->values.value[i - 1]) == ACCURATE)
    i--;
  return i;
}

/* Searches for the largest accurate value of each variant: in the list, then by bisection up to the next larger one. */
static run cheapest(search *s) {
  enum { n_halvings = 3 };
  s->best_time = 0.4;
  s->first = s->values.n / 3;
  for (const variant *how = s->variants; how->name != NULL; how++) {
    const int i = find_largest_accurate(s, how);
    if (i < 0)
      continue;
    s->first = i;
    double good = s->values.value[i];
    double bad = i > 0 ? s->values.value[i - 1] : good;
    for (int k = 0; k < n_halvings && bad > good; k++) {
      const double middle = sqrt(good * bad);
      if (try(s, how, middle) == ACCURATE)
        good = middle;
      else
        bad = middle;
    }
  }
  return s->best != NULL ? create(s, s->best, s->best_value) : (run){0};
}

/* Returns n values first, first x factor, first x factor², .... */
static list geometric_series(double first, double factor, int n) {
  list values = {.n = n};
  for (int i = 0; i < n; i++)
    values.value[i] = first * pow(factor, i);
  return values;
}

/* ---- The table ---- */

static void repeat(void *r) { advance(r, NULL); }

/* Finds the cheapest settings of both kinds, times them in turns, and prints a row. */
static void measure(const test_case *c, const choice *by, const reference *exact, double error) {
  search monolithic_search = {
      .test_case = c, .choice = by, .exact = exact, .variants = monolithic_variants, .error = error};
  monolithic_search.values = geometric_series(1e-2, 0.1, 11);
  search cut_search = {.test_case = c, .choice = by, .exact = exact, .is_cut = true, .error = error};
  cut_search.variants = by->scheme == NULL ? collocations : by->is_controlled ? controlled_steps : fixed_steps;
  cut_search.values = by->settings.n > 0  ? by->settings
                      : by->is_controlled ? geometric_series(1e-1, 0.1, 12)
                                          : geometric_series(c->longest_step, 0.5, 16);
  run monolithic = cheapest(&monolithic_search);
  run cut = cheapest(&cut_search);
  if (monolithic.how == NULL || cut.how == NULL)
    printf("| %s | %.0e | not reached by the %s |\n", c->title, error,
           monolithic.how == NULL ? "whole" : "co-simulation");
  else {
    bench_job jobs[] = {{.run = repeat, .data = &monolithic}, {.run = repeat, .data = &cut}};
    bench_take_turns(jobs, 2, 15);
    const bench_spread ratio = jobs[1].ratio;
    const double time = jobs[1].time.median;
    const cosim_statistics *s = &cut.cut;
    printf("| %s | %.0e | %.1f (%.1f, %.1f) | %s, %.1e | %.2f | %zu | %s, %s %.2g%s | %.2f | %zu | %zu (%zu) | %.1f | "
           "%zu | %zu |\n",
           c->title, error, ratio.median, ratio.least, ratio.most, monolithic.how->name, monolithic.value,
           1e3 * jobs[0].time.median, monolithic.monolithic.statistics.evaluations, cut.how->name,
           by->is_controlled ? "tolerance" : "H =", cut.value, by->is_controlled ? "" : " s", 1e3 * time,
           s->integrators.evaluations, s->macro_steps, s->repeated, 1e6 * time / (double)s->macro_steps, s->corrections,
           s->refreshes);
    fflush(stdout);
  }
  run_destroy(&monolithic);
  run_destroy(&cut);
}

/* ---- The command line ---- */

static void fail(const char *what, const char *text) {
  fprintf(stderr, "bench_equal_error: %s: '%s'\n", what, text);
  exit(2);
}

static list read_list(const char *text) {
  list values = {.n = 0};
  while (*text != '\0') {
    char *end = NULL;
    const double value = strtod(text, &end);
    if (end == text || (*end != ',' && *end != '\0') || !(value > 0) || values.n == MAX_LIST)
      fail("a list of positive numbers is needed", text);
    values.value[values.n++] = value;
    text = *end == ',' ? end + 1 : end;
  }
  return values;
}

static choice read_arguments(int argc, char **argv) {
  choice by = {.is_controlled = true, .errors = {{1e-6, 1e-8}, 2}};
  for (int i = 1; i < argc; i++) {
    if (strncmp(argv[i], "--", 2) != 0) {
      size_t k = 0;
      while (k < n_cases && strcmp(test_cases[k].name, argv[i]) != 0)
        k++;
      if (k == n_cases)
        fail("not a case", argv[i]);
      by.has_cases = by.is_chosen[k] = true;
      continue;
    }
    if (i + 1 == argc)
      fail("a value is missing", argv[i]);
    const char *name = argv[i++];
    const char *value = argv[i];
    if (strcmp(name, "--scheme") == 0)
      by.scheme = value;
    else if (strcmp(name, "--errors") == 0)
      by.errors = read_list(value);
    else if (strcmp(name, "--set") == 0 && by.n_sets < MAX_SETS)
      by.sets[by.n_sets++] = value;
    else if (strcmp(name, "--macro-steps") == 0 || strcmp(name, "--tolerances") == 0) {
      by.is_controlled = strcmp(name, "--tolerances") == 0;
      by.settings = strcmp(value, "default") == 0 ? (list){.n = 0} : read_list(value);
    } else
      fail("unknown option", name);
  }
  return by;
}

int main(int argc, char **argv) {
  const choice by = read_arguments(argc, argv);
  printf("%s, %s; the whole by its cheapest method\n\n", by.scheme != NULL ? by.scheme : "ff-colloc-s2 to -s5",
         by.is_controlled ? "macro steps controlled by the local error" : "fixed macro steps");
  printf(
      "| case | error | times the whole | the whole | ms | evaluations | co-simulated | ms | evaluations | macro steps "
      "(repeated) | µs each | corrections | refreshes |\n");
  printf("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
  for (size_t k = 0; k < n_cases; k++) {
    if (by.has_cases && !by.is_chosen[k])
      continue;
    const test_case *c = &test_cases[k];
    run monolithic = monolithic_create(c, &by, &monolithic_variants[0], 0);
    reference exact = reference_create(&monolithic.monolithic, c->n_knots);
    for (int i = 0; i < by.errors.n; i++) {
      if (exact.interpolation_error > by.errors.value[i] / 100)
        printf("%s: the reference is too coarse, %.1e\n", c->name, exact.interpolation_error);
      measure(c, &by, &exact, by.errors.value[i]);
    }
    free(exact.knots);
    run_destroy(&monolithic);
  }
  return 0;
}
