/* Functions that the studies of `seam stability model` share: the study of a scheme about one state, and trials of
 * predictions on the motion of the model file. */
#include "app/commands/stability_study.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <seam/equations.h>

#include "app/failure.h"
#include "app/interrupt.h"
#include "app/plots/steps_plot.h"
#include "base/number.h"
#include "base/then.h"

seam_status stability_interrupted(seam_error *error) {
  return seam_fail(error, SEAM_INTERRUPTED, "seam: interrupted; what was printed is kept");
}

/* ---- One scheme in one state ---- */

static void write_point(const stability_study *study, const char *scheme, const seam_scheme_point *point,
                        double error) {
  FILE *file = study->base.files[STABILITY_POINTS].file;
  shortest_print(file, study->base.setup.state->t);
  fputc(',', file);
  csv_write_text(file, scheme);
  comparisons_write_number(file, point->macro_step);
  comparisons_write_number(file, isfinite(point->rho) ? point->rho : NAN);
  fputc(',', file);
  if (isfinite(point->rho))
    fprintf(file, "%.3g", point->uncertainty);
  fprintf(file, ",%s,", seam_verdict_text(point->verdict));
  if (isfinite(error))
    fprintf(file, "%.9g", error);
  fputc('\n', file);
}

static const double trial_work = 4; /* estimated work of all trials, divided by that of the study of one scheme */

static bool show_progress(void *context, double macro_step) {
  (void)macro_step;
  stability_study *study = context;
  progress_count(&study->base.monitor.progress, (double)study->n_studied / ((double)study->n_to_study + trial_work),
                 study->n_studied, study->n_studied == 1 ? "scheme studied" : "schemes studied");
  return interrupt_poll();
}

void stability_write_limit(const stability_study *study, const char *kind, double time, size_t scheme, double from,
                           double to, bool has_undecided) {
  FILE *file = study->base.files[STABILITY_LIMITS].file;
  fputs(kind, file);
  comparisons_write_number(file, time);
  fputc(',', file);
  csv_write_text(file, study->base.schemes.names[scheme]);
  comparisons_write_number(file, from);
  comparisons_write_number(file, to);
  fprintf(file, ",%d\n", has_undecided);
}

double stability_limit_of(const stability_study *study, const seam_scheme_study *found) {
  return found->n_intervals > 0 && found->interval[0].from <= study->from ? found->interval[0].to : 0;
}

seam_status stability_linearise(const stability_study *study, size_t number, seam_linearised **linear,
                                seam_error *error) {
  cosim_builder *builder = NULL;
  seam_status status = schemes_use(&study->base.schemes, number, &study->base.setup, false, &builder, error);
  THEN(status, seam_linearised_create_of(study->base.setup.model, study->base.setup.state, builder, linear, error));
  cosim_builder_destroy(builder);
  return status;
}

seam_status stability_analyse(stability_study *study, size_t number, seam_scheme_study *found, seam_error *error) {
  const seam_interrupt interrupt = {.is_requested = show_progress, .context = study};
  const char *scheme = study->base.schemes.names[number];
  const size_t n = study->n_samples;
  seam_scheme_point *points = calloc(n, sizeof *points); /* (n) results, one for each macro step */
  double *errors = calloc(n, sizeof *errors);
  seam_linearised *linear = NULL;
  seam_status status =
      points != NULL && errors != NULL ? stability_linearise(study, number, &linear, error) : out_of_memory(error);
  THEN(status, seam_linearised_study(linear, study->from, study->to, n, study->wanted, &interrupt, points, errors,
                                     found, error));
  /* Errors are not predicted if bodies move or accelerate in the state. Nor are they if the reaction of a cut joint
   * rotates with its bodies under load. */
  const seam_advice advice =
      seam_recommend(study->base.setup.model, study->base.setup.state, study->turning_joint != NULL, NULL, 0).advice;
  if (status == SEAM_OK && (advice == SEAM_STATE_MOVES || advice == SEAM_DIRECTION_TURNS)) {
    found->macro_step = found->error = NAN;
    for (size_t i = 0; i < n; i++)
      errors[i] = NAN;
  }
  for (size_t i = 0; i < n && status == SEAM_OK; i++)
    write_point(study, scheme, &points[i], errors[i]);
  for (size_t k = 0; status == SEAM_OK && k < found->n_intervals; k++)
    stability_write_limit(study, "state", study->base.setup.state->t, number, found->interval[k].from,
                          found->interval[k].to, found->interval[k].has_undecided);
  if (status == SEAM_OK && study->picture.n_panels > 0)
    steps_plot_add(&study->picture, scheme, points, errors, n);
  fflush(NULL); /* writes these rows to the disk, in case of a later interruption */
  study->n_studied++;
  progress_clear(&study->base.monitor.progress);
  seam_linearised_destroy(linear);
  free(points);
  free(errors);
  return status == SEAM_INTERRUPTED ? stability_interrupted(error) : status;
}

void stability_begin(stability_study *study, size_t n_states) {
  monitor_start(&study->base.monitor, false, seam_model_simulation(study->base.setup.file)->end);
  progress_phase(&study->base.monitor.progress, NULL, 1, 0);
  study->n_to_study = n_states * study->base.schemes.n;
}

bool stability_has_samples(const stability_study *study) {
  for (size_t i = 0; i < mbs_n_variables(study->base.setup.model); i++)
    if (mbs_variable_of(study->base.setup.model, i).sample > 0)
      return true;
  return false;
}

seam_status stability_find_growth(const stability_study *study, double *growth, seam_error *error) {
  const mbs_model *model = study->base.setup.model;
  const mbs_state *state = study->base.setup.state;
  *growth = 0;
  if (stability_has_samples(study)) {
    seam_equilibrium_stability found = {0};
    const seam_status status = seam_equilibrium_stability_find(model, state, &found, error);
    *growth = found.growth; /* 0 if it is not known, because variables have several periods */
    return status == SEAM_NO_MEMORY ? status : SEAM_OK;
  }
  seam_modes *modes = NULL;
  const seam_status status = seam_modes_create(model, state, &modes, error);
  *growth = status == SEAM_OK ? seam_modes_growth(modes) : 0;
  seam_modes_destroy(modes);
  return status == SEAM_NO_MEMORY ? status : SEAM_OK;
}

void stability_print_growth(double growth, const char *where) {
  if (growth > 0)
    printf("motions of the mechanism itself grow %s, at %.6g 1/s: a scheme is called stable if nothing grows faster\n",
           where, growth);
}

/* ---- Trials ---- */

seam_status stability_trial_start(const app_setup *setup, mbs_state **start, seam_error *error) {
  seam_status status = mbs_state_create(setup->model, start, error);
  THEN(status, setup_read_start(setup, *start, NULL, error));
  return status == SEAM_OK ? mbs_assemble(setup->workspace, *start, NULL, NULL, error) : status;
}

seam_status stability_trial_run(stability_study *study, size_t scheme, seam_trial_def def, seam_trial *found,
                                seam_error *cause, seam_error *error) {
  const app_setup *setup = &study->base.setup;
  mbs_state *start = NULL;
  cosim_builder *builder = NULL;
  seam_error failure = {0};
  /* The work is NaN, because the number of trials is unknown: no time left is shown. */
  monitor_phase(&study->base.monitor, study->base.schemes.names[scheme], STABILITY_TRIAL_RUNS, NAN, NAN);
  seam_status status = setup_check_end(setup, &failure);
  THEN(status, stability_trial_start(setup, &start, &failure));
  THEN(status, schemes_use(&study->base.schemes, scheme, setup, false, &builder, &failure));
  def.model = setup->model;
  def.start = start;
  def.integrator = &seam_model_simulation(setup->file)->integrator;
  def.builder = builder;
  def.end = seam_model_simulation(setup->file)->end;
  def.interrupt = &study->base.monitor.interrupt;
  THEN(status, seam_try_macro_step(&def, found, &failure));
  cosim_builder_destroy(builder);
  mbs_state_destroy(start);
  progress_clear(&study->base.monitor.progress);
  if (status == SEAM_INTERRUPTED || status == SEAM_NO_MEMORY)
    return seam_fail(error, status, "%s", failure.message);
  *cause = failure;
  return SEAM_OK;
}
