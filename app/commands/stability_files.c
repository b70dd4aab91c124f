/* Files of `seam stability model`: what was found at each macro step, limits of macro steps, the recommendation. */
#include <math.h>
#include <stdlib.h>

#include "app/commands/stability_study.h"
#include "app/failure.h"
#include "app/results/output.h"
#include "base/shortest.h"

static const char *const names[N_STABILITY_FILES] = {"stability.csv", "limits.csv", "recommendation.csv"};
static const char *const heads[N_STABILITY_FILES] = {"time,scheme,macro_step,rho,uncertainty,verdict,error\n",
                                                     "kind,time,scheme,from,to,undecided\n",
                                                     "scheme,macro_step,error,on_motion,error_on_motion,end,outcome\n"};

static seam_status open_one(app_study *study, int which, seam_error *error) {
  stability_file *self = &study->files[which];
  self->path = output_path(study->directory, names[which]);
  if (self->path == NULL)
    return out_of_memory(error);
  const seam_status status = output_open(self->path, &self->file, error);
  if (status == SEAM_OK)
    fputs(heads[which], self->file);
  return status;
}

seam_status stability_open(app_study *study, seam_error *error) {
  seam_status status = output_make_directory(study->directory, error);
  for (int i = 0; i < N_STABILITY_FILES && status == SEAM_OK; i++)
    status = open_one(study, i, error);
  return status;
}

seam_status stability_close(app_study *study, seam_error *error) {
  seam_status status = SEAM_OK;
  for (stability_file *self = study->files; self < study->files + N_STABILITY_FILES; self++) {
    const bool failed = self->file != NULL && ferror(self->file) != 0;
    if (self->file != NULL && (fclose(self->file) != 0 || failed) && status == SEAM_OK)
      status = output_failed(self->path, error);
    free(self->path);
  }
  return status;
}

void stability_write_limit(const app_study *study, const char *kind, double time, size_t scheme, double from, double to,
                           bool has_undecided) {
  FILE *file = study->files[STABILITY_LIMITS].file;
  fputs(kind, file);
  comparisons_write_number(file, time);
  fputc(',', file);
  csv_put_text(file, study->schemes.names[scheme]);
  comparisons_write_number(file, from);
  comparisons_write_number(file, to);
  fprintf(file, ",%d\n", has_undecided);
}

double stability_limit_of(const app_study *study, const seam_scheme_study *found) {
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

void stability_write_advice(const app_study *study, size_t scheme, const seam_scheme_study *promised,
                            const seam_trial *tried) {
  FILE *file = study->files[STABILITY_ADVICE].file;
  const bool was_tried = tried != NULL && !tried->rests;
  csv_put_text(file, study->schemes.names[scheme]);
  comparisons_write_number(file, promised->macro_step);
  comparisons_write_number(file, study->turning == NULL ? promised->error : NAN);
  comparisons_write_number(file, was_tried ? tried->macro_step : NAN);
  comparisons_write_number(file, was_tried ? tried->error : NAN);
  comparisons_write_number(file, was_tried ? tried->end : NAN);
  fprintf(file, ",%s\n", outcome_of(tried));
}
