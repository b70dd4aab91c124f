/* `seam plot`: draws columns of results over time or over another column. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <seam/measures.h>
#include <seam/models.h>

#include "app/command.h"
#include "app/failure.h"
#include "app/plots/run_curves.h"
#include "app/results/run_results.h"
#include "base/then.h"

typedef struct plot_request {
  const app_options *parsed;
  run_results *results; /* (n_results) results; if are_differences is true, the results of --minus follow */
  size_t n_results;
  bool are_differences; /* the curves are differences from the results of --minus */
  const char **columns; /* (n_columns) */
  size_t n_columns;
} plot_request;

/* Adds an operand to the results or to the columns. Fails if it could be both, because the meaning would depend on the
 * current folder. */
static seam_status add_operand(plot_request *self, const char *operand, seam_error *error) {
  const bool has_slash = strchr(operand, '/') != NULL;
  size_t table = 0;
  size_t column = 0;
  if (run_results_is_path(operand)) {
    if (!has_slash && self->n_results > 0 && run_results_find(self->results, operand, &table, &column, NULL) == SEAM_OK)
      return seam_fail(error, SEAM_BAD_INPUT,
                       "seam: '%s' is both a column of %s and results in this folder; write ./%s for the results, or "
                       "plot the column from another folder",
                       operand, self->results->path, operand);
    return run_results_open(operand, &self->results[self->n_results++], error);
  }
  if (self->n_results == 0)
    return seam_fail(error, SEAM_NO_FILE,
                     "seam: '%s' is neither a folder of results nor a table (csv, npy); results come first, as in "
                     "'seam plot results/NAME COLUMN'",
                     operand);
  if (has_slash)
    return seam_fail(error, SEAM_NO_FILE, "seam: there are no results '%s'; give a folder that 'seam run' wrote",
                     operand);
  self->columns[self->n_columns++] = operand;
  return SEAM_OK;
}

static seam_status read_operands(plot_request *self, seam_error *error) {
  const size_t n = self->parsed->n_operands;
  const char *minus = options_value(self->parsed, "--minus");
  seam_status status = SEAM_OK;
  self->results = calloc(n + 1, sizeof *self->results);
  self->columns = calloc(n, sizeof *self->columns);
  if (self->results == NULL || self->columns == NULL)
    return out_of_memory(error);
  for (size_t i = 0; i < n && status == SEAM_OK; i++)
    status = add_operand(self, self->parsed->operands[i], error);
  self->are_differences = status == SEAM_OK && minus != NULL;
  return self->are_differences ? run_results_open(minus, &self->results[self->n_results], error) : status;
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

static void note_missing(const run_curves *curves) {
  for (size_t i = 0; i < curves->n_results + curves->are_differences; i++)
    run_results_note(&curves->runs[i]);
  if (curves->is_truncated)
    fputs("note: differences end with the run that ends first\n", stderr);
  if (curves->n_events_left_out > 0)
    fprintf(stderr, "note: the first %d events are marked, %zu later ones are not\n", MAX_RUN_EVENTS,
            curves->n_events_left_out);
  if (curves->n_left_out > 0)
    fprintf(stderr, "note: %zu %s no logarithm and %s not drawn\n", curves->n_left_out,
            curves->n_left_out == 1 ? "point has" : "points have", curves->n_left_out == 1 ? "is" : "are");
}

/* Fails if the results lack a column although the model has this quantity; the message names the option that adds it.
 * Names that the model lacks are refused by run_curves_read(). */
static seam_status check_columns(const plot_request *self, const char *over, seam_error *error) {
  const run_results *run = self->results;
  for (size_t i = 0; i <= self->n_columns; i++) {
    const char *column = i < self->n_columns ? self->columns[i] : over;
    size_t table = 0;
    size_t number = 0;
    size_t length = 0;
    seam_model_file *file = NULL;
    mbs_quantity found;
    if (run_results_find(run, column, &table, &number, NULL) == SEAM_OK)
      continue;
    const char *json = run_results_model_json(run, &length);
    if (json == NULL || seam_model_file_show(run->path, json, length, &file, NULL) != SEAM_OK)
      continue;
    const bool is_offered = mbs_find_quantity(seam_model_mechanism(file), column, &found, NULL) == SEAM_OK;
    seam_model_file_destroy(file);
    if (is_offered)
      return seam_fail(
          error, SEAM_BAD_INPUT,
          "%s: error: there is no column '%s'; the model offers it, so run it again with --columns default,%s",
          run->path, column, column);
  }
  return SEAM_OK;
}

/* Draws the picture into the file of -o or, without -o, into the folder of the first results. */
static seam_status draw(const plot_request *self, seam_error *error) {
  static const char *const endings[] = {".png", ".svg", ".pdf", ".gp"};
  static const unsigned formats[] = {PLOT_PNG, PLOT_SVG, PLOT_PDF, 0};
  const char *given = NULL;
  size_t format = 0;
  const char *over = options_value(self->parsed, "--over");
  const char *log = options_value(self->parsed, "--log");
  run_curves curves = {.runs = self->results,
                       .n_results = self->n_results,
                       .are_differences = self->are_differences,
                       .columns = self->columns,
                       .n_columns = self->n_columns,
                       .over = over != NULL ? over : "time",
                       .log_x = log != NULL && strchr(log, 'x') != NULL,
                       .log_y = log != NULL && strchr(log, 'y') != NULL};
  plot drawn = {.n_panels = 0};
  char *directory = NULL;
  char *name = NULL; /* of the picture, without ending */
  if (log != NULL && strcmp(log, "x") != 0 && strcmp(log, "y") != 0 && strcmp(log, "xy") != 0)
    return seam_fail(error, SEAM_BAD_INPUT, "seam: --log must be x, y or xy, but is '%s'", log);
  seam_status status = check_columns(self, curves.over, error);
  THEN(status, options_output(self->parsed, "a picture", endings, 4, &given, &format, error));
  if (status == SEAM_OK) {
    const char *path = given != NULL ? given : table_reader_path(self->results->tables[0]);
    const char *slash = strrchr(path, '/');
    const char *base = slash != NULL ? slash + 1 : path;
    directory = slash != NULL ? strndup(path, (size_t)(slash - path) + (slash == path)) : strdup(".");
    name = given != NULL ? strndup(base, (size_t)(strrchr(base, '.') - base)) : strdup("plot");
    status = directory != NULL && name != NULL ? SEAM_OK : out_of_memory(error);
  }
  THEN(status, run_curves_read(&curves, &drawn, error));
  if (status == SEAM_OK) {
    note_missing(&curves);
    drawn.safe_name = "plot";
    status = plot_draw(&drawn, directory, name, formats[format], error);
  }
  plot_free(&drawn);
  free(directory);
  free(name);
  return status;
}

static int run(const app_options *parsed, seam_error *error) {
  plot_request self = {.parsed = parsed};
  seam_status status = read_operands(&self, error);
  if (status == SEAM_OK && self.n_columns > 0)
    status = draw(&self, error);
  else if (status == SEAM_OK)
    for (size_t i = 0; i < self.n_results; i++)
      print_columns(&self.results[i]);
  for (size_t i = 0; i < self.n_results + self.are_differences; i++)
    run_results_close(&self.results[i]);
  free(self.results);
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
    .min_operands = 1,
    .max_operands = 1000,
    .run = run,
};
