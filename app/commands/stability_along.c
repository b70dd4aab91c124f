/* `seam stability model --along`: limits of macro steps along a motion, and what the motion leaves of them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "app/commands/stability_study.h"
#include "app/commands/stability_trial.h"
#include "app/failure.h"
#include "app/interrupt.h"

enum { MAX_TIMES = 1000 };

/* The first limit: all smaller macro steps that were looked at are stable. 0: the smallest is not. */
static double limit_of(const app_study *study, const seam_scheme_study *found) {
  return found->n_intervals > 0 && found->interval[0].from <= study->from ? found->interval[0].to : 0;
}

static void print_limit(const app_study *study, double limit, int width) {
  if (limit == 0)
    printf("  %*s", width, "none");
  else
    printf("  %s%*.4g", limit >= study->to * (1 - 1e-12) ? ">" : " ", width - 1, limit);
}

static seam_status study_time(app_study *study, double *least, seam_error *error) {
  const int width = study->schemes.width > 10 ? study->schemes.width : 10;
  double growth = 0;
  const seam_status modes_found = stability_find_growth(study, &growth, error);
  if (modes_found != SEAM_OK)
    return modes_found;
  if (growth > study->growth)
    study->growth = growth, study->when = study->setup.state->t;
  printf("%10.4g", study->setup.state->t);
  for (size_t i = 0; i < study->schemes.n; i++) {
    seam_scheme_study found;
    const seam_status status = stability_analyse(study, i, &found, error);
    if (status != SEAM_OK) {
      putchar('\n');
      return status;
    }
    const double limit = limit_of(study, &found);
    least[i] = fmin(least[i], limit);
    print_limit(study, limit, width);
  }
  putchar('\n');
  return SEAM_OK;
}

static seam_status follow(app_study *study, size_t n_times, double *least, mbs_integrator *integrator,
                          seam_error *error) {
  const double end = seam_model_simulation(study->setup.file)->end;
  seam_status status = mbs_integrator_start(integrator, study->setup.state, error);
  mbs_integrator_set_stop(integrator, end);
  mbs_integrator_set_interrupt(integrator, interrupt_requested, NULL);
  for (size_t k = 0; k < n_times && status == SEAM_OK; k++) {
    const double time = n_times > 1 ? end * (double)k / (double)(n_times - 1) : 0;
    status = mbs_integrator_advance(integrator, time, study->setup.state, error);
    if (status == SEAM_OK)
      status = study_time(study, least, error);
  }
  return status == SEAM_INTERRUPTED ? stability_interrupted(error) : status;
}

static void print_least(const app_study *study, const double *least, int width) {
  char where[64];
  printf("%10s", "least");
  for (size_t i = 0; i < study->schemes.n; i++)
    print_limit(study, least[i], width);
  putchar('\n');
  snprintf(where, sizeof where, "on the way, most of all at t = %.4g s", study->when);
  stability_print_growth(study->growth, where);
}

/* The motion itself has the last word: a row of what it leaves of the limits. */
static seam_status try_least(app_study *study, const double *least, int width, seam_error *error) {
  static const double stable = 1; /* an error that is no less strict than the verdict itself */
  seam_error first = {0};
  printf("%10s", "motion");
  for (size_t i = 0; i < study->schemes.n; i++) {
    const stability_trial self = {&study->setup, &study->schemes, i, least[i], stable, &study->monitor.interrupt};
    seam_trial trial = {.macro_step = NAN};
    seam_error cause = {0};
    stability_begin_trial(study, study->schemes.names[i]);
    const seam_status status = least[i] > 0 ? stability_trial_run(&self, &trial, &cause, error) : SEAM_OK;
    progress_clear(&study->monitor.progress);
    if (status != SEAM_OK) {
      putchar('\n');
      return status;
    }
    if (first.status == SEAM_OK)
      first = cause;
    print_limit(study, trial.macro_step > 0 ? trial.macro_step : 0, width);
  }
  puts("\n(motion: the least, or the shorter one with which 'seam compare' finds the file's own motion stable, over at "
       "most 10000 of them)");
  if (first.status != SEAM_OK)
    printf("not tried: %s\n", first.message);
  return SEAM_OK;
}

seam_status stability_read_times(app_study *study, seam_error *error) {
  const seam_status status = stability_read_number(study, "--times", 11, 1, MAX_TIMES, &study->n_times, error);
  if (status == SEAM_OK && isnan(seam_model_simulation(study->setup.file)->end))
    return seam_fail(error, SEAM_BAD_INPUT, "seam: the model gives no end time; add 'simulate: {end: ...}'");
  return status;
}

seam_status stability_follow(app_study *study, seam_error *error) {
  const int width = study->schemes.width > 10 ? study->schemes.width : 10;
  mbs_integrator *integrator = NULL;
  double *least = calloc(study->schemes.n, sizeof *least);
  if (!least)
    return out_of_memory(error);
  seam_status status = mbs_integrator_create(study->setup.model, &seam_model_simulation(study->setup.file)->integrator,
                                             &integrator, error);
  if (status == SEAM_OK) {
    printf("largest stable macro steps [s] along the motion: coefficients are frozen%s\n%10s",
           mbs_n_contact_states(study->setup.model) > 0 ? ", contacts and strands too" : "", "time [s]");
    for (size_t i = 0; i < study->schemes.n; i++) {
      least[i] = INFINITY;
      printf("  %*s", width, study->schemes.names[i]);
    }
    putchar('\n');
    stability_begin(study, (size_t)study->n_times);
    status = follow(study, (size_t)study->n_times, least, integrator, error);
  }
  if (status == SEAM_OK) {
    print_least(study, least, width);
    status = try_least(study, least, width, error);
  }
  mbs_integrator_destroy(integrator);
  free(least);
  return status;
}
