#include "app/results/statistics.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "app/failure.h"

static const char *const names[SEAM_N_STATISTICS] = {
#define NAME(code, name) #name,
    SEAM_STATISTIC_TABLE(NAME)
#undef NAME
};

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

seam_status statistics_start(app_statistics *self, const seam_model_file *file, const void *image, size_t size,
                             seam_error *error) {
  self->file = file;
  self->n = list_quantities(file, NULL);
  self->quantities = calloc(self->n + 1, sizeof *self->quantities);
  if (self->quantities == NULL)
    return out_of_memory(error);
  list_quantities(file, self->quantities);
  const seam_status status =
      seam_over_run_create(seam_model_mechanism(file), self->quantities, self->n, &self->over_run, error);
  return status == SEAM_OK && image != NULL ? seam_over_run_restore(self->over_run, image, size, error) : status;
}

void statistics_free(app_statistics *self) {
  seam_over_run_destroy(self->over_run);
  free(self->quantities);
}

static bool is_asked(const app_statistics *self, size_t i, seam_statistic which) {
  return (seam_model_over_run(self->file, self->quantities[i].element) >> which & 1U) != 0;
}

/* ---- Results ---- */

static void name_quantity(const mbs_quantity_info *info, char *name, size_t size) {
  snprintf(name, size, "%s%s%s", info->element, *info->name != '\0' ? "." : "", info->name);
}

static void write_figure(json_writer *json, const char *name, seam_run_figure figure) {
  json_open(json, name, '{');
  json_number(json, "value", figure.value);
  if (!isnan(figure.time))
    json_number(json, "time", figure.time);
  json_number(json, "uncertainty", figure.uncertainty);
  json_close(json, '}');
}

void statistics_write(const app_statistics *self, json_writer *json) {
  json_open(json, "measures", '{');
  for (size_t i = 0; i < self->n; i++) {
    const mbs_quantity_info info = mbs_quantity_of(seam_model_mechanism(self->file), self->quantities[i]);
    char name[256];
    name_quantity(&info, name, sizeof name);
    json_open(json, name, '{');
    json_string(json, "unit", info.unit);
    for (seam_statistic s = 0; s < SEAM_N_STATISTICS; s++)
      if (is_asked(self, i, s))
        write_figure(json, names[s], seam_over_run_of(self->over_run, i, s));
    json_close(json, '}');
  }
  json_close(json, '}');
}

/* ---- The note ---- */

/* Part of the quantity's size that is open; that of an integral and of a mean over the run is one. */
static double open_part(const app_statistics *self, size_t i, seam_statistic which) {
  const double least = fabs(seam_over_run_of(self->over_run, i, SEAM_MIN).value);
  const double size = fmax(least, fabs(seam_over_run_of(self->over_run, i, SEAM_MAX).value));
  const seam_statistic judged = which == SEAM_INTEGRAL ? SEAM_MEAN : which;
  return size > 0 ? seam_over_run_of(self->over_run, i, judged).uncertainty / size : 0;
}

void statistics_note(const app_statistics *self) {
  double largest = 0.01;
  size_t of = SEAM_NONE;
  seam_statistic which = SEAM_MIN;
  for (size_t i = 0; i < self->n; i++)
    for (seam_statistic s = 0; s < SEAM_N_STATISTICS; s++)
      if (is_asked(self, i, s) && open_part(self, i, s) > largest) {
        largest = open_part(self, i, s);
        of = i;
        which = s;
      }
  if (of == SEAM_NONE)
    return;
  const mbs_quantity_info info = mbs_quantity_of(seam_model_mechanism(self->file), self->quantities[of]);
  char name[256];
  name_quantity(&info, name, sizeof name);
  fprintf(
      stderr,
      "note: rows are too far apart for the %s of '%s': %.2g %% of its size is open; give a smaller --output-step\n",
      names[which], name, 100 * largest);
}
