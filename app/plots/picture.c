#include "app/plots/picture.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/failure.h"
#include "app/plots/label.h"
#include "app/program.h"
#include "app/results/output.h"
#include "base/scratch.h"

/* Letters of 9 points and lines of the same width on paper in all formats: gnuplot takes a point for 1/72 of an inch in
 * PDF, for 1/96 of 96 pixels in PNG, and SVG counts pixels of 1/96 of an inch. */
static const double cm_per_inch = 2.54;
static const double pixels_per_inch = 200; /* of PNG */
static const double usual_pixels = 96;
static const double points_per_inch = 72;

static void set_png(FILE *script, double width, double height) {
  const double scale = pixels_per_inch / usual_pixels;
  fprintf(script, "set terminal pngcairo enhanced font 'Helvetica,9' fontscale %.3g linewidth %.3g size %.0f,%.0f\n",
          scale, scale, width / cm_per_inch * pixels_per_inch, height / cm_per_inch * pixels_per_inch);
}

static void set_svg(FILE *script, double width, double height) {
  fprintf(script,
          "set terminal svg enhanced font 'Helvetica,Arial,sans-serif,9' fontscale %.3g background rgb 'white' size "
          "%.0f,%.0f\n",
          usual_pixels / points_per_inch, width / cm_per_inch * usual_pixels, height / cm_per_inch * usual_pixels);
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

/* ---- Headings ---- */

static const double heading_top = 0.35, heading_line = 0.5; /* cm */
enum { HEADING_SIZE = 10, SMALL_SIZE = 8 };                 /* points */

/* Italic letters stand beside bold text, not in it: what follows them would be neither in SVG. */
static label bold(const label *text) {
  static const char italic[] = "{/:Italic ";
  label result = {"{/:Bold "};
  const char *at = text->text;
  for (const char *found = NULL; (found = strstr(at, italic)) != NULL; at = strchr(found, '}') + 1) {
    char piece[LABEL_SIZE];
    snprintf(piece, sizeof piece, "%.*s}%.*s{/:Bold ", (int)(found - at), at, (int)(strchr(found, '}') + 1 - found),
             found);
    label_add_enhanced(&result, piece);
  }
  label_add_enhanced(&result, at);
  label_add_enhanced(&result, "}");
  return result;
}

double picture_heading_height(const label *lines) {
  int n = 0;
  for (int i = 0; i < PICTURE_MAX_LINES; i++)
    n += lines[i].text[0] != '\0';
  return heading_top + n * heading_line;
}

void picture_write_heading(FILE *script, const label *lines, double height) {
  int n = 0;
  for (int i = 0; i < PICTURE_MAX_LINES; i++) {
    if (lines[i].text[0] == '\0')
      continue;
    const label text = i == 0 ? bold(&lines[i]) : lines[i];
    fprintf(script, "set label %d ", i + 1);
    label_quote(script, text.text);
    fprintf(script, " at screen 0.5,%.4f center font ',%d'\n", 1 - (heading_top + n++ * heading_line) / height,
            i == 0 ? HEADING_SIZE : SMALL_SIZE);
  }
}

void picture_end_heading(FILE *script) { fputs("unset label\n", script); }

/* ---- The script ---- */

/* Name of what the script draws: of a file of ours. */
static const char *drawn_as(const picture *self) { return self->drawn_as != NULL ? self->drawn_as : self->name; }

static void write_script(FILE *script, const picture *self) {
  fprintf(script, "# %s\n%s", self->what, (const char *)styles_rows[0].text);
  if (self->define != NULL)
    self->define(script, self->data);
  for (int i = 0; i < N_FORMATS; i++)
    if ((self->formats & formats[i].format) != 0) {
      formats[i].set(script, self->width, self->height);
      fprintf(script, "set output '%s%s'\n", drawn_as(self), formats[i].ending);
      self->draw(script, self->data);
      fputs("unset output\n", script);
    }
  if (self->formats == 0)
    self->draw(script, self->data);
}

/* DIRECTORY/NAME.ENDING, to be freed. */
static char *path_of(const picture *self, const char *ending) {
  char name[FILENAME_MAX];
  snprintf(name, sizeof name, "%s%s", self->name, ending);
  return output_path(self->directory, name);
}

static seam_status take(const picture *self, const char *folder, const char *ending, seam_error *error) {
  char name[FILENAME_MAX];
  snprintf(name, sizeof name, "%s%s", drawn_as(self), ending);
  char *path = path_of(self, ending);
  const seam_status status = path != NULL ? program_take(folder, name, path, error) : out_of_memory(error);
  free(path);
  return status;
}

static seam_status draw_in(const char *folder, const picture *self, const char *path, int script, seam_error *error) {
  static const char *const gnuplot[] = {"gnuplot", "-", NULL};
  seam_status status = SEAM_OK;
  if (program_wait(program_start(gnuplot, folder, script, -1)) != 0)
    return seam_fail(error, SEAM_NO_FILE, "%s: gnuplot could not draw it; the numbers are complete", path);
  for (int i = 0; i < N_FORMATS && status == SEAM_OK; i++)
    if ((self->formats & formats[i].format) != 0)
      status = take(self, folder, formats[i].ending, error);
  return status;
}

static seam_status draw(const picture *self, const char *path, seam_error *error) {
  const char *missing = program_missing("gnuplot");
  char *folder = NULL;
  if (missing != NULL) {
    seam_error note = {0};
    seam_fail(&note, SEAM_NO_FILE,
              "seam: gnuplot is %s, so there is no picture; the numbers are complete, and %s is its script. Install "
              "gnuplot (gnuplot-nox), and let it read that",
              missing, path);
    print_failure(&note);
    return SEAM_OK;
  }
  const int script = output_descriptor(path, O_RDONLY);
  if (script < 0)
    return output_failed(path, error);
  seam_status status = scratch_make(&folder, error);
  if (status == SEAM_OK)
    status = draw_in(folder, self, path, script, error);
  else
    close(script);
  scratch_remove(folder);
  free(folder);
  return status;
}

seam_status picture_make(const picture *self, seam_error *error) {
  FILE *script = NULL;
  char *path = path_of(self, ".gp");
  seam_status status = path != NULL ? output_open(path, &script, error) : out_of_memory(error);
  if (status == SEAM_OK) {
    write_script(script, self);
    const bool failed = ferror(script) != 0;
    status = fclose(script) != 0 || failed ? output_failed(path, error) : SEAM_OK;
  }
  if (status == SEAM_OK && self->formats != 0)
    status = draw(self, path, error);
  free(path);
  return status;
}
