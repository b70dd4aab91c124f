#include "app/plots/curves.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/failure.h"
#include "app/plots/decimate.h"
#include "app/plots/legend.h"

enum { N_CELLS = 3000 }; /* more than the pixels of a panel's width */

void curves_free(curve_picture *self) {
  for (size_t i = 0; i < self->n_panels; i++) {
    for (size_t k = 0; k < self->panels[i].n_curves; k++) {
      free(self->panels[i].curves[k].x);
      free(self->panels[i].curves[k].y);
    }
    free(self->panels[i].curves);
  }
  free(self->panels);
  self->panels = NULL;
  self->n_panels = 0;
}

/* ---- Points ---- */

/* Where a number stands along its axis. */
static double place(bool is_log, double value) { return is_log ? log10(value) : value; }

static double *places(const double *values, size_t n, bool is_log) {
  double *result = malloc((n + 1) * sizeof *result);
  for (size_t i = 0; i < n && result != NULL; i++)
    result[i] = place(is_log, values[i]);
  return result;
}

static seam_status thin_out(const curve_picture *self, curve *of, seam_error *error) {
  double *x = places(of->x, of->n, self->log_x);
  double *y = places(of->y, of->n, self->log_y);
  size_t *kept = malloc((of->n + 1) * sizeof *kept);
  const bool has_memory = x != NULL && y != NULL && kept != NULL;
  const size_t n = has_memory ? decimate(x, y, of->n, N_CELLS, kept) : 0;
  for (size_t i = 0; i < n; i++) {
    of->x[i] = of->x[kept[i]];
    of->y[i] = of->y[kept[i]];
  }
  of->n = n;
  free(x);
  free(y);
  free(kept);
  return has_memory ? SEAM_OK : out_of_memory(error);
}

seam_status curves_thin_out(curve_picture *self, seam_error *error) {
  seam_status status = SEAM_OK;
  for (size_t i = 0; i < self->n_panels; i++)
    for (size_t k = 0; k < self->panels[i].n_curves && status == SEAM_OK; k++)
      status = thin_out(self, &self->panels[i].curves[k], error);
  return status;
}

/* ---- Ranges ---- */

typedef struct range {
  double from, to; /* places */
} range;

static range widen(range of, const double *values, size_t n, bool is_log) {
  for (size_t i = 0; i < n; i++) {
    of.from = fmin(of.from, place(is_log, values[i]));
    of.to = fmax(of.to, place(is_log, values[i]));
  }
  return of;
}

/* With room on both sides; never empty. */
static range padded(range of, double share) {
  const double size = fmax(of.to - of.from, 1e-12 * fmax(fabs(of.from), fabs(of.to)));
  const double pad = of.to > of.from ? share * size : of.from != 0 && isfinite(of.from) ? 0.1 * fabs(of.from) : 1;
  return isfinite(of.to - of.from) ? (range){of.from - pad, of.to + pad} : (range){0, 1};
}

static range x_range(const curve_picture *self) {
  range result = {INFINITY, -INFINITY};
  for (size_t i = 0; i < self->n_panels; i++)
    for (size_t k = 0; k < self->panels[i].n_curves; k++)
      result = widen(result, self->panels[i].curves[k].x, self->panels[i].curves[k].n, self->log_x);
  return padded(result, self->is_over_time ? 0 : 0.05);
}

static range y_range(const curve_picture *self, const curve_panel *panel) {
  range result = {INFINITY, -INFINITY};
  for (size_t k = 0; k < panel->n_curves; k++)
    result = widen(result, panel->curves[k].y, panel->curves[k].n, self->log_y);
  return padded(result, 0.05);
}

static void set_range(FILE *script, char axis, range of, bool is_log) {
  fprintf(script, "set %crange [%.10g:%.10g]\n", axis, is_log ? pow(10, of.from) : of.from,
          is_log ? pow(10, of.to) : of.to);
}

/* Powers of ten are enough where several of them are seen. */
static void set_format(FILE *script, char axis, range of, bool is_log) {
  fprintf(script, "set format %c '%s'\n", axis, is_log && of.to - of.from >= 2 ? "10^{%L}" : "%g");
}

/* ---- Sizes, cm ---- */

static const double width = 16;
static const double left = 2.1, right = 0.5, bottom = 1.5, gap = 0.3;
static const double max_height = 9, max_slenderness = 10; /* of a figure at one scale */

typedef struct size {
  double width, height;
} size;

static size panel_size(const curve_picture *self) {
  static const double heights[] = {7.5, 5, 4, 3.5};
  const size_t last = sizeof heights / sizeof *heights - 1;
  const size usual = {width - left - right, heights[self->n_panels - 1 < last ? self->n_panels - 1 : last]};
  const range x = x_range(self);
  const range y = y_range(self, &self->panels[0]);
  const double slenderness = (y.to - y.from) / (x.to - x.from);
  if (!self->same_scale || slenderness > max_slenderness || slenderness < 1 / max_slenderness)
    return usual;
  const double height = fmin(max_height, usual.width * slenderness);
  return (size){height / slenderness, height};
}

static double height_of(const curve_picture *self) {
  const double n = (double)self->n_panels;
  return picture_heading_height(self->title) + n * panel_size(self).height + (n - 1) * gap + bottom;
}

/* ---- Legends ---- */

static const double letter = 0.17, sample = 1.6, row = 0.42, frame = 0.2;
enum { MAX_ROWS = 5 };

static double legend_width(const curve_panel *panel) {
  size_t letters = 0;
  for (size_t k = 0; k < panel->n_curves; k++)
    letters = label_width(&panel->curves[k].title) > letters ? label_width(&panel->curves[k].title) : letters;
  const size_t n_columns = (panel->n_curves + MAX_ROWS - 1) / MAX_ROWS;
  return (double)n_columns * (letter * (double)letters + sample) + frame;
}

static legend measure(const curve_picture *self, const curve_panel *panel, range x, range y) {
  const size_t rows = panel->n_curves < MAX_ROWS ? panel->n_curves : MAX_ROWS;
  const size of = panel_size(self);
  legend result = {.width = legend_width(panel) / of.width, .height = (row * (double)rows + frame) / of.height};
  for (const curve *c = panel->curves; c < panel->curves + panel->n_curves; c++)
    for (size_t i = 1; i < c->n; i++)
      legend_add_line(&result, (place(self->log_x, c->x[i - 1]) - x.from) / (x.to - x.from),
                      (place(self->log_y, c->y[i - 1]) - y.from) / (y.to - y.from),
                      (place(self->log_x, c->x[i]) - x.from) / (x.to - x.from),
                      (place(self->log_y, c->y[i]) - y.from) / (y.to - y.from));
  return result;
}

/* Where every place hides something, the panel gets room above the curves. */
static range write_legend(FILE *script, const curve_picture *self, const curve_panel *panel, range x, range y) {
  int is_free = 0;
  if (panel->n_curves < 2) {
    fputs("set key off\n", script);
    return y;
  }
  const legend found = measure(self, panel, x, y);
  const char *where = legend_place(&found, &is_free);
  fprintf(script, "set key on inside Left reverse maxrows %d %s\n", MAX_ROWS, is_free ? where : "right top");
  if (!is_free)
    y.to = y.from + (y.to - y.from) / (1 - fmin(found.height, 0.5));
  return y;
}

/* ---- The script ---- */

static void define(FILE *script, const void *data) {
  const curve_picture *self = data;
  for (size_t i = 0; i < self->n_panels; i++)
    for (size_t k = 0; k < self->panels[i].n_curves; k++) {
      const curve *c = &self->panels[i].curves[k];
      fprintf(script, "$curve%zu_%zu << END\n", i, k);
      for (size_t point = 0; point < c->n; point++)
        fprintf(script, "%.10g %.10g\n", c->x[point], c->y[point]);
      fputs("END\n", script);
    }
  fprintf(script, "%s%s", self->log_x ? "set logscale x\n" : "", self->log_y ? "set logscale y\n" : "");
}

static void write_label(FILE *script, const char *name, const label *text) {
  fprintf(script, "set %s ", name);
  label_quote(script, text->text);
  fputs("\n", script);
}

static void write_panel(FILE *script, const curve_picture *self, size_t i, range x) {
  const curve_panel *panel = &self->panels[i];
  const bool is_last = i + 1 == self->n_panels;
  const range y = write_legend(script, self, panel, x, y_range(self, panel));
  static const label none = {""};
  write_label(script, "xlabel", is_last ? &self->x_label : &none);
  write_label(script, "ylabel", &panel->y_label);
  set_range(script, 'y', y, self->log_y);
  set_format(script, 'y', y, self->log_y);
  if (is_last)
    set_format(script, 'x', x, self->log_x);
  else
    fputs("set format x ''\n", script);
  fputs("plot", script);
  for (size_t k = 0; k < panel->n_curves; k++) {
    fprintf(script, "%s \\\n  $curve%zu_%zu using 1:2 with %s linetype %zu title ", k > 0 ? "," : "", i, k,
            panel->curves[k].n > 1 ? "lines" : "points", k + 1);
    label_quote(script, panel->curves[k].title.text);
  }
  fputs("\n", script);
}

static void draw(FILE *script, const void *data) {
  const curve_picture *self = data;
  const double height = height_of(self);
  const double spare = width - left - right - panel_size(self).width;
  const range x = x_range(self);
  fprintf(script, "set multiplot layout %zu,1 margins %.4f,%.4f,%.4f,%.4f spacing 0,%.4f", self->n_panels,
          (left + spare / 2) / width, 1 - (right + spare / 2) / width, bottom / height,
          1 - picture_heading_height(self->title) / height, gap / height);
  fputs("\n", script);
  picture_write_heading(script, self->title, height);
  set_range(script, 'x', x, self->log_x);
  for (size_t i = 0; i < self->n_panels; i++) {
    write_panel(script, self, i, x);
    picture_end_heading(script);
  }
  fputs("unset multiplot\n", script);
}

seam_status curves_draw(const curve_picture *self, const char *directory, const char *name, unsigned formats,
                        seam_error *error) {
  const picture made = {.directory = directory,
                        .name = name,
                        .what = "Curves that 'seam plot' chose from results.",
                        .width = width,
                        .height = height_of(self),
                        .formats = formats,
                        .define = define,
                        .draw = draw,
                        .data = self};
  return picture_make(&made, error);
}
