#include "app/results/statistics.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/failure.h"

/* ---- What is asked for ---- */

/* Usual quantities of the measures with statistics; NULL: only counts them. */
static size_t list_quantities(const seam_model_file *file, mbs_quantity *list) {
  const mbs_model *model = seam_model_mechanism(file);
  size_t n = 0;
  for (size_t m = 0; m < mbs_n_measures(model); m++)
    for (size_t i = 0; i < mbs_n_quantities(model, MBS_MEASURES, m) && seam_model_over_run(file, m) != 0; i++) {
      if (list != NULL)
        list[n] = (mbs_quantity){MBS_MEASURES, m, i};
      n++;
    }
  return n;
}

seam_status statistics_start_of(app_statistics *self, const seam_model_file *file, const mbs_quantity *quantities,
                                size_t n, seam_error *error) {
  self->file = file;
  self->n = n;
  self->quantities = calloc(n + 1, sizeof *self->quantities);
  if (self->quantities == NULL)
    return out_of_memory(error);
  memcpy(self->quantities, quantities, n * sizeof *quantities);
  return seam_over_run_create(seam_model_mechanism(file), quantities, n, &self->over_run, error);
}

seam_status statistics_start(app_statistics *self, const seam_model_file *file, const void *image, size_t size,
                             seam_error *error) {
  const size_t n = list_quantities(file, NULL);
  mbs_quantity *list = calloc(n + 1, sizeof *list);
  if (list == NULL)
    return out_of_memory(error);
  list_quantities(file, list);
  const seam_status status = statistics_start_of(self, file, list, n, error);
  free(list);
  return status == SEAM_OK && image != NULL ? seam_over_run_restore(self->over_run, image, size, error) : status;
}

void statistics_free(app_statistics *self) {
  seam_over_run_destroy(self->over_run);
  free(self->quantities);
}

bool statistics_is_asked(const app_statistics *self, size_t i, seam_statistic which) {
  return (seam_model_over_run(self->file, self->quantities[i].element) >> which & 1U) != 0;
}

/* ---- Results ---- */

static void name_quantity(const mbs_quantity_info *info, char *name, size_t size) {
  snprintf(name, size, "%s%s%s", info->element, *info->name != '\0' ? "." : "", info->name);
}

void statistics_name_figure(const app_statistics *self, size_t i, seam_statistic which, char *name, size_t size) {
  const mbs_quantity_info info = mbs_quantity_of(seam_model_mechanism(self->file), self->quantities[i]);
  name_quantity(&info, name, size);
  const size_t used = strlen(name);
  snprintf(name + used, size - used, ".%s", seam_statistic_name(which));
}

static void print_figure(const char *name, const char *unit, seam_statistic which, seam_run_figure figure) {
  fprintf(stderr, "  %s %s: %.6g", name, seam_statistic_name(which), figure.value);
  if (which == SEAM_INTEGRAL)
    fprintf(stderr, " %s%ss", unit, *unit != '\0' ? "*" : "");
  else
    fprintf(stderr, "%s%s", *unit != '\0' ? " " : "", unit);
  if (!isnan(figure.time))
    fprintf(stderr, " at t = %.6g s", figure.time);
  if (isnan(figure.uncertainty))
    fputs(", uncertainty unknown\n", stderr);
  else
    fprintf(stderr, ", uncertainty %.2g\n", figure.uncertainty);
}

void statistics_print(const app_statistics *self) {
  for (size_t i = 0; i < self->n; i++) {
    const mbs_quantity_info info = mbs_quantity_of(seam_model_mechanism(self->file), self->quantities[i]);
    char name[256];
    name_quantity(&info, name, sizeof name);
    for (seam_statistic s = 0; s < SEAM_N_STATISTICS; s++)
      if (statistics_is_asked(self, i, s))
        print_figure(name, info.unit, s, seam_over_run_of(self->over_run, i, s));
  }
}

/* ---- The note ---- */

static double size_of(const app_statistics *self, size_t i) {
  return fmax(fabs(seam_over_run_of(self->over_run, i, SEAM_MIN).value),
              fabs(seam_over_run_of(self->over_run, i, SEAM_MAX).value));
}

/* Quantities below are zero but for rounding and tolerances: of less than 1e-9 of their unit, or of the largest one
 * that is gathered in it. */
static double least_size(const app_statistics *self, size_t i) {
  const mbs_model *model = seam_model_mechanism(self->file);
  const char *unit = mbs_quantity_of(model, self->quantities[i]).unit;
  double largest = 1;
  for (size_t k = 0; k < self->n; k++)
    if (strcmp(mbs_quantity_of(model, self->quantities[k]).unit, unit) == 0)
      largest = fmax(largest, size_of(self, k));
  return 1e-9 * largest;
}

/* Part of the quantity's size that is open; that of an integral and of a mean over the run is one. Infinite: nothing is
 * known. */
static double open_part(const app_statistics *self, size_t i, seam_statistic which) {
  const double size = size_of(self, i);
  const seam_statistic judged = which == SEAM_INTEGRAL ? SEAM_MEAN : which;
  const double open = seam_over_run_of(self->over_run, i, judged).uncertainty;
  if (isnan(open))
    return INFINITY;
  return size > least_size(self, i) ? open / size : 0;
}

static void print_note(const char *name, const char *which, double open, bool is_doubted) {
  if (is_doubted)
    fprintf(
        stderr,
        "note: contacts or impacts inside subsystems lie within macro steps, where the %s of '%s' does not see them: "
        "its uncertainty is unknown; run it without --cosim\n",
        which, name);
  else if (isinf(open))
    fprintf(stderr,
            "note: rows are too few for the %s of '%s': its uncertainty is unknown; give a smaller --output-step\n",
            which, name);
  else
    fprintf(stderr,
            "note: rows are too far apart for the %s of '%s': %.2g %% of its size is open; give a smaller "
            "--output-step, of a co-simulated run a smaller --macro-step\n",
            which, name, 100 * open);
}

void statistics_note(const app_statistics *self) {
  double largest = 0.01;
  size_t of = SEAM_NONE;
  seam_statistic which = SEAM_MIN;
  for (size_t i = 0; i < self->n; i++)
    for (seam_statistic s = 0; s < SEAM_N_STATISTICS; s++) {
      const double open = statistics_is_asked(self, i, s) ? open_part(self, i, s) : 0;
      if (open > largest) {
        largest = open;
        of = i;
        which = s;
      }
    }
  if (of == SEAM_NONE)
    return;
  const mbs_quantity_info info = mbs_quantity_of(seam_model_mechanism(self->file), self->quantities[of]);
  char name[256];
  name_quantity(&info, name, sizeof name);
  print_note(name, seam_statistic_name(which), largest, seam_over_run_is_doubted(self->over_run));
}
