#include "app/plots/sweep_plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/failure.h"
#include "app/plots/curves.h"
#include "app/plots/run_label.h"

enum { MAX_PANELS = 6, MAX_ROWS = 4, MAX_COLUMNS = 4, MAX_MARKED = 200 };

typedef struct sweep_picture {
  const sweep_plan *plan;
  const sweep_rows *rows;
  size_t *runs; /* (n_runs) that have figures */
  size_t n_runs;
} sweep_picture;

/* ---- Text ---- */

static mbs_quantity_info quantity_of(const sweep_plan *plan, size_t figure) {
  mbs_quantity found = {0};
  mbs_find_quantity(plan->base.model, plan->quantities[plan->figures[figure].quantity], &found, NULL);
  return mbs_quantity_of(plan->base.model, found);
}

static const char *unit_of(const sweep_plan *plan, size_t figure) { return quantity_of(plan, figure).unit; }

/* "max ω_bar1" */
static void add_figure(label *to, const sweep_plan *plan, size_t figure) {
  const mbs_quantity_info info = quantity_of(plan, figure);
  label_add(to, strrchr(plan->figures[figure].name, '.') + 1);
  label_add(to, " ");
  label_add_symbol(to, info.element, info.name);
}

static void add_figure_unit(label *to, const sweep_plan *plan, size_t figure) {
  const bool is_integral = plan->figures[figure].statistic == SEAM_INTEGRAL;
  char unit[64];
  snprintf(unit, sizeof unit, "%s%s", unit_of(plan, figure), is_integral ? " s" : "");
  label_add_unit(to, *unit == ' ' ? unit + 1 : unit);
}

/* A parameter by its own name. */
static void add_varied(label *to, const sweep_plan *plan, size_t variation) {
  static const char of_parameters[] = "parameters.";
  const char *key = seam_design_key(plan->design, variation);
  const size_t length = sizeof of_parameters - 1;
  if (strncmp(key, of_parameters, length) != 0) {
    label_add(to, key);
    return;
  }
  label_add_enhanced(to, "{/:Italic ");
  label_add(to, key + length);
  label_add_enhanced(to, "}");
}

static bool is_geometric(const sweep_plan *plan, size_t variation) {
  const char *given = seam_design_given(plan->design, variation);
  const size_t length = strlen(given);
  return length > 4 && strcmp(given + length - 4, ":log") == 0;
}

static void write_heading_lines(const sweep_picture *self, label lines[PICTURE_MAX_LINES]) {
  char text[128];
  label_add(&lines[0], "Sweep of ");
  label_add(&lines[0], seam_model_name(self->plan->base.file));
  size_t n_wrong = 0;
  for (size_t i = 0; i < self->n_runs; i++)
    n_wrong += self->rows->messages[self->runs[i]] != NULL;
  const size_t n_failed = self->rows->n_done - self->n_runs;
  snprintf(text, sizeof text, "%zu runs", self->rows->n_done);
  label_add(&lines[1], text);
  snprintf(text, sizeof text, "; %zu failed and left out", n_failed);
  label_add(&lines[1], n_failed > 0 ? text : "");
  snprintf(text, sizeof text, "; %zu wrong", n_wrong);
  label_add(&lines[1], n_wrong > 0 ? text : "");
}

/* ---- Numbers ---- */

static double varied_of(const sweep_picture *self, size_t run, size_t variation) {
  return sweep_rows_at(self->rows, run)[sweep_plan_varied(variation)];
}

static double figure_of(const sweep_picture *self, size_t run, size_t figure) {
  return sweep_rows_at(self->rows, run)[sweep_plan_figure(self->plan, figure)];
}

static bool has_figures(const sweep_picture *self, size_t run) {
  bool is_whole = self->rows->is_done[run];
  for (size_t i = 0; i < self->plan->n_figures && is_whole; i++)
    is_whole = isfinite(figure_of(self, run, i));
  return is_whole;
}

static seam_status choose_runs(sweep_picture *self, seam_error *error) {
  self->runs = calloc(self->rows->n_runs + 1, sizeof *self->runs);
  if (self->runs == NULL)
    return out_of_memory(error);
  for (size_t run = 0; run < self->rows->n_runs; run++)
    if (has_figures(self, run))
      self->runs[self->n_runs++] = run;
  return SEAM_OK;
}

/* ---- One value: curves ---- */

typedef struct place {
  double x;
  size_t run;
} place;

static int compare_places(const void *a, const void *b) {
  const place *one = a;
  const place *other = b;
  return one->x != other->x ? (one->x > other->x) - (one->x < other->x)
                            : (one->run > other->run) - (one->run < other->run);
}

static seam_status add_curve(const sweep_picture *self, const place *places, size_t figure, curve *made,
                             seam_error *error) {
  made->x = calloc(self->n_runs, sizeof *made->x);
  made->y = calloc(self->n_runs, sizeof *made->y);
  if (made->x == NULL || made->y == NULL)
    return out_of_memory(error);
  for (; made->n < self->n_runs; made->n++) {
    made->x[made->n] = places[made->n].x;
    made->y[made->n] = figure_of(self, places[made->n].run, figure);
  }
  add_figure(&made->title, self->plan, figure);
  return SEAM_OK;
}

static bool share_panel(const sweep_plan *plan, size_t one, size_t other) {
  return strcmp(unit_of(plan, one), unit_of(plan, other)) == 0 &&
         (plan->figures[one].statistic == SEAM_INTEGRAL) == (plan->figures[other].statistic == SEAM_INTEGRAL);
}

/* All figures of one unit; the first is `figure`. */
static seam_status fill_panel(const sweep_picture *self, const place *places, size_t figure, curve_panel *panel,
                              seam_error *error) {
  const sweep_plan *plan = self->plan;
  seam_status status = SEAM_OK;
  panel->curves = calloc(plan->n_figures, sizeof *panel->curves);
  if (panel->curves == NULL)
    return out_of_memory(error);
  for (size_t i = figure; i < plan->n_figures && status == SEAM_OK; i++)
    if (share_panel(plan, figure, i))
      status = add_curve(self, places, i, &panel->curves[panel->n_curves++], error);
  if (panel->n_curves == 1)
    add_figure(&panel->y_label, plan, figure);
  else
    label_add(&panel->y_label, run_label_kind(unit_of(plan, figure)));
  add_figure_unit(&panel->y_label, plan, figure);
  return status;
}

static bool is_first_of_unit(const sweep_plan *plan, size_t figure) {
  size_t i = 0;
  while (i < figure && !share_panel(plan, i, figure))
    i++;
  return i == figure;
}

static seam_status draw_curves(const sweep_picture *self, const place *places, const char *directory,
                               seam_error *error) {
  const sweep_plan *plan = self->plan;
  curve_picture made = {
      .what = "Figures over what varies.", .log_x = is_geometric(plan, 0), .has_points = self->n_runs <= MAX_MARKED};
  seam_status status = SEAM_OK;
  write_heading_lines(self, made.title);
  add_varied(&made.x_label, plan, 0);
  made.panels = calloc(plan->n_figures, sizeof *made.panels);
  if (made.panels == NULL)
    return out_of_memory(error);
  for (size_t i = 0; i < plan->n_figures && made.n_panels < MAX_PANELS && status == SEAM_OK; i++)
    if (is_first_of_unit(plan, i))
      status = fill_panel(self, places, i, &made.panels[made.n_panels++], error);
  if (status == SEAM_OK)
    status = curves_draw(&made, directory, "sweep", PICTURE_ALL, error);
  curves_free(&made);
  return status;
}

static seam_status plot_curves(const sweep_picture *self, const char *directory, seam_error *error) {
  place *places = calloc(self->n_runs, sizeof *places);
  if (places == NULL)
    return out_of_memory(error);
  for (size_t i = 0; i < self->n_runs; i++)
    places[i] = (place){varied_of(self, self->runs[i], 0), self->runs[i]};
  qsort(places, self->n_runs, sizeof *places, compare_places);
  const seam_status status = draw_curves(self, places, directory, error);
  free(places);
  return status;
}

/* ---- Two values: colours; more: points ---- */

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

/* Panels of a map are figures; else figures by values. */
static bool is_map(const sweep_plan *plan) { return seam_design_n_varied(plan->design) == 2; }

static size_t n_columns(const sweep_plan *plan) {
  return is_map(plan) ? least(plan->n_figures, 2) : least(seam_design_n_varied(plan->design), MAX_COLUMNS);
}

static size_t n_rows(const sweep_plan *plan) {
  return is_map(plan) ? (least(plan->n_figures, MAX_PANELS) + 1) / 2 : least(plan->n_figures, MAX_ROWS);
}

/* Boxes of a grid meet halfway between its values, the outer ones are as wide on both sides. */
static void find_box(const sweep_plan *plan, size_t run, size_t variation, double *low, double *high) {
  const size_t n = seam_design_n_values(plan->design, variation);
  const size_t stride = variation == 0 ? seam_design_n_values(plan->design, 1) : 1;
  const size_t at = run / stride % n;
  const bool is_log = is_geometric(plan, variation);
  const double here = seam_design_value(plan->design, at * stride, variation);
  const double before = at > 0 ? seam_design_value(plan->design, (at - 1) * stride, variation) : NAN;
  const double after = at + 1 < n ? seam_design_value(plan->design, (at + 1) * stride, variation) : NAN;
  const double ratio = at > 0 ? here / before : after / here;
  const double step = at > 0 ? here - before : after - here;
  *low = is_log ? sqrt(here * (at > 0 ? before : here / ratio)) : (here + (at > 0 ? before : here - step)) / 2;
  *high = is_log ? sqrt(here * (at + 1 < n ? after : here * ratio)) : (here + (at + 1 < n ? after : here + step)) / 2;
}

static bool is_ascending(const sweep_plan *plan, size_t variation) {
  const size_t stride = variation == 0 ? seam_design_n_values(plan->design, 1) : 1;
  const size_t n = seam_design_n_values(plan->design, variation);
  for (size_t i = 1; i < n; i++)
    if (seam_design_value(plan->design, i * stride, variation) <=
        seam_design_value(plan->design, (i - 1) * stride, variation))
      return false;
  return n > 1;
}

static bool has_boxes(const sweep_plan *plan) {
  return plan->sampling.sampling == SEAM_GRID && is_map(plan) && is_ascending(plan, 0) && is_ascending(plan, 1);
}

/* Columns: values, of a map the box of each, figures. */
static void define(FILE *script, const void *data) {
  const sweep_picture *self = data;
  const sweep_plan *plan = self->plan;
  fputs("$runs << END\n", script);
  for (size_t i = 0; i < self->n_runs; i++) {
    const size_t run = self->runs[i];
    for (size_t k = 0; k < seam_design_n_varied(plan->design); k++)
      fprintf(script, "%.10g ", varied_of(self, run, k));
    for (size_t k = 0; k < 2 && has_boxes(plan); k++) {
      double low = 0;
      double high = 0;
      find_box(plan, run, k, &low, &high);
      fprintf(script, "%.10g %.10g ", low, high);
    }
    for (size_t k = 0; k < plan->n_figures; k++)
      fprintf(script, "%.10g ", figure_of(self, run, k));
    fputs("\n", script);
  }
  fputs("END\nset key off\nset palette defined (0 '#08306b', 0.5 '#6baed6', 0.75 '#fdd49e', 1 '#d55e00')\nset tics "
        "font ',8'\n",
        script);
}

static size_t column_of_figure(const sweep_plan *plan, size_t figure) {
  return seam_design_n_varied(plan->design) + (has_boxes(plan) ? 4 : 0) + figure + 1;
}

static void write_label(FILE *script, const char *name, const label *text) {
  fprintf(script, "set %s ", name);
  label_quote(script, text->text);
  fputs("\n", script);
}

/* 1, 2 or 5 times a power of ten, so that a few labels have room. */
static double tic_step(double range) {
  static const double few = 4;
  const double rough = range / few;
  const double power = pow(10, floor(log10(rough)));
  return power * (rough <= power ? 1 : rough <= 2 * power ? 2 : rough <= 5 * power ? 5 : 10);
}

static void write_tics(FILE *script, const sweep_picture *self, char axis, size_t variation) {
  double low = INFINITY;
  double high = -INFINITY;
  for (size_t i = 0; i < self->n_runs; i++) {
    low = fmin(low, varied_of(self, self->runs[i], variation));
    high = fmax(high, varied_of(self, self->runs[i], variation));
  }
  const bool is_log = is_geometric(self->plan, variation);
  fprintf(script, "%s logscale %c\nset format %c '%s'\n", is_log ? "set" : "unset", axis, axis,
          is_log && high > 10 * low ? "10^{%L}" : "%g");
  if (!is_log && high > low)
    fprintf(script, "set %ctics %.10g\n", axis, tic_step(high - low));
  else
    fprintf(script, "set %ctics autofreq\n", axis);
}

static void write_axis(FILE *script, const sweep_picture *self, char axis, size_t variation) {
  char name[] = {axis, 'l', 'a', 'b', 'e', 'l', '\0'};
  label text = {""};
  add_varied(&text, self->plan, variation);
  write_label(script, name, &text);
  write_tics(script, self, axis, variation);
}

/* gnuplot warns of a range that is empty: a figure that all runs share has room on both sides. */
static void write_range(FILE *script, const sweep_picture *self, const char *axis, size_t figure) {
  const double value = self->n_runs > 0 ? figure_of(self, self->runs[0], figure) : NAN;
  const double room = value != 0 ? 0.1 * fabs(value) : 1;
  const double rounding = 1e-9;
  bool is_shared = isfinite(value);
  for (size_t i = 0; i < self->n_runs; i++)
    is_shared = is_shared && fabs(figure_of(self, self->runs[i], figure) - value) <= rounding * fabs(value);
  if (is_shared)
    fprintf(script, "set %srange [%.10g:%.10g]\n", axis, value - room, value + room);
  else
    fprintf(script, "set %srange [*:*]\n", axis);
}

static void write_map(FILE *script, const sweep_picture *self, size_t figure) {
  const sweep_plan *plan = self->plan;
  label text = {""};
  add_figure(&text, plan, figure);
  add_figure_unit(&text, plan, figure);
  write_label(script, "cblabel", &text);
  write_range(script, self, "cb", figure);
  write_axis(script, self, 'x', 0);
  write_axis(script, self, 'y', 1);
  if (has_boxes(plan))
    fprintf(script,
            "set autoscale xfix\nset autoscale yfix\nplot $runs using 1:2:3:4:5:6:%zu with boxxyerror fillstyle solid "
            "1 noborder "
            "linecolor palette\n",
            column_of_figure(plan, figure));
  else
    fprintf(script, "plot $runs using 1:2:%zu with points pointtype 7 pointsize 0.6 linecolor palette\n",
            column_of_figure(plan, figure));
}

static void write_scatter(FILE *script, const sweep_picture *self, size_t figure, size_t variation, bool is_lowest) {
  const sweep_plan *plan = self->plan;
  static const label none = {""};
  label text = {""};
  add_figure(&text, plan, figure);
  add_figure_unit(&text, plan, figure);
  write_axis(script, self, 'x', variation);
  if (!is_lowest)
    write_label(script, "xlabel", &none);
  write_label(script, "ylabel", variation == 0 ? &text : &none);
  write_range(script, self, "y", figure);
  fprintf(script, "plot $runs using %zu:%zu with points pointtype 7 pointsize 0.35 linecolor rgb '#0072b2'\n",
          variation + 1, column_of_figure(plan, figure));
}

/* cm */
typedef struct sizes {
  double left, right, bottom, across, width, height, gap;
} sizes;
static const sizes of_map = {1.9, 2.6, 1.5, 4.6, 6, 5, 1.9}, of_scatter = {2.1, 0.5, 1.5, 1.5, 4, 3.4, 1};

static const sizes *sizes_of(const sweep_plan *plan) { return is_map(plan) ? &of_map : &of_scatter; }

static double width_of(const sweep_plan *plan) {
  const sizes *s = sizes_of(plan);
  const double n = (double)n_columns(plan);
  return s->left + n * s->width + (n - 1) * s->across + s->right;
}

static double height_of(const sweep_plan *plan, const label *lines) {
  const sizes *s = sizes_of(plan);
  const double n = (double)n_rows(plan);
  return picture_heading_height(lines) + n * s->height + (n - 1) * s->gap + s->bottom;
}

static void draw(FILE *script, const void *data) {
  const sweep_picture *self = data;
  const sweep_plan *plan = self->plan;
  const sizes *s = sizes_of(plan);
  label lines[PICTURE_MAX_LINES] = {{""}};
  write_heading_lines(self, lines);
  const double width = width_of(plan);
  const double height = height_of(plan, lines);
  fprintf(script, "set multiplot layout %zu,%zu margins %.4f,%.4f,%.4f,%.4f spacing %.4f,%.4f\n", n_rows(plan),
          n_columns(plan), s->left / width, 1 - s->right / width, s->bottom / height,
          1 - picture_heading_height(lines) / height, s->across / width, s->gap / height);
  picture_write_heading(script, lines, height);
  const size_t n = is_map(plan) ? least(plan->n_figures, MAX_PANELS) : n_rows(plan) * n_columns(plan);
  for (size_t i = 0; i < n; i++) {
    if (is_map(plan))
      write_map(script, self, i);
    else
      write_scatter(script, self, i / n_columns(plan), i % n_columns(plan), i / n_columns(plan) + 1 == n_rows(plan));
    picture_end_heading(script);
  }
  fputs("unset multiplot\n", script);
}

static seam_status plot_panels(const sweep_picture *self, const char *directory, seam_error *error) {
  label lines[PICTURE_MAX_LINES] = {{""}};
  write_heading_lines(self, lines);
  const picture made = {.directory = directory,
                        .name = "sweep",
                        .what = "Figures of runs: values that vary, of grids the box of each, figures.",
                        .width = width_of(self->plan),
                        .height = height_of(self->plan, lines),
                        .formats = PICTURE_ALL,
                        .define = define,
                        .draw = draw,
                        .data = self};
  return picture_make(&made, error);
}

seam_status sweep_plot(const sweep_plan *plan, const sweep_rows *rows, const char *directory, seam_error *error) {
  sweep_picture self = {.plan = plan, .rows = rows};
  seam_status status = choose_runs(&self, error);
  if (status == SEAM_OK && self.n_runs > 0)
    status = seam_design_n_varied(plan->design) == 1 ? plot_curves(&self, directory, error)
                                                     : plot_panels(&self, directory, error);
  free(self.runs);
  return status;
}
