/* A page: layers as data blocks, then the panels in rows, each with its axes, its layers and its legend. Lengths are
 * those of paper, cm. */
#include "app/plots/plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/failure.h"
#include "app/plots/decimate.h"

static const struct {
  size_t n_columns;
  bool is_curve; /* with a line type and a place in the legend */
  const char *drawn;
} kinds[] = {
    [PLOT_LINES] = {2, true, "using 1:2 with lines"},
    [PLOT_MARKED] = {2, true, "using 1:2 with linespoints pointsize 0.6"},
    [PLOT_SLOPE] = {2, false, "using 1:2 with lines linewidth 1 dashtype 1 linecolor rgb '#606060'"},
    [PLOT_DOTS] = {2, false, "using 1:2 with points pointtype 7 pointsize 0.35 linecolor rgb '#0072b2'"},
    [PLOT_REGION] =
        {2, false,
         "using 1:2 with filledcurves closed linewidth 0.3 fillcolor rgb '#c6e2f5' fillstyle solid 1 border "
         "linecolor rgb '#c6e2f5'"},
    [PLOT_LIMIT] = {2, false, "using 1:2 with lines linewidth 1.2 dashtype 1 linecolor rgb 'black'"},
    [PLOT_CIRCLES] = {2, false, "using 1:2 with points pointtype 6 pointsize 0.4 linewidth 1 linecolor rgb '#d55e00'"},
    [PLOT_IMAGE] = {3, false, "using 1:2:3 with image"},
    [PLOT_BOXES] = {7, false, "using 1:2:3:4:5:6:7 with boxxyerror fillstyle solid 1 noborder linecolor palette"},
    [PLOT_COLOURS] = {3, false, "using 1:2:3 with points pointtype 7 pointsize 0.6 linecolor palette"},
};

/* ---- Layers ---- */

seam_status plot_start(plot *self, size_t n_panels, seam_error *error) {
  self->panels = calloc(n_panels + 1, sizeof *self->panels);
  self->n_panels = self->panels != NULL ? n_panels : 0;
  return self->panels != NULL ? SEAM_OK : out_of_memory(error);
}

void plot_free(plot *self) {
  for (size_t i = 0; i < self->n_panels; i++)
    for (plot_layer *layer = self->panels[i].layers; layer != NULL;) {
      plot_layer *next = layer->next;
      free(layer->values);
      free(layer);
      layer = next;
    }
  free(self->lost.values);
  free(self->panels);
  free(self->marks);
  *self = (plot){.n_panels = 0};
}

plot_layer *plot_add(plot *self, plot_panel *panel, plot_kind kind) {
  plot_layer *made = calloc(1, sizeof *made);
  self->lacks_memory |= made == NULL;
  if (made == NULL) {
    self->lost.kind = kind;
    return &self->lost;
  }
  made->kind = kind;
  *(panel->last != NULL ? &panel->last->next : &panel->layers) = made;
  return panel->last = made;
}

void plot_put(plot *self, plot_layer *to, const double *row) {
  const size_t n = kinds[to->kind].n_columns;
  if (to->n_rows == to->n_allocated) {
    const size_t wanted = 2 * to->n_allocated + 64;
    double *values = realloc(to->values, wanted * PLOT_MAX_COLUMNS * sizeof *values);
    self->lacks_memory |= values == NULL;
    if (values == NULL)
      return;
    to->values = values;
    to->n_allocated = wanted;
  }
  memcpy(to->values + n * to->n_rows++, row, n * sizeof *row);
}

void plot_point(plot *self, plot_layer *to, double x, double y) {
  if (to != NULL)
    plot_put(self, to, (const double[]){x, y});
}

/* A logarithmic axis has logarithms of numbers as places. */
static double place(const plot_axis *axis, double value) { return axis->is_log ? log10(value) : value; }

static seam_status thin_out(const plot_panel *panel, plot_layer *of, seam_error *error) {
  enum { N_CELLS = 3000 }; /* more than the pixels of a panel's width */
  double *x = malloc((2 * of->n_rows + 1) * sizeof *x);
  size_t *kept = malloc((of->n_rows + 1) * sizeof *kept);
  const bool has_memory = x != NULL && kept != NULL;
  double *y = has_memory ? x + of->n_rows : NULL;
  for (size_t i = 0; i < of->n_rows && has_memory; i++) {
    x[i] = place(&panel->x, of->values[2 * i]);
    y[i] = place(&panel->y, of->values[2 * i + 1]);
  }
  const size_t n = has_memory ? decimate(x, y, of->n_rows, N_CELLS, kept) : 0;
  for (size_t i = 0; i < n; i++)
    memcpy(of->values + 2 * i, of->values + 2 * kept[i], 2 * sizeof *of->values);
  of->n_rows = n;
  free(x);
  free(kept);
  return has_memory ? SEAM_OK : out_of_memory(error);
}

/* ---- Ranges ---- */

typedef struct range {
  double from, to; /* places */
} range;

static range widen(range of, const plot_axis *axis, double value) {
  const double at = place(axis, value);
  return (range){fmin(of.from, at), fmax(of.to, at)};
}

/* A range gets room on both sides, and is never empty. Rounding alone is no change. */
static range padded(range of, double share) {
  static const double least_change = 1e-9;
  const double size = of.to - of.from;
  const double largest = fmax(fabs(of.from), fabs(of.to));
  const double pad = size > least_change * largest ? share * size : largest > 0 ? 0.1 * largest : 1;
  return isfinite(size) ? (range){of.from - pad, of.to + pad} : (range){0, 1};
}

/* The range takes in the numbers along x (0) or y (1), boxes to their ends. */
static range range_of_layers(const plot_panel *panel, const plot_axis *axis, size_t along, range of) {
  for (const plot_layer *layer = panel->layers; layer != NULL; layer = layer->next) {
    const size_t n = kinds[layer->kind].n_columns;
    for (size_t i = 0; i < layer->n_rows; i++) {
      of = widen(of, axis, layer->values[n * i + along]);
      for (size_t k = 2 + 2 * along; layer->kind == PLOT_BOXES && k < 4 + 2 * along; k++)
        of = widen(of, axis, layer->values[n * i + k]);
    }
  }
  return of;
}

static size_t n_columns(const plot *self) {
  const size_t n = self->n_columns < self->n_panels ? self->n_columns : self->n_panels;
  return n > 1 ? n : 1;
}

/* Panels below each other have one x axis. */
static range x_range(const plot *self, size_t panel) {
  const plot_axis *axis = &self->panels[panel].x;
  const size_t step = n_columns(self);
  range result = {INFINITY, -INFINITY};
  if (axis->from != axis->to)
    return (range){place(axis, axis->from), place(axis, axis->to)};
  for (size_t i = panel % step; i < self->n_panels; i += step)
    if (!self->has_own_axes || i == panel)
      result = range_of_layers(&self->panels[i], axis, 0, result);
  return padded(result, axis->is_tight ? 0 : 0.05);
}

static range y_range(const plot_panel *panel) {
  const plot_axis *axis = &panel->y;
  if (axis->from != axis->to)
    return (range){place(axis, axis->from), place(axis, axis->to)};
  range result = range_of_layers(panel, axis, 1, (range){INFINITY, -INFINITY});
  if (panel->level > 0)
    result = widen(result, axis, panel->level);
  if (panel->cap > 0)
    result.to = fmin(result.to, place(axis, panel->cap));
  return padded(result, axis->is_tight ? 0 : 0.05);
}

/* Figures that all runs share are one colour. */
static range colour_range(const plot_panel *panel) {
  range result = {INFINITY, -INFINITY};
  for (const plot_layer *layer = panel->layers; layer != NULL; layer = layer->next) {
    const size_t n = kinds[layer->kind].n_columns;
    for (size_t i = 0; i < layer->n_rows && n > 2; i++)
      result = (range){fmin(result.from, layer->values[n * i + n - 1]), fmax(result.to, layer->values[n * i + n - 1])};
  }
  return padded(result, 0);
}

/* ---- Sizes ---- */

static const double page_width = 16, left = 2.1, right = 0.5, bottom = 1.5, bar = 2.2;
static const double letter = 0.15, sample = 1.5, row = 0.38, frame = 0.2; /* of a legend */
static const double max_height = 9, max_slenderness = 10;                 /* of a figure at one scale */
enum { SMALL_SIZE = 8 };                                                  /* points */

typedef struct size {
  double width, height;
} size;

static size_t n_rows(const plot *self) { return (self->n_panels + n_columns(self) - 1) / n_columns(self); }

/* Curves of a panel that has a legend: one curve alone needs none. */
static size_t count_titles(const plot_panel *panel) {
  size_t n = 0;
  for (const plot_layer *layer = panel->layers; layer != NULL; layer = layer->next)
    n += kinds[layer->kind].is_curve;
  return n > 1 ? n : 0;
}

/* Legends stand beside the panels, where they hide nothing. */
static double right_of(const plot *self) {
  double width = self->has_bar || self->panels[0].colour.text[0] != '\0' ? bar : 0;
  for (size_t i = 0; i < self->n_panels; i++)
    for (const plot_layer *layer = self->panels[i].layers; layer != NULL; layer = layer->next)
      if (count_titles(&self->panels[i]) > 0 && kinds[layer->kind].is_curve)
        width = fmax(width, letter * (double)label_width(&layer->title) + sample);
  return right + width;
}

static size panel_size(const plot *self) {
  static const double heights[] = {7.5, 5, 4.5, 4};
  const size_t last = sizeof heights / sizeof *heights - 1;
  if (self->width > 0)
    return (size){self->width, self->height};
  size usual = {page_width - left - right, heights[self->n_panels - 1 < last ? self->n_panels - 1 : last]};
  for (size_t i = 0; i < self->n_panels; i++)
    usual.height = fmax(usual.height, row * (double)count_titles(&self->panels[i]) + frame);
  const range x = x_range(self, 0);
  const range y = y_range(&self->panels[0]);
  const double slenderness = (y.to - y.from) / (x.to - x.from);
  if (!self->same_scale || slenderness > max_slenderness || slenderness < 1 / max_slenderness)
    return usual;
  const double height = fmin(max_height, usual.width * slenderness);
  return (size){height / slenderness, height};
}

static double title_height(const plot *self) {
  static const double heights[] = {0, 0.8, 1.25};
  size_t n = 0;
  for (size_t i = 0; i < self->n_panels; i++) {
    const plot_panel *panel = &self->panels[i];
    const size_t lines = panel->subtitle.text[0] != '\0' ? 2 : panel->title.text[0] != '\0';
    n = lines > n ? lines : n;
  }
  return heights[n];
}

static double across(const plot *self) {
  return self->has_own_axes ? left + (self->panels[0].colour.text[0] != '\0' ? bar + right : 0) : 0.7;
}

static double gap(const plot *self) { return title_height(self) + (self->has_own_axes ? 1.9 : 0.3); }

static double needed_width(const plot *self) {
  const double n = (double)n_columns(self);
  return left + n * panel_size(self).width + (n - 1) * across(self) + right_of(self);
}

/* Headings need some. */
static double width_of(const plot *self) { return fmax(needed_width(self), self->same_scale ? page_width : 0); }

static double top(const plot *self) { return picture_heading_height(self->title) + title_height(self); }

static double height_of(const plot *self) {
  const double n = (double)n_rows(self);
  return top(self) + n * panel_size(self).height + (n - 1) * gap(self) + bottom;
}

/* ---- Axes ---- */

/* The next of 1, 2 and 5 times powers of ten. */
static double round_step(double rough) {
  const double power = pow(10, floor(log10(rough)));
  const double share = rough / power * (1 - 1e-9);
  return power * (share <= 1 ? 1 : share <= 2 ? 2 : share <= 5 ? 5 : 10);
}

static double first_tic(range of, double step) { return step * ceil(of.from / step - 1e-9); }
static double last_tic(range of, double step) { return step * floor(of.to / step + 1e-9); }

static double label_length(range of, double step) {
  static const double digit = 0.18;
  int letters = 0;
  for (double at = first_tic(of, step); at <= of.to; at += step)
    letters = (int)fmax(letters, snprintf(NULL, 0, "%g", step * round(at / step)));
  return digit * (letters + 2);
}

/* Labels stand side by side; the first and the last remain where others have no room. */
static void write_steps(FILE *script, char axis, range of, double length, bool is_beside) {
  static const double dense = 8;
  const double usual = round_step((of.to - of.from) / dense);
  const double room = is_beside ? label_length(of, usual) : 1.4 * row;
  const double step = fmax(usual, round_step((of.to - of.from) * room / length));
  if (last_tic(of, step) > first_tic(of, step))
    fprintf(script, "set %ctics %.10g\n", axis, step);
  else
    fprintf(script, "set %ctics %.10g,%.10g\n", axis, first_tic(of, usual), last_tic(of, usual) - first_tic(of, usual));
}

/* Powers of ten are enough where several of them are seen; else 1, 2 and 5 times these. */
static void write_decades(FILE *script, char axis, range of) {
  enum { MAX_DECADES = 7 }; /* with small tics between them */
  static const double steps[] = {1, 2, 5};
  const bool has_few = of.to - of.from < 1.3;
  fprintf(script, "set format %c '%s'\nset %ctics autofreq\nset m%ctics %s\n", axis, has_few ? "%g" : "10^{%L}", axis,
          axis, of.to - of.from > MAX_DECADES ? "1" : "default");
  for (double decade = floor(of.from); has_few && decade <= of.to; decade++)
    for (int i = 0; i < 3; i++)
      fprintf(script, "set %ctics add (%g)\n", axis, steps[i] * pow(10, decade));
}

static void write_label(FILE *script, const char *name, const label *text) {
  fprintf(script, "set %s ", name);
  label_quote(script, text->text);
  fputs("\n", script);
}

static void write_axis(FILE *script, char name, const plot_axis *axis, range of, double length, bool is_labelled) {
  static const label none = {""};
  const char text[] = {name, 'l', 'a', 'b', 'e', 'l', '\0'};
  write_label(script, text, is_labelled ? &axis->text : &none);
  fprintf(script, "%s logscale %c\nset %crange [%.10g:%.10g]\n", axis->is_log ? "set" : "unset", name, name,
          axis->is_log ? pow(10, of.from) : of.from, axis->is_log ? pow(10, of.to) : of.to);
  if (axis->is_log)
    write_decades(script, name, of);
  else {
    fprintf(script, "set format %c '%s'\nset m%ctics default\n", name, axis->is_exponent ? "10^{%g}" : "%g", name);
    write_steps(script, name, of, length, name == 'x');
  }
  if (!is_labelled)
    fprintf(script, "set format %c ''\n", name);
}

/* ---- Panels ---- */

static void define(FILE *script, const void *data) {
  const plot *self = data;
  for (size_t i = 0; i < self->n_panels; i++) {
    size_t k = 0;
    for (const plot_layer *layer = self->panels[i].layers; layer != NULL; layer = layer->next) {
      const size_t n = kinds[layer->kind].n_columns;
      fprintf(script, "$curve%zu_%zu << END\n", i, k++);
      for (size_t at = 0; at < n * layer->n_rows; at++)
        if (at % n == 0 && isnan(layer->values[at]))
          fputs("\n", script), at += n - 1;
        else
          fprintf(script, "%.10g%c", layer->values[at], at % n + 1 < n ? ' ' : '\n');
      fputs("END\n", script);
    }
  }
  fputs(self->settings != NULL ? self->settings : "", script);
}

static void write_slope_label(FILE *script, const plot_layer *of) {
  fputs("set label ", script);
  label_quote(script, of->title.text);
  fprintf(script, " at %.10g,%.10g left offset 0.4,0 font ',%d'\n", of->values[2], sqrt(of->values[3] * of->values[5]),
          SMALL_SIZE);
}

static void write_layers(FILE *script, const plot_panel *panel, size_t i) {
  size_t k = 0;
  size_t style = 0;
  for (const plot_layer *layer = panel->layers; layer != NULL; layer = layer->next)
    if (layer->kind == PLOT_SLOPE)
      write_slope_label(script, layer);
  if (panel->level > 0)
    fprintf(script, "plot %.10g with lines linewidth 1 dashtype 1 linecolor rgb 'black'", panel->level);
  else
    fputs("plot NaN", script);
  for (const plot_layer *layer = panel->layers; layer != NULL; layer = layer->next, k++) {
    const bool is_alone = kinds[layer->kind].is_curve && layer->n_rows < 2;
    if (layer->n_rows == 0)
      continue;
    fprintf(script, ", \\\n  $curve%zu_%zu %s", i, k, is_alone ? "using 1:2 with points" : kinds[layer->kind].drawn);
    if (kinds[layer->kind].is_curve) {
      fprintf(script, " linetype %zu title ", ++style);
      label_quote(script, layer->title.text);
    }
  }
  fputs("\n", script);
}

/* Names stand along their lines in the first panel, on the left unless that is the axis; they are taken away with its
 * heading. */
static void write_mark(FILE *script, const plot_mark *mark, bool is_at_axis) {
  fprintf(
      script,
      "set arrow from first %.10g, graph 0 to first %.10g, graph 1 nohead back linewidth 1 dashtype 3 linecolor rgb "
      "'#707070'\n",
      mark->x, mark->x);
  if (mark->title.text[0] == '\0')
    return;
  fputs("set label ", script);
  label_quote(script, mark->title.text);
  fprintf(script, " at first %.10g, graph 0.98 right rotate by 90 offset %g,0 font ',%d' textcolor rgb '#505050'\n",
          mark->x, is_at_axis ? 0.9 : -0.6, SMALL_SIZE);
}

static void write_marks(FILE *script, const plot *self) {
  static const double near_axis = 0.02;
  const range x = self->n_marks > 0 ? x_range(self, 0) : (range){0, 1};
  for (const plot_mark *mark = self->marks; mark < self->marks + self->n_marks; mark++) {
    const double share = (place(&self->panels[0].x, mark->x) - x.from) / (x.to - x.from);
    if (share >= 0 && share <= 1)
      write_mark(script, mark, share < near_axis);
  }
}

static void write_titles(FILE *script, const plot_panel *panel) {
  fputs("set title ", script);
  label_quote(script, panel->title.text);
  if (panel->subtitle.text[0] != '\0') {
    fputs(".\"\\n\".", script);
    label_quote(script, panel->subtitle.text);
  }
  fprintf(script, " offset 0,-0.6 font ',%d'\n", SMALL_SIZE);
}

static void write_panel(FILE *script, const plot *self, size_t i) {
  const plot_panel *panel = &self->panels[i];
  const bool is_lowest = self->has_own_axes || i + n_columns(self) >= self->n_panels;
  const bool is_leftmost = self->has_own_axes || i % n_columns(self) == 0;
  if (count_titles(panel) > 0)
    fprintf(script, "set key on Left reverse font ',%d' maxrows %zu at graph 1.02,1 left top\n", SMALL_SIZE,
            count_titles(panel));
  else
    fputs("set key off\n", script);
  write_titles(script, panel);
  write_axis(script, 'x', &panel->x, x_range(self, i), panel_size(self).width, is_lowest);
  write_axis(script, 'y', &panel->y, y_range(panel), panel_size(self).height, is_leftmost);
  if (panel->colour.text[0] != '\0') {
    const range of = colour_range(panel);
    write_label(script, "cblabel", &panel->colour);
    fprintf(script, "set cbrange [%.10g:%.10g]\n", of.from, of.to);
  }
  write_layers(script, panel, i);
}

static void draw(FILE *script, const void *data) {
  const plot *self = data;
  const double width = width_of(self);
  const double height = height_of(self);
  const double spare = width - needed_width(self);
  fprintf(script, "set multiplot layout %zu,%zu margins %.4f,%.4f,%.4f,%.4f spacing %.4f,%.4f\n", n_rows(self),
          n_columns(self), (left + spare / 2) / width, 1 - (right_of(self) + spare / 2) / width, bottom / height,
          1 - top(self) / height, across(self) / width, gap(self) / height);
  picture_write_heading(script, self->title, height);
  if (self->has_bar)
    fprintf(script, "set colorbox user origin screen %.4f,%.4f size screen %.4f,%.4f\n", 1 - (bar - right) / width,
            bottom / height, 0.35 / width, fmin(6, panel_size(self).height) / height);
  write_marks(script, self);
  for (size_t i = 0; i < self->n_panels; i++) {
    write_panel(script, self, i);
    picture_end_heading(script);
  }
  fputs(self->n_marks > 0 ? "unset arrow\nunset multiplot\n" : "unset multiplot\n", script);
}

seam_status plot_draw(plot *self, const char *directory, const char *name, unsigned formats, seam_error *error) {
  seam_status status = self->lacks_memory ? out_of_memory(error) : SEAM_OK;
  for (plot_panel *panel = self->panels; panel < self->panels + self->n_panels; panel++)
    for (plot_layer *layer = panel->layers; layer != NULL && status == SEAM_OK; layer = layer->next)
      if (kinds[layer->kind].is_curve)
        status = thin_out(panel, layer, error);
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
  return status == SEAM_OK ? picture_make(&made, error) : status;
}
