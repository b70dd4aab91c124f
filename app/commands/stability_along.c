/* `seam stability model --along`: macro steps with which the motion is stable, and limits in states along it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "app/commands/stability_study.h"
#include "app/commands/stability_trial.h"
#include "app/failure.h"
#include "app/interrupt.h"
#include "app/thresholds.h"
#include "base/then.h"

enum { MAX_TIMES = 1000 };

static void print_limit(const stability_study *study, double limit, int width) {
  if (limit == 0)
    printf("  %*s", width, "none");
  else
    printf("  %s%*.4g", limit >= study->to * (1 - app_whole_range) ? ">" : " ", width - 1, limit);
}

static int width_of(const stability_study *study) {
  return study->base.schemes.width > 10 ? study->base.schemes.width : 10;
}

/* Limits (n_schemes each): with frozen coefficients in each state reached; the least of these; of the motion. */
typedef struct limits {
  size_t n;
  double *time; /* (n) s */
  double *frozen, *least, *motion;
} limits;

static void print_row(const stability_study *study, const double *row) {
  for (size_t i = 0; i < study->base.schemes.n; i++)
    print_limit(study, row[i], width_of(study));
  putchar('\n');
}

static seam_status study_time(stability_study *study, limits *found, seam_error *error) {
  double *row = found->frozen + found->n * study->base.schemes.n;
  double growth = 0;
  seam_status status = stability_find_growth(study, &growth, error);
  if (growth > study->growth)
    study->growth = growth, study->when = study->base.setup.state->t;
  for (size_t i = 0; i < study->base.schemes.n && status == SEAM_OK; i++) {
    seam_scheme_study one;
    status = stability_analyse(study, i, &one, error);
    row[i] = status == SEAM_OK ? stability_limit_of(study, &one) : 0;
  }
  if (status != SEAM_OK)
    return status;
  for (size_t i = 0; i < study->base.schemes.n; i++)
    found->least[i] = fmin(found->least[i], row[i]);
  found->time[found->n++] = study->base.setup.state->t;
  return SEAM_OK;
}

static seam_status follow(stability_study *study, limits *found, mbs_integrator *integrator, seam_error *error) {
  const double end = seam_model_simulation(study->base.setup.file)->end;
  const size_t n_times = (size_t)study->n_times;
  seam_status status = mbs_integrator_start(integrator, study->base.setup.state, error);
  mbs_integrator_set_stop(integrator, end);
  mbs_integrator_set_interrupt(integrator, interrupt_requested, NULL);
  for (size_t k = 0; k < n_times && status == SEAM_OK; k++) {
    const double time = n_times > 1 ? end * (double)k / (double)(n_times - 1) : 0;
    status = mbs_integrator_advance(integrator, time, study->base.setup.state, error);
    THEN(status, study_time(study, found, error));
  }
  return status == SEAM_INTERRUPTED ? stability_interrupted(error) : status;
}

/* Tries the motion from the least limit; from the longest macro step if the shortest fails in some state. */
static seam_status try_motion(stability_study *study, limits *found, seam_error *first, seam_error *error) {
  static const double stable = 1; /* wanted error; the verdict on stability is no stricter */
  for (size_t i = 0; i < study->base.schemes.n; i++) {
    const double from = found->least[i] > 0 ? found->least[i] : study->to;
    const stability_trial self = {&study->base.setup, &study->base.schemes,          i, from, stable,
                                  app_longest_ratio,  &study->base.monitor.interrupt};
    seam_trial trial = {.macro_step = NAN};
    seam_error cause = {0};
    stability_begin_trial(study, study->base.schemes.names[i]);
    const seam_status status = stability_trial_run(&self, &trial, &cause, error);
    progress_clear(&study->base.monitor.progress);
    if (status != SEAM_OK)
      return status;
    if (first->status == SEAM_OK)
      *first = cause;
    found->motion[i] = trial.macro_step > 0 ? trial.macro_step : 0;
  }
  return SEAM_OK;
}

static void write_limits(const stability_study *study, const char *kind, const double *row) {
  for (size_t i = 0; i < study->base.schemes.n; i++)
    stability_write_limit(study, kind, NAN, i, NAN, row[i] > 0 ? row[i] : NAN, false);
}

/* Prints the motion's limits first: frozen coefficients leave out its speed. */
static void print_motion(const stability_study *study, const limits *found, const seam_error *cause) {
  printf("%10s", "motion");
  print_row(study, found->motion);
  write_limits(study, "motion", found->motion);
  puts("(tried, from the least below on: up to it the file's own motion stays bounded, with an error below its size, "
       "over\n"
       "at most 10000 macro steps; below: coefficients are frozen at each time, which holds for small motions near "
       "rest)");
  if (cause->status != SEAM_OK)
    printf("not tried: %s\n", cause->message);
}

static void print_frozen(const stability_study *study, const limits *found) {
  char where[64];
  for (size_t k = 0; k < found->n; k++) {
    printf("%10.4g", found->time[k]);
    print_row(study, found->frozen + k * study->base.schemes.n);
  }
  if (found->n == 0)
    return;
  printf("%10s", "least");
  print_row(study, found->least);
  write_limits(study, "least", found->least);
  snprintf(where, sizeof where, "on the way, most of all at t = %.4g s", study->when);
  stability_print_growth(study->growth, where);
}

static void print_head(const stability_study *study) {
  printf("largest stable macro steps [s] along the motion%s\n%10s",
         mbs_n_contact_states(study->base.setup.model) > 0 ? ": contacts and strands are frozen too" : "", "time [s]");
  for (size_t i = 0; i < study->base.schemes.n; i++)
    printf("  %*s", width_of(study), study->base.schemes.names[i]);
  putchar('\n');
}

seam_status stability_read_times(stability_study *study, seam_error *error) {
  study->n_times = 11;
  const seam_status status = options_number(study->base.parsed, "--times", 1, MAX_TIMES, &study->n_times, error);
  return status == SEAM_OK ? setup_check_end(&study->base.setup, error) : status;
}

static seam_status find_limits(stability_study *study, limits *found, seam_error *error) {
  seam_error cause = {0};
  mbs_integrator *integrator = NULL;
  seam_status status = mbs_integrator_create(
      study->base.setup.model, &seam_model_simulation(study->base.setup.file)->integrator, &integrator, error);
  if (status == SEAM_OK) {
    stability_begin(study, (size_t)study->n_times);
    status = follow(study, found, integrator, error);
  }
  THEN(status, try_motion(study, found, &cause, error));
  print_head(study);
  if (status == SEAM_OK)
    print_motion(study, found, &cause);
  print_frozen(study, found);
  mbs_integrator_destroy(integrator);
  return status == SEAM_OK ? stability_verify(study, found->least, error) : status;
}

seam_status stability_follow(stability_study *study, seam_error *error) {
  const size_t n = study->base.schemes.n;
  const size_t n_times = (size_t)study->n_times;
  limits found = {.time = calloc((n_times + 2) * n + n_times + 1, sizeof *found.time)};
  if (found.time == NULL)
    return out_of_memory(error);
  found.least = found.time + n_times;
  found.motion = found.least + n;
  found.frozen = found.motion + n;
  for (size_t i = 0; i < n; i++)
    found.least[i] = INFINITY;
  const seam_status status = find_limits(study, &found, error);
  free(found.time);
  return status;
}
