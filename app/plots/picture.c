#include "app/plots/picture.h"

#include <stdlib.h>
#include <string.h>

#include "app/failure.h"
#include "app/plots/gnuplot.h"
#include "app/plots/label.h"
#include "app/results/output.h"

/* Letters of 9 points and lines of the same width on paper in all formats: gnuplot takes a point for 1/72 of an inch in
 * PDF, for 1/96 of 96 pixels in PNG, and SVG counts pixels of 1/96 of an inch. */
static const double cm_per_inch = 2.54;
static const double pixels_per_inch = 200; /* of PNG */
static const double usual_pixels = 96;

static void set_png(FILE *script, double width, double height) {
  const double scale = pixels_per_inch / usual_pixels;
  fprintf(script, "set terminal pngcairo enhanced font 'Helvetica,9' fontscale %.3g linewidth %.3g size %.0f,%.0f\n",
          scale, scale, width / cm_per_inch * pixels_per_inch, height / cm_per_inch * pixels_per_inch);
}

static void set_svg(FILE *script, double width, double height) {
  fprintf(script,
          "set terminal svg enhanced font 'Helvetica,Arial,sans-serif,12' background rgb 'white' size %.0f,%.0f\n",
          width / cm_per_inch * usual_pixels, height / cm_per_inch * usual_pixels);
}

static void set_pdf(FILE *script, double width, double height) {
  fprintf(script, "set terminal pdfcairo enhanced font 'Helvetica,9' size %.3gcm,%.3gcm\n", width, height);
}

static const struct {
  unsigned format;
  const char *ending;
  void (*set)(FILE *script, double width, double height);
} formats[] = {{PICTURE_PNG, ".png", set_png}, {PICTURE_SVG, ".svg", set_svg}, {PICTURE_PDF, ".pdf", set_pdf}};
enum { N_FORMATS = sizeof formats / sizeof *formats };

unsigned picture_format(const char *file) {
  const char *dot = strrchr(file, '.');
  for (int i = 0; i < N_FORMATS && dot != NULL; i++)
    if (strcmp(dot, formats[i].ending) == 0)
      return formats[i].format;
  return 0;
}

static void write_script(FILE *script, const picture *self) {
  char file[FILENAME_MAX];
  fprintf(script, "# %s\n%s", self->what, style_text);
  if (self->define != NULL)
    self->define(script, self->data);
  for (int i = 0; i < N_FORMATS; i++)
    if ((self->formats & formats[i].format) != 0) {
      formats[i].set(script, self->width, self->height);
      snprintf(file, sizeof file, "%s%s", self->name, formats[i].ending);
      fputs("set output ", script);
      label_quote(script, file);
      fputs("\n", script);
      self->draw(script, self->data);
      fputs("unset output\n", script);
    }
}

seam_status picture_make(const picture *self, seam_error *error) {
  char name[FILENAME_MAX];
  FILE *script = NULL;
  snprintf(name, sizeof name, "%s.gp", self->name);
  char *path = output_path(self->directory, name);
  if (path == NULL)
    return out_of_memory(error);
  seam_status status = output_open(path, &script, error);
  if (status == SEAM_OK) {
    write_script(script, self);
    const bool failed = ferror(script) != 0;
    status = fclose(script) != 0 || failed ? output_failed(path, error) : SEAM_OK;
  }
  free(path);
  return status == SEAM_OK && self->formats != 0 ? gnuplot_draw(self->directory, name, error) : status;
}
