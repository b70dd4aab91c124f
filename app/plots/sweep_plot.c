#include "app/plots/sweep_plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/failure.h"
#include "app/plots/plot.h"
#include "base/then.h"

enum { MAX_PANELS = 6, MAX_ROWS = 4, MAX_COLUMNS = 4, MAX_MARKED = 200 };

/* A run whose measured figures (values of statistics) are all finite. */
typedef struct drawn_run {
  size_t number;
  double x; /* first varied value of the run */
} drawn_run;

typedef struct sweep_picture {
  const sweep_plan *plan;
  const sweep_rows *rows;
  drawn_run *runs; /* (n_runs) runs that are drawn */
  size_t n_runs;
} sweep_picture;

static mbs_quantity_info quantity_of(const sweep_plan *plan, size_t figure) {
  mbs_quantity found = {0};
  mbs_find_quantity(plan->base.model, plan->quantities[plan->figures[figure].quantity], &found, NULL);
  return mbs_quantity_of(plan->base.model, found);
}

/* Appends the name of a measured figure, as "max ω_bar1". */
static void add_figure(label *to, const sweep_plan *plan, size_t figure) {
  const mbs_quantity_info info = quantity_of(plan, figure);
  label_print(to, "%s ", strrchr(plan->figures[figure].name, '.') + 1);
  label_add_symbol(to, info.element, info.name);
}

static void add_figure_unit(label *to, const sweep_plan *plan, size_t figure) {
  const bool is_integral = plan->figures[figure].statistic == SEAM_INTEGRAL;
  char unit[64];
  snprintf(unit, sizeof unit, "%s%s", quantity_of(plan, figure).unit, is_integral ? " s" : "");
  label_add_unit(to, *unit == ' ' ? unit + 1 : unit);
}

static bool is_geometric(const sweep_plan *plan, size_t variation) {
  const char *given = seam_design_given(plan->design, variation);
  const size_t length = strlen(given);
  return length > 4 && strcmp(given + length - 4, ":log") == 0;
}

static double varied_of(const sweep_picture *self, size_t run, size_t variation) {
  return sweep_rows_at(self->rows, run)[SWEEP_VARIED + variation];
}

static double figure_of(const sweep_picture *self, size_t run, size_t figure) {
  return sweep_rows_at(self->rows, run)[self->plan->figures[figure].column];
}

static int compare_runs(const void *a, const void *b) {
  const drawn_run *one = a;
  const drawn_run *other = b;
  return one->x != other->x ? (one->x > other->x) - (one->x < other->x)
                            : (one->number > other->number) - (one->number < other->number);
}

static size_t smaller(size_t a, size_t b) { return a < b ? a : b; }

/* Returns an axis whose text is the key of a varied value; of "parameters.k" an italic "k". */
static plot_axis axis_of(const sweep_plan *plan, size_t variation) {
  static const char of_parameters[] = "parameters.";
  const char *key = seam_design_key(plan->design, variation);
  const bool is_parameter = strncmp(key, of_parameters, sizeof of_parameters - 1) == 0;
  plot_axis axis = {.is_log = is_geometric(plan, variation)};
  label_add_enhanced(&axis.text, is_parameter ? "{/:Italic " : "");
  label_add(&axis.text, is_parameter ? key + sizeof of_parameters - 1 : key);
  label_add_enhanced(&axis.text, is_parameter ? "}" : "");
  return axis;
}

static void add_runs(const sweep_picture *self, size_t figure, size_t variation, plot *result, plot_layer *layer) {
  for (const drawn_run *run = self->runs; run < self->runs + self->n_runs; run++)
    plot_point(result, layer, varied_of(self, run->number, variation), figure_of(self, run->number, figure));
}

static bool share_panel(const sweep_plan *plan, size_t one, size_t other) {
  return strcmp(quantity_of(plan, one).unit, quantity_of(plan, other).unit) == 0 &&
         (plan->figures[one].statistic == SEAM_INTEGRAL) == (plan->figures[other].statistic == SEAM_INTEGRAL);
}

static void plot_curves(const sweep_picture *self, plot *result) {
  const sweep_plan *plan = self->plan;
  plot_start(result, smaller(plan->n_figures, MAX_PANELS));
  const size_t n_allowed = result->n_panels;
  result->n_panels = 0;
  for (size_t i = 0; i < plan->n_figures && result->n_panels < n_allowed; i++) {
    size_t first = 0;
    while (!share_panel(plan, first, i))
      first++;
    if (first < i) /* the figure is in the panel of the first one with its unit */
      continue;
    plot_panel *panel = &result->panels[result->n_panels++];
    size_t n = 0;
    for (size_t j = i; j < plan->n_figures; j++) {
      if (!share_panel(plan, i, j))
        continue;
      plot_layer *layer = plot_add(result, panel, self->n_runs <= MAX_MARKED ? PLOT_MARKED : PLOT_LINES);
      add_figure(&layer->title, plan, j);
      add_runs(self, j, 0, result, layer);
      n++;
    }
    panel->x = axis_of(plan, 0);
    if (n == 1)
      add_figure(&panel->y.text, plan, i);
    else
      label_add(&panel->y.text, label_kind(quantity_of(plan, i).unit));
    add_figure_unit(&panel->y.text, plan, i);
  }
}

/* Returns the number of runs from one value to the next in a grid of two variations. The last one changes fastest. */
static size_t stride_of(const sweep_plan *plan, size_t variation) {
  return variation == 0 ? seam_design_n_values(plan->design, 1) : 1;
}

static double value_of(const sweep_plan *plan, size_t variation, size_t at) {
  return seam_design_value(plan->design, at * stride_of(plan, variation), variation);
}

static bool is_ascending(const sweep_plan *plan, size_t variation) {
  const size_t n = seam_design_n_values(plan->design, variation);
  for (size_t i = 1; i < n; i++)
    if (value_of(plan, variation, i) <= value_of(plan, variation, i - 1))
      return false;
  return n > 1;
}

/* Returns edge `at` of the boxes along a varied value. Inner edges are halfway between two values. An outer edge is as
 * far from its value as the inner edge on the other side. */
static double edge_of(const sweep_plan *plan, size_t variation, size_t at) {
  const size_t n = seam_design_n_values(plan->design, variation);
  const double share = at == 0 ? -0.5 : at == n ? 1.5 : 0.5;
  const size_t first = at == 0 ? 0 : at == n ? n - 2 : at - 1;
  const double a = value_of(plan, variation, first);
  const double b = value_of(plan, variation, first + 1);
  return is_geometric(plan, variation) ? a * pow(b / a, share) : a + share * (b - a);
}

static void plot_map(const sweep_picture *self, plot *result) {
  const sweep_plan *plan = self->plan;
  const bool has_boxes = plan->sampling.sampling == SEAM_GRID && is_ascending(plan, 0) && is_ascending(plan, 1);
  plot_start(result, smaller(plan->n_figures, MAX_PANELS));
  result->n_columns = 2;
  result->width = 6;
  result->height = 5;
  result->has_own_axes = true;
  for (size_t figure = 0; figure < result->n_panels; figure++) {
    plot_panel *panel = &result->panels[figure];
    plot_layer *layer = plot_add(result, panel, has_boxes ? PLOT_BOXES : PLOT_COLOURS);
    panel->x = axis_of(plan, 0);
    panel->y = axis_of(plan, 1);
    panel->x.is_tight = panel->y.is_tight = has_boxes;
    add_figure(&panel->colour.text, plan, figure);
    add_figure_unit(&panel->colour.text, plan, figure);
    for (const drawn_run *run = self->runs; run < self->runs + self->n_runs; run++) {
      double cell[PLOT_MAX_COLUMNS] = {run->x, varied_of(self, run->number, 1)};
      for (size_t k = 0; has_boxes && k < 4; k++)
        cell[2 + k] = edge_of(plan, k / 2,
                              run->number / stride_of(plan, k / 2) % seam_design_n_values(plan->design, k / 2) + k % 2);
      cell[has_boxes ? 6 : 2] = figure_of(self, run->number, figure);
      plot_put(result, layer, cell);
    }
  }
}

/* Draws dots: each measured figure has a row of panels, one for each varied value. */
static void plot_scatter(const sweep_picture *self, plot *result) {
  result->n_columns = smaller(seam_design_n_varied(self->plan->design), MAX_COLUMNS);
  result->width = 4;
  result->height = 3.4;
  plot_start(result, smaller(self->plan->n_figures, MAX_ROWS) * result->n_columns);
  for (size_t k = 0; k < result->n_panels; k++) {
    plot_panel *panel = &result->panels[k];
    panel->x = axis_of(self->plan, k % result->n_columns);
    add_figure(&panel->y.text, self->plan, k / result->n_columns);
    add_figure_unit(&panel->y.text, self->plan, k / result->n_columns);
    add_runs(self, k / result->n_columns, k % result->n_columns, result, plot_add(result, panel, PLOT_DOTS));
  }
}

static const char settings[] = "set palette defined (0 '#08306b', 0.5 '#6baed6', 0.75 '#fdd49e', 1 '#d55e00')\n"
                               "set tics font ',8'\n";

static seam_status draw(const sweep_picture *self, const char *directory, seam_error *error) {
  const size_t n_varied = seam_design_n_varied(self->plan->design);
  plot result = {.what = "Figures over what varies.", .settings = n_varied > 1 ? settings : NULL};
  label *lines = result.title;
  size_t n_wrong = 0;
  for (size_t i = 0; i < self->n_runs; i++)
    n_wrong += self->rows->messages[self->runs[i].number] != NULL;
  const size_t n_failed = self->rows->n_done - self->n_runs;
  label_print(&lines[0], "Sweep of %s", seam_model_name(self->plan->base.file));
  label_print(&lines[1], "%zu runs", self->rows->n_done);
  if (n_failed > 0)
    label_print(&lines[1], "; %zu failed and left out", n_failed);
  if (n_wrong > 0)
    label_print(&lines[1], "; %zu wrong", n_wrong);
  (n_varied == 1 ? plot_curves : n_varied == 2 ? plot_map : plot_scatter)(self, &result);
  const seam_status status = plot_draw(&result, directory, "sweep", PLOT_ALL, error);
  plot_free(&result);
  return status;
}

seam_status sweep_plot(const sweep_plan *plan, const sweep_rows *rows, const char *directory, seam_error *error) {
  sweep_picture self = {.plan = plan, .rows = rows, .runs = calloc(rows->n_runs + 1, sizeof *self.runs)};
  TRY(check_memory(self.runs != NULL, error));
  for (size_t run = 0; run < rows->n_runs; run++) {
    bool is_drawn = rows->is_done[run];
    for (size_t i = 0; i < plan->n_figures && is_drawn; i++)
      is_drawn = isfinite(figure_of(&self, run, i));
    if (is_drawn)
      self.runs[self.n_runs++] = (drawn_run){run, varied_of(&self, run, 0)};
  }
  if (seam_design_n_varied(plan->design) == 1) /* for curves */
    qsort(self.runs, self.n_runs, sizeof *self.runs, compare_runs);
  const seam_status status = self.n_runs > 0 ? draw(&self, directory, error) : SEAM_OK;
  free(self.runs);
  return status;
}
