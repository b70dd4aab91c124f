/* Files of `seam stability model`: results at each macro step, limits, the recommendation. */
#include <math.h>

#include "app/commands/stability_study.h"

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
  csv_put_text(file, study->base.schemes.names[scheme]);
  comparisons_write_number(file, from);
  comparisons_write_number(file, to);
  fprintf(file, ",%d\n", has_undecided);
}

double stability_limit_of(const stability_study *study, const seam_scheme_study *found) {
  return found->n_intervals > 0 && found->interval[0].from <= study->from ? found->interval[0].to : 0;
}

static const char *outcome_of(const seam_trial *tried) {
  if (tried == NULL)
    return "not tried";
  if (tried->rests)
    return "nothing moves";
  if (isnan(tried->macro_step))
    return "not kept";
  return tried->n_runs == 1 ? "kept" : "shortened";
}

void stability_write_advice(const stability_study *study, size_t scheme, const seam_scheme_study *promised,
                            const seam_trial *tried) {
  FILE *file = study->base.files[STABILITY_ADVICE].file;
  const bool was_tried = tried != NULL && !tried->rests;
  csv_put_text(file, study->base.schemes.names[scheme]);
  comparisons_write_number(file, promised->macro_step);
  comparisons_write_number(file, study->turning == NULL ? promised->error : NAN);
  comparisons_write_number(file, was_tried ? tried->macro_step : NAN);
  comparisons_write_number(file, was_tried ? tried->error : NAN);
  comparisons_write_number(file, was_tried ? tried->end : NAN);
  fprintf(file, ",%s\n", outcome_of(tried));
}
