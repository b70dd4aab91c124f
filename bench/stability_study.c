/* Prediction against experiment: the largest stable macro step of a scheme by the propagation matrix of the linearised
 * mechanism, and by co-simulated runs, found by bisection. Prints the table of docs/stability-study.md.
 *
 * The linearisation at the initial state is compared with small motions about it, under a weak load in place of
 * gravity, 1e-6 of it; the one at the equilibrium with the motion under full gravity, which ends there. A run is
 * unstable if a step fails, or if a coordinate is 1000 times as far from its start as any of the monolithic run in that
 * time. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <seam/analysis.h>
#include <seam/models.h>

static const double smallest = 1e-4, largest = 0.2; /* range of macro steps, s */
static const double width = 1.01;                   /* ratio of macro steps at which bisection ends */
enum { n_looks = 121, n_runs = 31, n_samples = 2000, MAX_INTERVALS = 8, MAX_OVERRIDES = 2 };

typedef struct study {
  seam_model_file *file;
  const mbs_model *model;
  mbs_state *state, *equilibrium;
  double farthest[n_samples + 1]; /* largest distance of the monolithic run from its start, up to each hundredth of a
                                     second: m, rad */
  int n_steps;                    /* steps of a run */
} study;

static void stop(const char *what, const seam_error *error) {
  fprintf(stderr, "%s: %s\n", what, error->message);
  exit(1);
}

static double distance(const study *s, const mbs_state *now) {
  double farthest = 0;
  for (size_t i = 0; i < 3 * mbs_n_bodies(s->model); i++)
    farthest = fmax(farthest, fabs(now->q[i] - s->state->q[i]));
  return farthest;
}

/* Finds the largest distance up to each sample in 20 s of the monolithic run. */
static void find_farthest(study *s) {
  mbs_integrator *integrator = NULL;
  mbs_state *now = NULL;
  seam_error error = {0};
  if (mbs_state_create(s->model, &now, &error) != SEAM_OK ||
      mbs_integrator_create(s->model, &seam_model_simulation(s->file)->integrator, &integrator, &error) != SEAM_OK ||
      mbs_integrator_start(integrator, s->state, &error) != SEAM_OK)
    stop("monolithic run", &error);
  for (int i = 0; i <= n_samples; i++) {
    if (mbs_integrator_advance(integrator, i * 1e-2, now, &error) != SEAM_OK)
      stop("monolithic run", &error);
    s->farthest[i] = fmax(i > 0 ? s->farthest[i - 1] : 0, distance(s, now));
  }
  mbs_integrator_destroy(integrator);
  mbs_state_destroy(now);
}

static study open_model(const char *name, const char *const *overrides, size_t n_overrides, bool wants_equilibrium) {
  study s = {0};
  seam_error error = {0};
  const char *text = seam_catalogue_text(name);
  if (seam_model_file_parse(name, text, strlen(text), overrides, n_overrides, &s.file, &error) != SEAM_OK)
    stop(name, &error);
  s.model = seam_model_mechanism(s.file);
  mbs_workspace *ws = NULL;
  if (mbs_state_create(s.model, &s.state, &error) != SEAM_OK ||
      mbs_state_create(s.model, &s.equilibrium, &error) != SEAM_OK ||
      mbs_workspace_create(s.model, &ws, &error) != SEAM_OK || mbs_assemble(ws, s.state, NULL, NULL, &error) != SEAM_OK)
    stop(name, &error);
  if (wants_equilibrium && mbs_find_equilibrium(ws, s.equilibrium, NULL, NULL, &error) != SEAM_OK)
    stop(name, &error);
  mbs_workspace_destroy(ws);
  find_farthest(&s);
  return s;
}

static void close_model(study *s) {
  mbs_state_destroy(s->state);
  mbs_state_destroy(s->equilibrium);
  seam_model_file_destroy(s->file);
}

/* Returns true if the co-simulated run with macro step H is stable. */
static bool run(const study *s, const cosim_builder *builder, double H) {
  cosim_simulation *simulation = NULL;
  seam_error error = {0};
  if (cosim_create(builder, &simulation, &error) != SEAM_OK || cosim_start(simulation, s->state, &error) != SEAM_OK)
    stop("run", &error);
  bool stable = true;
  const double limit = 1000 * s->farthest[(int)fmin(n_samples, ceil(s->n_steps * H * 100))];
  for (int i = 0; i < s->n_steps && stable; i++)
    stable = cosim_advance(simulation, H, &error) == SEAM_OK && distance(s, cosim_state(simulation)) <= limit;
  cosim_destroy(simulation);
  return stable;
}

/* Returns the end of the stable interval with the smallest macro step; 0: there is none. */
static double predict(const mbs_state *about, const cosim_builder *builder) {
  seam_linearised *linear = NULL;
  seam_stable_interval interval[MAX_INTERVALS];
  size_t n = 0;
  seam_error error = {0};
  if (seam_linearised_create(about, builder, &linear, &error) != SEAM_OK ||
      seam_linearised_intervals(linear, smallest, largest, n_looks, NULL, interval, MAX_INTERVALS, &n, &error) !=
          SEAM_OK)
    stop("prediction", &error);
  seam_linearised_destroy(linear);
  return n > 0 && interval[0].from <= smallest ? interval[0].to : 0;
}

/* Returns the limit measured by runs, s. */
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

/* Prints a limit in ms, and its difference from a prediction, if there is one. */
static void print_limit(double limit, double predicted) {
  const bool open = limit > 0.999 * largest;
  printf(" %s%.4g", open ? "> " : "", 1e3 * limit);
  if (predicted > 0 && !(open && predicted > 0.999 * largest))
    printf(" (%+.1f %%)", 100 * (limit / predicted - 1));
  fputs(" |", stdout);
}

static cosim_builder *with_scheme(const study *s, const char *scheme) {
  cosim_builder *builder = NULL;
  seam_error error = {0};
  if (cosim_builder_copy(seam_model_cosim(s->file), &builder, &error) != SEAM_OK ||
      cosim_use_scheme(builder, scheme, &error) != SEAM_OK)
    stop(scheme, &error);
  return builder;
}

static void compare(const char *name, const char *parameter, const char *weak_load, const char *only) {
  static const char *const schemes[] = {"ff-k0", "ff-k1", "ff-k2",        "ff-d-k2",      "ff-i-k2",
                                        "fd-k1", "dd-k1", "ff-colloc-s1", "ff-colloc-s2", "ff-colloc-s3"};
  const char *overrides[MAX_OVERRIDES] = {parameter, weak_load};
  study weak = open_model(name, overrides, MAX_OVERRIDES, false);
  study full = open_model(name, overrides, 1, true);
  weak.n_steps = 8000;
  full.n_steps = 2000;
  for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
    if (only != NULL && strcmp(only, schemes[i]) != 0)
      continue;
    cosim_builder *of_weak = with_scheme(&weak, schemes[i]);
    cosim_builder *of_full = with_scheme(&full, schemes[i]);
    const double at_start = predict(full.state, of_full);
    const double at_rest = predict(full.equilibrium, of_full);
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
  close_model(&weak);
  close_model(&full);
}

/* Prints rows of the table; arguments: a part of the parameters to print, a scheme. */
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
