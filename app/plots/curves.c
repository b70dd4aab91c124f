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
  free(self->marks);
  self->marks = NULL;
  self->n_marks = 0;
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

static seam_status thin_out(curve *of, bool log_x, bool log_y, seam_error *error) {
  double *x = places(of->x, of->n, log_x);
  double *y = places(of->y, of->n, log_y);
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
      status = thin_out(&self->panels[i].curves[k], self->log_x, self->panels[i].log_y, error);
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

/* With room on both sides; never empty. Rounding alone is no change. */
static range padded(range of, double share) {
  static const double least_change = 1e-9;
  const double size = of.to - of.from;
  const double largest = fmax(fabs(of.from), fabs(of.to));
  const double pad = size > least_change * largest ? share * size : largest > 0 ? 0.1 * largest : 1;
  return isfinite(size) ? (range){of.from - pad, of.to + pad} : (range){0, 1};
}

static range x_range(const curve_picture *self) {
  range result = {INFINITY, -INFINITY};
  for (size_t i = 0; i < self->n_panels; i++)
    for (size_t k = 0; k < self->panels[i].n_curves; k++)
      result = widen(result, self->panels[i].curves[k].x, self->panels[i].curves[k].n, self->log_x);
  return padded(result, self->is_tight ? 0 : 0.05);
}

static range y_range(const curve_panel *panel) {
  range result = {INFINITY, -INFINITY};
  for (size_t k = 0; k < panel->n_curves; k++)
    result = widen(result, panel->curves[k].y, panel->curves[k].n, panel->log_y);
  if (panel->level > 0)
    result = widen(result, &panel->level, 1, panel->log_y);
  if (panel->cap > 0)
    result.to = fmin(result.to, place(panel->log_y, panel->cap));
  return padded(result, 0.05);
}

static void set_range(FILE *script, char axis, range of, bool is_log) {
  fprintf(script, "set %crange [%.10g:%.10g]\n", axis, is_log ? pow(10, of.from) : of.from,
          is_log ? pow(10, of.to) : of.to);
}

enum { MAX_DECADES = 7 }; /* with small tics between them */

/* Powers of ten are enough where several of them are seen; else 1, 2 and 5 times these. */
static void set_tics(FILE *script, char axis, range of, bool is_log) {
  static const double steps[] = {1, 2, 5};
  const bool has_few = is_log && of.to - of.from < 1.3;
  const bool has_many = is_log && of.to - of.from > MAX_DECADES;
  fprintf(script, "set format %c '%s'\nset %ctics autofreq\nset m%ctics %s\n", axis,
          is_log && !has_few ? "10^{%L}" : "%g", axis, axis, has_many ? "1" : "default");
  for (double decade = floor(of.from); has_few && decade <= of.to; decade++)
    for (int i = 0; i < 3; i++)
      fprintf(script, "set %ctics add (%g)\n", axis, steps[i] * pow(10, decade));
}

static double next_step(double step) {
  const double power = pow(10, floor(log10(step) + 1e-9));
  return power * (step < 1.5 * power ? 2 : step < 3 * power ? 5 : 10);
}

/* gnuplot's own distance between tics. */
static double usual_step(double size) {
  static const double steps[][2] = {{40, 0.05}, {20, 0.1}, {10, 0.2}, {4, 0.5}, {2, 1}, {0, 2}};
  const double power = pow(10, floor(log10(size)));
  size_t i = 0;
  while (20 * power / size <= steps[i][0])
    i++;
  return power * steps[i][1];
}

static size_t label_letters(range x, double step) {
  size_t letters = 0;
  for (double at = ceil(x.from / step); at * step <= x.to; at++) {
    const int n = snprintf(NULL, 0, "%g", at * step);
    letters = (size_t)n > letters ? (size_t)n : letters;
  }
  return letters;
}

static double first_tic(range x, double step) { return step * ceil(x.from / step); }
static double last_tic(range x, double step) { return step * floor(x.to / step); }

/* Labels stand side by side, two letters apart; the first and the last remain where others have no room. */
static void set_x_step(FILE *script, range x, double width) {
  static const double digit = 0.18; /* cm */
  const double size = x.to - x.from;
  const double usual = usual_step(size);
  double step = usual;
  while (2 * step < size && digit * (double)(label_letters(x, step) + 2) > width * step / size)
    step = next_step(step);
  if (step > usual && last_tic(x, step) > first_tic(x, step))
    fprintf(script, "set xtics %.10g\n", step);
  else if (step > usual)
    fprintf(script, "set xtics %.10g,%.10g\n", first_tic(x, usual), last_tic(x, usual) - first_tic(x, usual));
}

/* ---- Legends ---- */

static const double letter = 0.15, sample = 1.5, row = 0.38, frame = 0.2; /* cm */
enum { MAX_ROWS = 5, MAX_INSIDE = 10, LEGEND_SIZE = 8 };

static size_t count_titles(const curve_panel *panel) {
  size_t n = 0;
  for (size_t k = 0; k < panel->n_curves; k++)
    n += !panel->curves[k].is_slope;
  return n;
}

static double title_width(const curve_panel *panel) {
  size_t letters = 0;
  for (size_t k = 0; k < panel->n_curves; k++)
    letters = label_width(&panel->curves[k].title) > letters ? label_width(&panel->curves[k].title) : letters;
  return letter * (double)letters + sample;
}

static double legend_width(const curve_panel *panel) {
  const size_t n_columns = (count_titles(panel) + MAX_ROWS - 1) / MAX_ROWS;
  return (double)n_columns * title_width(panel) + frame;
}

/* Where many curves are, the legend is beside the panels, which stand below each other. */
static bool is_outside(const curve_picture *self) { return count_titles(&self->panels[0]) > MAX_INSIDE; }

/* ---- Sizes, cm ---- */

static const double usual_width = 16;
static const double left = 2.1, right = 0.5, bottom = 1.5, gap = 0.3;
static const double wide_gap = 1.7;                       /* between panels with labels of their own */
static const double max_height = 9, max_slenderness = 10; /* of a figure at one scale */

typedef struct size {
  double width, height;
} size;

static size_t n_columns(const curve_picture *self) {
  return self->n_columns > 1 && self->n_panels > 1 && !is_outside(self) ? self->n_columns : 1;
}

static size_t n_rows(const curve_picture *self) { return (self->n_panels + n_columns(self) - 1) / n_columns(self); }

static double right_of(const curve_picture *self) {
  double width = 0;
  for (size_t i = 0; i < self->n_panels; i++)
    width = fmax(width, title_width(&self->panels[i]));
  return is_outside(self) ? right + width : right;
}

static double width_of(const curve_picture *self) { return usual_width - right + right_of(self); }

static double gap_of(const curve_picture *self) { return n_columns(self) > 1 ? wide_gap : gap; }

static size panel_size(const curve_picture *self) {
  static const double heights[] = {7.5, 5, 4, 3.5};
  const size_t last = sizeof heights / sizeof *heights - 1;
  const double n = (double)n_columns(self);
  const double beside = is_outside(self) ? row * (double)count_titles(&self->panels[0]) + frame : 0;
  const size usual = {(usual_width - left - right - (n - 1) * left) / n,
                      n > 1 ? 5 : fmax(heights[self->n_panels - 1 < last ? self->n_panels - 1 : last], beside)};
  const range x = x_range(self);
  const range y = y_range(&self->panels[0]);
  const double slenderness = (y.to - y.from) / (x.to - x.from);
  if (!self->same_scale || slenderness > max_slenderness || slenderness < 1 / max_slenderness)
    return usual;
  const double height = fmin(max_height, usual.width * slenderness);
  return (size){height / slenderness, height};
}

static double height_of(const curve_picture *self) {
  const double n = (double)n_rows(self);
  return picture_heading_height(self->title) + n * panel_size(self).height + (n - 1) * gap_of(self) + bottom;
}

/* ---- Places of legends ---- */

static legend measure(const curve_picture *self, const curve_panel *panel, range x, range y) {
  const size_t n = count_titles(panel);
  const size of = panel_size(self);
  legend result = {.width = legend_width(panel) / of.width,
                   .height = (row * (double)(n < MAX_ROWS ? n : MAX_ROWS) + frame) / of.height};
  for (const curve *c = panel->curves; c < panel->curves + panel->n_curves; c++)
    for (size_t i = 1; i < c->n; i++)
      legend_add_line(&result, (place(self->log_x, c->x[i - 1]) - x.from) / (x.to - x.from),
                      (place(panel->log_y, c->y[i - 1]) - y.from) / (y.to - y.from),
                      (place(self->log_x, c->x[i]) - x.from) / (x.to - x.from),
                      (place(panel->log_y, c->y[i]) - y.from) / (y.to - y.from));
  return result;
}

/* Where every place hides something, the panel gets room above the curves. */
static range write_legend(FILE *script, const curve_picture *self, const curve_panel *panel, range x, range y) {
  int is_free = 0;
  if (count_titles(panel) < 2) {
    fputs("set key off\n", script);
    return y;
  }
  if (is_outside(self)) {
    fprintf(script, "set key on Left reverse font ',%d' maxrows %zu at graph 1.02,1 left top\n", LEGEND_SIZE,
            count_titles(panel));
    return y;
  }
  const legend found = measure(self, panel, x, y);
  const char *where = legend_place(&found, &is_free);
  fprintf(script, "set key on inside Left reverse font ',%d' maxrows %d %s\n", LEGEND_SIZE, MAX_ROWS,
          is_free ? where : "right top");
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
  fputs(self->log_x ? "set logscale x\n" : "", script);
}

static void write_label(FILE *script, const char *name, const label *text) {
  fprintf(script, "set %s ", name);
  label_quote(script, text->text);
  fputs("\n", script);
}

static void write_curve(FILE *script, const curve_picture *self, size_t panel, size_t k, size_t style) {
  const curve *of = &self->panels[panel].curves[k];
  const char *with = of->n < 2 ? "points" : self->has_points ? "linespoints pointsize 0.6" : "lines";
  if (of->is_slope) {
    fprintf(script, ", \\\n  $curve%zu_%zu using 1:2 with lines linewidth 1 dashtype 1 linecolor rgb '#606060'", panel,
            k);
    return;
  }
  fprintf(script, ", \\\n  $curve%zu_%zu using 1:2 with %s linetype %zu title ", panel, k, with, style);
  label_quote(script, of->title.text);
}

static void write_slope_label(FILE *script, const curve *of) {
  fputs("set label ", script);
  label_quote(script, of->title.text);
  fprintf(script, " at %.10g,%.10g left offset 0.4,0 font ',8'\n", of->x[1], sqrt(of->y[1] * of->y[2]));
}

static void write_curves(FILE *script, const curve_picture *self, size_t i) {
  const curve_panel *panel = &self->panels[i];
  size_t style = 0;
  for (size_t k = 0; k < panel->n_curves; k++)
    if (panel->curves[k].is_slope)
      write_slope_label(script, &panel->curves[k]);
  fputs("plot ", script);
  if (panel->level > 0)
    fprintf(script, "%.10g with lines linewidth 1 dashtype 1 linecolor rgb 'black'", panel->level);
  else
    fputs("NaN", script);
  for (size_t k = 0; k < panel->n_curves; k++)
    write_curve(script, self, i, k, style += !panel->curves[k].is_slope);
  fputs("\n", script);
}

/* Names stand along their lines in the first panel, on the left unless that is the axis; they are taken away with its
 * heading. */
static void write_mark(FILE *script, const curve_mark *mark, bool is_at_axis) {
  fprintf(
      script,
      "set arrow from first %.10g, graph 0 to first %.10g, graph 1 nohead back linewidth 1 dashtype 3 linecolor rgb "
      "'#707070'\n",
      mark->x, mark->x);
  if (mark->title.text[0] == '\0')
    return;
  fputs("set label ", script);
  label_quote(script, mark->title.text);
  fprintf(script, " at first %.10g, graph 0.98 right rotate by 90 offset %g,0 font ',8' textcolor rgb '#505050'\n",
          mark->x, is_at_axis ? 0.9 : -0.6);
}

static void write_marks(FILE *script, const curve_picture *self, range x) {
  const double near_axis = 0.02;
  for (const curve_mark *mark = self->marks; mark < self->marks + self->n_marks; mark++) {
    const double share = (place(self->log_x, mark->x) - x.from) / (x.to - x.from);
    if (share >= 0 && share <= 1)
      write_mark(script, mark, share < near_axis);
  }
}

static void write_panel(FILE *script, const curve_picture *self, size_t i, range x) {
  static const label none = {""};
  const curve_panel *panel = &self->panels[i];
  const bool is_labelled = n_columns(self) > 1 || i + 1 == self->n_panels;
  const range y = write_legend(script, self, panel, x, y_range(panel));
  fputs(panel->log_y ? "set logscale y\n" : "unset logscale y\n", script);
  write_label(script, "xlabel", is_labelled ? &self->x_label : &none);
  write_label(script, "ylabel", &panel->y_label);
  set_range(script, 'y', y, panel->log_y);
  set_tics(script, 'x', x, self->log_x);
  if (!self->log_x)
    set_x_step(script, x, panel_size(self).width);
  set_tics(script, 'y', y, panel->log_y);
  fputs(is_labelled ? "" : "set format x ''\n", script);
  write_curves(script, self, i);
}

static void draw(FILE *script, const void *data) {
  const curve_picture *self = data;
  const double width = width_of(self);
  const double height = height_of(self);
  const double n = (double)n_columns(self);
  const double spare = width - left - right_of(self) - n * panel_size(self).width - (n - 1) * left;
  const range x = x_range(self);
  fprintf(script, "set multiplot layout %zu,%zu margins %.4f,%.4f,%.4f,%.4f spacing %.4f,%.4f\n", n_rows(self),
          n_columns(self), (left + spare / 2) / width, 1 - (right_of(self) + spare / 2) / width, bottom / height,
          1 - picture_heading_height(self->title) / height, left / width, gap_of(self) / height);
  picture_write_heading(script, self->title, height);
  set_range(script, 'x', x, self->log_x);
  write_marks(script, self, x);
  for (size_t i = 0; i < self->n_panels; i++) {
    write_panel(script, self, i, x);
    picture_end_heading(script);
  }
  fputs(self->n_marks > 0 ? "unset arrow\nunset multiplot\n" : "unset multiplot\n", script);
}

seam_status curves_draw(const curve_picture *self, const char *directory, const char *name, unsigned formats,
                        seam_error *error) {
  const picture made = {.directory = directory,
                        .name = name,
                        .drawn_as = self->drawn_as,
                        .what = self->what,
                        .width = width_of(self),
                        .height = height_of(self),
                        .formats = formats,
                        .define = define,
                        .draw = draw,
                        .data = self};
  return picture_make(&made, error);
}
