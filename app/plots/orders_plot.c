/* Errors over macro steps as a picture, drawn by gnuplot. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "app/failure.h"
#include "app/plots/gnuplot.h"
#include "app/plots/orders.h"
#include "app/results/output.h"

enum { n_columns = 2, width = 420, least_height = 340, heading = 90 }; /* of a panel without its key, in points */
enum { line_height = 17, letter_width = 7, letters_of_orders = 24 };   /* of the key */
static const double max_drawn = 10; /* of a normalised error, so that runs which diverge leave room for the others */

static bool is_drawn(double error) { return isfinite(error) && error > 0; }

/* Columns: macro step, error; a data block a scheme and kind. */
static void write_series(FILE *file, const app_orders *study, size_t scheme, size_t kind) {
  const double *errors = orders_errors(study, scheme, kind);
  fprintf(file, "$series%zu_%zu << END\n", scheme, kind);
  for (size_t i = 0; i < study->steps.n; i++)
    if (is_drawn(errors[i]))
      fprintf(file, "%.9g %.9g\n", study->steps.H[i], errors[i]);
  fputs("END\n", file);
}

/* Whole decades that hold all errors of a kind up to the largest drawn; at least one. */
static void write_range(FILE *file, const app_orders *study, size_t kind) {
  double low = 1;
  double high = 0;
  for (size_t scheme = 0; scheme < study->schemes.n; scheme++)
    for (size_t i = 0; i < study->steps.n; i++) {
      const double error = orders_errors(study, scheme, kind)[i];
      low = is_drawn(error) ? fmin(low, error) : low;
      high = is_drawn(error) ? fmax(high, error) : high;
    }
  const double bottom = floor(log10(low));
  const double top = ceil(log10(fmin(high, max_drawn)));
  fprintf(file, "set yrange [1e%.0f:1e%.0f]\n", bottom, fmax(top, bottom + 1));
}

/* "ff-k1  2.00, fine 2.01" */
static void write_title(FILE *file, const app_orders *study, size_t scheme, size_t kind) {
  const seam_orders orders = orders_find(study, scheme, kind);
  fprintf(file, "title \"%s", study->schemes.names[scheme]);
  if (!isnan(orders.all.slope))
    fprintf(file, "  %.2f", orders.all.slope);
  if (!isnan(orders.fine.slope))
    fprintf(file, ", fine %.2f", orders.fine.slope);
  fputs("\" noenhanced", file);
}

static bool has_points(const app_orders *study, size_t scheme, size_t kind) {
  for (size_t i = 0; i < study->steps.n; i++)
    if (is_drawn(orders_errors(study, scheme, kind)[i]))
      return true;
  return false;
}

static void write_panel(FILE *file, const app_orders *study, size_t kind) {
  fprintf(file, "set title \"%s\"\n", study->kinds[kind].title);
  write_range(file, study, kind);
  fputs("plot \\\n", file);
  for (size_t scheme = 0; scheme < study->schemes.n; scheme++)
    if (has_points(study, scheme, kind)) {
      fprintf(file, "  $series%zu_%zu using 1:2 with linespoints lt %zu pt %zu ps 0.6 ", scheme, kind, scheme + 1,
              scheme % 13 + 1);
      write_title(file, study, scheme, kind);
      fputs(", \\\n", file);
    }
  fputs("  NaN notitle\n", file);
}

static int key_letters(const app_orders *study) { return study->schemes.width + letters_of_orders; }

static void write_picture(FILE *file, const app_orders *study, const char *terminal, const char *name) {
  const int n_rows = (int)(study->n_kinds + n_columns - 1) / n_columns;
  const int key_width = letter_width * key_letters(study);
  const int key_height = line_height * (int)study->schemes.n;
  const int height = key_height + heading > least_height ? key_height + heading : least_height;
  fprintf(file, "set terminal %s size %d,%d font \",10\"\nset output \"%s\"\nset multiplot layout %d,%d\n", terminal,
          n_columns * (width + key_width), n_rows * height, name, n_rows, n_columns);
  for (size_t kind = 0; kind < study->n_kinds; kind++)
    write_panel(file, study, kind);
  fputs("unset multiplot\nunset output\n", file);
}

static seam_status write_script(const app_orders *study, const char *path, seam_error *error) {
  const app_macro_steps *steps = &study->steps;
  FILE *file = NULL;
  const seam_status status = output_open(path, &file, error);
  if (status != SEAM_OK)
    return status;
  fputs("# Errors over the macro step; in the key their orders over all macro steps and over the three smallest.\n",
        file);
  for (size_t scheme = 0; scheme < study->schemes.n; scheme++)
    for (size_t kind = 0; kind < study->n_kinds; kind++)
      write_series(file, study, scheme, kind);
  fprintf(file,
          "set logscale xy\nset format xy \"10^{%%L}\"\nset grid\nset tics out nomirror\n"
          "set key at graph 1.03, graph 1 left top Left reverse maxrows %zu\nset rmargin %d\n"
          "set xlabel \"macro step, s\"\nset xrange [%.9g:%.9g]\n",
          study->schemes.n, key_letters(study), steps->H[steps->n - 1] / 1.2, steps->H[0] * 1.2);
  write_picture(file, study, "svg background rgb 'white'", "converge.svg");
  write_picture(file, study, "pngcairo", "converge.png");
  const bool failed = ferror(file) != 0;
  return fclose(file) != 0 || failed ? output_failed(path, error) : SEAM_OK;
}

seam_status orders_plot(const app_orders *study, const char *directory, seam_error *error) {
  char *path = output_path(directory, "converge.gp");
  if (path == NULL)
    return out_of_memory(error);
  const seam_status status = write_script(study, path, error);
  free(path);
  return status == SEAM_OK ? gnuplot_draw(directory, "converge.gp", error) : status;
}
