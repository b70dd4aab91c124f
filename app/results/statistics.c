#include "app/results/statistics.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/thresholds.h"
#include "base/dotted.h"

bool statistics_is_requested(const seam_model_file *file, mbs_quantity quantity, seam_statistic which) {
  return (seam_model_over_run(file, quantity.element) >> which & 1U) != 0;
}

void statistics_write_name(const seam_model_file *file, mbs_quantity quantity, seam_statistic which, char *name,
                           size_t size) {
  const mbs_quantity_info info = mbs_quantity_of(seam_model_mechanism(file), quantity);
  dotted_name(info.element, info.name, name, size);
  const size_t used = strlen(name);
  snprintf(name + used, size - used, ".%s", seam_statistic_name(which));
}

static mbs_quantity_info info_of(const seam_run_facts *facts, size_t i) {
  return mbs_quantity_of(seam_model_mechanism(facts->file), facts->quantities[i]);
}

void statistics_print(const seam_run_facts *facts) {
  for (size_t i = 0; i < facts->n_quantities; i++) {
    const mbs_quantity_info info = info_of(facts, i);
    const char *unit = info.unit;
    char name[256];
    dotted_name(info.element, info.name, name, sizeof name);
    for (seam_statistic s = 0; s < SEAM_N_STATISTICS; s++) {
      if (!statistics_is_requested(facts->file, facts->quantities[i], s))
        continue;
      const seam_run_figure figure = seam_run_figure_of(facts, i, s);
      fprintf(stderr, "  %s %s: %.6g", name, seam_statistic_name(s), figure.value + 0.0); /* 0 for -0 */
      if (*unit != '\0') /* "": the unit is unknown, or 1 */
        fprintf(stderr, " %s%s", unit, s == SEAM_INTEGRAL ? "*s" : "");
      if (!isnan(figure.time))
        fprintf(stderr, " at t = %.6g s", figure.time);
      if (figure.error > 0)
        fprintf(stderr, ", error %.2g", figure.error);
      else if (isnan(figure.error) && isnan(figure.uncertainty))
        fputs(", error not known", stderr);
      else if (isnan(figure.error) && figure.uncertainty != 0)
        fputs(", error not checked", stderr);
      fputc('\n', stderr);
    }
  }
}

static double size_of(const seam_run_facts *facts, size_t i) {
  return fmax(fabs(seam_over_run_of(facts->over_run, i, SEAM_MIN).value),
              fabs(seam_over_run_of(facts->over_run, i, SEAM_MAX).value));
}

/* Returns the uncertainty or the error of a statistic, whichever is smaller, divided by the size of the quantity. If
 * one of the two is unknown, takes the other; INFINITY: both are unknown. An integral has the uncertainty and error of
 * the mean. 0: the quantity is round-off compared with 1 or with the largest quantity that has its unit. */
static double relative_uncertainty(const seam_run_facts *facts, size_t i, seam_statistic which) {
  const double size = size_of(facts, i);
  const seam_statistic judged = which == SEAM_INTEGRAL ? SEAM_MEAN : which;
  const seam_run_figure figure = seam_run_figure_of(facts, i, judged);
  const double uncertainty = fmin(figure.uncertainty, figure.error); /* fmin() ignores a NaN, which is unknown */
  double largest = 1;
  for (size_t k = 0; k < facts->n_quantities; k++)
    if (strcmp(info_of(facts, k).unit, info_of(facts, i).unit) == 0)
      largest = fmax(largest, size_of(facts, k));
  if (isnan(uncertainty))
    return INFINITY;
  return size > app_statistics_zero * largest ? uncertainty / size : 0;
}

void statistics_note(const seam_run_facts *facts) {
  double largest = 0.01;
  size_t of = SEAM_NONE;
  const char *which = NULL;
  for (size_t i = 0; i < facts->n_quantities; i++)
    for (seam_statistic s = 0; s < SEAM_N_STATISTICS; s++) {
      const double uncertainty =
          statistics_is_requested(facts->file, facts->quantities[i], s) ? relative_uncertainty(facts, i, s) : 0;
      if (uncertainty > largest) {
        largest = uncertainty;
        of = i;
        which = seam_statistic_name(s);
      }
    }
  if (of == SEAM_NONE)
    return;
  const mbs_quantity_info info = info_of(facts, of);
  char name[256];
  dotted_name(info.element, info.name, name, sizeof name);
  char amount[64] = "the uncertainty of the value is unknown";
  if (isfinite(largest))
    snprintf(amount, sizeof amount, "%.2g %% of the value is uncertain", 100 * largest);
  if (seam_over_run_is_doubted(facts->over_run))
    fprintf(stderr,
            "note: contacts, impacts or kinks inside subsystems lie within macro steps and are missed by the %s of "
            "'%s': %s; run the model without --cosim\n",
            which, name, amount);
  else
    fprintf(stderr,
            "note: rows are too %s for the %s of '%s': %s; give a smaller --output-step, of a co-simulated run a "
            "smaller --macro-step\n",
            isinf(largest) ? "few" : "far apart", which, name, amount);
}
