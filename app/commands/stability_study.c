/* Functions that the studies of `seam stability model` share: files, reasons why there is no prediction, and trials of
 * predictions on the motion of the model file. */
#include "app/commands/stability_study.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <seam/equations.h>

#include "app/thresholds.h"
#include "base/then.h"

/* ---- Files ---- */

seam_status stability_open(stability_study *study, seam_error *error) {
  static const char *const files[][2] = {
      [STABILITY_POINTS] = {"stability.csv", "time,scheme,macro_step,rho,uncertainty,verdict,error\n"},
      [STABILITY_LIMITS] = {"limits.csv", "kind,time,scheme,from,to,undecided\n"},
      [STABILITY_ADVICE] = {"recommendation.csv", "scheme,macro_step,error,on_motion,error_on_motion,end,outcome\n"}};
  seam_status status = study_open(&study->base, seam_model_name(study->base.setup.file), "stability", error);
  for (size_t i = 0; i < STABILITY_VERIFY && status == SEAM_OK; i++)
    status = study_open_file(&study->base, i, files[i][0], files[i][1], error);
  return status;
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

void stability_write_advice(const stability_study *study, size_t scheme, const seam_scheme_study *predicted,
                            const seam_trial *tried) {
  FILE *file = study->base.files[STABILITY_ADVICE].file;
  const bool was_tried = tried != NULL && !tried->rests;
  csv_write_text(file, study->base.schemes.names[scheme]);
  comparisons_write_number(file, predicted->macro_step);
  comparisons_write_number(file, study->turning_joint == NULL ? predicted->error : NAN);
  comparisons_write_number(file, was_tried ? tried->macro_step : NAN);
  comparisons_write_number(file, was_tried ? tried->error : NAN);
  comparisons_write_number(file, was_tried ? tried->end : NAN);
  fprintf(file, ",%s\n",
          tried == NULL              ? "not tried"
          : tried->rests             ? "nothing moves"
          : isnan(tried->macro_step) ? "not kept"
          : tried->n_runs == 1       ? "kept"
                                     : "shortened");
}

double stability_limit_of(const stability_study *study, const seam_scheme_study *found) {
  return found->n_intervals > 0 && found->interval[0].from <= study->from ? found->interval[0].to : 0;
}

/* ---- Reasons ---- */

bool stability_has_samples(const stability_study *study) {
  for (size_t i = 0; i < mbs_n_variables(study->base.setup.model); i++)
    if (mbs_variable_of(study->base.setup.model, i).sample > 0)
      return true;
  return false;
}

seam_status stability_find_slowest(const stability_study *study, bool oscillates, double *slowest, seam_error *error) {
  seam_modes *modes = NULL;
  const seam_status status = seam_modes_create(study->base.setup.model, study->base.setup.state, &modes, error);
  *slowest = 0;
  for (size_t k = 0; status == SEAM_OK && k < modes->n; k++) {
    const seam_mode *mode = &modes->mode[k];
    if (mode->s[1] > 0 || !(mode->neutral || oscillates))
      *slowest = fmax(*slowest, mode->s[1] > 0 ? 2 * acos(-1) / mode->s[1] : 1 / fabs(mode->s[0]));
  }
  seam_modes_destroy(modes);
  return status;
}

seam_status stability_print_reason(const stability_study *study, seam_error *error) {
  const app_setup *setup = &study->base.setup;
  const cosim_definition *of = cosim_builder_definition(seam_model_cosim(setup->file));
  const char *unknown = NULL; /* a subsystem whose equations the monolithic model does not have */
  double slowest = 0;
  for (size_t s = 0; s < of->n_subsystems && unknown == NULL; s++)
    if (of->subsystems[s].user != NULL && setup->model == seam_model_mechanism(setup->file))
      unknown = of->subsystems[s].name;
  if (stability_has_samples(study)) {
    puts("no recommendation: errors are predicted for continuous time only, but the model has sampled equations");
    return SEAM_OK;
  }
  if (of->n_energy_corrections + of->n_balance_corrections > 0 || of->model_based != NULL) {
    puts("no recommendation: errors cannot be predicted for schemes with 'corrections': look at stable macro steps "
         "only, and compare runs ('seam converge')");
    return SEAM_OK;
  }
  if (unknown != NULL) {
    printf("no recommendation: the motion of subsystem '%s' is not known, because its equations are not in the "
           "undivided model\n",
           unknown);
    return SEAM_OK;
  }
  const seam_status status = stability_find_slowest(study, false, &slowest, error);
  const double shortest = app_min_predicted_step * slowest;
  if (status != SEAM_OK)
    return status;
  if (slowest == 0)
    puts("no recommendation: no force resists small motions, and errors have no size to be compared with;\na motion "
         "with speed may be unstable where small motions are stable: try --along");
  else if (study->from > slowest || study->to < shortest)
    printf("no recommendation: errors are predicted over a period of the slowest motion, %.4g s, with macro steps from "
           "%.4g s to this period: give some of these macro steps\n",
           slowest, shortest);
  else
    puts("no recommendation: the motion of a subsystem that is given by matrices ('linear') or has integrals is not "
         "known between macro points");
  return SEAM_OK;
}

/* ---- Trials ---- */

void stability_begin_trial(stability_study *study, const char *scheme) {
  enum { N_RUNS = 4 }; /* three runs of the reference (normal, tight tolerances, check) and the co-simulation */
  monitor_phase(&study->base.monitor, scheme, N_RUNS, NAN, NAN);
}

seam_status stability_trial_start(const app_setup *setup, mbs_state **start, seam_error *error) {
  seam_status status = mbs_state_create(setup->model, start, error);
  THEN(status, setup_read_start(setup, *start, NULL, error));
  return status == SEAM_OK ? mbs_assemble(setup->workspace, *start, NULL, NULL, error) : status;
}

seam_status stability_trial_print_distance(const app_setup *setup, seam_error *error) {
  mbs_state *start = NULL;
  double rotation = 0;
  double displacement = 0;
  const seam_status status = stability_trial_start(setup, &start, error);
  for (size_t i = 0; status == SEAM_OK && i < mbs_n_bodies(setup->model); i++) {
    const double *a = start->q + 3 * i;
    const double *b = setup->state->q + 3 * i;
    displacement = fmax(displacement, hypot(a[0] - b[0], a[1] - b[1]));
    rotation = fmax(rotation, fabs(a[2] - b[2]));
  }
  mbs_state_destroy(start);
  if (status == SEAM_OK)
    printf(" (it starts %.3g m and %.3g rad from this state)", displacement, rotation);
  return status;
}

seam_status stability_trial_run(stability_study *study, const stability_trial *self, seam_trial *found,
                                seam_error *cause, seam_error *error) {
  const app_setup *setup = &study->base.setup;
  mbs_state *start = NULL;
  cosim_builder *builder = NULL;
  seam_error failure = {0};
  stability_begin_trial(study, study->base.schemes.names[self->scheme]);
  seam_status status = setup_check_end(setup, &failure);
  THEN(status, stability_trial_start(setup, &start, &failure));
  THEN(status, schemes_use(&study->base.schemes, self->scheme, setup, false, &builder, &failure));
  const seam_simulation *simulation = seam_model_simulation(setup->file);
  const seam_trial_def def = {.model = setup->model,
                              .start = start,
                              .integrator = &simulation->integrator,
                              .builder = builder,
                              .macro_step = self->macro_step,
                              .end = simulation->end,
                              .wanted = self->wanted,
                              .ratio = self->ratio,
                              .interrupt = &study->base.monitor.interrupt};
  THEN(status, seam_try_macro_step(&def, found, &failure));
  cosim_builder_destroy(builder);
  mbs_state_destroy(start);
  progress_clear(&study->base.monitor.progress);
  if (status == SEAM_INTERRUPTED || status == SEAM_NO_MEMORY)
    return seam_fail(error, status, "%s", failure.message);
  *cause = failure;
  return SEAM_OK;
}

void stability_trial_print(const stability_study *study, const stability_trial *self, const seam_trial *found) {
  const app_options *parsed = study->base.parsed;
  const char *scheme = study->base.schemes.names[self->scheme];
  const char *quote = strpbrk(scheme, "(,") ? "\"" : "";
  const bool is_confirmed = found->n_runs == 1 && !isnan(found->macro_step);
  if (found->rests) {
    puts(", nothing moves: the recommendation could not be tried");
    return;
  }
  fputs(is_confirmed ? ":" : ": not ", stdout);
  if (!is_confirmed && *found->why == '\0')
    printf("H = %.4g s (its position error is %.3g)", self->macro_step, found->first_error);
  else if (!is_confirmed)
    printf("H = %.4g s (%s)", self->macro_step, found->why);
  if (isnan(found->macro_step)) {
    printf(", nor any of %zu macro steps down to %.2g s\n", found->n_runs, found->last);
    return;
  }
  printf("%s H = %.4g s, with a position error of %.3g\n", is_confirmed ? "" : ", but", found->macro_step,
         found->error);
  printf("confirm with 'seam compare %s", parsed->operands[0]);
  if (!study->base.schemes.from_file)
    printf(" --schemes %s%s%s", quote, scheme, quote);
  printf(" --macro-step %.4g", found->macro_step);
  if (found->end < seam_model_simulation(study->base.setup.file)->end)
    printf(" --end %.4g", found->end);
  options_print_overrides(parsed);
  puts("'");
}
