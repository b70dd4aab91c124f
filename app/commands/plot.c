/* `seam plot`: draws columns of results over time or over another column, with a panel for each unit. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <seam/measures.h>
#include <seam/models.h>

#include "app/command.h"
#include "app/failure.h"
#include "app/plots/plot.h"
#include "app/results/run_results.h"
#include "app/thresholds.h"
#include "base/then.h"

/* Element and quantity are from summary.json. Without that file they are the parts of the column's name before and
 * after the last dot. */
typedef struct plotted_column {
  const char *name; /* as given */
  char element[128], quantity[128];
  const char *unit;
  size_t panel; /* columns with the same unit share a panel */
} plotted_column;

typedef struct plot_request {
  const app_options *parsed;
  run_results *runs; /* (n_results) results; then, if are_differences is true, those of --minus */
  size_t n_results;
  bool are_differences;
  plotted_column *columns; /* (n_columns) */
  size_t n_columns;
  plotted_column over; /* column of the x axis */
  bool log_x, log_y;
  size_t n_left_out;        /* result: number of points left out because they have no logarithm */
  size_t n_events_left_out; /* result: number of events without a mark */
  bool is_truncated;        /* result: the runs have unequal lengths, and differences end with the shorter one */
} plot_request;

/* ---- Operands ---- */

/* Adds an operand to the results or to the columns. Refuses one that could be both: its meaning would depend on the
 * current folder. */
static seam_status add_operand(plot_request *self, const char *operand, seam_error *error) {
  const bool has_slash = strchr(operand, '/') != NULL;
  size_t table = 0;
  size_t column = 0;
  if (run_results_is_path(operand)) {
    if (!has_slash && self->n_results > 0 && run_results_find(self->runs, operand, &table, &column, NULL) == SEAM_OK)
      return seam_fail(error, SEAM_BAD_INPUT,
                       "seam: '%s' is both a column of %s and results in this folder; write ./%s for the results, or "
                       "plot the column from another folder",
                       operand, self->runs->path, operand);
    return run_results_open(operand, &self->runs[self->n_results++], error);
  }
  if (self->n_results == 0)
    return seam_fail(error, SEAM_NO_FILE,
                     "seam: '%s' is neither a folder of results nor a table (csv, npy); results come first, as in "
                     "'seam plot results/NAME COLUMN'",
                     operand);
  if (has_slash)
    return seam_fail(error, SEAM_NO_FILE, "seam: there are no results '%s'; give a folder that 'seam run' wrote",
                     operand);
  self->columns[self->n_columns++].name = operand;
  return SEAM_OK;
}

static void print_columns(const run_results *results) {
  for (size_t table = 0; table < results->n_tables; table++) {
    const table_reader *of = results->tables[table];
    printf("%s: %zu rows\n", table_reader_path(of), table_reader_n_rows(of));
    for (size_t i = 0; i < table_reader_n_columns(of); i++)
      printf("  %-24s  %-6s  %s\n", table_reader_name(of, i), run_results_column(results, table, i, "unit"),
             run_results_column(results, table, i, "meaning"));
  }
}

static bool has_model_quantity(const run_results *run, const char *name) {
  size_t length = 0;
  seam_model_file *file = NULL;
  mbs_quantity found;
  const char *json = run_results_model_json(run, &length);
  if (json == NULL || seam_model_file_show(run->path, json, length, &file, NULL) != SEAM_OK)
    return false;
  const bool result = mbs_find_quantity(seam_model_mechanism(file), name, &found, NULL) == SEAM_OK;
  seam_model_file_destroy(file);
  return result;
}

/* Finds element, quantity and unit of a column. If only the model of the results has it, the message names the option
 * that adds it. */
static seam_status find_column(const run_results *results, plotted_column *column, seam_error *error) {
  size_t table = 0;
  size_t number = 0;
  const seam_status status = run_results_find(results, column->name, &table, &number, error);
  if (status != SEAM_OK && has_model_quantity(results, column->name))
    return seam_fail(
        error, SEAM_BAD_INPUT,
        "%s: error: there is no column '%s'; the model offers it, so run it again with --columns default,%s",
        results->path, column->name, column->name);
  TRY(status);
  column->unit = run_results_column(results, table, number, "unit");
  const char *element = run_results_column(results, table, number, "element");
  const char *quantity = run_results_column(results, table, number, "quantity");
  const char *name = table_reader_name(results->tables[table], number);
  const char *dot = strrchr(name, '.');
  if (*element == '\0' && dot != NULL) {
    snprintf(column->element, sizeof column->element, "%.*s", (int)(dot - name), name);
    quantity = dot + 1;
  } else
    snprintf(column->element, sizeof column->element, "%s", *element != '\0' ? element : name);
  snprintf(column->quantity, sizeof column->quantity, "%s", quantity);
  return SEAM_OK;
}

/* ---- Rows of a curve ---- */

static size_t n_runs(const plot_request *self) { return self->n_results + self->are_differences; }
static const run_results *subtrahend(const plot_request *self) { return &self->runs[self->n_results]; }

enum { X, Y, TIME, N_READ };

typedef struct run_rows {
  double *values; /* (N_READ x n) x, y and times */
  size_t n;
} run_rows;

/* Reads a column, and those of x and the time in the same table. */
static seam_status read_rows(const plot_request *self, const run_results *from, const char *name, run_rows *rows,
                             seam_error *error) {
  size_t table = 0;
  size_t columns[N_READ] = {0};
  TRY(run_results_find(from, name, &table, &columns[Y], error));
  TRY(run_results_find_in(from, table, self->over.name, &columns[X], error));
  if (self->are_differences)
    TRY(run_results_find_in(from, table, "time", &columns[TIME], error));
  rows->n = table_reader_n_rows(from->tables[table]);
  rows->values = malloc((N_READ * rows->n + 1) * sizeof *rows->values);
  TRY(check_memory(rows->values != NULL, error));
  return table_reader_read(from->tables[table], columns, self->are_differences ? N_READ : TIME, rows->values, error);
}

/* Subtracts the column of another run, in the rows that both have. */
static seam_status subtract(const run_results *from, const run_results *what, const char *name, run_rows *rows,
                            const run_rows *other, seam_error *error) {
  const size_t n = rows->n < other->n ? rows->n : other->n;
  const double *t = rows->values + TIME * rows->n;
  const double *t_other = other->values + TIME * other->n;
  const double tolerance = n > 1 ? app_same_time_tolerance * fabs(t[n - 1] - t[0]) / (double)(n - 1) : 0;
  for (size_t i = 0; i < n; i++) {
    if (!(fabs(t[i] - t_other[i]) <= tolerance))
      return seam_fail(error, SEAM_BAD_INPUT,
                       "%s: error: row %zu is at t = %.9g s, but in %s at %.9g s, so that no difference of '%s' can be "
                       "drawn; run both with the same --output-step",
                       from->path, i + 1, t[i], what->path, t_other[i], name);
    rows->values[Y * rows->n + i] -= other->values[Y * other->n + i];
  }
  return SEAM_OK;
}

/* Reads a curve, as |y| if y is logarithmic. n_left_out counts rows that a logarithmic axis cannot show. */
static seam_status read_curve(plot_request *self, const run_results *from, const char *name, plot *result,
                              plot_layer *layer, seam_error *error) {
  run_rows rows = {NULL, 0};
  run_rows other = {NULL, 0};
  seam_status status = read_rows(self, from, name, &rows, error);
  size_t n = rows.n;
  if (self->are_differences) {
    THEN(status, read_rows(self, subtrahend(self), name, &other, error));
    THEN(status, subtract(from, subtrahend(self), name, &rows, &other, error));
    n = other.n < n ? other.n : n;
    self->is_truncated |= other.n != rows.n;
  }
  size_t n_added = 0;
  for (size_t i = 0; i < n && status == SEAM_OK; i++) {
    const double x = rows.values[X * rows.n + i];
    const double y = rows.values[Y * rows.n + i];
    if ((self->log_x && !(x > 0)) || (self->log_y && !(fabs(y) > 0)))
      continue;
    plot_point(result, layer, x, self->log_y ? fabs(y) : y);
    n_added++;
  }
  self->n_left_out += status == SEAM_OK ? n - n_added : 0;
  if (status == SEAM_OK && n_added == 0)
    status = seam_fail(error, SEAM_BAD_INPUT, "%s: error: column '%s' has nothing to draw; %s", from->path, name,
                       n > 0 ? "leave out --log" : "there are no rows, so run the model again");
  free(rows.values);
  free(other.values);
  return status;
}

/* ---- Labels ---- */

static const char *model_of(const run_results *run) {
  const char *model = run_results_model(run);
  return model != NULL ? model : run->short_name;
}

/* Appends the name of results: the last component of their path, without its ending. Appends the whole path if other
 * results have the same name or another model. */
static void add_name(label *to, const plot_request *self, const run_results *of) {
  bool is_unambiguous = true;
  for (size_t i = 0; i < self->n_results; i++)
    is_unambiguous =
        is_unambiguous && (&self->runs[i] == of || (strcmp(self->runs[i].short_name, of->short_name) != 0 &&
                                                    strcmp(model_of(&self->runs[i]), model_of(of)) == 0));
  label_add(to, is_unambiguous ? of->short_name : of->path);
}

static void add_run(label *to, const plot_request *self, const run_results *of) {
  add_name(to, self, of);
  label_add_differing(to, of, self->runs, n_runs(self));
}

/* Appends the symbol of a quantity, with bars if its magnitude is drawn. */
static void add_quantity(label *to, const plot_request *self, const char *element, const char *quantity, bool is_y) {
  const char *bar = is_y && self->log_y ? "|" : "";
  label_add(to, bar);
  label_add(to, is_y && self->are_differences ? "Δ" : "");
  label_add_symbol(to, element, quantity);
  label_add(to, bar);
}

static void name_curve(const plot_request *self, const plotted_column *column, const run_results *from,
                       bool is_only_column, label *title) {
  const bool names_run = n_runs(self) > 1;
  if (!is_only_column || !names_run)
    add_quantity(title, self, column->element, column->quantity, true);
  label_add(title, !is_only_column && names_run ? ", " : "");
  if (names_run)
    add_run(title, self, from);
  if (self->are_differences) {
    label_add(title, " − ");
    add_run(title, self, subtrahend(self));
  }
}

/* ---- Panels: columns with the same unit share a panel ---- */

static const char *symbol_of(const plotted_column *column) {
  return column->quantity[0] != '\0' ? column->quantity : column->element;
}

/* Appends the symbols of a panel, each once. In place of more than three it appends the kind of their unit, as
 * "force". */
static void name_axis(const plot_request *self, size_t panel, bool is_only_column, label *to) {
  enum { MAX_SYMBOLS = 3 };
  const char *unit = "";
  label symbols = {""};
  size_t n = 0;
  for (const plotted_column *column = self->columns; column < self->columns + self->n_columns; column++) {
    const plotted_column *first = self->columns; /* the first column of the panel with this symbol */
    while (first < column && (first->panel != panel || strcmp(symbol_of(first), symbol_of(column)) != 0))
      first++;
    if (column->panel != panel || first < column)
      continue;
    const bool spells_element = is_only_column || column->quantity[0] == '\0' || strcmp(column->element, "energy") == 0;
    label_add(&symbols, n++ > 0 ? ", " : "");
    add_quantity(&symbols, self, spells_element ? column->element : "", column->quantity, true);
    unit = column->unit;
  }
  label_add_enhanced(to, n <= MAX_SYMBOLS ? symbols.text : label_kind(unit));
  label_add_unit(to, unit);
}

static seam_status read_panel(plot_request *self, size_t number, plot *result, seam_error *error) {
  plot_panel *panel = &result->panels[number];
  size_t n = 0;
  for (size_t i = 0; i < self->n_columns; i++)
    n += self->columns[i].panel == number;
  for (size_t i = 0; i < self->n_columns; i++)
    for (size_t k = 0; k < self->n_results && self->columns[i].panel == number; k++) {
      plot_layer *layer = plot_add(result, panel, PLOT_LINES);
      TRY(read_curve(self, &self->runs[k], self->columns[i].name, result, layer, error));
      name_curve(self, &self->columns[i], &self->runs[k], n == 1, &layer->title);
    }
  panel->y.is_log = self->log_y;
  name_axis(self, number, n == 1, &panel->y.text);
  return SEAM_OK;
}

/* Reads the columns into panels, one for each unit, in the order in which units first occur. */
static seam_status read_panels(plot_request *self, plot *result, seam_error *error) {
  const plotted_column *over = &self->over;
  plot_axis x = {.is_log = self->log_x, .is_tight = strcmp(over->element, "time") == 0};
  add_quantity(&x.text, self, over->element, over->quantity, false);
  label_add_unit(&x.text, x.is_tight ? "s" : over->unit);
  size_t n = 0;
  for (size_t i = 0; i < self->n_columns; i++) {
    size_t first = 0;
    while (strcmp(self->columns[first].unit, self->columns[i].unit) != 0)
      first++;
    self->columns[i].panel = first < i ? self->columns[first].panel : n++;
  }
  result->same_scale = n == 1 && strcmp(over->unit, "m") == 0 && strcmp(self->columns->unit, "m") == 0 &&
                       !self->log_x && !self->log_y && !self->are_differences;
  plot_start(result, n);
  TRY(check_memory(!result->lacks_memory, error));
  for (size_t i = 0; i < n; i++) {
    result->panels[i].x = x;
    TRY(read_panel(self, i, result, error));
  }
  return SEAM_OK;
}

/* Marks the events, if the curves are of a single run and over time. */
static seam_status read_marks(plot_request *self, plot *result, seam_error *error) {
  run_events events = {0};
  if (n_runs(self) > 1 || strcmp(self->over.name, "time") != 0)
    return SEAM_OK;
  seam_status status = run_events_read(self->runs, &events, error);
  result->marks = arena_allocate(&result->memory, (events.n + 1) * sizeof *result->marks);
  THEN(status, check_memory(result->marks != NULL, error));
  for (size_t i = 0; i < events.n && status == SEAM_OK; i++) {
    result->marks[i].x = events.list[i].time;
    size_t first = 0;
    while (first < i && strcmp(events.list[first].name, events.list[i].name) != 0)
      first++;
    if (first == i) /* only the first mark of each event has the name */
      label_add(&result->marks[i].title, events.list[i].name);
    result->n_marks++;
  }
  self->n_events_left_out = events.n_left_out;
  run_events_free(&events);
  return status;
}

/* Appends scheme and macro step, as "ff-k1, H = 0.001 s". A run that did not succeed has a mark, as "wrong". Without
 * summary.json nothing is appended. */
static void add_scheme(label *to, const run_results *results) {
  const char *mark = run_results_mark(results);
  const double macro_step = run_results_macro_step(results);
  if (results->summary == NULL)
    return;
  label_add(to, run_results_scheme(results));
  if (isfinite(macro_step)) {
    label_add_enhanced(to, ", {/:Italic H} = ");
    label_add_number(to, macro_step);
    label_add(to, " s");
  }
  label_add(to, *mark != '\0' ? ", " : "");
  label_add(to, mark);
}

/* Appends "NAME: SCHEME", or only SCHEME if it begins with NAME. */
static void add_run_scheme(label *to, const plot_request *self, const run_results *run) {
  label scheme = {""};
  label name = {""};
  add_scheme(&scheme, run);
  add_name(&name, self, run);
  label_add(to, to->text[0] != '\0' ? ";  " : "");
  if (strncmp(scheme.text, name.text, strlen(name.text)) != 0) {
    label_add_enhanced(to, name.text);
    label_add(to, ": ");
  }
  label_add_enhanced(to, scheme.text);
}

/* Reads curves, marks and titles. Call plot_free() even after a failure. SEAM_BAD_INPUT: a column does not exist, or
 * rows of two subtracted tables have different times; errors of table_reader.h. */
static seam_status read_curves(plot_request *self, plot *result, seam_error *error) {
  *result = (plot){.what = "Curves that 'seam plot' chose from results."};
  for (size_t i = 0; i < self->n_columns; i++)
    TRY(find_column(self->runs, &self->columns[i], error));
  TRY(find_column(self->runs, &self->over, error));
  TRY(read_panels(self, result, error));
  TRY(read_marks(self, result, error));
  label *title = result->title; /* [0] models, and the scheme if one run; [1] schemes if several runs; [2] parameters */
  for (size_t i = 0; i < n_runs(self); i++) {
    bool is_new = true;
    for (size_t k = 0; k < i; k++)
      is_new &= strcmp(model_of(&self->runs[k]), model_of(&self->runs[i])) != 0;
    label_add(&title[0], is_new && i > 0 ? ", " : "");
    label_add(&title[0], is_new ? model_of(&self->runs[i]) : "");
  }
  for (size_t i = 0; i < n_runs(self); i++)
    if (self->runs[i].summary != NULL && n_runs(self) > 1)
      add_run_scheme(&title[1], self, &self->runs[i]);
    else if (self->runs[i].summary != NULL) {
      label_add(&title[0], ", ");
      add_scheme(&title[0], self->runs);
    }
  label_add_common(&title[2], self->runs, n_runs(self));
  return SEAM_OK;
}

/* ---- The command ---- */

static void note_missing(const plot_request *self) {
  for (size_t i = 0; i < n_runs(self); i++)
    run_results_note(&self->runs[i]);
  if (self->is_truncated)
    fputs("note: differences end with the run that ends first\n", stderr);
  if (self->n_events_left_out > 0)
    fprintf(stderr, "note: the first %d events are marked, %zu later ones are not\n", MAX_RUN_EVENTS,
            self->n_events_left_out);
  if (self->n_left_out > 0)
    fprintf(stderr, "note: %zu %s no logarithm and %s not drawn\n", self->n_left_out,
            self->n_left_out == 1 ? "point has" : "points have", self->n_left_out == 1 ? "is" : "are");
}

/* Draws into the file of -o, or into the folder of the first results. */
static seam_status draw(plot_request *self, seam_error *error) {
  static const unsigned formats[] = {PLOT_PNG, PLOT_SVG, PLOT_PDF, 0};
  const char *given = NULL;
  size_t format = 0;
  const char *over = options_value(self->parsed, "--over");
  const char *log = options_value(self->parsed, "--log");
  plot drawn = {.n_panels = 0};
  char *directory = NULL;
  char *name = NULL; /* of the picture, without ending */
  self->over.name = over != NULL ? over : "time";
  self->log_x = log != NULL && strchr(log, 'x') != NULL;
  self->log_y = log != NULL && strchr(log, 'y') != NULL;
  seam_status status = options_word(self->parsed, "--log", NULL, error);
  THEN(status, options_output(self->parsed, "a picture", ".png .svg .pdf .gp", &given, &format, error));
  if (status == SEAM_OK) {
    const char *path = given != NULL ? given : table_reader_path(self->runs->tables[0]);
    const char *slash = strrchr(path, '/');
    const char *base = slash != NULL ? slash + 1 : path;
    directory = slash != NULL ? strndup(path, (size_t)(slash - path) + (slash == path)) : strdup(".");
    name = given != NULL ? strndup(base, (size_t)(strrchr(base, '.') - base)) : strdup("plot");
    status = check_memory(directory != NULL && name != NULL, error);
  }
  THEN(status, read_curves(self, &drawn, error));
  if (status == SEAM_OK) {
    note_missing(self);
    drawn.safe_name = "plot";
    status = plot_draw(&drawn, directory, name, formats[format], error);
  }
  plot_free(&drawn);
  free(directory);
  free(name);
  return status;
}

static int run(const app_options *parsed, seam_error *error) {
  const size_t n = parsed->n_operands;
  const char *minus = options_value(parsed, "--minus");
  plot_request self = {
      .parsed = parsed, .runs = calloc(n + 1, sizeof *self.runs), .columns = calloc(n, sizeof *self.columns)};
  seam_status status = check_memory(self.runs != NULL && self.columns != NULL, error);
  for (size_t i = 0; i < n && status == SEAM_OK; i++)
    status = add_operand(&self, parsed->operands[i], error);
  self.are_differences = status == SEAM_OK && minus != NULL;
  if (self.are_differences)
    status = run_results_open(minus, &self.runs[self.n_results], error);
  if (status == SEAM_OK && self.n_columns > 0)
    status = draw(&self, error);
  else if (status == SEAM_OK)
    for (size_t i = 0; i < self.n_results; i++)
      print_columns(&self.runs[i]);
  for (size_t i = 0; i < n_runs(&self); i++)
    run_results_close(&self.runs[i]);
  free(self.runs);
  free(self.columns);
  return seam_status_exit(status);
}

static const app_option table[] = {
    {"-o", "FILE", .help = "the picture: .png, .svg or .pdf; default: plot.png in the first results"},
    {"--over", "COLUMN", .help = "the column of the x axis; default: time"},
    {"--minus", "RESULTS", .help = "draw differences from these results, whose times must be the same"},
    {"--log", "AXES", .help = "logarithmic axes: x, y or xy; along y magnitudes are drawn", .words = "x y xy"},
    OPTION_HELP,
    {0}};

const app_command plot_command = {
    .name = "plot",
    .summary = "draw columns of results",
    .operands = "RESULTS... [COLUMN...]",
    .words = "@folders @columns",
    .details =
        "Draws columns of results over time or over another column (gnuplot): a curve for each column and each of the\n"
        "RESULTS, a panel for each unit. RESULTS are folders that 'seam run' wrote, or tables (csv, npy); what is\n"
        "neither a folder nor a table is a column. Without a COLUMN, prints which there are. The script that draws\n"
        "stays beside the picture (.gp).\n"
        "\n"
        "  seam plot results/four_bar_bushing/run bar2.phi bar2.omega -o bar2.pdf\n"
        "  seam plot results/four_bar_bushing/run bar2.y --over bar2.x\n"
        "  seam plot results/four_bar_bushing/run-ff-k1 bar2.phi --minus results/four_bar_bushing/run --log y",
    .options = table,
    .n_operands = {1, 1000},
    .run = run,
};
