#include "app/results/run_results.h"

#include <seam/verdict.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/failure.h"
#include "app/results/output.h"
#include "app/results/row_format.h"
#include "base/nearest.h"
#include "base/then.h"

static const char *const run_tables[MAX_RUN_TABLES] = {"trajectory", "couplings", "signals"};

/* ---- Paths ---- */

static bool is_folder(const char *path) {
  struct stat found;
  return stat(path, &found) == 0 && S_ISDIR(found.st_mode);
}

/* Returns the ending of a table's name, with its dot; NULL: none. */
static const char *ending_of(const char *path) {
  const char *dot = strrchr(path, '.');
  for (int i = 0; i < N_ROW_FORMATS && dot != NULL; i++)
    if (strcmp(dot + 1, row_formats[i].name) == 0)
      return dot;
  return NULL;
}

bool run_results_is_one(const char *path) {
  return is_folder(path) || (ending_of(path) != NULL && access(path, F_OK) == 0);
}

/* Returns "folder/name.ending", without a dot for an empty ending; NULL: memory is exhausted. */
static char *path_of(run_results *self, const char *folder, const char *name, const char *ending) {
  const size_t size = strlen(folder) + strlen(name) + strlen(ending) + 3;
  char *path = arena_take(&self->memory, size);
  if (path != NULL)
    snprintf(path, size, "%s/%s%s%s", folder, name, *ending != '\0' ? "." : "", ending);
  return path;
}

static char *folder_of(run_results *self) {
  const char *slash = strrchr(self->path, '/');
  if (is_folder(self->path))
    return arena_text(&self->memory, self->path, strlen(self->path));
  return slash != NULL ? arena_text(&self->memory, self->path, (size_t)(slash - self->path) + (slash == self->path))
                       : arena_text(&self->memory, ".", 1);
}

/* ---- Summary ---- */

static seam_status read_summary(run_results *self, const char *folder, seam_error *error) {
  json_failure failure = {0};
  const char *path = path_of(self, folder, "summary", "json");
  if (path == NULL)
    return out_of_memory(error);
  if (access(path, F_OK) != 0 && errno == ENOENT)
    return SEAM_OK;
  const seam_status status = output_read(path, &self->summary_text, error);
  if (status != SEAM_OK || json_parse(self->summary_text, &self->memory, &self->summary, &failure))
    return status;
  if (failure.what == NULL)
    return out_of_memory(error);
  return seam_fail(error, SEAM_BAD_INPUT, "%s:%zu: error: this is not JSON (%s); run the model again", path,
                   failure.line, failure.what);
}

/* ---- Tables ---- */

static seam_status open_table(run_results *self, const char *path, const char *name, seam_error *error) {
  self->names[self->n_tables] = name;
  return table_reader_open(path, &self->tables[self->n_tables++], error);
}

/* Opens the last format that exists: npy is read faster than csv. */
static seam_status open_any_format(run_results *self, const char *folder, const char *name, seam_error *error) {
  for (int i = N_ROW_FORMATS - 1; i >= 0; i--) {
    const char *path = path_of(self, folder, name, row_formats[i].name);
    if (path == NULL)
      return out_of_memory(error);
    if (access(path, F_OK) == 0)
      return open_table(self, path, name, error);
  }
  return SEAM_OK;
}

static seam_status open_folder(run_results *self, seam_error *error) {
  seam_status status = SEAM_OK;
  for (int i = 0; i < MAX_RUN_TABLES && status == SEAM_OK; i++)
    status = open_any_format(self, self->path, run_tables[i], error);
  if (status == SEAM_OK && self->n_tables == 0)
    return seam_fail(error, SEAM_NO_FILE,
                     "%s: error: there is no trajectory, couplings or signals (csv, npy) in it; give a folder that "
                     "'seam run' wrote, or a table",
                     self->path);
  return status;
}

/* Opens a table, named after its file. */
static seam_status open_file(run_results *self, seam_error *error) {
  return open_table(self, self->path, self->short_name, error);
}

/* ---- Summary and tables of one run ---- */

static const json_node *columns_of(const run_results *self, size_t table) {
  return json_get(json_get(self->summary, "columns"), self->names[table]);
}

static const char *name_of(const table_reader *table, size_t column) {
  return column < table_reader_n_columns(table) ? table_reader_name(table, column) : "nothing";
}

/* Checks the columns, which have the order of the file. */
static seam_status check_columns(const run_results *self, size_t table, seam_error *error) {
  const table_reader *of = self->tables[table];
  const json_node *columns = columns_of(self, table);
  const json_node *at = columns != NULL ? columns->first : NULL;
  size_t i = 0;
  for (; at != NULL && strcmp(at->key, name_of(of, i)) == 0; at = at->next)
    i++;
  if (columns == NULL || (at == NULL && i == table_reader_n_columns(of)))
    return SEAM_OK;
  return seam_fail(
      error, SEAM_BAD_INPUT,
      "%s: error: its column %zu is '%s', but summary.json beside it says '%s'; they are not of one run, so "
      "run the model again, or copy the table to another folder",
      table_reader_path(of), i + 1, name_of(of, i), at != NULL ? at->key : "nothing");
}

static seam_status check_table(const run_results *self, size_t table, seam_error *error) {
  const json_node *verdict = json_get(self->summary, "verdict");
  const size_t rows = table_reader_n_rows(self->tables[table]);
  if (verdict == NULL || strcmp(self->names[table], "trajectory") != 0 || (double)rows == json_value(verdict, "rows"))
    return check_columns(self, table, error);
  return seam_fail(error, SEAM_BAD_INPUT,
                   "%s: error: it has %zu rows, but summary.json beside it says %.0f; they are not of one run: run the "
                   "model again",
                   table_reader_path(self->tables[table]), rows, json_value(verdict, "rows"));
}

/* ---- Opening and closing ---- */

static char *short_name_of(run_results *self) {
  size_t end = strlen(self->path);
  while (end > 1 && self->path[end - 1] == '/')
    end--;
  size_t begin = end;
  while (begin > 0 && self->path[begin - 1] != '/')
    begin--;
  const char *ending = is_folder(self->path) ? NULL : ending_of(self->path + begin);
  return arena_text(&self->memory, self->path + begin,
                    ending != NULL ? (size_t)(ending - self->path) - begin : end - begin);
}

seam_status run_results_open(const char *path, run_results *self, seam_error *error) {
  *self = (run_results){.path = path};
  const char *folder = folder_of(self);
  self->short_name = short_name_of(self);
  if (folder == NULL || self->short_name == NULL)
    return out_of_memory(error);
  seam_status status = is_folder(path) ? open_folder(self, error) : open_file(self, error);
  THEN(status, read_summary(self, folder, error));
  for (size_t i = 0; i < self->n_tables && status == SEAM_OK; i++)
    status = check_table(self, i, error);
  return status;
}

void run_results_close(run_results *self) {
  for (size_t i = 0; i < self->n_tables; i++)
    table_reader_close(self->tables[i]);
  arena_release(&self->memory);
  free(self->summary_text);
}

/* ---- Columns ---- */

/* Returns true if summary.json explains the column as "element.quantity". */
static bool is_called(const json_node *column, const char *name) {
  const char *element = json_text(column, "element");
  const char *quantity = json_text(column, "quantity");
  const size_t n = element != NULL ? strlen(element) : 0;
  return n > 0 && quantity != NULL && strncmp(name, element, n) == 0 && name[n] == '.' &&
         strcmp(name + n + 1, quantity) == 0;
}

static size_t find_in_table(const run_results *self, size_t table, const char *name) {
  const size_t found = table_reader_find(self->tables[table], name);
  const json_node *columns = columns_of(self, table);
  const json_node *column = columns != NULL ? columns->first : NULL;
  while (found == SEAM_NONE && column != NULL && !is_called(column, name))
    column = column->next;
  return found == SEAM_NONE && column != NULL ? table_reader_find(self->tables[table], column->key) : found;
}

static void try_names(const run_results *self, size_t table, nearest *search) {
  for (size_t i = 0; i < table_reader_n_columns(self->tables[table]); i++)
    nearest_try(search, table_reader_name(self->tables[table], i));
}

/* Hints at the two columns of a place or a velocity, quantities that verdicts name. */
static void hint_at_column(const char *column, const nearest *search, char *hint, size_t size) {
  static const char *const judged[][3] = {{"place", "x", "y"}, {"velocity", "vx", "vy"}};
  const char *dot = strrchr(column, '.');
  const int n = dot != NULL ? (int)(dot - column) : 0;
  nearest_hint(search, hint, size);
  for (size_t i = 0; i < sizeof judged / sizeof *judged && dot != NULL; i++)
    if (strcmp(dot + 1, judged[i][0]) == 0)
      snprintf(hint, size, "its columns are '%.*s.%s' and '%.*s.%s'", n, column, judged[i][1], n, column, judged[i][2]);
}

static seam_status not_found(const char *where, const char *column, const nearest *search, seam_error *error) {
  char hint[128];
  hint_at_column(column, search, hint, sizeof hint);
  return seam_fail(error, SEAM_BAD_INPUT, "%s: error: there is no column '%s'; %s", where, column,
                   *hint != '\0' ? hint : "'seam plot' with the results alone lists them");
}

seam_status run_results_find(const run_results *self, const char *column, size_t *table, size_t *number,
                             seam_error *error) {
  nearest search = nearest_to(column);
  for (size_t i = 0; i < self->n_tables; i++) {
    *table = i;
    *number = find_in_table(self, i, column);
    if (*number != SEAM_NONE)
      return SEAM_OK;
    try_names(self, i, &search);
  }
  return not_found(self->path, column, &search, error);
}

seam_status run_results_find_beside(const run_results *self, size_t table, const char *column, size_t *number,
                                    seam_error *error) {
  nearest search = nearest_to(column);
  *number = find_in_table(self, table, column);
  if (*number != SEAM_NONE)
    return SEAM_OK;
  size_t other = 0;
  if (run_results_find(self, column, &other, number, NULL) == SEAM_OK)
    return seam_fail(
        error, SEAM_BAD_INPUT,
        "%s: error: column '%s' is not in this table, but in %s; columns that are drawn over each other are "
        "of one table",
        table_reader_path(self->tables[table]), column, table_reader_path(self->tables[other]));
  try_names(self, table, &search);
  return not_found(table_reader_path(self->tables[table]), column, &search, error);
}

/* ---- Entries of the summary ---- */

const char *run_results_column(const run_results *self, size_t table, size_t column, const char *what) {
  const char *name = table_reader_name(self->tables[table], column);
  const char *text = json_text(json_get(columns_of(self, table), name), what);
  return text != NULL ? text : "";
}

const char *run_results_model(const run_results *self) { return json_text(json_get(self->summary, "model"), "name"); }

const char *run_results_model_json(const run_results *self, size_t *length) {
  const json_node *model = json_get(self->summary, "model");
  *length = model != NULL ? model->length : 0;
  return model != NULL ? model->begin : NULL;
}

const char *run_results_scheme(const run_results *self) {
  const json_node *cosim = json_get(self->summary, "cosim");
  const json_node *couplings = json_get(cosim, "couplings");
  const char *scheme = NULL;
  if (cosim == NULL)
    return "monolithic";
  for (const json_node *coupling = couplings != NULL ? couplings->first : NULL; coupling; coupling = coupling->next) {
    const char *its = json_text(coupling, "scheme");
    if (scheme != NULL && its != NULL && strcmp(scheme, its) != 0)
      return "several schemes";
    scheme = scheme != NULL ? scheme : its;
  }
  return scheme != NULL ? scheme : "co-simulated";
}

double run_results_macro_step(const run_results *self) {
  return json_value(json_get(self->summary, "cosim"), "macro_step");
}

/* ---- How the run ended ---- */

static bool is_word(const run_results *self, seam_word word) {
  const char *said = json_text(json_get(self->summary, "verdict"), "word");
  return said != NULL && strcmp(said, seam_word_text(word)) == 0;
}

/* Returns true for "suspect", which version 0.2 wrote for wrong. */
static bool was_suspect(const run_results *self) {
  const char *text = json_text(json_get(self->summary, "verdict"), "status");
  return text != NULL && strcmp(text, "suspect") == 0;
}

seam_status run_results_status(const run_results *self) {
  const char *text = json_text(json_get(self->summary, "verdict"), "status");
  seam_status status = SEAM_OK;
  if (was_suspect(self) || is_word(self, SEAM_WORD_WRONG))
    return SEAM_WRONG;
  while (text != NULL && status <= SEAM_WRONG && strcmp(text, seam_status_text(status)) != 0)
    status++;
  return status;
}

const char *run_results_mark(const run_results *self) {
  switch (run_results_status(self)) {
  case SEAM_OK:
    return "";
  case SEAM_WRONG:
    return was_suspect(self) ? "suspect" : "wrong";
  case SEAM_BECAME_UNSTABLE:
    return "unstable";
  case SEAM_INTERRUPTED:
    return "interrupted";
  default:
    return "failed";
  }
}

void run_results_note(const run_results *self) {
  const char *mark = run_results_mark(self);
  const char *message = json_text(json_get(self->summary, "verdict"), "message");
  const bool has_ended = self->summary != NULL || !is_folder(self->path);
  if (has_ended && *mark == '\0')
    return;
  fputs("note: ", stderr);
  print_name(self->path);
  if (!has_ended) {
    fputs(" has no summary.json; its run did not end, and nothing says whether its numbers are right\n", stderr);
    return;
  }
  fprintf(stderr, " is %s; its run said '", mark);
  print_name(message != NULL ? message : "");
  fputs("'\n", stderr);
}
