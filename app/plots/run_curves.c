/* What `seam plot` draws: columns of results, sorted into panels by their units, with names and marks of events. */
#include "app/plots/run_curves.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/failure.h"
#include "app/plots/run_label.h"
#include "app/results/run_events.h"

/* Rows count as simultaneous up to this share of the time between them, which is what rounding makes of sums of steps.
 */
static const double simultaneous = 1e-9;

/* ---- Columns of one run ---- */

enum { X, Y, TIME, N_READ };

typedef struct run_rows {
  double *values; /* (N_READ x n) */
  size_t n;
} run_rows;

/* x and time stand in the table of y. */
static seam_status read_rows(const run_curves *self, const run_results *from, const char *name, run_rows *rows,
                             seam_error *error) {
  size_t table = 0;
  size_t columns[N_READ] = {0};
  seam_status status = run_results_find(from, name, &table, &columns[Y], error);
  if (status == SEAM_OK)
    status = run_results_find_beside(from, table, self->over, &columns[X], error);
  if (status == SEAM_OK && self->minus != NULL)
    status = run_results_find_beside(from, table, "time", &columns[TIME], error);
  if (status != SEAM_OK)
    return status;
  rows->n = table_reader_n_rows(from->tables[table]);
  rows->values = malloc((N_READ * rows->n + 1) * sizeof *rows->values);
  if (rows->values == NULL)
    return out_of_memory(error);
  return table_reader_read(from->tables[table], columns, self->minus != NULL ? N_READ : TIME, rows->values, error);
}

/* ---- Differences ---- */

/* Of as many rows as both have. */
static seam_status subtract(const run_results *from, const run_results *what, const char *name, run_rows *rows,
                            const run_rows *other, seam_error *error) {
  const size_t n = rows->n < other->n ? rows->n : other->n;
  const double *t = rows->values + TIME * rows->n;
  const double *t_other = other->values + TIME * other->n;
  const double slack = n > 1 ? simultaneous * fabs(t[n - 1] - t[0]) / (double)(n - 1) : 0;
  for (size_t i = 0; i < n; i++) {
    if (!(fabs(t[i] - t_other[i]) <= slack))
      return seam_fail(error, SEAM_BAD_INPUT,
                       "%s: error: row %zu is at t = %.9g s, that of %s at %.9g s, so that '%s' has no difference "
                       "there; run both with the same --output-step",
                       from->path, i + 1, t[i], what->path, t_other[i], name);
    rows->values[Y * rows->n + i] -= other->values[Y * other->n + i];
  }
  return SEAM_OK;
}

/* ---- Curves ---- */

/* Logarithms are those of magnitudes along y. Returns the number of points. */
static size_t add_points(run_curves *self, const run_rows *rows, size_t n, plot *made, plot_layer *layer) {
  size_t n_added = 0;
  for (size_t i = 0; i < n; i++) {
    const double x = rows->values[X * rows->n + i];
    const double y = rows->values[Y * rows->n + i];
    if ((self->log_x && !(x > 0)) || (self->log_y && !(fabs(y) > 0)))
      continue;
    plot_point(made, layer, x, self->log_y ? fabs(y) : y);
    n_added++;
  }
  self->n_left_out += n - n_added;
  return n_added;
}

static seam_status read_curve(run_curves *self, const run_results *from, const char *name, plot *made,
                              plot_layer *layer, seam_error *error) {
  run_rows rows = {NULL, 0};
  run_rows other = {NULL, 0};
  seam_status status = read_rows(self, from, name, &rows, error);
  if (status == SEAM_OK && self->minus != NULL)
    status = read_rows(self, self->minus, name, &other, error);
  if (status == SEAM_OK && self->minus != NULL)
    status = subtract(from, self->minus, name, &rows, &other, error);
  const size_t n = self->minus != NULL && other.n < rows.n ? other.n : rows.n;
  self->is_cut = self->is_cut || (self->minus != NULL && other.n != rows.n);
  if (status == SEAM_OK && add_points(self, &rows, n, made, layer) == 0)
    status = seam_fail(error, SEAM_BAD_INPUT, "%s: error: column '%s' has nothing to draw; %s", from->path, name,
                       n > 0 ? "leave out --log" : "there are no rows, so run the model again");
  free(rows.values);
  free(other.values);
  return status;
}

/* ---- Labels ---- */

/* The last part of a path without ending; the whole of it where two results end alike. */
static void add_name(label *to, const run_curves *self, const run_results *of) {
  bool is_alone = true;
  for (size_t i = 0; i < self->n_results; i++)
    is_alone = is_alone && (&self->results[i] == of || strcmp(self->results[i].short_name, of->short_name) != 0);
  label_add(to, is_alone ? of->short_name : of->path);
}

static void add_run(label *to, const run_curves *self, const run_results *of) {
  add_name(to, self, of);
  run_label_add_own(to, of, self->runs, self->n_runs);
  if (self->minus != NULL) {
    label_add(to, " − ");
    add_name(to, self, self->minus);
    run_label_add_own(to, self->minus, self->runs, self->n_runs);
  }
}

static run_quantity quantity_of(const run_curves *self, const char *name, const char **unit) {
  size_t table = 0;
  size_t column = 0;
  run_results_find(self->results, name, &table, &column, NULL);
  *unit = run_results_column(self->results, table, column, "unit");
  return run_label_quantity(self->results, table, column);
}

/* Between bars where magnitudes are drawn. */
static void add_quantity(label *to, const run_curves *self, const char *element, const char *quantity, bool is_y) {
  const char *bar = is_y && self->log_y ? "|" : "";
  label_add(to, bar);
  label_add(to, is_y && self->minus != NULL ? "Δ" : "");
  label_add_symbol(to, element, quantity);
  label_add(to, bar);
}

static void name_curve(const run_curves *self, const char *column, const run_results *from, bool is_only_column,
                       label *title) {
  const char *unit = NULL;
  const run_quantity found = quantity_of(self, column, &unit);
  const bool names_run = self->n_results > 1 || self->minus != NULL;
  if (!is_only_column || !names_run)
    add_quantity(title, self, found.element, found.quantity, true);
  label_add(title, !is_only_column && names_run ? ", " : "");
  if (names_run)
    add_run(title, self, from);
}

/* ---- Panels ---- */

enum { MAX_SYMBOLS = 3 };

/* Columns of one unit share a panel. */
typedef struct panel_columns {
  const char *unit;
  const char **of; /* (n) */
  size_t n;
} panel_columns;

/* Symbols of the quantities, each once; what they have in common where they are many. */
static void name_axis(const run_curves *self, const panel_columns *columns, label *to) {
  label symbols = {""};
  char seen[MAX_SYMBOLS][128];
  size_t n = 0;
  for (size_t i = 0; i < columns->n && n <= MAX_SYMBOLS; i++) {
    const char *unit = NULL;
    const run_quantity found = quantity_of(self, columns->of[i], &unit);
    const char *quantity = found.quantity[0] != '\0' ? found.quantity : found.element;
    bool is_seen = false;
    for (size_t k = 0; k < n && k < MAX_SYMBOLS; k++)
      is_seen = is_seen || strcmp(seen[k], quantity) == 0;
    if (is_seen)
      continue;
    if (n < MAX_SYMBOLS) {
      snprintf(seen[n], sizeof seen[n], "%s", quantity);
      label_add(&symbols, n > 0 ? ", " : "");
      const bool spells_element = columns->n == 1 || found.quantity[0] == '\0' || strcmp(found.element, "energy") == 0;
      add_quantity(&symbols, self, spells_element ? found.element : "", found.quantity, true);
    }
    n++;
  }
  if (n <= MAX_SYMBOLS)
    label_add_enhanced(to, symbols.text);
  else
    label_add(to, run_label_kind(columns->unit));
  label_add_unit(to, columns->unit);
}

static seam_status read_panel(run_curves *self, const panel_columns *columns, plot *made, plot_panel *panel,
                              seam_error *error) {
  seam_status status = SEAM_OK;
  for (size_t i = 0; i < columns->n * self->n_results && status == SEAM_OK; i++) {
    const char *column = columns->of[i / self->n_results];
    const run_results *from = &self->results[i % self->n_results];
    plot_layer *layer = plot_add(made, panel, PLOT_LINES);
    status = read_curve(self, from, column, made, layer, error);
    if (status == SEAM_OK)
      name_curve(self, column, from, columns->n == 1, &layer->title);
  }
  panel->y.is_log = self->log_y;
  if (status == SEAM_OK)
    name_axis(self, columns, &panel->y.text);
  return status;
}

/* Panels in the order in which their units come first. */
static size_t sort_columns(const run_curves *self, panel_columns *panels, const char **room) {
  size_t n_panels = 0;
  for (size_t i = 0; i < self->n_columns; i++) {
    const char *unit = NULL;
    size_t k = 0;
    quantity_of(self, self->columns[i], &unit);
    while (k < n_panels && strcmp(panels[k].unit, unit) != 0)
      k++;
    if (k == n_panels)
      panels[n_panels++] = (panel_columns){unit, room + k * self->n_columns, 0};
    panels[k].of[panels[k].n++] = self->columns[i];
  }
  return n_panels;
}

static seam_status read_panels(run_curves *self, panel_columns *columns, const char **room, plot *made,
                               seam_error *error) {
  const size_t n = sort_columns(self, columns, room);
  seam_status status = plot_start(made, n, error);
  for (size_t i = 0; i < n && status == SEAM_OK; i++)
    status = read_panel(self, &columns[i], made, &made->panels[i], error);
  return status;
}

/* ---- Marks ---- */

/* Of events that happen often the first one alone has its name. */
static void name_mark(const run_events *events, size_t i, plot_mark *mark) {
  for (size_t k = 0; k < i; k++)
    if (strcmp(events->list[k].name, events->list[i].name) == 0)
      return;
  label_add(&mark->title, events->list[i].name);
}

/* Events of one run over time. */
static seam_status read_marks(run_curves *self, plot *made, seam_error *error) {
  run_events events = {0};
  if (self->n_results > 1 || self->minus != NULL || strcmp(self->over, "time") != 0)
    return SEAM_OK;
  seam_status status = run_events_read(self->results, &events, error);
  made->marks = calloc(events.n + 1, sizeof *made->marks);
  if (status == SEAM_OK && made->marks == NULL)
    status = out_of_memory(error);
  for (size_t i = 0; i < events.n && made->marks != NULL && status == SEAM_OK; i++) {
    made->marks[made->n_marks].x = events.list[i].time;
    name_mark(&events, i, &made->marks[made->n_marks++]);
  }
  self->n_events_left_out = events.n_left_out;
  run_events_free(&events);
  return status;
}

/* ---- The picture ---- */

static const char *model_of(const run_results *run) {
  const char *model = run_results_model(run);
  return model != NULL ? model : run->short_name;
}

/* Each once. */
static void add_models(label *to, const run_curves *self) {
  for (size_t i = 0; i < self->n_runs; i++) {
    bool is_new = true;
    for (size_t k = 0; k < i; k++)
      is_new &= strcmp(model_of(self->runs[k]), model_of(self->runs[i])) != 0;
    label_add(to, is_new && i > 0 ? ", " : "");
    label_add(to, is_new ? model_of(self->runs[i]) : "");
  }
}

/* Models and, of one run, its scheme; schemes of several runs; the parameters that they share. */
static void write_titles(const run_curves *self, label title[PICTURE_MAX_LINES]) {
  const bool is_one = self->n_runs == 1;
  int line = 0;
  add_models(&title[line], self);
  label_add(&title[line], is_one && self->results->summary != NULL ? ", " : "");
  if (is_one)
    run_label_add_scheme(&title[line], self->results);
  line++;
  for (size_t i = 0; i < self->n_runs && !is_one; i++) {
    const run_results *run = self->runs[i];
    if (run->summary == NULL)
      continue;
    label_add(&title[line], title[line].text[0] != '\0' ? ";  " : "");
    label scheme = {""};
    label name = {""};
    run_label_add_scheme(&scheme, run);
    add_name(&name, self, run);
    if (strncmp(scheme.text, name.text, strlen(name.text)) != 0) {
      label_add_enhanced(&title[line], name.text);
      label_add(&title[line], ": ");
    }
    label_add_enhanced(&title[line], scheme.text);
  }
  line += title[line].text[0] != '\0';
  run_label_add_shared(&title[line], self->runs, self->n_runs);
}

static bool has_paths(const run_curves *self, const char *x_unit, const plot *of) {
  const char *unit = NULL;
  quantity_of(self, self->columns[0], &unit);
  return of->n_panels == 1 && strcmp(x_unit, "m") == 0 && strcmp(unit, "m") == 0 && !self->log_x && !self->log_y &&
         self->minus == NULL;
}

static seam_status check_columns(const run_curves *self, seam_error *error) {
  size_t table = 0;
  size_t column = 0;
  seam_status status = SEAM_OK;
  for (size_t i = 0; i < self->n_columns && status == SEAM_OK; i++)
    status = run_results_find(self->results, self->columns[i], &table, &column, error);
  if (status == SEAM_OK)
    status = run_results_find(self->results, self->over, &table, &column, error);
  return status;
}

static seam_status list_runs(run_curves *self, seam_error *error) {
  self->runs = calloc(self->n_results + 1, sizeof *self->runs);
  if (self->runs == NULL)
    return out_of_memory(error);
  for (; self->n_runs < self->n_results; self->n_runs++)
    self->runs[self->n_runs] = &self->results[self->n_runs];
  if (self->minus != NULL)
    self->runs[self->n_runs++] = self->minus;
  return SEAM_OK;
}

static seam_status make_picture(run_curves *self, plot *made, seam_error *error) {
  const char *unit = NULL;
  panel_columns *columns = calloc(self->n_columns, sizeof *columns);
  const char **room = calloc(self->n_columns * self->n_columns, sizeof *room);
  const seam_status status =
      columns != NULL && room != NULL ? read_panels(self, columns, room, made, error) : out_of_memory(error);
  free(columns);
  free(room);
  if (status != SEAM_OK)
    return status;
  const run_quantity over = quantity_of(self, self->over, &unit);
  plot_axis x = {.is_log = self->log_x, .is_tight = strcmp(over.element, "time") == 0};
  add_quantity(&x.text, self, over.element, over.quantity, false);
  label_add_unit(&x.text, x.is_tight ? "s" : unit);
  for (size_t i = 0; i < made->n_panels; i++)
    made->panels[i].x = x;
  made->same_scale = has_paths(self, unit, made);
  write_titles(self, made->title);
  return SEAM_OK;
}

seam_status run_curves_read(run_curves *self, plot *made, seam_error *error) {
  *made = (plot){.what = "Curves that 'seam plot' chose from results."};
  seam_status status = check_columns(self, error);
  if (status == SEAM_OK)
    status = list_runs(self, error);
  if (status == SEAM_OK)
    status = make_picture(self, made, error);
  if (status == SEAM_OK)
    status = read_marks(self, made, error);
  free(self->runs);
  return status;
}
