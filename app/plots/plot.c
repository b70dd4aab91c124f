/* Writes the script of a picture: data blocks with the numbers of all layers, then a page with rows of panels. A panel
 * has axes, layers and a legend. Lengths are in cm on paper. */
#include "app/plots/plot.h"

#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/assets.h"
#include "app/failure.h"
#include "app/plots/decimate.h"
#include "app/program.h"
#include "app/results/output.h"
#include "base/scratch.h"
#include "base/then.h"

static const struct {
  size_t n_columns; /* numbers in a row of the layer */
  bool is_curve;    /* has a line type and an entry in the legend */
  const char *command;
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

void plot_start(plot *self, size_t n_panels) {
  self->panels = arena_allocate(&self->memory, (n_panels + 1) * sizeof *self->panels);
  self->n_panels = self->panels != NULL ? n_panels : 0;
  self->lacks_memory |= self->panels == NULL;
}

void plot_free(plot *self) { arena_release(&self->memory); }

plot_layer *plot_add(plot *self, plot_panel *panel, plot_kind kind) {
  plot_layer *result = arena_allocate(&self->memory, sizeof *result);
  self->lacks_memory |= result == NULL;
  if (result == NULL)
    result = &self->spare_layer;
  else
    panel->last = *(panel->last != NULL ? &panel->last->next : &panel->layers) = result;
  result->kind = kind;
  return result;
}

void plot_put(plot *self, plot_layer *to, const double *row) {
  const size_t n = kinds[to->kind].n_columns;
  if (to->n_rows == to->n_allocated) {
    const size_t wanted = 2 * to->n_allocated + 64;
    double *values = arena_allocate(&self->memory, wanted * n * sizeof *values);
    self->lacks_memory |= values == NULL;
    if (values == NULL)
      return;
    if (to->n_rows > 0)
      memcpy(values, to->values, n * to->n_rows * sizeof *values);
    to->values = values;
    to->n_allocated = wanted;
  }
  memcpy(to->values + n * to->n_rows++, row, n * sizeof *row);
}

void plot_point(plot *self, plot_layer *to, double x, double y) {
  if (to != NULL)
    plot_put(self, to, (const double[]){x, y});
}

static double coordinate(const plot_axis *axis, double value) { return axis->is_log ? log10(value) : value; }

static seam_status decimate_layer(const plot_panel *panel, plot_layer *of, seam_error *error) {
  enum { N_CELLS = 3000 }; /* more than the width of a panel in pixels */
  const size_t n = of->n_rows;
  double *x = malloc((2 * n + 1) * sizeof *x);
  size_t *selected = malloc((n + 1) * sizeof *selected);
  const bool has_memory = x != NULL && selected != NULL;
  if (has_memory) {
    for (size_t i = 0; i < n; i++) {
      x[i] = coordinate(&panel->x, of->values[2 * i]);
      x[n + i] = coordinate(&panel->y, of->values[2 * i + 1]);
    }
    of->n_rows = decimate(x, x + n, n, N_CELLS, selected);
    for (size_t i = 0; i < of->n_rows; i++)
      memcpy(of->values + 2 * i, of->values + 2 * selected[i], 2 * sizeof *of->values);
  }
  free(x);
  free(selected);
  return check_memory(has_memory, error);
}

/* ---- Ranges of axes, as coordinates ---- */

typedef struct range {
  double from, to;
} range;

static const range nothing = {INFINITY, -INFINITY};
static range widen(range of, double at) { return (range){fmin(of.from, at), fmax(of.to, at)}; }

enum { X, Y, COLOUR };

/* Extends a range by all layers of a panel along x, y or colour. A box has two ends along x and y. The colour is the
 * last number of a row with more than two. */
static range extend_range(range of, const plot_axis *axis, const plot_panel *panel, size_t along) {
  for (const plot_layer *layer = panel->layers; layer != NULL; layer = layer->next) {
    const size_t n = kinds[layer->kind].n_columns;
    const size_t column = along == COLOUR ? n - 1 : along;
    const size_t n_ends = layer->kind == PLOT_BOXES && along != COLOUR ? 2 : 0;
    for (size_t i = 0; i < layer->n_rows && (along != COLOUR || n > 2); i++) {
      of = widen(of, coordinate(axis, layer->values[n * i + column]));
      for (size_t k = 0; k < n_ends; k++)
        of = widen(of, coordinate(axis, layer->values[n * i + 2 + 2 * along + k]));
    }
  }
  return of;
}

/* A range that is not given becomes that of the data, with a margin at both ends: `share` of this range or, if the data
 * are constant up to round-off, a tenth of their absolute value. */
static void set_range(plot_axis *axis, range found, double share) {
  static const double least_change = 1e-9;
  const double size = found.to - found.from;
  const double largest = fmax(fabs(found.from), fabs(found.to));
  const double pad = size > least_change * largest ? share * size : largest > 0 ? 0.1 * largest : 1;
  const range padded = isfinite(size) ? (range){found.from - pad, found.to + pad} : (range){0, 1};
  const bool is_given = axis->from != axis->to;
  axis->from = is_given ? coordinate(axis, axis->from) : padded.from;
  axis->to = is_given ? coordinate(axis, axis->to) : padded.to;
}

/* Panels in one column have the same range of x, unless each panel has its own axes. */
static void find_ranges(plot *self) {
  static const double share = 0.05;
  for (size_t i = 0; i < self->n_panels; i++) {
    plot_panel *panel = &self->panels[i];
    range x = nothing;
    for (size_t k = 0; k < self->n_panels; k++)
      if (k == i || (!self->has_own_axes && k % self->n_columns == i % self->n_columns))
        x = extend_range(x, &panel->x, &self->panels[k], X);
    range y = extend_range(nothing, &panel->y, panel, Y);
    if (panel->level > 0)
      y = widen(y, coordinate(&panel->y, panel->level));
    if (panel->cap > 0)
      y.to = fmin(y.to, coordinate(&panel->y, panel->cap));
    set_range(&panel->x, x, panel->x.is_tight ? 0 : share);
    set_range(&panel->y, y, panel->y.is_tight ? 0 : share);
    set_range(&panel->colour, extend_range(nothing, &panel->colour, panel, COLOUR), 0);
  }
}

/* ---- Sizes ---- */

static const double page_width = 16, left = 2.1, right = 0.5, bottom = 1.5, bar = 2.2;
static const double letter_width = 0.15, sample = 1.5, row = 0.38, frame = 0.2; /* sizes in a legend, cm */
static const double max_height = 9, max_slenderness = 10;                       /* limits of panels with `same_scale` */
static const double heading_top = 0.35, heading_line = 0.5;
static const double max_intervals = 8;  /* largest number of intervals between tics on an axis */
static const double digit_width = 0.18; /* cm */
static const int usual_digits = 6;
enum { HEADING_SIZE = 10, SMALL_SIZE = 8 }; /* sizes of letters, points */

typedef struct layout {
  size_t n_rows;
  double width, height; /* size of the page, cm */
  double panel_width, panel_height;
  double left, right, top; /* margins of the page */
  double across, gap;      /* gaps between panels, horizontal and vertical */
} layout;

/* Returns the smallest number >= `rough` that is 1, 2 or 5 times a power of ten. */
static double round_step(double rough) {
  const double power = pow(10, floor(log10(rough)));
  const double share = rough / power * (1 - 1e-9);
  return power * (share <= 1 ? 1 : share <= 2 ? 2 : share <= 5 ? 5 : 10);
}

/* Returns the number of significant digits, at least usual_digits, with which the labels of tics differ. */
static int digits_of(const plot_axis *axis, double step) {
  const int needed = 2 + (int)floor(log10(fmax(fabs(axis->from), fabs(axis->to)) / step));
  return needed > usual_digits ? needed : usual_digits;
}

static bool has_bar(const plot *self) { return self->panels[0].colour.text.text[0] != '\0'; }

/* Returns the number of entries of the legend of a panel, which are its curves; a single curve has none. */
static size_t count_titles(const plot_panel *panel) {
  size_t n = 0;
  for (const plot_layer *layer = panel->layers; layer != NULL; layer = layer->next)
    n += kinds[layer->kind].is_curve;
  return n > 1 ? n : 0;
}

static double legend_width(const plot_panel *panel) {
  double width = 0;
  for (const plot_layer *layer = panel->layers; layer != NULL && count_titles(panel) > 0; layer = layer->next)
    if (kinds[layer->kind].is_curve)
      width = fmax(width, letter_width * (double)label_width(&layer->title) + sample);
  return width;
}

/* Legends are beside the panels. */
static layout lay_out(const plot *self) {
  static const double heights[] = {7.5, 5, 4.5, 4}, of_titles[] = {0, 0.8, 1.25};
  const size_t last = sizeof heights / sizeof *heights - 1;
  const bool is_usual = self->width == 0;
  const double n_columns = (double)self->n_columns;
  int more = 0; /* digits beyond usual_digits, which widen the left margin */
  for (const plot_panel *panel = self->panels; panel < self->panels + self->n_panels; panel++) {
    const plot_axis *y = &panel->y;
    if (!y->is_log)
      more = (int)fmax(more, digits_of(y, round_step((y->to - y->from) / max_intervals)) - usual_digits);
  }
  const double left_margin = left + (more > 0 ? digit_width * (more + 1) : 0);
  layout result = {.n_rows = (self->n_panels + self->n_columns - 1) / self->n_columns,
                   .panel_width = is_usual ? page_width - left_margin - right : self->width,
                   .panel_height = is_usual ? heights[self->n_panels > last ? last : self->n_panels - 1] : self->height,
                   .top = heading_top};
  double side_width = has_bar(self) ? bar : 0;
  double title = 0;
  for (const plot_panel *panel = self->panels; panel < self->panels + self->n_panels; panel++) {
    side_width = fmax(side_width, legend_width(panel));
    title = fmax(title, of_titles[panel->subtitle.text[0] != '\0' ? 2 : panel->title.text[0] != '\0']);
    if (is_usual)
      result.panel_height = fmax(result.panel_height, row * (double)count_titles(panel) + frame);
  }
  for (int i = 0; i < PLOT_MAX_LINES; i++)
    result.top += self->title[i].text[0] != '\0' ? heading_line : 0;
  const plot_axis *x = &self->panels->x;
  const plot_axis *y = &self->panels->y; /* the scales stay unequal if the panel would be extremely narrow or flat */
  const double slenderness = self->same_scale ? (y->to - y->from) / (x->to - x->from) : NAN;
  if (slenderness <= max_slenderness && slenderness >= 1 / max_slenderness) {
    result.panel_height = fmin(max_height, result.panel_width * slenderness);
    result.panel_width = result.panel_height / slenderness;
  }
  result.top += title;
  result.gap = title + (self->has_own_axes ? 1.9 : 0.3);
  result.across = !self->has_own_axes ? 0.7 : left_margin + (has_bar(self) ? bar + right : 0);
  const double needed =
      left_margin + n_columns * result.panel_width + (n_columns - 1) * result.across + right + side_width;
  result.width = fmax(needed, self->same_scale ? page_width : 0); /* at least page_width, for the heading */
  result.left = left_margin + (result.width - needed) / 2;
  result.right = right + side_width + (result.width - needed) / 2;
  result.height = result.top + (double)result.n_rows * (result.panel_height + result.gap) - result.gap + bottom;
  return result;
}

/* ---- Text ---- */

/* Writes "set NAME 'text'" without a newline. */
static void write_text(FILE *script, const char *name, const label *text) {
  fprintf(script, "set %s ", name);
  label_quote(script, text->text);
}

/* Returns the text in bold, except for italic letters: in SVG they would end both styles. */
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

/* ---- Axes ---- */

static double first_tic(const plot_axis *axis, double step) { return step * ceil(axis->from / step - 1e-9); }
static double last_tic(const plot_axis *axis, double step) { return step * floor(axis->to / step + 1e-9); }

static double label_length(const plot_axis *axis, double step) {
  int letters = 0;
  for (double at = first_tic(axis, step); at <= axis->to; at += step)
    letters = (int)fmax(letters, snprintf(NULL, 0, "%.*g", digits_of(axis, step), step * round(at / step)));
  return digit_width * (letters + 2);
}

/* Writes the distance between tics, at which their labels do not overlap. If only one tic is left, writes two: the
 * first and the last at the usual distance. */
static void write_steps(FILE *script, char name, const plot_axis *axis, double length) {
  const double size = axis->to - axis->from;
  const double usual = round_step(size / max_intervals);
  const double room = name == 'x' ? label_length(axis, usual) : 1.4 * row;
  const double step = fmax(usual, round_step(size * room / length));
  const double first = first_tic(axis, usual);
  fprintf(script, axis->is_exponent ? "set format %c '10^{%%.%dg}'\n" : "set format %c '%%.%dg'\n", name,
          digits_of(axis, usual));
  fprintf(script, "set m%ctics default\nset %ctics ", name, name);
  if (last_tic(axis, step) > first_tic(axis, step))
    fprintf(script, "%.10g\n", step);
  else
    fprintf(script, "%.10g,%.10g\n", first, last_tic(axis, usual) - first);
}

/* Writes tics at powers of ten; if the range has few of them, also at 2 and 5 times powers of ten. */
static void write_decades(FILE *script, char name, const plot_axis *axis) {
  enum { MAX_DECADES = 7 }; /* largest number of decades with small tics */
  static const double steps[] = {1, 2, 5};
  const double size = axis->to - axis->from;
  const bool has_few = size < 1.3;
  fprintf(script, "set format %c '%s'\nset %ctics autofreq\nset m%ctics %s\n", name, has_few ? "%g" : "10^{%L}", name,
          name, size > MAX_DECADES ? "1" : "default");
  for (double decade = floor(axis->from); has_few && decade <= axis->to; decade++)
    for (int i = 0; i < 3; i++)
      fprintf(script, "set %ctics add (%g)\n", name, steps[i] * pow(10, decade));
}

static void write_axis(FILE *script, char name, const plot_axis *axis, double length, bool is_labelled) {
  static const label none = {""};
  write_text(script, name == 'x' ? "xlabel" : "ylabel", is_labelled ? &axis->text : &none);
  fprintf(script, "\n%s logscale %c\nset %crange [%.10g:%.10g]\n", axis->is_log ? "set" : "unset", name, name,
          axis->is_log ? pow(10, axis->from) : axis->from, axis->is_log ? pow(10, axis->to) : axis->to);
  if (axis->is_log)
    write_decades(script, name, axis);
  else
    write_steps(script, name, axis, length);
  if (!is_labelled)
    fprintf(script, "set format %c ''\n", name);
}

/* ---- Panels ---- */

static void write_layers(FILE *script, const plot_panel *panel, size_t i) {
  size_t k = 0;
  size_t style = 0;
  for (const plot_layer *layer = panel->layers; layer != NULL; layer = layer->next)
    if (layer->kind == PLOT_SLOPE) {
      write_text(script, "label", &layer->title);
      fprintf(script, " at %.10g,%.10g left offset 0.4,0 font ',%d'\n", layer->values[2],
              sqrt(layer->values[3] * layer->values[5]), SMALL_SIZE);
    }
  if (panel->level > 0)
    fprintf(script, "plot %.10g with lines linewidth 1 dashtype 1 linecolor rgb 'black'", panel->level);
  else
    fputs("plot NaN", script);
  for (const plot_layer *layer = panel->layers; layer != NULL; layer = layer->next, k++) {
    const bool is_alone = kinds[layer->kind].is_curve && layer->n_rows < 2;
    if (layer->n_rows == 0)
      continue;
    fprintf(script, ", \\\n  $curve%zu_%zu %s", i, k, is_alone ? "using 1:2 with points" : kinds[layer->kind].command);
    if (kinds[layer->kind].is_curve) {
      fprintf(script, " linetype %zu title ", ++style);
      label_quote(script, layer->title.text);
    }
  }
  fputs("\n", script);
}

/* Writes a vertical line for each mark. Its name is in the first panel, at the right if the y axis is near. */
static void write_marks(FILE *script, const plot *self) {
  static const double near_axis = 0.02;
  const plot_axis *x = &self->panels[0].x;
  for (const plot_mark *mark = self->marks; mark < self->marks + self->n_marks; mark++) {
    const double share = (coordinate(x, mark->x) - x->from) / (x->to - x->from);
    if (!(share >= 0 && share <= 1))
      continue;
    fprintf(script,
            "set arrow from first %.10g, graph 0 to first %.10g, graph 1 nohead back linewidth 1 dashtype 3 linecolor "
            "rgb '#707070'\n",
            mark->x, mark->x);
    if (mark->title.text[0] == '\0')
      continue;
    write_text(script, "label", &mark->title);
    fprintf(script, " at first %.10g, graph 0.98 right rotate by 90 offset %g,0 font ',%d' textcolor rgb '#505050'\n",
            mark->x, share < near_axis ? 0.9 : -0.6, SMALL_SIZE);
  }
}

static void write_page(FILE *script, const plot *self, const layout *on) {
  const double width = on->width, height = on->height;
  fprintf(script, "set multiplot layout %zu,%zu margins %.4f,%.4f,%.4f,%.4f spacing %.4f,%.4f\n", on->n_rows,
          self->n_columns, on->left / width, 1 - on->right / width, bottom / height, 1 - on->top / height,
          on->across / width, on->gap / height);
  double below = heading_top;
  for (int i = 0; i < PLOT_MAX_LINES; i++) {
    if (self->title[i].text[0] == '\0')
      continue;
    const label text = i == 0 ? bold(&self->title[i]) : self->title[i];
    write_text(script, "label", &text);
    fprintf(script, " at screen 0.5,%.4f center font ',%d'\n", 1 - below / height, i == 0 ? HEADING_SIZE : SMALL_SIZE);
    below += heading_line;
  }
  if (has_bar(self) && !self->has_own_axes)
    fprintf(script, "set colorbox user origin screen %.4f,%.4f size screen %.4f,%.4f\n", 1 - (bar - right) / width,
            bottom / height, 0.35 / width, fmin(6, on->panel_height) / height);
  write_marks(script, self);
  for (size_t i = 0; i < self->n_panels; i++) {
    const plot_panel *panel = &self->panels[i];
    const bool is_lowest = self->has_own_axes || i + self->n_columns >= self->n_panels;
    const bool is_leftmost = self->has_own_axes || i % self->n_columns == 0;
    if (count_titles(panel) > 0)
      fprintf(script, "set key on Left reverse font ',%d' maxrows %zu at graph 1.02,1 left top\n", SMALL_SIZE,
              count_titles(panel));
    else
      fputs("set key off\n", script);
    write_text(script, "title", &panel->title);
    if (panel->subtitle.text[0] != '\0') {
      fputs(".\"\\n\".", script);
      label_quote(script, panel->subtitle.text);
    }
    fprintf(script, " offset 0,-0.6 font ',%d'\n", SMALL_SIZE);
    write_axis(script, 'x', &panel->x, on->panel_width, is_lowest);
    write_axis(script, 'y', &panel->y, on->panel_height, is_leftmost);
    if (has_bar(self)) {
      write_text(script, "cblabel", &panel->colour.text);
      fprintf(script, "\nset cbrange [%.10g:%.10g]\n", panel->colour.from, panel->colour.to);
    }
    write_layers(script, panel, i);
    fputs("unset label\n", script);
  }
  fputs(self->n_marks > 0 ? "unset arrow\nunset multiplot\n" : "unset multiplot\n", script);
}

/* ---- The script ---- */

/* Terminals of gnuplot, with letters of 9 points and equal lines on paper. A point of gnuplot is 1/72 inch in PDF and
 * 1/96 inch in SVG. For PNG, gnuplot assumes 96 pixels per inch; here there are 200. */
static const struct {
  unsigned format;
  const char *ending, *terminal;
  double units; /* units of the terminal's option `size` per cm */
  int digits;
  const char *unit;
} formats[] = {
    {PLOT_PNG, ".png", "pngcairo enhanced font 'Helvetica,9' fontscale 2.08 linewidth 2.08", 200 / 2.54, 0, ""},
    {PLOT_SVG, ".svg", "svg enhanced font 'Helvetica,Arial,sans-serif,9' fontscale 1.33 background rgb 'white'",
     96 / 2.54, 0, ""},
    {PLOT_PDF, ".pdf", "pdfcairo enhanced font 'Helvetica,9'", 1, 2, "cm"},
};
enum { N_FORMATS = sizeof formats / sizeof *formats };

static void write_script(FILE *script, const plot *self, const char *name, unsigned wanted) {
  const layout on = lay_out(self);
  fprintf(script, "# %s\n%s", self->what, asset("style.gp"));
  for (size_t i = 0; i < self->n_panels; i++) {
    size_t k = 0;
    for (const plot_layer *layer = self->panels[i].layers; layer != NULL; layer = layer->next) {
      const size_t n = kinds[layer->kind].n_columns;
      fprintf(script, "$curve%zu_%zu << END\n", i, k++);
      for (const double *from = layer->values; from < layer->values + n * layer->n_rows; from += n) {
        for (size_t column = 0; column < n && !isnan(from[0]); column++)
          fprintf(script, column > 0 ? " %.10g" : "%.10g", from[column]);
        fputs("\n", script);
      }
      fputs("END\n", script);
    }
  }
  fputs(self->settings != NULL ? self->settings : "", script);
  for (int i = 0; i < N_FORMATS; i++)
    if ((wanted & formats[i].format) != 0) {
      const char *unit = formats[i].unit;
      fprintf(script, "set terminal %s size %.*f%s,%.*f%s\nset output '%s%s'\n", formats[i].terminal, formats[i].digits,
              on.width * formats[i].units, unit, formats[i].digits, on.height * formats[i].units, unit, name,
              formats[i].ending);
      write_page(script, self, &on);
      fputs("unset output\n", script);
    }
  if (wanted == 0)
    write_page(script, self, &on);
}

/* gnuplot reads the script and draws in a private folder, from which its pictures are copied. */
static seam_status make_pictures(const char *script, const char *safe_name, const char *directory, const char *name,
                                 unsigned wanted, seam_error *error) {
  static const char *const gnuplot[] = {"gnuplot", "-", NULL};
  char from[FILENAME_MAX], to[FILENAME_MAX];
  char *folder = NULL;
  seam_status status = scratch_make(&folder, error);
  const int input = status == SEAM_OK ? output_descriptor(script, O_RDONLY) : -1;
  if (status == SEAM_OK && input < 0)
    status = output_failed(script, error);
  if (status == SEAM_OK && program_wait(program_start(gnuplot, folder, input, -1)) != 0)
    status =
        seam_fail(error, SEAM_NO_FILE,
                  "%s: gnuplot failed on this script; run 'gnuplot' on it to see why (the data are complete)", script);
  for (int i = 0; i < N_FORMATS && status == SEAM_OK; i++) {
    if ((wanted & formats[i].format) == 0)
      continue;
    snprintf(from, sizeof from, "%s%s", safe_name, formats[i].ending);
    snprintf(to, sizeof to, "%s%s", name, formats[i].ending);
    char *path = output_path(directory, to);
    status = path != NULL ? program_copy_result(folder, from, path, error) : out_of_memory(error);
    free(path);
  }
  scratch_remove(folder);
  return status;
}

seam_status plot_draw(plot *self, const char *directory, const char *name, unsigned wanted, seam_error *error) {
  const char *safe_name = self->safe_name != NULL ? self->safe_name : name;
  const char *missing = program_missing("gnuplot");
  char file[FILENAME_MAX];
  output_file script = {.path = NULL};
  seam_status status = check_memory(!self->lacks_memory, error);
  for (const plot_panel *panel = self->panels; panel < self->panels + self->n_panels; panel++)
    for (plot_layer *layer = panel->layers; layer != NULL && status == SEAM_OK; layer = layer->next)
      if (kinds[layer->kind].is_curve)
        status = decimate_layer(panel, layer, error);
  self->n_columns = self->n_columns < self->n_panels ? self->n_columns : self->n_panels;
  self->n_columns += self->n_columns == 0;
  find_ranges(self);
  snprintf(file, sizeof file, "%s.gp", name);
  THEN(status, output_begin(&script, directory, file, error));
  if (status == SEAM_OK) {
    write_script(script.file, self, safe_name, wanted);
    status = output_flush(&script, error);
    if (status != SEAM_OK) /* the script is incomplete, for example because the disk is full */
      output_unlink(script.path);
  }
  if (status == SEAM_OK && wanted != 0 && missing != NULL) {
    seam_error note = {0};
    seam_fail(&note, SEAM_NO_FILE,
              "seam: gnuplot is %s, so there is no picture, but the numbers are complete; install gnuplot (Debian: "
              "gnuplot-nox), then run 'gnuplot %s' to draw the picture",
              missing, script.path);
    print_failure(&note);
  } else if (status == SEAM_OK && wanted != 0)
    status = make_pictures(script.path, safe_name, directory, name, wanted, error);
  return output_end(&script, status, error);
}
