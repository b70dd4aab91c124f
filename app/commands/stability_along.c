/* `seam stability model --along`: largest macro steps with which the motion is stable, and stability limits with
 * coefficients frozen at states along the motion. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "app/commands/stability_study.h"
#include "app/failure.h"
#include "app/interrupt.h"
#include "app/thresholds.h"
#include "base/then.h"

/* Stability limits of the macro step, s, for each scheme; 0: the smallest macro step of the study is not stable. frozen
 * (n x n_schemes): with coefficients frozen at n states. least (n_schemes): the smallest of the frozen limits. motion
 * (n_schemes): found by runs of the motion itself. */
typedef struct limits {
  size_t n;
  double *time; /* (n) times of the states, s */
  double *frozen, *least, *motion;
} limits;

static int column_width(const stability_study *study) {
  return study->base.schemes.width > 10 ? study->base.schemes.width : 10;
}

static void print_row(const stability_study *study, const double *row) {
  for (size_t i = 0; i < study->base.schemes.n; i++) {
    const int width = column_width(study);
    if (row[i] == 0)
      printf("  %*s", width, "none");
    else
      printf("  %s%*.4g", row[i] >= study->to * (1 - app_range_tolerance) ? ">" : " ", width - 1, row[i]);
  }
  putchar('\n');
}

/* Prints a row of limits, one for each scheme, and writes each limit into limits.csv as a row of the kind `kind`. */
static void print_limits(const stability_study *study, const char *kind, const double *row) {
  printf("%10s", kind);
  print_row(study, row);
  for (size_t i = 0; i < study->base.schemes.n; i++)
    stability_write_limit(study, kind, NAN, i, NAN, row[i] > 0 ? row[i] : NAN, false);
}

static seam_status follow(stability_study *study, limits *found, mbs_integrator *integrator, seam_error *error) {
  mbs_state *state = study->base.setup.state;
  const double end = seam_model_simulation(study->base.setup.file)->end;
  const size_t n_times = (size_t)study->n_times;
  const size_t n = study->base.schemes.n;
  seam_status status = mbs_integrator_start(integrator, state, error);
  mbs_integrator_set_stop(integrator, end);
  mbs_integrator_set_interrupt(integrator, interrupt_requested, NULL);
  for (size_t k = 0; k < n_times && status == SEAM_OK; k++) {
    double *row = found->frozen + found->n * n;
    double growth = 0;
    status =
        mbs_integrator_advance(integrator, n_times > 1 ? end * (double)k / (double)(n_times - 1) : 0, state, error);
    THEN(status, stability_find_growth(study, &growth, error));
    if (growth > study->growth) {
      study->growth = growth;
      study->when = state->t;
    }
    for (size_t i = 0; i < n && status == SEAM_OK; i++) {
      seam_scheme_study one;
      status = stability_analyse(study, i, &one, error);
      row[i] = status == SEAM_OK ? stability_limit_of(study, &one) : 0;
    }
    for (size_t i = 0; i < n && status == SEAM_OK; i++)
      found->least[i] = fmin(found->least[i], row[i]);
    if (status == SEAM_OK)
      found->time[found->n++] = state->t;
  }
  return status == SEAM_INTERRUPTED ? stability_interrupted(error) : status;
}

/* Finds the limits of the motion itself by co-simulated runs. Begins, for each scheme, with the smallest limit with
 * frozen coefficients or, if this is 0, with the largest macro step of the study. *first: first reason why a scheme
 * could not be tried. */
static seam_status try_motion(stability_study *study, limits *found, seam_error *first, seam_error *error) {
  static const double stable = 1; /* wanted error: a run with a smaller error counts as stable */
  for (size_t i = 0; i < study->base.schemes.n; i++) {
    const seam_trial_def def = {
        .macro_step = found->least[i] > 0 ? found->least[i] : study->to, .wanted = stable, .ratio = app_limit_ratio};
    seam_trial trial = {.macro_step = NAN};
    seam_error cause = {0};
    const seam_status status = stability_trial_run(study, i, def, &trial, &cause, error);
    if (status != SEAM_OK)
      return status;
    if (first->status == SEAM_OK)
      *first = cause;
    found->motion[i] = trial.macro_step > 0 ? trial.macro_step : 0;
  }
  return SEAM_OK;
}

/* Limits of the motion are printed first, because only they include the effect of its velocity. */
seam_status stability_follow(stability_study *study, seam_error *error) {
  const app_setup *setup = &study->base.setup;
  const size_t n = study->base.schemes.n;
  const size_t n_times = (size_t)study->n_times;
  limits found = {.time = calloc((n_times + 2) * n + n_times + 1, sizeof *found.time)};
  seam_error cause = {0};
  char where[64];
  mbs_integrator *integrator = NULL;
  if (found.time == NULL)
    return out_of_memory(error);
  found.least = found.time + n_times;
  found.motion = found.least + n;
  found.frozen = found.motion + n;
  for (size_t i = 0; i < n; i++)
    found.least[i] = INFINITY;
  seam_status status =
      mbs_integrator_create(setup->model, &seam_model_simulation(setup->file)->integrator, &integrator, error);
  if (status == SEAM_OK) {
    stability_begin(study, n_times);
    status = follow(study, &found, integrator, error);
  }
  mbs_integrator_destroy(integrator);
  THEN(status, try_motion(study, &found, &cause, error));
  printf("largest stable macro steps [s] along the motion%s\n%10s",
         mbs_n_contact_states(setup->model) > 0 ? ": contacts and strands are frozen too" : "", "time [s]");
  for (size_t i = 0; i < n; i++)
    printf("  %*s", column_width(study), study->base.schemes.names[i]);
  putchar('\n');
  if (status == SEAM_OK) {
    print_limits(study, "motion", found.motion);
    puts("(tried, from the least below on: up to it the file's own motion stays bounded, with an error below its size, "
         "over\n"
         "at most 10000 macro steps; below: coefficients are frozen at each time, which holds for small motions near "
         "rest)");
    if (cause.status != SEAM_OK)
      printf("not tried: %s\n", cause.message);
  }
  for (size_t k = 0; k < found.n; k++) {
    printf("%10.4g", found.time[k]);
    print_row(study, found.frozen + k * n);
  }
  if (found.n > 0) {
    print_limits(study, "least", found.least);
    snprintf(where, sizeof where, "on the way, most of all at t = %.4g s", study->when);
    stability_print_growth(study->growth, where);
  }
  THEN(status, stability_verify(study, found.least, error));
  free(found.time);
  return status;
}
